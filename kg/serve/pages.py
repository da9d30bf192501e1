"""Pages for people: templates whose every value is escaped, and what is in them.

They need nothing from elsewhere, and no script but one that sends a query by Ctrl+Enter.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response

from kg.vocab import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jinja2
    import pyoxigraph as ox

    from kg.serve.site import Snapshot

__all__ = ["Cell", "read_asset", "render", "to_cell"]

_ASSETS = Path(__file__).parent / "assets"
_TEMPLATES = Path(__file__).parent / "templates"
_LOCAL = ("paper/", "concept/", "community/", "venue/", "statement/", "run/", "scheme", "program")
_LITERAL = "http://www.w3.org/2001/XMLSchema#string"


@dataclass(frozen=True, slots=True)
class Cell:
    """A term in a table: what is read, where it leads, and what a pointer at rest shows."""

    text: str
    address: str = ""
    hint: str = ""
    is_number: bool = False


async def render(template: str, values: Mapping[str, object], *, status: int = 200) -> Response:
    """Return a page."""
    page = await asyncio.to_thread(_load(template).render, values)
    return Response(page.encode("utf-8", "replace"), status, media_type="text/html")


def read_asset(name: str) -> bytes:
    """Return a file that pages refer to."""
    return (_ASSETS / name).read_bytes()


def to_cell(snapshot: Snapshot, term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None) -> Cell:
    """Return a term as a table shows it: nodes lead to their pages, other IRIs to the web."""
    import pyoxigraph as ox

    if term is None:
        return Cell("")
    if isinstance(term, ox.Literal):
        kind = term.datatype.value
        is_number = kind.startswith(PREFIXES["xsd"]) and kind.endswith(("integer", "decimal", "double", "float", "int"))
        hint = term.language or ("" if kind == _LITERAL else _shorten(kind, snapshot.base))
        return Cell(term.value, hint=hint or "", is_number=is_number)
    if not isinstance(term, ox.NamedNode):
        return Cell(str(term))
    iri = term.value
    local = iri.removeprefix(snapshot.base)
    if iri.startswith(snapshot.base) and local.startswith(_LOCAL):
        return Cell(_shorten(iri, snapshot.base), f"/{local}", _find_label(snapshot, f"/{local}"))
    return Cell(_shorten(iri, snapshot.base), iri if iri.startswith(("http://", "https://")) else "", iri)


def _find_label(snapshot: Snapshot, path: str) -> str:
    """Return what the node at a path is called."""
    node = snapshot.paths.get(path, "")
    if node in snapshot.kg.concepts:
        return snapshot.kg.concepts[node].label
    return snapshot.kg.papers[node].label if node else ""


def _shorten(iri: str, base: str) -> str:
    """Return an IRI with a prefix where one is known."""
    for kind in ("paper", "concept"):
        if iri.startswith(f"{base}{kind}/"):
            return f"{kind}:{iri.removeprefix(f'{base}{kind}/')}"
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and len(iri) > len(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


@cache
def _load(template: str) -> jinja2.Template:
    """Return a template, in which every value is escaped and a name that is not given is an error."""
    import jinja2

    loader = jinja2.FileSystemLoader(_TEMPLATES)
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        finalize=_keep_printable,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["thousands"] = lambda number: f"{number:,}"
    return environment.get_template(template)


def _keep_printable(value: object) -> object:
    """Return a text with blanks for control characters and half surrogate pairs; lines stay."""
    if type(value) is not str:  # markup is text that was made safe before
        return value
    return "".join(char if char.isprintable() or char in "\n\t" else " " for char in value)
