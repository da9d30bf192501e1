"""The files that a graph folder has beside its tables, each made of the graph alone.

Other processes, which read the graph from its tables, make some of those of a large graph.
"""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING

from kg.errors import ExportError
from kg.memory import uncollected
from kg.network import write_graphml, write_json
from kg.processes import count_cores, to_pool
from kg.rdf import write_mentions_nt, write_turtle
from kg.store import read_store
from kg.view import write_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kg.model import KnowledgeGraph, Report

    Writer = Callable[[KnowledgeGraph, Path, str], None]

__all__ = ["OUTPUTS", "write_outputs"]

_LARGE = 20_000  # relations from which on it pays to start other processes
_LARGEST = 2_000_000  # of which several processes can have a copy

# Those first that take longest; the last one takes most memory, so it has it for itself.
OUTPUTS: dict[str, Writer] = {
    "graph.ttl": lambda kg, path, base: write_turtle(kg, path, base=base),
    "mentions.nt.gz": lambda kg, path, base: write_mentions_nt(kg, path, base=base),
    "graph.graphml": lambda kg, path, _: write_graphml(kg, path),
    "graph.json": lambda kg, path, _: write_json(kg, path),
    "graph.html": lambda kg, path, _: write_page(kg, path),
}


def write_outputs(kg: KnowledgeGraph, folder: Path, *, base: str, workers: int) -> None:
    """Write the files of a graph into a folder that has its tables in ``store``.

    Parameters
    ----------
    base : str
        What the IRIs of papers and concepts begin with.
    workers : int
        Processes, this one among them, if the graph is large and not huge; 0 is as many as there are cores.
    """
    workers = min(workers or count_cores(), len(OUTPUTS) - 1)
    if workers == 1 or not _LARGE <= len(kg.relations) <= _LARGEST:
        for name in OUTPUTS:
            _write(kg, folder, name, base)
        return
    pool = to_pool(workers - 1, _take, folder, kg.report)
    first, *rest, last = OUTPUTS
    try:
        waiting = {name: pool.submit(_write_loaded, folder, name, base) for name in rest}
        _write(kg, folder, first, base)
        for name in reversed(rest):
            if waiting[name].cancel():  # no other process has come to it
                _write(kg, folder, name, base)
                del waiting[name]
        for one in waiting.values():
            one.result()
    except BrokenProcessPool as error:
        raise ExportError("a process that writes files ended, perhaps for want of memory; use fewer") from error
    finally:
        pool.shutdown(cancel_futures=True)
    _write(kg, folder, last, base)


_given: list[tuple[Path, Report]] = []


def _take(folder: Path, report: Report) -> None:
    """Take note of which graph another process writes."""
    _given.append((folder, report))


@cache
def _load() -> KnowledgeGraph:
    """Return the graph, in another process, from its tables."""
    folder, report = _given[0]
    return read_store(folder / "store", report)


@uncollected()
def _write_loaded(folder: Path, name: str, base: str) -> None:
    """Write one of the files of the graph, in another process."""
    _write(_load(), folder, name, base)


def _write(kg: KnowledgeGraph, folder: Path, name: str, base: str) -> None:
    """Write one of the files of a graph."""
    OUTPUTS[name](kg, folder / name, base)
