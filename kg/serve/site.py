"""The graph that is served now, and the next one once its folder was built again."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import KgError
from kg.folder import find_base, load
from kg.serve.pool import QueryPool
from kg.serve.processes import find_lanes
from kg.vocab import to_iri

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kg.model import KnowledgeGraph, Relation
    from kg.serve.options import Options

__all__ = ["Site", "Snapshot", "find_stamp", "to_path"]

_LOG = logging.getLogger(__name__)
_WAIT = 2.0  # seconds that a request waits for a graph that was just built

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One graph as it is served: all that is answered from it agrees."""

    folder: Path
    stamp: Stamp | None  # of the folder when it was read
    kg: KnowledgeGraph
    base: str
    pool: QueryPool
    paths: Mapping[str, str]  # nodes by the local path of their IRI
    relations: Mapping[str, list[Relation]]  # by the nodes at their ends
    replaced: Mapping[str, str]  # ids that merges took away, and what they are now


class Site:
    """A folder that is served; use it in an ``async with``."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder, self.options = folder, options
        self._stamp: Stamp | None = None
        self._snapshot: Snapshot | None = None
        self._reload: asyncio.Task[None] | None = None
        self._retired: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Read the graph.

        Raises
        ------
        GraphError
            If there is none, or one that can't be read.
        """
        self._stamp = find_stamp(self.folder)
        self._snapshot = await self._read()

    async def close(self) -> None:
        """End what runs."""
        for task in (self._reload, *self._retired):
            if task:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        if self._snapshot:
            await self._snapshot.pool.close()

    async def find_snapshot(self) -> Snapshot:
        """Return the graph that stands in the folder, or the one before while that takes long to read."""
        stamp = find_stamp(self.folder)
        if stamp and stamp != self._stamp and not (self._reload and not self._reload.done()):
            self._stamp = stamp
            self._reload = asyncio.get_running_loop().create_task(self._replace())
        if self._reload and not self._reload.done():
            await asyncio.wait({self._reload}, timeout=_WAIT)
        assert self._snapshot
        return self._snapshot

    async def _replace(self) -> None:
        """Read the graph again; where that fails, the old one stays."""
        try:
            new = await self._read()
        except (KgError, OSError, ValueError) as error:
            _LOG.warning("the graph was built again and can't be read, so the old one is served: %s", error)
            return
        old, self._snapshot = self._snapshot, new
        if old:
            task = asyncio.get_running_loop().create_task(_retire(old.pool))
            self._retired.add(task)
            task.add_done_callback(self._retired.discard)

    async def _read(self) -> Snapshot:
        """Return the graph in the folder, with processes that have read it."""
        pool, stamp = QueryPool(self.folder, **find_lanes(self.folder)), self._stamp
        try:
            kg, base = await asyncio.to_thread(lambda: (load(self.folder), find_base(self.folder)))
            await pool.__aenter__()
        except BaseException:
            await pool.close()
            raise
        return await asyncio.to_thread(_make_snapshot, self.folder, stamp, (kg, base), pool)


async def _retire(pool: QueryPool) -> None:
    """Close a pool once nobody asks it, or at once if there is no time left."""
    try:
        await pool.retire()
    finally:
        await pool.close()


def _make_snapshot(folder: Path, stamp: Stamp | None, read: tuple[KnowledgeGraph, str], pool: QueryPool) -> Snapshot:
    """Return a graph, given with its base, with what pages look up."""
    kg, base = read
    relations: dict[str, list[Relation]] = {}
    for relation in kg.relations:
        for node in {relation.subject, relation.object}:
            relations.setdefault(node, []).append(relation)
    paths = {to_path(node): node for node in (*kg.papers, *kg.concepts)}
    replaced = {to_path(old): concept.id for concept in kg.concepts.values() for old in concept.replaces}
    return Snapshot(folder, stamp, kg, base, pool, paths, relations, replaced)


def to_path(node: str) -> str:
    """Return the local path of a node's IRI.

    Examples
    --------
    >>> to_path("paper:10.1000/a<b>")
    '/paper/10.1000%2Fa%3Cb%3E'
    """
    return to_iri(node, base="/")


def find_stamp(folder: Path) -> Stamp | None:
    """Return what changes when a folder is built again; None while it is not there."""
    try:
        status = (folder / "manifest.json").stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size
