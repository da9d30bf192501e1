"""The answer to a query, and the forms in which it is printed."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import pyoxigraph as ox

from kg.errors import QueryError
from kg.vocab import BASE, PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RESULT_FORMATS", "Result", "ResultKind", "Term", "Value", "format_result"]

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
Value: TypeAlias = str | int | float | bool | None

_XSD = PREFIXES["xsd"]
_WHOLE = frozenset(
    _XSD + name
    for name in (
        "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
        "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte", "gYear",
    )
)  # fmt: skip
_REAL = frozenset(_XSD + name for name in ("decimal", "double", "float"))
_PREFIXES = PREFIXES | {
    kind: f"{BASE}{kind}/" for kind in ("community", "concept", "paper", "run", "statement", "venue")
}
_PLAIN_LOCAL = re.compile(r"[\w.%~-]*", re.ASCII)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLUMN = 80  # a table's widest column, in characters of a terminal


class ResultKind(StrEnum):
    """What kind of answer a query has."""

    ROWS = "rows"  # SELECT
    BOOLEAN = "boolean"  # ASK
    TRIPLES = "triples"  # CONSTRUCT, DESCRIBE


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a query, in the W3C's JSON form, or in N-Triples for triples."""

    kind: ResultKind
    document: str
    truncated: bool = False  # whether there is more than was asked for

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the names of the columns; none for a truth value."""
        if self.kind is ResultKind.ROWS:
            return tuple(variable.value for variable in self._solutions().variables)
        return ("subject", "predicate", "object") if self.kind is ResultKind.TRIPLES else ()

    @property
    def rows(self) -> list[tuple[Term | None, ...]]:
        """Return the terms of each row by column; triples are rows of three."""
        if self.kind is ResultKind.TRIPLES:
            return [(one.subject, one.predicate, one.object) for one in self.triples]
        names = self.variables
        if not names:
            return [] if self.kind is ResultKind.BOOLEAN else [() for _ in self._solutions()]
        return [tuple(solution[name] for name in names) for solution in self._solutions()]

    @property
    def boolean(self) -> bool | None:
        """Return the answer to an ASK, None for other queries."""
        return bool(json.loads(self.document)["boolean"]) if self.kind is ResultKind.BOOLEAN else None

    @property
    def triples(self) -> list[ox.Triple]:
        """Return the triples of a CONSTRUCT or DESCRIBE, sorted."""
        if self.kind is not ResultKind.TRIPLES:
            return []
        return [quad.triple for quad in ox.parse(self.document, format=ox.RdfFormat.N_TRIPLES)]

    def to_values(self) -> list[dict[str, Value]]:
        """Return the rows as Python values; see `kg.query.query`."""
        if self.kind is ResultKind.BOOLEAN:
            return [{"boolean": self.boolean}]
        names = self.variables
        return [dict(zip(names, map(to_value, row), strict=True)) for row in self.rows]

    def read(self) -> ox.QuerySolutions | ox.QueryBoolean:
        """Return the rows or the truth value as pyoxigraph has them."""
        return ox.parse_query_results(self.document, format=ox.QueryResultsFormat.JSON)

    def _solutions(self) -> ox.QuerySolutions:
        """Return the rows as pyoxigraph has them."""
        solutions = self.read()
        assert isinstance(solutions, ox.QuerySolutions)
        return solutions


def to_value(term: Term | None) -> Value:
    """Return a term as a Python value; a number that is malformed stays text."""
    if isinstance(term, ox.NamedNode | ox.BlankNode):
        return term.value
    if not isinstance(term, ox.Literal):
        return None if term is None else str(term)
    kind = term.datatype.value
    try:
        if kind in _WHOLE:
            return int(term.value)
        if kind in _REAL:
            return float(term.value)
    except ValueError:
        return term.value
    return term.value in ("true", "1") if kind == _XSD + "boolean" else term.value


def format_result(result: Result, format: str) -> str:
    """Return an answer as text that ends in a line feed.

    Parameters
    ----------
    result : Result
    format : str
        One of `RESULT_FORMATS`. For SELECT and ASK, ``csv``, ``tsv``, ``json`` and ``xml`` are
        the W3C's result formats. Triples are Turtle in ``table``, JSON-LD in ``json``, RDF/XML
        in ``xml``, three columns in ``csv`` and ``tsv``; ``turtle`` and ``ntriples`` are for
        them only.

    Raises
    ------
    QueryError
        If there is no such format, or not for such an answer.
    """
    if format not in RESULT_FORMATS:
        raise QueryError(f"no result format {format!r}; choose one of {', '.join(RESULT_FORMATS)}")
    text = RESULT_FORMATS[format](result)
    return text if text.endswith("\n") else text + "\n"


def _to_table(result: Result) -> str:
    """Return columns for a terminal, with names of nodes for IRIs."""
    if result.kind is ResultKind.BOOLEAN:
        return str(result.boolean).lower()
    if result.kind is ResultKind.TRIPLES:
        return _to_turtle(result)
    lines = [list(result.variables), *([_shorten(_to_cell(term)) for term in row] for row in result.rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(map(_pad, line, widths)).rstrip() for line in lines)


def _to_sparql(result: Result, form: ox.QueryResultsFormat) -> str:
    """Return one of the W3C's result formats."""
    solutions = _tabulate(result) if result.kind is ResultKind.TRIPLES else result.read()
    return (solutions.serialize(format=form) or b"").decode("utf-8")


