"""Papers in, a knowledge graph out: the steps in their order.

Papers stream through in batches and their mentions go to Parquet parts in a work folder.
What stays in memory is papers, distinct surface forms, concepts and relations.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from kg.build.intake import PLAIN, Batch, Intake, Options, take_in
from kg.build.outside import describe_vocabularies, link_vocabularies, read_vocabularies
from kg.build.survey import Survey, survey_files, write_papers
from kg.canonicalise import Known
from kg.clean import find_language, find_passages
from kg.errors import InputError
from kg.extract import DEFAULT_MODEL, load_lexicon, load_pipeline
from kg.model import Paper, Report, Skip
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spacy.language import Language

    from kg.model import Decision, KnowledgeGraph, Passage

__all__ = ["Options", "Survey", "build", "rebuild", "survey_files", "write_papers"]

_BATCH = 64  # papers
_LONGEST = 30_000  # characters; a long abstract has 3,000


def build(
    source: str | Path | Iterable[str | Path] | Iterable[Paper],
    *,
    model: str | None = None,
    decisions: Sequence[Decision] = (),
    vocabularies: str | Path | Iterable[str | Path] = (),
    options: Options = PLAIN,
    progress: Callable[[int], None] | None = None,
) -> KnowledgeGraph:
    """Return the knowledge graph of papers.

    Parameters
    ----------
    source : path, paths, or Papers
        Files to read, or papers made by the caller. Order does not matter.
    model : str, optional
        A spaCy pipeline with tagger, parser and attribute ruler, by name or folder, such as
        ``kg train`` makes; by default the one that comes with the package.
    decisions : sequence of Decision
        What a person decided about names, as `kg.decisions.read_decisions` returns it.
    vocabularies : path or paths
        Files with terms of others, as `kg.vocabularies` says, that concepts are matched to.
    options : Options
        What becomes of records that can't be kept, and of those that may be one paper.
    progress : callable, optional
        Is told how many papers are done after each batch.

    Raises
    ------
    InputError
        If a file can't be read, if no paper is left, or, with `options.strict`, at the first record
        or term that would be skipped.
    ModelError
        If the model can't be loaded.

    Examples
    --------
    >>> papers = [Paper(title="LoDA", abstract="We propose LoDA, a method for continual learning.")]
    >>> sorted(concept.label for concept in build(papers).concepts.values())
    ['LoDA', 'continual learning']
    """
    from kg.build.assemble import Workplace
    from kg.build.executor import extract_batches

    lexicon = load_lexicon(find_ontology())
    intake, place = Intake(), Workplace()
    outside = read_vocabularies(vocabularies, intake.warnings, strict=options.strict)
    model = model or DEFAULT_MODEL
    batches = _to_batches(take_in(source, intake, options), intake)
    first = next(batches, None)
    if first is None:  # bad input is refused before a model is loaded
        raise InputError(intake.why_nothing())
    nlp, done = load_pipeline(lexicon, model=model), 0
    for papers_done, said in extract_batches(
        chain([first], batches), nlp, lexicon, model=model, workers=options.workers
    ):
        place.add(said)
        done += papers_done
        if progress:
            progress(done)
    papers = intake.close(options)
    settings = {"program": f"paperkg {_version('paperkg')}", "model": _name_model(model, nlp)}
    settings |= describe_vocabularies(outside)
    skipped, warnings = tuple(sorted(intake.skipped)), tuple(sorted(intake.warnings))
    report = Report(intake.read, len(papers), skipped, warnings, {"passages": intake.passages}, settings)
    known = Known(lexicon.find_name, lexicon.empty_heads, lexicon.nothing)
    return link_vocabularies(place.assemble(papers, known, report, decisions), outside)


def rebuild(kg: KnowledgeGraph, decisions: Sequence[Decision]) -> KnowledgeGraph:
    """Return the graph of the same papers and mentions with other decisions about names; nothing is read again.

    Its concepts are matched anew to the terms of the vocabularies that the graph was built with.

    Raises
    ------
    GraphError
        If the mentions of the graph are gone.
    """
    from kg.build.assemble import Workplace
    from kg.mentions import read_all_mentions, read_claims, read_measurements

    lexicon, place = load_lexicon(find_ontology()), Workplace()
    for batch in read_all_mentions(kg.mentions):
        place.add_mentions(batch)
    for claims in read_claims(kg.mentions):
        place.add_claims(claims)
    for measurements in read_measurements(kg.mentions):
        place.add_measurements(measurements)
    papers = {node: replace(paper, label="") for node, paper in kg.papers.items()}
    steps = {name: kg.report.steps[name] for name in ("passages",) if name in kg.report.steps}
    known = Known(lexicon.find_name, lexicon.empty_heads, lexicon.nothing)
    graph = place.assemble(papers, known, replace(kg.report, steps=steps), decisions)
    return link_vocabularies(graph, kg.vocabularies)


def _find_passages(paper: Paper, intake: Intake) -> list[Passage]:
    """Return the passages of a paper in which names are looked for: those of the first _LONGEST characters."""
    passages = find_passages(paper)
    language = find_language(paper.abstract or paper.title)
    if language not in {"", "en"}:
        reason = f"in another language than English ({language}); no names are looked for: {paper.label}"
        intake.warnings.append(Skip(*paper.origin, reason))
        return []
    if len(paper.abstract) <= _LONGEST:
        return passages
    length = f"{len(paper.abstract)} characters of abstract"
    intake.warnings.append(
        Skip(*paper.origin, f"{length}; names are looked for in the first {_LONGEST}: {paper.label}")
    )
    return [one for one in passages if one.start + len(one.text) <= _LONGEST]


def _to_batches(papers: Iterator[Paper], intake: Intake) -> Iterator[Batch]:
    """Yield papers in batches of at most _BATCH, with their passages."""
    while some := list(islice(papers, _BATCH)):
        batch = Batch([paper.content_hash for paper in some], [_find_passages(paper, intake) for paper in some])
        intake.passages += sum(map(len, batch.passages))
        yield batch


def _name_model(model: str, nlp: Language) -> str:
    """Return what tells a model from others: the version of a package, the hash of a folder but for its description."""
    folder = Path(model)
    if not folder.is_dir():
        return f"{model} {nlp.meta.get('version', '')}".strip()
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".md":
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{folder.name} {digest.hexdigest()[:12]}"


def _version(name: str) -> str:
    """Return the version of an installed distribution."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "0"
