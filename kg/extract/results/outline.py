"""The outline of a sentence: its words in lower case, with one capital for each number, measure and name.

Rules for results are patterns over the outline ("reduces M by N on D"), which is one line of
text. Words that say nothing of what belongs together are left out: articles, most adverbs
and adjectives, and "up to" and the like before a number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from kg.extract.results.measures import CHANGED, CHANGES, FILLERS, Measured, find_measures
from kg.extract.results.quantities import Quantity
from kg.extract.words import get_text, get_words
from kg.model import ConceptType, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

    from kg.extract.lexicon import Lexicon
    from kg.extract.words import Word

__all__ = ["Outline", "to_outline"]

_NAME_SIGNS = {ConceptType.DATASET: "D", ConceptType.METHOD: "X"}
_LEFT_OUT = {
    "a", "about", "absolute", "all", "an", "another", "any", "approx", "approx.", "around", "both", "each", "either",
    "entire", "extra", "its", "mean", "our", "overall", "relative", "some", "the", "their", "these", "this", "those",
    "top", "total", "whole", "whopping", "~", "≈",
}  # fmt: skip
_HEDGE = re.compile(  # before a number
    r"(?<!\S)(?:(?:on average|(?<!N )up to|(?<=\bby )of|(?<=\bto )of|(?:more|less|fewer|greater|higher|lower) than"
    r"|at (?:least|most)|as (?:much|many|high|low|little|few) as|close to|over|under|above|below|between|upwards of"
    r"|in excess of|average of|total of|[<>+]) ?)+(?= ?N\b)|(?<!\S)on average\b"
)
_KEPT = {
    "accurate", "better", "comparable", "down", "effective", "efficient", "faster", "higher", "less", "lower", "more",
    "not", "respectively", "robust", "slower", "successful", "up", "worse", "→",
}  # fmt: skip
_COMPARING = frozenset({"JJR", "RBR"})

Part = Quantity | Measured | Mention


@dataclass(frozen=True, slots=True)
class Outline:
    """A sentence as one line, and what its capitals stand for."""

    line: str
    places: tuple[int, ...]  # where each word of the line starts
    parts: tuple[Part | None, ...]  # what each word stands for

    def find(self, start: int, end: int) -> list[Part]:
        """Return what the capitals in ``line[start:end]`` stand for, in order."""
        some = self.parts[bisect_left(self.places, start) : bisect_left(self.places, end)]
        return [part for part in some if part is not None]


def to_outline(doc: Doc, quantities: Sequence[Quantity], mentions: Sequence[Mention], lexicon: Lexicon) -> Outline:
    """Return the outline of a sentence.

    Parameters
    ----------
    doc : Doc
        The parsed sentence.
    quantities : sequence of Quantity
        Its numbers, in order.
    mentions : sequence of Mention
        The names in it, in order; they do not overlap.
    lexicon : Lexicon
        With the measures.
    """
    names = [one for one in mentions if one.type in _NAME_SIGNS and not CHANGES.search(one.surface.rpartition(" ")[2])]
    parts: list[Part] = [*quantities]
    measures = find_measures(get_words(doc), get_text(doc), mentions, lexicon)
    free = (one for one in measures if not _overlaps(one, quantities))
    parts += [one for one in free if not any(_is_within(one, name) for name in names)]
    parts += [one for one in names if not _overlaps(one, parts)]
    words = list(_iter_words(get_words(doc), sorted(parts, key=lambda one: one.start)))
    line = " ".join(word for word, _ in words)
    gone = [match.span() for match in _HEDGE.finditer(line)]
    places = [*accumulate((len(word) + 1 for word, _ in words), initial=0)][:-1]
    kept = [
        one for one, place in zip(words, places, strict=True) if not any(start <= place < end for start, end in gone)
    ]
    places = [*accumulate((len(word) + 1 for word, _ in kept), initial=0)][:-1]
    line = " ".join(word for word, _ in kept)
    return Outline(line, tuple(places), tuple(part for _, part in kept))


def _iter_words(words: Sequence[Word], parts: Sequence[Part]) -> Iterator[tuple[str, Part | None]]:
    """Yield the words of an outline with what they stand for."""
    rest, after = list(parts), -1
    before = ""
    for word in words:
        if word.start < after and not (rest and rest[0].start < word.end):
            continue
        while rest and rest[0].start < word.end:
            part = rest.pop(0)
            if before in {"N", "D", "X"} and word.start < after:  # "71%/72%"
                yield "/", None
            yield _sign(part), part
            before, after = _sign(part), max(after, part.end)
        if word.start < after or (before == "M" and word.lower in FILLERS):
            continue
        if not _is_left_out(word, before):
            yield word.lower, None
        before = word.lower


def _sign(part: Part) -> str:
    """Return the capital that stands for a part."""
    if isinstance(part, Quantity):
        return "N"
    return "M" if isinstance(part, Measured) else _NAME_SIGNS[part.type]


def _is_left_out(word: Word, before: str) -> bool:
    """Return whether a word says nothing of what belongs together."""
    if word.lower in _LEFT_OUT:
        return True
    kept = word.lower in _KEPT or word.tag in _COMPARING or bool(CHANGED.fullmatch(word.lower))
    kept = kept or before in {"less", "more"} or (before, word.lower) == ("on", "average")
    return not kept and word.pos in {"ADJ", "ADV", "DET"}


def _overlaps(part: Part, others: Sequence[Part]) -> bool:
    """Return whether a part shares a character with others."""
    return any(part.start < one.end and one.start < part.end for one in others)


def _is_within(measured: Measured, name: Mention) -> bool:
    """Return whether a measure is only the beginning of a name of something else: "accuracy predictor"."""
    return measured.name is None and name.start <= measured.end < name.end
