"""Spans that extraction finds against spans that people marked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.clean import find_sentences
from kg.errors import ModelError
from kg.extract import DEFAULT_MODEL, extract, load_lexicon, load_pipeline
from kg.extract.tags import CHANCES, find_spans
from kg.model import ConceptType, Passage, Section
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from spacy.language import Language

    from kg.evaluate.gold import Gold
    from kg.model import Mention

    Span = tuple[int, int, ConceptType | None]

__all__ = ["Scores", "SpanScores", "evaluate", "score_spans", "to_flat", "to_passages"]

_BATCH = 16  # texts


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and their harmonic mean, each in [0, 1]; 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float
    gold: int  # spans that people marked

    @classmethod
    def of(cls, hits: int, found: int, gold: int, caught: int | None = None) -> Scores:
        """Return the scores of counts; `caught` of the gold spans, where one hit may catch several."""
        precision = hits / found if found else 0.0
        recall = (hits if caught is None else caught) / gold if gold else 0.0
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        return cls(round(precision, 4), round(recall, 4), round(f1, 4), gold)


@dataclass(frozen=True, slots=True)
class SpanScores:
    """Scores of spans, from the hardest measure to the softest."""

    strict: Scores  # same start, end and type
    by_type: Mapping[ConceptType, Scores]  # strict
    untyped: Scores  # same start and end
    overlap: Scores  # a character in common


def evaluate(
    golds: Iterable[Gold],
    *,
    model: str | None = None,
    alone: bool = False,
    progress: Callable[[int], None] | None = None,
) -> SpanScores:
    """Score the spans that extraction finds in annotated texts.

    Each text is taken for the abstract of a paper, as it is, without cleaning. Of names within
    names the longest counts. Types that the annotation does not have are left out.

    Parameters
    ----------
    golds : iterable of Gold
        From `read_gold`.
    model : str, optional
        As for `kg.build`, which says what is the default.
    alone : bool
        Whether to score what the model's recogniser finds, without rules and curated names.
    progress : callable, optional
        Is told how many texts are done after each batch.

    Raises
    ------
    ModelError
        If the model can't be loaded, or is to be scored alone and has no recogniser.
    """
    golds = list(golds)
    lexicon = load_lexicon(find_ontology())
    nlp = load_pipeline(lexicon, model=model or DEFAULT_MODEL)
    found: list[list[Span]] = []
    for start in range(0, len(golds), _BATCH):
        texts = [list(to_passages(gold)) for gold in golds[start : start + _BATCH]]
        if alone:
            found += [list(_find_recognised(passages, nlp)) for passages in texts]
        else:
            found += [list(to_flat(one.mentions)) for one in extract(texts, nlp, lexicon)]
        if progress:
            progress(len(found))
    return score_spans([gold.spans for gold in golds], found)


def score_spans(gold: Sequence[Sequence[Span]], found: Sequence[Sequence[Span]]) -> SpanScores:
    """Score found spans against gold spans, text by text.

    Examples
    --------
    >>> method, task = ConceptType.METHOD, ConceptType.TASK
    >>> scores = score_spans([((0, 4, method), (9, 20, task))], [[(0, 4, method), (9, 15, task)]])
    >>> scores.strict.f1, scores.untyped.f1, scores.overlap.f1
    (0.5, 0.5, 1.0)
    """
    types = {kind for spans in gold for _, _, kind in spans if kind}
    counts: Counter[tuple[str, ConceptType | None]] = Counter()
    soft: Counter[str] = Counter()
    for right, ours in zip(gold, found, strict=True):
        marked = set(right)
        kept = {span for span in ours if span[2] in types or not types}
        for _, _, kind in marked:
            counts["gold", kind] += 1
        for span in kept:
            counts["found", span[2]] += 1
            counts["hits", span[2]] += span in marked
        places, ours_at = {span[:2] for span in marked}, {span[:2] for span in kept}
        soft.update(gold=len(places), found=len(ours_at), hits=len(places & ours_at))
        soft["touched"] += sum(any(_meet(one, other) for other in places) for one in ours_at)
        soft["caught"] += sum(any(_meet(one, other) for other in ours_at) for one in places)
    by_type = {kind: Scores.of(*(counts[what, kind] for what in ("hits", "found", "gold"))) for kind in sorted(types)}
    totals = (sum(counts[what, kind] for kind in types) for what in ("hits", "found", "gold"))
    return SpanScores(
        strict=Scores.of(*totals),
        by_type=by_type,
        untyped=Scores.of(soft["hits"], soft["found"], soft["gold"]),
        overlap=Scores.of(soft["touched"], soft["found"], soft["gold"], soft["caught"]),
    )


def to_flat(mentions: Iterable[tuple[Passage, Mention]]) -> Iterator[Span]:
    """Yield the spans of mentions in the text, without those that lie in longer ones."""
    spans = [(one.start + passage.start, one.end + passage.start, one.type) for passage, one in mentions]
    end = -1
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] >= end:
            yield span
            end = span[1]


def _find_recognised(passages: Sequence[Passage], nlp: Language) -> Iterator[Span]:
    """Yield the spans in a text that a model's recogniser finds."""
    for passage, doc in zip(passages, nlp.pipe(one.text for one in passages), strict=True):
        chances = doc.user_data.get(CHANCES)
        if chances is None:
            raise ModelError("the model has no recogniser that could be scored alone; 'kg train' makes one")
        for first, last, kind, _ in find_spans(chances):
            yield passage.start + doc[first].idx, passage.start + doc[last - 1].idx + len(doc[last - 1]), kind


def to_passages(gold: Gold) -> Iterator[Passage]:
    """Yield the sentences of a text as passages: those of the annotation, else ours."""
    for start, end in gold.sentences or find_sentences(gold.text):
        text = gold.text[start:end]
        if text.strip():
            yield Passage(gold.id, Section.ABSTRACT, start, text)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two stretches have a character in common."""
    return one[0] < other[1] and other[0] < one[1]
