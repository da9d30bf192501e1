"""Tests of graph folders: whole or not at all, and the way back."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx
import pyoxigraph
import pytest
import rdflib
from filelock import FileLock

from kg.errors import ExportError, GraphError
from kg.folder import hold, load, write
from kg.outputs import OUTPUTS

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph

FILES = {
    "graph.graphml", "graph.html", "graph.json", "graph.ttl", "manifest.json", "mentions.nt.gz", "report.json",
    "store/centrality.parquet", "store/communities.parquet",
    "store/concepts.parquet", "store/mentions.parquet", "store/papers.parquet", "store/relations.parquet",
    "store/results.parquet",
}  # fmt: skip


def list_files(folder: Path) -> set[str]:
    """Return the files below a folder, by their path in it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_holds_the_files_that_others_rely_on(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")

    assert list_files(tmp_path / "graph") == FILES
    assert set(json.loads((tmp_path / "graph/manifest.json").read_text())["files"]) == FILES - {"manifest.json"}


def test_a_graph_with_vocabularies_has_their_files_too(matched_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(matched_graph, tmp_path / "graph")

    more = {"mappings.sssom.tsv", "store/matches.parquet", "store/terms.parquet"}
    assert list_files(tmp_path / "graph") == FILES | more
    assert set(json.loads((tmp_path / "graph/manifest.json").read_text())["files"]) == (FILES | more) - {
        "manifest.json"
    }
    assert replace(load(tmp_path / "graph"), mentions=matched_graph.mentions) == matched_graph


def test_what_is_written_is_loaded(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")

    assert replace(load(tmp_path / "graph"), mentions=small_graph.mentions) == small_graph


def test_the_files_agree_on_what_is_in_the_graph(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")

    node_link = nx.node_link_graph(json.loads((tmp_path / "graph/graph.json").read_text("utf-8")), edges="edges")
    graphml = nx.read_graphml(tmp_path / "graph/graph.graphml", force_multigraph=True)
    turtle = rdflib.Graph().parse(tmp_path / "graph/graph.ttl")
    store = pyoxigraph.Store()
    store.load(path=str(tmp_path / "graph/graph.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    assert set(node_link) == set(graphml) == {*small_graph.papers, *small_graph.concepts}
    assert node_link.number_of_edges() == graphml.number_of_edges() == len(small_graph.relations)
    assert len(turtle) == len(store)
    statements = turtle.query("SELECT ?s { ?s a <https://w3id.org/cskg/ontology#Statement> }")
    assert len(list(statements)) == len(small_graph.relations)


def test_a_second_build_takes_the_place_of_the_first(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")
    (tmp_path / "graph/stray.txt").write_text("left over")

    write(small_graph, tmp_path / "graph")

    assert list_files(tmp_path / "graph") == FILES
    assert {path.name for path in tmp_path.iterdir()} <= {"graph", ".graph.lock", "mentions.parquet"}


def test_a_folder_with_other_files_is_left_alone(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.tex").write_text("years of work")

    with pytest.raises(ExportError, match="holds files but no graph"):
        write(small_graph, tmp_path / "thesis")

    assert list_files(tmp_path / "thesis") == {"chapter.tex"}


def test_a_file_is_not_taken_for_a_folder(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "papers.txt").write_text("text")

    with pytest.raises(ExportError, match="is a file"):
        write(small_graph, tmp_path / "papers.txt")
    with pytest.raises(ExportError, match="can't be written"):
        write(small_graph, tmp_path / "papers.txt" / "graph")

    assert (tmp_path / "papers.txt").read_text() == "text"


def test_a_failure_while_writing_leaves_the_old_graph(
    small_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(small_graph, tmp_path / "graph")
    before = (tmp_path / "graph/graph.ttl").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(OUTPUTS, "graph.html", fail)
    with pytest.raises(ExportError, match="No space left on device"):
        write(replace(small_graph, relations=()), tmp_path / "graph")

    assert (tmp_path / "graph/graph.ttl").read_bytes() == before
    assert list_files(tmp_path / "graph") == FILES
    assert not (tmp_path / ".graph.new").exists()


def test_two_builds_into_one_folder_are_not_mixed(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with FileLock(tmp_path / ".graph.lock"), pytest.raises(ExportError, match="another build is writing"):
        write(small_graph, tmp_path / "graph")

    assert not (tmp_path / "graph").exists()


def test_a_swap_that_stopped_half_way_is_mended(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")
    (tmp_path / "graph").rename(tmp_path / ".graph.old")

    assert load(tmp_path / "graph").papers == small_graph.papers


@pytest.mark.parametrize(("name", "fault"), [("nowhere", "does not exist"), ("empty", "has no manifest")])
def test_what_is_no_graph_folder_is_named(tmp_path: Path, name: str, fault: str) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(GraphError, match=fault):
        load(tmp_path / name)


def test_a_spoilt_report_is_an_error_of_ours(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")
    (tmp_path / "graph/report.json").write_text("{")

    with pytest.raises(GraphError, match=r"report\.json"):
        load(tmp_path / "graph")


def test_the_place_of_a_folder_does_not_change_its_bytes(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "one")
    write(small_graph, tmp_path / "elsewhere" / "deep" / "other")

    for name in sorted(FILES):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "elsewhere/deep/other" / name).read_bytes(), name
    shutil.rmtree(tmp_path / "elsewhere")


def test_a_build_that_was_refused_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="refused"), hold(tmp_path / "new/deep/graph"):
        raise ValueError("refused")

    assert list(tmp_path.iterdir()) == []


def test_what_a_stopped_build_keeps_stays_until_one_ends_well(tmp_path: Path) -> None:
    (tmp_path / ".graph.work").mkdir()
    with pytest.raises(ValueError, match="stopped"), hold(tmp_path / "graph"):
        raise ValueError("stopped")
    with hold(tmp_path / "graph") as work:
        assert work.is_dir()

    assert not work.exists()
