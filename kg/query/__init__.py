"""Ask a graph in SPARQL, with a limit on time and rows.

A query runs in a process of its own (see `kg.query.worker`), so it can be ended at any moment.
It only reads: SERVICE, FROM and updates are refused, and nothing reaches the network. Prefixes
in `kg.vocab.PREFIXES` are known without being declared, and ``paper:`` and ``concept:`` stand
for the IRIs of nodes, so that ``concept:lora`` is a node id in SPARQL too.

What is asked most has a name and parameters (`list_named`, `run_named`). A graph that many
queries go to is held open by a `QueryWorker`; an `Endpoint` answers in the same way from
elsewhere, and is the only part that uses the network.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.query.bind import bind
from kg.query.endpoint import Endpoint
from kg.query.named import Kind, NamedQuery, Parameter, find_named, list_named
from kg.query.process import QueryWorker
from kg.query.result import RESULT_FORMATS, Result, ResultKind, format_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.model import KnowledgeGraph
    from kg.query.result import Value

__all__ = [
    "RESULT_FORMATS",
    "Endpoint",
    "Kind",
    "NamedQuery",
    "Parameter",
    "QueryWorker",
    "Result",
    "ResultKind",
    "bind",
    "find_named",
    "format_result",
    "list_named",
    "query",
    "run_named",
    "run_query",
]


def query(
    source: KnowledgeGraph | Path | str, sparql: str, *, timeout: float = 30.0, limit: int = 10_000
) -> list[dict[str, Value]]:
    """Return the answer to a SPARQL query as Python values.

    Parameters
    ----------
    source : KnowledgeGraph, Path or str
        A graph, or a folder that ``kg build`` wrote.
    sparql : str
        A SELECT, ASK, CONSTRUCT or DESCRIBE query.
    timeout : float
        Seconds until the query is ended, not counting the reading of the graph.
    limit : int
        Rows (or triples) after which the answer is cut; `run_query` tells whether it was.

    Returns
    -------
    list of dict
        For SELECT a dict by variable a row; for ASK one with ``boolean``; else one with
        ``subject``, ``predicate`` and ``object`` a triple. Whole numbers and years are int,
        other numbers float, truth values bool, and IRIs and all else str; unbound is None.

    Raises
    ------
    QueryError
        If the query is malformed or asks for what is not allowed.
    QueryTimeoutError
        If it takes longer than `timeout`.
    GraphError
        If the folder has no graph, or one that can't be read.
    """
    return run_query(source, sparql, timeout=timeout, limit=limit).to_values()


def run_query(
    source: KnowledgeGraph | Path | str, sparql: str, *, timeout: float = 30.0, limit: int = 10_000
) -> Result:
    """Return the answer to a SPARQL query with its terms; the arguments are those of `query`."""
    with QueryWorker(Path(source) if isinstance(source, str) else source) as worker:
        return worker.run(sparql, timeout=timeout, limit=limit)


def run_named(
    source: KnowledgeGraph | Path | str | QueryWorker | Endpoint,
    name: str,
    values: Mapping[str, str],
    *,
    timeout: float = 30.0,
    limit: int = 10_000,
) -> Result:
    """Return the answer to a named query.

    Parameters
    ----------
    source : KnowledgeGraph, Path, str, QueryWorker or Endpoint
        A graph, a graph folder, or a `QueryWorker` or `Endpoint` that stays open.
    name : str
        One of those in `list_named`.
    values : mapping of str to str
        What its parameters are, by name. A name of a concept or paper is looked up in the graph.

    Raises
    ------
    QueryError
        If there is no such query or parameter, or a value names nothing.
    """
    named = find_named(name)
    if isinstance(source, QueryWorker | Endpoint):
        return source.run(bind(named, values, source, timeout=timeout), timeout=timeout, limit=limit)
    with QueryWorker(Path(source) if isinstance(source, str) else source) as worker:
        return worker.run(bind(named, values, worker, timeout=timeout), timeout=timeout, limit=limit)
