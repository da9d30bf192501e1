"""A number of a sentence that is a result, while its sentence is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kg.extract.results.measures import Measured
from kg.extract.results.quantities import Quantity
from kg.model import Direction, ResultKind

if TYPE_CHECKING:
    from kg.extract.results.outline import Outline

__all__ = ["Reported", "find_direction", "find_measured", "find_numbers", "to_direction", "with_family"]

_OPPOSITE = {Direction.HIGHER: Direction.LOWER, Direction.LOWER: Direction.HIGHER}


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
    rule: str  # the pattern's name
    family: str  # "up", "down", "gain" or "loss"; "" for a level
    start: int  # of the pattern in the outline
    end: int
    rival: tuple[int, int]  # where in the outline stands what is outdone; 0 to 0 is nowhere
    place: int  # which number of a list it is
    size: int  # of that list


def find_direction(family: str, better: Direction | None) -> Direction | None:
    """Return which way a change of a family goes, if `better` is which way is better; None for a level."""
    if family == "gain":
        return better or Direction.HIGHER
    if family == "loss":
        return _OPPOSITE[better or Direction.HIGHER]
    return {"up": Direction.HIGHER, "down": Direction.LOWER}.get(family)


def to_direction(better: str) -> Direction | None:
    """Return which way is better, if that is known."""
    return None if better == "none" else Direction(better)


def with_family(one: Reported, family: str, metric: Measured) -> Reported:
    """Return a result as one of a metric that goes the way of a family."""
    better = to_direction(metric.better)
    goes = find_direction(family, better)
    kind = ResultKind.CHANGE if family else ResultKind.LEVEL
    better = better or (goes if family == "gain" else None)
    return replace(one, family=family, metric=metric, kind=kind, direction=goes, better=better)


def find_numbers(outline: Outline, start: int, end: int) -> list[Quantity]:
    """Return the numbers in a stretch of an outline, in order."""
    return [one for one in outline.find(start, end) if isinstance(one, Quantity)]


def find_measured(outline: Outline, start: int, end: int) -> list[Measured]:
    """Return the measures in a stretch of an outline, in order."""
    return [one for one in outline.find(start, end) if isinstance(one, Measured)]
