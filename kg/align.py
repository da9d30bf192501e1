"""Which terms of a vocabulary mean what concepts mean, by what they are called.

Names agree if they are equal when folded (`kg.names.fold_name`). That is an exact match only
if no other term and no other concept has the name, it is not a short form alone, and the types
agree; of a vocabulary that gives no types, only if the name is the preferred label of both.
What else agrees is a close match, but for names that too many have, and short forms alone that
several have, or that stand for things of two types or of two long forms.

The confidence orders the matches of a graph; it is not measured.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kg.model import MatchKind, VocabularyMatch
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.model import Concept, Term, Vocabulary

__all__ = ["is_short_form", "match_vocabulary"]

_MOST_HOMONYMS = 3  # terms, or concepts, of one name
_LONGEST_SHORT_FORM = 5  # letters
_FIELDS = {True: "skos:prefLabel", False: "skos:altLabel"}  # by whether it is the preferred label
# How much a match is worth by how many of the two labels are not the preferred ones.
_WORTH = (0.95, 0.85, 0.75)
_DOUBT = 0.6  # what remains of it where only short forms agree, or the types do not


@dataclass(frozen=True, slots=True, order=True)
class _Label:
    """A name as one side has it."""

    is_other: bool  # so that preferred labels come first
    text: str


@dataclass(frozen=True, slots=True, order=True)
class _Agreement:
    """A name that a concept and a term share; the better ones come first."""

    homonyms: int  # how many terms, or how many concepts if these are more, have the name
    is_short: bool
    others: int  # how many of the two labels are not the preferred one
    name: str  # as the concept has it
    fields: tuple[str, str]
    shared_by: str  # what several are that have the name


Pair: TypeAlias = tuple[str, str]  # a concept's id and a term's IRI
Index: TypeAlias = "dict[str, dict[str, _Label]]"  # folded name to ids to the name as written


def match_vocabulary(concepts: Iterable[Concept], vocabulary: Vocabulary) -> list[VocabularyMatch]:
    """Return the terms that concepts match, sorted; the order of concepts and terms does not matter.

    A term is an exact match of at most one concept, and a concept has at most one.
    """
    by_id = {one.id: one for one in concepts}
    terms = {one.iri: one for one in vocabulary.terms}
    agreements = _find_agreements(
        _index((one.id, (one.label,), one.alt_labels) for one in by_id.values()),
        _index((one.iri, one.labels, one.other_labels) for one in terms.values()),
    )
    is_typed = any(one.type for one in terms.values())
    doubts = {
        (node, iri): _find_doubt(by_id[node], terms[iri], found, is_typed=is_typed)
        for (node, iri), found in agreements.items()
    }
    exact = _choose_exact(agreements, [pair for pair, doubt in doubts.items() if not doubt])
    matches = []
    for (node, iri), found in agreements.items():
        if not (_is_short(found) and _contradict(by_id[node], terms[iri], found[0].name)):
            doubt = doubts[node, iri] or ("" if (node, iri) in exact else "another is as near, or nearer")
            matches.append(_to_match(by_id[node], terms[iri], found, vocabulary.name, doubt))
    return sorted(matches)


def is_short_form(name: str) -> bool:
    """Return whether a name is so short that it may mean many things: a few letters, at least two of them capitals.

    Examples
    --------
    >>> [is_short_form(name) for name in ("GANs", "C4", "LoRA", "BLEU", "CIFAR-10", "ImageNet", "Adam")]
    [True, True, True, True, False, False, False]
    """
    letters = name.removesuffix("s")
    is_few = letters.isalpha() and len(letters) <= _LONGEST_SHORT_FORM
    return len(name) <= 2 or (is_few and sum(map(str.isupper, letters)) > 1)


def _index(labelled: Iterable[tuple[str, Sequence[str], Sequence[str]]]) -> Index:
    """Return ids by the folded names that they have; of two names that fold alike the preferred one counts."""
    index: Index = defaultdict(dict)
    for node, labels, others in labelled:
        names = [*(_Label(False, label) for label in labels), *(_Label(True, label) for label in others)]
        for name in sorted(names, reverse=True):
            index[fold_name(name.text)][node] = name
    return index


def _find_agreements(concepts: Index, terms: Index) -> dict[Pair, list[_Agreement]]:
    """Return the names that concepts and terms share, by id and IRI, the best one first.

    Names that too many have are no agreement, nor are short forms that several have.
    """
    agreements: dict[Pair, list[_Agreement]] = defaultdict(list)
    for folded in sorted(concepts.keys() & terms.keys()):
        nodes, iris = concepts[folded], terms[folded]
        homonyms = max(len(nodes), len(iris))
        is_short = any(is_short_form(label.text) for label in (*nodes.values(), *iris.values()))
        if homonyms > (1 if is_short else _MOST_HOMONYMS):
            continue
        shared_by = "terms" if len(iris) >= len(nodes) else "concepts"
        for node, label in nodes.items():
            for iri, other in iris.items():
                fields = (_FIELDS[not label.is_other], _FIELDS[not other.is_other])
                found = _Agreement(homonyms, is_short, label.is_other + other.is_other, label.text, fields, shared_by)
                agreements[node, iri].append(found)
    return {pair: sorted(found) for pair, found in agreements.items()}


def _types_differ(concept: Concept, term: Term) -> bool:
    """Return whether both have a type, and not the same."""
    return term.type is not None and term.type is not concept.type


def _contradict(concept: Concept, term: Term, short: str) -> bool:
    """Return whether two that share a short form are of two types, or spell it out, each in its own way."""
    names = ((concept.label, *concept.alt_labels), (*term.labels, *term.other_labels))
    return _types_differ(concept, term) or all(_is_spelled_out(short, some) for some in names)


def _is_spelled_out(short: str, names: Iterable[str]) -> bool:
    """Return whether one of some names has several words, and the short form is none of them."""
    letters = short.removesuffix("s").casefold()
    return any(" " in name and letters not in name.casefold() for name in names)


def _find_doubt(concept: Concept, term: Term, agreements: Sequence[_Agreement], *, is_typed: bool) -> str:
    """Return why a concept and a term that share names are no exact match, or nothing."""
    best = agreements[0]
    if best.homonyms > 1:
        return f"{best.homonyms} {best.shared_by} have the name"
    if best.is_short and len(agreements) == 1:
        return "a short form alone"
    if _types_differ(concept, term):
        return f"the types differ: {concept.type}, {term.type}"
    if is_typed:
        return "" if term.type else "the term has no type"
    if all(one.others for one in agreements if one.homonyms == 1):
        return "the vocabulary has no types, and the name is not the preferred label of both"
    return ""


def _choose_exact(agreements: Mapping[Pair, Sequence[_Agreement]], pairs: Iterable[Pair]) -> set[Pair]:
    """Return the pairs that are nearer than all others of the same concept and of the same term."""
    ranks = {pair: (min(one.others for one in agreements[pair]), -len(agreements[pair])) for pair in pairs}
    at_concept: dict[str, list[tuple[int, int]]] = defaultdict(list)
    at_term: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (node, iri), rank in ranks.items():
        at_concept[node].append(rank)
        at_term[iri].append(rank)
    return {
        (node, iri)
        for (node, iri), rank in ranks.items()
        if all(sum(other <= rank for other in rivals) == 1 for rivals in (at_concept[node], at_term[iri]))
    }


def _to_match(
    concept: Concept, term: Term, agreements: Sequence[_Agreement], source: str, doubt: str
) -> VocabularyMatch:
    """Return the match of a concept and a term, which is exact where there is no doubt."""
    best = agreements[0]
    worth = _WORTH[best.others] / best.homonyms
    if _is_short(agreements) or _types_differ(concept, term):
        worth *= _DOUBT
    return VocabularyMatch(
        concept=concept.id,
        predicate=MatchKind.CLOSE if doubt else MatchKind.EXACT,
        iri=term.iri,
        label=term.labels[0],
        source=source,
        name=best.name,
        name_field=best.fields[0],
        label_field=best.fields[1],
        confidence=round(worth, 3),
        comment=doubt,
    )


def _is_short(agreements: Sequence[_Agreement]) -> bool:
    """Return whether nothing agrees but short forms."""
    return all(one.is_short for one in agreements)
