"""The trained recogniser: a component of a spaCy pipeline that marks names with their types and probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.scorer import Scorer
from spacy.util import registry
from thinc.api import Softmax, chain, with_array

from kg.extract.tags import CHANCES, TAGS, mark_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.vocab import Vocab
    from thinc.api import Model

__all__ = ["Recogniser"]


class Recogniser(TrainablePipe):  # type: ignore[misc]
    """Marks names in ``doc.ents`` and keeps the probability of each tag.

    It learns from the probabilities that a document's ``user_data`` holds, be they certain, as
    people's annotations are, or another recogniser's. Tokens without any are open.
    """

    def __init__(self, vocab: Vocab, model: Model[list[Doc], list[NDArray[np.float32]]], name: str) -> None:
        self.vocab, self.model, self.name = vocab, model, name
        self.cfg: dict[str, Any] = {"tags": TAGS}
        self.scorer = None

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the tags."""
        return TAGS

    def predict(self, docs: Iterable[Doc]) -> list[NDArray[np.float32]]:
        """Return the probability of each tag for each token of each document."""
        return self.model.predict(list(docs))

    def set_annotations(self, docs: Sequence[Doc], scores: list[NDArray[np.float32]]) -> None:
        """Set the entities of documents."""
        for doc, chances in zip(docs, scores, strict=True):
            mark_spans(doc, chances)

    def get_loss(
        self, examples: Iterable[Example], scores: list[NDArray[np.float32]]
    ) -> tuple[float, list[NDArray[np.float32]]]:
        """Return the cross entropy against the probabilities of the examples, and its gradient."""
        gradients, loss = [], 0.0
        for example, ours in zip(examples, scores, strict=True):
            right = example.reference.user_data.get(CHANCES)
            if right is None:
                gradients.append(np.zeros_like(ours))
                continue
            right = np.asarray(right, dtype=np.float32)
            known = right.sum(axis=1, keepdims=True) > 0
            gradients.append(np.where(known, ours - right, 0).astype(np.float32))
            loss -= float((right * np.log(np.maximum(ours, 1e-9))).sum())
        return loss, gradients

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None) -> None:
        """Set the shapes of the weights."""
        docs = [example.x for example, _ in zip(get_examples(), range(10), strict=False)]
        self.model.initialize(X=docs, Y=[np.zeros((len(doc), len(TAGS)), dtype=np.float32) for doc in docs])

    def score(self, examples: Iterable[Example], **_: object) -> dict[str, Any]:
        """Return how well the entities agree with those of the examples."""
        scores: dict[str, Any] = Scorer.score_spans(examples, "ents")
        return scores


@registry.architectures("kg.Recogniser.v1")  # type: ignore[untyped-decorator]
def make_model(tok2vec: Model[list[Doc], Any], encode: Model[Any, Any]) -> Model[list[Doc], Any]:
    """Return the model that turns the embedding of tokens into probabilities of tags.

    Parameters
    ----------
    tok2vec : Model
        The embedding, shared with other components through a listener.
    encode : Model
        Layers of the recogniser's own between the embedding and the tags.
    """
    width = tok2vec.maybe_get_dim("nO")
    model: Model[list[Doc], Any] = chain(tok2vec, encode, with_array(Softmax(nO=len(TAGS), nI=width)))
    model.set_ref("tok2vec", tok2vec)
    return model


@Language.factory("kg_recogniser", default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0})
def make_recogniser(nlp: Language, name: str, model: Model[list[Doc], Any]) -> Recogniser:
    """Return a recogniser for a pipeline's config."""
    return Recogniser(nlp.vocab, model, name)
