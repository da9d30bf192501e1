"""Which keys are one concept although they are written differently; blocks of like keys, never pairs of all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kg.canonicalise.forms import is_initialism
from kg.canonicalise.groups import count_mentions, count_papers, is_clear, to_type
from kg.canonicalise.spellings import find_spellings
from kg.model import ConceptType
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.canonicalise.forms import Form, FormKey, Known, Sense

__all__ = ["find_merges", "split_by_writing"]

_LEAST_MENTIONS = 3  # of a writing that is told from another
_LEAST_SHARE = 0.2  # of the mentions of the commonest writing that another must have
_WRITINGS = ("mixed", "capitals", "small")  # the first keeps the key
_LONGEST_SHOUT = 5  # letters of a word in capitals that is a name
_DOING = re.compile(r"(?:ing|ion|sis)$")  # "regression", "clustering", "analysis"
_ADJECTIVE = re.compile(r"\b(?:agnostic|aware|based|driven|free|guided|invariant|like|only|oriented)$")  # no name alone


def find_merges(groups: Mapping[str, Sequence[Form]], known: Known) -> dict[str, tuple[str, str]]:
    """Return which keys are another's: the other key, and why.

    A key is another's if it is another spelling of it, or if they are equal but for short forms in
    them that are written out, or if it only adds a noun that adds nothing, such as "score" to
    "BLEU", and both have the same type.

    Parameters
    ----------
    groups : mapping
        The forms of each key.
    known : Known
    """
    meanings = _find_meanings(groups)
    found = (
        *find_spellings(groups, known),
        *((key, other, f"{other}, with short forms written out") for key, other in _find_expanded(groups, meanings)),
        *(
            (key, other, f"{other}, to which the last word adds nothing")
            for key, other in _find_padded(groups, meanings, known)
        ),
        *((key, other, f"{other}, of which the last word says the same") for key, other in _find_posed(groups, known)),
    )
    merges: dict[str, tuple[str, str]] = {}
    for key, other, reason in found:
        if key not in merges and _follow(other, merges) != key:
            merges[key] = other, reason
    return {key: (_follow(other, merges), reason) for key, (other, reason) in merges.items()}


def _follow(key: str, merges: Mapping[str, tuple[str, str]]) -> str:
    """Return the key that a key ends at."""
    while key in merges:
        key = merges[key][0]
    return key


def _find_meanings(groups: Mapping[str, Sequence[Form]]) -> dict[str, str]:
    """Return the keys of short forms that mean one thing where they stand alone, or, if they never do, are defined."""
    bare, defined = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for key, forms in groups.items():
        for form in forms:
            if is_initialism(form.surface):
                (defined if form.long else bare)[fold_name(form.surface)].add(key)
    meanings = defined | bare
    return {short: min(keys) for short, keys in meanings.items() if len(keys) == 1 and short not in keys}


def _find_expanded(groups: Mapping[str, Sequence[Form]], meanings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names that have short forms in them with the same written out, or with that in more papers."""
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in groups:
        blocks[_expand(key, meanings)].append(key)
    for whole, keys in sorted(blocks.items()):
        best = min(keys, key=lambda key: (key != whole, -count_papers(groups[key]), key))
        yield from ((key, best) for key in sorted(keys) if key != best)


def _expand(key: str, meanings: Mapping[str, str]) -> str:
    """Return a name with the short forms in it written out; a short form alone stays."""
    words = key.split()
    return " ".join(meanings.get(word, word) for word in words) if len(words) > 1 else key


def _find_padded(
    groups: Mapping[str, Sequence[Form]], meanings: Mapping[str, str], known: Known
) -> Iterator[tuple[str, str]]:
    """Yield keys with the key of the name that they add an empty noun to.

    Tasks of a method that is curated or is a way of doing something are the method, as in "machine
    learning problems" and "regression tasks"; a method for a task is not the task.
    """
    owners = _find_owners(groups)
    for key, forms in sorted(groups.items()):
        name, _, head = key.rpartition(" ")
        other = name = meanings.get(name, name)
        if name not in groups:
            other = owners.get(name, key)
        if other == key or name in known.nothing or _is_curated(key, forms, known):
            continue
        kind, whole = to_type(forms), to_type(groups[other])
        after = known.empty_heads.get((head, kind.value))
        curated = known.find_name(name) is not None
        posed = (curated or _DOING.search(name)) and (kind, whole) == (ConceptType.TASK, ConceptType.METHOD)
        written = [*groups[name], *forms] if other == name else forms
        if after and (kind is whole or posed) and (curated or _may_follow(after, name, written)):
            yield key, other


