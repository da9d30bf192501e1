"""Relations that sentences state against relations that people marked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.evaluate.gold import OUT
from kg.evaluate.spans import Scores, to_passages
from kg.extract import DEFAULT_MODEL, extract, find_claims, load_lexicon, load_pipeline
from kg.link import LEAST
from kg.model import Mention, Predicate
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from spacy.language import Language

    from kg.evaluate.gold import Gold
    from kg.extract import Lexicon
    from kg.model import Claim, ConceptType, Passage

    Span = tuple[int, int, ConceptType | None]
    Triple = tuple[Span, Predicate, Span]

__all__ = ["RELATIONS", "RelationScores", "evaluate_relations", "score_relations"]

_BATCH = 16  # texts
_BINS = 10  # of equal width in confidence

# What the labels of published annotations mean, in small letters; "" is no relation of ours.
RELATIONS: dict[str, str] = {
    "benchmark-for": "benchmarkFor",  # SciER
    "compare": "comparedWith",  # SciERC, SemEval
    "compare-with": "comparedWith",
    "comparewith": "comparedWith",  # SciNLP
    "conjunction": OUT,
    "enhancedby": OUT,
    "evaluate-for": OUT,
    "evaluated-with": "evaluatedOn",
    "evaluatedby": OUT,
    "evaluatedon": "evaluatedOn",
    "feature-of": OUT,
    "hyponym-of": "broader",
    "measuredby": OUT,
    "model-feature": OUT,
    "part-of": "partOf",
    "part_whole": "partOf",
    "partof": "partOf",
    "result": OUT,
    "similarwith": OUT,
    "subclass-of": "broader",
    "subclassof": "broader",
    "subtask-of": "broader",
    "subtaskof": "broader",
    "synonym-of": OUT,
    "topic": OUT,
    "trained-with": "trainedOn",
    "trainedwith": "trainedOn",
    "usage": "usedFor",
    "used-for": "usedFor",
    "usedfor": "usedFor",
}


@dataclass(frozen=True, slots=True)
class RelationScores:
    """Scores of relations between two names in a sentence, and how true their confidence is."""

    relations: Scores  # same spans with their types, predicate and direction; Rel+
    by_predicate: Mapping[Predicate, Scores]
    untyped: Scores  # same spans, predicate and direction; Rel
    calibration_error: float  # expected, in ten bins of confidence, of what is found


def evaluate_relations(
    golds: Iterable[Gold],
    *,
    model: str | None = None,
    given: bool = False,
    labels: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> RelationScores:
    """Score the relations that are found inside the sentences of annotated texts.

    Parameters
    ----------
    golds : iterable of Gold
        From `read_gold`.
    model : str, optional
        As for `kg.build`.
    given : bool
        Whether the names are those of the annotation, and only their relations are sought.
    labels : mapping, optional
        What labels of relations mean, beside and before `RELATIONS`.
    progress : callable, optional
        Is told how many texts are done after each batch.

    Raises
    ------
    InputError
        If a label is unknown, or no text has relations.
    """
    golds = list(golds)
    meanings = RELATIONS | {label.lower(): meaning for label, meaning in (labels or {}).items()}
    wanted = [set(_to_triples(gold, meanings)) for gold in golds]
    if not any(wanted):
        raise InputError("no text has relations of ours; the field 'relations' holds [span, span, label]")
    lexicon = load_lexicon(find_ontology())
    nlp = load_pipeline(lexicon, model=model or DEFAULT_MODEL)
    found: list[dict[Triple, float]] = []
    for start in range(0, len(golds), _BATCH):
        batch = golds[start : start + _BATCH]
        claims = _find_given(batch, nlp, lexicon) if given else _find_all(batch, nlp, lexicon)
        found += [dict(some) for some in claims]
        if progress:
            progress(len(found))
    return score_relations(wanted, found)


def score_relations(gold: Sequence[set[Triple]], found: Sequence[Mapping[Triple, float]]) -> RelationScores:
    """Score found relations with their confidence against gold relations, text by text.

    Relations of a kind that nobody marked anywhere do not count.
    """
    predicates = sorted({one[1] for right in gold for one in right})
    counts: Counter[tuple[str, Predicate]] = Counter()
    bare: Counter[str] = Counter()
    bins: Counter[tuple[int, str]] = Counter()
    sums: dict[int, float] = {}
    for right, every in zip(gold, found, strict=True):
        ours = {one: score for one, score in every.items() if one[1] in predicates}
        counts.update(("gold", one[1]) for one in right)
        counts.update(("found", one[1]) for one in ours)
        counts.update(("hits", one[1]) for one in ours if one in right)
        left, here = {_without_types(one) for one in right}, {_without_types(one) for one in ours}
        bare.update(gold=len(left), found=len(here), hits=len(left & here))
        for one, score in ours.items():
            place = min(int(score * _BINS), _BINS - 1)
            bins.update([(place, "all"), *([(place, "right")] if one in right else [])])
            sums[place] = sums.get(place, 0.0) + score
    what = ("hits", "found", "gold")
    total = sum(bins[place, "all"] for place in sums)
    error = sum(abs(bins[place, "right"] - sums[place]) for place in sums) / total if total else 0.0
    return RelationScores(
        relations=Scores.of(*(sum(counts[name, one] for one in predicates) for name in what)),
        by_predicate={one: Scores.of(*(counts[name, one] for name in what)) for one in predicates},
        untyped=Scores.of(*(bare[name] for name in what)),
        calibration_error=round(error, 4),
    )


def _to_triples(gold: Gold, meanings: Mapping[str, str]) -> Iterator[Triple]:
    """Yield the relations of a text that are of ours."""
    for head, tail, label in gold.relations:
        meaning = meanings.get(label.lower())
        if meaning is None:
            raise InputError(f"{gold.id}: unknown relation {label!r}; say what it means with --map {label}=usedFor")
        if meaning != OUT:
            yield _directed(gold.spans[head], _to_predicate(meaning), gold.spans[tail])


def _to_predicate(meaning: str) -> Predicate:
    """Return the predicate that a label means."""
    try:
        return Predicate(meaning)
    except ValueError as error:
        raise InputError(f"{meaning!r} is no relation; choose one of {', '.join(Predicate)}") from error


def _find_given(golds: Sequence[Gold], nlp: Language, lexicon: Lexicon) -> Iterator[Iterator[tuple[Triple, float]]]:
    """Yield the relations of each text between the names that people marked."""
    for gold in golds:
        passages = list(to_passages(gold))
        docs = list(nlp.pipe(one.text for one in passages))
        mentions = [list(_to_mentions(gold, passage)) for passage in passages]
        claims = [
            (passage, claim)
            for passage, doc, some in zip(passages, docs, mentions, strict=True)
            for claim in find_claims(doc, some, lexicon)
        ]
        yield _to_found(claims, {(start, end): kind for start, end, kind in gold.spans})


def _find_all(golds: Sequence[Gold], nlp: Language, lexicon: Lexicon) -> Iterator[Iterator[tuple[Triple, float]]]:
    """Yield the relations of each text between the names that extraction finds."""
    for reading in extract([list(to_passages(gold)) for gold in golds], nlp, lexicon):
        types = {(one.start + passage.start, one.end + passage.start): one.type for passage, one in reading.mentions}
        yield _to_found(reading.claims, types)


def _to_found(
    claims: Iterable[tuple[Passage, Claim]], types: Mapping[tuple[int, int], ConceptType | None]
) -> Iterator[tuple[Triple, float]]:
    """Yield what claims say about spans of the text, where they are as sure as a graph asks for."""
    for passage, claim in claims:
        if claim.score >= LEAST:
            subject = claim.subject_start + passage.start, claim.subject_end + passage.start
            target = claim.object_start + passage.start, claim.object_end + passage.start
            yield _directed((*subject, types[subject]), claim.predicate, (*target, types[target])), claim.score


def _to_mentions(gold: Gold, passage: Passage) -> Iterator[Mention]:
    """Yield the names that people marked in a passage as mentions of which we are sure."""
    for start, end, kind in gold.spans:
        if kind and passage.start <= start and end <= passage.start + len(passage.text):
            places = start - passage.start, end - passage.start
            yield Mention(gold.text[start:end], *places, kind, Predicate.MENTIONS, 1.0, "gold")


def _directed(subject: Span, predicate: Predicate, target: Span) -> Triple:
    """Return a relation; one without direction goes from the span that comes first."""
    if predicate is Predicate.COMPARED_WITH and target[:2] < subject[:2]:
        return target, predicate, subject
    return subject, predicate, target


def _without_types(one: Triple) -> tuple[tuple[int, int], Predicate, tuple[int, int]]:
    """Return a relation without the types of its ends."""
    return one[0][:2], one[1], one[2][:2]
