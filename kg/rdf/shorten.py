"""Terms in Turtle: with prefixes, and numbers without quotes, as pyoxigraph writes them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pyoxigraph import RdfFormat, parse, serialize

from kg.rdf.terms import escape_separators

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Shortener"]

# Local names in which only these signs are escaped: not with a dot or hyphen at the start, nor a dot at the end.
_COMMON = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_/%~.-]*[A-Za-z0-9_/%~-])?")
_SIGNS = "/%~"
_KNOWN = 100_000  # terms that are not written anew; a graph has its nodes again and again


class Shortener:
    r"""Writes terms with the prefixes of a file.

    Examples
    --------
    >>> short = Shortener({"ex": "https://example.org/", "xsd": "http://www.w3.org/2001/XMLSchema#"})
    >>> short.shorten("<https://example.org/a/b>"), short.shorten('"5"^^<http://www.w3.org/2001/XMLSchema#integer>')
    ('ex:a\\/b', '5')
    """

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = dict(prefixes)
        spaces = sorted(prefixes.values())
        nested = {two for one, two in pairwise(spaces) if two.startswith(one)}
        nested |= {one for one in spaces if any(two.startswith(one) for two in nested)}
        self._names = {f"<{space}": name for name, space in prefixes.items() if space not in nested}
        starts = "|".join(map(re.escape, sorted(self._names)))
        self._start = re.compile(starts or "(?!)")
        self._known = lru_cache(maxsize=_KNOWN)(self._shorten)

    def shorten(self, value: str) -> str:
        """Return a term, given as in N-Triples, as Turtle has it."""
        return value if value[0] == value[-1] == '"' else self._known(value)

    def _shorten(self, value: str) -> str:
        """Return a term that is no plain literal."""
        if value[0] == "<" and (start := self._start.match(value)):
            local = value[start.end() : -1]
            if _COMMON.fullmatch(local):
                for sign in _SIGNS:
                    if sign in local:
                        local = local.replace(sign, f"\\{sign}")
                return f"{self._names[start[0]]}:{local}"
        return self._write(value)

    def _write(self, value: str) -> str:
        """Return a term as pyoxigraph writes it."""
        line = f"<x:x> <x:x> {value} .".encode()
        triples = [quad.triple for quad in parse(line, format=RdfFormat.N_TRIPLES)]
        whole = (serialize(triples, format=RdfFormat.TURTLE, prefixes=self._prefixes) or b"").decode()
        return escape_separators(whole.rpartition("<x:x> <x:x> ")[2].removesuffix(" .\n"))
