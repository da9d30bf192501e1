"""The names that belong to a number: the data set and the baseline near it, the method whose verb it stands under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.extract.results.series import MORE
from kg.model import ConceptType, Mention, ResultKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc, Token

    from kg.extract.results.outline import Outline
    from kg.extract.results.reported import Reported

__all__ = ["find_baseline", "find_dataset", "find_method"]

_JOIN = r"(?: (?:, and|, or|,|and|or|&|/))"
_SET = r"(?:[a-z]\S* ){0,4}?D(?: (?:dataset|datasets|benchmark|benchmarks|set|sets|task|tasks|data))?"
_SETS = rf"{_SET}(?:{_JOIN} {_SET})*"
_ON = re.compile(rf"\b(?:on|in|for|over|across|from|at|to) ({_SETS})(?= |$)")
_TRAINED = re.compile(r"(?:train|tun|learn|adapt)\w*(?: (?:with|from|only|by|using) \S+)?$")
_LEAD = re.compile(r"(?:[,;:(]|that|and|where|e\.g\.)$")  # before "on ImageNet, ..."
_THAN = re.compile(
    r"\b(?:over|than|compar\w+ (?:[a-zM]\S* ){0,3}(?:to|with|against)|relative to|against|versus|vs\.?|from)"
    r" (?:[a-z]\S* ){0,5}?(X(?: (?:, and|,|and|or) (?:[a-z]\S* )?X)*)(?= |$)"
)
_BEGINNING = 12  # characters of an outline: "when compared"
_RATHER = re.compile(r"\b(?:than|over|compar\w+ (?:to|with)|relative to|against) ")
_ENDS = re.compile(r" (?:;|while|whereas|but|whilst|and (?:on|in|for)) ")
_OWN_NOUNS = {
    "agent", "algorithm", "approach", "architecture", "codec", "design", "framework", "method", "model", "network",
    "pipeline", "scheme", "solution", "strategy", "system", "technique", "work",
}  # fmt: skip


def find_dataset(outline: Outline, one: Reported, window: tuple[int, int]) -> Mention | None:
    """Return the data set of a number: in its pattern, after it, or before it within a window of the outline."""
    before, after = outline.line[window[0] : one.start], _cut(outline.line[one.end : window[1]])
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


def find_baseline(outline: Outline, one: Reported, window: tuple[int, int]) -> Mention | None:
    """Return what a number is compared with, after it within a window of the outline, or before it."""
    after = _cut(outline.line[one.end : window[1]])
    places = [one.rival] if one.rival[1] else []
    whole = outline.line[: one.end + len(after)]
    places += [match.span(1) for match in _THAN.finditer(whole, one.start)]
    if not _RATHER.search(after):  # "compared with X, ..." at the beginning is said of all that follows
        told = _THAN.finditer(whole, 0, one.start)
        places += [match.span(1) for match in told if not window[0] or match.start() < _BEGINNING][-1:]
    for start, end in places:
        if names := _names(outline, start, end, ConceptType.METHOD):
            return names[0] if len(names) == 1 else None
    return None


def find_method(doc: Doc, outline: Outline, one: Reported, mentions: Sequence[Mention]) -> tuple[Mention | None, bool]:
    """Return the method that the verb over a number has for a subject, and whether it is what the paper presents.

    A level in brackets may be somebody else's and has none.
    """
    before = outline.line[: one.start]
    aside = one.kind is ResultKind.LEVEL and before.count("(") > before.count(")")
    subject = None if aside else _find_subject(doc, one.number.start)
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


def _cut(after: str) -> str:
    """Return what follows a number up to where another thought begins."""
    found = _ENDS.search(after)
    return after[: found.start()] if found else after


def _names(outline: Outline, start: int, end: int, kind: ConceptType) -> list[Mention]:
    """Return the names of one type in a stretch of an outline."""
    return [one for one in outline.find(start, end) if isinstance(one, Mention) and one.type is kind]
