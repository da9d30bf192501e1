"""The words of a passage as a reader sees them: "low-rank" and "4DPC²hat-200K" are one word.

spaCy's tokens split at hyphens and inside coined names, and its noun chunks then begin or
end in the middle of a name. Here what touches is one word, and punctuation stands apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["RECOGNISED", "Word", "find_words", "get_text", "get_words", "is_link"]

RECOGNISED = "recognised"  # key of the spans that a trained recogniser found

_TEXT, _WORDS = "kg_text", "kg_words"  # keys of what is kept in a document

_STOPS = r"()\[\]{},;:!?\"“”‘`…=<>|~—"
_ADDRESS = r"(?:https?://|www\.)[^\s()<>\"]+"
_POSSESSIVE = rf"['’](?:s\b(?!-)|(?=[\s{_STOPS}.]|$))"
_WORD = re.compile(rf"{_ADDRESS}|{_POSSESSIVE}|[{_STOPS}]|(?:(?!{_POSSESSIVE})[^\s{_STOPS}])+")
_BREAK = re.compile(rf"['’]s?|[{_STOPS}.]|[\W_]+|(?:e\.g|i\.e|cf|etc|al|vs)\.?")
_LINK = re.compile(
    r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|[\w.-]+\.(?:com|org|net|io|edu|ai|dev|gov)(?:/\S*)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a space or a bracket, and the tokens it is made of."""

    text: str
    lower: str
    start: int  # in characters of the passage
    end: int
    first: int  # its tokens are doc[first:last]
    last: int
    pos: str  # part of speech of its head; PUNCT where a name can't go on
    tag: str

    @property
    def is_break(self) -> bool:
        """Return whether no name goes across this word."""
        return self.pos == "PUNCT"


def get_text(doc: Doc) -> str:
    """Return the text of a document; spaCy puts it together anew each time, which adds up."""
    text: str = doc.user_data.get(_TEXT) or doc.user_data.setdefault(_TEXT, doc.text)
    return text


def get_words(doc: Doc) -> list[Word]:
    """Return the words of a document, found once."""
    words: list[Word] | None = doc.user_data.get(_WORDS)
    return doc.user_data.setdefault(_WORDS, find_words(doc)) if words is None else words


def find_words(doc: Doc) -> list[Word]:
    """Return the words of a passage in order."""
    tokens = _to_tokens(doc)
    words: list[Word] = []
    at = 0
    for match in _WORD.finditer(get_text(doc)):
        text = match[0]
        start, end = match.span()
        while at + 1 < len(tokens.ends) and tokens.ends[at] <= start:
            at += 1
        if text[0] in "-/" and text[-1].isalpha():  # what is left of "(1-α)-pinball", "Adam[5]/SGD"
            words.append(_to_word(doc, tokens, at, start, start + 1))
            start += 1
        if text.endswith(".") and not _BREAK.fullmatch(text):
            end -= len(text) - len(text.rstrip("."))
        words.append(_to_word(doc, tokens, at, start, end))
        if end < match.end():
            words.append(_to_word(doc, tokens, at, end, match.end()))
    return words


def is_link(text: str) -> bool:
    """Return whether a word is an address on the web or of a mailbox.

    Examples
    --------
    >>> [is_link(text) for text in ("https://x.org/a", "city-super.github.io/SoMA", "YOLOv3", "v1.0")]
    [True, True, False, False]
    """
    return bool(_LINK.fullmatch(text))


class _Tokens(NamedTuple):
    """The tokens of a document as columns, which are much quicker to read than tokens one by one."""

    starts: list[int]
    ends: list[int]
    telling: list[int]  # whether one is of letters or like a number
    tags: list[int]
    speech: list[int]


def _to_tokens(doc: Doc) -> _Tokens:
    """Return the tokens of a document."""
    import numpy as np

    if not len(doc):
        return _Tokens([], [], [], [], [])
    table = doc.to_array(["LENGTH", "SPACY", "IS_ALPHA", "LIKE_NUM", "TAG", "POS"])
    lengths, spaces, letters, numbers, tags, speech = table.T
    after = np.cumsum(lengths + spaces)
    starts = after - lengths - spaces
    return _Tokens(*(column.tolist() for column in (starts, starts + lengths, letters | numbers, tags, speech)))


def _to_word(doc: Doc, tokens: _Tokens, first: int, start: int, end: int) -> Word:
    """Return the word that stands at ``doc.text[start:end]``, whose first token is known."""
    while first + 1 < len(tokens.ends) and tokens.ends[first] <= start:
        first += 1
    last = first + 1
    while last < len(tokens.starts) and tokens.starts[last] < end:
        last += 1
    text = get_text(doc)[start:end]
    # "PHC+" and "pre-training-" are what stands before the sign.
    head = next((at for at in range(last - 1, first - 1, -1) if tokens.telling[at]), last - 1)
    strings = doc.vocab.strings
    pos = "PUNCT" if _BREAK.fullmatch(text.lower()) or is_link(text) else strings[tokens.speech[head]]
    return Word(text, text.lower(), start, end, first, last, pos, strings[tokens.tags[head]])
