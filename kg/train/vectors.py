"""Vectors of words: what a transformer makes of each, on average over all places where it stands."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray
    from spacy.tokens import Doc

__all__ = ["WordMeans"]

_WIDTH = 64  # of a vector
_RAREST = 3  # places that a word must have
_MOST = 30_000  # words that have one, the commonest
_SAMPLE = 20_000  # words that the principal components are found with


class WordMeans:
    """The mean output of a transformer for each word as it is written, as documents go by."""

    def __init__(self) -> None:
        self.sums: dict[str, NDArray[np.float32]] = {}
        self.counts: Counter[str] = Counter()

    def add(self, docs: Iterable[Doc]) -> None:
        """Take in the tensors of documents, shape (tokens, width); those without one say nothing."""
        for doc in docs:
            if len(doc.tensor) != len(doc):
                continue
            for token, output in zip(doc, doc.tensor, strict=True):
                if token.text in self.sums:
                    self.sums[token.text] += output
                else:
                    self.sums[token.text] = output.astype(np.float32)
                self.counts[token.text] += 1

    def write(self, path: Path) -> bool:
        """Write the means as vectors of a spaCy pipeline, and return whether there are any."""
        import spacy
        from spacy.vectors import Vectors  # type: ignore[import-not-found]

        known = sorted(word for word, count in self.counts.items() if count >= _RAREST)
        words = sorted(known, key=self.counts.__getitem__, reverse=True)[:_MOST]
        if not words:
            return False
        nlp = spacy.blank("en")
        rows = _reduce(np.stack([self.sums[word] / self.counts[word] for word in words]))
        keys = [nlp.vocab.strings.add(word) for word in words]
        nlp.vocab.vectors = Vectors(data=rows, keys=keys, strings=nlp.vocab.strings)
        nlp.to_disk(path)
        return True


def _reduce(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the principal components of rows, scaled to about unit variance; shape (rows, at most `_WIDTH`)."""
    rows = rows - rows.mean(axis=0)
    sample = rows[:: max(1, len(rows) // _SAMPLE)]
    _, _, axes = np.linalg.svd(sample, full_matrices=False)
    reduced = rows @ axes[:_WIDTH].T
    return np.asarray(reduced / max(float(reduced.std(axis=0).mean()), 1e-6), dtype=np.float32)
