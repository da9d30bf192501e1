"""Stems of words, to tell endings from other words."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["to_stems"]

_SHORT = {"net": "network"}  # what some write short, in the singular


@lru_cache(maxsize=65_536)
def to_stems(key: str) -> tuple[str, ...]:
    """Return the stems of the words of a folded name.

    Examples
    --------
    >>> to_stems("low rank adaptation") == to_stems("low rank adaption")
    True
    >>> to_stems("recurrent net"), to_stems("recursive network")
    (('recurr', 'network'), ('recurs', 'network'))
    """
    return tuple(_stem(_SHORT.get(word, word)) for word in key.split())


@cache
def _find_stemmer() -> Callable[[str], str]:
    """Return Snowball's stemmer of English."""
    import snowballstemmer  # type: ignore[import-untyped]

    stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Return the stem of one word."""
    return _find_stemmer()(word)
