"""Results in the graph: what they are made of, how they are kept, written, shown and checked."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx
import pyshacl
import pytest
from rdflib import Graph, URIRef

import kg
from kg.build import rebuild
from kg.check import check
from kg.describe import describe
from kg.errors import GraphError
from kg.folder import load, write
from kg.model import Decision, DecisionKind, Direction, KnowledgeGraph, Result, ResultKind
from kg.network import to_network, write_json
from kg.rdf import to_rdf
from kg.store import read_store, write_store
from kg.vocab import PREFIXES, find_ontology

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def folder(measured_graph: KnowledgeGraph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a graph folder with results."""
    path = tmp_path_factory.mktemp("measured") / "graph"
    write(measured_graph, path)
    return path


def find_lines(text: str, heading: str) -> list[str]:
    """Return the lines of a description below a heading, without quotes."""
    block = text.partition(f"\n{heading}\n")[2].partition("\n\n")[0]
    return [line.strip() for line in block.splitlines() if "“" not in line and "”" not in line]


def test_results_have_the_concepts_that_sentences_name(measured_graph: KnowledgeGraph) -> None:
    found = [
        (one.paper, one.metric, one.value, one.unit, one.dataset, one.method, one.baseline)
        for one in measured_graph.results
    ]

    top1, imagenet, resnet = "concept:top1-accuracy", "concept:imagenet", "concept:resnet50"
    assert found == [
        ("paper:1", top1, 81.5, "%", imagenet, "concept:zetanet", ""),
        ("paper:1", "", 2.5, "×", "", "concept:zetanet", resnet),
        ("paper:2", top1, 76.1, "%", imagenet, resnet, ""),
        ("paper:3", top1, 1.2, "%", imagenet, "concept:quiltmix", resnet),
        ("paper:3", "concept:fid", 3.2, "", "concept:celeba", "concept:quiltmix", ""),
    ]


def test_the_evidence_marks_the_number(measured_graph: KnowledgeGraph) -> None:
    marked = [one.evidence.sentence[one.evidence.start : one.evidence.end] for one in measured_graph.results]

    assert marked == ["81.5%", "2.5×", "76.1%", "1.2%", "3.2"]
    for one in measured_graph.results:
        text = measured_graph.papers[one.paper].text(one.evidence.section)
        assert text[one.evidence.offset :].startswith(one.evidence.sentence)


def test_a_change_has_a_direction_and_says_whether_it_is_a_gain(measured_graph: KnowledgeGraph) -> None:
    level, faster, *_ = measured_graph.results

    assert (level.kind, level.direction, level.is_gain) == (ResultKind.LEVEL, None, None)
    assert (faster.kind, faster.direction, faster.is_gain) == (ResultKind.CHANGE, Direction.HIGHER, True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": float("nan")}, "is no number"),
        ({"confidence": 1.5}, r"confidence 1\.5"),
        ({"direction": Direction.HIGHER}, "a change has one, a level none"),
        ({"kind": ResultKind.CHANGE, "direction": Direction.LOWER}, "which its sign does not say"),
        ({"paper": "paper:2"}, "has its evidence in paper:1"),
    ],
)
def test_a_result_that_can_not_be_is_refused(
    measured_graph: KnowledgeGraph, change: dict[str, object], message: str
) -> None:
    with pytest.raises(GraphError, match=message):
        replace(measured_graph.results[0], **change)  # type: ignore[arg-type]


@pytest.mark.parametrize("end", ["metric", "dataset", "method", "baseline"])
def test_a_result_of_what_is_not_in_the_graph_is_refused(measured_graph: KnowledgeGraph, end: str) -> None:
    stray = replace(measured_graph.results[0], **{end: "concept:nowhere"})  # type: ignore[arg-type]

    with pytest.raises(GraphError, match="concept:nowhere"):
        replace(measured_graph, results=(stray,))


