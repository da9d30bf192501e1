"""Documents to train on, in a file that is read once: sentences with tags, parse, and the chances of names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from spacy.util import registry

from kg.extract.tags import CHANCES, TAGS, find_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.vocab import Vocab

__all__ = ["read_corpus", "write_corpus"]

_ATTRIBUTES = ("ORTH", "SPACY", "TAG", "POS", "DEP", "HEAD")


def write_corpus(docs: Iterable[tuple[Doc, NDArray[np.float32]]], path: Path) -> None:
    """Write documents, and beside them the chances of their tokens' tags; the file appears when both are whole."""
    bins = DocBin(attrs=_ATTRIBUTES)
    rows = [np.zeros((0, len(TAGS)), dtype=np.float16)]
    for doc, chances in docs:
        bins.add(doc)
        rows.append(chances.astype(np.float16))
    np.save(_beside(path), np.concatenate(rows))
    part = path.with_suffix(".part")
    bins.to_disk(part)
    part.replace(path)


def read_corpus(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """Yield documents, with the chances in their user data and what they show as entities."""
    chances = np.load(_beside(path))
    at = 0
    for doc in DocBin().from_disk(path).get_docs(vocab):
        mine = chances[at : at + len(doc)]
        at += len(doc)
        doc.user_data[CHANCES] = mine
        found = find_spans(mine.astype(np.float32)) if mine.any() else []
        doc.set_ents([Span(doc, first, last, label=kind) for first, last, kind, _ in found])
        yield doc


def _beside(path: Path) -> Path:
    """Return where the chances lie."""
    return path.with_suffix(".npy")


@registry.readers("kg.Corpus.v1")  # type: ignore[untyped-decorator]
def make_reader(path: str) -> Callable[[Language], Iterable[Example]]:
    """Return a spaCy reader that keeps what it read: components read all of it several times."""
    kept: list[Example] = []

    def read(nlp: Language) -> Iterable[Example]:
        if not kept:
            kept.extend(Example(nlp.make_doc(doc.text), doc) for doc in read_corpus(Path(path), nlp.vocab))
        return kept

    return read
