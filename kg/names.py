"""Names known beforehand, and the form in which two spellings of one name are equal.

Curated names stand in ``ontology/names/*.tsv`` with the columns ``type``, ``name``, ``aliases``
and perhaps ``broader``, the names of what it is a kind of (both between ``|``); lines that start
with ``#`` give source and licence.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.endings import to_american, to_singular
from kg.errors import InputError
from kg.model import ConceptType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Name", "fold_name", "is_coined", "read_names"]

_TYPES = {kind.value: kind for kind in ConceptType}
_PLAIN = re.compile(r"[A-Za-z0-9 ]+")
_DASHES = re.compile(r"[-_/\u2010-\u2015\u2212]")
_POSSESSIVE = re.compile(r"['\u2019]s?(?=\s|$)")
# A Greek letter that stands alone, as in "β-VAE"; a word in Greek stays as it is.
_GREEK = re.compile(r"(?<![\u0370-\u03ff])[\u0370-\u03ff](?![\u0370-\u03ff])")
_VARIANTS = str.maketrans("\u00b5\u03f5\u03d5\u03d1\u03f1\u03c2", "μεφθρσ")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ℓ", "01234567890123456789l")
_EDGES = "\"'`.,;:!?()[]{}\u2018\u2019\u201c\u201d"
_LETTER_DIGIT = re.compile(r"(?<=[^\W\d_])-(?=\d)|(?<=\d)-(?=[^\W\d_]\b)")
# Prefixes that some write apart or with a hyphen, and some not.
_PREFIXES = "anti|auto|back|bi|co|hyper|mis|multi|non|over|post|pre|semi|sub|super|un|under"
_PREFIX = re.compile(rf"\b({_PREFIXES}|data(?= sets?\b)|fine(?= tun)) (?=\w)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name known beforehand, with its type, its other spellings and its list."""

    label: str
    type: ConceptType
    aliases: tuple[str, ...]
    source: str
    broader: tuple[str, ...] = ()


def read_names(folder: Path) -> Iterator[Name]:
    """Yield the curated names of all lists in a folder, by file name, then line.

    Raises
    ------
    InputError
        If a line has no known type or no name.
    """
    for path in sorted(folder.glob("*.tsv")):
        rows, source = path.read_text(encoding="utf-8").splitlines(), path.stem
        for number, row in enumerate(rows, 1):
            if row.startswith(("#", "type\tname\taliases")):
                continue
            kind, label, aliases, broader = [*row.split("\t"), "", "", ""][:4]
            if kind not in _TYPES or not label.strip():
                raise InputError(f"{path.name}:{number}: {row!r} does not read TYPE, NAME, ALIASES between tabs")
            lists = (tuple(filter(None, cell.split("|"))) for cell in (aliases, broader))
            yield Name(label, _TYPES[kind], next(lists), source, next(lists))


@lru_cache(maxsize=262_144)
def fold_name(name: str) -> str:
    """Return the form in which two spellings of one name are equal.

    Case, plural, possessive, hyphen or space, prefixes written apart, and British or
    American spelling do not count, nor whether a Greek letter is spelled out or a digit raised.
    Words in capitals keep a final s, as in SARS.

    Examples
    --------
    >>> fold_name("Generative Adversarial Networks"), fold_name("GANs"), fold_name("SARS")
    ('generative adversarial network', 'gan', 'sars')
    >>> fold_name("pre-training") == fold_name("Pretraining"), fold_name("CIFAR-10")
    (True, 'cifar10')
    >>> fold_name("C++"), fold_name("C"), fold_name("β-VAE"), fold_name("L²")
    ('c++', 'c', 'beta vae', 'l2')
    """
    if not _PLAIN.fullmatch(name):
        name = _POSSESSIVE.sub("", unicodedata.normalize("NFC", name)).translate(_VARIANTS)
        name = _GREEK.sub(_spell, name).translate(_DIGITS)
        name = _LETTER_DIGIT.sub("", _DASHES.sub("-", name)).replace("-", " ")
    folded = " ".join(filter(None, (_fold_word(word.strip(_EDGES)) for word in name.split())))
    return _PREFIX.sub(r"\1", folded) or name.casefold().strip()


@lru_cache(maxsize=262_144)
def is_coined(word: str) -> bool:
    """Return whether a word is written as only names are: capitals inside, or letters and digits.

    Examples
    --------
    >>> [is_coined(word) for word in ("LoRA", "4DPC²hat", "β-VAE", "MSCOCO", "k-NN")]
    [True, True, True, True, True]
    >>> [is_coined(word) for word in ("Adam", "low-rank", "3", "Low-Rank", "A", "85%")]
    [False, False, False, False, False, False]
    """
    parts = re.split(r"[-/\u2010-\u2015]", word)
    letters = sum(char.isalpha() for char in word)
    if letters < 2 or not any(char.isalpha() and char.isascii() for char in word):
        return False
    inner = any(char.isupper() for part in parts for char in part[1:])
    mixed = any(char.isdigit() for char in word) and any(char.isupper() for char in word)
    symbol = len(parts) > 1 and any("\u0370" <= char <= "\u03ff" for char in word) and any(map(str.isupper, parts))
    return inner or mixed or symbol


def _spell(letter: re.Match[str]) -> str:
    """Return the name of a Greek letter, or the letter if it has none of one word."""
    name = unicodedata.name(letter[0], "").removeprefix("GREEK SMALL LETTER ").removeprefix("GREEK CAPITAL LETTER ")
    spelled = name.lower().replace("lamda", "lambda")
    return spelled if spelled.isalpha() else letter[0]


@lru_cache(maxsize=65_536)
def _fold_word(word: str) -> str:
    """Return a word in lower case, in the singular and with the American spelling."""
    return to_american(to_singular(word))
