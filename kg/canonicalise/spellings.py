"""Which keys are other spellings of one name that folding does not see, since it sees one name at a time."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from kg.canonicalise.groups import count_papers, to_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kg.canonicalise.forms import Form, Known

__all__ = ["find_spellings"]

_Found: TypeAlias = tuple[str, str, str]  # a key, the key that it is another spelling of, and why

_LEAST_LETTERS = 6  # of names that are equal but for spaces
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBERS)}
# What two spellings may differ in: a part of the one, the pattern that makes it the other, and its name.
_VARIANTS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str], str], ...] = (
    # What is made, and the making of it, where both are methods: the tasks have another type.
    ("ing", re.compile(r"(?<= )(?:model|filter)ing$"), lambda word: word[0].removesuffix("ing"), "a word in -ing"),
    (" net", re.compile(r"(?<= )net$"), lambda _: "network", "net for network"),
    ("", re.compile(rf"\b(?:{'|'.join(_NUMBERS)})(?= [a-z])"), lambda word: _DIGITS[word[0]], "a number in words"),
    (" dimensional ", re.compile(r"(?<=\d) dimensional(?= )"), lambda _: "d", "D for dimensional"),
    # An adjective that says of what follows the same as its noun. "Rational" is none of "ration", and those of
    # the words in the bracket mean something else.
    (
        "al ",
        re.compile(r"\b(?!function|critic|economic|metric|topic)(?:[a-z]+[a-z]{3}[ts]ion|[a-z]{2,}ic)al(?= )"),
        lambda word: word[0].removesuffix("al"),
        "the ending of an adjective",
    ),
)
# A species by the initial of its genus, and in full.
_INITIAL = re.compile(r"[A-Z]\. [a-z]{3,}")
_SPECIES = re.compile(r"[A-Z][a-z]{2,} [a-z]{3,}")


def find_spellings(groups: Mapping[str, Sequence[Form]], known: Known) -> Iterator[_Found]:
    """Yield keys with the key that they are another spelling of, and why.

    Parameters
    ----------
    groups : mapping
        The forms of each key.
    known : Known
    """
    yield from _find_squeezed(groups)
    yield from _find_derived(groups, known)
    yield from _find_species(groups)


def _find_squeezed(groups: Mapping[str, Sequence[Form]]) -> Iterator[_Found]:
    """Yield keys with the one in more papers that is equal but for spaces."""
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in groups:
        blocks[key.replace(" ", "")].append(key)
    for squeezed, keys in sorted(blocks.items()):
        if len(keys) > 1 and len(squeezed) >= _LEAST_LETTERS and squeezed.isascii() and not squeezed.isdigit():
            best = min(keys, key=lambda key: (-count_papers(groups[key]), key.count(" "), key))
            yield from (
                (key, best, f"{best}, but for spaces")
                for key in sorted(keys)
                if key != best and not _splits_number(key, best)
            )


def _splits_number(key: str, other: str) -> bool:
    """Return whether the spaces of two keys cut numbers in different ways: "SQuAD 11" and "SQuAD 1 1"."""
    return [word for word in key.split() if word.isdigit()] != [word for word in other.split() if word.isdigit()]


def _find_derived(groups: Mapping[str, Sequence[Form]], known: Known) -> Iterator[_Found]:
    """Yield names with the one in more papers that has a noun for an adjective, a long form, or digits.

    "Distributional shift" is "distribution shift", and "two-player game" is "2-player game", where
    both have the same type; curated names stay what they are.
    """
    blocks: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for key in groups:
        base, variants = _to_base(key)
        if variants:
            blocks[base][key] = variants
    for base, keys in sorted(blocks.items()):
        if base in groups:
            keys[base] = []
        best = min(keys, key=lambda key: (-count_papers(groups[key]), key))
        for key in sorted(keys.keys() - {best}):
            if to_type(groups[key]) is to_type(groups[best]) and known.find_name(key) is None:
                yield key, best, f"{best}, but for {' and '.join(sorted({*keys[key], *keys[best]}))}"


def _to_base(key: str) -> tuple[str, list[str]]:
    """Return a name with nouns for their adjectives, digits for number words and so on, and what that was."""
    variants = []
    for part, pattern, replace, variant in _VARIANTS:
        if part in key and (base := pattern.sub(replace, key)) != key:
            key = base
            variants.append(variant)
    return key, variants


def _find_species(groups: Mapping[str, Sequence[Form]]) -> Iterator[_Found]:
    """Yield species by the initial of their genus, as in "E. coli", with the one that is written out so."""
    short: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, forms in groups.items():
        for form in forms:
            if form.surface[1:3] == ". " and _INITIAL.fullmatch(form.surface):
                short[form.surface[0], key.rpartition(" ")[2]].add(key)
    full: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, forms in groups.items() if short else ():
        for form in forms:
            block = form.surface[0], key.rpartition(" ")[2]
            if block in short and _SPECIES.fullmatch(form.surface):
                full[block].add(key)
    for block, keys in sorted(full.items()):
        if len(keys) == 1:
            yield from ((key, min(keys), f"{min(keys)}, by its initial") for key in sorted(short[block] - keys))
