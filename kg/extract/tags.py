"""Tags of tokens that say where names of each type begin and end.

A name of one token is tagged ``U``, a longer one ``B``, ``I`` …, ``L``; all else is ``O``
[1]_. A recogniser gives each token a probability of each tag; the names are those of the
likeliest sequence in which every name that begins also ends.

References
----------
.. [1] L. Ratinov and D. Roth. Design challenges and misconceptions in named entity
   recognition. CoNLL, 2009.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kg.model import ConceptType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray
    from spacy.tokens import Doc

__all__ = ["CHANCES", "OPEN", "TAGS", "find_spans", "hear", "mark_spans", "to_tags"]

TAGS: tuple[str, ...] = ("O", *(f"{place}-{kind}" for kind in ConceptType for place in "BILU"))
CHANCES = "kg_chances"  # key of the probability of each tag for each token in a document's user data
OPEN = -1  # of a token of which the annotation says nothing

_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}


def to_tags(spans: Iterable[tuple[int, int, ConceptType | None]], length: int) -> NDArray[np.int64]:
    """Return the number of each token's tag.

    Parameters
    ----------
    spans : iterable of (first token, one past the last, type)
        None overlaps another. The tokens of one without a type are `OPEN`.
    length : int
        Tokens in all.

    Examples
    --------
    >>> [TAGS[one] for one in to_tags([(0, 2, ConceptType.TASK), (3, 4, ConceptType.METHOD)], 4)]
    ['B-Task', 'L-Task', 'O', 'U-Method']
    """
    tags = np.zeros(length, dtype=np.int64)
    for first, last, kind in spans:
        if kind is None:
            tags[first:last] = OPEN
        elif last - first == 1:
            tags[first] = _NUMBERS[f"U-{kind}"]
        else:
            tags[first : last - 1] = _NUMBERS[f"I-{kind}"]
            tags[first] = _NUMBERS[f"B-{kind}"]
            tags[last - 1] = _NUMBERS[f"L-{kind}"]
    return tags


_WITHIN = np.array([tag[0] in "BI" for tag in TAGS])  # a name goes on after these
_GOES_ON = np.array([tag[0] in "IL" for tag in TAGS])  # it began before these


def _to_follows() -> NDArray[np.bool_]:
    """Return whether the tag of a column may follow the tag of a row."""
    kinds = [tag[2:] for tag in TAGS]
    size = range(len(TAGS))
    return np.array(
        [[bool(_WITHIN[a] == _GOES_ON[b]) and (not _WITHIN[a] or kinds[a] == kinds[b]) for b in size] for a in size]
    )


_FOLLOWS = _to_follows()
_FIRST = np.array([tag[0] in "OBU" for tag in TAGS])
_LAST = np.array([tag[0] in "OLU" for tag in TAGS])
_CERTAIN = 0.98  # a token is in no name where "O" is as likely, whatever stands beside it
_NEVER = np.float32(-1e9)
_STEPS = np.where(_FOLLOWS, np.float32(0), _NEVER)


def find_spans(chances: NDArray[np.float32]) -> list[tuple[int, int, ConceptType, float]]:
    """Return the names of the likeliest sequence of tags: first token, one past the last, type, probability.

    The probability of a name is that of its least likely tag. Tokens that are all but certainly
    in no name are taken to be in none, so that only the stretches between them are searched.

    Parameters
    ----------
    chances : array of shape (tokens, tags)
        The probability of each of `TAGS` for each token.
    """
    spans = []
    for start, stop in _find_stretches(chances[:, 0] < _CERTAIN):
        some = chances[start:stop]
        tags = _likeliest(np.log(np.maximum(some, 1e-9)))
        first = 0
        for at, tag in enumerate(tags):
            place, _, kind = TAGS[tag].partition("-")
            if place in "BU":
                first = at
            if place in "LU":
                sure = min(float(some[here, tags[here]]) for here in range(first, at + 1))
                spans.append((start + first, start + at + 1, ConceptType(kind), sure))
    return spans


def _find_stretches(doubtful: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield where tokens that may be in a name begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], doubtful, [False]))))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def hear(chances: NDArray[np.float32], first: int, last: int) -> tuple[float, float, dict[ConceptType, float]]:
    """Return what chances say of tokens ``[first, last)``.

    That is how likely they are in names, on average, how likely no name reaches beyond them, and
    how likely the last is in a name of each type.

    Examples
    --------
    >>> certain = np.eye(len(TAGS), dtype=np.float32)[to_tags([(1, 3, ConceptType.TASK)], 4)]
    >>> [hear(certain, *span)[:2] for span in ((1, 3), (0, 4), (2, 3))]
    [(1.0, 1.0), (0.5, 1.0), (1.0, 0.0)]
    >>> hear(certain, 1, 3)[2][ConceptType.TASK]
    1.0
    """
    inside = 1 - float(chances[first:last, 0].mean())
    whole = float((1 - chances[first, _GOES_ON].sum()) * (1 - chances[last - 1, _WITHIN].sum()))
    kinds = chances[last - 1, 1:].reshape(len(ConceptType), 4).sum(axis=1).tolist()
    return inside, whole, dict(zip(ConceptType, kinds, strict=True))


def mark_spans(doc: Doc, chances: NDArray[np.float32]) -> None:
    """Set the entities of a document to the names that the probabilities of its tokens' tags show."""
    from spacy.tokens import Span

    doc.ents = tuple(Span(doc, first, last, label=kind.value) for first, last, kind, _ in find_spans(chances))
    doc.user_data[CHANCES] = chances


def _likeliest(scores: NDArray[np.float32]) -> list[int]:
    """Return the sequence of tags with the highest sum of scores in which every name ends (Viterbi's algorithm)."""
    best = np.where(_FIRST, scores[0], _NEVER)
    origins = np.zeros(scores.shape, dtype=np.int64)
    for at in range(1, len(scores)):
        paths = best[:, None] + _STEPS
        origins[at] = paths.argmax(axis=0)
        best = paths.max(axis=0) + scores[at]
    tags = [int(np.where(_LAST, best, _NEVER * 2).argmax())]
    for at in range(len(scores) - 1, 0, -1):
        tags.append(int(origins[at, tags[-1]]))
    return tags[::-1]
