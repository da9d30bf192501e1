"""Papers from records of named fields, and back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.model import Paper, Skip
from kg.read.fields import find_records, flatten, fold_names, pick, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["find_records", "from_record", "to_record"]

_NOTHING = re.compile(r"(?:\s|<[^<>]{0,200}>|\[?\s*no abstract (?:is )?available[.\s]*\]?)*", re.IGNORECASE)

_DOI_PREFIX = re.compile(r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{2,9}/\S.*", re.DOTALL)
_YEAR = re.compile(r"(?<!\d)([12]\d{3})(?=\d{4}(?!\d)|(?!\d))")
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\ufdd0-\ufdef"
    + "".join(f"{chr((plane << 16) + 0xFFFE)}{chr((plane << 16) + 0xFFFF)}" for plane in range(17))
    + "]"
)


def from_record(record: Mapping[str, object], *, file: str, line: int, warn: Callable[[Skip], None]) -> Paper | Skip:
    """Return the paper of a record, or a skip if it has neither title, abstract nor id.

    An id is kept as it is written. Without one the DOI in lower case is the id, or what
    `Paper` makes from the content. A year or DOI that is none is left out, with a warning.
    """
    record = flatten(record)
    names = fold_names(record)
    title, abstract = (to_text(pick(names, name)) for name in ("title", "abstract"))
    local, doi = _line(pick(names, "id")), _DOI_PREFIX.sub("", _line(pick(names, "doi")))
    abstract = abstract or _unravel(record.get("abstract_inverted_index"))
    abstract = "" if abstract.strip() and _NOTHING.fullmatch(abstract) else abstract
    if not (title.strip() or abstract.strip() or local or doi):
        return Skip(file, line, f"no title, abstract or id among the fields {_list_names(record)}")
    if doi and not _DOI.fullmatch(doi):
        warn(Skip(file, line, f"{_cut(doi)!r} is no DOI; left out"))
        doi = ""
    if record.get("replyto") and not title.strip():
        return Skip(file, line, "a review or comment on another record")
    year = _line(pick(names, "year"))
    venue = _line(pick(names, "venue"))
    number = _find_year(year) if year else _find_year(" ".join(re.findall(r"\b(?:19|20)\d\d\b", venue)))  # "ICLR 2024"
    if year and number is None:
        warn(Skip(file, line, f"{_cut(year)!r} is no year; left out"))
    paper = Paper(id=local or doi.lower(), title=title, abstract=abstract, year=number, origin=(file, line))
    return replace(
        paper,
        venue=venue,
        authors=tuple(_split_authors(pick(names, "authors"))),
        doi=doi,
        url=_line(pick(names, "url")),
        keywords=tuple(_split_keywords(pick(names, "keywords"))),
    )


def to_record(paper: Paper) -> dict[str, str | int | list[str]]:
    """Return the fields of a paper that have a value, as `from_record` reads them.

    Examples
    --------
    >>> to_record(Paper(id="7", title="LoDA", year=2026, authors=("Zoë Lee",)))
    {'id': '7', 'title': 'LoDA', 'year': 2026, 'authors': ['Zoë Lee']}
    """
    local = paper.id.removeprefix("paper:")
    fields: dict[str, str | int | list[str] | None] = {
        "id": paper.id if local.startswith("paper:") else local,
        "title": paper.title,
        "abstract": paper.abstract,
        "year": paper.year,
        "venue": paper.venue,
        "authors": list(paper.authors),
        "doi": paper.doi,
        "url": paper.url,
        "keywords": list(paper.keywords),
    }
    return {name: value for name, value in fields.items() if value}


def _unravel(index: object) -> str:
    """Return the text of an index from words to their places, as OpenAlex gives abstracts."""
    if not isinstance(index, dict):
        return ""
    places = [
        (int(place), word)
        for word, listed in index.items()
        for place in (listed if isinstance(listed, list) else [])
        if isinstance(place, str) and place.isdecimal() and len(place) < 9
    ]
    return to_text(" ".join(word for _, word in sorted(places)))


def _line(value: object) -> str:
    """Return a value as one line, without control characters."""
    text = to_text(value)
    if not text.isprintable():
        text = _UNPRINTABLE.sub(" ", text)
    return " ".join(text.split())


def _list(value: object) -> Sequence[object]:
    """Return what a value lists, also where it is nested in a ``value``."""
    if isinstance(value, dict) and isinstance(value.get("value"), list):
        value = value["value"]
    return value if isinstance(value, list) else [] if value is None else [value]


def _split_authors(value: object) -> Iterator[str]:
    """Yield names from a list, or from a text such as ``A. Lee; B. Li and C. Roy``."""
    listed = _list(value)
    if isinstance(value, list) or len(listed) != 1:
        yield from filter(None, map(_line, listed))
        return
    text = _line(listed[0])
    pieces = re.split(r"\s*[;|⋅·•]\s*|\s+and\s+|\s+&\s+", text)
    names = [name.strip() for piece in pieces for name in piece.split(",") if name.strip()]
    if ";" not in text and all(" " in name for name in names):  # not "Lee, Zoë"
        yield from names
    else:
        yield from filter(None, (piece.strip(" ,") for piece in pieces))


def _split_keywords(value: object) -> Iterator[str]:
    """Yield keywords from a list, or from a text with semicolons, else commas."""
    listed = _list(value)
    if isinstance(value, list) or len(listed) != 1:
        yield from filter(None, map(_line, listed))
        return
    text = _line(listed[0])
    yield from filter(None, (word.strip() for word in text.split(";" if ";" in text else ",")))


def _find_year(text: str) -> int | None:
    """Return the year in a year or date."""
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def _list_names(record: Mapping[str, object]) -> str:
    """Return the names of a record's fields for a message."""
    return _cut(", ".join(repr(_line(name)) for name in record) or "(none)", 120)


def _cut(text: str, limit: int = 60) -> str:
    """Return the start of a text for a message."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
