"""Tests that what an export says comes back from it, by the programs that read it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rdflib import RDF, SKOS

from kg.errors import ExportError
from kg.export import FORMATS, Choice, export
from kg.model import Concept, ConceptType, KnowledgeGraph, MentionFile, Paper, Predicate, Relation, Report
from kg.network import to_network
from kg.rdf import Layer
from kg.rdf.layers import find_address
from kg.vocab import BASE
from tests.conftest import LODA, SPARSE

if TYPE_CHECKING:
    from collections.abc import Mapping

RDF_FORMATS = {
    "turtle": (ox.RdfFormat.TURTLE, "turtle"),
    "ntriples": (ox.RdfFormat.N_TRIPLES, "nt"),
    "jsonld": (ox.RdfFormat.JSON_LD, "json-ld"),
    "rdfxml": (ox.RdfFormat.RDF_XML, "xml"),
    "trig": (ox.RdfFormat.TRIG, "turtle"),
}
LAYERS = (Layer.CONCEPTS, Layer.STATEMENTS, Layer.MENTIONS)


@pytest.fixture
def full_graph(placed_graph: KnowledgeGraph, matched_graph: KnowledgeGraph) -> KnowledgeGraph:
    """Return a graph with communities, matches and relations between concepts."""
    evidence = placed_graph.relations[0].evidence
    between = (
        Relation("concept:loda", Predicate.BROADER, "concept:low rank adaptation", 0.9, evidence),
        Relation("concept:loda", Predicate.EVALUATED_ON, "concept:imagenet", 0.6, evidence),
    )
    relations = (*between, *placed_graph.relations)
    return replace(placed_graph, relations=relations, matches=matched_graph.matches)


def write(kg: KnowledgeGraph, form: str, **choices: Any) -> bytes:
    """Return what an export writes to a stream."""
    stream = io.BytesIO()
    export(kg, form, stream, choice=Choice(**choices))
    return stream.getvalue()


def read_rows(text: str) -> list[Mapping[str, str]]:
    """Return the rows of a table by heading."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def read_zip(content: bytes) -> dict[str, list[Mapping[str, str]]]:
    """Return the tables in a zip file by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: read_rows(packed.read(name).decode("utf-8")) for name in packed.namelist()}


def to_edges(kg: KnowledgeGraph) -> set[tuple[str, str, str]]:
    """Return the relations of a graph."""
    return {(one.subject, one.predicate.value, one.object) for one in kg.relations}


# RDF


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")  # its own parsers use what it deprecates
@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("form", RDF_FORMATS)
def test_layers_together_are_the_layers_each_triple_once(full_graph: KnowledgeGraph, form: str, texts: bool) -> None:
    ours, theirs = RDF_FORMATS[form]
    parts = [set(ox.parse(write(full_graph, form, layers=(one,), texts=texts), format=ours)) for one in LAYERS]
    content = write(full_graph, form, layers=LAYERS, texts=texts)

    whole = list(ox.parse(content, format=ours))

    assert set(whole) == set.union(*parts)
    assert len(whole) == len(set(whole))
    assert set(ox.parse(write(full_graph, form, texts=texts), format=ours)) == parts[0] | parts[1]
    assert not parts[0] & parts[1]
    assert len(rdflib.Graph().parse(data=content, format=theirs)) == len(whole)


def test_the_order_of_layers_does_not_show(full_graph: KnowledgeGraph) -> None:
    assert write(full_graph, "turtle", layers=LAYERS) == write(full_graph, "turtle", layers=(*LAYERS[::-1], *LAYERS))
    assert write(full_graph, "turtle", layers=(Layer.GRAPH, Layer.CONCEPTS)) == write(full_graph, "turtle")


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")
def test_jsonld_is_read_without_a_network(full_graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    # Case RD5.
    def refuse(*_: object) -> None:
        pytest.fail("a connection was opened")

    content, turtle = write(full_graph, "jsonld"), write(full_graph, "turtle")
    monkeypatch.setattr(socket.socket, "connect", refuse)

    graph = rdflib.Graph().parse(data=content, format="json-ld")

    assert isinstance(json.loads(content)["@context"], dict)
    assert set(graph) == set(rdflib.Graph().parse(data=turtle, format="turtle"))


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"csv"}))
def test_without_texts_no_sentence_of_an_abstract_is_left(full_graph: KnowledgeGraph, form: str) -> None:
    layers = LAYERS if form in RDF_FORMATS else ()
    content = write(full_graph, form, texts=False, layers=layers)
    if form == "neo4j":
        content = json.dumps(read_zip(content), ensure_ascii=False).encode()

    for sentence in (LODA, SPARSE):
        for length in (20, 10):
            assert sentence[:length].encode() not in content
    assert form in {"sssom", "void"} or b"LoDA" in content


def test_without_texts_tables_have_no_sentence(full_graph: KnowledgeGraph, tmp_path: Path) -> None:
    export(full_graph, "csv", tmp_path / "tables", choice=Choice(texts=False))

    assert b"We propose" not in b"".join(path.read_bytes() for path in (tmp_path / "tables").iterdir())


def test_without_texts_offsets_and_addresses_are_left(full_graph: KnowledgeGraph) -> None:
    graph = rdflib.Graph().parse(data=write(full_graph, "turtle", texts=False, layers=LAYERS), format="turtle")
    query = """SELECT ?address ?source ?begin ?end { ?s a nif:Sentence ; nif:referenceContext ?c ;
        dcterms:source ?source ;
        nif:beginIndex ?begin ; nif:endIndex ?end . ?c nif:contextStringRef ?address } ORDER BY ?address"""

    rows = [tuple(map(str, row)) for row in graph.query(query)]  # type: ignore[arg-type]

    doi, url = "https://doi.org/10.1000/a%3Cb%3E(c)", "https://openreview.net/forum?id=UJJ"
    assert rows == [(doi, doi, "0", str(len(SPARSE))), (url, url, "0", str(len(LODA)))]


def test_without_texts_evidence_in_json_says_where_it_is(full_graph: KnowledgeGraph) -> None:
    document = json.loads(write(full_graph, "json", texts=False))

    assert not [node for node in document["nodes"] if "abstract" in node]
    one = next(edge for edge in document["edges"] if edge["key"] == "introduces")["evidence"][0]
    place = (one["offset"], one["offset"] + one["length"])
    assert full_graph.papers[one["paper"]].abstract[slice(*place)] == LODA
    assert LODA[one["start"] : one["end"]] == "LoDA"


@settings(max_examples=80, deadline=None, database=None)
@given(url=st.text(max_size=30), doi=st.text(max_size=20))
@example("##", "")
def test_any_address_is_an_iri_that_both_libraries_read(url: str, doi: str) -> None:
    paper = Paper(id="7", title="T", url=f"https://example.org/{url}" if url else "", doi=doi)

    address = find_address(paper, base=BASE)

    assert re.fullmatch(r"https://(?:[!#$&'()*+,\-./0-9:;=?@A-Z_a-z~]|%[0-9A-Fa-f]{2})+", address)
    line = f"<{address}> <{address}> <{address}> .".encode()
    assert len([*ox.parse(line, format=ox.RdfFormat.N_TRIPLES)]) == 1


# Thesaurus, mappings, description


def test_the_thesaurus_is_skos_alone_and_whole(full_graph: KnowledgeGraph) -> None:
    graph = rdflib.Graph().parse(data=write(full_graph, "skos", language="en"), format="turtle")

    own = {str(node) for triple in graph for node in triple if str(node).startswith(f"{BASE}ontology")}
    assert own == set()
    assert {str(one) for one in graph.predicates()} - {str(RDF.type), "http://purl.org/dc/terms/title"} == {
        str(SKOS[name])
        for name in ("prefLabel", "altLabel", "inScheme", "topConceptOf", "hasTopConcept", "broader", "narrower",
                     "member", "exactMatch", "closeMatch")
    }  # fmt: skip
    assert {str(one) for one in graph.objects(predicate=RDF.type)} == {
        str(SKOS[name]) for name in ("Concept", "ConceptScheme", "Collection")
    }
    assert set(graph.subject_objects(SKOS.broader)) == {(b, a) for a, b in graph.subject_objects(SKOS.narrower)}
    assert set(graph.subject_objects(SKOS.topConceptOf)) == {
        (b, a) for a, b in graph.subject_objects(SKOS.hasTopConcept)
    }
    assert len(set(graph.subjects(SKOS.inScheme))) == len(full_graph.concepts)
    tops, lower = set(graph.subjects(SKOS.topConceptOf)), set(graph.subjects(SKOS.broader))
    assert (len(tops), len(lower), tops & lower) == (4, 1, set())
    assert {one.language for one in graph.objects(predicate=SKOS.prefLabel) if isinstance(one, rdflib.Literal)} == {
        "en"
    }
    assert set(graph.objects(predicate=SKOS.member)) == set(graph.subjects(RDF.type, SKOS.Concept))


@pytest.mark.parametrize("language", ["english language", "en_", "@", "e\n"])
def test_a_language_that_is_no_tag_is_refused(small_graph: KnowledgeGraph, language: str) -> None:
    with pytest.raises(ExportError, match="is no tag of BCP 47"):
        write(small_graph, "skos", language=language)


def test_the_mappings_are_a_table(full_graph: KnowledgeGraph) -> None:
    lines = write(full_graph, "sssom").decode("utf-8").splitlines()

    rows = [*csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")]
    assert {row["predicate_id"] for row in rows} == {"skos:exactMatch", "skos:closeMatch"}
    assert len(rows) == len(full_graph.matches)


def test_the_description_counts_what_is_there(full_graph: KnowledgeGraph) -> None:
    graph = rdflib.Graph().parse(data=write(full_graph, "void"), format="turtle")
    void, dqv = rdflib.Namespace("http://rdfs.org/ns/void#"), rdflib.Namespace("http://www.w3.org/ns/dqv#")
    root = rdflib.URIRef(f"{BASE}dataset")
    triples = [one.triple for one in ox.parse(write(full_graph, "turtle"), format=ox.RdfFormat.TURTLE)]
    layers = {one: len(write(full_graph, "ntriples", layers=(one,)).splitlines()) for one in LAYERS}

    def count(node: Any, predicate: Any) -> int:
        return int(str(graph.value(node, predicate)))

    assert count(root, void.triples) == len(triples) == layers[Layer.CONCEPTS] + layers[Layer.STATEMENTS]
    assert count(root, void.entities) == len({one.subject for one in triples})
    for layer, number in layers.items():
        assert (root, void.subset, root + f"/{layer}") in graph
        assert count(root + f"/{layer}", void.triples) == number
    used = {
        str(graph.value(one, void.property)): count(one, void.triples)
        for one in graph.objects(root, void.propertyPartition)
    }
    assert used == {one: sum(t.predicate.value == one for t in triples) for one in {t.predicate.value for t in triples}}
    kinds = {str(graph.value(one, void["class"])) for one in graph.objects(root, void.classPartition)}
    assert kinds == {one.object.value for one in triples if one.predicate.value == str(RDF.type)}
    values = {str(graph.value(one, dqv.isMeasurementOf)).rpartition("/")[2]: str(graph.value(one, dqv.value))
              for one in graph.subjects(RDF.type, dqv.QualityMeasurement)}  # fmt: skip
    assert values["kept"] == "1.0"
    assert values["matched"] == "0.6"
    assert 0 < float(values["relation-confidence"]) < 1
    assert values.keys() >= {"found", "dated", "mention-confidence"}


def test_a_licence_is_said_only_if_it_is_told(small_graph: KnowledgeGraph) -> None:
    licence = "https://creativecommons.org/licenses/by/4.0/"

    assert b"dcterms:license" not in write(small_graph, "void")
    assert b"is not known" in write(small_graph, "void")
    assert f"dcterms:license <{licence}>".encode() in write(small_graph, "void", licence=licence)
    with pytest.raises(ExportError, match=r"licence 'CC BY' is no IRI, such as"):
        write(small_graph, "void", licence="CC BY")


@pytest.mark.parametrize(
    ("form", "choices", "message"),
    [
        ("gexf", {"layers": (Layer.MENTIONS,)}, "format 'gexf' takes no layers; turtle, ntriples, .* do"),
        ("json", {"language": "en"}, "takes no language; skos do"),
        ("turtle", {"licence": "https://example.org/"}, "takes no licence; void do"),
    ],
)
def test_a_choice_that_a_format_does_not_leave_is_refused(
    small_graph: KnowledgeGraph, form: str, choices: Any, message: str
) -> None:
    with pytest.raises(ExportError, match=message):
        write(small_graph, form, **choices)


# Graph programs


def test_networkx_reads_the_cytoscape_file(full_graph: KnowledgeGraph) -> None:
    network, expected = nx.cytoscape_graph(json.loads(write(full_graph, "cytoscape"))), to_network(full_graph)

    assert isinstance(network, nx.MultiDiGraph)
    assert {(a, key, b) for a, b, key in network.edges(keys=True)} == to_edges(full_graph)
    for node, attributes in expected.nodes(data=True):
        assert attributes.items() <= network.nodes[node].items()
    edge = network.edges["paper:7", "concept:loda", "introduces"]
    assert (edge["interaction"], edge["evidence"], edge["support"]) == ("introduces", LODA, 1)


def test_cytoscape_elements_have_ids_of_their_own_and_plain_values(full_graph: KnowledgeGraph) -> None:
    elements = json.loads(write(full_graph, "cytoscape"))["elements"]
    every = [one["data"] for one in (*elements["nodes"], *elements["edges"])]

    assert len({one["id"] for one in every}) == len(every)
    for one in every:
        for value in one.values():
            assert isinstance(value, str | int | float) or all(isinstance(part, str) for part in value)


def test_vosviewer_has_one_link_for_two_nodes_and_no_markup_of_ours(full_graph: KnowledgeGraph) -> None:
    document = json.loads(write(full_graph, "vosviewer"))
    items = {one["id"]: one for one in document["network"]["items"]}
    links = document["network"]["links"]

    pairs = {frozenset((one.subject, one.object)) for one in full_graph.relations}
    assert {frozenset((one["source_id"], one["target_id"])) for one in links} == pairs
    assert len(links) == len(pairs)
    assert items.keys() == {*full_graph.papers, *full_graph.concepts}
    one = next(link for link in links if {link["source_id"], link["target_id"]} == {"paper:7", "concept:loda"})
    assert (one["strength"], one["description"]) == (0.9, "paper:7 introduces concept:loda")
    assert "&lt;b&gt;tests&lt;/b&gt; &amp; &lt;/script&gt;" in items["paper:p<2>"]["description"]
    clusters = {one["cluster"] for one in document["network"]["clusters"]}
    assert {item["cluster"] for item in items.values() if "cluster" in item} == clusters == {1}
    assert items["paper:7"]["scores"]["Year"] == 2026
    assert items["concept:low rank adaptation"]["weights"]["Papers"] == 2


def test_neo4j_reads_typed_headings_arrays_and_every_node(full_graph: KnowledgeGraph, tmp_path: Path) -> None:
    export(full_graph, "neo4j", tmp_path / "tables")
    export(full_graph, "neo4j", tmp_path / "tables.zip")

    tables = read_zip((tmp_path / "tables.zip").read_bytes())
    folder = {path.name: read_rows(path.read_text(encoding="utf-8")) for path in (tmp_path / "tables").iterdir()}
    assert tables == folder
    papers, concepts = ({row["id:ID"]: row for row in tables[name]} for name in ("papers.csv", "concepts.csv"))
    assert (papers.keys(), concepts.keys()) == (full_graph.papers.keys(), full_graph.concepts.keys())
    assert papers["paper:7"]["authors:string[]"] == "Zoë Lee;O'Brien"
    assert papers["paper:7"]["year:int"] == "2026"
    assert papers["paper:lonely"]["year:int"] == ""
    assert concepts["concept:imagenet"][":LABEL"] == "Concept;Dataset"
    assert concepts["concept:imagenet"]["exact_match:string[]"] == "https://example.org/v#imagenet"
    ends = {(row[":START_ID"], row[":TYPE"], row[":END_ID"]) for row in tables["relations.csv"]}
    assert ends == to_edges(full_graph)


def test_a_zip_file_is_the_same_each_time_and_what_a_stream_gets(full_graph: KnowledgeGraph, tmp_path: Path) -> None:
    export(full_graph, "neo4j", tmp_path / "tables.zip")

    assert write(full_graph, "neo4j") == (tmp_path / "tables.zip").read_bytes()


@settings(max_examples=60, deadline=None, database=None)
@given(label=st.text(min_size=1).filter(str.strip), other=st.text(min_size=1).filter(str.strip))
def test_any_label_comes_back_from_every_format_with_labels(label: str, other: str) -> None:
    concept = Concept("concept:m", label, ConceptType.METHOD, (other,))
    kg = KnowledgeGraph({}, {concept.id: concept}, (), MentionFile(Path("none")), Report())
    whole, odd = "\ufffd", "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in label)

    node = json.loads(write(kg, "cytoscape"))["elements"]["nodes"][0]["data"]
    (item,) = json.loads(write(kg, "vosviewer"))["network"]["items"]
    (row,) = read_zip(write(kg, "neo4j"))["concepts.csv"]
    labels = {one.object.value for one in ox.parse(write(kg, "skos"), format=ox.RdfFormat.TURTLE)
              if one.predicate.value == str(SKOS.prefLabel) and one.subject.value.endswith("/m")}  # fmt: skip
    assert {str(one["label"]).encode("utf-8", "replace").decode() for one in (node, item)} == {
        label.encode("utf-8", "replace").decode()
    }
    assert row["label"] == re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", label.encode("utf-8", "replace").decode())
    assert labels == {re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", whole, odd)}
    with tempfile.TemporaryDirectory() as folder:
        export(kg, "csv", Path(folder))
        (row,) = read_rows((Path(folder) / "nodes.csv").read_text(encoding="utf-8"))
    assert not row["label"].lstrip().startswith(("=", "+", "-", "@"))


def test_hash_seeds_change_no_byte_of_any_format(tmp_path: Path) -> None:
    # Case RB2.
    root = Path(__file__).parents[1]
    code = (
        "import sys; from pathlib import Path; from kg.export import FORMATS, export; from kg.folder import load\n"
        "graph = load(sys.argv[1])\n"
        "for form in FORMATS: export(graph, form, Path(sys.argv[2]) / form)"
    )
    for seed in ("0", "1", "2"):
        (tmp_path / seed).mkdir()
        variables = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code, str(root / "exports" / "icml2026"), str(tmp_path / seed)]
        subprocess.run(command, cwd=tmp_path / seed, env=variables, check=True)

    folders = [tmp_path / seed for seed in ("0", "1", "2")]
    files = [{one.relative_to(top): one.read_bytes() for one in top.rglob("*") if one.is_file()} for top in folders]
    assert len(files[0]) == len(FORMATS) + 4  # csv is three files, and so is neo4j
    assert files[0] == files[1] == files[2]


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"csv"}))
def test_the_order_of_papers_and_relations_changes_no_byte(full_graph: KnowledgeGraph, form: str) -> None:
    turned = replace(
        full_graph,
        papers=dict([*full_graph.papers.items()][::-1]),
        concepts=dict([*full_graph.concepts.items()][::-1]),
        relations=full_graph.relations[::-1],
        matches=full_graph.matches[::-1],
    )

    assert write(turned, form) == write(full_graph, form)
