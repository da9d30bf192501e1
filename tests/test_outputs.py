"""The files beside a graph's tables: the same, whoever writes them, and whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kg import outputs
from kg.errors import ExportError, GraphError
from kg.folder import write
from kg.store import write_store
from kg.vocab import BASE

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph


def read_all(folder: Path) -> dict[str, bytes]:
    """Return the content of all files in a folder."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("workers", [2, 9])
def test_several_processes_write_the_same_files_as_one(
    small_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    write(small_graph, tmp_path / "alone")
    monkeypatch.setattr(outputs, "_LARGE", 0)

    write(small_graph, tmp_path / "together", workers=workers)

    assert read_all(tmp_path / "together") == read_all(tmp_path / "alone")


def test_what_another_process_can_not_write_is_an_error_here(
    small_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "_LARGE", 0)
    (tmp_path / "store").mkdir()
    write_store(small_graph, tmp_path / "store")
    (tmp_path / "mentions.nt.gz").mkdir()

    with pytest.raises(ExportError, match=r"mentions\.nt\.gz"):
        outputs.write_outputs(small_graph, tmp_path, base=BASE, workers=2)


def test_tables_that_another_process_can_not_read_are_an_error_here(
    small_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "_LARGE", 0)

    with pytest.raises(GraphError, match=r"papers\.parquet' is missing"):
        outputs.write_outputs(small_graph, tmp_path, base=BASE, workers=2)


def test_a_small_graph_is_written_by_one_process(
    small_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "to_pool", lambda *_: pytest.fail("a process is started"))

    write(small_graph, tmp_path / "graph", workers=0)

    assert (tmp_path / "graph/graph.html").is_file()
