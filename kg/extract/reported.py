"""Which numbers of a sentence are results, by patterns over its outline (`kg.extract.outline`).

A pattern says what a number is: a level ("achieves N M"), or a change with its direction
("reduces M by N", "N more M", "M gain of N"). One that no pattern takes is no result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.extract.outline import Measured
from kg.extract.quantities import SHARES, Quantity
from kg.extract.result_patterns import AT, CHANGING, GOES_ON, MARGIN, NAMED, PATTERNS, QUALITIES, SETTING, find_family, is_rival
from kg.model import Direction, ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.extract.outline import Outline

__all__ = ["MORE", "Reported", "find_reported"]

MORE = "more"  # the rule of what goes on with another's words

_LEVELS = frozenset({"level of", "level in", "level", "bracket"})
_NAMING = frozenset({"from", "level of", "bracket"})
_PAIRS = frozenset({"from", "versus"})
_OPPOSITE = {Direction.HIGHER: Direction.LOWER, Direction.LOWER: Direction.HIGHER}
_TAIL = re.compile(r"(?:(?:\bis|are|was|were|be|been|can|could|also|further|drastically|greatly)\s)*$")
# A measure that a pair of numbers is of, however far before them, and maybe with a pair before.
_CARRIED = re.compile(r"\bM(?: improvements? [(] $|(?: (?!(?:N|M|and|,)(?: |$))\S+)*(?: from N to N(?: (?!N|M)\S+)*)? $)")
_MORE = re.compile(
    r"(?: (?:points?|M))?(?: (?:on|in|for|over|at|to) (?:(?!N )[a-zDXT]\S* ){0,5}?[a-zDXT]\S*)? (?:, and|,|and) (?:by )?(?P<n>N)"
    r"(?P<m> M)?(?= (?:on|in|for|over|at|to|[)])|$| [.,])"
)
_SPOKEN = re.compile(r"\bM (?:improvements?|gains?)\b")
_LESSER = re.compile(r" M ((?:drop|degradation|loss|gap|deterioration|decline)s?)\b")
_COUNTED = re.compile(r"[a-z]+s$")
_WITHIN = re.compile(r"\b(?:within|without|no|under) $")


@dataclass(frozen=True, slots=True)
class Reported:
    """A number that is a result, and where the pattern that says so stands in the outline."""

    number: Quantity
    unit: str
    metric: Measured | None
    words: str  # those of the metric where no measure is named
    kind: ResultKind
    direction: Direction | None
    better: Direction | None
    baseline: Quantity | None  # the value it is compared with
    rule: str
    start: int  # of the pattern in the outline
    end: int
    rival: tuple[int, int]  # where in the outline stands what is outdone; 0 to 0 is nowhere
    place: int  # which number of a list it is
    size: int  # of that list


def find_reported(outline: Outline) -> list[Reported]:
    """Return the results that an outline holds, in order of their numbers; no number is two."""
    taken: set[int] = set()
    found: list[Reported] = []
    for rule, pattern in PATTERNS.items():
        for match in pattern.finditer(outline.line):
            some = [one for one in _read(rule, match, outline) if one.number.start not in taken]
            found += some
            taken |= {one.number.start for one in some} | {one.baseline.start for one in some if one.baseline}
    for one in found:  # which grows: "by N on D, N on D and N on D"
        found += [more for more in _read_on(one, outline) if more.number.start not in taken]
        taken |= {more.number.start for more in found}
    found.sort(key=lambda one: one.number.start)
    return [_with_metric(one, found, outline) for one in found]


def _with_metric(one: Reported, found: list[Reported], outline: Outline) -> Reported:
    """Return a result with the metric that the sentence speaks of before, if it names none by itself."""
    if one.metric or one.words or one.unit == "×":
        return one
    before = [other for other in found if other.number.start < one.number.start]
    spoken = [other.metric for other in before if other.metric and other.kind is ResultKind.LEVEL and _is_like(other, one)]
    if match := _SPOKEN.search(outline.line, 0, one.start):
        spoken += _measures(outline, *match.span())[:1]
    if len({metric.text for metric in spoken}) != 1:
        return one
    better = _to_direction(spoken[0].better) or one.better
    if one.rule == "signed":
        return replace(one, metric=spoken[0], better=better)
    gain = one.direction is one.better
    goes = better if gain or better is None else _OPPOSITE[better]
    return replace(one, metric=spoken[0], better=better, direction=goes)


def _is_like(level: Reported, change: Reported) -> bool:
    """Return whether a change can be one of the metric that a level is of."""
    return change.unit in {level.unit, "points", "percentage points"} or (level.unit, change.unit) == ("", "%")


def _read(rule: str, match: re.Match[str], outline: Outline) -> Iterator[Reported]:
    """Yield the results that one match of a pattern says."""
    numbers = _numbers(match, "n", outline)
    metrics = _find_metrics(rule, match, outline)
    if len(metrics) not in {0, 1, len(numbers)}:
        return
    if rule in _LEVELS | _PAIRS and (not metrics or (rule in _LEVELS and _is_setting(match))):
        return
    family = _find_family(rule, match, numbers[0])
    if family is None or (rule in {"gain", "of"} and _WITHIN.search(match.string[: match.start()])):
        return
    words, better = ("", "none") if metrics else _find_words(match, family, outline)
    old = next(iter(_numbers(match, "old", outline)), None)
    for place, number in enumerate(numbers):
        metric = metrics[place if len(metrics) > 1 else 0] if metrics else None
        unit = number.unit or next((one.unit for one in numbers if one.unit), "") or _find_unit(match)
        if not _is_plausible(rule, number, unit, family, metric or words):
            return
        toward = _to_direction(metric.better if metric else better)
        goes = _find_direction(family, toward)
        kind = ResultKind.CHANGE if family else ResultKind.LEVEL
        rival = match.span("gap") if rule == "by" and is_rival(match["word"]) else (0, 0)
        yield Reported(
            number, unit, metric, words, kind, goes, toward or (goes if family == "gain" else None), old, rule,
            *match.span(), rival, place, len(numbers),
        )  # fmt: skip


def _read_on(one: Reported, outline: Outline) -> Iterator[Reported]:
    """Yield the result that goes on where one ends with its data set: "by N on D and N on E"."""
    match = _MORE.match(outline.line, one.end)
    if match and one.rule not in _PAIRS:
        number = _numbers(match, "n", outline)[0]
        metric = next(iter(_measures(outline, *match.span("m"))), None) if match["m"] else one.metric
        same = not number.unit or number.unit == one.unit
        if same and metric is one.metric and number.value:
            yield replace(one, number=number, start=match.start("n"), end=match.end(), rival=(0, 0), rule=MORE, place=0, size=1)


def _numbers(match: re.Match[str], group: str, outline: Outline) -> list[Quantity]:
    """Return the numbers in a group of a match."""
    if not match.groupdict().get(group):
        return []
    return [one for one in outline.find(*match.span(group)) if isinstance(one, Quantity)]


def _measures(outline: Outline, start: int, end: int) -> list[Measured]:
    """Return the measures in a stretch of an outline."""
    return [one for one in outline.find(start, end) if isinstance(one, Measured)]


def _find_metrics(rule: str, match: re.Match[str], outline: Outline) -> list[Measured]:
    """Return the measures of a match: after the number, or where the pattern or the verb has them."""
    for group in ("m", "m2", "m3"):
        if match.groupdict().get(group) and (found := _measures(outline, *match.span(group))):
            return found
    before = outline.line[: match.start()].rpartition(" ; ")[2]
    if rule in _PAIRS and _CARRIED.search(before):
        return _measures(outline, 0, match.start())[-1:]
    if rule == "by":
        gap = match["gap"]
        if _LESSER.search(gap):
            return []
        if not is_rival(match["word"]) or re.search(r"^ M of | (?:in|on|to|of) (?:[a-z]\S* )?M", gap):
            if found := _measures(outline, *match.span("gap")):
                return found
        kept = _TAIL.sub("", before)
        if kept.endswith("M ") and not gap.strip():
            return _measures(outline, 0, match.start())[-1:]
    if rule == "signed" and re.search(r"\bM(?: [a-z]+)? [(] $", before):
        return _measures(outline, 0, match.start())[-1:]
    return []


def _find_family(rule: str, match: re.Match[str], number: Quantity) -> str | None:
    """Return the family of what a match says, "" for a level, or None if it says no result."""
    if rule == "bracket" and (words := CHANGING.findall(match.string[: match.start()])):
        return find_family(words[-1])
    if rule in {"level", "level in"} and (more := GOES_ON.match(match.string, match.end())):
        return find_family(more["word"])
    if rule in {"level", "level in"} and not number.sign and (how := _find_change(match)):
        return how
    if rule in _LEVELS | _PAIRS:
        return "" if not number.sign or rule in _PAIRS else {"+": "up", "-": "down"}[number.sign]
    if rule != "signed":
        return find_family(match["word"])
    if not number.sign or not CHANGING.search(match.string) or match.string[match.end() :].startswith(" of "):
        return None
    return "up" if number.sign == "+" else "down"


def _find_change(match: re.Match[str]) -> str:
    """Return the family of the change that "N M" is after "outperforms X by a large margin, e.g.", or "" for a level."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if MARGIN.search(before):
        return "gain"
    words = CHANGING.findall(before) if after.startswith(" points") else []
    return find_family(words[-1]) if words else ""


