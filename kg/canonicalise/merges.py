"""Which keys are one concept although they are written differently; blocks of like keys, never pairs of all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kg.canonicalise.forms import is_initialism
from kg.canonicalise.senses import most_common_type
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.canonicalise.forms import Form, Known, Sense
    from kg.model import ConceptType

__all__ = ["find_merges", "split_by_writing"]

_LEAST_LETTERS = 6  # of names that are equal but for spaces
_LEAST_MENTIONS = 3  # of an ordinary word that is told from a name
_ADJECTIVE = re.compile(r"\b(?:agnostic|aware|based|driven|free|guided|invariant|like|only|oriented)$")  # no name alone
_CLEAR = 0.8  # share of mentions that must have the type

Group = dict[str, "list[Form]"]  # forms by key


def find_merges(groups: Mapping[str, Sequence[Form]], known: Known) -> dict[str, tuple[str, str]]:
    """Return which keys are another's: the other key, and why.

    A key is another's if they are equal but for spaces, or but for short forms in them that
    are written out, or if it only adds a noun that adds nothing, such as "score" to "BLEU", and
    both have the same type.

    Parameters
    ----------
    groups : mapping
        The forms of each key.
    known : Known
    """
    merges: dict[str, tuple[str, str]] = {}
    for key, other in _find_squeezed(groups):
        merges[key] = other, f"{other}, but for spaces"
    for key, other in _find_expanded(groups):
        merges.setdefault(key, (other, f"{other}, with short forms written out"))
    for key, other in _find_padded(groups, known):
        if key not in merges:
            merges[key] = other, f"{other}, to which the last word adds nothing"
    return {key: (_follow(other, merges), reason) for key, (other, reason) in merges.items()}


def _follow(key: str, merges: Mapping[str, tuple[str, str]]) -> str:
    """Return the key that a key ends at."""
    while key in merges:
        key = merges[key][0]
    return key


def _find_squeezed(groups: Mapping[str, Sequence[Form]]) -> Iterator[tuple[str, str]]:
    """Yield keys with the one in more papers that is equal but for spaces."""
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in groups:
        blocks[key.replace(" ", "")].append(key)
    for squeezed, keys in sorted(blocks.items()):
        if len(keys) > 1 and len(squeezed) >= _LEAST_LETTERS and squeezed.isascii() and not squeezed.isdigit():
            best = min(keys, key=lambda key: (-_count_papers(groups[key]), key.count(" "), key))
            yield from ((key, best) for key in sorted(keys) if key != best and not _splits_number(key, best))


def _splits_number(key: str, other: str) -> bool:
    """Return whether the spaces of two keys cut numbers in different ways: "SQuAD 11" and "SQuAD 1 1"."""
    return [word for word in key.split() if word.isdigit()] != [word for word in other.split() if word.isdigit()]


def _find_expanded(groups: Mapping[str, Sequence[Form]]) -> Iterator[tuple[str, str]]:
    """Yield names that have short forms in them with the one in more papers that is the same written out.

    A short form that means several things here is not written out.
    """
    meanings: dict[str, set[str]] = defaultdict(set)
    for key, forms in groups.items():
        for form in forms:
            if is_initialism(form.surface):
                meanings[fold_name(form.surface)].add(key)
    clear = {short: keys.pop() for short, keys in meanings.items() if len(keys) == 1 and short not in keys}
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in groups:
        words = key.split()
        blocks[" ".join(clear.get(word, word) for word in words) if len(words) > 1 else key].append(key)
    for _, keys in sorted(blocks.items()):
        best = min(keys, key=lambda key: (-_count_papers(groups[key]), key))
        yield from ((key, best) for key in sorted(keys) if key != best)


def _find_padded(groups: Mapping[str, Sequence[Form]], known: Known) -> Iterator[tuple[str, str]]:
    """Yield keys with the key that they add an empty noun to."""
    for key, forms in sorted(groups.items()):
        name, _, head = key.rpartition(" ")
        if name not in groups:
            continue
        kind = _to_type(forms)
        after = known.empty_heads.get((head, kind.value))
        if after and kind is _to_type(groups[name]) and _may_follow(after, name, groups[name]):
            yield key, name


def _may_follow(after: str, name: str, forms: Sequence[Form]) -> bool:
    """Return whether a noun that is empty after some names is so after this one."""
    if _ADJECTIVE.search(name):
        return False
    if after == "any" or (after == "words" and " " in name):
        return True
    written = Counter[bool]()
    for form in forms:
        written[all(is_coined(word) for word in form.surface.split())] += form.papers
    return written[True] > written[False]


def split_by_writing(forms: Sequence[Form], senses: Mapping[tuple[str, str], Sense]) -> None:
    """Give an ordinary word a key of its own where a name of another type is written like it, but with capitals.

    "REST" and "rest", "Adam" and "adam"; both must be clear in their type.
    """
    groups: dict[str, dict[bool, list[Form]]] = defaultdict(lambda: defaultdict(list))
    for form in forms:
        if not form.long and " " not in form.surface and "folded form" in senses[form.surface, ""].reasons:
            groups[senses[form.surface, ""].key][form.surface.islower()].append(form)
    for key, sides in sorted(groups.items()):
        words, names = sides[True], sides[False]
        if not words or not names or sum(form.mentions for form in words) < _LEAST_MENTIONS:
            continue
        kind, other = _to_type(words), _to_type(names)
        if kind is not other and _is_clear(words, kind) and _is_clear(names, other):
            for form in words:
                senses[form.surface, ""].key = f"{key}~{kind.lower()}"
                senses[form.surface, ""].reasons[:] = [f"a {kind}, and not the {other} that is written with capitals"]


def _to_type(forms: Sequence[Form]) -> ConceptType:
    """Return the type of most mentions."""
    return most_common_type(_count_types(forms))


def _is_clear(forms: Sequence[Form], kind: ConceptType) -> bool:
    """Return whether nearly all mentions have a type."""
    types = _count_types(forms)
    return types[kind] >= _CLEAR * types.total()


def _count_types(forms: Sequence[Form]) -> Counter[ConceptType]:
    """Return the mentions of each type."""
    types: Counter[ConceptType] = Counter()
    for form in forms:
        types[form.type] += form.mentions
    return types


def _count_papers(forms: Sequence[Form]) -> int:
    """Return the sum of the papers of forms."""
    return sum(form.papers for form in forms)
