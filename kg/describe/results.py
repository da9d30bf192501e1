"""Results as lists for a person: a leaderboard for a data set, what was measured for a method, a metric or a paper."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from kg.describe.text import cite, quote, wrap
from kg.model import Direction, ResultKind
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph, Result

__all__ = ["describe_results"]


def describe_results(kg: KnowledgeGraph, node: str) -> Iterator[str]:
    """Yield the lines about the results of a paper or a concept, by metric.

    Values that were reached come first, the best of one unit at the top; then how far results
    are from baselines, the largest gains at the top. Where it isn't known which way a metric is
    better, values stand from high to low.
    """
    some = [one for one in kg.results if node in (one.paper, one.metric, one.dataset, one.method)]
    for kind, heading in ((ResultKind.LEVEL, "results, best first:"), (ResultKind.CHANGE, "gains and losses:")):
        found = sorted((one for one in some if one.kind is kind), key=lambda one: _order(kg, one))
        if found:
            yield from ("", heading)
        for metric, group in groupby(found, key=lambda one: _name_metric(kg, one)):
            if node not in {one.metric for one in found}:
                yield from wrap(metric, "  ")
            for one in group:
                yield from wrap(_tell(kg, one, node), "    ", "      ")
                yield from (f"  {line}" for line in quote(one.evidence))


def _order(kg: KnowledgeGraph, one: Result) -> tuple[str, str, float, str, int, int]:
    """Return a key that sorts results by metric and unit, best first, then by place."""
    low = one.better is Direction.LOWER if one.kind is ResultKind.LEVEL else one.is_gain is False
    size = one.value if one.kind is ResultKind.LEVEL else abs(one.value)
    place = one.paper, one.evidence.offset, one.evidence.start
    return fold_name(_name_metric(kg, one)), one.unit, size if low else -size, *place


def _name_metric(kg: KnowledgeGraph, one: Result) -> str:
    """Return what a metric is called: as the concept it is, else as the sentence has it."""
    return kg.concepts[one.metric].label if one.metric else one.metric_text or "no metric named"


def _tell(kg: KnowledgeGraph, one: Result, node: str) -> str:
    """Return a result in a line, without what is known from the node that it is shown with."""
    parts = [_tell_value(one)]
    if one.method and one.method != node:
        parts.append(f"by {kg.concepts[one.method].label}")
    if one.dataset and one.dataset != node:
        parts.append(f"on {kg.concepts[one.dataset].label}")
    if one.baseline:
        parts.append(f"against {kg.concepts[one.baseline].label}")
    if one.paper != node:
        parts.append(f"in {cite(kg.papers[one.paper])}")
    return " ".join(parts)


def _tell_value(one: Result) -> str:
    """Return a value with its unit and, where known, the one before.

    A factor has a word for its direction, any other change a sign.
    """
    if one.kind is ResultKind.CHANGE and one.unit == "×":
        return f"{one.value:g}× {one.direction}"
    before = f", from {one.baseline_value:g}" if one.baseline_value is not None else ""
    sign = "+" if one.kind is ResultKind.CHANGE else ""
    return f"{one.value:{sign}g} {one.unit}".rstrip() + before
