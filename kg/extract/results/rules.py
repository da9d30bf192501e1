"""Which numbers of a sentence are results, by patterns over its outline.

A pattern says what a number is: a level ("achieves N M"), or a change with its direction
("reduces M by N", "N more M", "M gain of N"). One that no pattern takes is no result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.extract.results.patterns import AT, CHANGING, GOES_ON, MARGIN, PATTERNS, SETTING, find_family, is_rival
from kg.extract.results.quantities import SHARES
from kg.extract.results.reported import Reported, find_direction, find_measured, find_numbers, to_direction
from kg.extract.results.series import read_on, with_kind, with_metric
from kg.extract.results.unlisted import LESSER, find_words
from kg.model import ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.extract.results.measures import Measured
    from kg.extract.results.outline import Outline
    from kg.extract.results.quantities import Quantity

__all__ = ["find_reported"]

_LEVELS = frozenset({"level of", "level in", "level", "bracket"})
_PAIRS = frozenset({"from", "versus"})
_NAMING = frozenset({"from", "level of", "bracket"})  # these name the metric before the number
_TAIL = re.compile(r"(?:(?:\bis|are|was|were|be|been|can|could|also|further)\s)*$")
# A measure that a pair of numbers is of, however far before them, and maybe with a pair before.
_OTHER = r"(?: (?!(?:N|M|and|,)(?: |$))\S+)*"
_CARRIED = re.compile(rf"\bM(?: improvements? [(] $|{_OTHER}(?: from N to N{_OTHER}(?: , and| and| ,))? $)")
_IN_GAP = re.compile(r"^ M of | (?:in|on|to|of) (?:[a-z]\S* )?M")
_COUNTED = re.compile(r"[a-z]+s$")
_NEAR = re.compile(rf"({CHANGING.pattern})(?: [^\s,;]+){{0,4}} $")
_BEING = re.compile(r"\bM(?: \S+)? (?:to be|is|are|was|were|being|becomes?) $")  # "M is N smaller"
_WITHIN = re.compile(r"\b(?:within|without|no|under) $")


def find_reported(outline: Outline) -> list[Reported]:
    """Return the results that an outline holds, in order of their numbers; no number is two."""
    taken: set[int] = set()
    found: list[Reported] = []
    for rule, pattern in PATTERNS.items():
        for match in pattern.finditer(outline.line):
            some = [one for one in _read(rule, match, outline) if one.number.start not in taken]
            found += some
            taken |= {one.number.start for one in some} | {one.baseline.start for one in some if one.baseline}
    for one in found:  # which grows
        more = [other for other in read_on(one, outline) if other.number.start not in taken]
        found += more
        taken |= {other.number.start for other in more}
    found.sort(key=lambda one: one.number.start)
    found = [with_kind(one, found[:at], outline) for at, one in enumerate(found)]
    return [with_metric(one, found[:at], outline) for at, one in enumerate(found)]


def _read(rule: str, match: re.Match[str], outline: Outline) -> Iterator[Reported]:
    """Yield the results that one match of a pattern says."""
    numbers = find_numbers(outline, *match.span("n"))
    metrics = _find_metrics(rule, match, outline)
    metrics = metrics[:1] if len(numbers) == 1 else metrics
    family = _find_family(rule, match, numbers[0])
    if family is None or len(metrics) not in {0, 1, len(numbers)} or _is_aside(rule, match, metrics):
        return
    words, better = ("", "none") if metrics else find_words(rule, match, family, outline)
    olds = find_numbers(outline, *match.span("old")) if rule in _PAIRS else []
    for place, number in enumerate(numbers):
        metric = metrics[place if len(metrics) > 1 else 0] if metrics else None
        unit = number.unit or next((one.unit for one in numbers[place:] if one.unit), "") or _find_unit(match)
        if not _is_plausible(rule, number, unit, family, metric or words):
            return
        toward = to_direction(metric.better if metric else better)
        goes = find_direction(family, toward)
        kind = ResultKind.CHANGE if family else ResultKind.LEVEL
        rival = match.span("gap") if rule == "by" and is_rival(match["word"]) else (0, 0)
        yield Reported(
            number, unit, metric, words, kind, goes, toward or (goes if family == "gain" else None),
            next(iter(olds), None), rule, family, *match.span(), rival, place, len(numbers),
        )  # fmt: skip


def _find_metrics(rule: str, match: re.Match[str], outline: Outline) -> list[Measured]:
    """Return the measures of a match: after the number, or where the pattern or the verb has them."""
    for group in ("m", "m2", "m3"):
        if match.groupdict().get(group) and (found := find_measured(outline, *match.span(group))):
            return found
    before = outline.line[: match.start()].rpartition(" ; ")[2]
    if rule == "by" and not LESSER.search(match["gap"]):
        found = find_measured(outline, *match.span("gap"))
        if found and (not is_rival(match["word"]) or _IN_GAP.search(match["gap"])):
            return found
    carried = {
        "by": rule == "by" and not match["gap"].strip() and _TAIL.sub("", before).endswith("M "),
        "than": rule == "than" and _BEING.search(before),
        "signed": re.search(r"\bM (?:(?:[a-z]+ )?[(] )?$", before),
    }.get(rule, rule in _PAIRS and _CARRIED.search(before))
    return find_measured(outline, 0, match.start())[-1:] if carried else []


def _find_family(rule: str, match: re.Match[str], number: Quantity) -> str | None:
    """Return the family of what a match says, "" for a level, or None if it says no result."""
    signed = {"+": "up", "-": "down"}.get(number.sign)
    if rule == "signed":
        told = CHANGING.search(match.string) and not match.string[match.end() :].startswith(" of ")
        return signed if told else None
    if rule in _LEVELS:
        below = number.sign == "-" and not CHANGING.search(match.string)  # a value below zero
        return (not below and signed) or _find_change(rule, match)
    if rule in _PAIRS:
        return ""
    return find_family(match["word"])


def _find_change(rule: str, match: re.Match[str]) -> str:
    """Return the family of the change that a value is after all, or "" for a level."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    if rule == "bracket":  # "improves M (N)"
        near = _NEAR.search(before)
        return find_family(near[1]) if near and not is_rival(near[1]) else ""
    if rule == "level of":
        return ""
    if more := GOES_ON.match(match.string, match.end()):
        return find_family(more["word"])
    if MARGIN.search(before):
        return "gain"
    words = CHANGING.findall(before) if after.startswith(" points") else []
    return find_family(words[-1]) if words else ""


