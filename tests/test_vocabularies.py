"""Tests of reading vocabularies: RDF of any syntax and habit, and tables."""

from __future__ import annotations

import gzip
import hashlib
import socket
from dataclasses import replace
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import GraphError, InputError
from kg.model import ConceptType, MatchKind, Skip, Term
from kg.vocabularies import read_vocabulary
from kg.vocabularies.classes import find_classes
from kg.vocabularies.table import to_term_iri

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph, Vocabulary

V = "https://example.org/v#"
HEAD = """
@prefix : <https://example.org/v#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix cso: <http://cso.kmi.open.ac.uk/schema/cso#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> . @prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix kg: <https://w3id.org/paperkg/ontology#> . @prefix mls: <http://www.w3.org/ns/mls#> .
@prefix cskg: <https://w3id.org/cskg/ontology#> . @prefix lpwcc: <https://linkedpaperswithcode.com/class/> .
@prefix schema: <http://schema.org/> .
"""
TERMS = """
:lora a skos:Concept, kg:Method ; skos:prefLabel "low-rank adaptation"@en ; skos:altLabel "LoRA" .
:c4 a skos:Concept ; skos:prefLabel "C4" ; skos:hiddenLabel "Colossal Corpus"@en .
"""
READ = (
    Term(V + "c4", ("C4",), ("Colossal Corpus",)),
    Term(V + "lora", ("low-rank adaptation",), ("LoRA",), ConceptType.METHOD),
)
SYNTAXES = {
    "ttl": pyoxigraph.RdfFormat.TURTLE,
    "nt": pyoxigraph.RdfFormat.N_TRIPLES,
    "rdf": pyoxigraph.RdfFormat.RDF_XML,
    "owl": pyoxigraph.RdfFormat.RDF_XML,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "nq": pyoxigraph.RdfFormat.N_QUADS,
}


def to_syntax(turtle: str, suffix: str) -> bytes:
    """Return Turtle in another syntax."""
    triples = (quad.triple for quad in pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE))
    return pyoxigraph.serialize(triples, format=SYNTAXES[suffix]) or b""


