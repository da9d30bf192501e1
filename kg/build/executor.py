"""Who reads texts: this process, or several of our own.

Batches of texts go out and come back as columns, in Arrow's own bytes, so that what is written
does not depend on who read it. A process loads the model once, and ends when its parent does.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from kg.build.texts import Tables, read_texts
from kg.errors import ModelError
from kg.extract import load_lexicon, load_pipeline
from kg.processes import count_cores, to_pool
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.language import Language

    from kg.build.texts import Text
    from kg.extract import Lexicon

__all__ = ["from_bytes", "load_reader", "read_batches", "to_bytes"]

_ALONE = 6  # batches up to which it does not pay to start other processes
_AHEAD = 3  # batches for each process that wait or are worked on


def read_batches(batches: Sequence[list[Text]], *, model: str, workers: int) -> Iterator[Tables]:
    """Yield what batches of texts say, in their order.

    Parameters
    ----------
    batches : sequence of lists of Text
    model : str
        A spaCy pipeline, by name or folder; loaded if there is a text.
    workers : int
        Processes; 1 is this one, and 0 as many as there are cores, if there are texts enough.

    Raises
    ------
    ModelError
        If the model can't be loaded, or a process ends before its work, such as for want of memory.
    """
    workers = workers or (count_cores() if len(batches) > _ALONE else 1)
    if workers > 1 and batches:
        yield from _read_elsewhere(iter(batches), model, min(workers, len(batches)))
    elif batches:
        nlp, lexicon = load_reader(model)
        yield from (read_texts(one, nlp, lexicon) for one in batches)


def load_reader(model: str) -> tuple[Language, Lexicon]:
    """Return what reads texts."""
    lexicon = load_lexicon(find_ontology())
    return load_pipeline(lexicon, model=model), lexicon


def _read_elsewhere(batches: Iterator[list[Text]], model: str, workers: int) -> Iterator[Tables]:
    """Yield what batches of texts say, by processes of our own; only a few batches are out at a time."""
    pool = to_pool(workers, _load, model)
    waiting = deque(pool.submit(_work, batch) for batch in islice(batches, _AHEAD * workers))
    try:
        while waiting:
            yield Tables(*map(from_bytes, waiting.popleft().result()))
            waiting.extend(pool.submit(_work, batch) for batch in islice(batches, 1))
    except BrokenProcessPool as error:
        raise ModelError("a worker process ended before its work, perhaps for want of memory; use fewer") from error
    finally:
        pool.shutdown(cancel_futures=True)


_held: tuple[Language, Lexicon] | ModelError = ModelError("the worker process has no model")


def _load(model: str) -> None:
    """Load the model, in a worker process."""
    global _held  # noqa: PLW0603 - a process has one
    try:
        _held = load_reader(model)
    except ModelError as error:
        _held = error  # one that is raised here would only break the pool


def _work(batch: list[Text]) -> list[bytes]:
    """Return what a batch of texts says, in a worker process."""
    if isinstance(_held, ModelError):
        raise _held
    return [to_bytes(table) for table in read_texts(batch, *_held)]


def to_bytes(table: pa.Table) -> bytes:
    """Return a table as Arrow's stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def from_bytes(content: bytes) -> pa.Table:
    """Return the table that Arrow's stream holds."""
    with pa.ipc.open_stream(content) as reader:
        return reader.read_all()
