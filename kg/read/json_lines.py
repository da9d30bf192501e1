"""JSON Lines: one object on each line, or blank."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, BinaryIO

from kg.model import Paper, Skip
from kg.read.records import find_records, from_record
from kg.read.streams import LONGEST_LINE, decode_head, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["find_papers", "is_json_lines", "parse", "read_json_lines"]

# Numbers stay as they are written: 7.0 is another id than 7, and none is too large.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=lambda _: None, strict=False)
_JSON = re.compile(r'\{\s*(?:["}]|$)|\[')
_ENVELOPE = re.compile(r'\{\s*"\w+"\s*:\s*\[\s*\{')  # one object with all records


def is_json_lines(head: bytes) -> bool:
    """Say whether a file starts with a line that is a whole value, or too long to tell.

    A list on the first line with nothing after it is a document; so is an object that goes
    on over lines none of which is an object.
    """
    text = decode_head(head).lstrip()
    first, feed, rest = text.partition("\n")
    if not _JSON.match(first):
        return False
    if first.startswith("["):
        return bool(rest.strip()) and _is_value(first)
    if not feed:
        return not _ENVELOPE.match(first)
    return _is_value(first) or any(_is_value(line) for line in rest.split("\n") if line.startswith("{"))


def read_json_lines(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the paper of each line, or a skip that names the line."""
    for number, line in read_lines(stream, name, warn):
        if line is None:
            yield Skip(name, number, f"a line of more than {LONGEST_LINE:,} bytes")
        elif line.strip():
            value, end, problem = parse(line.strip(), 0)
            if line.strip()[end:] and not problem:
                problem = f"more than one JSON value on a line, from character {end + 1}"
            if problem:
                yield Skip(name, number, problem)
            else:
                yield from find_papers(value, name, number, warn)


def parse(text: str, at: int) -> tuple[object, int, str]:
    """Return the value that starts at a place, where it ends, and what is wrong with it, if anything."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        return None, at, f"not valid JSON at character {error.pos - at + 1}: {error.msg}"
    except RecursionError:
        return None, at, "JSON nested too deeply"
    return value, end, ""


def find_papers(value: object, name: str, number: int, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the paper that a value is, or those that it wraps; a text may hold JSON once more."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        inner, _, problem = parse(value.strip(), 0)
        for one in inner if isinstance(inner, list) and not problem else [inner]:
            yield from find_papers(one, name, number, warn) if not problem else iter([Skip(name, number, problem)])
        return
    if not isinstance(value, dict):
        yield Skip(name, number, f"not a record but {_describe(value)}")
        return
    wrapped = find_records(value)
    if wrapped is None:
        yield from_record(value, file=name, line=number, warn=warn)
        return
    for one in wrapped:
        if isinstance(one, dict):
            yield from_record(one, file=name, line=number, warn=warn)
        else:
            yield Skip(name, number, f"not a record but {_describe(one)}")


def _describe(value: object) -> str:
    """Return what kind of JSON value a value is."""
    return "a list" if isinstance(value, list) else "null" if value is None else f"{str(value)[:40]!r}"


def _is_value(line: str) -> bool:
    """Say whether a line is one whole JSON value."""
    _, end, problem = parse(line.strip(), 0)
    return not problem and not re.search(r"\S", line.strip()[end:])
