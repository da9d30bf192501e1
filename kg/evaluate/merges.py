"""Names that canonicalisation puts together against names that people say mean the same."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from kg.acronyms import find_acronyms
from kg.canonicalise import Form, Known, canonicalise
from kg.clean import find_sentences
from kg.errors import InputError
from kg.evaluate.gold import LABELS, read_lines
from kg.evaluate.spans import Scores
from kg.extract import load_lexicon
from kg.model import ConceptType
from kg.names import fold_name
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    Definitions = Mapping[str, Mapping[str, str]]  # long forms by folded short form, by document

__all__ = ["MergeScores", "evaluate_merges", "score_merges"]

_SYNONYM = "synonym-of"
# Words that point or count, which the parser tells by their part of speech.
_POINTS = (
    "the|an?|this|that|these|those|its|their|our|his|her|each|every|any|all|some|such|both|other|another|several|many"
    "|one|two|three|four|five|six|seven|eight|nine|ten"
)
_DETERMINER = re.compile(rf"(?:(?:{_POINTS})\s+)+(?=\S)", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]")


@dataclass(frozen=True, slots=True)
class MergeScores:
    """How well names are put together."""

    pairs: Scores  # two names that people, and that canonicalisation, put together
    b_cubed: Scores  # the share of its cluster that each name has right, on average


@dataclass(frozen=True, slots=True)
class _Named:
    """A name in a document, and the cluster that people put it in."""

    document: str
    surface: str
    type: ConceptType
    cluster: Hashable


def evaluate_merges(path: Path, *, texts: Path | None = None) -> MergeScores:
    """Measure canonicalisation on names that people put together.

    A line of the file is a concept with ``mentions`` of [document, start, end, label, name],
    whose pairs are those of all mentions; or a document with ``text``, ``spans``, and ``coref``
    clusters or relations "Synonym-Of", whose pairs are those of its different names. There, names
    that are spelled alike are one for people too.

    Parameters
    ----------
    path : Path
        JSON Lines.
    texts : Path, optional
        JSON Lines with ``id`` and ``text``: the documents, whose acronyms count, of a file of concepts.

    Raises
    ------
    InputError
        If a line is no such record.
    """
    records = list(_read_records(path))
    documents = [
        record for source in (path, texts) if source for _, record in _read_records(source) if "text" in record
    ]
    defined = {str(one.get("id")): _find_definitions(str(one["text"])) for one in documents}
    named: list[list[_Named]] = []  # within which names are paired
    for where, record in records:
        try:
            named.append(list(_read_names(record, where)))
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise InputError(f"{where}: no record with names that are put together ({error!r})") from error
    groups = [[one for some in named for one in some]] if any("mentions" in record for _, record in records) else named
    return _score(groups, defined)


def score_merges(gold: Sequence[Sequence[Hashable]], found: Sequence[Sequence[Hashable]]) -> MergeScores:
    """Score clusters of names that are paired within groups.

    Parameters
    ----------
    gold, found : sequences of sequences
        For each group, the cluster of each name.
    """
    hits = made = right = 0
    precision = recall = 0.0
    for wanted, got in zip(gold, found, strict=True):
        for (one, mine), (other, yours) in combinations(list(zip(wanted, got, strict=True)), 2):
            hits += one == other and mine == yours
            right += one == other
            made += mine == yours
        sizes, by_gold, by_found = Counter(zip(wanted, got, strict=True)), Counter(wanted), Counter(got)
        precision += sum(count * count / by_found[cluster] for (_, cluster), count in sizes.items())
        recall += sum(count * count / by_gold[cluster] for (cluster, _), count in sizes.items())
    names = sum(map(len, gold))
    shares = (precision / names, recall / names) if names else (0.0, 0.0)
    both = sum(shares)
    f1 = 2 * shares[0] * shares[1] / both if both else 0.0
    b_cubed = Scores(round(shares[0], 4), round(shares[1], 4), round(f1, 4), names)
    return MergeScores(Scores.of(hits, made, right), b_cubed)


def _score(groups: Sequence[Sequence[_Named]], defined: Definitions) -> MergeScores:
    """Put names together and score that."""
    lexicon = load_lexicon(find_ontology())
    forms: Counter[tuple[str, str, ConceptType]] = Counter()
    keys = []
    for group in groups:
        keys.append([_to_form(one, defined) for one in group])
        forms.update((*key, one.type) for key, one in zip(keys[-1], group, strict=True))
    known = Known(lexicon.find_name, lexicon.empty_heads, lexicon.nothing)
    _, matches = canonicalise((Form(*key, count, count, 0) for key, count in forms.items()), known)
    concepts = {(one.surface, one.long): one.concept for one in matches}
    gold = [[one.cluster for one in group] for group in groups]
    return score_merges(gold, [[concepts[key] for key in some] for some in keys])


def _to_form(one: _Named, defined: Definitions) -> tuple[str, str]:
    """Return a name as extraction would give it, without determiners and definition, and its long form."""
    longs = defined.get(one.document, {})
    match = _DETERMINER.match(one.surface)
    surface = one.surface[match.end() :] if match else one.surface
    bracket = _BRACKET.search(surface)
    if bracket and fold_name(bracket[1]) in longs:
        surface = (surface[: bracket.start()] + surface[bracket.end() :]).strip() or surface
    return surface, longs.get(fold_name(surface), "")


def _find_definitions(text: str) -> dict[str, str]:
    """Return the long forms of the acronyms of a text that mean one thing in it, by folded short form."""
    longs: dict[str, dict[str, str]] = defaultdict(dict)
    for start, end in find_sentences(text):
        for one in find_acronyms(text[start:end].replace("[", "(").replace("]", ")")):
            longs[fold_name(one.short)][fold_name(one.long)] = one.long
    return {short: next(iter(some.values())) for short, some in longs.items() if len(some) == 1}


def _read_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the records of a JSON Lines file with where they stand."""
    for where, line in read_lines(path):
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"{where}: no JSON ({error})") from error
        if not isinstance(record, dict):
            raise InputError(f"{where}: {line[:40]!r} is no record")
        yield where, record


