"""Papers in, a knowledge graph out: the steps in their order.

Papers stream through in batches and their mentions go to Parquet parts in a work folder.
What stays in memory is papers, distinct surface forms, concepts and relations.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kg.build.outside import describe_vocabularies, link_vocabularies, read_vocabularies
from kg.canonicalise import Known
from kg.clean import clean_paper, find_passages
from kg.errors import InputError
from kg.extract import DEFAULT_MODEL, extract, load_lexicon, load_pipeline
from kg.model import Paper, Report, Skip
from kg.read import read_papers
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from spacy.language import Language

    from kg.model import Decision, KnowledgeGraph, Passage

__all__ = ["build", "rebuild"]

_BATCH = 64  # papers
_LONGEST = 30_000  # characters; a long abstract has 3,000


@dataclass
class _Intake:
    """What has come in so far."""

    papers: dict[str, Paper] = field(default_factory=dict)  # by content hash
    skipped: list[Skip] = field(default_factory=list)
    warnings: list[Skip] = field(default_factory=list)
    read: int = 0


def build(
    source: str | Path | Iterable[str | Path] | Iterable[Paper],
    *,
    model: str | None = None,
    decisions: Sequence[Decision] = (),
    vocabularies: str | Path | Iterable[str | Path] = (),
    strict: bool = False,
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
    strict : bool
        Whether a record or a term that can't be kept is an error.
    progress : callable, optional
        Is told how many papers are done after each batch.

    Raises
    ------
    InputError
        If a file can't be read, if no paper is left, or, with `strict`, at the first record
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

    lexicon = load_lexicon(find_ontology())
    intake, place, passages = _Intake(), Workplace(), 0
    outside = read_vocabularies(vocabularies, intake.warnings, strict=strict)
    model = model or DEFAULT_MODEL
    nlp = None  # loaded when there is a paper, so that bad input is refused at once
    for batch in _batches(_kept(_read(source, intake), intake, strict=strict), _BATCH):
        nlp = nlp or load_pipeline(lexicon, model=model)
        split = [_find_passages(paper, intake) for paper in batch]
        place.add([paper.content_hash for paper in batch], extract(split, nlp, lexicon))
        passages += sum(map(len, split))
        if progress:
            progress(len(intake.papers))
    if nlp is None:
        raise InputError(_nothing_kept(intake))
    settings = {"program": f"paperkg {_version('paperkg')}", "model": _name_model(model, nlp)}
    settings |= describe_vocabularies(outside)
    skipped, warnings = tuple(sorted(intake.skipped)), tuple(sorted(intake.warnings))
    report = Report(intake.read, len(intake.papers), skipped, warnings, {"passages": passages}, settings)
    known = Known(lexicon.find_name, lexicon.empty_heads, lexicon.nothing)
    return link_vocabularies(place.assemble(_assign_ids(intake.papers), known, report, decisions), outside)


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


def _read(source: str | Path | Iterable[str | Path] | Iterable[Paper], intake: _Intake) -> Iterator[Paper | Skip]:
    """Yield papers and skips from paths, or papers as they are given."""
    if isinstance(source, str | Path):
        yield from read_papers([source], warn=intake.warnings.append)
        return
    paths: list[str | Path] = []
    for one in source:
        if isinstance(one, Paper):
            yield one
        else:
            paths.append(one)
    if paths:
        yield from read_papers(paths, warn=intake.warnings.append)


def _kept(records: Iterator[Paper | Skip], intake: _Intake, *, strict: bool) -> Iterator[Paper]:
    """Yield cleaned papers, each content once, and note the rest."""
    for record in records:
        intake.read += 1
        if isinstance(record, Skip):
            skip = record
        else:
            paper = clean_paper(record)
            if paper.content_hash not in intake.papers:
                intake.papers[paper.content_hash] = paper
                yield paper
                continue
            file, line = intake.papers[paper.content_hash].origin
            first = f", as {file}:{line}" if file else ""
            skip = Skip(*paper.origin, f"the same record again{first}: {paper.label}")
        if strict:
            raise InputError(f"{skip.file}:{skip.line}: {skip.reason}" if skip.file else skip.reason)
        intake.skipped.append(skip)


def _find_passages(paper: Paper, intake: _Intake) -> list[Passage]:
    """Return the passages of a paper in which names are looked for: those of the first _LONGEST characters."""
    passages = find_passages(paper)
    if len(paper.abstract) <= _LONGEST:
        return passages
    length = f"{len(paper.abstract)} characters of abstract"
    intake.warnings.append(
        Skip(*paper.origin, f"{length}; names are looked for in the first {_LONGEST}: {paper.label}")
    )
    return [one for one in passages if one.start + len(one.text) <= _LONGEST]


def _assign_ids(papers: Mapping[str, Paper]) -> dict[str, Paper]:
    """Return papers by content hash; of those that share an id all but one get the hash added.

    Which one keeps the bare id is settled by the hash, so the order of files does not matter.
    """
    taken: set[str] = set()
    assigned: dict[str, Paper] = {}
    for digest, paper in sorted(papers.items()):
        node = f"{paper.id}-{digest[:8]}" if paper.id in taken else paper.id
        taken.add(node)
        assigned[digest] = replace(paper, id=node)
    return assigned


def _batches(papers: Iterator[Paper], size: int) -> Iterator[list[Paper]]:
    """Yield papers in lists of at most `size`."""
    while batch := list(islice(papers, size)):
        yield batch


def _nothing_kept(intake: _Intake) -> str:
    """Return why there is no paper."""
    if not intake.skipped:
        return "there is no paper in the input"
    first = intake.skipped[0]
    return f"no paper in {intake.read} records, the first of them {first.file}:{first.line}: {first.reason}"


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
