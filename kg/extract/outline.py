"""The outline of a sentence: its words in lower case, with one capital for each number, measure and name.

Rules for results are patterns over the outline ("reduces M by N on D"), which is one line of
text. Words that say nothing of what belongs together are left out: articles, most adverbs
and adjectives, and "up to" and the like before a number.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from kg.extract.quantities import Quantity
from kg.extract.words import get_text, get_words
from kg.model import ConceptType, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

    from kg.extract.lexicon import Lexicon
    from kg.extract.words import Word

__all__ = ["Measured", "Outline", "to_outline"]

_NAME_SIGNS = {ConceptType.DATASET: "D", ConceptType.METHOD: "X"}
_LEFT_OUT = frozenset(
    "a about absolute all an another approx approx. around any both either entire each extra its mean our"
    " overall relative some the their these this those top total whole whopping ≈ ~".split()
)
_HEDGE = re.compile(  # before a number
    r"(?<!\S)(?:(?:on average|(?<!N )up to|(?<=\bby )of|(?<=\bto )of|(?:more|less|fewer|greater|higher|lower) than"
    r"|at (?:least|most)|as (?:much|many|high|low|little|few) as|close to|over|under|above|below|between|upwards of"
    r"|in excess of|average of|total of|[<>+]) ?)+(?= ?N\b)|(?<!\S)on average\b"
)
_KEPT = frozenset(
    "better comparable down faster higher less lower more not respectively slower up worse →".split()
)
_COMPARING = frozenset({"JJR", "RBR"})
_FILLERS = frozenset({"metric", "metrics", "performance", "rate", "rates", "score", "scores", "value", "values"})
_CHANGES = re.compile(
    r"points?|improvements?|gains?|boosts?|drops?|loss(?:es)?|degradations?|reductions?|increases?|decreases?|savings?"
    r"|declines?|cuts?|speed-?ups?|enhancements?|penalty|deteriorations?"
)
_MOST_BEFORE = 3  # words of a measure before its head
_LONGEST = 4  # words of a listed measure


@dataclass(frozen=True, slots=True)
class Measured:
    """Words that name a measure."""

    text: str
    start: int
    end: int
    better: str  # which way is better: "higher", "lower" or "none"
    level: bool  # whether a value of it alone is a result
    name: Mention | None  # the name of a metric among them


Part = Quantity | Measured | Mention


@dataclass(frozen=True, slots=True)
class Outline:
    """A sentence as one line, and what its capitals stand for."""

    line: str
    places: tuple[int, ...]  # where each word of the line starts
    parts: tuple[Part | None, ...]  # what each word stands for
    starts: tuple[int, ...]  # where each word starts in the sentence

    def find(self, start: int, end: int) -> list[Part]:
        """Return what the capitals in ``line[start:end]`` stand for, in order."""
        some = self.parts[bisect_left(self.places, start) : bisect_left(self.places, end)]
        return [part for part in some if part is not None]

    def to_place(self, at: int) -> int:
        """Return where in the sentence the word at a place of the line starts."""
        return self.starts[max(0, bisect_right(self.places, at) - 1)]


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
    names = [one for one in mentions if one.type in _NAME_SIGNS and not _CHANGES.search(one.surface.rpartition(" ")[2])]
    parts: list[Part] = [*quantities]
    for measured in _find_measures(get_words(doc), get_text(doc), mentions, lexicon):
        if not _overlaps(measured, quantities) and not any(_is_within(measured, one) for one in names):
            parts.append(measured)
    parts += [one for one in names if not _overlaps(one, parts)]
    words = list(_iter_words(get_words(doc), sorted(parts, key=lambda one: one.start)))
    line = " ".join(word for word, *_ in words)
    gone = [match.span() for match in _HEDGE.finditer(line)]
    places = [*accumulate((len(word) + 1 for word, *_ in words), initial=0)][:-1]
    kept = [
        one for one, place in zip(words, places, strict=True) if not any(start <= place < end for start, end in gone)
    ]
    places = [*accumulate((len(word) + 1 for word, *_ in kept), initial=0)][:-1]
    line = " ".join(word for word, *_ in kept)
    return Outline(line, tuple(places), tuple(part for _, part, _ in kept), tuple(start for *_, start in kept))


def _iter_words(words: Sequence[Word], parts: Sequence[Part]) -> Iterator[tuple[str, Part | None, int]]:
    """Yield the words of an outline with what they stand for and where they are."""
    rest, after = list(parts), -1
    before = ""
    for word in words:
        if word.start < after and not (rest and rest[0].start < word.end):
            continue
        while rest and rest[0].start < word.end:
            part = rest.pop(0)
            if before in {"N", "D", "X"} and word.start < after:  # "71%/72%"
                yield "/", None, part.start - 1
            yield _sign(part), part, part.start
            before, after = _sign(part), max(after, part.end)
        if word.start < after or (before == "M" and word.lower in _FILLERS):
            continue
        if not _is_left_out(word, before):
            yield word.lower if word.lower else word.text, None, word.start
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
    if word.lower in _KEPT or word.tag in _COMPARING or before in {"less", "more"} or (before, word.lower) == ("on", "average"):
        return False
    return word.pos in {"ADJ", "ADV", "DET"}


def _find_measures(
    words: Sequence[Word], text: str, mentions: Sequence[Mention], lexicon: Lexicon
) -> Iterator[Measured]:
    """Yield the measures that a sentence names, in order: those of the list, and names of metrics."""
    names = [one for one in mentions if one.type is ConceptType.METRIC]
    at = 0
    while at < len(words):
        last, better, use = _match_measure(words, at, lexicon)
        if last > at and (words[last - 1].pos == "VERB" or _goes_on(words, last)):
            last = at
        name = next((one for one in names if one.start < words[max(last - 1, at)].end and words[at].start < one.end), None)
        if last == at and name is None:
            at += 1
            continue
        first = at
        while name and last < len(words) and words[last].start < name.end:
            last += 1
        if name and last - first > 1 and _CHANGES.fullmatch(words[last - 1].lower):  # "accuracy drop"
            names.remove(name)
            last, better, name = last - 1, None, None
        if last > first and better is None:
            better, use = _judge(words[first:last], lexicon)
        first = _extend(words, first, lexicon, [one for one in mentions if one.type in _NAME_SIGNS])
        if name and words[first].start > name.start:
            first = next(place for place, word in enumerate(words) if word.end > name.start)
        span = words[first].start, words[last - 1].end
        if use != "setting":
            yield Measured(text[slice(*span)], *span, better or "none", use == "level", name)
        at = last


def _match_measure(words: Sequence[Word], at: int, lexicon: Lexicon) -> tuple[int, str | None, str]:
    """Return after which word the longest listed measure that begins at a word ends, which way it is better, its use."""
    for last in range(min(len(words), at + _LONGEST), at, -1):
        if found := lexicon.find_measure(" ".join(word.text for word in words[at:last])):
            return last, found.better, found.use
    return at, None, "level"


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Return whether the word after a measure makes it the beginning of something else: "accuracy predictor"."""
    if at == len(words):
        return False
    word = words[at]
    known = word.lower in _FILLERS or _CHANGES.fullmatch(word.lower)
    return word.pos == "NOUN" and word.text.islower() and not known


