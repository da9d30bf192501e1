"""JSON documents: a list of objects, an object that holds such a list, or a single object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from kg.model import Paper, Skip
from kg.read.json_lines import find_papers, parse
from kg.read.streams import decode_head, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["is_json_document", "read_json_document"]

_LARGEST = 500_000_000  # bytes; a document is in memory while it is read
_SPACE = re.compile(r"[\s,]*")


def is_json_document(head: bytes) -> bool:
    """Say whether a file starts like a JSON list or object."""
    return bool(re.match(r'\s*(?:\[\s*[\[{"\]\d\-tfn]|\{\s*["}]|"[\[{])', decode_head(head)))


def read_json_document(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a document.

    A list is decoded one element at a time, so that one that is broken does not hide those
    before it; what follows it can't be read and is one skip.
    """
    text = read_text(stream, name, _LARGEST, warn)
    start = len(text) - len(text.lstrip())
    is_list = text[start] == "["
    at, line, counted = start + is_list, 1, 0
    while True:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, at), at
        if at >= len(text):
            warn(Skip(name, line, "the file ends within a list"))
            return
        if text[at] == "]":
            break
        value, at, problem = parse(text, at)
        if problem:
            yield Skip(name, line, f"{problem}; the rest of the file was not read")
            return
        yield from find_papers(value, name, line, warn)
        if not is_list:
            break
    if text[at:].strip(" \t\r\n]"):
        yield Skip(name, line + text.count("\n", counted, at), "text after the end of the JSON was not read")
