"""What results of a sentence are measured in: measures of a list, and names of metrics.

The list is ``ontology/lexicon/measures.tsv``. A measure has the words before it that belong to
it ("zero-shot top-1 accuracy"), and not what is said of it ("accuracy drop").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import ConceptType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kg.extract.lexicon import Lexicon, Measure
    from kg.extract.words import Word
    from kg.model import Mention

__all__ = ["CHANGED", "CHANGES", "FILLERS", "Measured", "find_measures"]

CHANGES = re.compile(  # what is said of a measure, and is no part of it
    r"points?|improvements?|gains?|boosts?|drops?|loss(?:es)?|degradations?|reductions?|increases?|decreases?|savings?"
    r"|declines?|cuts?|speed-?ups?|enhancements?|penalty|deteriorations?"
)
CHANGED = re.compile(r"(?:improv|reduc|increas|decreas|enhanc|boost|lower|degrad)(?:ed|ing)")
FILLERS = frozenset({"metric", "metrics", "performance", "rate", "rates", "score", "scores", "value", "values"})
_GERUNDS = re.compile(  # those that a measure begins with: "training time"
    r"(?:pre-?|fine-?)?(?:computing|decoding|encoding|learning|matching|parsing|planning|processing|ranking|reasoning"
    r"|rendering|sampling|testing|tracking|training|tuning)"
)
_NO_BEGINNING = frozenset({"approximately", "average", "mean", "overall", "relative", "absolute", "total", "top"})
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


def find_measures(
    words: Sequence[Word], text: str, mentions: Sequence[Mention], lexicon: Lexicon
) -> Iterator[Measured]:
    """Yield the measures that a sentence names, in order.

    Parameters
    ----------
    words : sequence of Word
        Those of the sentence.
    text : str
        The sentence.
    mentions : sequence of Mention
        The names in it, in order; they do not overlap.
    lexicon : Lexicon
        With the list of measures.
    """
    metrics = [one for one in mentions if one.type is ConceptType.METRIC]
    others = [one for one in mentions if one.type in {ConceptType.DATASET, ConceptType.METHOD}]
    at = 0
    while at < len(words):
        last, name = _find_end(words, at, metrics, lexicon)
        if last == at:
            at += 1
            continue
        first = _find_beginning(words, at, others, lexicon)
        found = _judge(words[first:last], lexicon)
        if found is None or found.use != "setting":
            start, end = words[first].start, words[last - 1].end
            better, level = (found.better, found.use == "level") if found else ("none", True)
            yield Measured(text[start:end], start, end, better, level, name)
        at = last


def _find_end(words: Sequence[Word], at: int, metrics: list[Mention], lexicon: Lexicon) -> tuple[int, Mention | None]:
    """Return after which word the measure that begins at a word ends, or that word for none, and the name in it."""
    last = _match(words, at, lexicon)
    reach = words[max(last - 1, at)].end
    name = next((one for one in metrics if one.start < reach and words[at].start < one.end), None)
    if last == at and name is None:
        return at, None
    if last < len(words) and words[last].lower in {"score", "scores"}:
        last += 1
    while name and last < len(words) and words[last].start < name.end:
        last += 1
    if name and last - at > 1 and (CHANGES.fullmatch(words[last - 1].lower) or CHANGED.fullmatch(words[at].lower)):
        metrics.remove(name)  # "accuracy drop", "improved accuracy": not all of it is the measure
        return (at, None) if CHANGED.fullmatch(words[at].lower) else (last - 1, None)
    return last, name


def _match(words: Sequence[Word], at: int, lexicon: Lexicon) -> int:
    """Return after which word the longest listed measure that begins at a word ends."""
    for last in range(min(len(words), at + _LONGEST), at, -1):
        if lexicon.find_measure(" ".join(word.text for word in words[at:last])):
            return at if words[last - 1].pos == "VERB" or _goes_on(words, last) else last
    return at


def _goes_on(words: Sequence[Word], at: int) -> bool:
    """Return whether the word after a measure makes it the beginning of something else: "accuracy predictor"."""
    if at == len(words):
        return False
    word = words[at]
    known = word.lower in FILLERS or CHANGES.fullmatch(word.lower)
    return word.pos == "NOUN" and word.text.islower() and not known


def _find_beginning(words: Sequence[Word], first: int, names: Sequence[Mention], lexicon: Lexicon) -> int:
    """Return where the words of a measure begin: its head may have nouns and adjectives before it, but no names."""
    for at in range(first - 1, max(-1, first - 1 - _MOST_BEFORE), -1):
        word = words[at]
        named = any(one.start < word.end and word.start < one.end for one in names)
        plain = word.pos in {"ADJ", "NOUN", "PROPN"} and word.tag not in {"JJR", "JJS"}
        judged = word.lower in lexicon.evaluative or word.lower in _NO_BEGINNING
        judged = judged or bool(CHANGED.fullmatch(word.lower))
        if named or judged or not word.text[0].isalpha() or not (plain or _GERUNDS.fullmatch(word.lower)):
            return at + 1
    return max(0, first - _MOST_BEFORE)


def _judge(words: Sequence[Word], lexicon: Lexicon) -> Measure | None:
    """Return the listed measure that a longer one ends with; of the "FID-30k score" it is FID."""
    whole = _find_last(words, lexicon)
    if len(words) > 1 and words[-1].lower in FILLERS and (whole is None or whole == _find_last(words[-1:], lexicon)):
        return _judge(words[:-1], lexicon) or whole
    return whole or lexicon.find_measure(words[-1].text.partition("-")[0])


def _find_last(words: Sequence[Word], lexicon: Lexicon) -> Measure | None:
    """Return the longest listed measure that words end with."""
    tails = (" ".join(word.text for word in words[first:]) for first in range(len(words)))
    return next((found for tail in tails if (found := lexicon.find_measure(tail))), None)
