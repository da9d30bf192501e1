"""Fine-tuning of a pretrained transformer as a recogniser.

The encoder reads whole passages, so that a sentence is understood with its neighbours. It
knows no capitals: how a word is written is added to its embedding, and so is whose guideline
the annotation follows, where files of several kinds are learned from.
"""

from __future__ import annotations

import random
import sys
import warnings
from typing import TYPE_CHECKING, TypeAlias

import torch
from torch import nn
from transformers import AutoModel

from kg.evaluate import score_spans
from kg.extract.encoder import WEIGHTS, WORDS, load_tokenizer
from kg.extract.tags import OPEN, TAGS
from kg.extract.windows import SHAPES, find_edges, to_batches, to_input, to_windows
from kg.model import ConceptType
from kg.train.texts import to_docs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from spacy.language import Language
    from tokenizers import Tokenizer

    from kg.evaluate import Gold
    from kg.extract.windows import Window
    from kg.train.texts import Tagged

__all__ = ["fit_encoder"]

_RATE, _HEAD_RATE, _WARM_UP = 1.5e-4, 1e-3, 100  # of learning; updates until it is reached
_PASSAGE = 10  # sentences of a long text that stay together
_SAVED_EVERY = 100  # updates
_INPUTS = ("pieces", "shapes", "mask")

_Update: TypeAlias = "list[tuple[Window, int, list[int]]]"  # windows with guideline and tags


class Encoder(nn.Module):
    """The transformer, and the layer that turns its output into tags.

    Parameters
    ----------
    folder : Path
        Of a pretrained BERT in the form of the Transformers library.
    guidelines : int
        How many kinds of annotation it learns from. It predicts as of the first.
    """

    def __init__(self, folder: Path, guidelines: int) -> None:
        super().__init__()
        # No dropout of attention: it would rule out the fast attention of the library.
        self.encoder = AutoModel.from_pretrained(
            folder, local_files_only=True, add_pooling_layer=False, attention_probs_dropout_prob=0.0
        )
        width = self.encoder.config.hidden_size
        self.shapes = nn.Embedding(SHAPES, width)
        self.guidelines = nn.Embedding(guidelines, width)
        self.dropout = nn.Dropout(0.1)
        self.tags = nn.Linear(width, len(TAGS))
        nn.init.normal_(self.shapes.weight, std=0.02)
        nn.init.zeros_(self.guidelines.weight)

    def forward(
        self, pieces: torch.Tensor, shapes: torch.Tensor, mask: torch.Tensor, guidelines: torch.Tensor
    ) -> torch.Tensor:
        """Return the scores of tags, shape (windows, pieces, tags); `guidelines` has one number a window."""
        scores: torch.Tensor = self.tags(self.dropout(self.read(pieces, shapes, mask, guidelines)))
        return scores

    def read(
        self, pieces: torch.Tensor, shapes: torch.Tensor, mask: torch.Tensor, guidelines: torch.Tensor
    ) -> torch.Tensor:
        """Return the output of the last layer, shape (windows, pieces, width)."""
        words = self.encoder.embeddings.word_embeddings(pieces)
        embedded = words + self.shapes(shapes) + self.guidelines(guidelines)[:, None]
        hidden: torch.Tensor = self.encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        return hidden


def fit_encoder(
    nlp: Language,
    folder: Path,
    golds: Sequence[Sequence[Gold]],
    held: Sequence[Gold],
    work: Path,
    *,
    epochs: int,
) -> dict[str, float]:
    """Fine-tune a transformer, or go on, and write it with a pipeline's parser to a work folder.

    Parameters
    ----------
    nlp : Language
        Whose tokenizer, tagger and parser the model has.
    folder : Path
        Of the pretrained transformer.
    golds : sequence of sequences of Gold
        Annotated texts, by guideline.
    held : sequence of Gold
        Texts to measure the result on.
    work : Path
        Holds the state of the run, and in the end the model.
    epochs : int
        How often each text is read.
    """
    tokenizer = load_tokenizer(folder)
    files = [
        [[([token.text for token in doc], tags) for doc, tags in group] for group in to_docs(some, nlp)]
        for some in golds
    ]
    torch.manual_seed(0)
    model = Encoder(folder, len(golds))
    _fit(model, _repeat(files), tokenizer, epochs, work / "state.pt")
    weights = work / "encoder"
    weights.mkdir(exist_ok=True)
    _write_onnx(model, weights / WEIGHTS)
    tokenizer.save(str(weights / WORDS))
    if "kg_recogniser" in nlp.pipe_names:
        nlp.remove_pipe("kg_recogniser")
    recogniser = nlp.add_pipe("kg_encoder")
    recogniser.from_disk(weights)  # type: ignore[attr-defined]
    nlp.to_disk(work / "model")
    found = [[(one.start_char, one.end_char, ConceptType(one.label_)) for one in nlp(gold.text).ents] for gold in held]
    strict = score_spans([gold.spans for gold in held], found).strict
    return {"ents_p": strict.precision, "ents_r": strict.recall, "ents_f": strict.f1}


