"""Named queries are quick, and quicker than the same in RDFLib."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
import rdflib

from kg.query import QueryWorker, bind, list_named

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 10  # seconds that RDFLib may take for a query; some would take it minutes
GRAPH = Path(__file__).parents[1] / "exports/icml2026"


@contextmanager
def ended_after(seconds: int) -> Iterator[None]:
    """End what takes longer with a `TimeoutError`."""

    def end(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


@pytest.mark.slow
def test_named_queries_are_quick_and_ten_times_as_quick_as_in_rdflib() -> None:
    store, graph = ox.Store(), rdflib.Graph()
    store.bulk_load(path=str(GRAPH / "graph.ttl"), format=ox.RdfFormat.TURTLE)
    graph.parse(GRAPH / "graph.ttl")
    with QueryWorker(GRAPH) as worker:
        queries = {one.name: bind(one, one.example, worker) for one in list_named()}

    took, ratios = {}, {}
    for name, sparql in queries.items():
        start = time.process_time()
        found = store.query(sparql)
        assert isinstance(found, ox.QuerySolutions)
        rows = len(list(found))
        took[name] = time.process_time() - start
        start = time.process_time()
        with suppress(TimeoutError), ended_after(LIMIT):
            assert len(list(graph.query(sparql))) == rows or not rows, name  # RDFLib groups nothing as one row
        ratios[name] = (time.process_time() - start) / took[name]

    assert max(took.values()) < 1, took
    assert median(ratios.values()) >= 10, ratios
