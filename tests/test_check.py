"""Tests of checking a graph folder: a whole one passes, and each fault is found and named."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kg.check import Finding, check
from kg.errors import GraphError
from kg.model import Concept, ConceptType, Paper, Predicate, Relation
from kg.network import write_graphml, write_json
from kg.rdf import write_mentions_nt, write_turtle
from kg.store import write_store

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph


def write_folder(kg: KnowledgeGraph, folder: Path) -> Path:
    """Write what a build writes, with stand-ins for the page and the report."""
    (folder / "store").mkdir(parents=True)
    write_store(kg, folder / "store")
    write_turtle(kg, folder / "graph.ttl")
    write_mentions_nt(kg, folder / "mentions.nt.gz")
    write_json(kg, folder / "graph.json")
    write_graphml(kg, folder / "graph.graphml")
    (folder / "graph.html").write_text("<!doctype html>", encoding="utf-8")
    (folder / "report.json").write_text("{}", encoding="utf-8")
    sign(folder)
    return folder


def sign(folder: Path) -> None:
    """Write the manifest for the files as they are."""
    files = {
        one.relative_to(folder).as_posix(): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in sorted(folder.rglob("*"))
        if one.is_file() and one.name != "manifest.json"
    }
    (folder / "manifest.json").write_text(json.dumps({"files": files}), encoding="utf-8")


@pytest.fixture
def folder(small_graph: KnowledgeGraph, tmp_path: Path) -> Path:
    """Return a folder without faults."""
    return write_folder(small_graph, tmp_path / "graph")


def test_a_whole_folder_has_no_findings(folder: Path) -> None:
    assert check(folder) == []


def test_what_is_no_folder_raises(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"there is no folder .*; 'kg build"):
        check(tmp_path / "nowhere")


def test_an_empty_folder_says_what_is_missing(tmp_path: Path) -> None:
    assert [one.file for one in check(tmp_path)] == ["graph.ttl", "manifest.json", "store"]


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("graph.ttl", "skos:prefLabel", "skos:hiddenLabel", "breaks its shape: .*/concept/c%2B%2B .*prefLabel"),
        ("graph.ttl", "kg:confidence 0.9", "kg:confidence 1.9", "breaks its shape: .*confidence"),
        ("graph.ttl", "\tkg:introduces concept:loda ;\n", "", "says what no triple"),
        ("graph.ttl", 'skos:altLabel "LoRA"', 'skos:altLabel "low-rank adaptation"', "S13"),
        ("graph.ttl", 'skos:prefLabel "LoDA"', 'skos:prefLabel "LoDA" , "Loda"', "S14: two preferred labels"),
        ("graph.ttl", 'skos:prefLabel "LoDA"', 'skos:broader concept:loda ; skos:prefLabel "LoDA"', "a circle"),
        ("graph.ttl", 'skos:prefLabel "C++"', 'skos:related [] ; skos:prefLabel "C++"', "has a blank node"),
        ("graph.ttl", 'skos:prefLabel "C++"', 'skos:prefLabel "C++', "can't be read: .* line"),
        ("graph.ttl", "paper:lonely a", "paper:other a", "holds 3 papers, the tables 3: it lacks paper:lonely and has"),
        ("graph.ttl", "rdf:predicate kg:reportsMetric", "rdf:predicate kg:mentions", "holds 7 relations.*lacks"),
        ("graph.ttl", "a skos:ConceptScheme", "a skos:Collection", "0 concept schemes"),
        (
            "graph.json",
            '"target": "concept:imagenet"',
            '"target": "concept:gone"',
            "ends at concept:gone, which is not",
        ),
        ("graph.json", '{"id": "concept:loda"', '{"id": "concept:imagenet"', "twice"),
        ("graph.json", '"nodes"', '"knots"', "can't be read: 'nodes'"),
        ("graph.json", "]}", "", "can't be read: "),
        ("graph.graphml", 'id="paper:lonely"', 'id="paper:other"', "lacks paper:lonely and has besides paper:other"),
        ("graph.graphml", ">introduces<", ">mentions<", "lacks paper:7 introduces concept:loda"),
        ("graph.graphml", "</graphml>", "", "can't be read: no element found"),
        ("graph.graphml", "<graphml ", "<!DOCTYPE x [<!ENTITY a 'b'>]><graphml ", "declares an entity"),
    ],
)
def test_a_changed_file_is_found_and_so_is_what_is_wrong(
    folder: Path, file: str, old: str, new: str, fault: str
) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")

    lines = [str(one) for one in check(folder)]
    changed = [line for line in lines if line.startswith(f"{file}: is not the file that the manifest lists")]
    sign(folder)
    findings = check(folder)

    assert len(changed) == 1
    assert {one.file for one in findings} == {file}
    assert [one for one in findings if matches(fault, one.fault)], findings


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        (
            "graph.ttl",
            "skos:exactMatch",
            "skos:closeMatch",
            "holds 3 matches.* lacks concept:imagenet exactMatch https:",
        ),
        ("graph.ttl", "v#imagenet>", "v#net>", "holds 3 matches, the tables 3: it lacks concept:imagenet exactMatch"),
        ("graph.ttl", "skos:closeMatch <https://example.org/v#accuracy>", 'skos:closeMatch "x"', "breaks its shape"),
        ("graph.json", '"close_match"', '"close"', "holds 2 matches, the tables 3: it lacks concept:top 1 accuracy"),
    ],
)
def test_matches_that_differ_between_the_files_are_named(
    matched_graph: KnowledgeGraph, tmp_path: Path, file: str, old: str, new: str, fault: str
) -> None:
    folder = write_folder(matched_graph, tmp_path / "matched")
    assert check(folder) == []
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")
    sign(folder)

    findings = check(folder)

    assert {one.file for one in findings} == {file}
    assert [one for one in findings if matches(fault, one.fault)], findings


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern is in a text."""
    return bool(re.search(pattern, text, re.DOTALL))


