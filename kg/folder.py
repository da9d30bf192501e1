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
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from kg.decisions import DECISIONS, read_decisions, write_decisions
from kg.errors import ExportError, GraphError, KgError
from kg.memory import give_back, uncollected
from kg.model import Report, Skip
from kg.outputs import write_outputs
from kg.query.cache import CACHE
from kg.sssom import write_sssom
from kg.store import read_papers, read_store, write_store
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from filelock import BaseFileLock

    from kg.model import Decision, KnowledgeGraph

__all__ = ["find_base", "find_decisions", "find_earlier", "hold", "load", "load_papers", "write"]

_MAPPINGS = "mappings.sssom.tsv"
_MANIFEST = "manifest.json"
_PATIENCE = 5  # seconds that reading waits for a build that is putting its graph in place


@uncollected()
def write(kg: KnowledgeGraph, folder: str | Path, *, base: str = BASE, workers: int = 1) -> None:
    """Write a graph folder, in place of the one that stands there.

    Parameters
    ----------
    kg : KnowledgeGraph
    folder : path
        Its parents are made. What is there already must be a graph folder or empty.
    base : str
        What the IRIs of papers and concepts begin with.
    workers : int
        Processes that write the files of a large graph, this one among them; 0 is as many as there are cores.

    Raises
    ------
    ExportError
        If the folder holds something else, another build is writing it, or the disk refuses.
        What was there before is then still there, unchanged.
    """
    folder = Path(folder)
    give_back()  # what the build has left
    with _locked(folder):
        new = _sibling(folder, "new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            _write_files(kg, new, base, workers)
            _swap(folder, new)
        finally:
            shutil.rmtree(new, ignore_errors=True)


@contextmanager
def hold(folder: str | Path) -> Iterator[Path]:
    """Hold a graph folder while a graph is built and written to it; give a folder for what the build keeps.

    That folder goes when the block ends well. If it does not, the next build goes on from there.

    Raises
    ------
    ExportError
        If the graph folder holds something else, another build has it, or the disk refuses.
    """
    folder = Path(folder)
    made = [one for one in folder.absolute().parents if not one.exists()]
    with _locked(folder):
        work = _sibling(folder, "work")
        try:
            yield work
        except BaseException:
            if not folder.exists() and not work.exists():  # nothing was begun, so nothing is left
                _sibling(folder, "lock").unlink(missing_ok=True)
                for parent in made:
                    parent.rmdir()
            raise
        shutil.rmtree(work, ignore_errors=True)


@uncollected()
def load(folder: str | Path) -> KnowledgeGraph:
    """Return the graph in a folder that `write` or ``kg build`` wrote.

    Raises
    ------
    GraphError
        If there is no graph folder, or one of another version.
    """
    folder = Path(folder)
    return replace(read_store(folder / "store", _read_report(folder)), decisions=tuple(find_decisions(folder)))


@uncollected()
def load_papers(folder: str | Path) -> KnowledgeGraph:
    """Return the graph in a folder without concepts and relations: as much of it as it takes to add papers.

    Raises
    ------
    GraphError
        If there is no graph folder, or one of another version.
    """
    folder = Path(folder)
    return replace(read_papers(folder / "store", _read_report(folder)), decisions=tuple(find_decisions(folder)))


def find_earlier(folder: Path) -> KnowledgeGraph | None:
    """Return the graph that is in a folder, as `load_papers` does, or None if there is none that can be read."""
    try:
        return load_papers(folder)
    except KgError:
        return None


def _read_report(folder: Path) -> Report:
    """Return the report of a graph folder, which must be one."""
    _recover_if_free(folder)
    if not (folder / _MANIFEST).is_file():
        what = "has no manifest.json" if folder.is_dir() else "does not exist"
        raise GraphError(f"graph folder {str(folder)!r} {what}; 'kg build PAPERS --out DIR' makes one")
    try:
        return _to_report(json.loads((folder / "report.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise GraphError(f"{str(folder / 'report.json')!r} can't be read: {error}; build the graph again") from error


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


def _write_files(kg: KnowledgeGraph, folder: Path, base: str, workers: int) -> None:
    """Write all files of a graph into an empty folder, the manifest last."""
    (folder / "store").mkdir()
    write_store(kg, folder / "store")
    write_outputs(kg, folder, base=base, workers=workers)
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


def _recover_if_free(folder: Path) -> None:
    """Put the old folder back if no build is about to put a new one there."""
    if folder.exists() or not _sibling(folder, "old").is_dir():
        return
    with suppress(Timeout, OSError), _lock(folder).acquire(timeout=_PATIENCE):
        _recover(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a graph folder, which no other build may have; this one may have it already."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _lock(folder).acquire(timeout=0):
            _recover(folder)
            _refuse_strangers(folder)
            yield
    except Timeout as error:
        raise ExportError(f"another build is writing {str(folder)!r}; wait for it, or name another folder") from error
    except OSError as error:
        raise ExportError(f"{str(folder)!r} can't be written: {error.strerror or error}") from error


def _lock(folder: Path) -> BaseFileLock:
    """Return the lock of a graph folder, of which a process has one."""
    return FileLock(_sibling(folder, "lock"), is_singleton=True)


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
