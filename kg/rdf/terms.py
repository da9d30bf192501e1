"""The parts of triples: terms, literals, and the triples about one subject."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pyoxigraph import Literal, NamedNode, Triple

from kg.errors import VocabularyError
from kg.vocab import to_term

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Fact", "Value", "check_base", "describe", "is_any", "term", "to_count", "to_index", "to_score", "to_text",
    "to_uri",
]  # fmt: skip

Value = NamedNode | Literal
Fact = tuple[str, Value]  # a predicate by its CURIE, and what it leads to

# What XML 1.0 has no way to write: https://www.w3.org/TR/xml/#charsets
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IRI_BASE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\ud800-\udfff]*[/#]")


@cache
def term(name: str) -> NamedNode:
    """Return the term that a CURIE names."""
    return NamedNode(to_term(name))


def check_base(base: str) -> None:
    """Refuse a base that would not make IRIs."""
    if not _IRI_BASE.fullmatch(base):
        raise VocabularyError(
            f"base {base!r} is no absolute IRI that ends in '/' or '#', such as 'https://example.org/'"
        )


def to_text(text: str) -> Literal:
    """Return a plain literal; each character that XML can't hold becomes U+FFFD."""
    return Literal(_NOT_XML.sub("\ufffd", text))


def to_uri(text: str) -> Literal:
    """Return an address as it was given, as a literal, so that it need not be a valid IRI."""
    return Literal(_NOT_XML.sub("\ufffd", text), datatype=term("xsd:anyURI"))


def to_count(number: int) -> Literal:
    """Return a whole number."""
    return Literal(str(number), datatype=term("xsd:integer"))


def to_index(number: int) -> Literal:
    """Return an offset in code points, in the datatype that NIF gives it."""
    return Literal(str(number), datatype=term("xsd:nonNegativeInteger"))


@cache
def to_score(score: float) -> Literal:
    """Return a score with up to six decimals.

    Examples
    --------
    >>> to_score(0.75).value, to_score(1).value
    ('0.75', '1.0')
    """
    whole, _, decimals = f"{score:.6f}".partition(".")
    return Literal(f"{whole}.{decimals.rstrip('0') or '0'}", datatype=term("xsd:decimal"))


def describe(subject: NamedNode, facts: Iterable[Fact]) -> list[Triple]:
    """Return the triples about a subject, each once.

    Predicates come in the order of their first fact, the objects of each sorted.
    """
    grouped: dict[str, set[Value]] = {}
    for name, value in facts:
        grouped.setdefault(name, set()).add(value)
    return [
        Triple(subject, term(name), value)
        for name, values in grouped.items()
        for value in (values if len(values) == 1 else sorted(values, key=str))
    ]


def is_any(node: Iterable[Triple], *names: str) -> bool:
    """Return whether a node, given as its triples, has one of these types."""
    types = {one.object for one in node if one.predicate == term("rdf:type")}
    return not types.isdisjoint(map(term, names))
