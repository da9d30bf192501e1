"""Results: values of metrics that papers report, in one sentence and in the graph."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.model.terms import Direction, ResultKind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from kg.model.concepts import Evidence

__all__ = ["Measurement", "Result", "check_results"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """A result as one sentence reports it; places count in characters of its passage, and 0 to 0 is none.

    `own` says that the method is what the paper presents, called "we", "it" or "our method".
    """

    metric: str  # its words; "" where the sentence names none
    value: float
    unit: str
    kind: ResultKind
    direction: Direction | None
    better: Direction | None
    baseline_value: float | None
    start: int  # of the number
    end: int
    metric_start: int = 0
    metric_end: int = 0
    dataset_start: int = 0
    dataset_end: int = 0
    method_start: int = 0
    method_end: int = 0
    baseline_start: int = 0
    baseline_end: int = 0
    own: bool = False
    score: float = 1.0
    cue: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A value of a metric that a paper reports; what is not known is "" or None.

    A level is the value that was reached. A change is how far it is from a baseline: negative
    where it is lower, but for factors ("×"), whose direction alone says so. Of a range, and
    after "up to", the value is the upper end. ``evidence.sentence[evidence.start:evidence.end]``
    is the number as it is written.
    """

    paper: str  # node id
    metric: str  # node id, or "" where its words name no concept
    metric_text: str  # the words, such as "top-1 accuracy"; "" where the sentence names none
    value: float
    unit: str  # "%", "percentage points", "points", "×", another unit, or ""
    kind: ResultKind
    direction: Direction | None  # which way a change goes
    better: Direction | None  # which way the metric is better
    baseline_value: float | None
    dataset: str  # node ids
    method: str
    baseline: str
    confidence: float
    evidence: Evidence

    def __post_init__(self) -> None:
        what = f"result {self.value!r} {self.unit} of {self.paper}"
        if not isfinite(self.value):
            raise GraphError(f"{what} is no number")
        if not 0 <= self.confidence <= 1:
            raise GraphError(f"confidence {self.confidence!r} of {what} is not in [0, 1]")
        if (self.kind is ResultKind.CHANGE) != (self.direction is not None):
            raise GraphError(
                f"{what} is a {self.kind} with direction {self.direction!r}; a change has one, a level none"
            )
        if (
            self.kind is ResultKind.CHANGE
            and self.unit != "×"
            and (self.value < 0) != (self.direction is Direction.LOWER)
        ):
            raise GraphError(f"{what} goes {self.direction}, which its sign does not say")
        if self.evidence.paper != self.paper:
            raise GraphError(f"{what} has its evidence in {self.evidence.paper}")

    @property
    def is_gain(self) -> bool | None:
        """Return whether a change is for the better, where that is known."""
        if self.direction is None or self.better is None:
            return None
        return self.direction is self.better


def check_results(results: Iterable[Result], papers: Container[str], concepts: Container[str]) -> None:
    """Refuse results of papers, metrics, data sets or methods that are not in the graph."""
    for one in results:
        ends = (node for node in (one.metric, one.dataset, one.method, one.baseline) if node and node not in concepts)
        missing = one.paper if one.paper not in papers else next(ends, None)
        if missing:
            raise GraphError(f"result {one.value!r} {one.unit} ends at {missing!r}, which is not in the graph")
