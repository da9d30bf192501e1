"""The nouns: papers, passages, mentions, concepts, relations, and the graph they make.

All are frozen. What can be wrong is refused when it is made. Offsets count characters
(Unicode code points) from 0 and are half-open; scores lie in [0, 1].
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kg.errors import GraphError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = [
    "Concept",
    "ConceptType",
    "Evidence",
    "KnowledgeGraph",
    "Mention",
    "MentionFile",
    "Paper",
    "Passage",
    "Predicate",
    "Relation",
    "Report",
    "Section",
    "Skip",
]


class ConceptType(StrEnum):
    """What kind of thing a concept is."""

    METHOD = "Method"
    DATASET = "Dataset"
    TASK = "Task"
    METRIC = "Metric"


class Predicate(StrEnum):
    """How the subject of a relation stands to its object."""

    # Paper to concept. All are kinds of MENTIONS, which stands alone where no role is sure.
    INTRODUCES = "introduces"
    USES_METHOD = "usesMethod"
    USES_DATASET = "usesDataset"
    ADDRESSES_TASK = "addressesTask"
    REPORTS_METRIC = "reportsMetric"
    COMPARES_WITH = "comparesWith"
    MENTIONS = "mentions"
    # Concept to concept.
    BROADER = "broader"
    USED_FOR = "usedFor"
    PART_OF = "partOf"
    COMPARED_WITH = "comparedWith"
    EVALUATED_ON = "evaluatedOn"
    TRAINED_ON = "trainedOn"
    BENCHMARK_FOR = "benchmarkFor"
    # Paper to paper.
    RELATED_TO = "relatedTo"


class Section(StrEnum):
    """Which text of a paper a passage is of."""

    TITLE = "title"
    ABSTRACT = "abstract"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: what is read, and a node of the graph.

    An empty `id` is replaced by one made from the content; a given id is kept and gets the
    prefix ``paper:`` where it lacks it.

    Examples
    --------
    >>> Paper(id="W2741809807", title="Topic models").id
    'paper:W2741809807'
    >>> Paper(title="Topic models").id
    'paper:topic-models-843f3fe4'
    """

    id: str = ""
    title: str = ""
    abstract: str = ""
    year: int | None = None
    venue: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    label: str = ""  # what a person reads; the title unless there is none
    # File and line where it was read: to say where, no part of what the paper is.
    origin: tuple[str, int] = field(default=("", 0), compare=False, repr=False)

    def __post_init__(self) -> None:
        local = self.id.removeprefix("paper:").strip()
        if not local and self.doi:
            local = self.doi
        if not local:
            local = _content_id(self.title, self.abstract)
        object.__setattr__(self, "id", f"paper:{local}")
        if not self.label:
            object.__setattr__(self, "label", self.title or _first_words(self.abstract) or local)
        if self.year is not None and not 1000 <= self.year <= 2999:
            raise InputError(f"year {self.year!r} of {self.id!r} is not between 1000 and 2999")

    @property
    def content_hash(self) -> str:
        """Return 16 hex digits that change when anything that was given changes."""
        fields = (self.id, self.title, self.abstract, str(self.year), self.venue, self.doi, self.url)
        return _hash("\x1f".join((*fields, *self.authors, "\x1e", *self.keywords)), 16)

    def text(self, section: Section) -> str:
        """Return the text that offsets of passages of `section` count in."""
        return self.title if section is Section.TITLE else self.abstract


@dataclass(frozen=True, slots=True)
class Passage:
    """One cleaned sentence of a paper.

    ``paper.text(section)[start : start + len(text)] == text``.
    """

    paper: str  # node id
    section: Section
    start: int  # of the passage in the section's text
    text: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a passage that names something.

    ``passage.text[start:end]`` is `surface` but for capitals: a surface form is written as it
    would be inside a sentence, without those of a title or a sentence's first word.
    """

    surface: str
    start: int
    end: int
    type: ConceptType
    role: Predicate
    score: float
    source: str  # which finder found it: "name", "acronym", "chunk" or "coined"
    long: str = ""  # the long form that the same paper defines for this short form
    cue: str = ""  # the words that speak for the role


@dataclass(frozen=True, slots=True)
class Concept:
    """One meaning, whatever it is called; ``skos:Concept``."""

    id: str
    label: str
    type: ConceptType
    alt_labels: tuple[str, ...] = ()
    papers: int = 0  # how many papers mention it

    def __post_init__(self) -> None:
        if not self.id.startswith("concept:") or len(self.id) <= len("concept:"):
            raise GraphError(f"concept id {self.id!r} does not read 'concept:NAME'")
        if not self.label.strip():
            raise GraphError(f"concept {self.id!r} has a blank label")


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    """A sentence that speaks for a relation, and where in it.

    ``sentence[start:end]`` is the name that is meant, and
    ``paper.text(section)[offset : offset + len(sentence)] == sentence``.
    """

    paper: str  # node id
    section: Section
    offset: int  # of the sentence in the section's text
    start: int  # of the name in the sentence
    end: int
    sentence: str
    method: str  # what made the decision, such as "cue: we propose"
    score: float


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge with the evidence for it; its object is a concept, or a paper."""

    subject: str
    predicate: Predicate
    object: str
    score: float
    evidence: tuple[Evidence, ...]
    via: tuple[str, ...] = ()  # concepts that join two papers, most telling first

    def __post_init__(self) -> None:
        if not self.evidence:
            raise GraphError(f"{self.subject} {self.predicate} {self.object} has no evidence")
        if not 0 <= self.score <= 1:
            raise GraphError(f"score {self.score!r} of {self.subject} {self.predicate} {self.object} is not in [0, 1]")

    @property
    def support(self) -> int:
        """Return how many papers speak for the relation."""
        return len({one.paper for one in self.evidence})


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
    """Where the mentions of a graph are kept; `kg.mentions.read_mentions` reads them.

    They may be millions, so they are not in memory. `holder` keeps a temporary folder alive
    for as long as the graph needs it.
    """

    path: Path
    holder: object = None


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Papers, concepts and relations, each sorted by id, and where the mentions are."""

    papers: Mapping[str, Paper]
    concepts: Mapping[str, Concept]
    relations: tuple[Relation, ...]
    mentions: MentionFile
    report: Report

    def __post_init__(self) -> None:
        for relation in self.relations:
            for end in (relation.subject, relation.object):
                if end not in self.papers and end not in self.concepts:
                    raise GraphError(f"{relation.predicate} ends at {end!r}, which is not in the graph")


def _content_id(title: str, abstract: str) -> str:
    """Return a readable id that depends on title and abstract only."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", title or abstract).casefold())
    return "-".join([*words[:6], _hash(f"{title}\x1f{abstract}", 8)])


def _first_words(text: str, limit: int = 60) -> str:
    """Return the start of `text`, cut between words, as a label."""
    if len(text) <= limit:
        return text
    return text[: limit + 1].rsplit(" ", 1)[0][:limit] + "…"


def _hash(text: str, digits: int) -> str:
    """Return the first hex digits of the SHA-256 of `text`."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
