"""Papers from records of named fields, and back.

Programs name the same field differently: names are compared without case, spaces, hyphens
and underscores, and the first that has a value counts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.model import Paper, Skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["find_records", "from_record", "to_record"]

_FIELDS = {
    "id": (
        "id",
        "paperid",
        "openreviewid",
        "forum",
        "oralid",
        "arxivid",
        "corpusid",
        "openalexid",
        "pmid",
        "uid",
        "key",
    ),
    "title": ("title", "papertitle", "articletitle", "documenttitle", "displayname", "question"),
    "abstract": (
        "abstract",
        "abstracttext",
        "paperabstract",
        "abstractnote",
        "abstracts",
        "summary",
        "description",
        "contexts",
    ),
    "year": (
        "year",
        "publicationyear",
        "pubyear",
        "published",
        "publicationdate",
        "date",
        "issued",
        "preprintdate",
        "created",
        "updatedate",
    ),
    "venue": (
        "venue",
        "journal",
        "booktitle",
        "conference",
        "containertitle",
        "journalname",
        "publicationtitle",
        "journalref",
        "journalinfo",
    ),
    "authors": ("authors", "author", "authorships", "creators", "authorstring"),
    "doi": ("doi", "dois"),
    "url": ("url", "link", "openreviewurl", "forumurl", "paperurl", "pdfurl", "pdf"),
    "keywords": ("keywords", "keyword", "tags", "topics"),
}
_LISTS = ("papers", "results", "records", "items", "data", "notes", "works", "articles", "documents", "entries")
_NAMES = (
    "name",
    "fullname",
    "displayname",
    "literal",
    "author",
    "value",
    "text",
    "keyword",
    "term",
    "dateparts",
    "title",
    "journal",
    "year",
)
_NESTS = ("content", "attributes", "bibjson", "data", "metadata")
_NOTHING = re.compile(r"(?:\s|<[^<>]{0,200}>|\[?\s*no abstract (?:is )?available[.\s]*\]?)*", re.IGNORECASE)
_DEEPEST = 6  # levels of nesting in which text is sought

_DOI_PREFIX = re.compile(r"\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{2,9}/\S.*", re.DOTALL)
_YEAR = re.compile(r"(?<!\d)([12]\d{3})(?=\d{4}(?!\d)|(?!\d))")
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\ufdd0-\ufdef"
    + "".join(f"{chr((plane << 16) + 0xFFFE)}{chr((plane << 16) + 0xFFFF)}" for plane in range(17))
    + "]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def find_records(record: Mapping[str, object], depth: int = 0) -> list[object] | None:
    """Return the list of records that a record is only the envelope of, if it is one."""
    if any(_text(_find(_flatten(record), name)) for name in ("id", "title", "abstract")):
        return None
    lists = {_fold(name): value for name, value in record.items() if isinstance(value, list)}
    if named := next((lists[name] for name in _LISTS if name in lists), None):
        return named
    full = [value for value in lists.values() if any(isinstance(one, dict) for one in value)]
    if len(full) == 1:
        return full[0]
    inner = [value for value in record.values() if isinstance(value, dict)]
    if len(inner) > 1 and len(inner) == len(record) and all(map(_is_record, inner)):  # records by their ids
        return [{"id": name, **value} for name, value in record.items() if isinstance(value, dict)]
    if len(inner) > 1:  # what is found, and what is said of the search
        inner = [value for value in inner if any(isinstance(one, list | dict) for one in value.values())][:1]
    if len(inner) == 1 and not lists and _is_record(inner[0]):
        return [inner[0]]
    return find_records(inner[0], depth + 1) if len(inner) == 1 and not lists and depth < _DEEPEST else None


def _is_record(record: Mapping[str, object]) -> bool:
    """Return whether an object has a title or an abstract."""
    return any(_text(_find(_flatten(record), name)) for name in ("title", "abstract"))


def from_record(record: Mapping[str, object], *, file: str, line: int, warn: Callable[[Skip], None]) -> Paper | Skip:
    """Return the paper of a record, or a skip if it has neither title, abstract nor id.

    An id is kept as it is written. Without one the DOI in lower case is the id, or what
    `Paper` makes from the content. A year or DOI that is none is left out, with a warning.
    """
    record = _flatten(record)
    names = _fold_names(record)
    title, abstract = (_text(_pick(names, name)) for name in ("title", "abstract"))
    local, doi = _line(_pick(names, "id")), _DOI_PREFIX.sub("", _line(_pick(names, "doi")))
    abstract = abstract or _unravel(record.get("abstract_inverted_index"))
    abstract = "" if abstract.strip() and _NOTHING.fullmatch(abstract) else abstract
    if not (title.strip() or abstract.strip() or local or doi):
        return Skip(file, line, f"no title, abstract or id among the fields {_list_names(record)}")
    if doi and not _DOI.fullmatch(doi):
        warn(Skip(file, line, f"{_cut(doi)!r} is no DOI; left out"))
        doi = ""
    if record.get("replyto") and not title.strip():
        return Skip(file, line, "a review or comment on another record")
    year = _line(_pick(names, "year"))
    venue = _line(_pick(names, "venue"))
    number = _find_year(year) if year else _find_year(" ".join(re.findall(r"\b(?:19|20)\d\d\b", venue)))  # "ICLR 2024"
    if year and number is None:
        warn(Skip(file, line, f"{_cut(year)!r} is no year; left out"))
    paper = Paper(id=local or doi.lower(), title=title, abstract=abstract, year=number, origin=(file, line))
    return replace(
        paper,
        venue=venue,
        authors=tuple(_split_authors(_pick(names, "authors"))),
        doi=doi,
        url=_line(_pick(names, "url")),
        keywords=tuple(_split_keywords(_pick(names, "keywords"))),
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


def _find(record: Mapping[str, object], field: str) -> object:
    """Return the first value that is not blank among the names of a field."""
    return _pick(_fold_names(record), field)


def _fold_names(record: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a record that are not blank, by folded name."""
    return {_fold(name): value for name, value in record.items() if value not in (None, "", [], {})}


