"""Queries that have a name: the questions that are asked most, kept in ``ontology/queries``.

Each is a file that any SPARQL program runs as it stands. Its head says, in comments, what it
answers and which of its values can be chosen. A value stands in a VALUES block: with one
variable, and with what stands there a default or an example. The ``#+`` comments follow grlc [1]_,
but for parameters: there a variable's name says its type, here a line does.

References
----------
.. [1] A. Meroño-Peñuela and R. Hoekstra. grlc makes GitHub taste like linked data APIs. ESWC
   Satellite Events, 2016.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Kind", "NamedQuery", "Parameter", "find_named", "list_named", "read_named"]

_HEAD = re.compile(r"#\+ (\w+): ?(.*)")
_PARAMETER = re.compile(r"(\w+) -> \?(\w+) \((\w+)(, optional)?\): (.+)")


class Kind(StrEnum):
    """What a parameter's value is."""

    CONCEPT = "concept"  # found by a label, an alternative label or its id
    PAPER = "paper"  # found by its id, title, the start of one, a DOI, or a name that it introduces
    NODE = "node"  # a concept or else a paper
    VENUE = "venue"  # found by its name
    TYPE = "type"  # of concepts
    RELATION = "relation"  # between concepts
    INTEGER = "integer"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value of a named query that can be chosen."""

    name: str  # as ``--name`` has it
    variable: str  # in the query
    kind: Kind
    optional: bool  # then what stands in the file is the default
    description: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query with a name."""

    name: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...]
    example: Mapping[str, str]  # values by name of parameter
    sparql: str  # without the head

    @property
    def usage(self) -> str:
        """Return the name with its parameters as a command line has them."""
        words = (f"--{one.name} {one.name.upper()}" for one in self.parameters)
        shown = (f"[{word}]" if one.optional else word for word, one in zip(words, self.parameters, strict=True))
        return " ".join([self.name, *shown])

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the query with blocks of VALUES in the place of those in the file, by variable."""
        text = self.sparql
        for variable, terms in values.items():
            block = f"VALUES ?{variable} {{ {terms} }}".replace("\\", "\\\\")  # no reference to a group
            text = _find_block(variable).sub(block, text)
        return text


@cache
def list_named() -> tuple[NamedQuery, ...]:
    """Return the named queries that come with the package, sorted by name."""
    files = sorted((find_ontology() / "queries").glob("*.rq"))
    return tuple(read_named(path.stem, path.read_text(encoding="utf-8")) for path in files)


def find_named(name: str) -> NamedQuery:
    """Return a named query.

    Raises
    ------
    QueryError
        If there is none of this name.
    """
    for one in list_named():
        if one.name == name:
            return one
    raise QueryError(
        f"no query is named {name!r}; 'kg query --list' shows {', '.join(one.name for one in list_named())}"
    )


def read_named(name: str, text: str) -> NamedQuery:
    r"""Return a named query from the text of its file.

    Raises
    ------
    QueryError
        If the head lacks a line or has one that does not read, or a parameter has no block.

    Examples
    --------
    >>> query = read_named("papers-of-year", '''#+ summary: Papers of a year
    ... #+ description: By id.
    ... #+ parameter: year -> ?year (integer): The year.
    ... #+ example: --year 2026
    ...
    ... SELECT ?paper { VALUES ?year { 2026 } ?paper <http://purl.org/dc/terms/issued> ?year } ORDER BY ?paper
    ... ''')
    >>> query.usage, query.example
    ('papers-of-year --year YEAR', {'year': '2026'})
    >>> query.fill({"year": "2025"})
    'SELECT ?paper { VALUES ?year { 2025 } ?paper <http://purl.org/dc/terms/issued> ?year } ORDER BY ?paper\n'
    """
    head, _, sparql = text.partition("\n\n")
    lines = [_HEAD.fullmatch(line.rstrip()) for line in head.splitlines()]
    if not all(lines):
        raise QueryError(f"query {name!r} has a line in its head that does not read '#+ WORD: TEXT'")
    pairs = [(line[1], line[2]) for line in lines if line]
    texts = dict(pairs)
    if missing := {"summary", "description"} - texts.keys():
        raise QueryError(f"query {name!r} has no {', '.join(sorted(missing))} in its head")
    parameters = tuple(_read_parameter(name, line, sparql) for word, line in pairs if word == "parameter")
    words = shlex.split(texts.get("example", ""))
    example = {option.removeprefix("--"): value for option, value in zip(words[::2], words[1::2], strict=True)}
    return NamedQuery(name, texts["summary"], texts["description"], parameters, example, sparql)


def _read_parameter(name: str, line: str, sparql: str) -> Parameter:
    """Return a parameter from its line in the head."""
    found = _PARAMETER.fullmatch(line)
    if not found or found[3] not in {*Kind}:
        kinds = ", ".join(Kind)
        raise QueryError(
            f"query {name!r}: {line!r} does not read 'NAME -> ?VARIABLE (KIND): TEXT', KIND one of {kinds}"
        )
    if not _find_block(found[2]).search(sparql):
        raise QueryError(f"query {name!r} has no 'VALUES ?{found[2]} {{ … }}' for its parameter {found[1]!r}")
    return Parameter(found[1], found[2], Kind(found[3]), bool(found[4]), found[5])


def _find_block(variable: str) -> re.Pattern[str]:
    """Return the pattern of a block of VALUES with one variable."""
    return re.compile(rf"VALUES \?{variable} \{{[^}}]*\}}")
