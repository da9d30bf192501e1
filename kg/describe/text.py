"""Lines of text for a person: wrapped, quoted, counted."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Evidence, Paper

__all__ = ["WIDTH", "cite", "clip", "count", "quote", "wrap"]

WIDTH = 88  # characters


def cite(paper: Paper) -> str:
    """Return a paper in a line."""
    return f"{paper.label} ({paper.year}) [{paper.id}]" if paper.year else f"{paper.label} [{paper.id}]"


def clip(evidence: Evidence, reach: int = 40) -> str:
    """Return the words around a name in its sentence, and the name between ‹ and ›."""
    sentence, start, end = evidence.sentence, evidence.start, evidence.end
    before, after = sentence[:start], sentence[end:]
    if len(before) > reach:
        before = "… " + before[-reach:].partition(" ")[2]
    if len(after) > reach:
        after = after[:reach].rpartition(" ")[0] + " …"
    return f"{before}‹{sentence[start:end]}›{after}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def quote(evidence: Evidence) -> Iterator[str]:
    """Yield a sentence in quotes."""
    yield from wrap(f"“{evidence.sentence}”", "    ")


def wrap(text: str, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return a text in lines of at most `WIDTH`, without control characters."""
    text = "".join(char if char.isprintable() else " " for char in text)
    further = indent + "  " if hanging is None else hanging
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )
