"""Sentences that many relations quote, each once in memory."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["quote_sentence"]


@lru_cache(maxsize=1_000)
def quote_sentence(text: str, offset: int, length: int) -> str:
    """Return the sentence that stands in a text; relations of one paper come together and share it."""
    return text[offset : offset + length]
