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

from kg.canonicalise import Form, canonicalise
from kg.link import link_concepts, link_papers
from kg.mentions import mention_schema, write_mentions
from kg.model import ConceptType, KnowledgeGraph, MentionFile, Predicate, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kg.canonicalise import Match
    from kg.model import Concept, Mention, Paper, Passage, Relation
    from kg.names import Name

__all__ = ["Workplace"]

_FORMS = """
    SELECT surface, long, type, count(*), count(DISTINCT paper), count(*) FILTER (role = 'introduces')
    FROM parts GROUP BY ALL
"""
_RESOLVED = """
    SELECT ids.id AS paper, parts.* EXCLUDE (paper), matches.concept, matches.reason
    FROM parts JOIN ids ON ids.hash = parts.paper
    JOIN matches ON matches.surface = parts.surface AND matches.long = parts.long
    ORDER BY ids.id, section, "offset", "start", "end"
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
        self._mentions = 0

    def add(self, hashes: Sequence[str], found: Iterable[list[tuple[Passage, Mention]]]) -> None:
        """Write the mentions of some papers, which are known by their content hash, to a part."""
        table = _to_table(hashes, found)
        pq.write_table(table, self._folder / f"part-{self._parts:06}.parquet")
        self._parts += 1
        self._mentions += len(table)

    def assemble(
        self, papers: dict[str, Paper], find_name: Callable[[str], Name | None], report: Report
    ) -> KnowledgeGraph:
        """Return the graph of all mentions.

        Parameters
        ----------
        papers : dict
            By content hash; their ids are made unique here.
        find_name : callable
            Returns the curated name that a surface form is a spelling of.
        report : Report
            To which the counts of the steps are added.
        """
        papers = _assign_ids(papers)
        database = duckdb.connect(config={"threads": 1, "temp_directory": str(self._folder / "spill")})
        database.execute(f"CREATE VIEW parts AS FROM read_parquet({_quote(self._folder / 'part-*.parquet')})")
        forms = [Form(row[0], row[1], ConceptType(row[2]), *row[3:]) for row in database.execute(_FORMS).fetchall()]
        concepts, matches = canonicalise(forms, find_name)
        mentions = self._folder / "mentions.parquet"
        _resolve(database, papers, matches, mentions)
        nodes, relations = _link(database, mentions, papers, concepts)
        steps = {
            **report.steps, "papers": len(papers), "mentions": self._mentions, "surface forms": len(forms),
            "concepts": len(nodes), "relations": len(relations),
        }  # fmt: skip
        by_id = dict(sorted((paper.id, paper) for paper in papers.values()))
        labelled = _label_papers(by_id, nodes, relations)
        holder = MentionFile(mentions, self)
        return KnowledgeGraph(labelled, nodes, tuple(relations), holder, replace(report, steps=steps))


def _link(
    database: duckdb.DuckDBPyConnection, mentions: Path, papers: Mapping[str, Paper], concepts: Iterable[Concept]
) -> tuple[dict[str, Concept], list[Relation]]:
    """Return the concepts with their paper counts, and all relations in order."""
    database.execute(f"CREATE VIEW mentions AS FROM read_parquet({_quote(mentions)})")
    counts = dict(database.execute(_COUNTS).fetchall())
    nodes = {one.id: replace(one, papers=counts[one.id]) for one in concepts}
    by_id = {paper.id: paper for paper in papers.values()}
    relations = list(link_concepts(database, by_id, nodes))
    relations += link_papers(database, len(by_id), relations)
    return nodes, sorted(relations, key=lambda one: (one.subject, one.predicate, one.object))


def _quote(path: Path) -> str:
    """Return a path as a string of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def _to_table(hashes: Sequence[str], found: Iterable[list[tuple[Passage, Mention]]]) -> pa.Table:
    """Return the mentions of some papers as columns; `concept` and `reason` come later."""
    rows = [
        {
            "paper": paper, "section": passage.section.value, "offset": passage.start, "length": len(passage.text),
            "start": one.start, "end": one.end, "surface": one.surface, "type": one.type.value,
            "role": one.role.value, "score": one.score, "source": one.source, "long": one.long, "cue": one.cue,
        }
        for paper, mentions in zip(hashes, found, strict=True)
        for passage, one in mentions
    ]  # fmt: skip
    columns = [column for column in mention_schema() if column.name not in {"concept", "reason"}]
    return pa.Table.from_pylist(rows, schema=pa.schema(columns))


def _assign_ids(papers: dict[str, Paper]) -> dict[str, Paper]:
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


def _resolve(
    database: duckdb.DuckDBPyConnection, papers: dict[str, Paper], matches: Sequence[Match], path: Path
) -> None:
    """Write the mentions with paper ids, concepts and reasons to one sorted file."""
    ids = pa.table({"hash": list(papers), "id": [paper.id for paper in papers.values()]})
    fields = ("surface", "long", "concept", "reason")
    table = pa.table({name: pa.array([getattr(one, name) for one in matches], pa.string()) for name in fields})
    database.register("ids", ids)
    database.register("matches", table)
    names = mention_schema().names
    reader = database.sql(_RESOLVED).to_arrow_reader(65_536)
    write_mentions((batch.select(names).cast(mention_schema()) for batch in reader), path)


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
