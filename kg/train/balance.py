"""How readily a recogniser marks names, set on texts that it never saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kg.evaluate import score_spans
from kg.extract.tags import CHANCES, find_spans
from kg.train.texts import to_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc

    from kg.evaluate import Gold
    from kg.evaluate.spans import Span

__all__ = ["balance"]

_FACTORS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # by which the chance that a token is in no name is multiplied


def balance(model: Path, golds: Sequence[Gold]) -> float:
    """Set how likely no name is, so that the strict F1 on held-out texts is highest; return the factor.

    A network that learned from another's doubts misses more names than it invents. The factor
    goes into the bias of the last layer, so that nothing is different where the model is used.
    """
    import spacy

    nlp = spacy.load(model)
    held = list(_read(golds, nlp))
    factor = max(_FACTORS, key=lambda one: (_score(held, one), one))
    layer = next(one for one in nlp.get_pipe("kg_recogniser").model.walk() if one.name == "softmax")  # type: ignore[attr-defined]
    bias = layer.get_param("b").copy()
    bias[0] += np.log(factor)
    layer.set_param("b", bias)
    nlp.get_pipe("kg_recogniser").to_disk(model / "kg_recogniser", exclude=["vocab"])  # type: ignore[attr-defined]
    return factor


def _read(golds: Sequence[Gold], nlp: Language) -> Iterator[tuple[list[Span], Doc]]:
    """Yield the sentences of annotated texts as documents with chances, and the spans that are marked in each."""
    sentences = [one for gold in golds for one in to_sentences(gold)]
    with nlp.select_pipes(enable=["tok2vec", "kg_recogniser"]):
        docs = nlp.pipe(text for text, _ in sentences)
        yield from zip(([*spans] for _, spans in sentences), docs, strict=True)


def _score(held: Sequence[tuple[list[Span], Doc]], factor: float) -> float:
    """Return the strict F1 of what is found with a factor."""
    found = []
    for _, doc in held:
        chances: NDArray[np.float32] = np.array(doc.user_data[CHANCES], dtype=np.float32)
        chances[:, 0] *= factor
        spans = find_spans(chances)
        found.append([(doc[first].idx, doc[last - 1].idx + len(doc[last - 1]), kind) for first, last, kind, _ in spans])
    return score_spans([spans for spans, _ in held], found).strict.f1
