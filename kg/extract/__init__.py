"""Mentions of methods, datasets, tasks and metrics in passages, claims and results, with one spaCy pipeline."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kg.acronyms import find_acronyms, find_implied
from kg.extract.candidates import find_candidates
from kg.extract.claims import find_claims
from kg.extract.lexicon import Lexicon, load_lexicon
from kg.extract.news import Kept, find_news, find_own
from kg.extract.pipeline import DEFAULT_MODEL, load_pipeline
from kg.extract.results import find_measurements
from kg.extract.roles import find_cue, is_listed, is_own_work, to_role
from kg.extract.select import KEPT_FROM, LONGEST, Context, read_calibration, score, vote_type
from kg.extract.words import get_words
from kg.model import ConceptType, Mention, Reading, Section
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spacy.language import Language
    from spacy.tokens import Doc

    from kg.acronyms import Acronym
    from kg.extract.candidate import Candidate
    from kg.extract.roles import Cue
    from kg.extract.select import Calibration
    from kg.extract.words import Word
    from kg.model import Passage

__all__ = [
    "DEFAULT_MODEL",
    "Lexicon",
    "extract",
    "find_claims",
    "find_scored",
    "load_lexicon",
    "load_pipeline",
    "to_sentence_case",
]

_SHOUTED = 0.6  # share of the words of a title in capitals that are capitals
_MARKS = "():,.?!;\"'"
_HEARD = 1.2  # how loudly a trained recogniser speaks for a type
_LEAST = 1e-9  # of what is a candidate at all


def extract(papers: Iterable[Sequence[Passage]], nlp: Language, lexicon: Lexicon) -> Iterator[Reading]:
    """Yield what each paper says: its mentions in order of passage and place, and what sentences say of pairs of them.

    Parameters
    ----------
    papers : iterable of sequences of Passage
        The passages of one paper at a time; all are parsed in one batch.
    nlp : Language
        From `load_pipeline`.
    lexicon : Lexicon
        From `load_lexicon`.
    """
    papers = [list(passages) for passages in papers]
    texts = (to_sentence_case(one, passages, lexicon) for passages in papers for one in passages)
    with nlp.memory_zone():
        docs = nlp.pipe(texts, batch_size=128)
        for passages in papers:
            yield _read(passages, [next(docs) for _ in passages], lexicon, read_calibration(nlp))


def find_scored(passages: Sequence[Passage], docs: list[Doc], lexicon: Lexicon) -> Iterator[Kept]:
    """Yield all candidates of one paper with what the rules say for them, to fit a `Calibration` with."""
    return _score(passages, docs, lexicon, _to_context(passages, docs, lexicon, None), least=_LEAST)


def _read(passages: Sequence[Passage], docs: list[Doc], lexicon: Lexicon, calibration: Calibration | None) -> Reading:
    """Return what was found in one paper."""
    mentions = tuple(_find_mentions(passages, docs, lexicon, calibration))
    by_passage: dict[Passage, list[Mention]] = {}
    for passage, one in mentions:
        by_passage.setdefault(passage, []).append(one)
    claims, measurements = [], []
    for passage, doc in zip(passages, docs, strict=True):
        names = by_passage.get(passage, ())
        claims += [(passage, one) for one in find_claims(doc, names, lexicon)]
        measurements += [(passage, one) for one in find_measurements(doc, names, lexicon)]
    return Reading(mentions, tuple(claims), tuple(measurements))


def _find_mentions(
    passages: Sequence[Passage], docs: list[Doc], lexicon: Lexicon, calibration: Calibration | None
) -> Iterator[tuple[Passage, Mention]]:
    """Yield the mentions of one paper."""
    context = _to_context(passages, docs, lexicon, calibration)
    least = calibration.kept_from if calibration else KEPT_FROM
    kept = _without_heads(list(_score(passages, docs, lexicon, context, least=least)), lexicon)
    types = _vote_types(kept, context, lexicon)
    news = find_news(kept, context, lexicon)
    own = find_own(kept, news)
    for number, held in enumerate(kept):
        seen = replace(held, own=held.passage in own)
        yield held.passage, _to_mention(seen, types[held.key], news.get(number), context)


def _score(
    passages: Sequence[Passage], docs: list[Doc], lexicon: Lexicon, context: Context, *, least: float
) -> Iterator[Kept]:
    """Yield the candidates of one paper whose score is not below the least."""
    for passage, doc, found in zip(passages, docs, context.candidates, strict=True):
        own = is_own_work(doc)
        last: Kept | None = None
        for one in found:
            listed = last is not None and is_listed(get_words(doc), last.candidate, one)
            cue = last.cue if last and listed else find_cue(doc, get_words(doc), one)
            sure = score(one, cue, passage.section, context, lexicon)
            if sure >= least:
                long = _long_form(one, passage, context, lexicon)
                last = Kept(passage, one, cue, sure, own, long, fold_name(long or one.surface))
                yield last


def _find_acronyms(passages: Sequence[Passage], words: list[list[Word]]) -> list[Acronym]:
    """Return the acronyms that a paper defines or, in mixed case, implies."""
    found = [one for passage in passages for one in find_acronyms(passage.text) if len(one.long) <= LONGEST]
    shorts = {word.text for some in words for word in some if is_coined(word.text)} - {one.short for one in found}
    implied = (find_implied(short, passage.text) for short in sorted(shorts) for passage in passages)
    return found + [one for one in implied if one]


def _without_heads(kept: list[Kept], lexicon: Lexicon) -> list[Kept]:
    """Leave out names of one word that stand for a longer one: "segmentation tasks" for "image segmentation".

    A method does so only after the longer name: "pruning" after "network pruning".
    """
    bare = [_strip_task(one.key, lexicon) for one in kept]
    first: dict[str, int] = {}  # by last word, the number of the first name of several words with it
    for number, name in enumerate(bare):
        if " " in name:
            first.setdefault(name.rpartition(" ")[2], number)
    left = []
    for number, (name, one) in enumerate(zip(bare, kept, strict=True)):
        head = lexicon.heads.get(name) if name in first else None
        stands_for = head and (head.type is not ConceptType.METHOD or first[name] < number)
        if not stands_for or one.candidate.source in {"acronym", "coined", "name"}:
            left.append(one)
    return left


def _strip_task(name: str, lexicon: Lexicon) -> str:
    """Return a folded name without a last noun that adds nothing to a task: "segmentation task"."""
    start, _, last = name.rpartition(" ")
    return start if lexicon.empty_heads.get((last, ConceptType.TASK)) == "any" and start else name


def _vote_types(kept: list[Kept], context: Context, lexicon: Lexicon) -> dict[str, ConceptType]:
    """Return the type of each concept of a paper, by the votes of its mentions and of a trained recogniser."""
    votes: dict[str, dict[ConceptType, float]] = {}
    for one in kept:
        kind, weight = vote_type(one.candidate, one.cue, context, lexicon)
        ranked = votes.setdefault(one.key, {})
        ranked[kind] = ranked.get(kind, 0.0) + weight
        for heard, chance in one.candidate.kinds.items():
            ranked[heard] = ranked.get(heard, 0.0) + _HEARD * chance
    return {key: max(sorted(ranked), key=ranked.__getitem__) for key, ranked in votes.items()}


def _to_mention(one: Kept, kind: ConceptType, news: Cue | None, context: Context) -> Mention:
    """Return the mention that a kept candidate is; `news` is why it is new in the paper."""
    found, cue = one.candidate, news or one.cue
    folded = fold_name(found.surface)
    opening = one.passage.section is Section.ABSTRACT and one.passage.start == 0
    salient = context.counts[folded] > 2 or f" {folded} " in context.title or opening
    role, sure = to_role(cue, kind, own=one.own, salient=salient)
    score = round(one.score, 2)
    return Mention(found.surface, found.start, found.end, kind, role, score, found.source, one.long, cue.text, sure)


def _long_form(one: Candidate, passage: Passage, context: Context, lexicon: Lexicon) -> str:
    """Return what the paper defines a short form to mean, or "".

    In the brackets of a definition it is the long form right before; anywhere else the paper
    must have one meaning for it. A noun that adds nothing may follow: "SSL methods".
    """
    folded = fold_name(one.surface)
    before = passage.text[: one.start].rstrip(" (")
    for acronym in context.acronyms:
        if fold_name(acronym.short) == folded and before.endswith(acronym.long) and one.source != "acronym":
            return acronym.long
    short, _, head = folded.rpartition(" ")
    if folded not in context.short_forms and lexicon.empty_heads.get((head, ConceptType.METHOD)) == "words":
        folded = short
    return context.short_forms.get(folded, "")


def _to_context(
    passages: Sequence[Passage], docs: list[Doc], lexicon: Lexicon, calibration: Calibration | None
) -> Context:
    """Return the candidates of a paper, and what its passages say about each form together."""
    words = [get_words(doc) for doc in docs]
    acronyms = _find_acronyms(passages, words)
    long_forms = frozenset(fold_name(one.long) for one in acronyms)
    candidates = [find_candidates(doc, some, lexicon, long_forms) for doc, some in zip(docs, words, strict=True)]
    title = " ".join(one.text for one in passages if one.section is Section.TITLE)
    counts = Counter(fold_name(one.surface) for found in candidates for one in found)
    return Context(
        candidates=candidates,
        counts=counts,
        title=f" {fold_name(title)} ",
        short_forms=_versioned(candidates) | _defined(acronyms),
        long_forms=frozenset(fold_name(one.long) for one in acronyms),
        acronyms=tuple(acronyms),
        calibration=calibration,
    )


def _defined(acronyms: list[Acronym]) -> dict[str, str]:
    """Return the long forms of a paper's acronyms by folded short form; one with two meanings has none."""
    meanings: dict[str, dict[str, str]] = {}
    for one in acronyms:
        meanings.setdefault(fold_name(one.short), {}).setdefault(fold_name(one.long), one.long)
    return {short: next(iter(longs.values())) for short, longs in meanings.items() if len(longs) == 1}


