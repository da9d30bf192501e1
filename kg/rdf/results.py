"""Results as nodes: a value of a metric, of which method, on which data set, and the sentence that says so.

Linked Papers With Code has an evaluation and the results in it; a node of ours is both, so that
its users' queries find it.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from kg.rdf.terms import describe, term, to_decimal, to_node, to_score, to_text
from kg.rdf.texts import Stretch, sentence_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.model import Result
    from kg.rdf.terms import Fact, Node, Value

__all__ = ["iter_paper_results", "iter_result_nodes"]


def iter_paper_results(results: Iterable[Result], *, base: str) -> Iterator[Fact]:
    """Yield that a paper reports its results."""
    for one in results:
        node = _result_node(one, base=base)
        yield "kg:hasResult", node
        yield "lpwcp:hasEvaluation", node


def iter_result_nodes(results: Iterable[Result], run: Value, *, base: str) -> Iterator[Node]:
    """Yield the nodes of results, each with its triples."""
    for one in results:
        yield describe(_result_node(one, base=base), _iter_facts(one, run, base=base))


def _result_node(one: Result, *, base: str) -> Value:
    """Return the node of a result; there is one for a number of a text."""
    place = one.evidence.offset + one.evidence.start
    return to_node(f"result:{one.paper.partition(':')[2]}-{one.evidence.section}-{place}", base)


def _iter_facts(one: Result, run: Value, *, base: str) -> Iterator[Fact]:
    """Yield what is said about a result."""
    node = _result_node(one, base=base)
    for name in ("kg:Result", "lpwcc:evaluation", "lpwcc:evaluationResult", "prov:Entity"):
        yield "rdf:type", term(name)
    yield "kg:kind", to_text(one.kind)
    yield "kg:value", _to_decimal(one.value)
    yield "lpwcp:metricValue", _to_decimal(one.value)
    yield "lpwcp:hasEvaluationResult", node
    ends = {"kg:metric": one.metric, "kg:dataset": one.dataset, "kg:method": one.method, "kg:baseline": one.baseline}
    ends |= {"lpwcp:hasDataset": one.dataset, "lpwcp:hasModel": one.method}
    yield from ((name, to_node(concept, base)) for name, concept in ends.items() if concept)
    texts = {"kg:metricText": one.metric_text, "lpwcp:metricName": one.metric_text, "kg:unit": one.unit}
    texts |= {"kg:direction": one.direction or "", "kg:better": one.better or ""}
    yield from ((name, to_text(text)) for name, text in texts.items() if text)
    if one.baseline_value is not None:
        yield "kg:baselineValue", _to_decimal(one.baseline_value)
    yield "kg:confidence", to_score(one.confidence)
    evidence = one.evidence
    stretch = Stretch(evidence.section, evidence.offset, evidence.offset + len(evidence.sentence))
    yield "kg:evidence", sentence_node(one.paper, stretch, base=base)
    yield "kg:evidenceMethod", to_text(evidence.method)
    yield "prov:wasDerivedFrom", to_node(one.paper, base)
    yield "prov:wasGeneratedBy", run


def _to_decimal(value: float) -> Value:
    """Return a number as it was read, without an exponent."""
    text = format(Decimal(repr(value)), "f")
    return to_decimal(text if "." in text else f"{text}.0")
