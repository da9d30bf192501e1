"""Acronyms that a text defines for itself.

A text defines an acronym by putting one form in brackets after the other, as in
"reinforcement learning (RL)" or "RL (reinforcement learning)". Which words make up
the long form is settled by Schwartz and Hearst's right-to-left match [1]_.

References
----------
.. [1] A. Schwartz and M. Hearst. A simple algorithm for identifying abbreviation
   definitions in biomedical text. Pacific Symposium on Biocomputing, 2003.

Two things are different here. Where the initials of the words before give the whole short
form, they are the long form: "self-supervised learning (SSL)", which the match from the right
cuts to "supervised learning". And a capital in a short form of mixed case must begin a word:
"LoRA" is "Low-Rank Adaptation", but "NeRN" is not "Neural Networks".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Acronym", "find_acronyms", "find_implied"]

_BRACKETED = re.compile(r"\(([^()]+)\)")
_SHORT_FORM = re.compile(r"(?=.*[A-Z])\w[\w./&-]{1,9}")
_MIXED = re.compile(r"[A-Z](?:[a-z][A-Z]){1,2}[A-Z]?")
_SHORT_WORD = (
    r"(?:(?<=a)|(?<=a)nd?|(?<=a)t|(?<=b)y|(?<=f)or|(?<=i)n|(?<=o)f|(?<=o)n|(?<=o)ver|(?<=t)o|(?<=t)he|(?<=w)ith)"
)
_INITIAL = re.compile(r"(?<![^\W_])[^\W_]|(?<=[a-z])[A-Z]")
_SMALL_HERE = re.compile(r"(?:an?|and|by|for|from|in|of|on|or|the|to|via|with)\b", re.IGNORECASE)
_WORD = re.compile(r"\w[^\s,;:\"”’]*")
_STOP = re.compile(r"[()\[\]{},;:!?“”\"]")  # no long form goes across another bracket or a list


@dataclass(frozen=True, slots=True)
class Acronym:
    """A short form and the long form that a text gives for it."""

    short: str
    long: str
    start: int  # of the long form, in characters of the text
    end: int  # one past the long form's last character


def find_acronyms(sentence: str) -> Iterator[Acronym]:
    """Yield the acronyms that a sentence defines, in order of appearance.

    Parameters
    ----------
    sentence : str
        One sentence. In a longer text a long form could reach back over a full stop.

    Yields
    ------
    Acronym
        With ``sentence[acronym.start:acronym.end] == acronym.long``.

    Examples
    --------
    >>> [a.long for a in find_acronyms("We train large language models (LLMs).")]
    ['large language models']
    >>> [a.short for a in find_acronyms("RL (reinforcement learning) is hard.")]
    ['RL']
    >>> list(find_acronyms("It converges (see Appendix B)."))
    []
    """
    for bracket in _BRACKETED.finditer(sentence):
        words = list(_WORD.finditer(sentence, 0, bracket.start()))
        if not words:
            continue
        inside, before = bracket[1], words[-1][0]
        if _SHORT_FORM.fullmatch(inside):
            # At most min(n + 5, 2n) words for n characters, as in [1]_.
            reach = min(len(inside) + 5, 2 * len(inside))
            short, low, high = inside, words[-reach:][0].start(), words[-1].end()
            start = _long_form_start(short, sentence, low, high)
        elif _SHORT_FORM.fullmatch(before):
            short, (low, high) = before, bracket.span(1)
            start = _long_form_start(short, sentence, low, high)
            if start is not None and sentence[low].casefold() == short[0].casefold():
                start = low  # and not the nearest word with this letter
            if start != low:  # the long form must fill the brackets
                continue
        else:
            continue
        if start is None or high - start <= len(short) or _STOP.search(sentence, start, high):
            continue
        if _has_initials(short, sentence[start:high]):
            yield Acronym(short, sentence[start:high], start, high)


def find_implied(short: str, sentence: str) -> Acronym | None:
    """Return what a short form in mixed case stands for although no bracket says so.

    Small letters in it, such as the a of "PaI", are the initials of small words; few other
    words in a row have the same pattern.

    Parameters
    ----------
    short : str
        A short form; one without a small letter between its capitals implies nothing.
    sentence : str
        A sentence of the same paper.

    Returns
    -------
    Acronym or None
        As from `find_acronyms`, if the words are there.

    Examples
    --------
    >>> find_implied("PaI", "Pruning at initialisation finds sparse networks.").long
    'Pruning at initialisation'
    >>> find_implied("PAI", "Pruning at initialisation") is find_implied("LoRA", "low-rank adaptation") is None
    True
    """
    if not _MIXED.fullmatch(short):
        return None
    words = (rf"{char}{_SHORT_WORD}" if char.islower() else rf"[{char}{char.lower()}]\w{{2,}}" for char in short)
    found = re.search(rf"\b{'[ -]'.join(words)}\b", sentence)
    return Acronym(short, found[0], *found.span()) if found else None


def _long_form_start(short: str, text: str, low: int, high: int) -> int | None:
    """Return where the long form of `short` starts in ``text[low:high]``, if it does.

    By initials, if they give it all. Else the characters of `short` are sought from the right,
    and its first must start a word.
    """
    by_initials = _initials_start(short, text, low, high)
    if by_initials is not None:
        return by_initials
    text = _lower(text)
    first, *rest = (char for char in _lower(short) if char.isalnum())
    at = high
    for char in reversed(rest):
        at = text.rfind(char, low, at)
        if at < 0:
            return None
    while (at := text.rfind(first, low, at)) >= 0:
        if at == low or not text[at - 1].isalnum():
            return at
    return None


def _initials_start(short: str, text: str, low: int, high: int) -> int | None:
    """Return where the last words of ``text[low:high]`` whose initials spell `short` start."""
    wanted = [char for char in _lower(short) if char.isalnum()]
    if len(wanted) > 2 and short.endswith("s") and short[:-1].isupper():
        wanted.pop()  # the plural
    if len(wanted) < 2:
        return None
    at = None
    for match in reversed([*_INITIAL.finditer(text, low, high)]):
        if not wanted:
            break
        if _lower(match[0]) == wanted[-1]:
            wanted.pop()
            at = match.start()
        elif text[match.start() - 1] != "-" and not _SMALL_HERE.match(text, match.start()):
            return None  # what follows a hyphen need not count: "Projection-Based Constrained Policy Optimization"
    return at if not wanted else None


def _has_initials(short: str, long: str) -> bool:
    """Return whether each capital of a short form in mixed case begins a word of the long form, in order."""
    if short.rstrip("s").isupper():
        return True
    initials = iter([match[0].upper() for match in _INITIAL.finditer(long)])
    return all(any(char == initial for initial in initials) for char in short if char.isupper())


def _lower(text: str) -> str:
    """Lower-case `text` and keep its length, which `str.lower` does not for "İ"."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