def _find_posed(groups: Mapping[str, Sequence[Form]], known: Known) -> Iterator[tuple[str, str]]:
    """Yield tasks that end in another empty noun with the one in more papers: regression problems and tasks."""
    blocks: dict[str, list[str]] = defaultdict(list)
    for key, forms in groups.items():
        name, _, head = key.rpartition(" ")
        after = known.empty_heads.get((head, ConceptType.TASK.value))
        if name and after == "any" and to_type(forms) is ConceptType.TASK and not _is_curated(key, forms, known):
            blocks[name].append(key)
    for _, keys in sorted(blocks.items()):
        best = min(keys, key=lambda key: (-count_papers(groups[key]), key))
        yield from ((key, best) for key in sorted(keys) if key != best)


def _is_curated(key: str, forms: Sequence[Form], known: Known) -> bool:
    """Return whether a key is that of a curated name, as some form writes it or in small letters."""
    names = (known.find_name(name) for name in (key, *(form.long or form.surface for form in forms)))
    return any(name is not None and fold_name(name.label) == key for name in names)


def _find_owners(groups: Mapping[str, Sequence[Form]]) -> dict[str, str]:
    """Return the key of each folded form that has one key, which is not the form."""
    owners: dict[str, set[str]] = defaultdict(set)
    for key, forms in groups.items():
        for form in forms:
            owners[fold_name(form.surface)].add(key)
    return {name: min(keys) for name, keys in owners.items() if len(keys) == 1 and name not in keys}


def _may_follow(after: str, name: str, forms: Sequence[Form]) -> bool:
    """Return whether a noun that is empty after some names is so after this one, which forms are or begin with."""
    if _ADJECTIVE.search(name):
        return False
    if after == "any" or (after == "words" and " " in name):
        return True
    written: Counter[bool] = Counter()
    for form in forms:
        words = form.surface.split()
        words = words if fold_name(form.surface) == name else words[:-1]
        if fold_name(" ".join(words)) == name:
            written[all(map(_is_name, words))] += form.papers
    return written[True] > written[False]


def _is_name(word: str) -> bool:
    """Return whether a word is written as only names are; a long word in capitals is one that is shouted."""
    return is_coined(word) and not (word.isupper() and len(word) > _LONGEST_SHOUT)


def split_by_writing(forms: Sequence[Form], senses: Mapping[FormKey, Sense]) -> None:
    """Give words a key of their own that are written like a name of another type but for capitals.

    "REST" and "rest", "mAP" and "MAP". Each must be clear in its type and no oddity.
    """
    groups: dict[str, dict[str, list[Form]]] = defaultdict(lambda: defaultdict(list))
    for form in forms:
        if not form.long and " " not in form.surface and senses[form.key].key == fold_name(form.surface):
            groups[senses[form.key].key][_to_writing(form.surface)].append(form)
    for key, sides in sorted(groups.items()):
        most = max(map(count_mentions, sides.values()))
        first, *others = [
            sides[writing]
            for writing in _WRITINGS
            if writing in sides and count_mentions(sides[writing]) >= max(_LEAST_MENTIONS, _LEAST_SHARE * most)
        ] or [[]]
        for side in others:
            kind, other = to_type(side), to_type(first)
            if kind is not other and is_clear(side, kind) and is_clear(first, other):
                for form in side:
                    sense = senses[form.key]
                    sense.move(
                        f"{key}~{kind.lower()}", f"a {kind}, and not the {other} that is written {first[0].surface}"
                    )


def _to_writing(surface: str) -> str:
    """Return how a word is written: in small letters, in capitals, or in both."""
    return "small" if surface.islower() else "capitals" if surface.rstrip("s").isupper() else "mixed"