def _read_names(record: Mapping[str, Any], where: str) -> Iterator[_Named]:
    """Yield the names of a record with their clusters."""
    if "mentions" in record:
        for document, _, _, label, surface in record["mentions"]:
            yield _Named(str(document), str(surface), _to_type(label), where)
        return
    text = str(record["text"])
    types: dict[str, ConceptType] = {}
    surfaces = [text[start:end] for start, end, _ in record["spans"]]
    for surface, (_, _, label) in zip(surfaces, record["spans"], strict=True):
        types.setdefault(surface, _to_type(label))
    together = [[surfaces[one] for one in cluster] for cluster in record.get("coref") or ()]
    relations = record.get("relations") or ()
    together += [[surfaces[one], surfaces[other]] for one, other, label in relations if label.lower() == _SYNONYM]
    if record.get("coref"):
        kept = {surface for cluster in together for surface in cluster}
        types = {surface: kind for surface, kind in types.items() if surface in kept}
    clusters = _join(sorted(types), together)
    for surface, kind in types.items():
        yield _Named(str(record.get("id")), surface, kind, clusters[surface])


def _join(surfaces: Sequence[str], together: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the cluster of each name, where names that fold alike are together too."""
    leaders: dict[str, str] = {}

    def lead(name: str) -> str:
        while leaders.setdefault(name, name) != name:
            name = leaders[name]
        return name

    for some in [*together, *([one, f"\0{fold_name(one)}"] for one in surfaces)]:
        for one in some[1:]:
            leaders[lead(one)] = lead(some[0])
    return {one: lead(one) for one in surfaces}


def _to_type(label: str) -> ConceptType:
    """Return the type that a label means, or method."""
    meaning = LABELS.get(label.lower(), "")
    return ConceptType(meaning) if meaning in list(ConceptType) else ConceptType.METHOD
