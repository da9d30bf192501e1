"""Tagged text: a field a line with its tag in front, as RIS, MEDLINE, Web of Science, EndNote and CNKI have it.

They differ in how a tag is written, which one starts a record, and what tags mean; a `Grammar`
says that. Lines between records are of none. A record that ends without its end tag is kept,
with a warning, and so is one with a stray tag behind it. Where blank lines end records, a start
tag in the middle of one starts another only if that has a title of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO

from kg.model import Paper, Skip
from kg.read.records import from_record
from kg.read.streams import decode_head, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["GRAMMARS", "Grammar", "is_tagged", "name_tagged", "read_tagged"]

_LARGEST = 500_000_000  # bytes
_HEAD_LINES = 60
_DOI_TAG = re.compile(r"(10\.\S+)\s*\[doi\]", re.IGNORECASE)
_AROUND = frozenset({"FN", "VR", "EF"})  # tags of a Web of Science file, not of its records
_LISTS = frozenset({"authors", "keywords"})


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a tagged format is written."""

    name: str
    tag: re.Pattern[str]  # with the groups tag and value
    fields: Mapping[str, str]  # by tag, in the order in which they count
    starts: frozenset[str]  # tags that start a record
    ends: frozenset[str] = frozenset()
    blank_ends: bool = False  # whether a blank line ends a record that has a field
    needs: re.Pattern[str] | None = None  # what a file's head must have beside tags
    line_lists: bool = False  # whether each line of a list is an entry of it


@dataclass(slots=True)
class _Record:
    """A record while its lines are read."""

    line: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    last: str = ""
    inside: bool = False  # whether its start stands where no record had ended


def _grammar(name: str, tag: str, fields: str, starts: str, **more: object) -> Grammar:
    """Return a grammar whose fields are written as ``TI=title AB=abstract``."""
    pairs = dict(pair.split("=") for pair in fields.split())
    return Grammar(name, re.compile(tag), pairs, frozenset(starts.split()), **more)  # type: ignore[arg-type]


GRAMMARS = (
    _grammar(
        "RIS",
        r"(?P<tag>[A-Z][A-Z0-9]) {1,3}-(?: +(?P<value>.*))?$",
        "TI=title T1=title CT=title ST=title BT=title AB=abstract N2=abstract PY=year Y1=year YR=year DA=year JO=venue"
        " JF=venue T2=venue SO=venue JA=venue AU=authors A1=authors DO=doi DI=doi UR=url KW=keywords",
        "TY",
        ends=frozenset({"ER"}),
        needs=re.compile(r"^TY {1,3}- *\S", re.MULTILINE),
    ),
    _grammar(
        "MEDLINE",
        r"(?P<tag>[A-Z]{2,4}) {0,2}- ?(?P<value>.*)$",
        "TI=title TT=title BTI=title AB=abstract OAB=abstract DP=year JT=venue TA=venue SO=venue FAU=authors AU=authors"
        " LID=doi AID=doi PMID=pmid OID=id OT=keywords URL=url",
        "PMID",
        needs=re.compile(r"^(?:PMID|PMC|OWN|OID|STAT) {0,2}- ?\S", re.MULTILINE),
    ),
    _grammar(
        "Web of Science",
        r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>\S.*)| *)$",
        "TI=title AB=abstract PY=year SO=venue AF=authors AU=authors DI=doi UT=id DE=keywords ID=keywords",
        "PT",
        ends=frozenset({"ER"}),
        needs=re.compile(r"^PT [A-Z]\s*$", re.MULTILINE),
        line_lists=True,
    ),
    _grammar(
        "EndNote",
        r"(?P<tag>%[0-9A-Z@!#$*+^~<>?&()-])(?:\s+(?P<value>.*)| *)$",
        "%T=title %X=abstract %D=year %J=venue %B=venue %A=authors %R=doi %U=url %K=keywords",
        "%0",
        blank_ends=True,
        needs=re.compile(r"^%0(?: \S|\s*$)", re.MULTILINE),
    ),
    _grammar(
        "NoteExpress",
        r"\{(?P<tag>[A-Za-z/ ]+)\}: ?(?P<value>.*)$",
        "Title=title Translated_Title=title Abstract=abstract Year=year Journal=venue Author=authors DOI=doi URL=url"
        " Keywords=keywords",
        "Reference_Type",
        blank_ends=True,
        needs=re.compile(r"^\{Reference Type\}:", re.MULTILINE),
    ),
    _grammar(
        "CNKI",
        r"(?P<tag>[A-Za-z]+)(?:-\w+)?: (?P<value>.*)$",
        "Title=title Summary=abstract Year=year Source=venue Author=authors DOI=doi URL=url Link=url Keyword=keywords",
        "DataType SrcDatabase",
        needs=re.compile(r"^(?:DataType|SrcDatabase)(?:-\w+)?: [\s\S]*^Title(?:-\w+)?: ", re.MULTILINE),
    ),
)


def _find_grammar(text: str) -> Grammar | None:
    """Return the grammar of a text by its first lines."""
    text = re.sub(r"\r\n?", "\n", text)
    lines = [line for line in text.split("\n", 400)[:400] if line.strip()][:_HEAD_LINES]
    for one in GRAMMARS:
        tagged = sum(one.tag.match(line) is not None for line in lines)
        if one.needs and one.needs.search(text) and tagged >= min(2, len(lines)):
            return one
    return None


