"""The nouns: papers, passages, mentions, concepts, relations, and the graph they make.

All are frozen. What can be wrong is refused when it is made. Offsets count characters
(Unicode code points) from 0 and are half-open; scores lie in [0, 1].
"""

from __future__ import annotations

from kg.model.concepts import Claim, Concept, Decision, Evidence, Mention, Reading, Relation
from kg.model.graph import KnowledgeGraph, MentionFile, Report, Skip
from kg.model.landscape import Community, Landscape, Trend, Uptake
from kg.model.papers import Paper, Passage
from kg.model.relations import Relations, iter_ends
from kg.model.results import Measurement, Result
from kg.model.terms import ConceptType, DecisionKind, Direction, MatchKind, Predicate, ResultKind, Section
from kg.model.vocabularies import Term, Vocabulary, VocabularyMatch

__all__ = [
    "Claim",
    "Community",
    "Concept",
    "ConceptType",
    "Decision",
    "DecisionKind",
    "Direction",
    "Evidence",
    "KnowledgeGraph",
    "Landscape",
    "MatchKind",
    "Measurement",
    "Mention",
    "MentionFile",
    "Paper",
    "Passage",
    "Predicate",
    "Reading",
    "Relation",
    "Relations",
    "Report",
    "Result",
    "ResultKind",
    "Section",
    "Skip",
    "Term",
    "Trend",
    "Uptake",
    "Vocabulary",
    "VocabularyMatch",
    "iter_ends",
]
