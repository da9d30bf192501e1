"""Which papers to read together, and what is said about why."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kg.describe import WIDTH, find_papers, find_related, format_related
from kg.errors import GraphError
from kg.model import Paper, Predicate, Relation

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph

LORA = "concept:low rank adaptation"


def join(kg: KnowledgeGraph, *scores: float) -> KnowledgeGraph:
    """Return a graph with further papers that are related to paper 7, each with a score."""
    papers, relations = dict(kg.papers), list(kg.relations)
    for number, score in enumerate(scores):
        paper = Paper(id=f"a{number}", title=f"Paper {number}")
        papers[paper.id] = paper
        ends = sorted([paper.id, "paper:7"])
        relations.append(Relation(ends[0], Predicate.RELATED_TO, ends[1], score, kg.relations[0].evidence))
    return replace(kg, papers=papers, relations=tuple(relations))


@pytest.mark.parametrize(("paper", "other"), [("paper:7", "paper:p<2>"), ("paper:p<2>", "paper:7")])
def test_two_papers_are_related_both_ways_with_a_sentence_of_each(
    small_graph: KnowledgeGraph, paper: str, other: str
) -> None:
    (found,) = find_related(small_graph, paper)

    (shared,) = found.shared
    assert (found.paper, found.score, shared.concept) == (other, 0.5, LORA)
    assert (shared.here.paper, shared.there.paper) == (paper, other)


def test_the_nearest_come_first_and_equal_ones_by_id(small_graph: KnowledgeGraph) -> None:
    kg = join(small_graph, 0.1, 0.9, 0.5, 0.1)

    assert [one.paper for one in find_related(kg, "paper:7")] == [
        "paper:a1", "paper:a2", "paper:p<2>", "paper:a0", "paper:a3"
    ]  # fmt: skip
    assert [one.paper for one in find_related(kg, "paper:7", limit=2)] == ["paper:a1", "paper:a2"]


def test_a_paper_without_concepts_has_no_related_ones(small_graph: KnowledgeGraph) -> None:
    assert find_related(small_graph, "paper:lonely") == []


def test_a_paper_that_is_not_there_is_named(small_graph: KnowledgeGraph) -> None:
    with pytest.raises(GraphError, match="no paper 'concept:loda'"):
        find_related(small_graph, "concept:loda")


def test_related_papers_are_shown_with_what_they_share(small_graph: KnowledgeGraph) -> None:
    shown = format_related(small_graph, "paper:7", find_related(small_graph, "paper:7"))

    assert shown == (
        "LoDA (2026) [paper:7]\n"
        "\n"
        "0.50  Sparse <b>tests</b> & </script> [paper:p<2>]\n"
        "      both: low-rank adaptation (Method, in 2 papers)\n"
        "        here: “We propose LoDA, which extends low-rank adaptation (LoRA).”\n"
        "        there: “LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy.”\n"
    )
    assert max(map(len, shown.splitlines())) <= WIDTH


def test_json_has_the_sentences_and_where_the_name_stands(small_graph: KnowledgeGraph) -> None:
    shown = json.loads(format_related(small_graph, "paper:7", find_related(small_graph, "paper:7"), as_json=True))

    (near,) = shown["related"]
    (shared,) = near["shared"]
    here = shared["here"]
    assert (shown["paper"], shown["year"], near["paper"], near["score"]) == ("paper:7", 2026, "paper:p<2>", 0.5)
    assert (shared["concept"], shared["type"], shared["papers"]) == (LORA, "Method", 2)
    assert here["sentence"][here["start"] : here["end"]] == "low-rank adaptation"


@pytest.mark.parametrize(
    ("name", "papers"),
    [
        ("paper:7", ["paper:7"]),
        ("sparse", ["paper:p<2>"]),
        ("loda", ["paper:7"]),
        ("ImageNet", []),
        ("a", ["paper:lonely"]),
        ("nothing of the kind", []),
    ],
)
def test_a_paper_is_found_by_id_and_title(small_graph: KnowledgeGraph, name: str, papers: list[str]) -> None:
    assert find_papers(small_graph, name) == papers


def test_a_paper_is_found_by_what_it_introduces_where_no_title_has_it(small_graph: KnowledgeGraph) -> None:
    untitled = replace(small_graph.papers["paper:7"], title="", label="Adapters")
    kg = replace(small_graph, papers={**small_graph.papers, "paper:7": untitled})

    assert find_papers(kg, "LoDA") == ["paper:7"]
