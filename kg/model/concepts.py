"""What papers say: mentions, the concepts that they mean, and relations with their evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import GraphError, InputError
from kg.model.terms import ConceptType, DecisionKind

if TYPE_CHECKING:
    from kg.model.papers import Passage
    from kg.model.results import Measurement
    from kg.model.terms import Predicate, Section

__all__ = ["Claim", "Concept", "Decision", "Evidence", "Mention", "Reading", "Relation"]


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
    role_score: float = 1.0  # how sure the role is, if the mention is one


@dataclass(frozen=True, slots=True)
class Claim:
    """That a sentence says how one mention in it stands to another; places count in characters of its passage."""

    predicate: Predicate
    subject_start: int
    subject_end: int
    object_start: int
    object_end: int
    score: float
    cue: str  # the signs that speak for it


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in one paper, passage by passage."""

    mentions: tuple[tuple[Passage, Mention], ...]
    claims: tuple[tuple[Passage, Claim], ...] = ()
    measurements: tuple[tuple[Passage, Measurement], ...] = ()


@dataclass(frozen=True, slots=True)
class Concept:
    """One meaning, whatever it is called; ``skos:Concept``."""

    id: str
    label: str
    type: ConceptType
    alt_labels: tuple[str, ...] = ()
    papers: int = 0  # how many papers mention it
    replaces: tuple[str, ...] = ()  # ids that its other names would have by themselves

    def __post_init__(self) -> None:
        if not self.id.startswith("concept:") or len(self.id) <= len("concept:"):
            raise GraphError(f"concept id {self.id!r} does not read 'concept:NAME'")
        if not self.label.strip():
            raise GraphError(f"concept {self.id!r} has a blank label")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about a name; every build goes by it.

    The subject is a name, as texts have it, or a node id. The object is the name that it is
    the same as or different from, the type that it has, or the label that it shall have.
    """

    kind: DecisionKind
    subject: str
    object: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        if not self.subject.strip():
            raise InputError(f"decision {self.kind.value!r} is about no name")
        if bool(self.object.strip()) == (self.kind is DecisionKind.DROP):
            what = "takes no object" if self.object.strip() else "has no object"
            raise InputError(f"decision {self.kind.value!r} about {self.subject!r} {what}")
        if self.kind is DecisionKind.TYPE and self.object not in list(ConceptType):
            raise InputError(f"type {self.object!r} of {self.subject!r} is none of {', '.join(ConceptType)}")


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
    support: int = 0  # how many papers speak for it; by default those of the evidence

    def __post_init__(self) -> None:
        if not self.support:
            object.__setattr__(self, "support", len({one.paper for one in self.evidence}))
        if not self.evidence:
            raise GraphError(f"{self.subject} {self.predicate} {self.object} has no evidence")
        if not 0 <= self.score <= 1:
            raise GraphError(f"score {self.score!r} of {self.subject} {self.predicate} {self.object} is not in [0, 1]")