def is_tagged(head: bytes) -> bool:
    """Say whether a file is in one of the tagged formats."""
    return _find_grammar(decode_head(head)) is not None


def name_tagged(head: bytes) -> str:
    """Return the name of the tagged format of a file."""
    grammar = _find_grammar(decode_head(head))
    return grammar.name if grammar else ""


def read_tagged(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a tagged file."""
    text = re.sub(r"\r\n?", "\n", read_text(stream, name, _LARGEST, warn))
    grammar = _find_grammar(text[:65_536])
    if grammar is None:
        return
    lines = text.split("\n")
    tags = (match["tag"].replace(" ", "_") for line in lines if (match := grammar.tag.match(line)))
    first = next((tag for tag in tags if tag in grammar.starts), "")
    # Only the first of several is the start; records of ERIC have none, but blank lines between them.
    grammar = replace(grammar, starts=frozenset({first} - {""}), blank_ends=grammar.blank_ends or not first)
    for record in _iter_records(lines, grammar, name, warn):
        yield from_record(_to_fields(record, grammar), file=name, line=record.line, warn=warn)


def _iter_records(lines: list[str], grammar: Grammar, name: str, warn: Callable[[Skip], None]) -> Iterator[_Record]:
    """Yield the records of lines."""
    collector = _Collector(grammar, name, warn)
    before: _Record | None = None
    for number, line in enumerate([*lines, ""], 1):
        record = collector.take(number, line.removeprefix("\ufeff")) if number <= len(lines) else collector.finish()
        if record and before and record.inside and not _has_title(record, grammar):
            for tag, values in record.fields.items():
                before.fields.setdefault(tag, []).extend(values)
        elif record:
            if before:
                yield before
            before = record
    if before:
        yield before


def _has_title(record: _Record, grammar: Grammar) -> bool:
    """Return whether a field of a record is a title."""
    return any(grammar.fields.get(tag) == "title" and any(values) for tag, values in record.fields.items())


class _Collector:
    """Puts lines together to records."""

    def __init__(self, grammar: Grammar, name: str, warn: Callable[[Skip], None]) -> None:
        self._grammar, self._name, self._warn = grammar, name, warn
        self._record: _Record | None = None

    def take(self, number: int, line: str) -> _Record | None:
        """Take a line; return the record that it ends, if it ends one."""
        grammar = self._grammar
        match = grammar.tag.match(line)
        if match is None:
            return self._take_untagged(line)
        tag, value = match["tag"].replace(" ", "_"), (match["value"] or "").strip()
        if tag in grammar.ends:
            return self._close()
        if tag in grammar.starts and (self._record is None or tag in self._record.fields or not grammar.blank_ends):
            done = self.finish()
            self._record = _Record(number, inside=done is not None and grammar.blank_ends)
            _add(self._record, tag, value)
            return done
        if self._record is None and grammar.ends:
            if tag not in _AROUND:
                self._warn(Skip(self._name, number, f"the tag {tag} stands outside a record; left out"))
            return None
        self._record = self._record or _Record(number)
        _add(self._record, tag, value)
        return None

    def _take_untagged(self, line: str) -> _Record | None:
        """Take a line without a tag: it goes on with the field before it, or is blank."""
        if line.strip():
            if self._record:
                _continue(self._record, line, self._grammar)
            return None
        return self._close() if self._grammar.blank_ends else None

    def finish(self) -> _Record | None:
        """Return the record that has no end yet, if there is one."""
        if self._record and self._record.fields and self._grammar.ends:
            reason = f"the record has no end tag {min(self._grammar.ends)}; kept"
            self._warn(Skip(self._name, self._record.line, reason))
        return self._close()

    def _close(self) -> _Record | None:
        """Return the open record, which is then closed."""
        record, self._record = self._record, None
        return record if record and record.fields else None


def _add(record: _Record, tag: str, value: str) -> None:
    """Add a field to a record."""
    record.last = tag
    record.fields.setdefault(tag, []).append(value)


def _continue(record: _Record, line: str, grammar: Grammar) -> None:
    """Add a line without a tag to the field before it."""
    if not record.last:
        return
    if grammar.line_lists and grammar.fields.get(record.last) == "authors":
        record.fields[record.last].append(line.strip())
    else:
        values = record.fields[record.last]
        values[-1] = f"{values[-1]} {line.strip()}".strip()


def _to_fields(record: _Record, grammar: Grammar) -> dict[str, object]:
    """Return a record as fields that `from_record` knows; of tags for one field the first with a value counts."""
    found: dict[str, object] = {}
    for tag, name in grammar.fields.items():
        values = [value for value in record.fields.get(tag, []) if value]
        if name == "doi":
            values = (
                [match[1] for value in values if (match := _DOI_TAG.search(value))] if tag in {"LID", "AID"} else values
            )
        if not values or (name in found and name not in _LISTS):
            continue
        if name == "keywords":
            words = [word.strip() for value in values for word in re.split(r";+", value)]
            found[name] = [*_listed(found.get(name)), *filter(None, words)]
        elif name == "authors":
            found.setdefault(name, [one.strip() for value in values for one in re.split(r";+", value) if one.strip()])
        else:
            found[name] = " ".join(values) if name == "abstract" else values[0]
    return found


def _listed(value: object) -> list[object]:
    """Return a list as it is, and nothing as an empty one."""
    return list(value) if isinstance(value, list) else []
