"""Annotated texts and plain papers as documents to train on: a group for each text, a document a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kg.clean import find_sentences
from kg.extract.tags import to_tags
from kg.model import ConceptType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc

    from kg.evaluate import Gold

__all__ = ["Tagged", "to_docs", "to_sentences"]

Tagged: TypeAlias = "list[tuple[list[str], NDArray[np.int64]]]"  # the words of each sentence of a text, and their tags


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
