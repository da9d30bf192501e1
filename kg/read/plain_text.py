"""Plain text: abstracts in blocks between blank lines, with or without titles.

- The lines of a block are joined; a file may be hard-wrapped or not.
- A block is an abstract if it ends like a sentence, or is long.
- A first line that was broken off on purpose is the title of the rest: the next line's
  first word would have fitted on it (or it is written in title case), and it does not end
  like a sentence or amid a phrase.
- A short block before an abstract is its title, if most abstracts of the file's start have
  one; otherwise it is a heading, such as "ICML 2026 Papers", and is skipped like every
  other short block.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from kg.model import Paper, Skip
from kg.read.foreign import name_foreign
from kg.read.streams import LONGEST_LINE, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["is_plain_text", "read_plain_text"]

_LONG = 300  # characters; a block of so many is an abstract however it ends
_SAMPLE = 60  # blocks at the start of a file that show whether abstracts have titles

_SENTENCE_END = re.compile(r"[.…。]\W*$|[.!?…]\W+(?:\S.*)?[!?]\W*$", re.DOTALL)
_OPEN_END = re.compile(
    r"(?:[.,;:\-–—(]|\b(?:a|an|and|as|at|by|for|from|in|into|is|of|on|or|over|that|the|to|under|using|via|we|with))\s*$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:\S+\s+){0,5}(?:papers|abstracts|proceedings|posters|orals|spotlights|sessions?(?:\s\w+)?|contents|bibliography|"
    r"references|publications)(?:\s+(?:19|20)\d\d)?",
    re.IGNORECASE,
)


class _Block(NamedTuple):
    """Lines between two blank ones, and where the first stands."""

    line: int
    lines: list[str]

    @property
    def text(self) -> str:
        """Return the lines as one."""
        return " ".join(self.lines)


def is_plain_text(head: bytes) -> bool:
    """Say whether a file is text and in no format that is known but can't be read."""
    return not name_foreign(head)


def read_plain_text(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a text file, and a skip for each block that is none."""
    blocks = _find_blocks(read_lines(stream, name, warn))
    sample = [block for _, block in zip(range(_SAMPLE), blocks, strict=False)]
    has_titles = _count_titles(sample)
    waiting: _Block | None = None  # a short block that may be a title
    for block in chain(sample, blocks):
        if not _is_abstract(block):
            if waiting:
                yield _to_skip(waiting, name)
            waiting = block
            continue
        title, abstract = _split_title(block)
        if waiting and (title or not (has_titles and waiting.lines) or _HEADING.fullmatch(waiting.text)):
            yield _to_skip(waiting, name)
        elif waiting:
            title = waiting.text
        waiting = None
        yield Paper(title=title.lstrip("# "), abstract=abstract, origin=(name, block.line))
    if waiting:
        yield _to_skip(waiting, name)


def _find_blocks(lines: Iterable[tuple[int, str | None]]) -> Iterator[_Block]:
    """Yield the blocks of lines between blank ones; lone carriage returns end lines, too.

    A block that is too large comes without its lines.
    """
    block, size = _Block(0, []), 0
    for number, whole in lines:
        for line in ["too long"] if whole is None else whole.split("\r"):
            if line.strip():
                size += LONGEST_LINE if whole is None else len(line)
                block = block if block.line else _Block(number, [])
                block.lines.append(" ".join(line.split()))
                if size >= LONGEST_LINE:
                    block.lines.clear()
                continue
            if block.line:
                yield block
            block, size = _Block(0, []), 0
    if block.line:
        yield block


def _is_abstract(block: _Block) -> bool:
    """Say whether a block is long or ends like a sentence."""
    text = block.text
    return len(text) >= _LONG or (text.count(" ") >= 4 and bool(_SENTENCE_END.search(text)))


def _count_titles(blocks: list[_Block]) -> bool:
    """Say whether at least half of the abstracts follow a short block."""
    before = [None, *blocks]
    pairs = [(short, block) for short, block in zip(before, blocks, strict=False) if _is_abstract(block)]
    titled = sum(short is not None and not _is_abstract(short) for short, _ in pairs)
    return 2 * titled >= len(pairs)


def _split_title(block: _Block) -> tuple[str, str]:
    """Return title and abstract of a block; the title is blank if its first line is none."""
    first, *rest = block.lines
    if not rest or len(first) > _LONG or _OPEN_END.search(first) or not rest[0][:1].strip() or rest[0][0].islower():
        return "", block.text
    broken_off = len(first) + 1 + len(rest[0].split()[0]) <= max(map(len, block.lines))
    if broken_off or _is_title_case(first):
        return first, " ".join(rest)
    return "", block.text


def _is_title_case(line: str) -> bool:
    """Say whether most longer words of a line start with a capital."""
    words: list[str] = re.findall(r"[^\W\d_]{4,}", line)
    return len(words) >= 3 and sum(word[0].isupper() for word in words) >= 0.8 * len(words)


def _to_skip(block: _Block, name: str) -> Skip:
    """Return the skip of a block that is no paper."""
    if not block.lines:
        return Skip(name, block.line, f"a paragraph of more than {LONGEST_LINE:,} characters")
    text = block.text if len(block.text) <= 60 else block.text[:59] + "…"
    return Skip(name, block.line, f"neither an abstract nor the title of one: {text!r}")
