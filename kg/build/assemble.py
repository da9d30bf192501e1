"""The second half of a build: from Parquet parts with what texts say to a graph, in DuckDB."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa

from kg.build.parts import connect, quote
from kg.build.records import write_records
from kg.build.texts import FOUND, LONGEST
from kg.canonicalise import Form, canonicalise, find_idle, find_kinds, without_cycles
from kg.canonicalise.kinds import Kind
from kg.decisions import DECISIONS
from kg.link import (
    LEAST,
    find_introduced,
    find_told,
    imply_roles,
    link_claims,
    link_concepts,
    link_kinds,
    link_papers,
    link_results,
)
from kg.mentions import (
    claim_schema,
    measurement_schema,
    mention_schema,
    text_schema,
    write_claims,
    write_measurements,
    write_mentions,
    write_texts,
)
from kg.model import ConceptType, KnowledgeGraph, MentionFile, Predicate, Relations, Report, Skip
from kg.model.columns import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import duckdb

    from kg.build.intake import Intake, Taken
    from kg.build.parts import Parts
    from kg.canonicalise import Known, Match
    from kg.model import Concept, Decision, Paper

__all__ = ["assemble"]

_VIEW = """
    CREATE VIEW {view} AS SELECT ids.id AS paper, one.{rest}
    FROM read_parquet([{files}]) one JOIN ids ON ids.hash = one.{hash}
"""
_FORMS = """
    SELECT surface, long, type, count(*), count(DISTINCT paper), count(*) FILTER (role = 'introduces'), own
    FROM parts GROUP BY ALL
"""
_RESOLVED = """
    SELECT parts.*, matches.concept, matches.reason
    FROM parts JOIN matches
    ON matches.surface = parts.surface AND matches.long = parts.long AND matches.own = parts.own
    ORDER BY paper, section, "offset", "start", "end"
"""
_MATCHES = pa.schema(
    [(name, pa.bool_() if name == "own" else pa.string()) for name in ("surface", "long", "own", *FOUND)]
)
_CLAIMS = 'FROM said ORDER BY paper, section, "offset", subject_start, object_start'
_MEASUREMENTS = 'FROM reported ORDER BY paper, section, "offset", "start"'
_TEXTS = """
    SELECT text, min(paper) AS paper, any_value(language) AS language, any_value(passages) AS passages
    FROM texts GROUP BY text ORDER BY text
"""
_COUNTS = "SELECT concept, count(DISTINCT paper) FROM mentions GROUP BY concept"


def assemble(
    parts: Parts, came: tuple[Intake, Taken], known: Known, settings: Mapping[str, str], decisions: Sequence[Decision]
) -> KnowledgeGraph:
    """Return the graph of all that texts say, without its landscape.

    Parameters
    ----------
    parts : Parts
        With the text of every paper; the graph holds on to them.
    came : Intake and Taken
        What came in, and what it settles to.
    known : Known
        For `canonicalise`.
    settings : mapping
        For the report: what the graph is built with.
    decisions : sequence of Decision
        What a person decided about names.
    """
    parts.flush()
    intake, taken = came
    papers = dict(sorted((paper.id, paper) for paper in taken.papers.values()))
    with connect(parts.folder) as database:
        _register(database, parts, papers)
        forms = [Form(row[0], row[1], ConceptType(row[2]), *row[3:]) for row in database.execute(_FORMS).fetchall()]
        concepts, matches = canonicalise(forms, known, decisions)
        paths = _name_files(parts)
        files = MentionFile(**paths, holder=parts)
        counts = _resolve(database, matches, files) | _resolve_claims(database, paths["claims"])
        write_measurements(_iter_sorted(database, _MEASUREMENTS, measurement_schema()), paths["measurements"])
        texts = database.sql(_TEXTS).to_arrow_table().cast(text_schema())
        write_texts(texts, paths["texts"], key=parts.key)
        if not counts.get("dropped mentions"):
            files = replace(files, dropped=None)
        nodes = _count_papers(database, files, concepts)
        kinds = find_kinds(concepts, matches, known)
        relations = _link(database, papers, nodes, kinds)
        results = link_results(database, papers, nodes, relations)
    passages, unread = _count_passages(papers.values(), texts)
    steps = {"passages": passages, "papers": len(papers), **counts, "surface forms": len(forms)}
    steps |= {"concepts": len(nodes), "relations": len(relations), "results": len(results)}
    warnings = _warn_of_idle([*taken.warnings, *unread], decisions, matches)
    write_records(intake, [*taken.skipped, *warnings], paths["records"])
    report = Report(taken.read, len(papers), tuple(taken.skipped), warnings, steps, settings)
    labelled = _label_papers(papers, nodes, relations)
    return KnowledgeGraph(labelled, nodes, relations, files, report, tuple(decisions), results=results)


def _register(database: duckdb.DuckDBPyConnection, parts: Parts, papers: Mapping[str, Paper]) -> None:
    """Make views of the parts, as far as they are of papers, and of the papers' ids."""
    ids = pa.table({"hash": [paper.text_hash for paper in papers.values()], "id": list(papers)})
    database.register("ids", ids)
    for view, name in (("texts", "texts"), ("parts", "mentions"), ("said", "claims"), ("reported", "measurements")):
        source = ", ".join(quote(path) for path in parts.find(name))
        hash, rest = ("text", "*") if name == "texts" else ("paper", "* EXCLUDE (paper)")
        database.execute(_VIEW.format(view=view, rest=rest, files=source, hash=hash))


