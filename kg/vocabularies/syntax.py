"""The triples of a file, whatever the syntax; what its name says of that is tried first."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from pyoxigraph import RdfFormat, parse

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from pyoxigraph import Quad

    Read = TypeVar("Read")

__all__ = ["read_triples"]

_SYNTAXES = {
    ".ttl": RdfFormat.TURTLE, ".turtle": RdfFormat.TURTLE, ".n3": RdfFormat.TURTLE, ".nt": RdfFormat.N_TRIPLES,
    ".rdf": RdfFormat.RDF_XML, ".owl": RdfFormat.RDF_XML, ".xml": RdfFormat.RDF_XML, ".jsonld": RdfFormat.JSON_LD,
    ".json": RdfFormat.JSON_LD, ".trig": RdfFormat.TRIG, ".nq": RdfFormat.N_QUADS,
}  # fmt: skip
_OTHERS = (RdfFormat.TRIG, RdfFormat.N_QUADS, RdfFormat.RDF_XML, RdfFormat.JSON_LD)  # TriG takes Turtle and N-Triples
_ENTITY = re.compile(rb"<!ENTITY\s+[^\s>]+\s+(?:\"([^\"]*)\"|'([^']*)'|[^>]*>)")
_LONGEST_ENTITY = 1_000  # bytes; a namespace has 50
_PLACE = re.compile(r"^Parser error at [^:]*: ")


def read_triples(content: bytes, name: str, read: Callable[[Iterable[Quad]], Read]) -> Read:
    """Return what a function makes of all triples of a file.

    IRIs are as they stand there, valid or not.

    Raises
    ------
    InputError
        If no syntax fits, with what is wrong for the one that the file's name says.
    """
    syntaxes = list(dict.fromkeys([_guess(content, name), *_OTHERS]))
    failures: list[InputError] = []
    for syntax in syntaxes:
        try:
            return read(_parse(content, name, syntax))
        except InputError as error:
            failures.append(error)
    raise failures[0]


def _parse(content: bytes, name: str, syntax: RdfFormat) -> Iterator[Quad]:
    """Yield the triples of a file in a syntax."""
    if syntax == RdfFormat.RDF_XML:
        _refuse_bombs(content, name)
    try:
        yield from parse(content, syntax, lenient=True)
    except SyntaxError as error:
        raise InputError(f"{name}{_describe(error, content, syntax)}") from error


def _guess(content: bytes, name: str) -> RdfFormat:
    """Return the syntax that a file's name says, or else the one that it starts like."""
    suffix = PurePath(name.lower().removesuffix(".gz")).suffix
    if suffix in _SYNTAXES:
        return _SYNTAXES[suffix]
    start = content[:1000].lstrip()
    if start.startswith((b"<?xml", b"<!DOCTYPE", b"<rdf:RDF")):
        return RdfFormat.RDF_XML
    return RdfFormat.JSON_LD if start.startswith(b"{") else RdfFormat.TRIG


def _describe(error: SyntaxError, content: bytes, syntax: RdfFormat) -> str:
    """Return where and why a file can't be read, to stand after its name."""
    reason = " ".join(_PLACE.sub("", str(error.msg)).split())[:200]
    if "LoadDocumentCallback" in reason:
        reason = "it names a context on the web, and nothing is fetched; put the context itself into the file"
    if not error.lineno:
        return f": can't be read as {syntax.name}: {reason}"
    line = content.split(b"\n", error.lineno)[error.lineno - 1][:60].decode("utf-8", "replace").strip()
    return f":{error.lineno}: can't be read as {syntax.name}: {reason}, in {line!r}"


def _refuse_bombs(content: bytes, name: str) -> None:
    """Refuse XML whose entities may unfold to much more than the file.

    Raises
    ------
    InputError
        If one is long, or holds more than one other, or is in another file.
    """
    for found in _ENTITY.finditer(content):
        value = found[1] if found[1] is not None else found[2]
        if value is None or len(value) > _LONGEST_ENTITY or value.count(b"&") > 1:
            line = content.count(b"\n", 0, found.start()) + 1
            raise InputError(
                f"{name}:{line}: the XML entity {found[0][:60]!r} is not unfolded; write what it stands for"
            )
