"""How good extraction and graphs are, measured against what people wrote down.

`evaluate` scores the spans that extraction finds in annotated texts, `evaluate_relations` what
is found between them; `evaluate_graph` scores a graph against worked examples of what a reader
would put into it, `evaluate_papers` what papers are joined to against lists of names;
`evaluate_merges` scores which names are put together.
"""

from __future__ import annotations

from kg.evaluate.examples import ExampleScores, evaluate_graph
from kg.evaluate.gold import Gold, read_gold
from kg.evaluate.merges import MergeScores, evaluate_merges, score_merges
from kg.evaluate.papers import PaperScores, evaluate_papers
from kg.evaluate.relations import RelationScores, evaluate_relations, score_relations
from kg.evaluate.report import format_scores
from kg.evaluate.spans import Scores, SpanScores, evaluate, score_spans

__all__ = [
    "ExampleScores",
    "Gold",
    "MergeScores",
    "PaperScores",
    "RelationScores",
    "Scores",
    "SpanScores",
    "evaluate",
    "evaluate_graph",
    "evaluate_merges",
    "evaluate_papers",
    "evaluate_relations",
    "format_scores",
    "read_gold",
    "score_merges",
    "score_relations",
    "score_spans",
]
