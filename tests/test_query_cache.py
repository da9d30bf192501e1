"""Tests of the store that is kept of a large graph: made once, whole or not at all, and never needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from kg.check import check
from kg.folder import write
from kg.query import QueryWorker, cache
from kg.query.cache import CACHE, find_store

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph

COUNT = "SELECT (COUNT(*) AS ?n) { ?paper a schema:ScholarlyArticle }"


@pytest.fixture
def folder(small_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a graph folder that counts as large."""
    monkeypatch.setattr(cache, "SMALLEST", 0)
    write(small_graph, tmp_path / "graph")
    return tmp_path / "graph"


def ask(folder: Path, sparql: str = COUNT) -> object:
    """Return the only value of an answer by a new process."""
    with QueryWorker(folder) as worker:
        return worker.run(sparql).to_values()[0]["n"]


def list_cache(folder: Path) -> list[str]:
    """Return what lies in the cache, sorted."""
    return sorted(path.name for path in (folder / CACHE).iterdir())


def test_a_store_is_made_once_and_answers_as_the_file_does(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(folder)
    before = list_cache(folder)
    monkeypatch.setattr(cache, "_fill", lambda *_: pytest.fail("the store is made again"))

    assert first == ask(folder) == 3
    assert list_cache(folder) == before
    assert [name.split("-")[0] for name in before] == [".gitignore", "oxigraph"]


def test_names_of_nodes_are_known_with_a_store_too(small_graph: KnowledgeGraph, folder: Path) -> None:
    write(small_graph, folder, base="https://example.org/mine/")

    with QueryWorker(folder) as worker:
        assert worker.run("ASK { paper:7 kg:introduces concept:loda }").boolean is True


def test_a_small_graph_gets_no_store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SMALLEST", 8_000_000)

    assert ask(folder) == 3
    assert not (folder / CACHE).exists()


def test_a_graph_that_changed_gets_another_store(folder: Path) -> None:
    ask(folder)
    (old,) = (name for name in list_cache(folder) if name != ".gitignore")
    with (folder / "graph.ttl").open("a", encoding="utf-8") as file:
        file.write("<https://example.org/new> a schema:ScholarlyArticle .\n")

    assert ask(folder) == 4
    assert old not in list_cache(folder)
    assert len(list_cache(folder)) == 2


@pytest.mark.parametrize("size", [0, 100])
def test_a_store_that_is_broken_is_made_anew(folder: Path, size: int) -> None:
    ask(folder)
    store = find_store(folder / "graph.ttl")
    assert store
    for path in store.glob("*.sst"):
        os.truncate(path, size)

    assert ask(folder) == 3
    assert not store.exists()
    assert ask(folder) == 3
    assert store.is_dir()


def test_a_store_whose_triples_are_damaged_is_found_out_when_they_are_read(folder: Path) -> None:
    ask(folder)
    store = find_store(folder / "graph.ttl")
    assert store
    for path in store.glob("*.sst"):
        whole = path.read_bytes()
        path.write_bytes(b"\xff" * (len(whole) // 2) + whole[len(whole) // 2 :])

    assert ask(folder) == 3


def test_a_build_and_a_check_mind_no_store(small_graph: KnowledgeGraph, folder: Path) -> None:
    ask(folder)

    assert check(folder) == []
    write(small_graph, folder)
    assert not (folder / CACHE).exists()


def test_a_folder_with_nothing_but_a_store_can_be_written(small_graph: KnowledgeGraph, folder: Path) -> None:
    ask(folder)
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    shutil.rmtree(folder / "store")

    write(small_graph, folder)
    assert ask(folder) == 3


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path, new: Path) -> None:
        (new / "half").write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_fill", fail)

    assert ask(folder) == 3
    assert list_cache(folder) == [".gitignore"]


def test_what_an_interrupted_process_left_is_removed(folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    left = folder / CACHE / f"new-{gone.pid}-0"
    left.mkdir(parents=True)
    working = folder / CACHE / f"new-{os.getpid()}-0"
    working.mkdir()

    ask(folder)

    assert working.is_dir()
    assert not left.exists()


def test_two_at_once_share_a_store(folder: Path) -> None:
    found: list[object] = []
    threads = [Thread(target=lambda: found.append(ask(folder))) for _ in range(3)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [3, 3, 3]
    assert len(list_cache(folder)) == 2


def test_a_folder_that_can_not_be_written_is_asked_all_the_same(folder: Path) -> None:
    (folder / CACHE).write_text("no folder can be made here", encoding="utf-8")

    assert find_store(folder / "graph.ttl") is None
    assert ask(folder) == 3
