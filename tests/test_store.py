"""Tests of the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.errors import GraphError
from kg.mentions import read_mentions
from kg.store import read_store, write_store

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph


def test_what_is_written_is_read_back(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    write_store(small_graph, folder)

    again = read_store(folder, small_graph.report)

    assert replace(again, mentions=small_graph.mentions) == small_graph
    assert [*read_mentions(again.mentions)] == [*read_mentions(small_graph.mentions)]


def test_a_missing_table_is_named(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"papers\.parquet"):
        read_store(tmp_path, small_graph.report)


def test_terms_of_vocabularies_are_read_back(matched_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    write_store(matched_graph, folder)

    again = read_store(folder, matched_graph.report)

    assert again.vocabularies == matched_graph.vocabularies
    assert again.matches == matched_graph.matches


def test_terms_without_matches_are_an_error(matched_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    write_store(matched_graph, folder)
    (folder / "matches.parquet").unlink()

    with pytest.raises(GraphError, match=r"matches\.parquet"):
        read_store(folder, matched_graph.report)


def test_a_table_of_another_version_is_named(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    write_store(small_graph, folder)
    pq.write_table(pa.table({"id": ["concept:bert"]}), folder / "concepts.parquet")

    with pytest.raises(GraphError, match=r"concepts\.parquet' was written by another version"):
        read_store(folder, small_graph.report)


def test_communities_and_centrality_are_read_back(placed_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    kg = replace(placed_graph, centrality={"concept:loda": 1.0, "concept:imagenet": 0.5})
    write_store(kg, folder)

    again = read_store(folder, kg.report)

    assert again.communities == kg.communities
    assert list(again.centrality.items()) == [("concept:loda", 1.0), ("concept:imagenet", 0.5)]


def test_a_store_of_an_older_version_has_no_communities(placed_graph: KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    write_store(placed_graph, folder)
    for name in ("communities", "centrality"):
        (folder / f"{name}.parquet").unlink()

    again = read_store(folder, placed_graph.report)

    assert placed_graph.communities
    assert not again.communities
