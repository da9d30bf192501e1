"""Signs of how two names in a sentence stand to each other: words between them, and their path in the parse.

A sign is a short string, and a rule is a set of them (`kg.extract.claims`):

- ``adjacent``: no other name between the two; ``list`` and ``list-first``: only names of the
  type of the second, of the first;
- ``near``: up to six tokens between them; ``plain``: nothing between them begins another thought
  (a semicolon, "while", "without", a comma and a verb);
- ``gap=with``: the words between the two, if at most three; ``next=such``: the word after the
  first; ``last=than``: the word before the second;
- ``gap:train``, ``path:train``, ``top:train``, ``front:train``: a word of a class (below)
  between them, on the path of the parse that joins them, at the top of that path, before both;
- ``first:nsubj``, ``second:pobj``: their place in the parse; ``subject``: the first is the
  subject of the verb at the top; ``above``: the first stands over the second; ``short``: at most
  two words on the path; ``together``: parts of one phrase, or of one list; ``apart``: not so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from spacy.tokens import Doc, Span, Token

    from kg.model import ConceptType

__all__ = ["find_signs"]

_CLASSES = {
    "compare": r"outperform\w*|surpass\w*|exceed\w*|than|vs\.?|versus|compar(?:ed?|es|ing|ison|able)|unlike|whereas"
    r"|instead|better|beats?|against|contrast|rather|over|superior|competitive",
    "train": r"(?:pre-?)?train(?:ed|ing|s)?|fine-?tun(?:ed?|es|ing)|learn(?:ed|t)",
    "evaluate": r"evaluat\w*|test(?:s|ed|ing)?|experiments?|results?|achiev\w*|perform(?:s|ed|ances?)?|accurac\w+"
    r"|scores?|benchmark(?:s|ed)?|datasets?|state-of-the-art|%|obtain\w*|improve\w*|reports?|reach\w*|effectiveness"
    r"|validat\w*|demonstrat\w*|gains?",
    "use": r"us(?:e|es|ed|ing)|employ\w*|adopt\w*|appl(?:y|ied|ies|ying)|utili[sz]\w*|leverag\w*|bas(?:ed?|es)"
    r"|buil[dt]s?|via|through|by|with|exploit\w*|incorporat\w*|integrat\w*|combin\w*|equipped|replac\w*|initiali[sz]\w*",
    "kind": r"such|like|including|called|e\.g\.?|i\.e\.?|variants?|extensions?|extends?|types?|kinds?|family|instances?"
    r"|namely|examples?|named|known|categor\w+|forms?",
    "task": r"tasks?|problems?|applications?|fields?|areas?|for|towards?|solv\w*|address\w*|tackl\w*|challenges?"
    r"|domains?",
    "aim": r"for|to|towards?|in|on|into",
}
_CLASS_OF = {name: re.compile(pattern) for name, pattern in _CLASSES.items()}
_NEAR = 6  # tokens
_BREAKS = frozenset(
    {"beyond", ".", ";", ":", "!", "?", ")", "—", "while", "whereas", "without", "but", "however", "yet", "not"}
)
_SHARED = frozenset({"appos", "compound", "conj", "nmod", "npadvmod", "poss"})
_LONGEST_GAP = 3  # words


def find_signs(doc: Doc, first: Span, second: Span, between: Collection[ConceptType]) -> frozenset[str]:
    """Return the signs of a pair of names.

    Parameters
    ----------
    doc : Doc
        A parsed sentence.
    first, second : Span
        The names in the order of the text; they do not overlap.
    between : collection of ConceptType
        The types of the names between them.
    """
    gap = [token.lower_ for token in doc[first.end : second.start]]
    signs = {f"gap={' '.join(gap)}"} if len(gap) <= _LONGEST_GAP else set()
    if gap:
        signs |= {f"next={gap[0]}", f"last={gap[-1]}"}
    signs |= {"near"} if len(gap) <= _NEAR else set()
    signs |= {"plain"} if _is_plain(doc[first.end : second.start]) else set()
    signs |= {f"gap:{name}" for name in _classify(gap)}
    signs |= {f"front:{name}" for name in _classify(token.lower_ for token in doc[: first.start])}
    if not between:
        signs.add("adjacent")
    return frozenset(signs).union(_path_signs(first.root, second.root, (first, second)))


def _is_plain(gap: Span) -> bool:
    """Return whether nothing between two names begins another thought."""
    left = "("  # a bracket that opens may close
    for before, token in zip([None, *gap], gap, strict=False):
        if token.lower_ in _BREAKS and not (token.text == ")" and any(one.text == left for one in gap)):
            return False
        if before is not None and before.text == "," and token.tag_ in {"VBG", "VBD", "VBZ", "VBP", "WDT"}:
            return False
    return True


def _path_signs(first: Token, second: Token, names: Sequence[Span]) -> Iterator[str]:
    """Yield the signs of the path in the parse that joins what two names stand for."""
    first, second = _lift(first), _lift(second)
    if first.i == second.i:
        yield "together"
        return
    yield "apart"
    yield f"first:{first.dep_}"
    yield f"second:{second.dep_}"
    for name, token in (("first", first), ("second", second)):
        if token.head.pos_ in {"ADP", "SCONJ"}:
            yield f"{name}={token.head.lower_}"
    up, top, down = _find_path(first, second)
    if top is None:
        return
    own = {first.i, second.i, *(token.i for name in names for token in name)}
    inner = [token for token in (*up, *down) if token.i not in own]
    yield from (f"path:{name}" for name in _classify(token.lower_ for token in [*inner, top] if token.i not in own))
    yield from (["short"] if len(inner) + (top.i not in own) <= 2 else [])
    if top.i in own:
        yield from (["above"] if top.i == first.i or top in names[0] else [])
    else:
        yield from (f"top:{name}" for name in _classify([top.lower_]))
        if first.dep_ == "nsubj" and first.head.i == top.i:
            yield "subject"


def _lift(token: Token) -> Token:
    """Return the token whose place in the sentence a modifier, conjunct or apposition shares."""
    for _ in range(12):
        if token.dep_ not in _SHARED:
            break
        token = token.head
    return token


def _find_path(first: Token, second: Token) -> tuple[list[Token], Token | None, list[Token]]:
    """Return the tokens from the first up to, the one that both stand under, and those down to the second."""
    ups, downs = list(_climb(first)), list(_climb(second))
    places = {token.i: place for place, token in enumerate(downs)}
    for place, token in enumerate(ups):
        if token.i in places:
            return ups[:place], token, downs[: places[token.i]]
    return ups, None, downs


def _climb(token: Token) -> Iterator[Token]:
    """Yield a token and those over it, up to the root."""
    while token.head.i != token.i:
        yield token
        token = token.head
    yield token


def _classify(words: Iterable[str]) -> set[str]:
    """Return the classes of words."""
    return set().union(*map(_find_classes, words))


@lru_cache(maxsize=65_536)
def _find_classes(word: str) -> frozenset[str]:
    """Return the classes of a word."""
    return frozenset(name for name, pattern in _CLASS_OF.items() if pattern.fullmatch(word))
