"""BibTeX and BibLaTeX, by bibtexparser.

Keys are no ids: exports repeat them and leave them empty. What bibtexparser sets aside, for a
key or field that it has seen, is read like the rest, and of an entry that it can't read title
and abstract are saved where they can be. An entry inside ``@comment`` is a comment. Volumes of
proceedings without a title are no papers.
"""

from __future__ import annotations

import hashlib
import logging
import re
from typing import TYPE_CHECKING, BinaryIO

from kg.model import Paper, Skip
from kg.read.records import from_record
from kg.read.streams import decode_head, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bibtexparser.model import Block, Entry

__all__ = ["is_bibtex", "read_bibtex"]

_LARGEST = 200_000_000  # bytes
_AT_ONCE = 500_000  # characters, since the parser keeps all it has read
_START = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_NO_KEY = re.compile(r"^([ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(])(\s*)(?=\w+\s*=)", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*@comment[ \t]*\{", re.MULTILINE | re.IGNORECASE)
_NO_PAPERS = frozenset({"comment", "preamble", "string", "xdata", "set"})
_SALVAGE = re.compile(r"\b(title|abstract|year|author|doi|journal|booktitle)\s*=\s*[{\"]", re.IGNORECASE)
_NAMES = {
    "author": "authors",
    "journal": "venue",
    "journaltitle": "venue",
    "booktitle": "venue",
    "date": "year",
    "keyword": "keywords",
    "howpublished": "url",
}
_KEPT = frozenset({"title", "abstract", "year", "doi", "url", "keywords", *_NAMES})


def is_bibtex(head: bytes) -> bool:
    """Say whether a file has a BibTeX entry near its start."""
    text = re.sub(r"\r\n?", "\n", decode_head(head))
    return bool(_START.search(text)) and not text.lstrip().startswith(("{", "[", "<"))


def read_bibtex(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a BibTeX file, and a skip for each entry that is none."""
    text = re.sub(r"\r\n?", "\n", read_text(stream, name, _LARGEST, warn))
    text = _blank_comments(text)
    text = _NO_KEY.sub(r"\1nokey,\2", text)  # EndNote leaves it out
    strings = "\n".join(re.findall(r"^[ \t]*@string[ \t]*[{(].*$", text, re.MULTILINE | re.IGNORECASE))
    for part, line in _split(text):
        yield from _read_part(part, line, "" if line == 1 else strings, name, warn)


def _blank_comments(text: str) -> str:
    """Return a text with blank lines in the place of what stands in ``@comment`` braces."""
    for match in reversed(list(_COMMENT.finditer(text))):
        inside = _until_closed(text, match.end() - 1)
        end = match.end() + len(inside) + 1
        text = text[: match.start()] + "\n" * text.count("\n", match.start(), end) + text[end:]
    return text


def _split(text: str) -> Iterator[tuple[str, int]]:
    """Yield pieces of whole entries, and the line that each starts on."""
    starts = [match.start() for match in _START.finditer(text)]
    at, line = 0, 1
    for start in starts:
        if start - at >= _AT_ONCE:
            yield text[at:start], line
            line += text.count("\n", at, start)
            at = start
    yield text[at:], line


def _read_part(text: str, line: int, strings: str, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of whole entries."""
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry

    logging.getLogger("bibtexparser").setLevel(logging.ERROR)
    before = strings.count("\n") + 1 if strings else 0
    library = parse_string(f"{strings}\n{text}" if strings else text)
    hidden = [getattr(block, "ignore_error_block", None) or block for block in library.failed_blocks]
    blocks: list[Block] = [*library.entries, *hidden]
    for block in sorted(blocks, key=lambda one: one.start_line or 0):
        number = max(1, (block.start_line or 0) + line - before)
        if isinstance(block, Entry):
            yield from _to_papers(block, number, name, warn)
        else:
            yield from _salvage(_find_whole(text, block.raw or ""), number, name, warn)


def _to_papers(entry: Entry, line: int, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the paper that an entry is."""
    kind = entry.entry_type.casefold()
    if kind in _NO_PAPERS:
        yield Skip(name, line, f"an entry @{kind} is no paper")
        return
    fields: dict[str, object] = {}
    for field in entry.fields:
        key = field.key.casefold()
        if key in _KEPT and str(field.value).strip():
            fields.setdefault(_NAMES.get(key, key), _strip(str(field.value)))
    if kind == "proceedings" and "title" not in fields:
        yield Skip(name, line, "proceedings are no paper")
        return
    if "title" not in fields and "abstract" not in fields:
        told = "\n".join(f"{one.key}={one.value}" for one in entry.fields)
        fields["id"] = entry.key if entry.key not in {"", "nokey"} else hashlib.sha256(told.encode()).hexdigest()[:12]
    yield from_record(_with_authors(fields), file=name, line=line, warn=warn)


def _with_authors(fields: dict[str, object]) -> dict[str, object]:
    """Return fields with the authors as a list."""
    names = re.split(r"\s+and\s+", str(fields.get("authors", "")))
    return {**fields, "authors": [one.strip("{} ") for one in names if one.strip("{} ")]}


def _strip(value: str) -> str:
    """Return a value without the braces or quotes that enclose all of it."""
    value = re.sub(r'"\s*#\s*"|\}\s*#\s*\{', "", value.strip())
    while len(value) > 1 and value[0] + value[-1] in {"{}", '""'} and _encloses(value):
        value = value[1:-1].strip()
    return value


def _encloses(value: str) -> bool:
    """Return whether the first brace of a value is closed by its last."""
    depth = 0
    for at, char in enumerate(value):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0 and at < len(value) - 1 and value[0] == "{":
            return False
    return True


def _find_whole(text: str, raw: str) -> str:
    """Return an entry that the parser gave up on as far as the next one."""
    at = text.find(raw)
    after = _START.search(text, at + max(1, len(raw.split("\n", 1)[0]))) if at >= 0 else None
    return text[at : after.start() if after else len(text)] if at >= 0 else raw


def _salvage(raw: str, line: int, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the paper of an entry that can't be read whole, or the skip that names it."""
    kind = re.match(r"\s*@\s*([A-Za-z]+)", raw)
    if not kind or kind[1].casefold() in _NO_PAPERS:
        return
    fields: dict[str, object] = {}
    for match in _SALVAGE.finditer(raw):
        key = match[1].casefold()
        fields.setdefault(_NAMES.get(key, key), _until_closed(raw, match.end() - 1))
    if fields.get("title") or fields.get("abstract"):
        warn(Skip(name, line, "the entry is not whole BibTeX; what could be read of it is kept"))
        yield from_record(_with_authors(fields), file=name, line=line, warn=warn)
    else:
        yield Skip(name, line, f"an entry that is no BibTeX: {' '.join(raw.split())[:60]}")


def _until_closed(raw: str, at: int) -> str:
    """Return the text from an opening brace or quote to its end, or to the next field."""
    depth, quote = 0, raw[at] == '"'
    for end in range(at, len(raw)):
        char = raw[end]
        depth += {"{": 1, "}": -1}.get(char, 0)
        if (quote and end > at and char == '"' and depth <= 0) or (not quote and depth == 0):
            return raw[at + 1 : end]
    return re.split(r"\n\s*\w+\s*=\s*[{\"]|\n\s*[}@]", raw[at + 1 :])[0].strip(' ,}\n"')