def test_nodes_that_stand_in_two_places_of_the_file_are_fine(folder: Path) -> None:
    text = (folder / "graph.ttl").read_text(encoding="utf-8")
    moved = text.replace('\tskos:prefLabel "LoDA" ;\n', "", 1) + '\nconcept:loda skos:prefLabel "LoDA" .\n'
    (folder / "graph.ttl").write_text(moved, encoding="utf-8", newline="\n")
    sign(folder)

    assert check(folder) == []


def test_parts_of_any_size_give_the_same_findings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (folder / "graph.ttl").read_text(encoding="utf-8")
    broken = text.replace("a foaf:Person", "a foaf:Agent").replace("hasSupport 1", "hasSupport 0")
    (folder / "graph.ttl").write_text(broken, encoding="utf-8", newline="\n")
    whole = check(folder)
    monkeypatch.setattr("kg.check.triples._PART", 1)

    assert len(whole) > 5
    assert check(folder) == whole


def test_many_faults_are_cut_short_with_a_word(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    papers = [Paper(id=f"extra {number}", title="Extra", year=2000) for number in range(150)]
    papers = [*small_graph.papers.values(), *papers]
    kg = replace(small_graph, papers={one.id: one for one in sorted(papers, key=lambda paper: paper.id)})
    folder = write_folder(kg, tmp_path / "graph")
    text = (folder / "graph.ttl").read_text(encoding="utf-8")
    (folder / "graph.ttl").write_text(text.replace("issued 2000", "issued 1"), encoding="utf-8", newline="\n")
    sign(folder)

    findings = check(folder)

    assert len(findings) == 101
    assert Finding("graph.ttl", "shapes: more than 100 faults; the rest are not listed") in findings


def test_a_missing_file_and_one_that_is_not_listed_are_named(folder: Path) -> None:
    (folder / "graph.html").unlink()
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["files"]["report.json"]
    manifest["files"]["../elsewhere"] = "0"
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    assert [str(one) for one in check(folder)] == [
        "graph.html: is missing, and the manifest lists it",
        "manifest.json: does not list report.json",
        "manifest.json: lists '../elsewhere', which is outside of the folder",
    ]


@pytest.mark.parametrize("text", ["", "[]", '{"files": []}', '{"files": {"graph.ttl": 1}}', "\udcff"])
def test_a_manifest_that_is_none_is_named(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    assert [one.file for one in check(folder)] == ["manifest.json"]


@pytest.mark.parametrize("name", ["papers", "concepts", "relations", "mentions"])
def test_a_table_that_cannot_be_read_is_named(folder: Path, name: str) -> None:
    (folder / "store" / f"{name}.parquet").write_bytes(b"PAR1 not really")
    sign(folder)

    findings = check(folder)

    assert len(findings) == 1
    assert "can't be read" in findings[0].fault


def test_a_table_that_ends_outside_of_the_graph_is_named(folder: Path, small_graph: KnowledgeGraph) -> None:
    concepts = {node: one for node, one in small_graph.concepts.items() if node != "concept:loda"}
    relations = tuple(one for one in small_graph.relations if one.object != "concept:loda")
    write_store(replace(small_graph, concepts=concepts, relations=relations), folder / "store")

    faults = [str(one) for one in check(folder)]

    assert "store/mentions.parquet: 'LoDA' means 'concept:loda', which is not in the graph" in faults
    assert [one for one in faults if one.startswith("graph.json: holds 5 concepts, the tables 4")]


def test_concepts_that_are_one_are_named(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    twins = [
        Concept("concept:loda 2", "LODA", ConceptType.METHOD),
        Concept("concept:loda 3", "LoDA", ConceptType.TASK, ("LoDA", "lo")),
    ]
    kg = replace(small_graph, concepts=dict(small_graph.concepts) | {one.id: one for one in twins})

    findings = check(write_folder(kg, tmp_path / "graph"))

    assert [str(one) for one in findings] == [
        "store/concepts.parquet: concept:loda 3 has 'LoDA' as label and as alternative label",
        "store/concepts.parquet: concept:loda and concept:loda 2 are both the Method 'LODA'",
    ]


def test_a_circle_of_broader_concepts_is_named(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    evidence = small_graph.relations[0].evidence
    circle = [
        Relation("concept:loda", Predicate.BROADER, "concept:low rank adaptation", 0.9, evidence),
        Relation("concept:low rank adaptation", Predicate.BROADER, "concept:loda", 0.9, evidence),
    ]
    folder = write_folder(replace(small_graph, relations=(*circle, *small_graph.relations)), tmp_path / "graph")

    faults = [str(one) for one in check(folder)]

    assert (
        "store/relations.parquet: broader goes in a circle through concept:loda, concept:low rank adaptation" in faults
    )
    assert len(faults) == 3  # and once for each in the triples


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"offset": 1}, "is not what the abstract of paper:7 reads at 1"),
        ({"sentence": "We propose LoRA."}, "is not what the abstract of paper:7 reads at 0"),
        ({"end": 900}, "marks 11 to 900 of a sentence of 58 characters"),
        ({"paper": "paper:gone"}, "is from paper:gone, which is not in the graph"),
    ],
)
def test_evidence_that_is_not_in_the_paper_is_named(
    small_graph: KnowledgeGraph, folder: Path, change: dict[str, str | int], fault: str
) -> None:
    first, *rest = small_graph.relations
    evidence = replace(first.evidence[0], **change)  # type: ignore[arg-type]
    write_store(replace(small_graph, relations=(replace(first, evidence=(evidence,)), *rest)), folder / "store")
    sign(folder)

    assert [str(one) for one in check(folder)] == [
        f"store/relations.parquet: evidence for paper:7 introduces concept:loda {fault}"
    ]
