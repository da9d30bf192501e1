"""A graph folder: everything that a build writes, and the way back.

A folder is written beside its place under a temporary name and swapped in when it is whole,
under a lock, so that readers see the old graph or the new one. The manifest names the files
that belong together, with their hashes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from kg.decisions import DECISIONS, read_decisions, write_decisions
from kg.errors import ExportError, GraphError
from kg.model import Report, Skip
from kg.network import write_graphml, write_json
from kg.query.cache import CACHE
from kg.rdf import write_mentions_nt, write_turtle
from kg.sssom import write_sssom
from kg.store import read_store, write_store
from kg.view import write_page
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Decision, KnowledgeGraph

__all__ = ["find_base", "find_decisions", "load", "write"]

_MAPPINGS = "mappings.sssom.tsv"
_MANIFEST = "manifest.json"


def write(kg: KnowledgeGraph, folder: str | Path, *, base: str = BASE) -> None:
    """Write a graph folder, in place of the one that stands there.

    Parameters
    ----------
    kg : KnowledgeGraph
    folder : path
        Its parents are made. What is there already must be a graph folder or empty.
    base : str
        What the IRIs of papers and concepts begin with.

    Raises
    ------
    ExportError
        If the folder holds something else, another build is writing it, or the disk refuses.
        What was there before is then still there, unchanged.
    """
    folder = Path(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            _refuse_strangers(folder)
            new = _sibling(folder, "new")
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            try:
                _write_files(kg, new, base)
                _swap(folder, new)
            finally:
                shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise ExportError(f"{str(folder)!r} can't be written: {error.strerror or error}") from error


def load(folder: str | Path) -> KnowledgeGraph:
    """Return the graph in a folder that `write` or ``kg build`` wrote.

    Raises
    ------
    GraphError
        If there is no graph folder, or one of another version.
    """
    folder = Path(folder)
    _recover(folder)
    if not (folder / _MANIFEST).is_file():
        what = "has no manifest.json" if folder.is_dir() else "does not exist"
        raise GraphError(f"graph folder {str(folder)!r} {what}; 'kg build PAPERS --out DIR' makes one")
    try:
        report = _to_report(json.loads((folder / "report.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise GraphError(f"{str(folder / 'report.json')!r} can't be read: {error}; build the graph again") from error
    graph = read_store(folder / "store", report)
    return replace(graph, decisions=tuple(find_decisions(folder)))


def find_decisions(folder: Path) -> list[Decision]:
    """Return the decisions that lie in a graph folder, or none.

    Raises
    ------
    InputError
        If the file is there and a line of it decides nothing.
    """
    path = folder / DECISIONS
    return read_decisions(path) if path.is_file() else []


def find_base(folder: Path) -> str:
    """Return what the IRIs of a graph folder begin with."""
    try:
        return str(json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))["base"])
    except (OSError, ValueError, KeyError) as error:
        raise GraphError(f"{str(folder / _MANIFEST)!r} can't be read: {error}; build the graph again") from error


def _write_files(kg: KnowledgeGraph, folder: Path, base: str) -> None:
    """Write all files of a graph into an empty folder, the manifest last."""
    (folder / "store").mkdir()
    write_store(kg, folder / "store")
    write_turtle(kg, folder / "graph.ttl", base=base)
    write_mentions_nt(kg, folder / "mentions.nt.gz", base=base)
    write_json(kg, folder / "graph.json")
    write_graphml(kg, folder / "graph.graphml")
    write_page(kg, folder / "graph.html")
    _write_json(asdict(kg.report), folder / "report.json")
    if kg.decisions:
        write_decisions(kg.decisions, folder / DECISIONS)
    if kg.vocabularies:
        write_sssom(kg, folder / _MAPPINGS, base=base)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    hashes = {path.relative_to(folder).as_posix(): _hash(path) for path in files}
    _write_json({**kg.report.settings, "base": base, "files": hashes}, folder / _MANIFEST)
    for path in [*files, folder / _MANIFEST, folder / "store", folder]:
        _flush(path)


def _swap(folder: Path, new: Path) -> None:
    """Put a new folder in the place of the old one; `_recover` mends a stop in between."""
    old = _sibling(folder, "old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    _flush(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def _recover(folder: Path) -> None:
    """Put the old folder back if a swap stopped half way."""
    old = _sibling(folder, "old")
    if old.is_dir() and not folder.exists():
        old.rename(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which no other process may have."""
    lock = FileLock(_sibling(folder, "lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise ExportError(f"another build is writing {str(folder)!r}; wait for it, or name another folder") from error
    try:
        _recover(folder)
        yield
    finally:
        lock.release()


def _refuse_strangers(folder: Path) -> None:
    """Raise if a folder holds what no build wrote."""
    if (
        folder.is_dir()
        and not {path.name for path in folder.iterdir()} <= {CACHE}
        and not (folder / _MANIFEST).is_file()
    ):
        raise ExportError(f"{str(folder)!r} holds files but no graph; name an empty or a new folder with --out")
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"{str(folder)!r} is a file; name a folder with --out")


def _sibling(folder: Path, role: str) -> Path:
    """Return the hidden neighbour of a folder that is its lock, its successor or its predecessor."""
    folder = folder.absolute()
    return folder.with_name(f".{folder.name}.{role}")


def _write_json(value: object, path: Path) -> None:
    """Write a value as readable JSON."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _hash(path: Path) -> str:
    """Return the SHA-256 of a file in hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _flush(path: Path) -> None:
    """Have the operating system bring a file or folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _to_report(value: dict[str, Any]) -> Report:
    """Return a report from its JSON."""
    skips = {name: tuple(Skip(**one) for one in value[name]) for name in ("skipped", "warnings")}
    return Report(**value | skips)
