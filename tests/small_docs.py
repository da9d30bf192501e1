"""spaCy documents and word lists made by hand, so that tests of extraction need no trained model."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import spacy
from spacy.tokens import Doc, Span

from kg.extract.candidate import Candidate
from kg.extract.lexicon import Head, Lexicon
from kg.extract.words import find_words
from kg.model import ConceptType
from kg.names import Name, fold_name

if TYPE_CHECKING:
    from spacy.vocab import Vocab

__all__ = ["find_one", "to_doc", "to_lexicon", "to_plain_doc"]

_NAMES = (
    Name("ImageNet", ConceptType.DATASET, ("ILSVRC",), "core"),
    Name("SQuAD", ConceptType.DATASET, (), "core"),
    Name("Set", ConceptType.DATASET, (), "other"),
    Name("Adam", ConceptType.METHOD, (), "core"),
    Name("Mamba", ConceptType.METHOD, (), "core"),
    Name("low-rank adaptation", ConceptType.METHOD, ("LoRA",), "core"),
    Name("image classification", ConceptType.TASK, (), "core"),
    Name("F1", ConceptType.METRIC, ("F1 score",), "core"),
)
_HEADS = {
    "accuracy": Head(ConceptType.METRIC, 0.9),
    "captioning": Head(ConceptType.TASK, 0.9),
    "classification": Head(ConceptType.TASK, 0.9),
    "corpus": Head(ConceptType.DATASET, 0.8),
    "network": Head(ConceptType.METHOD, 0.8),
    "segmentation": Head(ConceptType.TASK, 0.9),
}
_GENERIC = {
    "approach": None,
    "benchmark": ConceptType.DATASET,
    "dataset": ConceptType.DATASET,
    "method": ConceptType.METHOD,
    "model": ConceptType.METHOD,
    "result": None,
    "task": ConceptType.TASK,
}


@cache
def _vocab() -> Vocab:
    """Return a vocabulary of English without a model; it knows what noun chunks are."""
    return spacy.blank("en").vocab


def to_doc(rows: str) -> Doc:
    """Return a parsed sentence: a row for each token with text, part of speech, tag, relation and head's number.

    A text that begins with ``~`` touches the token before it.
    """
    split = [row.split() for row in rows.strip().splitlines()]
    texts, pos, tags, deps, heads = (list(column) for column in zip(*split, strict=True))
    spaces = [not after.startswith("~") for after in [*texts[1:], "~"]]
    words = [text.removeprefix("~") for text in texts]
    return Doc(_vocab(), words, spaces, pos=pos, tags=tags, deps=deps, heads=[int(head) for head in heads])


def to_plain_doc(text: str, *, names: dict[str, str] | None = None) -> Doc:
    """Return a text without a parse, all nouns, cut at spaces; `names` are its entities and their types."""
    words = text.split(" ")
    size = len(words)
    doc = Doc(_vocab(), words, [True] * (size - 1) + [False], pos=["NOUN"] * size, tags=["NN"] * size)
    spans = [doc.char_span(at := text.index(name), at + len(name), label=kind) for name, kind in (names or {}).items()]
    doc.ents = tuple(span for span in spans if isinstance(span, Span))
    return doc


def to_lexicon() -> Lexicon:
    """Return word lists of a few words."""
    names: dict[str, tuple[Name, ...]] = {}
    for name in _NAMES:
        for form in (name.label, *name.aliases):
            names[fold_name(form)] = (*names.get(fold_name(form), ()), name)
    return Lexicon(
        heads=_HEADS,
        generic=_GENERIC,
        evaluative=frozenset({"new", "novel", "proposed", "our", "existing", "large", "several"}),
        boilerplate=frozenset({"anonymous repository", "large margin"}),
        common={"new": 0.5, "deep": 0.3, "image": 0.3, "large": 0.3, "margin": 0.1, "learning": 0.5, "high": 0.4},
        names=names,
        starts=frozenset(form.split(" ", 1)[0] for form in names),
    )


def find_one(doc: Doc, surface: str, *, source: str = "chunk", kind: ConceptType | None = None) -> Candidate:
    """Return the candidate that the words of `surface` are in a document."""
    words = find_words(doc)
    start = doc.text.index(surface)
    end = start + len(surface)
    first = next(at for at, word in enumerate(words) if word.start == start)
    last = next(at for at, word in enumerate(words) if word.end == end) + 1
    head = doc[words[first].first : words[last - 1].last].root.i
    return Candidate(first, last, start, end, surface, source, kind, head)
