"""The closed sets: types of concepts, kinds of relations, sections of a paper."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["ConceptType", "DecisionKind", "Direction", "MatchKind", "Predicate", "ResultKind", "Section"]


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


class DecisionKind(StrEnum):
    """What a person decides about a name."""

    SAME = "same"
    DIFFERENT = "different"
    TYPE = "type"
    DROP = "drop"
    PREFER = "prefer"


class ResultKind(StrEnum):
    """What the value of a result is."""

    LEVEL = "level"  # what was reached: "an accuracy of 95 %"
    CHANGE = "change"  # how far it is from a baseline: "3.1 points more", "2.5× faster"


class Direction(StrEnum):
    """Which way a value goes, or should go."""

    HIGHER = "higher"
    LOWER = "lower"


class MatchKind(StrEnum):
    """How nearly a term of a vocabulary means what a concept means; the terms of SKOS."""

    EXACT = "exactMatch"
    CLOSE = "closeMatch"
