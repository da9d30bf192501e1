"""Papers in, a knowledge graph out: the steps in their order.

What each text says goes to Parquet parts in a work folder, whoever reads it. What stays in
memory is papers, distinct surface forms, concepts and relations. A graph keeps what came in, so
that it can grow and shrink: only new texts are read, and what comes out is the graph of a build
of all, byte for byte.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kg.build.intake import Intake, Options, Taken, take_in
from kg.build.outside import describe_vocabularies, link_vocabularies, read_vocabularies
from kg.build.settings import describe_build, name_reader
from kg.build.survey import Survey, survey_files, write_papers
from kg.canonicalise import Known
from kg.errors import ExportError, GraphError, InputError, ModelError, UnknownNameError
from kg.extract import DEFAULT_MODEL, load_lexicon
from kg.memory import give_back, uncollected
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from kg.build.parts import Parts
    from kg.build.texts import Tables, Text
    from kg.model import Decision, KnowledgeGraph, Paper, Vocabulary

__all__ = ["Options", "Site", "Survey", "add", "build", "rebuild", "remove", "survey_files", "write_papers"]

_SIMILAR = "similar records"  # a setting


class Site(NamedTuple):
    """Where a build goes on, and who is told how far it is."""

    work: Path | None = None  # a folder that keeps what was read if the build stops; none is a temporary one
    earlier: KnowledgeGraph | None = None  # of which is taken over what the same model and rules have read
    progress: Callable[[int, int], None] | None = None  # is told how many texts of how many are read
    parts: str | Path | None = None  # a folder or URI that machines share: keeps what is read, and gives what was


ANYWHERE, PLAIN = Site(), Options()


def build(
    source: str | Path | Iterable[str | Path] | Iterable[Paper],
    *,
    model: str | None = None,
    decisions: Sequence[Decision] = (),
    vocabularies: str | Path | Iterable[str | Path] = (),
    options: Options = PLAIN,
    site: Site = ANYWHERE,
) -> KnowledgeGraph:
    """Return the knowledge graph of papers.

    Parameters
    ----------
    source : path, paths, or Papers
        Files to read, by path or URI, or papers made by the caller. Order does not matter.
    model : str, optional
        A spaCy pipeline with tagger, parser and attribute ruler, by name or folder, such as
        ``kg train`` makes; by default the one that comes with the package.
    decisions : sequence of Decision
        What a person decided about names, as `kg.decisions.read_decisions` returns it.
    vocabularies : path or paths
        Files with terms of others, as `kg.vocabularies` says, that concepts are matched to.
    options : Options
        What becomes of records that can't be kept, and of those that may be one paper.
    site : Site
        Where the build goes on, such as from what one before has read.

    Raises
    ------
    InputError
        If a file can't be read, if no paper is left, or, with `options.strict`, at the first record
        or term that would be skipped.
    ModelError
        If the model can't be loaded.
    ExportError
        If what is read can't be kept in `site.parts`.

    Examples
    --------
    >>> from kg.model import Paper
    >>> papers = [Paper(title="LoDA", abstract="We propose LoDA, a method for continual learning.")]
    >>> sorted(concept.label for concept in build(papers).concepts.values())
    ['LoDA', 'continual learning']
    """
    intake = Intake()
    outside = read_vocabularies(vocabularies, intake.warnings, strict=options.strict)
    take_in(source, intake, options)
    return _run(intake, decisions, outside, model=model, options=options, site=site)


def add(
    kg: KnowledgeGraph,
    source: str | Path | Iterable[str | Path] | Iterable[Paper],
    *,
    model: str | None = None,
    options: Options = PLAIN,
    site: Site = ANYWHERE,
) -> KnowledgeGraph:
    """Return the graph of the papers of a graph and others; only texts that it has not read are read.

    It is the graph that a build of all of them would be, with the decisions and vocabularies of `kg`.
    Where `kg` is of another version of the program, or `model` is another, all texts are read again.

    Raises
    ------
    InputError
        As from `build`.
    ModelError
        If the graph was built with another model than ours, and none is named.
    GraphError
        If the graph does not keep what it was built from.
    """
    from kg.build.records import read_records

    intake = take_in(source, read_records(kg.mentions.records), options)
    return _run_again(kg, intake, model=model, options=_as_before(kg, options), site=site)


def remove(
    kg: KnowledgeGraph,
    papers: Collection[str],
    *,
    model: str | None = None,
    options: Options = PLAIN,
    site: Site = ANYWHERE,
) -> KnowledgeGraph:
    """Return the graph without some papers, by node id: that which a build without their records would be.

    Raises
    ------
    UnknownNameError
        If the graph has no such paper.
    InputError
        If no paper would be left.
    GraphError
        If the graph does not keep what it was built from.
    """
    from kg.build.records import read_records

    intake, options = read_records(kg.mentions.records), _as_before(kg, options)
    there = {paper.id for paper in intake.close(options).papers.values()}
    if unknown := sorted(set(papers) - there):
        raise UnknownNameError(f"no paper has the id {unknown[0]!r}")
    if there <= set(papers):
        raise InputError("no paper would be left; delete the folder instead")
    return _run_again(kg, intake.without(papers, options), model=model, options=options, site=site)


def rebuild(kg: KnowledgeGraph, decisions: Sequence[Decision]) -> KnowledgeGraph:
    """Return the graph of the same papers and mentions with other decisions about names; nothing is read again.

    Its concepts are matched anew to the terms of the vocabularies that the graph was built with.

    Raises
    ------
    GraphError
        If the graph does not keep what it was built from, or its mentions are gone.
    """
    from kg.build.parts import Parts
    from kg.build.records import read_records
    from kg.mentions import find_reader

    intake, parts = read_records(kg.mentions.records), Parts(None, find_reader(kg.mentions))
    taken = intake.close(_as_before(kg, PLAIN))
    texts = {paper.text_hash for paper in taken.papers.values()}
    parts.take_over(kg.mentions, texts)
    if not texts <= parts.done:
        raise GraphError("the mentions of the graph are gone or of another version; build it again")
    return _finish(parts, (intake, taken), kg.report.settings, decisions, kg.vocabularies)


def _run_again(
    kg: KnowledgeGraph, intake: Intake, *, model: str | None, options: Options, site: Site
) -> KnowledgeGraph:
    """Return the graph of what came in, with the decisions and vocabularies of another, and what that has read."""
    built_with = kg.report.settings.get("model", "").partition(" ")[0]
    if model is None and built_with != Path(DEFAULT_MODEL).name:
        raise ModelError(f"the graph was built with the model {built_with!r}; name it, or another to read all again")
    site = site._replace(earlier=site.earlier or kg)
    return _run(intake, kg.decisions, kg.vocabularies, model=model, options=options, site=site)


def _run(
    intake: Intake,
    decisions: Sequence[Decision],
    outside: Sequence[Vocabulary],
    *,
    model: str | None,
    options: Options,
    site: Site,
) -> KnowledgeGraph:
    """Return the graph of what came in; what is not known of its texts is read."""
    from kg.build.parts import Parts

    taken = intake.close(options)
    if not taken.papers:  # bad input is refused before a model is loaded
        raise InputError(intake.why_nothing())
    model = model or DEFAULT_MODEL
    settings = describe_build(model) | describe_vocabularies(outside)
    settings |= {_SIMILAR: "merged"} if options.merge_similar else {}
    parts = Parts(site.work, name_reader(settings))
    _read(taken.papers, parts, model, options, site)
    return _finish(parts, (intake, taken), settings, decisions, outside)


def _finish(
    parts: Parts,
    came: tuple[Intake, Taken],
    settings: Mapping[str, str],
    decisions: Sequence[Decision],
    outside: Sequence[Vocabulary],
) -> KnowledgeGraph:
    """Return the graph of what texts say, with its landscape and its matches with terms of others."""
    from kg.build.assemble import assemble
    from kg.landscape import add_landscape

    with uncollected():
        graph = assemble(parts, came, _find_known(), settings, decisions)
        give_back()
        return link_vocabularies(add_landscape(graph), outside)


def _read(papers: Mapping[str, Paper], parts: Parts, model: str, options: Options, site: Site) -> None:
    """Read those texts of papers whose parts are not there."""
    from kg.build.texts import Text

    texts = {paper.text_hash: Text(paper.text_hash, paper.title, paper.abstract) for paper in papers.values()}
    if site.earlier:
        parts.take_over(site.earlier.mentions, texts.keys())
    missing = {hash: text for hash, text in texts.items() if hash not in parts.done}
    known = len(texts) - len(missing)
    try:
        for said in _say(missing, parts.key, model, options, site):
            parts.add(said)
            known += said.texts.num_rows
            if site.progress:
                site.progress(known, len(texts))
    finally:
        with suppress(ExportError):  # which is raised again when the graph is written
            parts.flush()


def _say(missing: dict[str, Text], key: str, model: str, options: Options, site: Site) -> Iterator[Tables]:
    """Yield what texts say: what shared parts have, then what has to be read, which they then have too."""
    from kg.build.cluster import read_on_cluster
    from kg.build.executor import read_batches
    from kg.build.shared import Shared
    from kg.build.texts import to_batches

    shared = Shared(site.parts, key) if site.parts and missing else None
    for said in shared.find(missing) if shared else ():
        yield said
        for hash in said.texts["text"].to_pylist():
            del missing[hash]
    batches = list(to_batches(missing.values()))
    if options.executor == "ray":
        yield from read_on_cluster(batches, model=model, workers=options.workers, shared=shared)
        return
    for said in read_batches(batches, model=model, workers=options.workers):
        if shared:
            shared.write(said)
        yield said


def _as_before(kg: KnowledgeGraph, options: Options) -> Options:
    """Return options that join records as the graph does."""
    return options._replace(merge_similar=_SIMILAR in kg.report.settings)


def _find_known() -> Known:
    """Return what is known of names beforehand."""
    lexicon = load_lexicon(find_ontology())
    return Known(lexicon.find_name, lexicon.empty_heads, lexicon.nothing)
