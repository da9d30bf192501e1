"""Stretches of a passage that may name a concept: trimmed noun chunks, coined and curated names."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.extract.chunks import find_chunks, find_recognised, split_chunk, trim_segment
from kg.extract.named import find_known, find_named
from kg.extract.tags import CHANCES, hear
from kg.extract.words import get_text
from kg.model import ConceptType
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Set

    import numpy as np
    from numpy.typing import NDArray
    from spacy.tokens import Doc

    from kg.extract.candidate import Candidate
    from kg.extract.lexicon import Lexicon
    from kg.extract.words import Word

__all__ = ["find_candidates"]

_DIMENSION = re.compile(r"\((?:\d|[dn])\)")  # "SO(3)" is a group of matrices


def find_candidates(
    doc: Doc, words: list[Word], lexicon: Lexicon, long_forms: Set[str] = frozenset()
) -> list[Candidate]:
    """Return the candidates of a passage, without repeats, from the left.

    Long forms of acronyms, given folded, are found wherever they stand, and what only
    overlaps them is no candidate. Nor is what a dimension stands behind.

    Noun chunks are cut at commas, conjunctions, brackets and possessives; determiners and
    words that judge are cut off the front; after a name, a word that only says its type
    is cut off the end and gives the type. Where a trained recogniser found something that ends
    elsewhere or begins earlier, its boundaries hold, and a chunk that reaches over them is no
    candidate; what it left out before a common head, the chunk adds.
    """
    named = [*find_named(doc, words, lexicon)]
    found = list(named)
    whole = [*find_known(doc, words, long_forms)]
    for chunk_first, chunk_last in find_chunks(doc, words):
        for segment in split_chunk(words, chunk_first, chunk_last, named, lexicon):
            found += trim_segment(doc, words, segment, named, lexicon)
    recognised = [*find_recognised(doc, words, lexicon)]
    recognised = [one for one in recognised if not any(_knows_better(other, one, words) for other in found)]
    unique: dict[tuple[int, int], Candidate] = {}
    for one in [*whole, *found, *recognised]:
        if any(_cuts(one, long) for long in whole):
            continue
        if one.source != "name" and _DIMENSION.match(get_text(doc), one.end):
            continue
        if one.source == "chunk" and (_is_in_name(one, named) or _is_overruled(one, recognised)):
            continue
        known = unique.get((one.start, one.end))
        unique[one.start, one.end] = _merge(known, one) if known else one
    candidates = [_complete(one, unique, words, lexicon) for _, one in sorted(unique.items())]
    chances = doc.user_data.get(CHANCES)
    return candidates if chances is None else [_hear(one, words, chances) for one in candidates]


def _hear(one: Candidate, words: list[Word], chances: NDArray[np.float32]) -> Candidate:
    """Add what a trained recogniser says of a candidate."""
    inside, whole, kinds = hear(chances, words[one.first].first, words[one.last - 1].last)
    return replace(one, inside=inside, whole=whole, kinds=kinds)


def _merge(known: Candidate, other: Candidate) -> Candidate:
    """Return a candidate with what another finder says of the same words."""
    determiner = known.determiner or other.determiner
    return replace(known, type=known.type or other.type, determiner=determiner)


def _is_in_name(one: Candidate, named: list[Candidate]) -> bool:
    """Return whether a chunk is less than a name: the parser leaves the version out of "SQuAD 2.0"."""
    return any((name.start <= one.start and one.end < name.end) or name.start < one.start < name.end for name in named)


def _knows_better(one: Candidate, recognised: Candidate, words: list[Word]) -> bool:
    """Return whether a candidate and what was recognised end with the same word, and its modifiers are the right ones.

    What was recognised may begin earlier, if not with a verb; after "to" a verb may be a noun
    that the parser took for one, as in "our approach to crop yield forecasting".
    """
    if one.last != recognised.last or recognised.first >= one.first:
        return one.last == recognised.last
    after_to = recognised.first > 0 and words[recognised.first - 1].lower == "to"
    return not after_to and any(word.pos == "VERB" for word in words[recognised.first : one.first])


def _is_overruled(one: Candidate, recognised: list[Candidate]) -> bool:
    """Return whether a recogniser found a name in the same place with other boundaries."""
    met = [other for other in recognised if one.start < other.end and other.start < one.end]
    return bool(met) and (one.start, one.end) not in {(other.start, other.end) for other in met}


def _cuts(one: Candidate, long: Candidate) -> bool:
    """Return whether a candidate lies in a long form, or reaches into it from outside."""
    if (one.first, one.last) == (long.first, long.last):
        return False
    inside = long.first <= one.first and one.last <= long.last
    return inside or one.first < long.first < one.last < long.last or long.first < one.first < long.last < one.last


def _type_beside(words: list[Word], first: int, last: int, lexicon: Lexicon) -> ConceptType | None:
    """Return the type that the words around a name give it.

    "the ImageNet dataset" and "the dataset ImageNet" say it next to the name, "SoMA, a 3D
    simulator" and "LoDA is a method" in an apposition or after the verb.
    """
    after = lexicon.generic.get(fold_name(words[last].text)) if last < len(words) else None
    if after:
        return after
    at = first - 2 if first > 1 and words[first - 1].lower == "of" else first - 1  # "the task of X"
    before = words[at] if at >= 0 else None
    if before and before.pos == "NOUN" and lexicon.generic.get(fold_name(before.text)):
        return lexicon.generic[fold_name(before.text)]
    at = last
    if at + 2 < len(words) and words[at].text == "(" and words[at + 2].text == ")":
        at += 3
    if at + 1 < len(words) and words[at].lower in {",", ":", "is", "are", "–", "—"} and words[at + 1].pos == "DET":
        return _type_of_phrase(words[at + 2 :], lexicon)
    return None


def _type_of_phrase(words: list[Word], lexicon: Lexicon) -> ConceptType | None:
    """Return the type of the noun phrase that begins here, after its article."""
    head = None
    for word in words:
        if word.pos in {"NOUN", "PROPN"}:
            head = word
        elif word.pos not in {"ADJ", "ADV", "NUM"} and not ("-" in word.text or (head is None and word.pos == "VERB")):
            break
    if head is None:
        return None
    folded = fold_name(head.text)
    known = lexicon.heads.get(folded)
    if lexicon.generic.get(folded):
        return lexicon.generic[folded]
    return known.type if known and known.weight >= 0.5 and known.type is not ConceptType.TASK else None


def _complete(
    one: Candidate, found: dict[tuple[int, int], Candidate], words: list[Word], lexicon: Lexicon
) -> Candidate:
    """Add what only shows when all candidates are there: what one is a part of, and its type.

    A common noun at the start of the sentence loses its capital.
    """
    outer = [other.surface for (start, end), other in found.items() if start <= one.start and one.end <= end]
    longest = max(outer, key=len)
    kind = one.type
    if kind is None and (one.source == "coined" or one.surface[0].isupper()):
        kind = _type_beside(words, one.first, one.last, lexicon)
    surface = one.surface
    common = one.start == 0 and words[0].text.istitle() and words[0].lower.split("-")[0] not in lexicon.proper
    if common and one.source != "coined" and not any(word.text[0].isupper() for word in words[1 : one.last]):
        surface = surface[0].lower() + surface[1:]
    return replace(one, outer=one.outer or (longest if longest != one.surface else ""), type=kind, surface=surface)
