"""Tests of the NetworkX view and of the files for other graph programs."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import ExportError, GraphError
from kg.model import (
    Concept,
    ConceptType,
    Evidence,
    KnowledgeGraph,
    MentionFile,
    Paper,
    Predicate,
    Relation,
    Report,
    Section,
)
from kg.network import to_network, write_gexf, write_graphml, write_json

if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[Path], nx.Graph]
    Writer = Callable[[KnowledgeGraph, Path], None]

CASES = Path(__file__).parents[2] / "shared" / "cases" / "inputs"
RESERVED = {"id", "label", "pid", "start", "end", "type", "weight", "source", "target"}


def read_json(path: Path) -> nx.MultiDiGraph:
    """Return the network in a node-link file."""
    return nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")


FILES: dict[str, tuple[Writer, Reader]] = {
    "json": (write_json, read_json),
    "graphml": (write_graphml, lambda path: nx.read_graphml(path, force_multigraph=True)),
    "gexf": (write_gexf, nx.read_gexf),
}


def make_graph(*papers: Paper, label: str = "word embeddings") -> KnowledgeGraph:
    """Return a graph in which each paper with an abstract uses and mentions one method."""
    concept = Concept("concept:m", label, ConceptType.METHOD, papers=len(papers))
    relations = [
        Relation(one.id, predicate, concept.id, 0.5, (Evidence(one.id, Section.ABSTRACT, 0, 0, 1, label, "cue", 0.5),))
        for one in papers
        for predicate in (Predicate.MENTIONS, Predicate.USES_METHOD)
        if one.abstract
    ]
    by_id = {one.id: one for one in papers}
    return KnowledgeGraph(by_id, {concept.id: concept}, tuple(relations), MentionFile(Path("none")), Report())


def read_case(name: str) -> list[Paper]:
    """Return the papers of a case, of the fields that a paper has."""
    if not CASES.is_dir():
        pytest.skip(f"no cases in {CASES}")
    rows = [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").split("\n") if line]
    return [
        Paper(
            id=row["id"],
            title=row["title"],
            abstract=row["abstract"],
            year=int(row["year"]) if str(row.get("year")).isdigit() else None,
            venue=row.get("venue") or "",
            authors=tuple(row.get("authors", ())),
            doi=row.get("ids", {}).get("doi", ""),
        )
        for row in rows
    ]


def write_and_read(kg: KnowledgeGraph, form: str, folder: Path) -> nx.MultiDiGraph:
    """Return what NetworkX reads from the file in a format."""
    write, read = FILES[form]
    write(kg, folder / "graph")
    return nx.MultiDiGraph(read(folder / "graph"))


def name_edge(source: str, target: str, key: str, attributes: dict[str, object]) -> tuple[str, str, object]:
    """Return an edge with its predicate; ``read_gexf`` drops keys where no two edges are parallel."""
    return source, target, attributes.get("label", key)


def test_nodes_have_typed_attributes_and_none_for_what_is_unknown(small_graph: KnowledgeGraph) -> None:
    network = to_network(small_graph)

    assert network.nodes["paper:7"] == {
        "kind": "Paper",
        "label": "LoDA",
        "title": "LoDA",
        "abstract": "We propose LoDA, which extends low-rank adaptation (LoRA).",
        "year": 2026,
        "venue": "ICML",
        "authors": ["Zoë Lee", "O'Brien"],
        "url": "https://openreview.net/forum?id=UJJ",
    }
    assert network.nodes["paper:lonely"].keys() == {"kind", "label", "title"}
    assert network.nodes["concept:low rank adaptation"] == {
        "kind": "Concept",
        "type": "Method",
        "label": "low-rank adaptation",
        "alt_labels": ["LoRA"],
        "papers": 2,
        "first_year": 2026,
    }
    assert network.graph == {"papers": 3, "concepts": 5, "relations": 7, "program": "paperkg 0"}


def test_a_concept_has_the_terms_that_match_it(matched_graph: KnowledgeGraph) -> None:
    network = to_network(matched_graph)

    assert network.nodes["concept:imagenet"]["exact_match"] == ["https://example.org/v#imagenet"]
    assert "close_match" not in network.nodes["concept:imagenet"]
    assert network.nodes["concept:top 1 accuracy"]["close_match"] == ["https://example.org/v#accuracy"]
    assert "exact_match" not in network.nodes["concept:loda"]


@pytest.mark.parametrize("form", FILES)
def test_each_file_has_the_matches(matched_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    node = write_and_read(matched_graph, form, tmp_path).nodes["concept:imagenet"]

    assert node["exact_match"] in ("https://example.org/v#imagenet", ["https://example.org/v#imagenet"])


@pytest.mark.parametrize("form", FILES)
def test_a_file_without_matches_does_not_speak_of_them(small_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    FILES[form][0](small_graph, tmp_path / "graph")

    assert "_match" not in (tmp_path / "graph").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FILES)
def test_each_file_has_communities_centrality_and_first_years(
    placed_graph: KnowledgeGraph, form: str, tmp_path: Path
) -> None:
    network = write_and_read(placed_graph, form, tmp_path)

    paper, concept = network.nodes["paper:7"], network.nodes["concept:low rank adaptation"]
    assert (paper["community"], paper["community_name"]) == (1, "low-rank adaptation")
    assert (concept["community"], concept["first_year"]) == (1, 2026)
    assert "community" not in network.nodes["paper:lonely"]


def test_a_central_concept_says_how_central_it_is(placed_graph: KnowledgeGraph) -> None:
    network = to_network(replace(placed_graph, centrality={"concept:imagenet": 1.0}))

    assert network.nodes["concept:imagenet"]["centrality"] == 1.0
    assert "centrality" not in network.nodes["concept:loda"]


def test_edges_are_keyed_by_predicate_and_show_their_sentence(small_graph: KnowledgeGraph) -> None:
    edge = to_network(small_graph).edges["paper:7", "concept:low rank adaptation", "usesMethod"]

    (evidence,) = edge["evidence"]
    assert edge["score"] == 0.7
    assert evidence["sentence"][evidence["start"] : evidence["end"]] == "low-rank adaptation"
    assert evidence.keys() == {"paper", "section", "sentence", "start", "end", "method"}


def test_related_papers_say_through_which_concepts(small_graph: KnowledgeGraph) -> None:
    edge = to_network(small_graph).edges["paper:7", "paper:p<2>", "relatedTo"]

    assert edge["via"] == ["concept:low rank adaptation"]


def test_attributes_are_plain_values_that_any_writer_takes(small_graph: KnowledgeGraph) -> None:
    network = to_network(small_graph)

    values = [value for _, attributes in network.nodes(data=True) for value in attributes.values()]
    assert {type(value) for value in values} == {str, int, list}
    assert {type(key) for *_, key in network.edges(keys=True)} == {str}


def test_a_relation_that_is_twice_in_the_graph_is_refused(small_graph: KnowledgeGraph) -> None:
    twice = replace(small_graph, relations=(*small_graph.relations, small_graph.relations[0]))

    with pytest.raises(GraphError, match="paper:7 introduces concept:loda is in the graph twice"):
        to_network(twice)


@pytest.mark.parametrize("form", FILES)
def test_each_file_has_the_same_nodes_and_edges(small_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    network = to_network(small_graph)

    again = write_and_read(small_graph, form, tmp_path)

    assert set(again.nodes) == set(network.nodes)
    assert {name_edge(*edge) for edge in again.edges(keys=True, data=True)} == set(network.edges(keys=True))
    assert {node: again.nodes[node]["label"] for node in again} == dict(network.nodes(data="label"))


def test_node_link_json_is_the_network(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    again = write_and_read(small_graph, "json", tmp_path)

    network = to_network(small_graph)
    assert nx.utils.graphs_equal(again, network)
    assert (tmp_path / "graph").read_text(encoding="utf-8").startswith('{"directed": true, "multigraph": true, "graph"')


def test_an_empty_graph_can_be_read(tmp_path: Path) -> None:
    empty = KnowledgeGraph({}, {}, (), MentionFile(Path("none")), Report())

    assert [len(write_and_read(empty, form, tmp_path)) for form in FILES] == [0, 0, 0]


@pytest.mark.parametrize("form", FILES)
def test_order_in_the_graph_changes_no_byte(small_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    turned = replace(
        small_graph,
        papers=dict(reversed([*small_graph.papers.items()])),
        concepts=dict(reversed([*small_graph.concepts.items()])),
        relations=small_graph.relations[::-1],
    )

    FILES[form][0](small_graph, tmp_path / "one")
    FILES[form][0](turned, tmp_path / "two")

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("form", ["graphml", "gexf"])
def test_lists_and_missing_values_get_into_xml(form: str, tmp_path: Path) -> None:
    # Case GR1.
    again = write_and_read(make_graph(*read_case("gr1_attributes.jsonl")), form, tmp_path)

    assert again.nodes["paper:q1"]["authors"] == "Ana Lee | Bo Wu"
    assert again.nodes["paper:q1"]["year"] == 2016
    assert "venue" not in again.nodes["paper:q1"]
    assert "authors" not in again.nodes["paper:q2"]
    assert "year" not in again.nodes["paper:q2"]


def test_gexf_keeps_ids_types_and_years_apart_from_its_own_words(tmp_path: Path) -> None:
    # Case GR2.
    kg = make_graph(*read_case("gr2_reserved.jsonl"))
    network = to_network(kg)

    again = write_and_read(kg, "gexf", tmp_path)

    assert {"paper:7", "paper:007", "paper:7.0", "paper:lonely"} <= set(again.nodes)
    assert again.nodes["concept:m"]["concept_type"] == "Method"
    assert set(again.edges(keys=True)) == set(network.edges(keys=True))
    assert dict(again.nodes(data="year")) == dict(network.nodes(data="year"))
    assert again.degree["paper:lonely"] == 0


def test_gexf_names_clash_with_nothing_and_no_date_is_in_the_file(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_gexf(small_graph, tmp_path / "graph")

    tree = ElementTree.parse(tmp_path / "graph")
    lists = tree.findall(".//{http://gexf.net/1.3}attributes")
    names = [[one.attrib["title"] for one in group] for group in lists]
    assert not RESERVED & {name.casefold() for group in names for name in group}
    assert all(len({name.casefold() for name in group}) == len(group) for group in names)
    assert "date" not in (tmp_path / "graph").read_text(encoding="utf-8")


def test_gexf_edges_between_the_same_nodes_have_ids_of_their_own(tmp_path: Path) -> None:
    write_gexf(make_graph(Paper(id="a", abstract="x")), tmp_path / "graph")

    edges = ElementTree.parse(tmp_path / "graph").findall(".//{http://gexf.net/1.3}edge")
    assert [(edge.attrib["id"], edge.attrib["kind"]) for edge in edges] == [("e0", "mentions"), ("e1", "usesMethod")]


@pytest.mark.parametrize("form", ["graphml", "gexf"])
def test_control_characters_make_no_broken_xml(form: str, tmp_path: Path) -> None:
    # Case GR3. What a graph should not hold becomes U+FFFD; it is cleaned when papers are read.
    again = write_and_read(make_graph(*read_case("gr3_control_chars.jsonl")), form, tmp_path)

    assert again.nodes["paper:k1"]["title"] == "Attention\ufffdheads and \ufffdpruning\ufffd"
    assert again.nodes["paper:k2"]["title"] == "Tabs\tand\nnewlines stay readable"


@pytest.mark.parametrize("write", [write_graphml, write_gexf])
def test_an_id_that_xml_can_not_hold_is_named(write: Writer, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"id of node 'paper:a\\x01' holds '\\x01'"):
        write(make_graph(Paper(id="a\x01", title="A")), tmp_path / "graph")


def test_igraph_reads_the_graphml(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    igraph = pytest.importorskip("igraph")
    write_graphml(small_graph, tmp_path / "graph.graphml")

    graph = igraph.Graph.Read_GraphML(str(tmp_path / "graph.graphml"))

    assert graph.vs["label"] == [attributes["label"] for _, attributes in to_network(small_graph).nodes(data=True)]
    assert sorted(graph.es["key"]) == sorted(key for *_, key in to_network(small_graph).edges(keys=True))


TEXTS = st.text(min_size=1).filter(str.strip)


@settings(max_examples=60, deadline=None, database=None)
@given(title=TEXTS, label=TEXTS)
def test_any_text_comes_back_from_each_file(title: str, label: str) -> None:
    kg = make_graph(Paper(id="a", title=title, abstract=title), label=label)

    for form in FILES:
        with tempfile.TemporaryDirectory() as folder:
            again = write_and_read(kg, form, Path(folder))
        lost = {char for char in title + label if form != "json" and not is_xml(char)}
        table = str.maketrans(dict.fromkeys(lost, "\ufffd"))
        assert again.nodes["paper:a"]["title"] == title.translate(table)
        assert again.nodes["concept:m"]["label"] == label.translate(table)


def is_xml(char: str) -> bool:
    """Tell whether XML 1.0 allows a character."""
    return char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff" and not "\ud800" <= char <= "\udfff")
