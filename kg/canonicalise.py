"""Which surface forms mean the same concept, and why.

The work is done on distinct surface forms, not on mentions. A form means, in this order:
what the same paper defines it to mean, a curated name, the one meaning that the corpus
defines for a short form, or just itself, folded. A short form with several meanings in
the corpus that its own paper does not define stays on its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import Concept, ConceptType
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kg.names import Name

__all__ = ["Form", "Match", "canonicalise"]


_CLEAR = 0.8  # share of the papers that define a short form in which it must mean the same
_LONGEST_INITIALISM = 5  # characters, a plural s among them
_RARE = 0.15  # a spelling in a smaller share of the papers is an oddity


@dataclass(frozen=True, slots=True, order=True)
class Form:
    """A surface form in one sense, with what the mentions say of it."""

    surface: str
    long: str  # the long form that its papers define for it, or ""
    type: ConceptType
    mentions: int
    papers: int
    introduced: int  # mentions that introduce it


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """The decision that a surface form means a concept, and why."""

    surface: str
    long: str
    concept: str  # node id
    reason: str


def canonicalise(forms: Iterable[Form], find_name: Callable[[str], Name | None]) -> tuple[list[Concept], list[Match]]:
    """Return the concepts that forms mean, without their paper counts, and a match for each form.

    Parameters
    ----------
    forms : iterable of Form
        In any order; the result does not depend on it.
    find_name : callable
        Returns the curated name that a surface form is a spelling of, if there is one.

    Returns
    -------
    tuple of lists
        Concepts by id, and matches by surface and long form.
    """
    forms = sorted(forms)
    senses = _to_senses(forms, find_name)
    groups: dict[str, list[Form]] = defaultdict(list)
    matches: dict[tuple[str, str], Match] = {}
    for form in forms:
        key, reason = _to_key(form, senses, find_name)
        groups[key].append(form)
        matches[form.surface, form.long] = Match(form.surface, form.long, _to_id(key), reason)
    concepts = [_to_concept(key, groups[key], find_name) for key in sorted(groups)]
    return concepts, [matches[one] for one in sorted(matches)]


def _to_senses(forms: list[Form], find_name: Callable[[str], Name | None]) -> dict[str, Counter[str]]:
    """Return for each folded short form the keys that papers define for it, with their number."""
    senses: dict[str, Counter[str]] = defaultdict(Counter)
    for form in forms:
        if form.long:
            senses[fold_name(form.surface)][_plain_key(form.long, find_name)[0]] += form.papers
    return senses


def _to_key(form: Form, senses: Mapping[str, Counter[str]], find_name: Callable[[str], Name | None]) -> tuple[str, str]:
    """Return what identifies the concept that a form means, and why."""
    if form.long:
        return _plain_key(form.long, find_name)[0], f"defined in the same paper: {form.long}"
    key, reason = _plain_key(form.surface, find_name)
    meanings = senses.get(fold_name(form.surface), Counter())
    if not meanings or (key in meanings and _is_clear(meanings, key)) or (key not in meanings and "curated" in reason):
        return key, reason
    best = min(meanings, key=lambda one: (-meanings[one], one))
    if _is_clear(meanings, best):
        return best, f"short form that {meanings[best]} of {meanings.total()} papers define so"
    return fold_name(form.surface), f"short form with {len(meanings)} meanings here, none of them clear"


def _is_clear(meanings: Counter[str], key: str) -> bool:
    """Return whether a meaning of a short form has nearly all votes."""
    return meanings[key] >= _CLEAR * meanings.total()


def _plain_key(surface: str, find_name: Callable[[str], Name | None]) -> tuple[str, str]:
    """Return the key of a form by the curated names, else by itself."""
    name = find_name(surface)
    if name is not None:
        return fold_name(name.label), f"curated name: {name.label} ({name.source})"
    return fold_name(surface), "folded form"


def _to_id(key: str) -> str:
    """Return the node id of a concept; one to one, since a folded form has no hyphen."""
    return "concept:" + key.replace(" ", "-")


def _to_concept(key: str, forms: list[Form], find_name: Callable[[str], Name | None]) -> Concept:
    """Return the concept of all forms that share a key."""
    label = _choose_label(key, forms, find_name)
    types: Counter[ConceptType] = Counter()
    for form in forms:
        types[form.type] += form.mentions
    surfaces = {form.surface for form in forms} | {form.long for form in forms if form.long}
    kind = max(sorted(types), key=lambda one: types[one])
    return Concept(_to_id(key), label, kind, tuple(sorted(surfaces - {label})))


def _choose_label(key: str, forms: list[Form], find_name: Callable[[str], Name | None]) -> str:
    """Return the preferred label: the long form, but a coined name that papers live by itself.

    Among spellings the one in most papers wins, then small letters, then the shortest, which
    is the singular. Where papers write the short form only, the curated name is the label.
    """
    counts: Counter[str] = Counter()
    for form in forms:
        counts[form.surface] += form.papers
        counts[form.long or form.surface] += 0
    introduced = any(form.introduced for form in forms)
    short = [one for one in counts if fold_name(one) != key]
    coined = [one for one in short if is_coined(one) and not _is_initialism(one)]
    full = [one for one in counts if fold_name(one) == key]
    by_itself = sum(counts[one] for one in coined) >= sum(counts[one] for one in full)
    versioned = any(one in form.long for one in coined for form in forms)
    pool = coined if coined and introduced and by_itself and not versioned else full
    if not pool:
        name = next(filter(None, map(find_name, sorted(counts))), None)
        return name.label if name and fold_name(name.label) == key else min(counts, key=lambda one: (-counts[one], one))

    spellings: Counter[str] = Counter()
    for one in pool:
        spellings[one.casefold()] += counts[one]

    def rank(surface: str) -> tuple[int, bool, int, int, str]:
        papers = spellings[surface.casefold()]
        odd = counts[surface] < _RARE * papers
        return -papers, odd, sum(map(str.isupper, surface)), len(surface), surface

    return min(pool, key=rank)


def _is_initialism(surface: str) -> bool:
    """Return whether a short form is a few capitals, but for a plural s: LLMs, PCA; ELECTRA is a name."""
    return surface.rstrip("s").isupper() and len(surface) <= _LONGEST_INITIALISM
