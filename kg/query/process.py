"""The process that answers queries on one graph, seen from outside."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from textwrap import shorten
from threading import Event, Timer
from typing import IO, TYPE_CHECKING

from kg.errors import GraphError, QueryError, QueryTimeoutError
from kg.query.cache import discard_store, find_store
from kg.query.result import Result, ResultKind
from kg.vocab import BASE, PREFIXES

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from kg.model import KnowledgeGraph
    from kg.query.worker import Answer, Request

__all__ = ["QueryWorker"]

_LONGEST = 604_800  # seconds, a week
_PROGRAM = Path(__file__).with_name("worker.py")


class QueryWorker:
    """A process that holds one graph and answers queries on it, one after the other.

    The process starts with the first query and keeps the graph for the next. A query that runs
    into its limit ends the process; the next one starts another. Use it in a ``with``; for
    queries at the same time use several.

    Parameters
    ----------
    source : KnowledgeGraph or Path
        A graph, or a folder that ``kg build`` wrote, whose ``graph.ttl`` is read, or the store
        that is kept of it (see `kg.query.cache`).
    base : str
        What the IRIs of nodes start with; a folder's file says that itself.
    """

    def __init__(self, source: KnowledgeGraph | Path, *, base: str = BASE) -> None:
        self._base = base
        self._process: subprocess.Popen[bytes] | None = None
        self._holder: tempfile.TemporaryDirectory[str] | None = None
        self._store: Path | None = None  # on disk, once a process has opened it
        self._in_memory = not isinstance(source, Path)
        if isinstance(source, Path):
            self._file = source.absolute() / "graph.ttl"
            if not self._file.is_file():
                raise GraphError(f"there is no graph.ttl in {str(source)!r}; name a folder that 'kg build' wrote")
        else:
            self._holder = tempfile.TemporaryDirectory(prefix="kg-")
            self._file = _write_triples(source, Path(self._holder.name), base)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def process_id(self) -> int | None:
        """Return the id of the process; None while there is none."""
        return self._process.pid if self._process else None

    def run(self, sparql: str, *, timeout: float = 30.0, limit: int = 10_000) -> Result:
        """Return the answer to a query; see `kg.query.query` for the arguments.

        The limit on time does not count the reading of the graph, before the first query.

        Raises
        ------
        QueryError
            If the query is malformed or asks for what is not allowed.
        QueryTimeoutError
            If it takes longer than `timeout`, or more memory than there is for it (2 GiB beside
            the graph's own, on Linux).
        """
        if not 0 < timeout <= _LONGEST:
            raise QueryError(f"a time limit of {timeout!r} s is not above 0 and up to {_LONGEST}")
        if limit < 1:
            raise QueryError(f"a limit of {limit!r} rows is not above 0")
        request: Request = {
            "query": sparql,
            "prefixes": PREFIXES | {kind: f"{self._base}{kind}/" for kind in ("paper", "concept")},
            "timeout": timeout,
            "limit": limit,
        }
        line = json.dumps(request).encode("ascii") + b"\n"
        answer: Answer = json.loads(self._ask(line, timeout))
        if self._store and answer.get("broken"):
            self._give_up_store()
            answer = json.loads(self._ask(line, timeout))
        if "error" in answer:
            raise QueryError(shorten(answer["error"], 300, placeholder=" …"))
        return Result(ResultKind(answer["kind"]), answer["document"], answer["truncated"])

    def close(self) -> None:
        """End the process and remove what was written for it."""
        self._stop()
        if self._holder:
            self._holder.cleanup()

    def _ask(self, line: bytes, timeout: float) -> bytes:
        """Send a line to the process and return the line that it answers with."""
        if self._process and self._process.poll() is not None:
            self._stop()
        process = self._process or self._start()
        expired = Event()
        timer = Timer(timeout, _end, (process, expired))
        timer.daemon = True
        timer.start()
        try:
            reply = _exchange(process, line)
        except BaseException:
            self._stop()
            raise
        finally:
            timer.cancel()
        if reply.endswith(b"\n"):
            if expired.is_set():
                self._stop()
            return reply
        status = self._stop()
        if expired.is_set():
            raise QueryTimeoutError(f"the query ran into its time limit of {timeout:g} s; ask for less, or raise it")
        reason = "it took too much memory, or is nested too deep"
        raise QueryTimeoutError(
            f"the query was ended (status {status}) before its time limit of {timeout:g} s: {reason}"
        )

    def _start(self) -> subprocess.Popen[bytes]:
        """Return a new process that has read the graph."""
        self._store = None if self._in_memory else find_store(self._file)
        command = [sys.executable, "-P", str(_PROGRAM), str(self._file), *([str(self._store)] if self._store else [])]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        try:
            reply = _exchange(self._process, b"")
        except BaseException:
            self._stop()
            raise
        if reply.endswith(b"\n") and "error" not in json.loads(reply):
            return self._process
        if self._store:
            self._give_up_store()
            return self._start()
        status = self._stop()
        reason = json.loads(reply)["error"] if reply else f"status {status}"
        raise GraphError(f"the graph in {str(self._file)!r} can't be read: {reason}; build it again")

    def _give_up_store(self) -> None:
        """Read the graph's file from now on, and remove a store on disk that does not read."""
        self._stop()
        if self._store:
            discard_store(self._store)
        self._store, self._in_memory = None, True

    def _stop(self) -> int | None:
        """End the process, so that nothing of it is left, and return its status."""
        process, self._process = self._process, None
        if not process:
            return None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                _close(pipe)
        return process.wait()


def _exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Write a line to a process and read one; nothing if it ends before."""
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(line)
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return b""


def _end(process: subprocess.Popen[bytes], expired: Event) -> None:
    """End a process whose time is over."""
    expired.set()
    process.kill()


def _close(pipe: IO[bytes]) -> None:
    """Close a pipe, whose other end may be gone with something left to write."""
    with suppress(BrokenPipeError):
        pipe.close()


def _write_triples(kg: KnowledgeGraph, folder: Path, base: str) -> Path:
    """Write a graph for the process to read, and return the file."""
    import pyoxigraph

    from kg.rdf import iter_triples

    file = folder / "graph.nt"
    pyoxigraph.serialize(iter_triples(kg, base=base), str(file), pyoxigraph.RdfFormat.N_TRIPLES)
    return file
