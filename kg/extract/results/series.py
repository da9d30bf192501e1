"""Results that lean on one before them in the sentence: "by N on D and N on D", "N M, a gain of N"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.extract.results.reported import find_measured, find_numbers, with_family
from kg.model import ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kg.extract.results.outline import Outline
    from kg.extract.results.reported import Reported

__all__ = ["MORE", "read_on", "with_kind", "with_metric"]

MORE = "more"  # the rule of what goes on with another's words

_ON = r"(?:on|in|for|over|at|to)"
_AND = r"(?:, and|,|and)"
# "by N on D and N on D": the same once more.
_MORE = re.compile(
    rf"(?: (?:points?|M))?(?: {_ON} (?:(?!N )[a-zDXT]\S* ){{0,5}}?[a-zDXT]\S*)? {_AND} (?:by )?(?P<n>N)(?P<m> M)?"
    rf"(?= (?:{_ON}|[)])|$| [.,])"
)
# "reduces M by N and M by N": the same verb.
_AGAIN = re.compile(rf"(?: (?!N|M)\S+){{0,6}}? {_AND} (?P<m>M)(?: (?!N|M|by)\S+){{0,4}} by (?P<n>N)")
_JOINED = re.compile(rf" {_AND} ")
_SPOKEN = re.compile(
    r"\b(?:improv|boost|enhanc|increas|rais|advanc)\w* (?:D )?M\b|\bM (?:improvements?|gains?|improves|increases)\b"
)
_OR = re.compile(r" (?:or|[(]) ")
_LEVELS = frozenset({"level", "level in"})
_CHANGES = frozenset({"by", "gain", "noun", "of", *_LEVELS})


def read_on(one: Reported, outline: Outline) -> Iterator[Reported]:
    """Yield the result that goes on where one ends, if there is one."""
    again = _AGAIN.match(outline.line, one.end) if one.family and one.rule in {"by", MORE} else None
    match = again or _MORE.match(outline.line, one.end)
    if not match or one.rule in {"from", "versus"}:
        return
    number = find_numbers(outline, *match.span("n"))[0]
    metric = next(iter(find_measured(outline, *match.span("m"))), None) if match["m"] else one.metric
    unit = number.unit or ("" if again else one.unit)
    if not number.value or not (again or (unit == one.unit and metric is one.metric)):
        return
    more = replace(one, number=number, unit=unit, rival=(0, 0), rule=MORE, place=0, size=1)
    more = replace(more, start=match.start("m" if again else "n"), end=match.end())
    yield with_family(more, one.family, metric) if again and metric else more


def with_kind(one: Reported, before: Sequence[Reported], outline: Outline) -> Reported:
    """Return a level as a change where it goes on after one: "an improvement of N M and N M"."""
    if not before or one.rule not in _LEVELS or one.family or one.metric is None:
        return one
    last = before[-1]
    joined = _JOINED.fullmatch(outline.line[last.end : one.start])
    return with_family(one, last.family, one.metric) if joined and last.rule in _CHANGES else one


def with_metric(one: Reported, before: Sequence[Reported], outline: Outline) -> Reported:
    """Return a change with the metric that the sentence speaks of before, if it names none by itself."""
    if one.metric or one.words or one.unit == "×":
        return one
    levels = [other for other in before if other.kind is ResultKind.LEVEL and _is_like(other, one)]
    spoken = [other.metric for other in levels if other.metric]
    if match := _SPOKEN.search(outline.line, 0, one.start):
        spoken += find_measured(outline, *match.span())[:1]
    if before and before[-1].metric and _OR.fullmatch(outline.line[before[-1].end : one.start]):
        spoken = [before[-1].metric]  # "by N M or N"
    return with_family(one, one.family, spoken[0]) if len({metric.text for metric in spoken}) == 1 else one


def _is_like(level: Reported, change: Reported) -> bool:
    """Return whether a change can be one of the metric that a level is of."""
    return change.unit in {level.unit, "points", "percentage points"} or (level.unit, change.unit) == ("", "%")