def _judge(words: Sequence[Word], lexicon: Lexicon) -> tuple[str | None, str]:
    """Return which way a named metric is better, by the listed measure that its name ends with."""
    for first in range(len(words)):
        if found := lexicon.find_measure(" ".join(word.text for word in words[first:])):
            return found.better, found.use
    return None, "level"


def _extend(words: Sequence[Word], first: int, lexicon: Lexicon, names: Sequence[Mention]) -> int:
    """Return where the words of a measure begin: its head may have nouns and adjectives before it, but no names."""
    for at in range(first - 1, max(-1, first - 1 - _MOST_BEFORE), -1):
        word = words[at]
        if any(one.start < word.end and word.start < one.end for one in names):
            return at + 1
        plain = word.pos in {"ADJ", "NOUN", "PROPN"} and word.tag not in {"JJR", "JJS"}
        if not plain or not word.text[0].isalpha() or word.lower in lexicon.evaluative | _LEFT_OUT:
            return at + 1
    return max(0, first - _MOST_BEFORE)


def _overlaps(part: Part, others: Sequence[Part]) -> bool:
    """Return whether a part shares a character with others."""
    return any(part.start < one.end and one.start < part.end for one in others)


def _is_within(measured: Measured, name: Mention) -> bool:
    """Return whether a measure is only the beginning of a name of something else: "accuracy predictor"."""
    return measured.name is None and name.start <= measured.end < name.end
