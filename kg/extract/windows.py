"""Sentences as a transformer reads them: pieces of words, neighbours together in one window."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kg.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

__all__ = ["SHAPES", "Window", "find_edges", "to_batches", "to_input", "to_windows"]

_LONGEST = 250  # pieces of a window
_BATCH = 3000  # pieces of a batch, padding counted
_POOL = 400  # windows that are sorted by length together
# How a word is written; the encoder itself knows no capitals. The first pattern that fits counts.
_SHAPES = tuple(
    map(
        re.compile,
        (
            r"[a-z]+",
            r"[A-Z][a-z]+",
            r"[A-Z]+s?",
            r"[A-Za-z]*[a-z][A-Z][A-Za-z]*",
            r"[\d.,]+",
            r"\w*\d\w*",
            r"\W+",
        ),
    )
)
SHAPES = len(_SHAPES) + 1


@dataclass(slots=True)
class Window:
    """Pieces of words of one or more sentences that follow each other."""

    pieces: list[int] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)  # of the word of each piece
    places: list[tuple[int, int, int]] = field(default_factory=list)  # sentence, word, and its first piece


def to_windows(sentences: Sequence[Sequence[str]], tokenizer: Tokenizer) -> Iterator[Window]:
    """Yield the windows of a text; what goes beyond a window in one sentence is left out.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words of each sentence.
    tokenizer : Tokenizer
        The encoder's own.
    """
    window = Window()
    encoded = tokenizer.encode_batch(
        [list(words) for words in sentences], is_pretokenized=True, add_special_tokens=False
    )
    for number, (words, one) in enumerate(zip(sentences, encoded, strict=True)):
        ids, owners = one.ids[:_LONGEST], one.word_ids[:_LONGEST]
        if window.pieces and len(window.pieces) + len(ids) > _LONGEST:
            yield window
            window = Window()
        shapes = [to_shape(word) for word in words]
        before = None
        for piece, owner in zip(ids, owners, strict=True):
            if owner is None:  # a special piece, which none was asked for
                continue
            if owner != before:
                window.places.append((number, owner, len(window.pieces)))
            window.pieces.append(piece)
            window.shapes.append(shapes[owner])
            before = owner
    if window.pieces:
        yield window


def to_shape(word: str) -> int:
    """Return the number of the way in which a word is written.

    Examples
    --------
    >>> [to_shape(word) for word in ("net", "Net", "CNNs", "ResNet", "0.5", "GPT4", "(", "β-VAE")]
    [1, 2, 3, 4, 5, 6, 7, 0]
    """
    return next((number for number, one in enumerate(_SHAPES, 1) if one.fullmatch(word)), 0)


def to_batches(windows: Sequence[Window], order: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of windows that are read at once: those of like length among neighbours in `order`."""
    for start in range(0, len(order), _POOL):
        batch: list[int] = []
        for number in sorted(order[start : start + _POOL], key=lambda number: len(windows[number].pieces)):
            batch.append(number)
            if len(batch) * (len(windows[number].pieces) + 2) >= _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch


def find_edges(tokenizer: Tokenizer) -> tuple[int, int]:
    """Return the pieces that stand before and after a window.

    Raises
    ------
    ModelError
        If the tokenizer has not those of BERT.
    """
    first, last = (tokenizer.token_to_id(piece) for piece in ("[CLS]", "[SEP]"))
    if first is None or last is None:
        raise ModelError("the encoder's tokenizer has no pieces [CLS] and [SEP]; take an encoder of BERT's kind")
    return first, last


def to_input(windows: Sequence[Window], edges: tuple[int, int]) -> dict[str, NDArray[np.int64]]:
    """Return the arrays that the encoder takes, each of shape (windows, longest length + 2).

    Parameters
    ----------
    windows : sequence of Window
    edges : (int, int)
        From `find_edges`.
    """
    shape = (len(windows), max(len(one.pieces) for one in windows) + 2)
    pieces, shapes, mask = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for row, one in enumerate(windows):
        stop = len(one.pieces) + 1
        pieces[row, 0], pieces[row, 1:stop], pieces[row, stop] = edges[0], one.pieces, edges[1]
        shapes[row, 1:stop] = one.shapes
        mask[row, : stop + 1] = 1
    return {"pieces": pieces, "shapes": shapes, "mask": mask}
