"""Tests of the RDF view and its formats."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import ExportError, GraphError, VocabularyError
from kg.model import Concept, ConceptType, KnowledgeGraph, MentionFile, Paper, Report
from kg.rdf import RDF_FORMATS, Layer, iter_triples, to_rdf, write_mentions_nt, write_rdf, write_turtle
from kg.rdf.papers import find_arxiv_id, reads_like_conference
from kg.store import write_store
from kg.vocab import BASE, PREFIXES, from_iri, to_iri

if TYPE_CHECKING:
    from collections.abc import Iterable

Triples = set[tuple[str, str, str, str]]

OXIGRAPH = {
    "turtle": pyoxigraph.RdfFormat.TURTLE,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "ntriples": pyoxigraph.RdfFormat.N_TRIPLES,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
    "rdfxml": pyoxigraph.RdfFormat.RDF_XML,
}
RDFLIB = {"turtle": "turtle", "trig": "trig", "ntriples": "nt", "jsonld": "json-ld", "rdfxml": "xml"}
FORMATS = sorted(RDF_FORMATS)

ODD_PAPERS = (
    Paper(
        id="10.9999/(SICI)1234-5678(199806)49:8<693::AID-EX4>3.0.CO;2-O",
        doi="10.9999/(SICI)1234-5678(199806)49:8<693::AID-EX4>3.0.CO;2-O",
        title="Angle brackets",
    ),
    Paper(id="a b|c^d`e\\f{g}", title="Odd", url="https://example.org/search?q=a b&x=<y>"),
    Paper(id='x> <http://evil.example/p> "injected" . <http://evil.example/s', title="Closing the brackets"),
    Paper(id="50%25", title='Ends with a quote "'),
    Paper(id="50%", title="C++ and C", venue="Ends in a ] bracket\n"),
    Paper(id=".", title="A dot"),
    Paper(id="..", title="Two dots"),
    Paper(
        id="l1",
        title="'single' and “curly”\\",
        abstract='\nOne.\r\nTwo.\rThird """quoted""" \t, '
        "\\n, \\u0041, C:\\temp\\new, @en ^^<x>, \u2028\u0085\u2029 🚀 \\",
        authors=("Łukasz O'Hara", '"', "  "),
        keywords=("a, b", "<k>"),
    ),
)


@pytest.fixture
def odd_graph(small_graph: KnowledgeGraph) -> KnowledgeGraph:
    """Return the small graph with papers whose ids and texts are hard to write."""
    papers = {one.id: one for one in (*small_graph.papers.values(), *ODD_PAPERS)}
    labels = {"C": "concept:c", 'la"bel\n': "concept:l<>", "日本語": "concept:日本語"}
    concepts = {node: Concept(node, label, ConceptType.TASK) for label, node in labels.items()}
    return replace(small_graph, papers=papers, concepts=dict(small_graph.concepts) | concepts)


def to_tuples(triples: Iterable[pyoxigraph.Triple | pyoxigraph.Quad]) -> Triples:
    """Return triples as text: subject, predicate, object and its datatype."""
    found = set()
    for one in triples:
        assert isinstance(one.subject, pyoxigraph.NamedNode)
        assert isinstance(one.object, pyoxigraph.NamedNode | pyoxigraph.Literal)
        datatype = one.object.datatype.value if isinstance(one.object, pyoxigraph.Literal) else ""
        found.add((one.subject.value, one.predicate.value, one.object.value, datatype))
    return found


def to_tuples_of_rdflib(graph: rdflib.Graph) -> Triples:
    """Return triples as text, as `to_tuples` does."""
    found = set()
    for subject, predicate, value in graph:
        datatype = ""
        if isinstance(value, rdflib.Literal):
            assert value.language is None
            datatype = str(value.datatype or rdflib.XSD.string)
        found.add((str(subject), str(predicate), str(value), datatype))
    return found


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")  # its own parsers use what it deprecates
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("layer", Layer)
def test_a_format_is_read_back_alike_by_both_libraries(
    odd_graph: KnowledgeGraph, tmp_path: Path, format: str, layer: Layer
) -> None:
    path = tmp_path / "graph"
    write_rdf(odd_graph, path, format, layer=layer)
    expected = to_tuples(iter_triples(odd_graph, layer=layer))

    assert to_tuples(pyoxigraph.parse(path=path, format=OXIGRAPH[format])) == expected
    graph = rdflib.Dataset() if format == "trig" else rdflib.Graph()
    graph.parse(data=path.read_bytes(), format=RDFLIB[format])
    default = graph.default_graph if isinstance(graph, rdflib.Dataset) else graph
    assert to_tuples_of_rdflib(default) == expected


@pytest.mark.parametrize("name", ["rd1_iris", "rd2_literals", "hv4_unicode", "gr3_control_chars"])
def test_hard_cases_come_back_from_every_format(tmp_path: Path, name: str) -> None:
    path = Path(__file__).parents[2] / "shared" / "cases" / "inputs" / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside the checkout")
    known = {one.name for one in fields(Paper)}
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    rows = [{key: value for key, value in record.items() if key in known} for record in records]
    papers = [Paper(**row | {"authors": tuple(row.get("authors", ()))}) for row in rows]
    kg = KnowledgeGraph({one.id: one for one in papers}, {}, (), MentionFile(Path("none")), Report())
    expected = to_tuples(iter_triples(kg))

    for format in FORMATS:
        write_rdf(kg, tmp_path / format, format)
        assert to_tuples(pyoxigraph.parse(path=tmp_path / format, format=OXIGRAPH[format])) == expected
    assert all(one[0].startswith(BASE) and one[1].startswith(tuple(PREFIXES.values())) for one in expected)
    if name != "gr3_control_chars":
        assert {one.title for one in papers} | {one.abstract for one in papers} <= {one[2] for one in expected}


def test_the_rdflib_graph_holds_the_same_triples(odd_graph: KnowledgeGraph) -> None:
    assert to_tuples_of_rdflib(to_rdf(odd_graph)) == to_tuples(iter_triples(odd_graph))


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40), st.text(min_size=1, max_size=20))
def test_any_text_survives_in_any_format(text: str, name: str) -> None:
    paper = Paper(id=name, title=text, abstract=text)
    kg = KnowledgeGraph({paper.id: paper}, {}, (), MentionFile(Path("none")), Report())
    expected = to_tuples(iter_triples(kg))

    with tempfile.TemporaryDirectory() as folder:
        for format in FORMATS:
            path = Path(folder) / format
            write_rdf(kg, path, format)
            assert to_tuples(pyoxigraph.parse(path=path, format=OXIGRAPH[format])) == expected
    node = to_iri(paper.id)
    assert from_iri(node) == paper.id
    texts = {value for subject, _, value, _ in expected if subject == node}
    assert re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text) in texts | {""}


def test_what_xml_cannot_hold_becomes_a_replacement_in_every_format(tmp_path: Path) -> None:
    paper = Paper(id="k1", title="Attention\x0bheads \x01\x00\x1b[31m \ufffe\uffff \ud800", abstract="tab\tline\n")
    kg = KnowledgeGraph({paper.id: paper}, {}, (), MentionFile(Path("none")), Report())

    for format in FORMATS:
        write_rdf(kg, tmp_path / format, format)
        texts = {value for *_, value, _ in to_tuples(pyoxigraph.parse(path=tmp_path / format, format=OXIGRAPH[format]))}
        assert "Attention\ufffdheads \ufffd\ufffd\ufffd[31m \ufffd\ufffd \ufffd" in texts
        assert "tab\tline\n" in texts


def test_no_iri_holds_a_forbidden_character_or_comes_from_the_text(odd_graph: KnowledgeGraph) -> None:
    triples = [*iter_triples(odd_graph), *iter_triples(odd_graph, layer=Layer.MENTIONS)]
    iris = {
        node.value
        for triple in triples
        for node in (triple.subject, triple.predicate, triple.object)
        if isinstance(node, pyoxigraph.NamedNode)
    }

    assert not [iri for iri in iris if re.search(r"[^!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~]|%(?![0-9A-F]{2})", iri)]
    assert all(iri.startswith((BASE, *PREFIXES.values())) for iri in iris)
    assert len({to_iri(node) for node in odd_graph.papers}) == len(odd_graph.papers)
    assert not [iri for iri in iris if re.search(r"/\.{1,2}(/|$)", iri)]


def test_a_doi_and_an_address_stand_unchanged(odd_graph: KnowledgeGraph) -> None:
    graph = to_rdf(odd_graph)
    doi, url = ODD_PAPERS[0].doi, ODD_PAPERS[1].url

    rows = [*graph.query(f'SELECT ?p {{ ?p prism:doi "{doi}" }}')]

    assert [str(row[0]) for row in rows] == [to_iri(ODD_PAPERS[0].id)]
    assert url in {str(value) for value in graph.objects(predicate=rdflib.SDO.url)}


@pytest.mark.parametrize("format", FORMATS)
def test_there_are_no_blank_nodes_and_each_triple_is_written_once(
    odd_graph: KnowledgeGraph, tmp_path: Path, format: str
) -> None:
    write_rdf(odd_graph, tmp_path / "graph", format)

    quads = [*pyoxigraph.parse(path=tmp_path / "graph", format=OXIGRAPH[format])]

    assert len(quads) == len(set(quads))
    assert not [quad for quad in quads if isinstance(quad.subject, pyoxigraph.BlankNode)]


def test_ntriples_are_sorted_and_one_a_physical_line(odd_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_rdf(odd_graph, tmp_path / "graph.nt", "ntriples")

    text = (tmp_path / "graph.nt").read_bytes()

    assert text.splitlines() == sorted(text.splitlines())
    assert text.decode().splitlines() == text.decode().removesuffix("\n").split("\n")
    assert all(line.endswith(" .") for line in text.decode().splitlines())


def test_sorting_in_small_runs_gives_the_same_file(
    odd_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for layer in Layer:
        write_rdf(odd_graph, tmp_path / layer, "ntriples", layer=layer)
    monkeypatch.setattr("kg.rdf.write._RUN", 10)
    monkeypatch.setattr("kg.rdf.write._BATCH", 7)

    for layer in Layer:
        write_rdf(odd_graph, tmp_path / "again", "ntriples", layer=layer)
        assert (tmp_path / "again").read_bytes() == (tmp_path / layer).read_bytes()


@pytest.mark.parametrize("format", FORMATS)
def test_the_size_of_a_batch_does_not_show(
    odd_graph: KnowledgeGraph, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rdf(odd_graph, tmp_path / "whole", format)
    monkeypatch.setattr("kg.rdf.write._BATCH", 1)

    write_rdf(odd_graph, tmp_path / "parts", format)

    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_mentions_are_packed_without_name_or_time(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_mentions_nt(small_graph, tmp_path / "mentions.nt.gz")

    packed = (tmp_path / "mentions.nt.gz").read_bytes()
    lines = gzip.decompress(packed).splitlines()

    assert packed[3:8] == bytes(5)  # no flags, so no name, and no time
    assert lines == sorted(set(lines))
    found = to_tuples(pyoxigraph.parse(b"\n".join(lines), format=pyoxigraph.RdfFormat.N_TRIPLES))
    assert found == to_tuples(iter_triples(small_graph, layer=Layer.MENTIONS))


def test_offsets_of_sentences_and_mentions_count_in_the_text(small_graph: KnowledgeGraph) -> None:
    store = pyoxigraph.Store()
    for layer in Layer:
        store.bulk_extend(
            pyoxigraph.Quad(*one)  # the texts are in both
            for one in iter_triples(small_graph, layer=layer)
        )
    rows = store.query(
        "SELECT ?text ?begin ?end ?anchor { ?x nif:beginIndex ?begin ; nif:endIndex ?end ; nif:anchorOf ?anchor ;"
        " nif:referenceContext/nif:isString ?text }",
        prefixes=PREFIXES,
    )

    assert isinstance(rows, pyoxigraph.QuerySolutions)
    found = [[value.value for value in row] for row in rows]
    assert len(found) > 5
    assert all(text[int(begin) : int(end)] == anchor for text, begin, end, anchor in found)


def test_a_concept_leads_to_the_terms_that_match_it(matched_graph: KnowledgeGraph) -> None:
    graph = to_rdf(matched_graph)

    assert {(str(one), str(two)) for one, two in graph.subject_objects(rdflib.SKOS.exactMatch)} == {
        (to_iri("concept:imagenet"), "https://example.org/v#imagenet"),
        (to_iri("concept:low rank adaptation"), "https://example.org/v#lora"),
    }
    assert [str(one) for one in graph.objects(None, rdflib.SKOS.closeMatch)] == ["https://example.org/v#accuracy"]


def test_a_statement_leads_to_its_sentence_and_paper(small_graph: KnowledgeGraph) -> None:
    rows = to_rdf(small_graph).query(
        "SELECT ?sentence ?paper ?confidence { ?s a cskg-ont:Statement ; rdf:subject ?paper ;"
        " rdf:predicate kg:introduces ; rdf:object/skos:prefLabel 'LoDA' ; cskg-ont:hasSupport 1 ;"
        " kg:confidence ?confidence ; kg:evidence/nif:anchorOf ?sentence ; prov:wasDerivedFrom ?paper ."
        " ?paper kg:introduces ?concept . FILTER (?confidence > 0.8) }"
    )

    assert [[str(value) for value in row] for row in rows] == [  # type: ignore[union-attr]
        ["We propose LoDA, which extends low-rank adaptation (LoRA).", f"{BASE}paper/7", "0.9"]
    ]


def test_papers_are_related_both_ways_and_say_by_which_concept(small_graph: KnowledgeGraph) -> None:
    rows = to_rdf(small_graph).query(
        "SELECT ?a ?label { ?a kg:relatedTo ?b . ?s rdf:subject|rdf:object ?a ; rdf:predicate kg:relatedTo ;"
        " kg:via/skos:prefLabel ?label } ORDER BY ?a"
    )

    assert [str(row[1]) for row in rows] == ["low-rank adaptation"] * 2  # type: ignore[index]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SELECT ?m { ?p a lpwcc:paper ; lpwcp:hasMethod ?m }", 2),
        ("SELECT ?t { ?d a lpwcc:dataset ; dcterms:title ?t . ?p lpwcp:usesDataset ?d }", 1),
        ("SELECT ?d { ?d lpwcp:introducedBy ?p }", 1),
        ("SELECT ?c { ?p a fabio:ConferencePaper ; schema:mentions ?c }", 2),
        ("SELECT ?p { ?p dcterms:issued ?y ; dcterms:isPartOf/dcterms:title 'ICML' . FILTER (?y >= 2026) }", 1),
        ("SELECT ?c { ?s a skos:ConceptScheme . ?c skos:topConceptOf ?s ; skos:inScheme ?s ; a skos:Concept }", 5),
        ("SELECT ?n { ?p dcterms:creator ?a . ?a a foaf:Person ; foaf:name ?n }", 2),
        ("SELECT ?r { ?s prov:wasGeneratedBy ?r . ?r a prov:Activity ; kg:setting 'program: paperkg 0' }", 7),
    ],
)
def test_queries_in_the_words_of_others_are_answered(small_graph: KnowledgeGraph, query: str, count: int) -> None:
    assert len(to_rdf(small_graph).query(query)) == count


def test_nodes_move_with_the_base_and_terms_do_not(small_graph: KnowledgeGraph) -> None:
    subjects = {one.subject.value for one in iter_triples(small_graph, base="https://example.org/x#")}  # type: ignore[union-attr]
    predicates = {one.predicate.value for one in iter_triples(small_graph, base="https://example.org/x#")}

    assert all(subject.startswith("https://example.org/x#") for subject in subjects)
    assert PREFIXES["kg"] + "usesMethod" in predicates


@pytest.mark.parametrize("base", ["", "here/", "https://example.org", "https://exa mple.org/", "https://e.org/>/"])
def test_a_base_that_makes_no_iris_is_refused(small_graph: KnowledgeGraph, base: str) -> None:
    with pytest.raises(VocabularyError, match="is no absolute IRI"):
        to_rdf(small_graph, base=base)


def test_turtle_reads_well(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_turtle(small_graph, tmp_path / "graph.ttl")

    text = (tmp_path / "graph.ttl").read_text(encoding="utf-8")

    prefixes = re.findall(r"^@prefix (\S+):", text, re.MULTILINE)
    assert prefixes == sorted(prefixes)
    assert "\n\nconcept:loda a skos:Concept , lpwcc:method , kg:Method ;\n\tskos:prefLabel" in text
    assert text.endswith(" .\n")
    assert "\n\n\n" not in text


def test_an_unknown_format_is_named_with_those_there_are(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no RDF format 'n3'; there are jsonld, ntriples"):
        write_rdf(small_graph, tmp_path / "graph", "n3")


def test_a_file_that_cannot_be_written_is_named(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"no folder .*graph\.ttl"):
        write_turtle(small_graph, tmp_path / "nowhere" / "graph.ttl")


def test_a_mention_outside_of_the_graph_raises_and_leaves_no_file(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    broken = replace(small_graph, concepts={}, relations=())

    with pytest.raises(GraphError, match="means 'concept:loda', which is not in the graph"):
        write_mentions_nt(broken, folder / "mentions.nt.gz")

    assert not [*folder.iterdir()]


def test_hash_seed_and_folder_do_not_show(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    write_store(small_graph, tmp_path / "store")
    program = (
        "import sys; from pathlib import Path; from kg.model import Report; from kg.store import read_store\n"
        "from kg.rdf import RDF_FORMATS, write_mentions_nt, write_rdf\n"
        "kg = read_store(Path(sys.argv[1]), Report(settings={'program': 'paperkg 0'}))\n"
        "for name in RDF_FORMATS: write_rdf(kg, Path(name), name)\n"
        "write_mentions_nt(kg, Path('mentions.nt.gz'))\n"
    )
    digests = []
    for seed in ("0", "1", "2"):
        folder = tmp_path / f"seed {seed}"
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "store")],
            cwd=folder,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])},
            check=True,
        )
        digests.append({one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in folder.iterdir()})

    assert len(digests[0]) == len(FORMATS) + 1
    assert digests[0] == digests[1] == digests[2]


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        ("ICML 2026", True),
        ("Advances in NeurIPS", True),
        ("Proceedings of the 57th Annual Meeting of the ACL", True),
        ("2019 IEEE/CVF Conference on Computer Vision", True),
        ("Workshop on Graph Learning", True),
        ("", False),
        ("Nature", False),
        ("Transactions of the Association for Computational Linguistics", False),
        ("Journal of Conference Studies", False),
        ("Proceedings of the National Academy of Sciences", False),
        ("arXiv", False),
        ("Reaction Kinetics", False),
    ],
)
def test_a_venue_reads_like_a_conference(venue: str, expected: bool) -> None:
    assert reads_like_conference(venue) is expected


@pytest.mark.parametrize(
    ("paper", "expected"),
    [
        (Paper(title="a", url="https://arxiv.org/abs/2106.09685v2"), "2106.09685"),
        (Paper(title="a", url="http://arxiv.org/pdf/cs.CL/0102003"), "cs.CL/0102003"),
        (Paper(title="a", doi="10.48550/arXiv.2106.09685"), "2106.09685"),
        (Paper(id="arXiv:hep-th/9901001", title="a"), "hep-th/9901001"),
        (Paper(id="2106.09685", title="a", url="https://example.org/2106.09685"), ""),
    ],
)
def test_an_arxiv_id_is_found_where_it_says_so(paper: Paper, expected: str) -> None:
    assert find_arxiv_id(paper) == expected


def test_one_name_on_two_papers_is_not_one_person(small_graph: KnowledgeGraph) -> None:
    twin = Paper(id="8", title="Twin", authors=("Zoë Lee",))

    graph = to_rdf(replace(small_graph, papers={**small_graph.papers, twin.id: twin}))

    assert len({*graph.subjects(rdflib.FOAF.name, rdflib.Literal("Zoë Lee"))}) == 2


def test_a_community_holds_its_concepts_and_its_papers_lead_to_it(placed_graph: KnowledgeGraph) -> None:
    store = pyoxigraph.Store()
    store.extend(pyoxigraph.Quad(*triple) for triple in iter_triples(placed_graph))
    prefixes = {name: PREFIXES[name] for name in ("dcterms", "kg", "skos")}

    found = store.query(
        "SELECT ?number ?name ?paper ?year { ?paper kg:inCommunity ?c . ?c a kg:Community ; skos:prefLabel ?name ;"
        " dcterms:identifier ?number ; skos:member ?concept . ?concept kg:firstYear ?year } ORDER BY ?paper",
        prefixes=prefixes,
    )

    assert isinstance(found, pyoxigraph.QuerySolutions)
    rows = [[term.value for term in row] for row in found]
    assert rows == [["1", "low-rank adaptation", to_iri(one), "2026"] for one in ("paper:7", "paper:p<2>")]
