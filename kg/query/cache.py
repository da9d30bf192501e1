"""A large graph's store, kept on disk so that a query need not read all triples first.

Oxigraph reads some 300,000 triples a second into memory and opens a store on disk in a
twentieth of one, but takes three times as long to make it. So the store of a graph is made with
the first query and kept in the graph's folder, from a size on at which that pays; below it the
triples are read anew each time. The store's name says what it was made of. It appears whole or
not at all, belongs to no manifest, and can be deleted at any time. Where it can't be written, or
does not read, the triples are read into memory as well.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

__all__ = ["CACHE", "discard_store", "find_store", "is_due"]

CACHE = ".cache"  # in a graph folder
SMALLEST = 8_000_000  # bytes of a graph's file, some 170,000 triples

_PROGRAM = Path(__file__).with_name("fill.py")
_PREFIX = "oxigraph-"
_NEW = "new-"
_log = logging.getLogger(__name__)


def find_store(file: Path) -> Path | None:
    """Return the folder of a graph's store, which is made if it is not there or not of this file.

    Parameters
    ----------
    file : Path
        The ``graph.ttl`` of a graph folder.

    Returns
    -------
    Path or None
        None where the file is so small that a store would not pay, and where none can be made:
        the folder can't be written, the disk is full, or the file does not parse.
    """
    if file.stat().st_size < SMALLEST:
        return None
    store = _place(file)
    if store.is_dir():
        return store
    try:
        _make(file, store)
    except OSError as error:
        _log.info("no store is kept in %r: %s", str(store.parent), error)
        return None
    _sweep(store)
    return store


def is_due(file: Path) -> bool:
    """Tell whether the next query makes a store, which takes a while."""
    return file.stat().st_size >= SMALLEST and not _place(file).is_dir()


def discard_store(store: Path) -> None:
    """Remove a store that does not read, so that it is made anew."""
    shutil.rmtree(store, ignore_errors=True)


def _place(file: Path) -> Path:
    """Return where the store of a graph's file stands, if there is one."""
    return file.parent / CACHE / f"{_PREFIX}{_fingerprint(file)}"


def _fingerprint(file: Path) -> str:
    """Return what tells the content of a file and the program that reads it from all others.

    The manifest has the digest of the content and the program that wrote it; size and time tell
    whether the file is still the one that the manifest lists.
    """
    status, manifest = file.stat(), file.with_name("manifest.json")
    listed = manifest.read_bytes() if manifest.is_file() else b""
    parts = [status.st_size, status.st_mtime_ns, version("pyoxigraph")]
    return hashlib.sha256(repr(parts).encode() + listed).hexdigest()[:16]


def _make(file: Path, store: Path) -> None:
    """Fill a store beside its place and put it there; another process may do the same meanwhile."""
    store.parent.mkdir(exist_ok=True)
    (store.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    new = store.with_name(f"{_NEW}{os.getpid()}-{secrets.token_hex(4)}")
    new.mkdir()
    try:
        _fill(file, new)
        with suppress(OSError):  # the other one was first
            new.rename(store)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    if not store.is_dir():
        raise OSError(f"{store.name} could not be put in its place")


def _fill(file: Path, folder: Path) -> None:
    """Read a graph's file into a store, in a process that can be interrupted."""
    command = [sys.executable, "-P", str(_PROGRAM), str(file), str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise OSError(lines[-1] if lines else f"status {done.returncode}")


def _sweep(store: Path) -> None:
    """Remove stores of what the graph was before, and what a process that is gone left unfinished."""
    for path in store.parent.iterdir():
        old = path.name.startswith(_PREFIX) and path != store
        if old or (path.name.startswith(_NEW) and not _is_alive(path.name.split("-")[1])):
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(process: str) -> bool:
    """Tell whether there is a process of an id."""
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except OSError:
        return True
    return True