def _is_setting(match: re.Match[str]) -> bool:
    """Return whether a number with a measure is the condition of an experiment, not its outcome."""
    before, after = match.string[: match.start()].rstrip(), match.string[match.end() :].lstrip()
    return bool(AT.search(before) or SETTING.match(after) or re.match(r"(?:and|or) (?:above|below|more|less)", after))


def _find_words(match: re.Match[str], family: str, outline: Outline) -> tuple[str, str]:
    """Return the words of what changes where no measure is named, and which way of it is better."""
    word = match.groupdict().get("word") or ""
    free = (match.groupdict().get("free") or match.groupdict().get("lead") or "").split()
    named = next((named for start, named in NAMED.items() if word.startswith(start)), None)
    if named and named[0] == "size" and free and free[-1].endswith(("size", "sizes", "hypervolume", "volume")):
        return " ".join(free), "none"
    if named:
        more = [one for one in free if one.endswith(("ing", "nce", "tion"))][:1] if match.re is PATTERNS["than"] else []
        return " ".join([*more, named[0]]), named[1]
    if lesser := _LESSER.search(match.groupdict().get("gap") or ""):
        start = match.start("gap") + lesser.start() + 1
        return f"{_measures(outline, start, start + 1)[0].text} {lesser[1]}", "lower"
    if match.re is PATTERNS["by"] and family in {"up", "down"} and match["gap"]:
        found = re.match(r" ((?:[a-z][^\s,;]*)(?: [a-z][^\s,;]*){0,3}?)(?= (?:of|in|on|for|over|from|by|to|with|w\.r\.t|D|X|,|[(])|$)", match["gap"])
        return (found[1], "none") if found else ("", "none")
    if free and free[0] in QUALITIES:
        return QUALITIES[free[0]], "higher"
    if len(free) > 1 and free[1] in QUALITIES:
        return f"{free[0]} {QUALITIES[free[1]]}", "higher"
    lead = (match.groupdict().get("lead") or "").strip()
    return (lead or " ".join(free), "none") if family in {"up", "down"} or lead else ("", "none")


