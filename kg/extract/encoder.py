"""A recogniser that is a transformer, run by ONNX Runtime: slower than the shipped one, and surer."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.language import Language

from kg.errors import ModelError
from kg.extract.tags import TAGS, mark_spans
from kg.extract.windows import find_edges, to_batches, to_input, to_windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from spacy.tokens import Doc
    from tokenizers import Tokenizer

__all__ = ["WEIGHTS", "WORDS", "EncoderRecogniser", "load_tokenizer"]

WEIGHTS, WORDS = "encoder.onnx", "tokenizer.json"  # its files


class EncoderRecogniser:
    """Marks names in ``doc.ents`` and keeps the probability of each tag."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder: Path | None = None
        self.session: InferenceSession | None = None
        self.tokenizer: Tokenizer | None = None

    def __call__(self, doc: Doc) -> Doc:
        """Mark the names in a document."""
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Yield documents with their names marked; those of a batch are read as one text."""
        stream = iter(docs)
        while batch := list(islice(stream, batch_size)):
            for doc, (chances, hidden) in zip(batch, self.predict(batch), strict=True):
                mark_spans(doc, chances)
                doc.tensor = hidden  # type: ignore[assignment]
                yield doc

    def predict(self, docs: Sequence[Doc]) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Return the probability of each tag for each token of each document, and the last layer's output.

        What was left out of a window is no name, and its output is zero.
        """
        if self.session is None or self.tokenizer is None:
            raise ModelError(f"{self.name!r} has no weights; it can only be loaded from a folder")
        width = self.session.get_outputs()[1].shape[-1]
        found = [_to_blank(len(doc), width) for doc in docs]
        windows = list(to_windows([[token.text for token in doc] for doc in docs], self.tokenizer))
        edges = find_edges(self.tokenizer)
        for batch in to_batches(windows, range(len(windows))):
            outputs = self.session.run(None, to_input([windows[one] for one in batch], edges))
            for row, number in enumerate(batch):
                for sentence, word, piece in windows[number].places:
                    for ours, output in zip(found[sentence], outputs, strict=True):
                        ours[word] = output[row, piece + 1]
        return found

    def from_disk(self, path: Path | str, **_: Any) -> EncoderRecogniser:
        """Load the weights.

        Raises
        ------
        ModelError
            If the libraries that run them are not installed.
        """
        try:
            import tokenizers  # noqa: F401
            from onnxruntime import InferenceSession, SessionOptions
        except ImportError as error:
            raise ModelError(f"this model needs {error.name!r}: pip install 'paperkg[accurate]'") from error
        options = SessionOptions()
        options.intra_op_num_threads = 1
        self.folder = Path(path)
        self.session = InferenceSession(self.folder / WEIGHTS, options)
        self.tokenizer = load_tokenizer(self.folder)
        return self

    def to_disk(self, path: Path | str, **_: Any) -> None:
        """Copy the weights to a folder."""
        if self.folder is None:
            raise ModelError(f"{self.name!r} has no weights to save")
        Path(path).mkdir(parents=True, exist_ok=True)
        for name in (WEIGHTS, WORDS):
            shutil.copyfile(self.folder / name, Path(path) / name)


def _to_blank(length: int, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the chances of tokens that are in no name, and no output for them."""
    chances = np.zeros((length, len(TAGS)), dtype=np.float32)
    chances[:, 0] = 1
    return chances, np.zeros((length, width), dtype=np.float32)


def load_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer that lies in a folder, without limits on length of its own."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / WORDS))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@Language.factory("kg_encoder", assigns=["doc.ents"])
def make_encoder(nlp: Language, name: str) -> EncoderRecogniser:
    """Return a recogniser without weights for a pipeline's config."""
    return EncoderRecogniser(name)
