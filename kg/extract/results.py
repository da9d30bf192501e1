"""Results: which value of which metric a sentence reports, of which method, on which data set, against what.

Numbers are read by patterns over an outline of the sentence (`kg.extract.reported`). The data
set and the baseline are names near the number; the method is the subject of its verb.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.extract.outline import to_outline
from kg.extract.quantities import SHARES, find_quantities
from kg.extract.reported import MORE, find_reported
from kg.extract.words import get_text
from kg.model import ConceptType, Direction, Measurement, Mention, ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc, Token

    from kg.extract.lexicon import Lexicon
    from kg.extract.outline import Measured, Outline
    from kg.extract.quantities import Quantity
    from kg.extract.reported import Reported

__all__ = ["find_measurements"]

_GATE = re.compile(r"\d")
_SURE = {
    "from": 0.9, "versus": 0.7, "by": 0.85, "of": 0.8, "gain": 0.85, "than": 0.8, "saves": 0.8,
    "noun": 0.8, "level of": 0.9, "level in": 0.8, "level": 0.85, "bracket": 0.7, "signed": 0.7, "more": 0.8,
}  # fmt: skip
_VERSION = re.compile(r"\b[A-Z][a-z]+[\w-]* $|\b(?:Table|Figure|Section|version|Theorem|Appendix)s? $")
_JOIN = r"(?: (?:, and|, or|,|and|or|&|/))"
_SET = r"(?:T )?(?:[a-z]\S* ){0,4}?D(?: (?:dataset|datasets|benchmark|benchmarks|set|sets|task|tasks|data))?"
_SETS = rf"{_SET}(?:{_JOIN} {_SET})*"
_ON = re.compile(rf"\b(?:on|in|for|over|across|from|at|to) ({_SETS})(?= |$)")
_TRAINED = re.compile(r"(?:train|tun|learn|adapt)\w*(?: (?:with|from|only|by|using) \S+)?$")
_LEAD = re.compile(r"(?:[,;:(]|that|and|where|e\.g\.)$")  # before "on ImageNet, ..."
_THAN = re.compile(
    r"\b(?:over|than|compar\w+ (?:[a-zM]\S* ){0,3}(?:to|with|against)|relative to|against|versus|vs\.?|from)"
    r" (?:[a-z]\S* ){0,5}?(X(?: (?:, and|,|and|or) (?:[a-z]\S* )?X)*)(?= |$)"
)
_ENDS = re.compile(r" (?:;|while|whereas|but|whilst|and (?:on|in|for)) ")
_OWN_NOUNS = frozenset(
    "agent algorithm approach architecture codec design framework method model network pipeline scheme solution strategy"
    " system technique work".split()
)


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
    quantities, mentions = _settle(quantities, _without_inner(mentions))
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


def _without_inner(mentions: Sequence[Mention]) -> list[Mention]:
    """Return mentions in the order of the text, without those that lie in longer ones."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _to_measurement(
    doc: Doc, outline: Outline, one: Reported, mentions: Sequence[Mention], window: tuple[int, int]
) -> Measurement:
    """Return what a number says, with the names that belong to it in a window of the outline."""
    number, metric = one.number, one.metric
    after = _cut(outline.line[one.end : window[1]])
    before = outline.line[window[0] : one.start]
    dataset = _find_dataset(outline, one, before, after)
    baseline = _find_baseline(outline, one, after)
    method, own = (None, False) if _is_aside(one, outline) else _find_method(doc, number.start, mentions)
    method = None if method == baseline else method
    value = number.value
    if one.kind is ResultKind.CHANGE and one.unit != "×" and one.direction is Direction.LOWER:
        value = -value
    name = metric.name or metric if metric else None
    return Measurement(
        metric.text if metric else one.words, value, one.unit, one.kind, one.direction, one.better,
        one.baseline.value if one.baseline else None, number.start, number.end,
        *_place(name), *_place(dataset), *_place(method), *_place(baseline),
        own=own, score=_SURE[one.rule] * (1.0 if metric or one.words else 0.8), cue=f"pattern: {one.rule}",
    )  # fmt: skip


def _place(name: Mention | Measured | None) -> tuple[int, int]:
    """Return where a name stands."""
    return (name.start, name.end) if name else (0, 0)


def _cut(after: str) -> str:
    """Return what follows a number up to where another thought begins."""
    found = _ENDS.search(after)
    return after[: found.start()] if found else after


