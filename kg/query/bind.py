"""What people write for a parameter of a named query, as terms of RDF.

A name becomes the IRIs of the nodes that bear it, which the graph itself is asked for; numbers
and texts become literals. Only terms that are written out by rule get into a query, never what
was typed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import pyoxigraph as ox

from kg.errors import QueryError, UnknownNameError
from kg.model import ConceptType, Predicate
from kg.query.named import Kind
from kg.vocab import PREFIXES, to_iri, to_term

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kg.query.named import NamedQuery
    from kg.query.result import Result

__all__ = ["Answerer", "bind"]

_SHOWN = 5  # nodes that a message names
_NOT_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_KINDS = {Kind.CONCEPT: "concept", Kind.PAPER: "paper", Kind.VENUE: "venue"}
_PREFIXES = "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in ("dcterms", "kg", "prism", "schema", "skos"))
# How a node is known, surest first: ?node for ?name, and ?label to tell it by. What stands in
# braces is written by `_find`: {id} the IRI of an id, {name} the text as a literal.
_EXACT = {
    Kind.CONCEPT: """
        { BIND({id} AS ?node) ?node a skos:Concept } UNION { {id} dcterms:isReplacedBy ?node }
        UNION { VALUES ?name { {name} } ?node skos:prefLabel|skos:altLabel ?name ; a skos:Concept }""",
    Kind.PAPER: """
        { BIND({id} AS ?node) ?node a schema:ScholarlyArticle }
        UNION { VALUES ?name { {name} }
          ?node dcterms:title|dcterms:identifier|prism:doi ?name ; a schema:ScholarlyArticle }""",
    Kind.VENUE: "VALUES ?name { {name} } ?node dcterms:title ?name . ?paper dcterms:isPartOf ?node",
}
_LOOSE = {
    Kind.CONCEPT: "?node skos:prefLabel|skos:altLabel ?any ; a skos:Concept FILTER(LCASE(STR(?any)) = LCASE({text}))",
    Kind.PAPER: """
        { ?node dcterms:title|prism:doi ?any ; a schema:ScholarlyArticle
          FILTER(STRSTARTS(LCASE(STR(?any)), LCASE({text}))) }
        UNION { ?node kg:introduces/(skos:prefLabel|skos:altLabel) ?any FILTER(LCASE(STR(?any)) = LCASE({text})) }""",
    Kind.VENUE: """
        ?node dcterms:title ?any . ?paper dcterms:isPartOf ?node FILTER(LCASE(STR(?any)) = LCASE({text}))""",
}
_NEAR = """SELECT DISTINCT ?label { ?node skos:prefLabel|dcterms:title ?label
    FILTER(CONTAINS(LCASE(STR(?label)), LCASE({text}))) } ORDER BY STRLEN(STR(?label)) ?label LIMIT 5"""


class Answerer(Protocol):
    """What runs a query: a `kg.query.QueryWorker`, or a `kg.query.Endpoint`."""

    def run(self, sparql: str, *, timeout: float = ..., limit: int = ...) -> Result:
        """Return the answer to a query."""
        ...


def bind(query: NamedQuery, values: Mapping[str, str], answerer: Answerer, *, timeout: float = 30.0) -> str:
    """Return the text of a named query with its parameters bound.

    Parameters
    ----------
    values : mapping of str to str
        What to choose, by name of parameter.
    answerer : Answerer
        Is asked which nodes a name means.
    timeout : float
        Seconds that each such question may take.

    Raises
    ------
    QueryError
        If a value is missing, or there is no such parameter, or a value does not fit its kind
        or names nothing in the graph.
    """
    known = {one.name: one for one in query.parameters}
    if strange := sorted(values.keys() - known.keys()):
        raise QueryError(f"query {query.name!r} has no parameter {strange[0]!r}; use it as {query.usage!r}")
    if missing := [one.name for one in query.parameters if not one.optional and one.name not in values]:
        raise QueryError(f"query {query.name!r} needs --{missing[0]}; use it as {query.usage!r}")
    bound: dict[str, str] = {}
    for name, value in values.items():
        terms = _find_terms(known[name].kind, value, answerer, timeout)
        bound[known[name].variable] = " ".join(terms)
    return query.fill(bound)


def _find_terms(kind: Kind, value: str, answerer: Answerer, timeout: float) -> list[str]:
    """Return the terms that a value means, as SPARQL writes them."""
    if kind in _LITERALS:
        return [_LITERALS[kind](value)]
    if kind is Kind.NODE:
        try:
            return _find(Kind.CONCEPT, value, answerer, timeout)
        except QueryError as error:
            try:
                return _find(Kind.PAPER, value, answerer, timeout)
            except QueryError:
                raise error from None
    return _find(kind, value, answerer, timeout)


def _find(kind: Kind, name: str, answerer: Answerer, timeout: float) -> list[str]:
    """Return the IRIs of the nodes that bear a name: those written exactly so, else in any case."""
    text, node = _to_text(name), _to_id(kind, name)
    words = {"{id}": node, "{name}": f"{text} {text}@en", "{text}": text}
    for pattern in (_EXACT[kind], _LOOSE[kind]):
        sparql = f"{_PREFIXES}SELECT DISTINCT ?node {{ {_write(pattern, words)} }} ORDER BY ?node"
        found = answerer.run(sparql, timeout=timeout, limit=1000).rows
        nodes = [_to_term(row[0]) for row in found]
        if len(nodes) > 1 and kind is Kind.PAPER:
            some = ", ".join(nodes[:_SHOWN])
            raise UnknownNameError(f"{name!r} can mean {len(nodes)} papers: {some}; give an id, or more of the title")
        if nodes:
            return nodes
    near = answerer.run(_PREFIXES + _write(_NEAR, words), timeout=timeout, limit=_SHOWN).to_values()
    hint = "; there are " + ", ".join(repr(row["label"]) for row in near) if near and name else ""
    raise UnknownNameError(f"no {_KINDS[kind]} is called {name!r}{hint}")


def _write(pattern: str, words: Mapping[str, str]) -> str:
    """Return a pattern with terms in the place of words in braces, in one go."""
    return re.sub("|".join(map(re.escape, words)), lambda match: words[match[0]], pattern)


def _to_id(kind: Kind, name: str) -> str:
    """Return the IRI that a name would have as an id, or that it is; relative to the base of the graph."""
    if "://" in name and not _NOT_IRI.search(name):
        return f"<{name}>"
    prefix = _KINDS[kind] + ":"
    local = name.removeprefix(prefix) or "-"
    return f"<{to_iri(prefix + local, base='')}>"


def _to_text(value: str) -> str:
    r"""Return a text as a literal.

    SPARQL resolves ``\u`` escapes before all else, so a backslash before a u is kept from
    looking like one.
    """
    try:
        written = str(ox.Literal(value))
    except ValueError as error:  # half of a surrogate pair
        raise QueryError(f"{value!r} is no text: {error}") from error
    return written.replace("\\\\u", "\\\\\\u0075").replace("\\\\U", "\\\\\\u0055")


def _to_term(term: object) -> str:
    """Return a node of a graph as SPARQL writes it."""
    if not isinstance(term, ox.NamedNode) or _NOT_IRI.search(term.value):
        raise QueryError(f"{str(term)!r} is no IRI; a node of a graph has one")
    return f"<{term.value}>"


def _to_integer(value: str) -> str:
    """Return a whole number."""
    if not re.fullmatch(r"-?[0-9]{1,9}", value):
        raise QueryError(f"{value!r} is no whole number, such as 2026")
    return str(int(value))


def _to_type(value: str) -> str:
    """Return a type of concepts."""
    types = {one.lower(): one for one in ConceptType}
    if value.lower() not in types:
        raise QueryError(f"no type {value!r}; choose one of {', '.join(ConceptType)}")
    return f"<{to_term(types[value.lower()])}>"


def _to_relation(value: str) -> str:
    """Return a predicate."""
    if value not in {*Predicate}:
        raise QueryError(f"no relation {value!r}; choose one of {', '.join(Predicate)}")
    return f"<{to_term('skos:broader' if value == Predicate.BROADER else value)}>"


_LITERALS: dict[Kind, Callable[[str], str]] = {
    Kind.INTEGER: _to_integer,
    Kind.RELATION: _to_relation,
    Kind.TEXT: _to_text,
    Kind.TYPE: _to_type,
}
