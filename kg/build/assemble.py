"""The second half of a build: from Parquet parts with mentions to a graph, in DuckDB."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING
from weakref import finalize

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from kg.build.columns import FOUND
from kg.canonicalise import Form, canonicalise, find_idle, find_kinds, without_cycles
from kg.canonicalise.kinds import Kind
from kg.decisions import DECISIONS
from kg.landscape import add_landscape
from kg.link import LEAST, find_told, imply_roles, link_claims, link_concepts, link_kinds, link_papers, link_results
from kg.mentions import (
    claim_schema,
    measurement_schema,
    mention_schema,
    write_claims,
    write_measurements,
    write_mentions,
)
from kg.model import ConceptType, KnowledgeGraph, MentionFile, Predicate, Skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kg.build.columns import Tables
    from kg.canonicalise import Known, Match
    from kg.model import Concept, Decision, Paper, Relation, Report

__all__ = ["Workplace"]

_FORMS = """
    SELECT surface, long, type, count(*), count(DISTINCT paper), count(*) FILTER (role = 'introduces'), own
    FROM parts GROUP BY ALL
"""
_RESOLVED = """
    SELECT ids.id AS paper, parts.* EXCLUDE (paper), matches.concept, matches.reason
    FROM parts JOIN ids ON ids.hash = parts.paper
    JOIN matches ON matches.surface = parts.surface AND matches.long = parts.long AND matches.own = parts.own
    ORDER BY ids.id, section, "offset", "start", "end"
"""
_MATCHES = pa.schema(
    [(name, pa.bool_() if name == "own" else pa.string()) for name in ("surface", "long", "own", *FOUND)]
)
_CLAIMS = """
    SELECT ids.id AS paper, said.* EXCLUDE (paper) FROM said JOIN ids ON ids.hash = said.paper
    ORDER BY ids.id, section, "offset", subject_start, object_start
"""
_MEASUREMENTS = """
    SELECT ids.id AS paper, reported.* EXCLUDE (paper) FROM reported JOIN ids ON ids.hash = reported.paper
    ORDER BY ids.id, section, "offset", "start"