def _versioned(candidates: list[list[Candidate]]) -> dict[str, str]:
    """Return the names that a paper writes with one version, by the name without it.

    A paper that presents "FakeWorld 1.0" goes on with "FakeWorld". With two versions of a
    name in the paper, the bare name could be either.
    """
    forms: dict[str, set[str]] = {}
    for found in candidates:
        for one in found:
            bare, _, version = one.surface.rpartition(" ")
            if one.source == "coined" and bare and version[0].isdigit():
                forms.setdefault(fold_name(bare), set()).add(one.surface)
    return {bare: surfaces.pop() for bare, surfaces in forms.items() if len(surfaces) == 1}


def to_sentence_case(passage: Passage, passages: Sequence[Passage], lexicon: Lexicon) -> str:
    """Return a title as it would stand in a sentence, for the parser; any other text as it is.

    Words that begin with their only capital are lowered unless the abstract has them so, with
    the word before or after. Of a title all in capitals, the words that the abstract has so and
    those that are curated names stay.
    """
    if passage.section is not Section.TITLE:
        return passage.text
    abstract = " ".join(one.text for one in passages if one.section is not Section.TITLE)
    words = passage.text.split(" ")
    pairs = [f"{left} {right}" in abstract for left, right in pairwise(words)]
    kept = [left or right for left, right in zip([False, *pairs], [*pairs, False], strict=True)]
    if _is_shouted(words):
        known = {word.strip(_MARKS) for word in abstract.split()}
        words = [word if _is_known(word.strip(_MARKS), known, lexicon) else _lower(word) for word in words]
    return " ".join(
        word if written or _keeps_capital(word, lexicon) else word.lower()
        for word, written in zip(words, kept, strict=True)
    )


def _lower(word: str) -> str:
    """Return a word in small letters, or as it is if it would get longer."""
    return word.lower() if len(word.lower()) == len(word) else word


def _is_shouted(words: list[str]) -> bool:
    """Return whether a title is written in capitals."""
    long = [word for word in words if sum(map(str.isalpha, word)) > 1]
    return len(long) > 2 and sum(map(str.isupper, long)) >= _SHOUTED * len(long)


def _is_known(word: str, known: set[str], lexicon: Lexicon) -> bool:
    """Return whether a word in capitals is written so elsewhere: in the abstract, or in the curated names."""
    return word in known or (word.lower() not in lexicon.common and lexicon.find_name(word) is not None)


def _keeps_capital(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word of a title is written the same inside a sentence."""
    ordinary = word.istitle() and any(map(str.islower, word)) and len(word.lower()) == len(word)
    return not ordinary or word.lower().split("-")[0].rstrip(":,.?!") in lexicon.proper
