"""Tests of the texts about nodes and graphs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kg.describe import WIDTH, describe, find_nodes, summarise
from kg.errors import GraphError
from kg.model import Concept, ConceptType, Paper, Predicate, Relation, Skip

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph


def with_concepts(kg: KnowledgeGraph, *concepts: Concept) -> KnowledgeGraph:
    """Return a graph with further concepts."""
    return replace(kg, concepts={**kg.concepts, **{one.id: one for one in concepts}})


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("concept:loda", ["concept:loda"]),
        ("paper:7", ["paper:7"]),
        ("7", ["paper:7"]),
        ("LODA", ["concept:loda", "paper:7"]),
        ("lora", ["concept:low rank adaptation"]),
        ("  low-rank   Adaptation ", ["concept:low rank adaptation"]),
        ("low rank adaptations", ["concept:low rank adaptation"]),
        ("10.1000/A<B>(c)", ["paper:p<2>"]),
        ("image", ["concept:imagenet"]),
        ("adaptation", ["concept:low rank adaptation"]),
        ("without concepts", ["paper:lonely"]),
        ("lo", ["concept:low rank adaptation", "concept:loda", "paper:7", "paper:lonely"]),
        ("nothing of the kind", []),
        (" ", []),
    ],
)
def test_a_node_is_found_by_what_it_is_called(small_graph: KnowledgeGraph, name: str, nodes: list[str]) -> None:
    assert find_nodes(small_graph, name) == nodes


def test_equal_names_come_alone_and_the_commonest_first(small_graph: KnowledgeGraph) -> None:
    rare = Concept("concept:a rare one", "RL", ConceptType.TASK, papers=1)
    common = Concept("concept:rl", "reinforcement learning", ConceptType.METHOD, ("RL",), papers=9)
    longer = Concept("concept:rlhf", "RLHF", ConceptType.METHOD, papers=99)
    kg = with_concepts(small_graph, rare, common, longer)

    assert find_nodes(kg, "RL") == [common.id, rare.id]
    assert find_nodes(kg, "RLH") == [longer.id]


def test_a_concept_is_shown_with_its_papers_and_sentences(small_graph: KnowledgeGraph) -> None:
    assert describe(small_graph, "concept:low rank adaptation") == (
        "low-rank adaptation (Method)\n"
        "  concept:low rank adaptation\n"
        "  also called: LoRA\n"
        "  in 2 papers\n"
        "\n"
        "used by:\n"
        "  LoDA (2026) [paper:7]\n"
        "    “We propose LoDA, which extends low-rank adaptation (LoRA).”\n"
        "  Sparse <b>tests</b> & </script> [paper:p<2>]\n"
        "    “LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy.”\n"
        "\n"
        "why these names are one concept:\n"
        "  LoRA, 1 paper: folded form\n"
        "    “LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy.” [paper:p<2>]\n"
        "  low-rank adaptation, 1 paper: folded form\n"
        "    “We propose LoDA, which extends low-rank adaptation (LoRA).” [paper:7]\n"
    )


def test_a_concept_is_shown_with_the_terms_that_match_it(matched_graph: KnowledgeGraph) -> None:
    found = (describe(matched_graph, node) for node in ("concept:imagenet", "concept:top 1 accuracy", "concept:loda"))

    exact, close, none = found
    assert "\n  exact match: ImageNet <https://example.org/v#imagenet> in terms.ttl\n" in exact
    assert "\n  close match: Top-1 Accuracy <https://example.org/v#accuracy> in terms.ttl\n" in close
    assert " match: " not in none


def test_relations_of_a_concept_are_read_from_both_ends(small_graph: KnowledgeGraph) -> None:
    evidence = small_graph.relations[-1].evidence
    relation = Relation("concept:low rank adaptation", Predicate.EVALUATED_ON, "concept:imagenet", 0.8, evidence)
    kg = replace(small_graph, relations=(*small_graph.relations, relation))

    quote = f"    “{evidence[0].sentence}”\n"
    assert f"\nis evaluated on:\n  ImageNet (Dataset)\n{quote}" in describe(kg, "concept:low rank adaptation")
    assert f"\nis used to evaluate:\n  low-rank adaptation (Method)\n{quote}" in describe(kg, "concept:imagenet")


def test_a_paper_is_shown_with_its_concepts_and_neighbours(small_graph: KnowledgeGraph) -> None:
    assert describe(small_graph, "paper:7") == (
        "LoDA\n"
        "  paper:7\n"
        "  Zoë Lee, O'Brien, ICML, 2026\n"
        "  https://openreview.net/forum?id=UJJ\n"
        "\n"
        "introduces:\n"
        "  LoDA (Method): We propose ‹LoDA›, which extends low-rank adaptation …\n"
        "\n"
        "uses the methods:\n"
        "  low-rank adaptation (Method): We propose LoDA, which extends ‹low-rank adaptation›\n"
        "      (LoRA).\n"
        "\n"
        "related papers, by what they share:\n"
        "  Sparse <b>tests</b> & </script> [paper:p<2>], 0.50\n"
        "    low-rank adaptation\n"
    )


def test_a_related_paper_is_shown_from_both_sides(small_graph: KnowledgeGraph) -> None:
    assert "LoDA (2026) [paper:7], 0.50\n    low-rank adaptation\n" in describe(small_graph, "paper:p<2>")


def test_a_paper_without_anything_is_shown(small_graph: KnowledgeGraph) -> None:
    assert describe(small_graph, "paper:lonely") == "A paper without concepts 🚀\n  paper:lonely\n"


def test_an_unknown_node_is_refused(small_graph: KnowledgeGraph) -> None:
    with pytest.raises(GraphError, match="there is no node 'concept:nope'"):
        describe(small_graph, "concept:nope")


def test_no_line_is_too_wide_and_no_control_character_is_shown(small_graph: KnowledgeGraph) -> None:
    paper = Paper(id="long", title="word " * 60 + "\x1b[31m", abstract="", authors=("A\tB",) * 40, year=2020)
    kg = replace(small_graph, papers={**small_graph.papers, paper.id: paper})

    text = describe(kg, paper.id)

    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\x1b" not in text
    assert "\t" not in text


def test_a_summary_counts_everything(small_graph: KnowledgeGraph) -> None:
    skipped = (Skip("b.jsonl", 4, "no title"), Skip("a.jsonl", 9, "no title"), Skip("c.ris", 0, "cut off"))
    kg = replace(small_graph, report=replace(small_graph.report, read=1_006, kept=1_003, skipped=skipped))

    assert summarise(kg) == (
        "3 papers, 5 concepts, 7 relations\n"
        "  concepts: 3 Method, 1 Dataset, 0 Task, 1 Metric\n"
        "  relations: 1 introduces, 2 usesMethod, 1 usesDataset, 1 reportsMetric, 1 mentions, 1\n"
        "    relatedTo\n"
        "\n"
        "in most papers:\n"
        "  2  low-rank adaptation (Method)\n"
        "\n"
        "1 community, by papers, and 1 paper in none:\n"
        "  2  low-rank adaptation\n"
        "\n"
        "introduced here and in no other paper, 1 concept:\n"
        "  LoDA\n"
        "\n"
        "read 1,006 records, kept 1,003, skipped 3\n"
        "  2 x no title (first at a.jsonl, line 9)\n"
        "  1 x cut off (c.ris)\n"
    )


def test_an_empty_graph_has_a_summary(small_graph: KnowledgeGraph) -> None:
    empty = replace(small_graph, papers={}, concepts={}, relations=())

    assert summarise(empty).startswith("0 papers, 0 concepts, 0 relations\n")
