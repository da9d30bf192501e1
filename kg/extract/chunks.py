"""Noun chunks cut down to names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kg.extract.candidate import to_candidate
from kg.extract.named import QUANTITY
from kg.extract.words import RECOGNISED
from kg.model import ConceptType
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc

    from kg.extract.candidate import Candidate
    from kg.extract.lexicon import Lexicon
    from kg.extract.words import Word

__all__ = ["find_chunks", "find_recognised", "split_chunk", "trim_segment"]

_NEVER_FIRST = frozenset({"DET", "PRON", "ADP", "SCONJ", "AUX", "PART", "CCONJ"})
_FINITE = frozenset({"VBZ", "VBP", "VBD"})
# What papers say about a topic, as in "fairness research".
_TALK = frozenset({"application", "community", "literature", "performance", "research", "setting", "study"})
_LINKS = frozenset({"ADP", "CCONJ", "PUNCT", "SCONJ"})  # what stands between names
_NOMINAL = frozenset({"NOUN", "PROPN", "NUM", "X", "SYM", "VERB", "ADJ"})


def find_chunks(doc: Doc, words: list[Word]) -> Iterator[tuple[int, int]]:
    """Yield the words that each noun chunk covers, wholly or in part."""
    at = 0
    for chunk in doc.noun_chunks:
        while at < len(words) and words[at].last <= chunk.start:
            at += 1
        last = at
        while last < len(words) and words[last].first < chunk.end:
            last += 1
        if last > at:
            yield _widen(words, at, last)


def _widen(words: list[Word], first: int, last: int) -> tuple[int, int]:
    """Return the range of a chunk without the cuts that the parser makes at hyphens.

    It reads "in-context weight prediction" as a preposition and then nouns, and a last word
    in "-ing" as a verb, as in "such as cloth folding."
    """
    if last < len(words) and "-" in words[last - 1].text:
        while last < len(words) and words[last].pos in {"NOUN", "PROPN"}:
            last += 1
    at_end = last + 1 >= len(words) or words[last + 1].is_break or words[last + 1].pos == "CCONJ"
    if last < len(words) and at_end and words[last].tag == "VBG" and words[last - 1].pos == "NOUN":
        last += 1
    while first and words[first].pos in {"NOUN", "PROPN"} and _is_compound(words[first - 1]):
        first -= 1
    return first, last


def _is_compound(word: Word) -> bool:
    """Return whether a word with a hyphen describes what follows."""
    return "-" in word.text[1:-1] and word.pos in {"ADJ", "NOUN", "PROPN", "VERB"}


def split_chunk(
    words: list[Word], first: int, last: int, named: list[Candidate], lexicon: Lexicon
) -> Iterator[tuple[int, int]]:
    """Yield the parts of a chunk between punctuation, conjunctions, possessives and stray verbs."""
    covered = {at for one in named for at in range(one.first, one.last)}
    start = first
    for at in range(first, last):
        word = words[at]
        if (
            word.is_break
            or word.pos == "CCONJ"
            or word.lower in {"and", "or", "vs", "versus", "&"}
            or (start < at < last - 1 and at not in covered and _is_stray(word, lexicon))
        ):
            follows = at + 1
        elif at not in covered and word.lower in lexicon.evaluative and _holds_name(words[start:at], lexicon):
            follows = at
        else:
            continue
        if at > start:
            yield start, at
        start = follows
    if last > start:
        yield start, last


def _holds_name(words: list[Word], lexicon: Lexicon) -> bool:
    """Return whether any of the words could be part of a name: not in "our" before "novel network"."""
    return not all(_is_cut(word, lexicon) for word in words)


def _is_stray(word: Word, lexicon: Lexicon) -> bool:
    """Return whether a word in the middle of a chunk shows that the parser went wrong.

    What modifies a noun stands in the singular, so "maps" in "the gate maps diagnostic
    proxies" is a verb; likewise "spanning" in "a benchmark spanning tissue types".
    """
    folded = fold_name(word.text)
    if word.tag == "NNS":
        return folded != word.lower and word.text.islower()
    verb = word.tag == "VBG" and "-" not in word.text and folded not in lexicon.heads
    return verb or bool(QUANTITY.fullmatch(word.text))


def trim_segment(
    doc: Doc, words: list[Word], segment: tuple[int, int], named: list[Candidate], lexicon: Lexicon
) -> Iterator[Candidate]:
    """Yield what a segment names, with its ends cut off, and types for the names in it."""
    start, last = segment
    protected = {one.first for one in named if one.source == "name" and one.last - one.first > 1}
    while start < last and start not in protected and _is_cut(words[start], lexicon):
        start += 1
    determiner = " ".join(word.lower for word in words[segment[0] : start])
    inner = [one for one in named if start <= one.first and one.last <= last and not one.outer]
    stop = last
    while stop > start and words[stop - 1].lower in lexicon.evaluative:
        stop -= 1
    if any(one.last == stop for one in inner) and _only_describes(words, inner, start, lexicon):
        # "our benchmark FakeWorld 1.0": the name is all.
        yield replace(max(inner, key=lambda one: one.last), determiner=determiner)
        return
    while stop - 1 > start and _stands_alone(words, start, stop - 1, inner, lexicon):
        stop -= 1
    if start < stop and words[stop - 1].pos in _NOMINAL and any(map(str.isalpha, words[stop - 1].text)):
        kind = _generic_type(words[stop:last], lexicon)
        whole = stop == last  # "existing CL methods" says nothing of CL itself
        yield replace(to_candidate(doc, words, (start, stop), "chunk", kind), determiner=determiner if whole else "the")


def find_recognised(doc: Doc, words: list[Word], lexicon: Lexicon) -> Iterator[Candidate]:
    """Yield what a trained recogniser found, at the edges of words, with what stands before it in its chunk."""
    for span in doc.spans.get(RECOGNISED, ()):
        inside = [at for at, word in enumerate(words) if word.first < span.end and span.start < word.last]
        while inside and (words[inside[0]].is_break or _is_cut(words[inside[0]], lexicon)):
            inside.pop(0)
        while inside and words[inside[-1]].is_break:
            inside.pop()
        if not inside or not _is_head(words[inside[-1]]) or any(words[at].pos in _LINKS for at in inside):
            continue
        first = start = inside[0]
        while start and not words[start - 1].is_break and _is_cut(words[start - 1], lexicon):
            start -= 1
        determiner = " ".join(word.lower for word in words[start:first])
        yield replace(to_candidate(doc, words, (first, inside[-1] + 1), "model"), determiner=determiner)


def _is_head(word: Word) -> bool:
    """Return whether a name may end in a word: not in "general-purpose" or "shows"."""
    return word.pos in {"NOUN", "PROPN", "NUM", "X", "SYM"} or word.tag == "VBG" or is_coined(word.text)


def _is_cut(word: Word, lexicon: Lexicon) -> bool:
    """Return whether a word at the front of a chunk is no part of the name."""
    if word.lower in lexicon.evaluative or word.pos in _NEVER_FIRST or word.tag in _FINITE:
        return True
    if word.pos == "ADV" or word.tag in {"JJR", "JJS", "RBR", "RBS"}:
        return "-" not in word.text and not is_coined(word.text)
    number = word.pos == "NUM" and word.text.isalpha()
    return number or bool(QUANTITY.fullmatch(word.text)) or word.text.endswith("-")


def _generic_type(words: list[Word], lexicon: Lexicon) -> ConceptType | None:
    """Return the type that the words cut off the end give."""
    kinds = [kind for word in words if (kind := lexicon.generic.get(fold_name(word.text)))]
    return kinds[-1] if kinds else None


def _stands_alone(words: list[Word], start: int, stop: int, inner: list[Candidate], lexicon: Lexicon) -> bool:
    """Return whether ``words[start:stop]`` is a name and the word after it only says what kind of thing it is."""
    generic = fold_name(words[stop].text)
    if generic not in lexicon.generic:
        return False
    given = lexicon.generic[generic]
    if any(one.last == stop and one.type in {None, given} for one in inner):
        return True
    head = words[stop - 1]
    known = lexicon.heads.get(fold_name(head.text))
    if stop - start < 2 or known is None or head.pos not in {"NOUN", "PROPN"}:
        return False
    return known.weight >= 0.6 and (generic in _TALK or known.type is given is ConceptType.TASK)


def _only_describes(words: list[Word], inner: list[Candidate], start: int, lexicon: Lexicon) -> bool:
    """Return whether the words before the last name are none, or end in a generic noun.

    Before a name in small letters such a noun belongs to it: "wind power prediction".
    """
    name = max(inner, key=lambda one: one.last)
    generic = not name.surface.islower() and fold_name(words[name.first - 1].text) in lexicon.generic
    return name.first == start or generic
