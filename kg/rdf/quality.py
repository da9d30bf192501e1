"""Measures of a graph's quality, in the Data Quality Vocabulary.

They are what the graph itself can tell. A confidence is a calibrated probability, so the mean of
confidences estimates which share of relations or mentions people would agree with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.rdf.terms import describe, ref, term, to_score, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph
    from kg.rdf.terms import Fact, Node

__all__ = ["iter_measures"]

_DIMENSIONS = "http://www.w3.org/2016/05/ldqd#"


@dataclass(frozen=True, slots=True)
class _Measure:
    """A measure, and what it comes to."""

    name: str
    label: str
    definition: str
    dimension: str
    value: float


def iter_measures(kg: KnowledgeGraph, root: str) -> Iterator[Node]:
    """Yield each measure and its value for the data set `root`; none where there is nothing to measure."""
    for one in _iter_values(kg):
        metric = ref(f"{root}/metric/{one.name}")
        facts: list[Fact] = [("rdf:type", term("dqv:Metric")), ("skos:prefLabel", to_text(one.label))]
        facts += [("skos:definition", to_text(one.definition)), ("dqv:expectedDataType", term("xsd:decimal"))]
        facts.append(("dqv:inDimension", ref(_DIMENSIONS + one.dimension)))
        yield describe(metric, facts)
        facts = [("rdf:type", term("dqv:QualityMeasurement")), ("dqv:computedOn", ref(root))]
        facts += [("dqv:isMeasurementOf", metric), ("dqv:value", to_score(one.value))]
        yield describe(ref(f"{root}/quality/{one.name}"), facts)


def _iter_values(kg: KnowledgeGraph) -> Iterator[_Measure]:
    """Yield the measures in order."""
    found = [one for one in kg.relations if one.subject in kg.papers and one.object in kg.concepts]
    if kg.report.read:
        kept = kg.report.kept / kg.report.read
        yield _Measure("kept", "records kept", "Share of the records read that are in the data", "completeness", kept)
    if papers := len(kg.papers):
        share = len({one.subject for one in found}) / papers
        text = "Share of papers in which a concept was found"
        yield _Measure("found", "papers with concepts", text, "completeness", share)
        share = sum(one.year is not None for one in kg.papers.values()) / papers
        yield _Measure("dated", "papers with a year", "Share of papers whose year is known", "completeness", share)
    if concepts := len(kg.concepts):
        share = len({one.concept for one in kg.matches}) / concepts
        text = "Share of concepts with a match in a vocabulary of others"
        yield _Measure("matched", "concepts matched", text, "interlinking", share)
    if found:
        mean = sum(one.score for one in found) / len(found)
        text = "Mean confidence of relations between papers and concepts"
        yield _Measure("relation-confidence", "confidence of relations", text, "semanticAccuracy", mean)
    total, count = _sum_scores(kg)
    if count:
        text = "Mean confidence that a mention means its concept"
        yield _Measure("mention-confidence", "confidence of mentions", text, "semanticAccuracy", total / count)


def _sum_scores(kg: KnowledgeGraph) -> tuple[float, int]:
    """Return the sum of the scores of mentions, and how many there are."""
    from kg.mentions import read_mentions

    total, count = 0.0, 0
    if kg.mentions.path.is_file():
        for batch in read_mentions(kg.mentions, columns=["score"]):
            scores = batch.column(0).to_pylist()
            total, count = total + sum(scores), count + len(scores)
    return total, count
