"""The nouns: papers, passages, mentions, concepts, relations, and the graph they make.

All are frozen. What can be wrong is refused when it is made. Offsets count characters
(Unicode code points) from 0 and are half-open; scores lie in [0, 1].
"""

from __future__ import annotations

from kg.model.concepts import Claim, Concept, Decision, Evidence, Mention, Reading, Relation
from kg.model.graph import KnowledgeGraph, MentionFile, Report, Skip
from kg.model.landscape import Community, Landscape, Trend, Uptake
from kg.model.papers import Paper, Passage
from kg.model.terms import ConceptType, DecisionKind, MatchKind, Predicate, Section
from kg.model.vocabularies import Term, Vocabulary, VocabularyMatch

__all__ = [
    "Claim",
    "Community",
    "Concept",
    "ConceptType",
    "Decision",
    "DecisionKind",
    "Evidence",
    "KnowledgeGraph",
    "Landscape",
    "MatchKind",
    "Mention",
    "MentionFile",
    "Paper",
    "Passage",
    "Predicate",
    "Reading",
    "Relation",
    "Report",
    "Section",
    "Skip",
    "Term",
    "Trend",
    "Uptake",
    "Vocabulary",
    "VocabularyMatch",
]