def _pick(names: Mapping[str, object], field: str) -> object:
    """Return the first value among the folded names of a field."""
    return next((names[name] for name in _FIELDS[field] if name in names), None)


@lru_cache(4096)
def _fold(name: str) -> str:
    """Return the name of a field without case and signs."""
    return "".join(char for char in name.casefold() if char.isalnum())


def _flatten(record: Mapping[str, object]) -> Mapping[str, object]:
    """Return a record with the fields that it nests beside its own.

    OpenReview has them in ``content``, DataCite in ``attributes``, DOAJ in ``bibjson``, Zotero in ``data``.
    """
    content = next((record[name] for name in _NESTS if isinstance(record.get(name), dict)), None)
    record = {**content, **record} if isinstance(content, dict) else record
    titles = record.get("titles")
    if isinstance(titles, list) and titles and isinstance(titles[0], dict):
        record = {**record, "title": titles[0].get("title")}
    described = record.get("descriptions")
    if isinstance(described, list):
        texts = [one for one in described if isinstance(one, dict) and one.get("descriptionType") == "Abstract"]
        record = {**record, "abstract": [one.get("description") for one in texts]}
    return record


def _text(value: object, depth: int = 0) -> str:
    """Return a value as text: of an object its name or value, of a list all of them."""
    if depth > _DEEPEST:
        return ""
    if isinstance(value, dict):
        names = {_fold(name): inner for name, inner in value.items()}
        inner = next((names[name] for name in _NAMES if names.get(name)), None)
        return _text(_join_parts(names) if inner is None else inner, depth + 1)
    if isinstance(value, list):
        return " ".join(filter(None, (_text(one, depth + 1) for one in value)))
    if value is None or isinstance(value, bool):
        return ""
    return _SURROGATE.sub("\ufffd", str(value))


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
    return _text(" ".join(word for _, word in sorted(places)))


def _join_parts(names: Mapping[str, object]) -> str:
    """Return a person's name from its parts."""
    parts = (names.get(name) for name in ("given", "first", "firstname", "family", "last", "lastname"))
    return " ".join(str(part) for part in parts if isinstance(part, str) and part)


def _line(value: object) -> str:
    """Return a value as one line, without control characters."""
    text = _text(value)
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
