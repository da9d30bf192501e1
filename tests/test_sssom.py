"""Tests of the table of matches, which programs for SSSOM read."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.build.outside import link_vocabularies
from kg.model import Concept, ConceptType, KnowledgeGraph, MatchKind, MentionFile, Report, Term, Vocabulary
from kg.model import VocabularyMatch as Match
from kg.sssom import write_sssom
from kg.vocab import to_iri

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = [
    "subject_id", "subject_label", "predicate_id", "object_id", "object_label", "mapping_justification",
    "object_source", "confidence", "subject_match_field", "object_match_field", "match_string", "comment",
]  # fmt: skip
IDS = ("subject_id", "predicate_id", "object_id", "mapping_justification", "object_source")


class Mappings(NamedTuple):
    """What a program for SSSOM makes of a file."""

    prefixes: dict[str, str]
    metadata: dict[str, str]
    rows: list[dict[str, str]]

    def expand(self, curie: str) -> str:
        """Return the IRI of a CURIE."""
        prefix, _, local = curie.partition(":")
        return self.prefixes[prefix] + local


def read_sssom(path: Path) -> Mappings:
    """Read SSSOM/TSV: a YAML map behind "#", here of quoted strings, then a quoted table."""
    head, _, body = path.read_text(encoding="utf-8").partition("subject_id\t")
    prefixes: dict[str, str] = {}
    metadata: dict[str, str] = {}
    lines = head.splitlines()
    assert lines.pop(0) == "#curie_map:"
    for line in lines:
        found = re.fullmatch(r'#(  )?([A-Za-z_][\w.-]*): (".*")', line)
        assert found, line
        (prefixes if found[1] else metadata)[found[2]] = json.loads(found[3])
    assert head.endswith("\n")
    table = csv.DictReader(io.StringIO("subject_id\t" + body, newline=""), delimiter="\t", strict=True)
    assert table.fieldnames == COLUMNS
    return Mappings(prefixes, metadata, list(table))


def make_graph(concepts: list[Concept], *vocabularies: Vocabulary) -> KnowledgeGraph:
    """Return a graph of concepts only."""
    by_id = {one.id: one for one in concepts}
    return link_vocabularies(KnowledgeGraph({}, by_id, (), MentionFile.__new__(MentionFile), Report()), vocabularies)


def test_the_table_says_what_matches_and_why(matched_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_sssom(matched_graph, tmp_path / "m.tsv")

    mappings = read_sssom(tmp_path / "m.tsv")

    assert [list(row.values()) for row in mappings.rows] == [
        [
            "concept:imagenet", "ImageNet", "skos:exactMatch", "terms:imagenet", "ImageNet", "semapv:LexicalMatching",
            "vocabulary:terms.ttl", "0.95", "skos:prefLabel", "skos:prefLabel", "ImageNet", "",
        ],
        [
            "concept:low%20rank%20adaptation", "low-rank adaptation", "skos:exactMatch", "terms:lora",
            "Low-Rank Adaptation", "semapv:LexicalMatching", "vocabulary:terms.ttl", "0.95", "skos:prefLabel",
            "skos:prefLabel", "low-rank adaptation", "",
        ],
        [
            "concept:top%201%20accuracy", "top-1 accuracy", "skos:closeMatch", "terms:accuracy", "Top-1 Accuracy",
            "semapv:LexicalMatching", "vocabulary:terms.ttl", "0.57", "skos:prefLabel", "skos:prefLabel",
            "top-1 accuracy", "the types differ: Metric, Method",
        ],
    ]  # fmt: skip


def test_every_short_name_is_declared_and_leads_back_to_its_iri(matched_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_sssom(matched_graph, tmp_path / "m.tsv", base="https://example.org/kg/")

    mappings = read_sssom(tmp_path / "m.tsv")

    used = {row[name].partition(":")[0] for row in mappings.rows for name in IDS}
    assert mappings.prefixes.keys() == used
    for row, match in zip(mappings.rows, sorted(matched_graph.matches), strict=True):
        assert mappings.expand(row["subject_id"]) == to_iri(match.concept, base="https://example.org/kg/")
        assert mappings.expand(row["predicate_id"]) == f"http://www.w3.org/2004/02/skos/core#{match.predicate}"
        assert mappings.expand(row["object_id"]) == match.iri
    assert mappings.expand("semapv:x") == "https://w3id.org/semapv/vocab/x"


def test_the_header_tells_what_the_format_asks_for_and_no_date(matched_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_sssom(matched_graph, tmp_path / "m.tsv")
    write_sssom(replace(matched_graph, matches=matched_graph.matches[1:]), tmp_path / "other.tsv")

    metadata = read_sssom(tmp_path / "m.tsv").metadata

    assert list(metadata) == [
        "mapping_set_id", "mapping_set_description", "license", "mapping_tool", "mapping_tool_version",
    ]  # fmt: skip
    assert metadata["mapping_tool"] == "paperkg"
    assert metadata["mapping_set_id"].startswith("https://w3id.org/paperkg/mappings/")
    assert metadata["mapping_set_id"] != read_sssom(tmp_path / "other.tsv").metadata["mapping_set_id"]
    assert "terms.ttl (sha256 0123456789ab)" in metadata["mapping_set_description"]


def test_each_namespace_of_terms_has_a_prefix_of_its_own(tmp_path: Path) -> None:
    iris = [
        "http://e.org/a/x", "http://e.org/b#x", "http://e.org/b/", "urn:x-curie:AIO:x", "http://www.w3.org/ns/mls#x",
        "tag:x", "http://e.org/wiki/A:x",
    ]  # fmt: skip
    concepts = [Concept(f"concept:{n}", f"name {n}", ConceptType.METHOD) for n in range(len(iris))]
    terms = [Term(iri, (f"name {n}",)) for n, iri in enumerate(iris)]
    vocabularies = (Vocabulary("2 skos.ttl", "", tuple(terms[:5])), Vocabulary("skos.ttl", "", tuple(terms[5:])))
    write_sssom(make_graph(concepts, *vocabularies), tmp_path / "m.tsv")

    mappings = read_sssom(tmp_path / "m.tsv")

    assert [mappings.expand(row["object_id"]) for row in mappings.rows] == iris
    assert [row["object_id"] for row in mappings.rows] == [
        "v2skos2:x", "v2skos3:x", "v2skos:b/", "v2skos4:x", "mls:x", "skos3:x", "skos2:A:x",
    ]  # fmt: skip
    assert mappings.prefixes["vocabulary"] + "2%20skos.ttl" == mappings.expand(mappings.rows[0]["object_source"])


def test_a_vocabulary_that_matches_nothing_leaves_an_empty_table(tmp_path: Path) -> None:
    write_sssom(make_graph([], Vocabulary("v.ttl", "", (Term("urn:v:x", ("x",)),))), tmp_path / "m.tsv")

    assert read_sssom(tmp_path / "m.tsv").rows == []


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=3))
def test_any_text_comes_back(tmp_path: Path, texts: list[tuple[str, str, str]]) -> None:
    concepts = [Concept(f"concept:{name}{n}", label, ConceptType.TASK) for n, (name, label, _) in enumerate(texts)]
    matches = [
        Match(one.id, MatchKind.CLOSE, f"urn:v:{n}", texts[n][2], "v.tsv", one.label, "skos:prefLabel",
              "skos:altLabel", 0.5, comment='"tab\t"\n')
        for n, one in enumerate(concepts)
    ]  # fmt: skip
    vocabulary = Vocabulary("v.tsv", "", ())
    kg = replace(make_graph(concepts), vocabularies=(vocabulary,), matches=tuple(matches))
    write_sssom(kg, tmp_path / "m.tsv")

    rows = read_sssom(tmp_path / "m.tsv").rows

    assert sorted((row["subject_label"], row["object_label"], row["match_string"], row["comment"]) for row in rows) == (
        sorted((one.name, one.label, one.name, one.comment) for one in matches)
    )
