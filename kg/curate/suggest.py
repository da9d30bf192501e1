"""Concepts that look alike and were not merged.

Only concepts that share a block are compared: the same stems of words in any order, letters that
are the same but for one, initials that are a short form. So the work grows with the number of
names and not with its square.
"""

from __future__ import annotations

import math
import shlex
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kg.canonicalise import is_initialism, to_stems
from kg.mentions import find_mentions, read_mentions
from kg.model import DecisionKind, Section
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kg.model import Concept, KnowledgeGraph

__all__ = ["Lookalike", "find_lookalikes", "format_lookalikes"]

_LARGEST_BLOCK = 50  # names; in a larger one what they share says nothing
_SHORTEST = 6  # letters of names that are compared by letters
_OTHER_TYPE = 0.5  # what is left of the score of two types
_TOGETHER = 0.3  # what is left of the score of two concepts of one sentence
_STEMS, _ORDER, _LETTER, _INITIALS = "same stems of words", "same words in another order", "one letter", "initials"
_WEIGHTS = {_STEMS: 1.0, _ORDER: 0.8, _LETTER: 0.7, _INITIALS: 0.6}


@dataclass(frozen=True, slots=True)
class Lookalike:
    """Two concepts that may be one."""

    concept: str  # node id, of that in fewer papers
    other: str  # node id
    score: float  # likeness and papers together; only its order means something
    reason: str


def find_lookalikes(kg: KnowledgeGraph) -> list[Lookalike]:
    """Return pairs of concepts whose names look alike, likeliest and commonest first.

    Numbers must be the same, two concepts of one sentence are less likely to be one, and pairs
    that a decision tells apart are left out.
    """
    decided = [one for one in kg.decisions if one.kind is DecisionKind.DIFFERENT]
    apart = {frozenset((fold_name(one.subject), fold_name(one.object))) for one in decided}
    sentences = _find_sentences(kg)
    found: dict[tuple[str, str], Lookalike] = {}
    for reason, block in _iter_blocks(kg):
        for one, other in combinations((kg.concepts[node] for node in sorted(block)), 2):
            if reason == _INITIALS and is_initialism(one.label) == is_initialism(other.label):
                continue
            together = not sentences[one.id].isdisjoint(sentences[other.id])
            pair = _to_pair(one, other, reason, together=together)
            key = (pair.concept, pair.other)
            names = frozenset((fold_name(one.label), fold_name(other.label)))
            if names not in apart and (key not in found or found[key].score < pair.score):
                found[key] = pair
    return sorted(found.values(), key=lambda one: (-one.score, one.concept, one.other))


def format_lookalikes(kg: KnowledgeGraph, pairs: Sequence[Lookalike], graph: str) -> str:
    """Return pairs with a sentence of each concept, and what to type to merge them, as a shell takes it."""
    lines = []
    for pair in pairs:
        one, other = kg.concepts[pair.concept], kg.concepts[pair.other]
        lines += [
            f"{one.label} ({one.type}, papers: {one.papers}) | {other.label} ({other.type}, papers: {other.papers})"
        ]
        lines += [f"  {pair.reason}", *(f"  “{_find_sentence(kg, node)}”" for node in (pair.concept, pair.other))]
        lines += [f"  kg merge {shlex.join((graph, pair.concept, pair.other))}", ""]
    return "\n".join(lines) if lines else "no two concepts look alike\n"


def _iter_blocks(kg: KnowledgeGraph) -> Iterator[tuple[str, set[str]]]:
    """Yield concepts that share something, and what."""
    blocks: dict[tuple[str, object], set[str]] = defaultdict(set)
    for concept in kg.concepts.values():
        for name in {concept.label, *concept.alt_labels}:
            for kind, key in _iter_keys(fold_name(name), name):
                blocks[kind, key].add(concept.id)
    for (kind, _), block in blocks.items():
        if 1 < len(block) <= _LARGEST_BLOCK:
            yield kind, block


def _iter_keys(folded: str, name: str) -> Iterator[tuple[str, object]]:
    """Yield what two names must share to look alike; a short form that both have says nothing."""
    if is_initialism(name):
        yield _INITIALS, folded
        return
    stems = to_stems(folded)
    yield _STEMS, stems
    if len(stems) > 1:
        yield _ORDER, tuple(sorted(stems))
    letters = folded.replace(" ", "")
    if len(letters) >= _SHORTEST and not any(map(str.isdigit, letters)):
        yield _LETTER, letters
        yield from ((_LETTER, letters[:at] + letters[at + 1 :]) for at in range(1, len(letters)))
    words = folded.split()
    if len(words) > 2:
        yield _INITIALS, "".join(word[0] for word in words)


def _find_sentences(kg: KnowledgeGraph) -> dict[str, set[tuple[str, str, int]]]:
    """Return the sentences that name each concept."""
    sentences: dict[str, set[tuple[str, str, int]]] = defaultdict(set)
    for batch in read_mentions(kg.mentions, columns=["concept", "paper", "section", "offset"]):
        for concept, *place in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            sentences[concept].add(tuple(place))
    return sentences


def _to_pair(one: Concept, other: Concept, reason: str, *, together: bool) -> Lookalike:
    """Return two concepts, that in fewer papers first, with how alike they are."""
    first, second = sorted((one, other), key=lambda concept: (concept.papers, concept.id))
    likeness = _WEIGHTS[reason] * (1.0 if one.type is other.type else _OTHER_TYPE) * (_TOGETHER if together else 1.0)
    weight = math.log1p(first.papers) + 0.1 * math.log1p(second.papers)
    return Lookalike(first.id, second.id, round(likeness * weight, 6), reason)


def _find_sentence(kg: KnowledgeGraph, concept: str) -> str:
    """Return a sentence in which a concept is named."""
    row = find_mentions(kg.mentions, concept)[0]
    text = kg.papers[row["paper"]].text(Section(row["section"]))
    return text[row["offset"] : row["offset"] + row["length"]]
