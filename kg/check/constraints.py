"""Constraints of SHACL as functions that tell whether a node surely meets them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode

from kg.vocab import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import rdflib
    from pyoxigraph import Triple

    TypesOf: TypeAlias = Callable[[object], frozenset[object]]

__all__ = ["NODE_CONSTRAINTS", "VALUE_CONSTRAINTS", "Focus", "Test", "to_term"]

_XSD = PREFIXES["xsd"]
_IRI = NamedNode("http://www.w3.org/ns/shacl#IRI")
_LEXICAL = {
    f"{_XSD}string": re.compile(r"(?s).*"),
    f"{_XSD}anyURI": re.compile(r"(?s).*"),
    f"{_XSD}integer": re.compile(r"[+-]?[0-9]+"),
    f"{_XSD}nonNegativeInteger": re.compile(r"\+?[0-9]+"),
    f"{_XSD}decimal": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"),
}


class Focus:
    """A node with its values by predicate, and what the types of neighbours are."""

    __slots__ = ("node", "types_of", "values")

    def __init__(self, triples: Iterable[Triple], types_of: TypesOf) -> None:
        self.types_of = types_of
        self.values: dict[NamedNode, list[object]] = {}
        self.node: object = None
        for triple in triples:
            self.node = triple.subject
            self.values.setdefault(triple.predicate, []).append(triple.object)


Test: TypeAlias = "Callable[[Focus], bool]"


def to_term(node: rdflib.term.Node) -> object:
    """Return a node of RDFLib's as one of pyoxigraph's."""
    import rdflib

    if isinstance(node, rdflib.Literal):
        datatype = str(node.datatype) if node.datatype else f"{_XSD}string"
        return Literal(str(node), datatype=NamedNode(datatype)) if not node.language else node
    return NamedNode(str(node)) if isinstance(node, rdflib.URIRef) else BlankNode(str(node))


def _each(is_met: Callable[[object, object, TypesOf], bool]) -> Callable[[NamedNode, object], Test]:
    """Return a constraint that each value has to meet by itself."""

    def make(predicate: NamedNode, parameter: object) -> Test:
        return lambda focus: all(is_met(one, parameter, focus.types_of) for one in focus.values.get(predicate, ()))

    return make


def _all(is_met: Callable[[list[object], object, Focus], bool]) -> Callable[[NamedNode, object], Test]:
    """Return a constraint that all values have to meet together."""

    def make(predicate: NamedNode, parameter: object) -> Test:
        return lambda focus: is_met(focus.values.get(predicate, []), parameter, focus)

    return make


def _has_kind(value: object, kind: object, _: TypesOf) -> bool:
    """Return whether a value is an IRI, where that is asked for."""
    return kind == _IRI and isinstance(value, NamedNode)


def _has_class(value: object, kind: object, types_of: TypesOf) -> bool:
    """Return whether a value has a type."""
    return kind in types_of(value)


def _has_datatype(value: object, datatype: object, _: TypesOf) -> bool:
    """Return whether a value is a well-formed literal of a datatype."""
    if not isinstance(value, Literal) or value.datatype != datatype:
        return False
    lexical = _LEXICAL.get(value.datatype.value)
    return bool(lexical and lexical.fullmatch(value.value))


def _matches(value: object, pattern: object, _: TypesOf) -> bool:
    """Return whether a regular expression is found in a literal."""
    return isinstance(value, Literal) and isinstance(pattern, Literal) and bool(re.search(pattern.value, value.value))


def _to_number(value: object) -> Decimal | None:
    """Return what a literal comes to, or nothing where that is no number."""
    try:
        number = Decimal(value.value) if isinstance(value, Literal) else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() else None


def _is_in_order(smaller: object, larger: object, *, strict: bool = False) -> bool:
    """Return whether two literals are numbers in this order."""
    one, two = _to_number(smaller), _to_number(larger)
    return one is not None and two is not None and (one < two if strict else one <= two)


def _count(limit: object) -> int:
    """Return a count that a shape gives."""
    return int(limit.value) if isinstance(limit, Literal) else -1


def _have_own_languages(values: list[object], is_asked: object, _: Focus) -> bool:
    """Return whether no two values are in one language; that of a value without tag is its own."""
    tags = [(one.language or "").lower() for one in values if isinstance(one, Literal)]
    return all(not one or one != two for one, two in combinations(tags, 2))


def _are_less(values: list[object], other: object, focus: Focus) -> bool:
    """Return whether all values are less than all of another predicate."""
    others = focus.values.get(other, ()) if isinstance(other, NamedNode) else ()
    return all(_is_in_order(one, two, strict=True) for one in values for two in others)


def _others(focus: Focus, other: object) -> list[object]:
    """Return the values of another predicate."""
    return focus.values.get(other, []) if isinstance(other, NamedNode) else []


NODE_CONSTRAINTS: dict[str, Callable[[object], Test]] = {
    "nodeKind": lambda kind: lambda focus: _has_kind(focus.node, kind, focus.types_of),
    "class": lambda kind: lambda focus: _has_class(focus.node, kind, focus.types_of),
}
VALUE_CONSTRAINTS: dict[str, Callable[[NamedNode, object], Test]] = {
    "class": _each(_has_class),
    "datatype": _each(_has_datatype),
    "disjoint": _all(lambda values, other, focus: set(values).isdisjoint(_others(focus, other))),
    "equals": _all(lambda values, other, focus: set(values) == set(_others(focus, other))),
    "in": _each(lambda value, known, _: isinstance(known, frozenset) and value in known),
    "lessThan": _all(_are_less),
    "maxCount": _all(lambda values, most, _: len(values) <= _count(most)),
    "maxInclusive": _each(lambda value, most, _: _is_in_order(value, most)),
    "minCount": _all(lambda values, least, _: len(values) >= _count(least)),
    "minInclusive": _each(lambda value, least, _: _is_in_order(least, value)),
    "nodeKind": _each(_has_kind),
    "pattern": _each(_matches),
    "uniqueLang": _all(_have_own_languages),
}