def _repeat(files: Sequence[list[Tagged]]) -> list[tuple[int, Tagged]]:
    """Return the texts of files, with the number of their file; a small file's are there several times.

    A file that is n times as small as the largest is read about the root of n times as often, so
    that its guideline is learned too.
    """
    sizes = [sum(map(len, texts)) for texts in files]
    often = [max(1, round((max(sizes) / size) ** 0.5)) if size else 0 for size in sizes]
    return [(kind, text) for kind, texts in enumerate(files) for text in texts * often[kind]]


def _fit(
    model: Encoder,
    texts: Sequence[tuple[int, Tagged]],
    tokenizer: Tokenizer,
    epochs: int,
    checkpoint: Path,
) -> None:
    """Train an encoder, or go on from a checkpoint."""
    updates = [one for epoch in range(epochs) for one in _to_updates(texts, tokenizer, random.Random(epoch))]  # noqa: S311
    head = [weights for name, weights in model.named_parameters() if not name.startswith("encoder.")]
    groups = [{"params": model.encoder.parameters(), "lr": _RATE}, {"params": head, "lr": _HEAD_RATE}]
    warm_up = min(_WARM_UP, len(updates) // 10 + 1)
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda done: min((done + 1) / warm_up, (len(updates) - done) / len(updates))
    )
    done = 0
    if checkpoint.is_file():
        state = torch.load(checkpoint)
        done = state["done"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        rate.load_state_dict(state["rate"])
    model.train()
    edges = find_edges(tokenizer)
    late = 0.0
    for number in range(done, len(updates)):
        torch.manual_seed(number)  # dropout is the same when a run is gone on with
        loss = _to_loss(model, updates[number], edges)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        rate.step()
        optimizer.zero_grad()
        late = loss.item() if number == done else 0.98 * late + 0.02 * loss.item()
        if (number + 1) % _SAVED_EVERY == 0 or number + 1 == len(updates):
            kept = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "rate": rate.state_dict()}
            _save({"done": number + 1, **kept}, checkpoint)
            sys.stderr.write(f"update {number + 1} of {len(updates)}: loss {late:.3f}\n")


def _to_updates(texts: Sequence[tuple[int, Tagged]], tokenizer: Tokenizer, rng: random.Random) -> Iterator[_Update]:
    """Yield what is read at once, in random order."""
    windows: list[Window] = []
    right: list[tuple[int, list[int]]] = []
    for kind, text in texts:
        for at in range(0, len(text), _PASSAGE):
            passage = text[at : at + _PASSAGE]
            for window in to_windows([words for words, _ in passage], tokenizer):
                windows.append(window)
                right.append((kind, [int(passage[sentence][1][word]) for sentence, word, _ in window.places]))
    order = rng.sample(range(len(windows)), len(windows))
    batches = list(to_batches(windows, order))
    rng.shuffle(batches)
    for batch in batches:
        yield [(windows[one], *right[one]) for one in batch]


def _to_loss(model: Encoder, update: _Update, edges: tuple[int, int]) -> torch.Tensor:
    """Return the cross entropy of the tags of the first piece of each word."""
    arrays = to_input([window for window, _, _ in update], edges)
    right = torch.full(arrays["pieces"].shape, OPEN)
    for row, (window, _, tags) in enumerate(update):
        right[row, [piece + 1 for _, _, piece in window.places]] = torch.tensor(tags)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        kinds = torch.tensor([kind for _, kind, _ in update])
        scores = model(*(torch.from_numpy(one) for one in arrays.values()), kinds)
    return nn.functional.cross_entropy(scores.float().flatten(0, 1), right.flatten(), ignore_index=OPEN)


def _save(state: dict[str, object], path: Path) -> None:
    """Write a state to a file that appears when it is whole."""
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


class _Predictor(nn.Module):
    """What of an encoder is kept: pieces to probabilities, as of the first guideline, and its last layer."""

    def __init__(self, model: Encoder) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, pieces: torch.Tensor, shapes: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the probability of each tag, shape (windows, pieces, tags), and the output of the last layer."""
        hidden = self.model.read(pieces, shapes, mask, torch.zeros_like(pieces[:, 0]))
        return self.model.tags(hidden).softmax(-1), hidden


def _write_onnx(model: Encoder, path: Path) -> None:
    """Write an encoder in the form of ONNX, with weights of eight bits."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = path.with_suffix(".whole")
    shape = {0: torch.export.Dim("windows"), 1: torch.export.Dim("length")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own ways
        torch.onnx.export(
            _Predictor(model).eval(),
            tuple(torch.ones((2, 7), dtype=torch.long) for _ in _INPUTS),
            str(whole),
            input_names=_INPUTS,
            output_names=["chances", "hidden"],
            dynamic_shapes=(shape, shape, shape),
            external_data=False,
            verbose=False,
        )
    quantize_dynamic(whole, path, weight_type=QuantType.QInt8)
    whole.unlink()