def read(folder: Path, content: str | bytes, name: str = "v.ttl", warnings: list[Skip] | None = None) -> Vocabulary:
    """Return the vocabulary that a file with a content has; it has nothing to warn of, unless warnings are taken."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found: list[Skip] = [] if warnings is None else warnings
    vocabulary = read_vocabulary(path, warn=found.append)
    assert warnings is not None or not found
    return vocabulary


def read_turtle(folder: Path, text: str, warnings: list[Skip] | None = None) -> dict[str, Term]:
    """Return the terms of Turtle without its prefixes, by local name."""
    return {term.iri.removeprefix(V): term for term in read(folder, HEAD + text, warnings=warnings).terms}


@pytest.mark.parametrize("suffix", SYNTAXES)
def test_every_syntax_says_the_same(tmp_path: Path, suffix: str) -> None:
    assert read(tmp_path, to_syntax(HEAD + TERMS, suffix), f"v.{suffix}").terms == READ


@pytest.mark.parametrize("suffix", SYNTAXES)
@pytest.mark.parametrize("name", ["v.ttl", "v.rdf", "v.json", "v.nq", "v.vocabulary", "v"])
def test_a_name_that_says_another_syntax_does_no_harm(tmp_path: Path, suffix: str, name: str) -> None:
    assert read(tmp_path, to_syntax(HEAD + TERMS, suffix), name).terms == READ


def test_a_packed_file_is_unpacked_and_known_by_its_own_hash(tmp_path: Path) -> None:
    packed = gzip.compress(b"\xef\xbb\xbf" + (HEAD + TERMS).encode())

    vocabulary = read(tmp_path, packed, "v.ttl.gz")

    assert (vocabulary.name, vocabulary.terms) == ("v.ttl.gz", READ)
    assert vocabulary.digest == hashlib.sha256(packed).hexdigest()


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_triples_does_not_show(tmp_path: Path, seed: int) -> None:
    lines = to_syntax(HEAD + TERMS, "nt").splitlines(keepends=True)

    assert read(tmp_path, b"".join(lines[seed:] + lines[:seed]), "v.nt").terms == READ


def test_labels_that_are_nodes_are_read(tmp_path: Path) -> None:
    terms = read_turtle(
        tmp_path,
        """
        :a skosxl:prefLabel :l1 ; skosxl:altLabel [ skosxl:literalForm "GAN"@en ], :l2 ; skosxl:hiddenLabel :l3 .
        :l1 a skosxl:Label ; skosxl:literalForm "adversarial network"@en ; rdfs:label "a label" .
        :l2 skosxl:literalForm "réseau adverse"@fr .
        """,
    )

    assert terms == {"a": Term(V + "a", ("adversarial network",), ("GAN",))}


@pytest.mark.parametrize(
    ("labels", "preferred", "other"),
    [
        ('skos:prefLabel "a"@en, "b"@de ; skos:altLabel "c"@de, "d"@en-GB', ("a",), ("d",)),
        ('skos:prefLabel "a", "b"@fr', ("a",), ()),
        ('skos:prefLabel "colour"@en-GB, "color"@en', ("color", "colour"), ()),
        ('skos:prefLabel "b"@de, "c"@fr ; skos:altLabel "d"@fr', ("b", "c"), ("d",)),
        ('skos:prefLabel "b"@de ; skos:altLabel "c"@de, "d"@en', ("b",), ("d",)),
        ('skos:prefLabel "  a \\n b " ; skos:altLabel "a b", " "', ("a b",), ()),
    ],
)
def test_english_labels_count_and_others_where_there_are_none(
    tmp_path: Path, labels: str, preferred: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert read_turtle(tmp_path, f":a {labels} .") == {"a": Term(V + "a", preferred, other)}


def test_topics_with_plain_labels_are_terms_and_those_that_are_not_preferred_lend_their_names(tmp_path: Path) -> None:
    terms = read_turtle(
        tmp_path,
        """
        :neural_networks a cso:Topic ; rdfs:label "neural networks"@en ; cso:superTopicOf :cnn .
        :cnn a cso:Topic ; rdfs:label "cnn"@en ; cso:preferentialEquivalent :convolutional .
        :convnets a cso:Topic ; rdfs:label "convnets"@en ; cso:preferentialEquivalent :cnn .
        :convolutional rdfs:label "convolutional neural networks"@en ; cso:preferentialEquivalent :convolutional .
        :one rdfs:label "one" ; cso:preferentialEquivalent :two .
        :two rdfs:label "two" ; cso:preferentialEquivalent :one .
        """,
    )

    assert set(terms) == {"neural_networks", "convolutional", "one", "two"}
    assert terms["convolutional"].other_labels == ("cnn", "convnets")


def test_classes_of_an_ontology_are_terms_and_its_properties_are_not(tmp_path: Path) -> None:
    terms = read_turtle(
        tmp_path,
        """
        <https://example.org/v> a owl:Ontology ; rdfs:label "an ontology" .
        :Network a owl:Class ; rdfs:label "Network" .
        :GAN a owl:Class ; rdfs:subClassOf :Network ; rdfs:label "Generative Adversarial Network" ;
            oio:hasExactSynonym "GAN" ; oio:hasRelatedSynonym "Generator" ; obo:IAO_0000118 "adversarial net" .
        :Old a owl:Class ; rdfs:label "Old Network" ; owl:deprecated true .
        :has_part a owl:ObjectProperty ; rdfs:label "has part" .
        :definition a owl:AnnotationProperty ; rdfs:label "definition" .
        """,
    )

    assert set(terms) == {"Network", "GAN"}
    assert terms["GAN"].other_labels == ("GAN", "adversarial net")


def test_in_skos_only_concepts_are_terms(tmp_path: Path) -> None:
    terms = read_turtle(
        tmp_path,
        """
        :scheme a skos:ConceptScheme ; skos:prefLabel "A thesaurus" .
        :group a skos:Collection ; skos:prefLabel "a group" ; skos:member :a .
        :library rdfs:label "A library" .
        :a a skos:Concept ; skos:prefLabel "a" ; rdfs:label "another name of a" .
        :b a skos:Concept ; rdfs:label "b" . :c skos:prefLabel "c" .
        """,
    )

    assert set(terms) == {"a", "b", "c"}
    assert terms["a"].other_labels == ()


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("kg:Task", ConceptType.TASK),
        ("cskg:Material", ConceptType.DATASET),
        ("lpwcc:method", ConceptType.METHOD),
        ("mls:EvaluationMeasure", ConceptType.METRIC),
        ("schema:Dataset", ConceptType.DATASET),
        ("<https://schema.org/Dataset>", ConceptType.DATASET),
        ("schema:Person", None),
    ],
)
def test_a_class_of_others_gives_a_type(tmp_path: Path, kind: str, expected: ConceptType | None) -> None:
    assert read_turtle(tmp_path, f':a a {kind} ; skos:prefLabel "a" .')["a"].type is expected


def test_a_type_comes_from_the_nearest_class_above(tmp_path: Path) -> None:
    terms = read_turtle(
        tmp_path,
        """
        :methods rdfs:subClassOf kg:Method . :tasks a kg:Task ; skos:narrower :y ; skos:prefLabel "tasks" .
        :x rdfs:subClassOf :methods . :w skos:broader :x ; skos:prefLabel "w" .
        :y skos:prefLabel "y" . :z skos:broader :w, :y ; skos:prefLabel "z" .
        :both a kg:Task, kg:Metric ; skos:prefLabel "both" . :below skos:broader :both ; skos:prefLabel "below" .
        :one skos:broader :two ; skos:prefLabel "one" . :two skos:broader :one ; skos:prefLabel "two" .
        """,
    )

    assert {name: term.type for name, term in terms.items()} == {
        "w": ConceptType.METHOD,
        "tasks": ConceptType.TASK,
        "y": ConceptType.TASK,
        "z": ConceptType.TASK,  # which is two steps up, and a method four
        "both": None,
        "below": None,
        "one": None,
        "two": None,
    }


def test_the_classes_are_those_that_the_ontology_aligns() -> None:
    kinds = find_classes()

    assert set(kinds.values()) == set(ConceptType)
    assert kinds["http://www.w3.org/ns/mls#Algorithm"] is ConceptType.METHOD


def test_what_has_no_valid_iri_is_left_out_and_named(tmp_path: Path) -> None:
    warnings: list[Skip] = []

    terms = read_turtle(
        tmp_path,
        """
        :a skos:prefLabel "a" . [] skos:prefLabel "nameless" . <http://e.org/a b> skos:prefLabel "b" .
        <c> skos:prefLabel "c" . <concept:d> skos:prefLabel "d" . <http://e.org/%zz> skos:prefLabel "e" .
        """,
        warnings,
    )

    assert set(terms) == {"a"}
    assert sorted(one.reason for one in warnings) == [
        "no term: 'c' is no absolute IRI",
        "no term: 'concept:d' is a short name, no absolute IRI",
        "no term: 'http://e.org/%zz' is no absolute IRI",
        "no term: 'http://e.org/a b' is no absolute IRI",
        "no term: 'nameless' has no IRI",
    ]


BOMB = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("v.ttl", "", r"^v\.ttl: the vocabulary has no term with a skos:prefLabel or an rdfs:label$"),
        ("v.ttl", "<http://e.org/a> <http://e.org/b> 1 .", "has no term"),
        ("v.ttl", "<http://e.org/a> <http://e.org/b> 1 .\nnonsense", r"^v\.ttl:2: can't be read as Turtle.*'nonsense'"),
        ("v.nt", "<http://e.org/a> <http://e.org/b> .", r"^v\.nt:1: can't be read as N-Triples"),
        ("v.rdf", "<html><p>x</html>", r"^v\.rdf: can't be read as RDF/XML"),
        ("v.jsonld", '{"@id": ', r"^v\.jsonld:1: can't be read as JSON-LD"),
        ("v.json", '{"graphs": []}', "has no term"),
        ("v.owl", f'<!DOCTYPE r [<!ENTITY l0 "l">{BOMB}]><rdf:RDF {RDF}/>', r"^v\.owl:1: the XML entity .* is not"),
        ("v.owl", f'<!DOCTYPE r [\n<!ENTITY x SYSTEM "file:///etc/passwd">]><rdf:RDF {RDF}/>', r"^v\.owl:2: the XML"),
        ("v.ttl.gz", b"\x1f\x8b\x08 cut", r"^v\.ttl\.gz: the vocabulary can't be read"),
        ("v.ttl", '<http://e.org/a> <http://e.org/b> "\xe9" .'.encode("latin-1"), r"^v\.ttl:1: can't be read"),
        ("v.tsv", "", r"^v\.tsv: the table is empty$"),
        ("v.tsv", "# only\n# comments\n", "the table is empty"),
        ("v.tsv", "# c\n\nname\tkind\nx\ty\n", r"^v\.tsv:3: the header 'name\\tkind' has no column 'id' .*iri"),
        ("v.tsv", "id,name\n1,x\n", r"^v\.tsv:1: the header 'id,name' has no column 'id'"),
        ("v.tsv", "id\ttitle\n1\tx\n", "has no column 'name'"),
        ("v.tsv", "id\tname\n", r"^v\.tsv: the vocabulary has no term below its header$"),
        ("v.tsv", b"id\tname\n1\tx\n2\t\xe9\n", r"^v\.tsv:3: b'\\xe9' is not UTF-8; save the table as UTF-8$"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_with_file_line_and_value(
    tmp_path: Path, name: str, content: str | bytes, fault: str
) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        read(tmp_path, content, name)

    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^gone\.ttl: the vocabulary can't be read: No such file"):
        read_vocabulary(tmp_path / "gone.ttl")
    with pytest.raises(InputError, match="can't be read: Is a directory"):
        read_vocabulary(tmp_path)


@pytest.mark.parametrize("name", ["v.jsonld", "v.txt.json", "v"])
def test_a_context_on_the_web_is_not_fetched(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/skos.jsonld"

        with pytest.raises(InputError, match="names a context on the web, and nothing is fetched"):
            read(tmp_path, f'{{"@context": "{url}", "@id": "http://e.org/a", "prefLabel": "a"}}', name)

        with pytest.raises(TimeoutError):
            server.accept()


def test_imports_and_entities_of_an_ontology_are_no_hindrance(tmp_path: Path) -> None:
    text = f"""<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY v "https://example.org/v#">]>
    <rdf:RDF {RDF} xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
    <owl:Ontology rdf:about="https://example.org/v"><owl:imports rdf:resource="http://127.0.0.1:9/x"/></owl:Ontology>
    <owl:Class rdf:about="&v;Net"><rdfs:label>Net</rdfs:label></owl:Class></rdf:RDF>"""

    assert read(tmp_path, text, "v.owl").terms == (Term(V + "Net", ("Net",)),)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("id\tname\n{v}a\tA\n", Term(V + "a", ("A",))),
        ("iri\tlabel\ttype\n{v}a\tA\tmethod\n", Term(V + "a", ("A",), (), ConceptType.METHOD)),
        ("IRI\tskos:prefLabel\tskos:altLabel\n{v}a\tA\tx|y; z|A\n", Term(V + "a", ("A",), ("x", "y; z"))),
        ("name\tid\taliases\nA\t{v}a\tx; y ;;\n", Term(V + "a", ("A",), ("x", "y"))),
        ("id\tname\texact_synonyms\trelated_synonyms\n{v}a\tA\tx|x\ty\n", Term(V + "a", ("A",), ("x",))),
        ("# A list\n\nid\tname\r\n{v}a\tA  B\r\n", Term(V + "a", ("A B",))),
        ('id\tname\tsynonyms\n{v}a\t"say ""A"""\t"x|y"\n', Term(V + "a", ('say "A"',), ("x", "y"))),
        ("\ufeffid\tname\ttype\n{v}a\tA\n", Term(V + "a", ("A",))),
        ("id\tname\ttype\nAI:a\tA\tschema:Dataset\n", Term("urn:x-curie:AI:a", ("A",), (), ConceptType.DATASET)),
        ("#curie_map:\n#  v: \"{v}\"\nid\tname\ttype\nv:a\tA\tlayer\n", Term(V + "a", ("A",))),
        ("# v: {v}\nid\tname\ttype\nv:a b\tA\tTasks\n", Term(V + "a%20b", ("A",), (), ConceptType.TASK)),
        ("id\tname\nmls:Task\tA\n", Term("http://www.w3.org/ns/mls#Task", ("A",))),
        ("id\tname\n7: é\tA\n", Term("urn:x-paperkg:v.tsv:7%3A%20%C3%A9", ("A",))),
    ],
)  # fmt: skip
def test_tables_are_read_as_people_write_them(tmp_path: Path, table: str, expected: Term) -> None:
    assert read(tmp_path, table.replace("{v}", V), "v.tsv").terms == (expected,)


