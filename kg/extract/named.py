"""Names that show by themselves: curated ones, coined ones, and what an acronym stands for."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.extract.candidate import to_candidate
from kg.extract.words import get_text
from kg.model import ConceptType
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from spacy.tokens import Doc

    from kg.extract.candidate import Candidate
    from kg.extract.lexicon import Lexicon
    from kg.extract.words import Word

__all__ = ["QUANTITY", "find_known", "find_named"]

QUANTITY = re.compile(r"[~≈<>±+-]?\d[\d.,]*(?:[%KMBkx×]|th|st|nd|rd)?\+?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+|v\d+|(?:19|20)\d\d")
_DIGIT = re.compile(r"[1-9]")
# What stands after a hyphen for a version of a model and describes nothing: "BERT-large".
_SIZES = frozenset(
    {
        "base",
        "chat",
        "coder",
        "hard",
        "instruct",
        "large",
        "lite",
        "math",
        "medium",
        "mini",
        "nano",
        "plus",
        "pro",
        "small",
        "tiny",
        "turbo",
    }
)
# "Mamba-enhanced": the name is what stands before.
_SUFFIX = re.compile(
    r"(.+?)-(?:aware|based|centric|conditioned|driven|enabled|enhanced|guided|inspired|like"
    r"|oriented|powered|style|trained)",
    re.IGNORECASE,
)
_SLASH = re.compile(r"(?<=\w)/(?=\w)")


def find_named(doc: Doc, words: list[Word], lexicon: Lexicon) -> Iterator[Candidate]:
    """Yield curated names and coined names, wherever they stand."""
    starts = {ent.start: ent for ent in doc.ents}
    at = 0
    while at < len(words):
        word = words[at]
        ent = starts.get(word.first)
        if ent is not None and not word.is_break:
            last = at + 1
            while last < len(words) and words[last].first < ent.end:
                last += 1
            kind = ConceptType(ent.label_)
            versioned = kind in {ConceptType.METHOD, ConceptType.DATASET} and not ent.text.islower()
            stop = _after_version(words, last) if versioned else last
            yield to_candidate(doc, words, (at, stop), "name" if stop == last else "coined", kind)
            last = stop
            at = last
            continue
        last = _coined_run(words, at, lexicon)
        if last > at:
            yield from _coined(doc, words, at, last)
        elif not word.is_break:
            yield from _prefixed(doc, words, at, lexicon)
        at = max(last, at + 1)


def find_known(doc: Doc, words: list[Word], forms: Set[str]) -> Iterator[Candidate]:
    """Yield the stretches of words that are spelled as one of the forms."""
    longest = max((form.count(" ") + 1 for form in forms), default=0)
    text = get_text(doc)
    at = 0
    while at < len(words):
        for last in range(min(len(words), at + longest), at, -1):
            surface = text[words[at].start : words[last - 1].end]
            whole = not words[at].is_break and not words[last - 1].is_break and surface.count("(") == surface.count(")")
            if whole and fold_name(surface) in forms:
                yield to_candidate(doc, words, (at, last), "acronym")
                at = last - 1
                break
        at += 1


def _coined_run(words: list[Word], at: int, lexicon: Lexicon) -> int:
    """Return where a run of coined words that starts here ends; `at` if none does.

    A version or year goes with the name before it: "SQuAD 2.0", "AIME 2024".
    """
    word = words[at]
    if word.is_break or not is_coined(word.text) or _SUFFIX.fullmatch(word.text) or QUANTITY.fullmatch(word.text):
        return at
    front, *_, back = word.text.split("-") if "-" in word.text else (word.text, "")
    describes = back.islower() or back.lower().endswith("ed")
    if len(back) > 2 and describes and back not in _SIZES:  # "AI-generated" describes, and "AI-Generated" in a title
        return at
    if front.islower() and lexicon.common.get(front, 0.0) > 0.01:  # "high-TV" is no name, "k-NN" is one
        return at
    return _after_version(words, at + 1)


def _after_version(words: list[Word], at: int) -> int:
    """Return where a name ends whose words end at `at`: after its version or year, if it has one.

    A bare digit is one unless it counts what follows: "DALL-E 2 and", but not "LoRA 2 times".
    """
    last = at
    while last < len(words) and _VERSION.fullmatch(words[last].text):
        last += 1
    if last == at and at < len(words) and _DIGIT.fullmatch(words[at].text):
        after = words[at + 1] if at + 1 < len(words) else None
        if after is None or (after.pos not in {"ADJ", "ADV", "NUM", "SYM"} and after.tag not in {"NNS", "NNPS"}):
            return at + 1
    return last


def _coined(doc: Doc, words: list[Word], first: int, last: int) -> Iterator[Candidate]:
    """Yield a coined name, or several that stand between slashes ("MOSEI/MELD")."""
    word = words[first]
    parts = _SLASH.split(word.text)
    if len(parts) == 1 or not all(is_coined(part) for part in parts):
        yield to_candidate(doc, words, (first, last), "coined")
        return
    start = word.start
    for part in parts:
        whole = to_candidate(doc, words, (first, first + 1), "coined")
        yield replace(whole, start=start, end=start + len(part), surface=part)
        start += len(part) + 1


def _prefixed(doc: Doc, words: list[Word], at: int, lexicon: Lexicon) -> Iterator[Candidate]:
    """Yield the name that begins a compound such as "Mamba-enhanced" or "LoRA-based"."""
    match = _SUFFIX.fullmatch(words[at].text)
    if not match:
        return
    name = lexicon.find_name(match[1])
    ordinary = match[1].lower() in lexicon.common and match[1].lower() not in lexicon.proper  # "Model-based"
    if name or is_coined(match[1]) or (at and match[1][0].isupper() and len(match[1]) > 2 and not ordinary):
        whole = to_candidate(doc, words, (at, at + 1), "name" if name else "coined", name.type if name else None)
        yield replace(whole, end=whole.start + len(match[1]), surface=match[1], outer=words[at].text)