def _is_aside(rule: str, match: re.Match[str], metrics: list[Measured]) -> bool:
    """Return whether a match says no outcome: no measure of a value, or a condition of an experiment."""
    before, after = match.string[: match.start()], match.string[match.end() :].lstrip()
    if rule in _LEVELS | _PAIRS and not metrics:
        return True
    if rule in _LEVELS:
        share = metrics[0].better == "lower" and after.startswith("of ")  # "uses 3 % runtime of X"
        return share or bool(AT.search(before.rstrip()) or SETTING.match(after))
    return rule in {"gain", "of"} and bool(_WITHIN.search(before))


def _find_unit(match: re.Match[str]) -> str:
    """Return the unit that a pattern has apart from the number."""
    if (match.groupdict().get("factor") or "").startswith("factor"):
        return "×"
    return "points" if " points" in match[0] else ""


def _is_plausible(rule: str, number: Quantity, unit: str, family: str, metric: Measured | str) -> bool:
    """Return whether a number can be what a pattern says."""
    if family:
        told = bool(metric) or bool(number.sign) or (unit in SHARES and family in {"gain", "loss"})
        return number.value != 0 and told and (unit in SHARES or bool(number.sign) or not isinstance(metric, str))
    if isinstance(metric, str) or unit == "×":
        return False
    whole = not unit and number.value.is_integer()
    counted = whole and (metric.better == "none" or _COUNTED.search(metric.text))
    return not counted and (metric.level or (rule in _NAMING and metric.better == "higher"))
