"""Sentences of clean text, by rules that fit abstracts.

Chosen by measurement: on the gold sentences of abstracts these rules do as well as the
general splitters (see ``tests/test_clean.py``) and take a fraction of their time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.model import Passage, Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Paper

__all__ = ["find_passages", "find_sentences"]

LONGEST = 2_000  # characters of a sentence; a longer one is cut between words

_STARTS = (
    "We|The|In|This|That|Our|However|To|It|Its|These|Those|As|For|Moreover|Furthermore|Finally|Additionally|Experiments|"
    "Experimental|Extensive|By|Specifically|Existing|While|Although|Here|There|First|Second|Third|Then|Thus|Therefore|Hence|"
    "Instead|Unlike|Recent|Recently|Results|Based|Compared|Since|When|With|Without|Under|On|At|Using|Such|Through|Despite|"
    "And|But|If|Given|From|An|One|Two|Each|All|Both|Many|Some|Several|More|Most|Another|Code|Codes|Also|Lastly|Besides|"
    "Overall|Notably|Importantly|Consequently|Meanwhile|Empirically|Theoretically|Crucially|Inspired|Motivated"
)
_END = re.compile(
    r"(?<![.!?…])(?P<mark>[.!?…]{1,60})[\"'”’»)\]]{0,20}\s+(?=[^\sa-z,;:.!?)\]–—-])"
    r"|(?P<wide>[。！？]{1,60}[」』”’）]{0,20})\s*(?=\S)"
    rf"|(?<=[a-z\d][a-z)\]])[.!?]{{1,3}}[\"'”’]?(?=(?:{_STARTS})[\s,])"  # lost its space
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“‘–—/-])(?:e\.\s?g|i\.\s?e|cf|vs|viz|al|approx|resp|w\.\s?r\.\s?t|i\.\s?i\.\s?d|a\.k\.a|s\.t|c\.f|ca|"
    r"figs?|tabs?|eqs?|eqns?|secs?|sects?|ch|chap|app|appx|refs?|nos?|vols?|pp?|ed|eds|dr|drs|prof|mr|mrs|ms|st|jr|sr|"
    r"thm|lem|prop|cor|def|alg|algo|dept|univ|inc|ltd|co|corp|u\.s|e\.u|u\.k|ph\.d|[A-Za-z])$",
    re.IGNORECASE,
)
_ENDS_ANYWAY = re.compile(rf"(?:{_STARTS})\b")
_NUMBERED = re.compile(r"(?:fig|tab|eq|eqn|sec|sect|no|vol|p|ref)s?|pp|ch|chap")
_ITEM = re.compile(r"(?:^|[\s(:;,])\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])$")


def find_passages(paper: Paper) -> list[Passage]:
    """Return the title and the sentences of the abstract, in their order.

    Parameters
    ----------
    paper : Paper
        With clean text. A blank title gives no passage.

    Examples
    --------
    >>> from kg.model import Paper
    >>> paper = Paper(id="7", title="LoDA", abstract="We use LoRA, e.g. on ViT. It wins 3.5 points.")
    >>> [(one.section.value, one.start, one.text) for one in find_passages(paper)]
    [('title', 0, 'LoDA'), ('abstract', 0, 'We use LoRA, e.g. on ViT.'), ('abstract', 26, 'It wins 3.5 points.')]
    """
    title = _cut(paper.title, *_strip(paper.title, 0, len(paper.title)))
    sections = ((Section.TITLE, paper.title, title), (Section.ABSTRACT, paper.abstract, find_sentences(paper.abstract)))
    return [
        Passage(paper.id, section, start, text[start:end]) for section, text, spans in sections for start, end in spans
    ]


def find_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of `text` starts and ends, in order, without spaces around it.

    Examples
    --------
    >>> [*find_sentences("We win (Fig. 3). It holds.")]
    [(0, 16), (17, 26)]
    """
    start = 0
    for end in _END.finditer(text):
        if end["mark"] == "." and not _is_end(text, start, end):
            continue
        if end.start() > start:
            yield from _cut(text, *_strip(text, start, end.end()))
            start = end.end()
    yield from _cut(text, *_strip(text, start, len(text)))


def _is_end(text: str, start: int, end: re.Match[str]) -> bool:
    """Say whether a full stop before a capital or a number ends a sentence."""
    before = text[max(start, end.start() - 20) : end.start()]
    following = text[end.end() : end.end() + 20]
    if end.end() - end.start() == 2 and _ITEM.search(before):
        return False  # "1. Title"
    if not (found := _ABBREVIATION.search(before)):
        return True
    word = found[0].strip(" ([\"'“‘–—/-").casefold()
    if len(word) == 1:  # an initial, or a variable at the end
        return bool(_ENDS_ANYWAY.match(following))
    if _NUMBERED.fullmatch(word):
        return not following[0].isdigit() and not following[0].isupper()
    return word not in {"e.g", "i.e", "cf", "vs"} and bool(_ENDS_ANYWAY.match(following))


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch of `text` without white space around it."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch in pieces of at most `LONGEST` characters, cut between words where there are spaces."""
    while end - start > LONGEST:
        at = text.rfind(" ", start + 1, start + LONGEST + 1)
        at = at if at > start else start + LONGEST
        yield _strip(text, start, at)
        start = _strip(text, at, end)[0]
    if start < end:
        yield start, end