"""
_COUNTS = "SELECT concept, count(DISTINCT paper) FROM mentions GROUP BY concept"


class Workplace:
    """A temporary folder that takes the mentions of batches of papers, and makes a graph of them.

    The graph holds on to the folder, which goes when the graph does.
    """

    def __init__(self) -> None:
        self._folder = Path(mkdtemp(prefix="paperkg-"))
        finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._parts = 0
        self.add_claims(claim_schema().empty_table())  # there may be none
        self.add_measurements(measurement_schema().empty_table())

    def add(self, said: Tables) -> None:
        """Write what some papers say to parts."""
        self.add_mentions(said.mentions)
        self.add_claims(said.claims)
        self.add_measurements(said.measurements)

    def add_mentions(self, table: pa.Table) -> None:
        """Write mentions, as columns without concept and reason, to a part."""
        self._write(table, "part")

    def add_claims(self, table: pa.Table) -> None:
        """Write claims to a part."""
        self._write(table, "said")

    def add_measurements(self, table: pa.Table) -> None:
        """Write results that sentences report to a part."""
        self._write(table, "reported")

    def _write(self, table: pa.Table, name: str) -> None:
        pq.write_table(table, self._folder / f"{name}-{self._parts:06}.parquet")
        self._parts += 1

    def assemble(
        self, papers: Mapping[str, Paper], known: Known, report: Report, decisions: Sequence[Decision] = ()
    ) -> KnowledgeGraph:
        """Return the graph of all mentions.

        Parameters
        ----------
        papers : mapping
            By what the parts call them; each with an id of its own.
        known : Known
            For `canonicalise`.
        report : Report
            To which the counts of the steps are added.
        decisions : sequence of Decision
            What a person decided about names.
        """
        database = duckdb.connect(config={"threads": 1, "temp_directory": str(self._folder / "spill")})
        ids = pa.table({"hash": list(papers), "id": [paper.id for paper in papers.values()]})
        database.register("ids", ids)
        for view, pattern in (("parts", "part"), ("said", "said"), ("reported", "reported")):
            source = f"read_parquet({_quote(self._folder / f'{pattern}-*.parquet')})"
            database.execute(f"CREATE VIEW {view} AS FROM {source} SEMI JOIN ids ON ids.hash = paper")
        forms = [Form(row[0], row[1], ConceptType(row[2]), *row[3:]) for row in database.execute(_FORMS).fetchall()]
        concepts, matches = canonicalise(forms, known, decisions)
        paths = [self._folder / f"{name}.parquet" for name in ("mentions", "dropped", "claims", "measurements")]
        files = MentionFile(paths[0], paths[1], paths[2], paths[3], self)
        counts = _resolve(database, matches, files) | _resolve_claims(database, paths[2])
        write_measurements(_iter_sorted(database, _MEASUREMENTS, measurement_schema()), paths[3])
        if not counts.get("dropped mentions"):
            files = replace(files, dropped=None)
        by_id = dict(sorted((paper.id, paper) for paper in papers.values()))
        nodes, relations = _link(database, files, by_id, concepts, find_kinds(concepts, matches, known))
        results = link_results(database, by_id, nodes, relations)
        steps = {**report.steps, "papers": len(by_id), **counts, "surface forms": len(forms)}
        steps |= {"concepts": len(nodes), "relations": len(relations), "results": len(results)}
        labelled = _label_papers(by_id, nodes, relations)
        report = replace(report, steps=steps, warnings=_warn_of_idle(report.warnings, decisions, matches))
        return add_landscape(
            KnowledgeGraph(labelled, nodes, tuple(relations), files, report, tuple(decisions), results=results)
        )


def _warn_of_idle(
    warnings: Sequence[Skip], decisions: Sequence[Decision], matches: Sequence[Match]
) -> tuple[Skip, ...]:
    """Return warnings with those of decisions that do nothing, and without earlier ones of this kind."""
    idle = (
        Skip(DECISIONS, 0, f"{one.kind} {one.subject!r} does nothing: {why}")
        for one, why in find_idle(decisions, matches)
    )
    return tuple(sorted({*(one for one in warnings if one.file != DECISIONS), *idle}))


def _link(
    database: duckdb.DuckDBPyConnection,
    files: MentionFile,
    papers: Mapping[str, Paper],
    concepts: Iterable[Concept],
    kinds: Iterable[Kind],
) -> tuple[dict[str, Concept], list[Relation]]:
    """Return the concepts with their paper counts, and all relations in order."""
    for view, path in (("mentions", files.path), ("claims", files.claims), ("measurements", files.measurements)):
        database.execute(f"CREATE VIEW {view} AS FROM read_parquet({_quote(path or files.path)})")
    counts = dict(database.execute(_COUNTS).fetchall())
    nodes = {one.id: replace(one, papers=counts[one.id]) for one in concepts}
    told = list(find_told(database, papers, nodes))
    relations = list(imply_roles(list(link_concepts(database, papers, nodes)), told, nodes))
    relations += link_papers(database, len(papers), relations)
    sure = (one for one in told if one.predicate is Predicate.BROADER and one.score >= LEAST)
    said = [Kind(one.subject, one.object, one.evidence[0].method) for one in sure]
    wider = [(one.concept, one.broader, one.reason) for one in without_cycles([*kinds, *said])]
    broader = list(link_kinds(database, papers, wider, told))
    relations += [*broader, *link_claims(told, broader)]
    return nodes, sorted(relations, key=lambda one: (one.subject, one.predicate, one.object))


def _quote(path: Path) -> str:
    """Return a path as a string of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


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


def _label_papers(
    papers: dict[str, Paper], concepts: dict[str, Concept], relations: Sequence[Relation]
) -> dict[str, Paper]:
    """Name each paper that has no title by what it introduces, in the order of its abstract."""
    named: dict[str, list[tuple[int, str]]] = {}
    for one in relations:
        if one.predicate is Predicate.INTRODUCES and not papers[one.subject].title:
            first = one.evidence[0]
            named.setdefault(one.subject, []).append((first.offset + first.start, concepts[one.object].label))
    return {
        node: replace(paper, label=", ".join(label for _, label in sorted(named[node])[:2])) if node in named else paper
        for node, paper in papers.items()
    }