def _is_aside(one: Reported, outline: Outline) -> bool:
    """Return whether a level stands in brackets, where it may be somebody else's."""
    before = outline.line[: one.start]
    return one.kind is ResultKind.LEVEL and before.count("(") > before.count(")")


def _names(outline: Outline, start: int, end: int, kind: ConceptType) -> list[Mention]:
    """Return the names of one type in a stretch of an outline."""
    return [one for one in outline.find(start, end) if isinstance(one, Mention) and one.type is kind]


def _find_dataset(outline: Outline, one: Reported, before: str, after: str) -> Mention | None:
    """Return the data set of a number: in the pattern, after it, or before it."""
    inner = _names(outline, one.start, one.end, ConceptType.DATASET)
    if inner and not one.rival[1]:
        return _pick(inner, one)
    if found := _find_on(after):
        return _pick(_names(outline, one.end + found[0].start(1), one.end + found[0].end(1), ConceptType.DATASET), one)
    begins = one.start - len(before)
    found = [match for match in _find_on(before) if not begins or _is_shared(match)]
    if found and one.rule != MORE:
        span = begins + found[-1].start(1), begins + found[-1].end(1)
        paired = "respectively" in after
        return _pick(_names(outline, *span, ConceptType.DATASET), one, paired=paired)
    return None


def _is_shared(match: re.Match[str]) -> bool:
    """Return whether a data set between two results is the second's too: "N M on D and N M", "N M. On D, N M"."""
    before, after = match.string[: match.start()].rstrip(), match.string[match.end() :].strip()
    return bool(_LEAD.search(before)) if before else after == "and"


def _find_on(text: str) -> list[re.Match[str]]:
    """Return where a stretch of an outline says on which data sets; not on which something was trained."""
    return [match for match in _ON.finditer(text) if not _TRAINED.search(text[: match.start()].rstrip())]


def _pick(names: Sequence[Mention], one: Reported, *, paired: bool = False) -> Mention | None:
    """Return which of some names belongs to a number: the one there is, or that in the same place of a list."""
    if len(names) == 1 and (one.size == 1 or not paired):
        return names[0]
    return names[one.place] if len(names) == one.size else None


def _find_baseline(outline: Outline, one: Reported, after: str) -> Mention | None:
    """Return what a number is compared with."""
    places = [one.rival] if one.rival[1] else []
    whole = outline.line[: one.end + len(after)]
    places += [match.span(1) for match in _THAN.finditer(whole, one.start)]
    places += [match.span(1) for match in _THAN.finditer(whole, 0, one.start)][-1:]
    for start, end in places:
        if names := _names(outline, start, end, ConceptType.METHOD):
            return names[0] if len(names) == 1 else None
    return None


def _find_method(doc: Doc, at: int, mentions: Sequence[Mention]) -> tuple[Mention | None, bool]:
    """Return what the verb over a number has for a subject, and whether that is what the paper presents."""
    subject = _find_subject(doc, at)
    if subject is None:
        return None, False
    left = doc[subject.left_edge.i].idx
    right = subject.idx + len(subject)
    named = [one for one in mentions if left <= one.start and one.start < right]
    methods = [one for one in named if one.type is ConceptType.METHOD]
    words = {token.lower_ for token in doc[subject.left_edge.i : subject.i + 1]}
    if len(methods) == 1 and methods[0].surface.islower() and words & {"our", "proposed", "this"}:
        return None, True
    if methods:
        return (methods[-1], False) if len(methods) == 1 else (None, False)
    if words & {"we", "it", "ours", "our"} or (words & {"this", "proposed", "the"} and subject.lower_ in _OWN_NOUNS):
        return None, True
    return None, False


def _find_subject(doc: Doc, at: int) -> Token | None:
    """Return the subject of the verb that a place in a sentence stands under."""
    span = doc.char_span(at, at + 1, alignment_mode="expand")
    token = span.root if span is not None else None
    for _ in range(len(doc)):
        if token is None:
            return None
        subject = next((child for child in token.children if child.dep_ in {"nsubj", "nsubjpass"}), None)
        if subject is not None and token.pos_ in {"VERB", "AUX"}:
            if subject.lower_ in {"that", "which"} and token.dep_ == "relcl":
                return token.head
            return subject
        if token.head.i == token.i:
            return None
        token = token.head
    return None
