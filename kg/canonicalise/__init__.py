"""Which surface forms mean the same concept, and why.

The work is done on distinct surface forms, not on mentions, and only forms that share a key
are ever compared. A form means what its own paper defines it to mean, else what a curated name
says, else what nearly all papers define it to mean, else itself, folded. Then names join that
differ in spaces or in a noun that adds nothing; and last a person's decisions count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kg.canonicalise.decide import apply_decisions, find_idle
from kg.canonicalise.forms import Form, Known, Match, is_initialism, to_id
from kg.canonicalise.kinds import Kind, find_kinds, without_cycles
from kg.canonicalise.labels import choose_label, choose_long_label
from kg.canonicalise.merges import find_merges, split_by_writing
from kg.canonicalise.senses import find_senses, most_common_type
from kg.canonicalise.stems import to_stems
from kg.model import Concept
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.canonicalise.decide import Ruling
    from kg.canonicalise.forms import FormKey, Sense
    from kg.model import ConceptType, Decision

__all__ = [
    "Form",
    "Kind",
    "Known",
    "Match",
    "canonicalise",
    "find_idle",
    "find_kinds",
    "is_initialism",
    "to_stems",
    "without_cycles",
]


def canonicalise(
    forms: Iterable[Form], known: Known, decisions: Sequence[Decision] = ()
) -> tuple[list[Concept], list[Match]]:
    """Return the concepts that forms mean, without their paper counts, and a match for each form.

    Parameters
    ----------
    forms : iterable of Form
        In any order; the result does not depend on it.
    known : Known
        Curated names, and nouns that add nothing.
    decisions : sequence of Decision
        What a person decided; of two about the same names the later counts.

    Returns
    -------
    tuple of lists
        Concepts by id, and matches by surface and long form.
    """
    forms = sorted(forms)
    senses = find_senses(forms, known)
    split_by_writing(forms, senses)
    merges = find_merges(_group(forms, senses), known)
    for sense in senses.values():
        if sense.key in merges:
            sense.move(*merges[sense.key])
    ruling = apply_decisions(senses, decisions)
    groups = _group(forms, senses)
    named = {key: _to_concept(key, groups[key], known, ruling) for key in sorted(groups) if key not in ruling.dropped}
    concepts = _tell_apart(named, groups, ruling)
    matches = [
        Match(*form, "" if sense.key in ruling.dropped else to_id(sense.key), "; ".join(sense.reasons))
        for form, sense in sorted(senses.items())
    ]
    return _add_replaced(concepts, groups), matches


def _group(forms: Iterable[Form], senses: Mapping[FormKey, Sense]) -> dict[str, list[Form]]:
    """Return the forms of each key."""
    groups: dict[str, list[Form]] = defaultdict(list)
    for form in forms:
        groups[senses[form.key].key].append(form)
    return groups


def _to_concept(key: str, forms: Sequence[Form], known: Known, ruling: Ruling) -> Concept:
    """Return the concept of all forms that share a key."""
    label = ruling.labels.get(key) or choose_label(key, forms, known)
    types: Counter[ConceptType] = Counter()
    for form in forms:
        types[form.type] += form.mentions
    surfaces = {form.surface for form in forms} | {form.long for form in forms if form.long}
    kind = ruling.types.get(key) or most_common_type(types)
    return Concept(to_id(key), label, kind, tuple(sorted(surfaces - {label})))


def _tell_apart(concepts: Mapping[str, Concept], groups: Mapping[str, Sequence[Form]], ruling: Ruling) -> list[Concept]:
    """Return concepts of which no two of one type have one label, unless a person said so.

    The one that is called nothing else keeps the label: HiPPO, and not hierarchical proximal
    policy optimization, which has it for a short form.
    """
    alike: dict[tuple[ConceptType, str], list[str]] = defaultdict(list)
    for key, one in concepts.items():
        alike[one.type, one.label].append(key)
    labels: dict[str, str] = {}
    for (_, label), keys in alike.items():
        first = min(keys, key=lambda key: (key not in ruling.labels, key != fold_name(label), key))
        others = [key for key in keys if key != first and key not in ruling.labels]
        labels |= {key: choose_long_label(key, label, groups[key]) for key in others}
    return [_relabel(one, labels[key]) if key in labels else one for key, one in concepts.items()]


def _relabel(concept: Concept, label: str) -> Concept:
    """Return a concept under another label, with the one it had among its others."""
    alt_labels = tuple(sorted({*concept.alt_labels, concept.label} - {label}))
    return Concept(concept.id, label, concept.type, alt_labels, concept.papers, concept.replaces)


def _add_replaced(concepts: list[Concept], groups: Mapping[str, Sequence[Form]]) -> list[Concept]:
    """Return concepts with the ids that their other names would have by themselves, where no other has these."""
    owners: dict[str, set[str]] = defaultdict(set)
    taken = {one.id for one in concepts}
    for key, forms in groups.items():
        for form in forms:
            for name in filter(None, (form.surface, form.long)):
                owners[to_id(fold_name(name))].add(to_id(key))
    replaced: dict[str, list[str]] = defaultdict(list)
    for other, some in sorted(owners.items()):
        if len(some) == 1 and other not in taken:
            replaced[next(iter(some))].append(other)
    return [_replace(one, tuple(replaced[one.id])) if one.id in replaced else one for one in concepts]


def _replace(concept: Concept, ids: tuple[str, ...]) -> Concept:
    """Return a concept that stands for some other ids."""
    return Concept(concept.id, concept.label, concept.type, concept.alt_labels, concept.papers, ids)
