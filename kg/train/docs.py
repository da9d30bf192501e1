"""Annotated texts and plain papers as documents to train on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.clean import clean_paper, find_passages, find_sentences
from kg.model import Paper, Section
from kg.read import read_papers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from spacy.language import Language
    from spacy.tokens import Doc, Span

    from kg.evaluate import Gold

__all__ = ["to_gold_docs", "to_plain_docs"]


def to_gold_docs(golds: Iterable[Gold], teacher: Language) -> Iterator[Doc]:
    """Yield a document for each sentence of annotated texts.

    Tags and parse are the teacher's, entities those of the annotation. A span that begins or
    ends inside a token grows to the token's edge; of spans that overlap the longest stays. The
    entities of a text that marks spans of no type of ours are left open.
    """
    sentences = (
        (
            gold.text[start:end],
            [(one[0] - start, one[1] - start, one[2]) for one in gold.spans if start <= one[0] < end],
        )
        for gold in golds
        for start, end in gold.sentences or find_sentences(gold.text)
        if gold.text[start:end].strip()
    )
    from spacy.util import filter_spans

    for doc, spans in teacher.pipe(sentences, as_tuples=True, batch_size=256):
        marked = [
            doc.char_span(start, min(end, len(doc.text)), label=kind or "", alignment_mode="expand")
            for start, end, kind in spans
        ]
        typed = filter_spans([one for one in marked if one is not None and one.label_])
        opened = [one for one in marked if one is not None and not one.label_]
        doc.set_ents(typed, missing=[one for one in opened if not any(_meet(one, other) for other in typed)])
        yield doc


def to_plain_docs(files: Iterable[Path], teacher: Language) -> Iterator[Doc]:
    """Yield a document for each sentence of papers, with the teacher's tags and parse and open entities."""
    papers = (clean_paper(one) for one in read_papers(files) if isinstance(one, Paper))
    texts = (one.text for paper in papers for one in find_passages(paper) if one.section is Section.ABSTRACT)
    for doc in teacher.pipe(texts, batch_size=256):
        doc.set_ents([], default="missing")
        yield doc


def _meet(one: Span, other: Span) -> bool:
    """Return whether two spans share a token."""
    return bool(one.start < other.end and other.start < one.end)
