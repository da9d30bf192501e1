"""XML of publishers, archives and reference managers, a record at a time.

Declarations of entities and namespace prefixes are taken out before parsing, so nothing in a
file can grow or be fetched, and a record that is not well-formed hurts no other.
"""

from __future__ import annotations

import html.entities
import re
from typing import TYPE_CHECKING, BinaryIO
from xml.etree import ElementTree as ET

from kg.model import Paper, Skip
from kg.read.records import from_record
from kg.read.streams import decode_head, read_text
from kg.read.xml_records import FORMATS, Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["is_xml", "name_xml", "read_xml"]

_LARGEST = 500_000_000  # bytes
_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\])?\s*>\s*)*", re.DOTALL)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)[\s>/]")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[.*?\])?\s*>|<!ENTITY[^>]*>", re.DOTALL)
_TAG = re.compile(r"<[^<>!?][^<>]*>")
_PREFIX = re.compile(r"(</?|\s)[\w.-]+:(?=[\w.-]+[\s=/>])")
_SPACE = re.compile(r"\sxmlns(?::[\w.-]+)?\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)(\w{2,32});")
_BARE = re.compile(r"&(?![#\w]{2,33};)")


def _find_format(text: str) -> Format | None:
    """Return the format of a document by its root, and what else it must have."""
    start = _PROLOGUE.match(text)
    root = _ROOT.match(text, start.end() if start else 0)
    if root is None:
        return None
    return next((one for one in FORMATS if root[1] in one.roots and (not one.needs or one.needs.search(text))), None)


def is_xml(head: bytes) -> bool:
    """Say whether a file is XML of a format that is known."""
    return _find_format(decode_head(head)) is not None


def name_xml(head: bytes) -> str:
    """Return the name of the XML format of a file."""
    form = _find_format(decode_head(head))
    return form.name if form else ""


def read_xml(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of an XML file, and a skip for each record that is none."""
    text = read_text(stream, name, _LARGEST, warn)
    form = _find_format(text[:65_536])
    if form is None:
        return
    pattern = re.compile(rf"<(?:[\w.-]+:)?({'|'.join(form.records)})(?:\s[^<>]*)?>.*?</(?:[\w.-]+:)?\1\s*>", re.DOTALL)
    text, line, counted = _DOCTYPE.sub(lambda match: "\n" * match[0].count("\n"), text), 1, 0
    for match in pattern.finditer(text):
        line, counted = line + text.count("\n", counted, match.start()), match.start()
        try:
            element = ET.fromstring(_clean(match[0]))  # noqa: S314 - it declares no entities
        except (ET.ParseError, ValueError) as error:
            yield Skip(name, line, f"a {match[1]} that is not well-formed XML: {error}")
            continue
        for found in form.read(element):
            if isinstance(found, str):
                yield Skip(name, line, found)
            else:
                yield from_record(found, file=name, line=line, warn=warn)


def _clean(text: str) -> str:
    """Return a record without namespace prefixes, and with the characters that HTML's entities stand for."""
    text = _TAG.sub(lambda tag: _PREFIX.sub(r"\1", _SPACE.sub("", tag[0])), text)
    text = _BARE.sub(
        "&amp;", _ENTITY.sub(lambda match: html.entities.html5.get(f"{match[1]};", f"&amp;{match[1]};"), text)
    )
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", " ", text)
