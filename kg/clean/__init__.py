"""Cleaning: what files hold between words goes, the words stay.

Text is cleaned once, when a paper is read, so that every label, offset and export is about
the same characters. Cleaned text is in Unicode's form NFC, has single spaces and no
control characters, and no markup of LaTeX, HTML or Markdown. Cleaning again changes
nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from kg.clean.labels import drop_labels
from kg.clean.language import find_language
from kg.clean.latex import from_latex
from kg.clean.markup import from_html, from_markdown
from kg.clean.passages import find_passages, find_sentences

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.model import Paper

__all__ = ["clean_paper", "clean_text", "find_language", "find_passages", "find_sentences"]

_MARKUP = re.compile(r"[\\${}<&*_`^~]|''|--|\[|^[ \t]*[#-]", re.MULTILINE)
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff"
    + "".join(f"{chr(0x10000 * plane + 0xFFFE)}{chr(0x10000 * plane + 0xFFFF)}" for plane in range(1, 17))
    + "]"
)
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
    # Joiners mean something between letters of some scripts, and within emoji.
    "|[\u200c\u200d](?=[\x00-\u024f\u2000-\u200a\u2010-\u206f]|$)|(?<=[\x00-\u024f\u2000-\u200a\u2010-\u206f])[\u200c\u200d]"
    "|^[\u200c\u200d]"
)
_BROKEN = re.compile(r"(?<=[^\W\d_])-[ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_CITED = re.compile(r"(?<=[^\W\d_])\[(?=\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\])")  # "BERT[1]", as some write
_NEXT_LINE = re.compile("(?<![\x80-\xff])\x85")  # after another such character it is a byte of mojibake
_SURROGATE = re.compile("[\ud800-\udfff]")
_PASSES = 12  # markup within markup is at most so deep


def clean_text(text: str) -> str:
    r"""Return `text` as a person would have typed it, on one line.

    Mojibake is mended (by ftfy); ligatures, soft hyphens and invisible characters go;
    control characters count as spaces. LaTeX, HTML and Markdown become plain text. Unicode
    characters with a meaning of their own, such as ² and β, stay, and so do quotes. A numbered
    citation stands apart from the word before it.

    Examples
    --------
    >>> clean_text("4DPC$^2$hat, the *first* MLLM:\n \\textbf{50\\%} of ``null bases\" &amp; more")
    '4DPC²hat, the first MLLM: 50% of "null bases" & more'
    """
    for _ in range(_PASSES):
        again = _clean_once(text)
        if again == text:
            break
        text = again
    return text


def _clean_once(text: str) -> str:
    """Return `text` after one round of cleaning."""
    if not text.isascii():
        text = _clean_characters(text)
    if _CONTROL.search(text):
        text = _CONTROL.sub(" ", _TERMINAL.sub("", text))
    text = _BROKEN.sub("-", text) if "-" in text else text
    if _MARKUP.search(text):
        text = _CITED.sub(" [", from_markdown(from_latex(from_html(text))))
    return " ".join(text.split())


def _clean_characters(text: str) -> str:
    """Return `text` in NFC without surrogates, mojibake, ligatures and invisible characters."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _find_fixer()(_INVISIBLE.sub("", _NEXT_LINE.sub(" ", text)))
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text))


@cache
def _find_fixer() -> Callable[[str], str]:
    """Return ftfy's function that mends text, set to leave quotes and widths as given."""
    import ftfy

    config = ftfy.TextFixerConfig(
        unescape_html=False,
        remove_terminal_escapes=False,
        fix_character_width=False,
        uncurl_quotes=False,
        fix_line_breaks=False,
        remove_control_chars=False,
        explain=False,
    )
    return lambda text: ftfy.fix_text(text, config)


def clean_paper(paper: Paper) -> Paper:
    """Return a paper with clean title, abstract, venue, authors and keywords; its id stays.

    Of the abstract, a leading "Abstract", the names of its parts ("Background:", "Methods:")
    and the publisher's copyright at its end are dropped.

    Examples
    --------
    >>> from kg.model import Paper
    >>> clean_paper(Paper(id="e1", title="A <b>test</b>", abstract="Abstract: We test. © 2021 X.")).abstract
    'We test.'
    """
    return replace(
        paper,
        title=clean_text(paper.title),
        abstract=_clean_abstract(paper.abstract),
        venue=clean_text(paper.venue),
        authors=_clean_all(paper.authors),
        keywords=_clean_all(paper.keywords),
        label="",
    )


def _clean_abstract(text: str) -> str:
    """Return an abstract that is clean and has no labels, also after those have gone."""
    text = clean_text(text)
    for _ in range(_PASSES):
        shorter = drop_labels(text)
        if shorter == text:
            break
        text = clean_text(shorter)
    return text


def _clean_all(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts that are not blank, clean."""
    return tuple(text for text in map(clean_text, texts) if text)