def _name_files(parts: Parts) -> dict[str, Path]:
    """Return the files that the graph's mentions go to, and what they were read from."""
    names = ("path", "dropped", "claims", "measurements", "texts", "records")
    return {name: parts.folder / f"{name.replace('path', 'mentions')}.parquet" for name in names}


def _count_passages(papers: Iterable[Paper], texts: pa.Table) -> tuple[int, list[Skip]]:
    """Return how many passages papers have, and warnings for those that were not read, or not to the end."""
    columns = (texts[name].to_pylist() for name in ("text", "language", "passages"))
    read = {text: (language, passages) for text, language, passages in zip(*columns, strict=True)}
    total, warnings = 0, list[Skip]()
    for paper in papers:
        language, passages = read[paper.text_hash]
        total += passages
        reason = ""
        if language not in {"", "en"}:
            reason = f"in another language than English ({language}); no names are looked for"
        elif len(paper.abstract) > LONGEST:
            reason = f"{len(paper.abstract)} characters of abstract; names are looked for in the first {LONGEST}"
        if reason:
            warnings.append(Skip(*paper.origin, f"{reason}: {paper.label}"))
    return total, warnings


def _warn_of_idle(
    warnings: Sequence[Skip], decisions: Sequence[Decision], matches: Sequence[Match]
) -> tuple[Skip, ...]:
    """Return warnings with those of decisions that do nothing, and without earlier ones of this kind."""
    idle = (
        Skip(DECISIONS, 0, f"{one.kind} {one.subject!r} does nothing: {why}")
        for one, why in find_idle(decisions, matches)
    )
    return tuple(sorted({*(one for one in warnings if one.file != DECISIONS), *idle}))


def _count_papers(
    database: duckdb.DuckDBPyConnection, files: MentionFile, concepts: Iterable[Concept]
) -> dict[str, Concept]:
    """Make views of the files, and return the concepts with their paper counts."""
    for view, path in (("mentions", files.path), ("claims", files.claims), ("measurements", files.measurements)):
        database.execute(f"CREATE VIEW {view} AS FROM read_parquet({quote(path or files.path)})")
    counts = dict(database.execute(_COUNTS).fetchall())
    return {one.id: replace(one, papers=counts[one.id]) for one in concepts}


def _link(
    database: duckdb.DuckDBPyConnection,
    papers: Mapping[str, Paper],
    concepts: Mapping[str, Concept],
    kinds: Iterable[Kind],
) -> Relations:
    """Return all relations; what is joined is not kept, as it takes as much memory."""
    return Relations.join(_iter_relations(database, papers, concepts, kinds), papers)


def _iter_relations(
    database: duckdb.DuckDBPyConnection,
    papers: Mapping[str, Paper],
    concepts: Mapping[str, Concept],
    kinds: Iterable[Kind],
) -> Iterator[Relations]:
    """Yield all relations: those between papers and concepts, then the others."""
    places = Places(papers, concepts)
    told = find_told(database, papers, concepts)
    linked = imply_roles(link_concepts(database, papers, concepts), told, find_introduced(database), concepts)
    roles = Relations.collect(linked, places)
    sure = (one for one in told if one.predicate is Predicate.BROADER and one.score >= LEAST)
    said = [Kind(one.subject, one.object, one.evidence[0].method) for one in sure]
    wider = [(one.concept, one.broader, one.reason) for one in without_cycles([*kinds, *said])]
    broader = list(link_kinds(database, papers, wider, told))
    related = link_papers(database, len(papers), roles)
    yield roles
    yield Relations.collect(chain(related, broader, link_claims(told, broader)), places)


def _resolve(database: duckdb.DuckDBPyConnection, matches: Sequence[Match], to: MentionFile) -> dict[str, int]:
    """Write the mentions with paper ids, concepts and reasons, sorted, those without a concept apart; return counts."""
    counts, schema = {}, mention_schema()
    for what, path in (("mentions", to.path), ("dropped mentions", to.dropped)):
        if path is not None:
            some = [one for one in matches if (not one.concept) == (path == to.dropped)]
            columns = {name: [getattr(one, name) for one in some] for name in _MATCHES.names}
            database.register("matches", pa.table(columns, schema=_MATCHES))
            reader = database.sql(_RESOLVED).to_arrow_reader(65_536)
            counts[what] = write_mentions((batch.select(schema.names).cast(schema) for batch in reader), path)
    return {what: count for what, count in counts.items() if count or what == "mentions"}


def _resolve_claims(database: duckdb.DuckDBPyConnection, to: Path) -> dict[str, int]:
    """Write the claims with paper ids, sorted; return their count."""
    return {"claims": write_claims(_iter_sorted(database, _CLAIMS, claim_schema()), to)}


def _iter_sorted(database: duckdb.DuckDBPyConnection, query: str, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of a query in batches with the columns of a schema."""
    for batch in database.sql(query).to_arrow_reader(65_536):
        yield pa.Table.from_batches([batch]).select(schema.names).cast(schema)


def _label_papers(papers: dict[str, Paper], concepts: dict[str, Concept], relations: Relations) -> dict[str, Paper]:
    """Name each paper that has no title by what it introduces, in the order of its abstract."""
    named: dict[str, list[tuple[int, str]]] = {}
    for node in (node for node, paper in papers.items() if not paper.title):
        for one in relations.leaving(node):
            if one.predicate is Predicate.INTRODUCES:
                first = one.evidence[0]
                named.setdefault(node, []).append((first.offset + first.start, concepts[one.object].label))
    return {
        node: replace(paper, label=", ".join(label for _, label in sorted(named[node])[:2])) if node in named else paper
        for node, paper in papers.items()
    }
