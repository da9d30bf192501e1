"""Terms in a table: a line each, with tabs between the cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from kg.errors import InputError
from kg.model import Skip, Term
from kg.vocab import PREFIXES
from kg.vocabularies.classes import find_type
from kg.vocabularies.iris import check_iri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["read_table", "to_term_iri"]

# Columns by what they hold, in lower case and letters only; the first that is there counts.
_COLUMNS = {
    "id": ("iri", "uri", "id"),
    "name": ("preflabel", "preferredlabel", "label", "name"),
    "aliases": ("aliases", "alias", "altlabels", "altlabel", "exactsynonyms", "exactsynonym", "synonyms", "synonym"),
    "type": ("type",),
}
_DECLARED = re.compile(r"#[#\s]*([A-Za-z_][\w.-]*):\s*[\"'<]?([A-Za-z][A-Za-z0-9+.-]*:[^\s\"'<>]+)")
_IS_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|urn:|info:|tag:", re.IGNORECASE)
_CURIE = re.compile(r"([A-Za-z_][\w.-]*):(\S.*)")
_NO_IRI = re.compile(r"[\x00-\x20<>\"{}|\\^`]")  # characters that no IRI has


def read_table(content: bytes, name: str, warn: Callable[[Skip], None]) -> list[Term]:
    """Return the terms of a table, in the order of its lines.

    Raises
    ------
    InputError
        If it is not UTF-8, or has no column for ids or names.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line, wrong = content.count(b"\n", 0, error.start) + 1, content[error.start : error.end]
        raise InputError(f"{name}:{line}: {wrong!r} is not UTF-8; save the table as UTF-8") from error
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    comments = [line for _, line in lines if line.startswith("#")]
    rows = [(number, line) for number, line in lines if not line.startswith("#")]
    if not rows:
        raise InputError(f"{name}: the table is empty")
    columns = _find_columns(rows[0][1], f"{name}:{rows[0][0]}")
    declared = {found[1]: found[2] for line in comments if (found := _DECLARED.match(line))}
    return list(_read_rows(name, columns, rows[1:], declared, warn))


def to_term_iri(local: str, source: str, declared: Mapping[str, str]) -> str:
    """Return the IRI of a term from its id; those that are made up are one for each id and file.

    Parameters
    ----------
    local : str
        The id: an IRI, a CURIE or anything else.
    source : str
        Name of the file.
    declared : mapping
        Namespaces by prefix, which count before the known ones.

    Examples
    --------
    >>> to_term_iri("AIO:Bias", "aio.tsv", {"AIO": "https://w3id.org/aio/"})
    'https://w3id.org/aio/Bias'
    >>> to_term_iri("AIO:Bias", "aio.tsv", {}), to_term_iri("50% off", "a.tsv", {})
    ('urn:x-curie:AIO:Bias', 'urn:x-paperkg:a.tsv:50%25%20off')
    """
    if _IS_IRI.match(local):
        return local
    prefixes = {**PREFIXES, **declared}
    if curie := _CURIE.fullmatch(local):
        if curie[1] in prefixes:
            return prefixes[curie[1]] + _NO_IRI.sub(lambda found: quote(found[0]), curie[2])
        return f"urn:x-curie:{quote(curie[1], safe='')}:{quote(curie[2], safe='')}"
    return f"urn:x-paperkg:{quote(source, safe='')}:{quote(local, safe='')}"


def _find_columns(header: str, place: str) -> dict[str, int]:
    """Return which column holds what."""
    names = ["".join(filter(str.isalpha, cell.rpartition(":")[2].casefold())) for cell in header.split("\t")]
    columns = {
        what: names.index(found)
        for what, known in _COLUMNS.items()
        if (found := next((one for one in known if one in names), None))
    }
    for what in ("id", "name"):
        if what not in columns:
            known = ", ".join(_COLUMNS[what])
            raise InputError(f"{place}: the header {header!r} has no column {what!r} (or one of {known}) between tabs")
    return columns


def _read_rows(
    name: str,
    columns: Mapping[str, int],
    rows: Sequence[tuple[int, str]],
    declared: Mapping[str, str],
    warn: Callable[[Skip], None],
) -> Iterator[Term]:
    """Yield the terms of the lines below a header, each IRI once."""
    seen: dict[str, int] = {}
    for number, line in rows:
        cells = [_unquote(cell) for cell in line.split("\t")]
        row = {what: cells[column] for what, column in columns.items() if column < len(cells)}
        try:
            term = _to_term(row, name, declared)
        except InputError as error:
            warn(Skip(name, number, f"no term: {error}, in {line[:60]!r}"))
            continue
        if term.iri in seen:
            warn(Skip(name, number, f"no term: {row['id']!r} is the id of line {seen[term.iri]} too"))
        else:
            seen[term.iri] = number
            yield term


def _to_term(row: Mapping[str, str], source: str, declared: Mapping[str, str]) -> Term:
    """Return the term of a line.

    Raises
    ------
    InputError
        If id or name are missing, or the id makes no IRI.
    """
    local, label = row.get("id", ""), row.get("name", "")
    if not local or not label:
        raise InputError(f"the {'name' if local else 'id'} is missing")
    iri = check_iri(to_term_iri(local, source, declared))
    return Term(iri, (label,), _split(row.get("aliases", ""), label), find_type(row.get("type", "")))


def _split(cell: str, label: str) -> tuple[str, ...]:
    """Return the names in a cell but for the label, each once; they are between "|" or else ";"."""
    names = (" ".join(name.split()) for name in cell.split("|" if "|" in cell else ";"))
    return tuple(sorted({name for name in names if name} - {label}))


def _unquote(cell: str) -> str:
    """Return a cell without the quotes that spreadsheets put, and with single spaces."""
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        cell = cell[1:-1].replace('""', '"')
    return " ".join(cell.split())
