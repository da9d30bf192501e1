"""Tests of exports: every format, whole files only, and tables that open safely."""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import ExportError
from kg.export import FORMATS, Choice, export, write_csv
from kg.folder import load
from kg.model import Concept, ConceptType, KnowledgeGraph, MentionFile, Paper, Report

if TYPE_CHECKING:
    from collections.abc import Mapping

RDF = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "trig": ox.RdfFormat.TRIG,
}


def read_table(path: Path) -> list[Mapping[str, str]]:
    """Return the rows of a table by heading."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def make_graph(label: str, *alt_labels: str) -> KnowledgeGraph:
    """Return a graph of one concept."""
    concept = Concept("concept:m", label, ConceptType.METHOD, alt_labels)
    return KnowledgeGraph({}, {concept.id: concept}, (), MentionFile(Path("none")), Report())


def test_the_formats_are_those_that_are_documented() -> None:
    expected = ["turtle", "ntriples", "jsonld", "rdfxml", "trig", "graphml", "gexf", "json", "csv"]
    expected += ["cytoscape", "vosviewer", "neo4j", "skos", "sssom", "void"]

    assert [*FORMATS] == expected
    documented = (Path(__file__).parents[1] / "docs" / "exports.md").read_text(encoding="utf-8")
    assert [name for name in expected if f"`{name}`" not in documented] == []


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"csv", "neo4j"}))
def test_a_stream_gets_the_bytes_of_the_file(small_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    stream = io.BytesIO()

    export(small_graph, form, tmp_path / "graph")
    export(small_graph, form, stream)

    assert stream.getvalue() == (tmp_path / "graph").read_bytes() != b""
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".parquet"] == ["graph"]


def test_rdf_formats_hold_the_same_triples(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    triples = {}
    for name, form in RDF.items():
        export(small_graph, name, tmp_path / name)
        triples[name] = {str(quad.triple) for quad in ox.parse(path=str(tmp_path / name), format=form)}

    assert len(triples["turtle"]) > 50
    assert all(found == triples["turtle"] for found in triples.values())


def test_the_base_of_iris_can_be_chosen(small_graph: KnowledgeGraph) -> None:
    stream = io.BytesIO()

    export(small_graph, "ntriples", stream, base="https://example.org/mine/")

    assert b"<https://example.org/mine/concept/loda>" in stream.getvalue()


def test_an_unknown_format_is_refused_with_the_choices(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"no format 'xlsx'; choose one of turtle, ntriples, .*, csv,"):
        export(small_graph, "xlsx", tmp_path / "graph")


def test_a_missing_folder_is_named(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"there is no folder '.*nowhere' to write 'graph\.json' in"):
        export(small_graph, "json", tmp_path / "nowhere" / "graph.json")


def test_one_file_does_not_replace_a_folder(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="is a folder; name a file in it"):
        export(small_graph, "json", tmp_path)


def test_csv_does_not_go_to_a_stream_or_a_file(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "table").write_text("mine", encoding="utf-8")

    with pytest.raises(ExportError, match="csv is a folder of three files"):
        export(small_graph, "csv", io.BytesIO())
    with pytest.raises(ExportError, match="is a file and csv is a folder"):
        export(small_graph, "csv", tmp_path / "table")
    assert (tmp_path / "table").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("form", ["graphml", "gexf"])
def test_a_failed_export_leaves_what_was_there(small_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    target = tmp_path / "out" / "graph"
    target.parent.mkdir()
    export(small_graph, form, target)
    before = {path: path.read_bytes() for path in target.parent.rglob("*") if path.is_file()}
    bad = Paper(id="bad\x01id", title="Bad")
    broken = replace(small_graph, papers={bad.id: bad, **small_graph.papers})

    with pytest.raises(ExportError, match="which XML can't"):
        export(broken, form, target)

    assert {path: path.read_bytes() for path in target.parent.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("form", ["turtle", "graphml", "csv"])
def test_a_full_disk_is_reported_and_leaves_no_file(small_graph: KnowledgeGraph, form: str, tmp_path: Path) -> None:
    import resource

    folder = tmp_path / "out"
    folder.mkdir()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        with pytest.raises(ExportError, match="writ"):
            export(small_graph, form, folder / "graph")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert [*folder.iterdir()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_files_have_the_usual_permissions(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "plain").touch()

    export(small_graph, "json", tmp_path / "graph")

    assert (tmp_path / "graph").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_tables_have_every_node_and_edge(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    export(small_graph, "csv", tmp_path / "tables")

    nodes = {row["id"]: row for row in read_table(tmp_path / "tables" / "nodes.csv")}
    edges = read_table(tmp_path / "tables" / "edges.csv")
    assert nodes.keys() == {*small_graph.papers, *small_graph.concepts}
    assert nodes["paper:7"]["year"] == "2026"
    assert nodes["paper:7"]["authors"] == "Zoë Lee | O'Brien"
    assert nodes["paper:lonely"]["abstract"] == ""
    assert (nodes["concept:imagenet"]["kind"], nodes["concept:imagenet"]["type"]) == ("Concept", "Dataset")
    ends = {(row["source"], row["predicate"], row["target"]) for row in edges}
    assert ends == {(one.subject, one.predicate.value, one.object) for one in small_graph.relations}
    assert edges[0]["evidence"].startswith("We propose LoDA")
    assert {row["support"] for row in edges} == {"1", "2"}


def test_results_are_a_table_of_their_own(tmp_path: Path) -> None:
    kg = load(Path(__file__).parents[1] / "exports/icml2026")
    export(kg, "csv", tmp_path / "tables")
    export(kg, "csv", tmp_path / "bare", choice=Choice(texts=False))

    rows = read_table(tmp_path / "tables" / "results.csv")
    assert len(rows) == len(kg.results) > 0
    (fps,) = [row for row in rows if row["metric"] == "FPS"]
    assert (fps["value"], fps["kind"], fps["metric_id"]) == ("42.0", "level", "concept:fps")
    assert "42 FPS" in fps["sentence"]
    assert {row["sentence"] for row in read_table(tmp_path / "bare" / "results.csv")} == {""}


def test_tables_are_written_again_over_the_old_ones(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "notes.txt").touch()

    export(small_graph, "csv", tmp_path / "tables")
    export(small_graph, "csv", tmp_path / "tables")

    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == [
        "edges.csv",
        "nodes.csv",
        "notes.txt",
        "results.csv",
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " -", "\r@", "＝"])
def test_no_cell_is_a_formula(start: str, tmp_path: Path) -> None:
    write_csv(make_graph(f"{start}cmd|' /C calc'!A0", "plain", f"{start}1"), tmp_path)

    (row,) = read_table(tmp_path / "nodes.csv")
    assert row["label"].startswith("'")
    assert [part[0] for part in row["alt_labels"].split(" | ")] == ["p", "'"]


@settings(max_examples=60, deadline=None, database=None)
@given(label=st.text(min_size=1).filter(str.strip))
def test_any_label_is_one_cell_on_one_line(label: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_csv(make_graph(label), Path(folder))
        (row,) = read_table(Path(folder) / "nodes.csv")
        lines = (Path(folder) / "nodes.csv").read_text(encoding="utf-8").splitlines()

    expected = "".join(" " if char < " " or char in "\x7f\x85\u2028\u2029" else char for char in label)
    assert " ".join(row["label"].removeprefix("'").split()) == " ".join(expected.removeprefix("'").split())
    assert len(lines) == 2
