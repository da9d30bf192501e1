"""The graph, and what is told about how it was made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.model.columns import Places
from kg.model.landscape import check_communities
from kg.model.relations import Relations, iter_ends
from kg.model.results import check_results
from kg.model.vocabularies import check_matches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kg.model.concepts import Concept, Decision, Relation
    from kg.model.landscape import Community
    from kg.model.papers import Paper
    from kg.model.results import Result
    from kg.model.vocabularies import Vocabulary, VocabularyMatch

__all__ = ["KnowledgeGraph", "MentionFile", "Report", "Skip"]


@dataclass(frozen=True, slots=True, order=True)
class Skip:
    """A record that was not kept, where it stands and why."""

    file: str
    line: int  # counted from 1; 0 where a line makes no sense
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """What was read, kept and skipped; ``read == kept + len(skipped)``."""

    read: int = 0
    kept: int = 0
    skipped: tuple[Skip, ...] = ()
    warnings: tuple[Skip, ...] = ()  # kept, but not as given
    steps: Mapping[str, int] = field(default_factory=dict)  # counts by name
    settings: Mapping[str, str] = field(default_factory=dict)  # program, model, options


@dataclass(frozen=True, slots=True)
class MentionFile:
    """Where the mentions of a graph are kept, what sentences say of them, and what they were read from.

    They may be millions, so they are not in memory; `kg.mentions` reads them. With `texts` and
    `records` a graph can grow and shrink. `holder` keeps a temporary folder alive for as long
    as the graph needs it.
    """

    path: Path
    dropped: Path | None = None  # a file of the same form with those that a decision left out
    claims: Path | None = None  # what sentences say of pairs of mentions
    measurements: Path | None = None  # the results that sentences report
    texts: Path | None = None  # which texts were read, and which paper has the mentions of each
    records: Path | None = None  # what came in: papers as they were before those that are one were joined, and skips
    holder: object = None


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Papers, concepts and relations, each sorted by id, and where the mentions are."""

    papers: Mapping[str, Paper]
    concepts: Mapping[str, Concept]
    relations: Sequence[Relation]
    mentions: MentionFile
    report: Report
    decisions: tuple[Decision, ...] = ()  # those that the graph was built by
    vocabularies: tuple[Vocabulary, ...] = ()  # by name; those whose terms were sought
    matches: tuple[VocabularyMatch, ...] = ()  # with their terms, sorted
    communities: tuple[Community, ...] = ()  # by number
    centrality: Mapping[str, float] = field(default_factory=dict)  # of concepts, highest first; from 0 to 1
    results: tuple[Result, ...] = ()  # values of metrics that papers report, by paper and place

    def __post_init__(self) -> None:
        for subject, predicate, target in iter_ends(self.relations):
            for end in (subject, target):
                if end not in self.papers and end not in self.concepts:
                    raise GraphError(f"{predicate} ends at {end!r}, which is not in the graph")
        check_results(self.results, self.papers, self.concepts)
        check_matches(self.matches, self.concepts)
        check_communities(self.communities, self.papers, self.concepts)
        if unknown := sorted(self.centrality.keys() - self.concepts.keys()):
            raise GraphError(f"{unknown[0]!r} has a centrality, but is no concept of the graph")

    @property
    def columns(self) -> Relations:
        """The relations as columns, which a graph that was built or read has them in."""
        if isinstance(self.relations, Relations):
            return self.relations
        return Relations.collect(self.relations, Places(self.papers, self.concepts))
