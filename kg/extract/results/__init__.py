"""Results: which value of which metric a sentence reports, of which method, on which data set, against what.

Numbers are read by patterns (`kg.extract.results.patterns`) over an outline of the sentence. The
data set and the baseline are names near the number; the method is the subject of its verb.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.extract.outermost import find_outermost
from kg.extract.results.ends import find_baseline, find_dataset, find_method
from kg.extract.results.outline import to_outline
from kg.extract.results.quantities import SHARES, find_quantities
from kg.extract.results.rules import find_reported
from kg.extract.words import get_text
from kg.model import Direction, Measurement, ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

    from kg.extract.lexicon import Lexicon
    from kg.extract.results.measures import Measured
    from kg.extract.results.outline import Outline
    from kg.extract.results.quantities import Quantity
    from kg.extract.results.reported import Reported
    from kg.model import Mention

__all__ = ["find_measurements"]

_GATE = re.compile(r"\d")
_SURE = {  # how often a pattern is right, by what was read in 300 abstracts
    "from": 0.93, "versus": 0.75, "by": 0.93, "of": 0.88, "gain": 0.93, "than": 0.9, "saves": 0.85, "noun": 0.85,
    "level of": 0.92, "level in": 0.85, "level": 0.88, "bracket": 0.7, "signed": 0.75, "more": 0.85,
}  # fmt: skip
_UNNAMED = 0.7  # where the metric may be named elsewhere
_VERSION = re.compile(r"\b[A-Z][a-z]+[\w-]* $|\b(?:Table|Figure|Section|version|Theorem|Appendix)s? $")


def find_measurements(doc: Doc, mentions: Sequence[Mention], lexicon: Lexicon) -> Iterator[Measurement]:
    """Yield the results that a sentence reports, in order of their numbers.

    Parameters
    ----------
    doc : Doc
        The parsed sentence.
    mentions : sequence of Mention
        Those in it; of names within names the longest counts.
    lexicon : Lexicon
        With the measures.
    """
    text = get_text(doc)
    if not _GATE.search(text):
        return
    quantities = [one for one in find_quantities(text) if one.unit or not _VERSION.search(text, 0, one.start)]
    quantities, mentions = _settle(quantities, find_outermost(mentions))
    if not quantities:
        return
    outline = to_outline(doc, quantities, mentions, lexicon)
    found = find_reported(outline)
    for at, one in enumerate(found):
        low = max((other.end for other in found[:at] if other.end <= one.start), default=0)
        high = min((other.start for other in found[at + 1 :] if other.start >= one.end), default=len(outline.line))
        yield _to_measurement(doc, outline, one, mentions, (low, high))


def _settle(quantities: list[Quantity], mentions: list[Mention]) -> tuple[list[Quantity], list[Mention]]:
    """Return numbers and names that share no character: a name goes before a number, but not before one with a unit."""
    strong = [one for one in quantities if one.unit in SHARES]
    names = [one for one in mentions if not any(one.start < other.end and other.start < one.end for other in strong)]
    return [
        one for one in quantities if not any(name.start < one.end and one.start < name.end for name in names)
    ], names


def _to_measurement(
    doc: Doc, outline: Outline, one: Reported, mentions: Sequence[Mention], window: tuple[int, int]
) -> Measurement:
    """Return what a number says, with the names that belong to it in a window of the outline."""
    number, metric = one.number, one.metric
    dataset, baseline = find_dataset(outline, one, window), find_baseline(outline, one, window)
    method, own = find_method(doc, outline, one, mentions)
    method = None if method == baseline else method
    below = one.direction is Direction.LOWER if one.kind is ResultKind.CHANGE else number.sign == "-"
    value = -number.value if below and one.unit != "×" else number.value
    name = metric.name or metric if metric else None
    sure = _SURE[one.rule] * (1.0 if metric or one.words else _UNNAMED)
    return Measurement(
        metric.text if metric else one.words, value, one.unit, one.kind, one.direction, one.better,
        one.baseline.value if one.baseline else None, number.start, number.end,
        *_place(name), *_place(dataset), *_place(method), *_place(baseline),
        own=own, score=round(sure, 4), cue=f"pattern: {one.rule}",
    )  # fmt: skip


def _place(name: Mention | Measured | None) -> tuple[int, int]:
    """Return where a name stands."""
    return (name.start, name.end) if name else (0, 0)
