"""Fields of records, whatever a program calls them and however it wraps them.

Names are compared without case, spaces, hyphens and underscores, and the first that has a value counts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["find_field", "find_records", "flatten", "fold_names", "is_record", "pick", "to_text"]

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
_DEEPEST = 6  # levels of nesting in which text is sought
_SURROGATE = re.compile("[\ud800-\udfff]")


def find_records(record: Mapping[str, object], depth: int = 0) -> list[object] | None:
    """Return the list of records that a record is only the envelope of, if it is one."""
    if any(to_text(find_field(flatten(record), name)) for name in ("id", "title", "abstract")):
        return None
    lists = {_fold(name): value for name, value in record.items() if isinstance(value, list)}
    if named := next((lists[name] for name in _LISTS if name in lists), None):
        return named
    full = [value for value in lists.values() if any(isinstance(one, dict) for one in value)]
    if len(full) == 1:
        return full[0]
    inner = [value for value in record.values() if isinstance(value, dict)]
    if len(inner) > 1 and len(inner) == len(record) and all(map(is_record, inner)):  # records by their ids
        return [{"id": name, **value} for name, value in record.items() if isinstance(value, dict)]
    if len(inner) > 1:  # what is found, and what is said of the search
        inner = [value for value in inner if any(isinstance(one, list | dict) for one in value.values())][:1]
    if len(inner) == 1 and not lists and is_record(inner[0]):
        return [inner[0]]
    return find_records(inner[0], depth + 1) if len(inner) == 1 and not lists and depth < _DEEPEST else None


def is_record(record: Mapping[str, object]) -> bool:
    """Return whether an object has a title or an abstract."""
    return any(to_text(find_field(flatten(record), name)) for name in ("title", "abstract"))


def find_field(record: Mapping[str, object], field: str) -> object:
    """Return the first value that is not blank among the names of a field."""
    return pick(fold_names(record), field)


def fold_names(record: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a record that are not blank, by folded name."""
    return {_fold(name): value for name, value in record.items() if value not in (None, "", [], {})}


def pick(names: Mapping[str, object], field: str) -> object:
    """Return the first value among the folded names of a field."""
    return next((names[name] for name in _FIELDS[field] if name in names), None)


@lru_cache(4096)
def _fold(name: str) -> str:
    """Return the name of a field without case and signs."""
    return "".join(char for char in name.casefold() if char.isalnum())


def flatten(record: Mapping[str, object]) -> Mapping[str, object]:
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


def to_text(value: object, depth: int = 0) -> str:
    """Return a value as text: of an object its name or value, of a list all of them."""
    if depth > _DEEPEST:
        return ""
    if isinstance(value, dict):
        names = {_fold(name): inner for name, inner in value.items()}
        inner = next((names[name] for name in _NAMES if names.get(name)), None)
        return to_text(_join_parts(names) if inner is None else inner, depth + 1)
    if isinstance(value, list):
        return " ".join(filter(None, (to_text(one, depth + 1) for one in value)))
    if value is None or isinstance(value, bool):
        return ""
    return _SURROGATE.sub("\ufffd", str(value))


def _join_parts(names: Mapping[str, object]) -> str:
    """Return a person's name from its parts."""
    parts = (names.get(name) for name in ("given", "first", "firstname", "family", "last", "lastname"))
    return " ".join(str(part) for part in parts if isinstance(part, str) and part)
