"""What is said before the relations of a node, by predicate."""

from __future__ import annotations

from kg.model import MatchKind, Predicate

__all__ = ["IN", "MATCHED", "OF_CONCEPT", "OF_PAPER", "OUT"]

# What is said before the papers of a concept, before the concepts of a paper, and where a
# relation between concepts is read from its end.
OF_CONCEPT = {
    Predicate.INTRODUCES: "introduced by",
    Predicate.USES_METHOD: "used by",
    Predicate.USES_DATASET: "used by",
    Predicate.ADDRESSES_TASK: "addressed by",
    Predicate.REPORTS_METRIC: "reported by",
    Predicate.COMPARES_WITH: "compared with by",
    Predicate.MENTIONS: "mentioned by",
}
OF_PAPER = {
    Predicate.INTRODUCES: "introduces",
    Predicate.USES_METHOD: "uses the methods",
    Predicate.USES_DATASET: "uses the datasets",
    Predicate.ADDRESSES_TASK: "addresses the tasks",
    Predicate.REPORTS_METRIC: "reports the metrics",
    Predicate.COMPARES_WITH: "compares with",
    Predicate.MENTIONS: "mentions",
}
OUT = {
    Predicate.BROADER: "is a kind of",
    Predicate.USED_FOR: "is used for",
    Predicate.PART_OF: "is part of",
    Predicate.COMPARED_WITH: "is compared with",
    Predicate.EVALUATED_ON: "is evaluated on",
    Predicate.TRAINED_ON: "is trained on",
    Predicate.BENCHMARK_FOR: "is a benchmark for",
}
MATCHED = {MatchKind.EXACT: "exact match", MatchKind.CLOSE: "close match"}
IN = {
    Predicate.BROADER: "has the kinds",
    Predicate.USED_FOR: "is done with",
    Predicate.PART_OF: "has the parts",
    Predicate.COMPARED_WITH: "is compared with",
    Predicate.EVALUATED_ON: "is used to evaluate",
    Predicate.TRAINED_ON: "is used to train",
    Predicate.BENCHMARK_FOR: "has the benchmarks",
}