def _tabulate(result: Result) -> ox.QuerySolutions:
    """Return triples as rows."""
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in result.triples)
    names = " ".join(f"?{name}" for name in result.variables)
    solutions = store.query(f"SELECT {names} WHERE {{ {names} }} ORDER BY {names}")
    assert isinstance(solutions, ox.QuerySolutions)
    return solutions


def _to_json(result: Result) -> str:
    """Return the W3C's JSON results, or JSON-LD for triples."""
    if result.kind is ResultKind.TRIPLES:
        return _to_rdf(result, ox.RdfFormat.JSON_LD)
    return _to_sparql(result, ox.QueryResultsFormat.JSON)


def _to_xml(result: Result) -> str:
    """Return the W3C's XML results, or RDF/XML for triples; what XML can't hold becomes U+FFFD."""
    if result.kind is ResultKind.TRIPLES:
        return _NOT_XML.sub("\ufffd", _to_rdf(result, ox.RdfFormat.RDF_XML))
    return _NOT_XML.sub("\ufffd", _to_sparql(result, ox.QueryResultsFormat.XML))


def _to_turtle(result: Result) -> str:
    """Return triples as Turtle, with the prefixes that it uses."""
    text = _to_rdf(result, ox.RdfFormat.TURTLE, _PREFIXES)
    lines = text.splitlines(keepends=True)
    body = "".join(lines[len(_PREFIXES) :])
    head = sorted(line for line in lines[: len(_PREFIXES)] if f"{line.split()[1]}" in body)
    return "".join(head) + "\n" + body


def _to_rdf(result: Result, form: ox.RdfFormat, prefixes: dict[str, str] | None = None) -> str:
    """Return triples in a format of RDF."""
    if result.kind is not ResultKind.TRIPLES:
        raise QueryError(f"{form.name} is for CONSTRUCT and DESCRIBE; this query's answer goes to table, csv or json")
    return (ox.serialize(result.triples, format=form, prefixes=prefixes) or b"").decode("utf-8")


RESULT_FORMATS: dict[str, Callable[[Result], str]] = {
    "table": _to_table,
    "csv": lambda result: _to_sparql(result, ox.QueryResultsFormat.CSV),
    "tsv": lambda result: _to_sparql(result, ox.QueryResultsFormat.TSV),
    "json": _to_json,
    "xml": _to_xml,
    "turtle": _to_turtle,
    "ntriples": lambda result: _to_rdf(result, ox.RdfFormat.N_TRIPLES),
}


def _to_cell(term: Term | None) -> str:
    """Return a term as a person reads it, on one line and without control characters."""
    if term is None:
        return ""
    text = _abbreviate(term.value) if isinstance(term, ox.NamedNode) else getattr(term, "value", str(term))
    return "".join(char if char.isprintable() else " " for char in text)


def _abbreviate(iri: str) -> str:
    """Return an IRI with a known prefix where it has one."""
    for prefix, namespace in _PREFIXES.items():
        if iri.startswith(namespace) and _PLAIN_LOCAL.fullmatch(iri, len(namespace)):
            return f"{prefix}:{iri[len(namespace) :]}"
    return iri


def _shorten(text: str) -> str:
    """Return the start of a text that is too wide for a table."""
    if _width(text) <= _COLUMN:
        return text
    while _width(text) >= _COLUMN:
        text = text[: -max(1, (_width(text) - _COLUMN) // 2)]
    return text.rstrip() + "…"


def _pad(text: str, width: int) -> str:
    """Return a text filled up with spaces."""
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)