def _find_unit(match: re.Match[str]) -> str:
    """Return the unit that a pattern has apart from the number."""
    if (match.groupdict().get("factor") or "").startswith("factor"):
        return "×"
    return "points" if " points" in match[0] else ""


def _is_plausible(rule: str, number: Quantity, unit: str, family: str, metric: Measured | str) -> bool:
    """Return whether a number can be what a pattern says."""
    if family:
        told = bool(metric) or bool(number.sign) or (unit in SHARES and family in {"gain", "loss"})
        return number.value != 0 and told and (unit in SHARES or bool(number.sign) or isinstance(metric, Measured))
    assert isinstance(metric, Measured)  # no level without
    counted = not unit and number.value.is_integer() and _COUNTED.search(metric.text)
    told = metric.level or (rule in _NAMING and metric.better == "higher")
    return told and unit != "×" and not counted


def _to_direction(better: str) -> Direction | None:
    """Return which way is better, if that is known."""
    return None if better == "none" else Direction(better)


def _find_direction(family: str, better: Direction | None) -> Direction | None:
    """Return which way a change goes."""
    if family == "gain":
        return better or Direction.HIGHER
    if family == "loss":
        return _OPPOSITE[better or Direction.HIGHER]
    return {"up": Direction.HIGHER, "down": Direction.LOWER}.get(family)
