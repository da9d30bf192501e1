"""Of names within names, the longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import Mention

__all__ = ["find_outermost"]


def find_outermost(mentions: Iterable[Mention]) -> list[Mention]:
    """Return mentions in the order of the text, without those that lie in longer ones."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept
