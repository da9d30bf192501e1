"""Annotated texts and plain papers as documents to train on: a group for each text, a document a sentence."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from kg.clean import find_sentences
from kg.extract.tags import TAGS, to_tags
from kg.model import ConceptType

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc

    from kg.evaluate import Gold

__all__ = ["Tagged", "find_names", "swap_names", "to_docs", "to_sentences"]

Tagged: TypeAlias = "list[tuple[list[str], NDArray[np.int64]]]"  # the words of each sentence of a text, and their tags

_SWAPPED = 0.3  # the share of coined names that are replaced
_SWAPPED_TAGS = frozenset(TAGS.index(f"U-{kind}") for kind in (ConceptType.METHOD, ConceptType.DATASET))


def to_sentences(gold: Gold) -> list[tuple[str, list[tuple[int, int, ConceptType | None]]]]:
    """Return the sentences of an annotated text, with the spans that begin in each."""
    return [
        (
            gold.text[start:end],
            [(one[0] - start, one[1] - start, one[2]) for one in gold.spans if start <= one[0] < end],
        )
        for start, end in gold.sentences or find_sentences(gold.text)
        if gold.text[start:end].strip()
    ]


def to_docs(golds: Iterable[Gold], nlp: Language) -> Iterator[list[tuple[Doc, NDArray[np.int64]]]]:
    """Yield the sentences of each annotated text, with the tags of their tokens.

    A span that begins or ends inside a token grows to the token's edge; of spans that overlap
    the longest stays.
    """
    from spacy.util import filter_spans

    for gold in golds:
        group = []
        for text, spans in to_sentences(gold):
            doc = nlp.make_doc(text)
            marked = [
                doc.char_span(start, min(end, len(text)), label=kind or "", alignment_mode="expand")
                for start, end, kind in spans
            ]
            kept = filter_spans([one for one in marked if one is not None])
            ends = [(one.start, one.end, ConceptType(one.label_) if one.label_ else None) for one in kept]
            group.append((doc, to_tags(ends, len(doc))))
        yield group


def find_names(texts: Iterable[Tagged]) -> dict[int, list[str]]:
    """Return the coined names of one token that texts have, by tag, sorted."""
    names: dict[int, set[str]] = defaultdict(set)
    for words, tags in (sentence for text in texts for sentence in text):
        for word, tag in zip(words, tags.tolist(), strict=True):
            if _is_swapped(word, tag):
                names[tag].add(word)
    return {tag: sorted(some) for tag, some in names.items()}


def swap_names(text: Tagged, names: Mapping[int, Sequence[str]], rng: random.Random) -> Tagged:
    """Return a text in which some coined names are replaced by others of their type, each everywhere.

    So a recogniser learns what stands around a name and how names are made, not which they are.
    """
    other: dict[tuple[str, int], str] = {}
    swapped: Tagged = []
    for words, tags in text:
        keys = list(zip(words, tags.tolist(), strict=True))
        for word, tag in keys:
            if _is_swapped(word, tag) and (word, tag) not in other:
                other[word, tag] = rng.choice(names[tag]) if rng.random() < _SWAPPED else word
        swapped.append(([other.get(key, key[0]) for key in keys], tags))
    return swapped


def _is_swapped(word: str, tag: int) -> bool:
    """Return whether a token is a coined name of a method or data set."""
    return tag in _SWAPPED_TAGS and len(word) > 2 and not word.islower()
