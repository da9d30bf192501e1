"""Markdown and YAML: front matter of a paper's page, lists of papers, and lists in YAML.

- Front matter with a title or abstract is one paper, as PMLR keeps them.
- A list of papers is Markdown with tables or bullets whose entries link a title.
- YAML that is a list of mappings, or holds one, is a list of papers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from kg.errors import InputError
from kg.model import Paper, Skip
from kg.read.records import find_records, from_record
from kg.read.streams import decode_head, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["is_front_matter", "is_paper_list", "is_yaml", "read_front_matter", "read_paper_list", "read_yaml"]

_LARGEST = 50_000_000  # bytes
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML = re.compile(r"\A(?:---[ \t]*\n)?(?:\w+:[ \t]*\n)?[ \t]*- (?:\w[\w-]*): ?", re.MULTILINE)
_ROW = re.compile(r"^\s*\|(.+)\|\s*$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\*\*)?\[([^\]]{8,300})\]\((https?://[^)\s]+)\)")
_LINK = re.compile(r"\[([^\]]{8,300})\]\((https?://[^)\s]+)\)")
_FEWEST = 5  # entries that make a list of papers


def _front(text: str) -> str:
    """Return the front matter of a text, or nothing."""
    found = _FRONT.match(re.sub(r"\r\n?", "\n", text))
    return found[1] if found and re.search(r"^(?:title|abstract):", found[1], re.MULTILINE) else ""


def is_front_matter(head: bytes) -> bool:
    """Say whether a file starts with front matter that has a title or an abstract."""
    text = re.sub(r"\r\n?", "\n", decode_head(head))
    return bool(_front(text)) or (
        text.startswith("---\n")
        and bool(re.search(r"^(?:title|abstract):", text, re.MULTILINE))
        and "\n- " not in text[:200]
    )


def read_front_matter(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the paper that front matter describes."""
    value = _load(_front(read_text(stream, name, _LARGEST, warn)), name)
    if not isinstance(value, dict):
        yield Skip(name, 1, "front matter that is no mapping of fields")
        return
    yield from_record(value, file=name, line=1, warn=warn)


def is_yaml(head: bytes) -> bool:
    """Say whether a file starts like a YAML list of mappings."""
    return bool(_YAML.match(re.sub(r"\r\n?", "\n", decode_head(head)).lstrip()))


def read_yaml(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a YAML list, or of the list that a YAML mapping holds."""
    value = _load(read_text(stream, name, _LARGEST, warn), name)
    records = find_records(value) if isinstance(value, dict) else value
    for number, one in enumerate(records if isinstance(records, list) else [], 1):
        if isinstance(one, dict):
            yield from_record(one, file=name, line=number, warn=warn)
        else:
            yield Skip(name, number, f"entry {number} is no mapping of fields")


def _load(text: str, name: str) -> object:
    """Return what YAML says, all scalars as text."""
    import yaml

    try:
        return yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - the base loader makes texts, lists and mappings only
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"{name}: not valid YAML: {' '.join(str(error).split())[:200]}") from error


def is_paper_list(head: bytes) -> bool:
    """Say whether a file is Markdown with a list of linked titles."""
    return sum(1 for _ in _iter_entries(decode_head(head))) >= _FEWEST


def read_paper_list(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield a paper for each entry of a list."""
    for line, title, address in _iter_entries(read_text(stream, name, _LARGEST, warn)):
        yield from_record({"title": title, "url": address}, file=name, line=line, warn=warn)


def _iter_entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, title and address of each entry of a table or list."""
    for number, line in enumerate(re.sub(r"\r\n?", "\n", text).split("\n"), 1):
        bullet = _BULLET.match(line)
        row = _ROW.match(line)
        if bullet and not bullet[2].startswith("#"):
            yield number, bullet[1].strip("* "), bullet[2]
        elif row:
            link = _LINK.search(row[1])
            if link and "!" not in row[1][max(0, link.start() - 1) : link.start()]:
                yield number, link[1].strip("* "), link[2]
