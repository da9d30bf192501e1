"""The parts of triples: terms and literals as N-Triples writes them, and what is said about one subject.

A graph has millions of them, so they are strings, not objects; pyoxigraph writes those that
need escapes. `to_triples` makes its triples of them where somebody wants these.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pyoxigraph import Literal, RdfFormat, Triple, parse

from kg.errors import VocabularyError
from kg.vocab import to_iri, to_term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "Fact", "Node", "Value", "check_base", "describe", "escape_separators", "is_any", "ref", "term", "to_clean",
    "to_count", "to_decimal",
    "to_index", "to_node", "to_score", "to_text", "to_triples", "to_uri",
]  # fmt: skip

Value = str  # an IRI or a literal, as N-Triples writes it
Fact = tuple[str, Value]  # a predicate by its CURIE, and what it leads to

# What XML 1.0 has no way to write: https://www.w3.org/TR/xml/#charsets
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = re.compile(r"[\x20\x21\x23-\x5b\x5d-\x7e\x80-\x84\x86-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
# Some programs take these for ends of lines, so they are written as escapes.
_SEPARATORS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_IRI_BASE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\ud800-\udfff]*[/#]")


class Node(NamedTuple):
    """What is said about a subject: predicates in the order in which they are written, objects sorted."""

    subject: Value
    facts: list[Fact]


def ref(iri: str) -> Value:
    """Return an IRI as it is written; it must be one."""
    return f"<{iri}>"


@cache
def term(name: str) -> Value:
    """Return the term that a CURIE names."""
    return ref(to_term(name))


@lru_cache(maxsize=50_000)
def to_node(node: str, base: str) -> Value:
    """Return the IRI of a node id as it is written."""
    return f"<{to_iri(node, base=base)}>"


def check_base(base: str) -> None:
    """Refuse a base that would not make IRIs."""
    if not _IRI_BASE.fullmatch(base):
        raise VocabularyError(
            f"base {base!r} is no absolute IRI that ends in '/' or '#', such as 'https://example.org/'"
        )


def to_clean(text: str) -> str:
    """Return a text as literals have it: each character that XML can't hold becomes U+FFFD."""
    return _NOT_XML.sub("\ufffd", text)


def escape_separators(text: str) -> str:
    """Return what is written, with escapes for line separators, which stand in literals only."""
    return text.translate(_SEPARATORS)


def to_text(text: str, language: str = "") -> Value:
    """Return a plain literal, or one in a language."""
    if language:
        return escape_separators(str(Literal(to_clean(text), language=language)))
    return f'"{text}"' if _PLAIN.fullmatch(text) else escape_separators(str(Literal(to_clean(text))))


def to_uri(text: str) -> Value:
    """Return an address as it was given, as a literal, so that it need not be a valid IRI."""
    return f"{to_text(text)}^^{term('xsd:anyURI')}"


def to_count(number: int) -> Value:
    """Return a whole number."""
    return f'"{number}"^^{term("xsd:integer")}'


def to_index(number: int) -> Value:
    """Return an offset in code points, in the datatype that NIF gives it."""
    return f'"{number}"^^{term("xsd:nonNegativeInteger")}'


def to_decimal(number: str) -> Value:
    """Return a number that is written as a decimal."""
    return f'"{number}"^^{term("xsd:decimal")}'


@cache
def to_score(score: float) -> Value:
    """Return a score with up to six decimals.

    Examples
    --------
    >>> to_score(0.75), to_score(1)
    ('"0.75"^^<http://www.w3.org/2001/XMLSchema#decimal>', '"1.0"^^<http://www.w3.org/2001/XMLSchema#decimal>')
    """
    whole, _, decimals = f"{score:.6f}".partition(".")
    return to_decimal(f"{whole}.{decimals.rstrip('0') or '0'}")


def describe(subject: Value, facts: Iterable[Fact]) -> Node:
    """Return what is said about a subject, each fact once.

    Predicates come in the order of their first fact, the objects of each sorted.
    """
    first: dict[str, Value] = {}
    more: dict[str, set[Value]] = {}
    for name, value in facts:
        if name not in first:
            first[name] = value
        elif value != first[name]:
            more.setdefault(name, {first[name]}).add(value)
    if not more:
        return Node(subject, list(first.items()))
    ordered: list[Fact] = []
    for name, value in first.items():
        ordered += [(name, one) for one in sorted(more[name])] if name in more else [(name, value)]
    return Node(subject, ordered)


def is_any(node: Node, *names: str) -> bool:
    """Return whether a node has one of these types."""
    types = {value for name, value in node.facts if name == "rdf:type"}
    return not types.isdisjoint(map(term, names))


def to_triples(nodes: Iterable[Node]) -> Iterator[list[Triple]]:
    """Yield nodes as pyoxigraph's triples."""
    for node in nodes:
        lines = "".join(f"{node.subject} {term(name)} {value} .\n" for name, value in node.facts)
        yield [quad.triple for quad in parse(lines.encode(), format=RdfFormat.N_TRIPLES)]
