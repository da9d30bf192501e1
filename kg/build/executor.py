"""Who extracts: this process, or several of our own.

Batches of papers go out as plain passages and come back as columns, in Arrow's own bytes, so
that what is written does not depend on who read it. A process loads the model once.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from kg.build.columns import Tables, to_tables
from kg.errors import ModelError
from kg.extract import extract, load_lexicon, load_pipeline
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from spacy.language import Language

    from kg.build.intake import Batch
    from kg.extract import Lexicon

__all__ = ["Done", "extract_batches"]

_ALONE = 6  # batches after which it pays to start other processes
_AHEAD = 3  # batches for each process that wait or are worked on


class Done(NamedTuple):
    """How many papers a batch had, and what they say."""

    papers: int
    said: Tables


def extract_batches(
    batches: Iterator[Batch], nlp: Language, lexicon: Lexicon, *, model: str, workers: int
) -> Iterator[Done]:
    """Yield what the papers of batches say, in their order.

    Parameters
    ----------
    batches : iterator of Batch
    nlp : Language
        From `load_pipeline`, for what is done here.
    lexicon : Lexicon
    model : str
        What other processes load.
    workers : int
        Processes; 1 is this one, and 0 as many as there are cores, once there are papers enough.

    Raises
    ------
    ModelError
        If a process ends before its work, such as for want of memory.
    """
    cores = workers or count_cores()
    for batch in islice(batches, None if cores == 1 else 0 if workers else _ALONE):
        yield Done(len(batch.hashes), to_tables(batch.hashes, extract(batch.passages, nlp, lexicon)))
    if cores > 1 and (first := next(batches, None)):
        yield from _extract_elsewhere(first, batches, model, cores)


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _extract_elsewhere(first: Batch, rest: Iterator[Batch], model: str, workers: int) -> Iterator[Done]:
    """Yield what the papers of batches say, by processes of our own; only a few batches are out at a time."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_start, initargs=(model,))
    waiting: deque[tuple[int, Future[list[bytes]]]] = deque()
    try:
        batch: Batch | None = first
        while batch or waiting:
            if batch:
                waiting.append((len(batch.hashes), pool.submit(_work, batch)))
                batch = next(rest, None)
            if waiting and (batch is None or len(waiting) >= _AHEAD * workers):
                papers, future = waiting.popleft()
                yield Done(papers, Tables(*map(_from_bytes, future.result())))
    except BrokenProcessPool as error:
        raise ModelError("a worker process ended before its work, perhaps for want of memory; use fewer") from error
    finally:
        pool.shutdown(cancel_futures=True)


_held: tuple[Language, Lexicon] | None = None  # of a worker process


def _start(model: str) -> None:
    """Load the model, in a worker process; Ctrl-C is its parent's to handle."""
    global _held  # noqa: PLW0603 - a process has one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lexicon = load_lexicon(find_ontology())
    _held = load_pipeline(lexicon, model=model), lexicon


def _work(batch: Batch) -> list[bytes]:
    """Return what the papers of a batch say, in a worker process."""
    if _held is None:
        raise ModelError("the worker process has no model")
    return [_to_bytes(table) for table in to_tables(batch.hashes, extract(batch.passages, *_held))]


def _to_bytes(table: pa.Table) -> bytes:
    """Return a table as Arrow's stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _from_bytes(content: bytes) -> pa.Table:
    """Return the table that Arrow's stream holds."""
    with pa.ipc.open_stream(content) as reader:
        return reader.read_all()