def test_lines_without_a_term_are_left_out_and_named(tmp_path: Path) -> None:
    warnings: list[Skip] = []

    vocabulary = read(tmp_path, "id\tname\n1\tA\n\tB\n2\t\n1\tC\nhttp://e.org/%\tD\n3\n", "v.tab", warnings)

    assert [term.labels for term in vocabulary.terms] == [("A",)]
    assert warnings == [
        Skip("v.tab", 3, r"no term: the id is missing, in '\tB'"),
        Skip("v.tab", 4, r"no term: the name is missing, in '2\t'"),
        Skip("v.tab", 5, "no term: '1' is the id of line 2 too"),
        Skip("v.tab", 6, r"no term: 'http://e.org/%' is no absolute IRI, in 'http://e.org/%\tD'"),
        Skip("v.tab", 7, "no term: the name is missing, in '3'"),
    ]


IDS = st.text(min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.sets(IDS.filter(lambda text: not text.startswith(("urn:", "info:", "tag:")) and "://" not in text)))
def test_each_id_has_an_iri_of_its_own(ids: set[str]) -> None:
    encodable = {one for one in ids if one.isprintable()}

    iris = {to_term_iri(one, "v.tsv", {}) for one in encodable}

    assert len(iris) == len(encodable)
    assert all(pyoxigraph.NamedNode(iri) for iri in iris)


