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

from kg.canonicalise import Form, canonicalise, find_idle, find_kinds, without_cycles
from kg.canonicalise.kinds import Kind
from kg.decisions import DECISIONS
from kg.landscape import add_landscape
from kg.link import find_told_kinds, link_concepts, link_kinds, link_papers
from kg.mentions import mention_schema, write_mentions
from kg.model import ConceptType, KnowledgeGraph, MentionFile, Predicate, Skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.canonicalise import Known, Match
    from kg.model import Concept, Decision, Mention, Paper, Passage, Relation, Report

__all__ = ["Workplace"]

_FOUND = ("concept", "reason")  # columns of mentions that come from the matches
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
    [(name, pa.bool_() if name == "own" else pa.string()) for name in ("surface", "long", "own", *_FOUND)]
)
_COUNTS = "SELECT concept, count(DISTINCT paper) FROM mentions GROUP BY concept"


class Workplace:
    """A temporary folder that takes the mentions of batches of papers, and makes a graph of them.

    The graph holds on to the folder, which goes when the graph does.
    """

    def __init__(self) -> None:
        self._folder = Path(mkdtemp(prefix="paperkg-"))
        finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._parts = 0

    def add(self, hashes: Sequence[str], found: Iterable[list[tuple[Passage, Mention]]]) -> None:
        """Write the mentions of some papers, which are known by their content hash, to a part."""
        self.add_table(_to_table(hashes, found))

    def add_table(self, table: pa.Table) -> None:
        """Write mentions, as columns without concept and reason, to a part."""
        pq.write_table(table, self._folder / f"part-{self._parts:06}.parquet")
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
        database.execute(f"CREATE VIEW parts AS FROM read_parquet({_quote(self._folder / 'part-*.parquet')})")
        forms = [Form(row[0], row[1], ConceptType(row[2]), *row[3:]) for row in database.execute(_FORMS).fetchall()]
        concepts, matches = canonicalise(forms, known, decisions)
        holder = MentionFile(self._folder / "mentions.parquet", self._folder / "dropped.parquet", self)
        counts = _resolve(database, papers, matches, holder)
        if not counts.get("dropped mentions"):
            holder = MentionFile(holder.path, holder=self)
        by_id = dict(sorted((paper.id, paper) for paper in papers.values()))
        nodes, relations = _link(database, holder.path, by_id, concepts, find_kinds(concepts, matches, known))
        steps = {**report.steps, "papers": len(by_id), **counts, "surface forms": len(forms)}
        steps |= {"concepts": len(nodes), "relations": len(relations)}
        labelled = _label_papers(by_id, nodes, relations)
        report = replace(report, steps=steps, warnings=_warn_of_idle(report.warnings, decisions, matches))
        return add_landscape(KnowledgeGraph(labelled, nodes, tuple(relations), holder, report, tuple(decisions)))


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
    mentions: Path,
    papers: Mapping[str, Paper],
    concepts: Iterable[Concept],
    kinds: Iterable[Kind],
) -> tuple[dict[str, Concept], list[Relation]]:
    """Return the concepts with their paper counts, and all relations in order."""
    database.execute(f"CREATE VIEW mentions AS FROM read_parquet({_quote(mentions)})")
    counts = dict(database.execute(_COUNTS).fetchall())
    nodes = {one.id: replace(one, papers=counts[one.id]) for one in concepts}
    relations = list(link_concepts(database, papers, nodes))
    relations += link_papers(database, len(papers), relations)
    told = sorted(find_told_kinds(database, papers, nodes))
    said = [Kind(one.concept, one.broader, one.evidence.method) for one in told]
    wider = [(one.concept, one.broader, one.reason) for one in without_cycles([*kinds, *said])]
    relations += link_kinds(database, papers, wider, told)
    return nodes, sorted(relations, key=lambda one: (one.subject, one.predicate, one.object))


def _quote(path: Path) -> str:
    """Return a path as a string of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def _to_table(hashes: Sequence[str], found: Iterable[list[tuple[Passage, Mention]]]) -> pa.Table:
    """Return the mentions of some papers as columns; `concept` and `reason` come later."""
    rows = []
    for paper, mentions in zip(hashes, found, strict=True):
        own = {(one.surface, one.long) for _, one in mentions if one.role is Predicate.INTRODUCES}
        rows += [
            {
                "paper": paper, "section": passage.section.value, "offset": passage.start, "length": len(passage.text),
                "start": one.start, "end": one.end, "surface": one.surface, "type": one.type.value,
                "role": one.role.value, "score": one.score, "source": one.source, "long": one.long, "cue": one.cue,
                "own": (one.surface, one.long) in own,
            }
            for passage, one in mentions
        ]  # fmt: skip
    columns = [column for column in mention_schema() if column.name not in _FOUND]
    return pa.Table.from_pylist(rows, schema=pa.schema(columns))


def _resolve(
    database: duckdb.DuckDBPyConnection, papers: Mapping[str, Paper], matches: Sequence[Match], to: MentionFile
) -> dict[str, int]:
    """Write the mentions with paper ids, concepts and reasons, sorted, those without a concept apart; return counts."""
    ids = pa.table({"hash": list(papers), "id": [paper.id for paper in papers.values()]})
    database.register("ids", ids)
    counts, schema = {}, mention_schema()
    for what, path in (("mentions", to.path), ("dropped mentions", to.dropped)):
        if path is not None:
            some = [one for one in matches if (not one.concept) == (path == to.dropped)]
            columns = {name: [getattr(one, name) for one in some] for name in _MATCHES.names}
            database.register("matches", pa.table(columns, schema=_MATCHES))
            reader = database.sql(_RESOLVED).to_arrow_reader(65_536)
            counts[what] = write_mentions((batch.select(schema.names).cast(schema) for batch in reader), path)
    return {what: count for what, count in counts.items() if count or what == "mentions"}


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