def test_results_are_read_back(measured_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_store(measured_graph, tmp_path)

    again = read_store(tmp_path, measured_graph.report)

    assert again.results == measured_graph.results


def test_a_store_of_a_graph_without_results_is_read(measured_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_store(measured_graph, tmp_path)
    for name in ("results", "measurements"):
        (tmp_path / f"{name}.parquet").unlink()

    assert read_store(tmp_path, measured_graph.report).results == ()


def test_results_survive_decisions_and_go_by_them(folder: Path) -> None:
    graph = load(folder)
    merged = rebuild(graph, [Decision(DecisionKind.SAME, "ZetaNet", "ResNet-50")])

    assert rebuild(graph, ()).results == graph.results
    assert {one.method for one in merged.results} & {"concept:zetanet", "concept:resnet50"} == {
        merged.results[0].method
    }
    assert merged.results[1].baseline == ""  # nothing is compared with itself


def test_the_order_of_papers_does_not_matter(measured_graph: KnowledgeGraph) -> None:
    papers = [replace(one, label="") for one in measured_graph.papers.values()]

    assert kg.build(papers[::-1]).results == measured_graph.results


def test_results_conform_to_the_shapes(measured_graph: KnowledgeGraph) -> None:
    shapes = Graph().parse(find_ontology() / "shapes.ttl", format="turtle")

    conforms, _, report = pyshacl.validate(to_rdf(measured_graph), shacl_graph=shapes)

    assert conforms, report


@pytest.mark.parametrize(
    "fault",
    [
        "DELETE { ?r kg:value ?v } WHERE { ?r kg:value ?v }",
        "DELETE { ?r kg:kind ?v } WHERE { ?r kg:kind ?v }",
        "DELETE { ?r kg:direction ?v } WHERE { ?r kg:direction ?v }",
        "INSERT { ?r kg:direction 'up' } WHERE { ?r a kg:Result }",
        "DELETE { ?r kg:evidence ?v } WHERE { ?r a kg:Result ; kg:evidence ?v }",
        "INSERT { ?r kg:dataset ?m } WHERE { ?r a kg:Result ; kg:method ?m }",
        "DELETE { ?r prov:wasDerivedFrom ?v } WHERE { ?r a kg:Result ; prov:wasDerivedFrom ?v }",
        "DELETE { ?r a kg:Result } WHERE { ?r a kg:Result }",
    ],
)
def test_results_that_are_broken_do_not_conform(measured_graph: KnowledgeGraph, fault: str) -> None:
    shapes = Graph().parse(find_ontology() / "shapes.ttl", format="turtle")
    graph = to_rdf(measured_graph)
    graph.update(fault, initNs={name: URIRef(iri) for name, iri in PREFIXES.items()})

    assert not pyshacl.validate(graph, shacl_graph=shapes)[0]


def test_the_results_of_a_data_set_are_a_query_away(measured_graph: KnowledgeGraph) -> None:
    rows = kg.query(
        measured_graph,
        """SELECT ?method ?value { ?r kg:dataset/skos:prefLabel "ImageNet" ; kg:kind "level" ; kg:value ?value ;
           kg:method/skos:prefLabel ?method } ORDER BY DESC(?value)""",
    )

    assert [(row["method"], float(str(row["value"]))) for row in rows] == [("ZetaNet", 81.5), ("ResNet-50", 76.1)]


def test_queries_for_linked_papers_with_code_find_results(measured_graph: KnowledgeGraph) -> None:
    rows = kg.query(
        measured_graph,
        """SELECT ?name (COUNT(*) AS ?count) { ?paper lpwcp:hasEvaluation ?e . ?e lpwcp:hasEvaluationResult ?r .
           ?r lpwcp:metricName ?name ; lpwcp:metricValue ?value } GROUP BY ?name ORDER BY ?name""",
    )

    assert {row["name"]: row["count"] for row in rows} == {"FID": 1, "speed": 1, "top-1 accuracy": 3}


def test_a_data_set_shows_its_results_best_first(measured_graph: KnowledgeGraph) -> None:
    text = describe(measured_graph, "concept:imagenet")

    assert find_lines(text, "results, best first:") == [
        "top-1 accuracy",
        "81.5 % by ZetaNet in Wider Is Enough (2026) [paper:1]",
        "76.1 % by ResNet-50 in Depth Revisited (2025) [paper:2]",
    ]
    assert find_lines(text, "gains and losses:") == [
        "top-1 accuracy",
        "+1.2 % by QuiltMix against ResNet-50 in Patches in Order (2026) [paper:3]",
    ]


def test_what_is_better_lower_stands_low_first(measured_graph: KnowledgeGraph) -> None:
    fid = measured_graph.results[-1]
    worse = replace(fid, value=9.9, evidence=replace(fid.evidence, start=0, end=2))

    text = describe(replace(measured_graph, results=(worse, fid)), "concept:celeba")

    assert [line[:3] for line in find_lines(text, "results, best first:")] == ["FID", "3.2", "9.9"]


def test_a_method_a_metric_and_a_paper_show_their_results(measured_graph: KnowledgeGraph) -> None:
    method, metric, paper = (describe(measured_graph, node) for node in ("concept:zetanet", "concept:fid", "paper:1"))

    assert "81.5 % on ImageNet in Wider Is Enough (2026) [paper:1]" in method
    assert "2.5× higher against ResNet-50 in Wider Is Enough (2026) [paper:1]" in method
    assert find_lines(metric, "results, best first:")[0].startswith("3.2 by QuiltMix on CelebA")
    assert "81.5 % by ZetaNet on ImageNet" in paper


def test_the_network_and_its_file_have_the_results(measured_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_json(measured_graph, tmp_path / "graph.json")

    network = to_network(measured_graph)
    again = nx.node_link_graph(json.loads((tmp_path / "graph.json").read_text(encoding="utf-8")), edges="edges")

    assert again.graph == network.graph
    first = network.graph["results"][0]
    assert (first["value"], first["unit"], first["dataset"]) == (81.5, "%", "concept:imagenet")
    assert first["sentence"][first["start"] : first["end"]] == "81.5%"
    assert "direction" not in first


def test_a_folder_with_results_is_whole(folder: Path) -> None:
    assert check(folder) == []


def test_a_result_whose_sentence_is_not_in_the_paper_is_found(measured_graph: KnowledgeGraph, tmp_path: Path) -> None:
    first, *rest = measured_graph.results
    moved = replace(first, evidence=replace(first.evidence, offset=0))
    write(replace(measured_graph, results=(moved, *rest, rest[-1])), tmp_path / "graph")

    findings = [str(one) for one in check(tmp_path / "graph")]

    assert any("is not what the abstract of paper:1 reads" in one for one in findings)
    assert any("is in the graph twice" in one for one in findings)


def test_show_lists_the_results_of_a_data_set(folder: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "kg", "show", str(folder), "ImageNet"], capture_output=True, text=True, check=True
    )

    assert "81.5 % by ZetaNet" in shown.stdout


def test_the_noun_is_exported() -> None:
    assert kg.Result is Result