@pytest.mark.parametrize(
    ("iri", "labels", "fault"),
    [
        ("a", ("a",), "'a' is no absolute IRI"),
        ("http://e.org/a b", ("a",), "is no absolute IRI"),
        ("http://e.org/a", (), "has no label"),
        ("http://e.org/a", ("a", " "), "or a blank one"),
    ],
)
def test_what_can_be_no_term_is_refused(iri: str, labels: tuple[str, ...], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        Term(iri, labels)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"predicate": "broadMatch"}, "is 'broadMatch', which is none of exactMatch, closeMatch"),
        ({"iri": "imagenet"}, "leads to no absolute IRI"),
        ({"confidence": 1.5}, r"the confidence 1\.5, which is not in"),
        ({"justification": "lexical"}, "'lexical', which is no term of semapv"),
    ],
)
def test_what_can_be_no_match_is_refused(matched_graph: KnowledgeGraph, changes: dict[str, object], fault: str) -> None:
    with pytest.raises(GraphError, match=f"match of 'concept:imagenet' with .* {fault}"):
        replace(matched_graph.matches[0], **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"concept": "concept:gone"}, "is matched with 'concept:gone', which is not in the graph"),
        ({"predicate": MatchKind.CLOSE}, "pair concept:imagenet .*#imagenet has two matches"),
        ({"iri": "http://e.org/other"}, r"concept concept:imagenet terms\.ttl has two matches"),
        ({"concept": "concept:loda"}, "term .*#imagenet has two matches"),
    ],
)
def test_a_graph_refuses_matches_that_contradict(
    matched_graph: KnowledgeGraph, changes: dict[str, object], fault: str
) -> None:
    other = replace(matched_graph.matches[0], **changes)  # type: ignore[arg-type]

    with pytest.raises(GraphError, match=fault):
        replace(matched_graph, matches=(*matched_graph.matches, other))
