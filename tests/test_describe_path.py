"""Paths between papers and concepts: the most telling one, the same both ways."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kg.describe import WIDTH, find_path, format_path
from kg.errors import GraphError
from kg.model import Concept, ConceptType, Evidence, Paper, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.model import KnowledgeGraph

_Edge = tuple[str, Predicate, str, float]
USES = Predicate.USES_METHOD


def draw(kg: KnowledgeGraph, edges: Iterable[_Edge]) -> KnowledgeGraph:
    """Return a graph of papers, whose names start with p, concepts, and relations between them."""
    papers, concepts, relations = {}, {}, []
    for subject, predicate, other, score in edges:
        ends = []
        for name in (subject, other):
            if name.startswith("p"):
                paper = Paper(id=name, title=name)
                papers[paper.id] = paper
                ends.append(paper.id)
            else:
                concept = Concept(f"concept:{name}", name, ConceptType.METHOD)
                concepts[concept.id] = concept
                ends.append(concept.id)
        evidence = Evidence("paper:p1", Section.TITLE, 0, 0, 2, "p1", "type", 0.9)
        relations.append(Relation(ends[0], predicate, ends[1], score, (evidence,)))
    return replace(kg, papers=papers, concepts=concepts, relations=tuple(relations))


def walk(kg: KnowledgeGraph, start: str, end: str) -> list[str]:
    """Return the names on the path."""
    path = find_path(kg, start, end)
    assert path is not None
    return [node.partition(":")[2] for node in path.nodes]


def test_two_concepts_are_joined_by_the_paper_that_has_both(small_graph: KnowledgeGraph) -> None:
    path = find_path(small_graph, "concept:loda", "concept:low rank adaptation")

    assert path is not None
    assert path.nodes == ("concept:loda", "paper:7", "concept:low rank adaptation")
    assert [step.relation.predicate for step in path.steps] == [Predicate.INTRODUCES, Predicate.USES_METHOD]


def test_what_nothing_joins_has_no_path(small_graph: KnowledgeGraph) -> None:
    assert find_path(small_graph, "concept:loda", "paper:lonely") is None
    assert find_path(small_graph, "paper:lonely", "concept:loda") is None


def test_a_node_is_at_no_distance_from_itself(small_graph: KnowledgeGraph) -> None:
    path = find_path(small_graph, "paper:7", "paper:7")

    assert path is not None
    assert (path.nodes, path.steps, path.cost) == (("paper:7",), (), 0)


def test_a_node_that_is_not_there_is_named(small_graph: KnowledgeGraph) -> None:
    with pytest.raises(GraphError, match="no node 'concept:phlogiston'"):
        find_path(small_graph, "paper:7", "concept:phlogiston")


def test_a_longer_way_through_rare_names_goes_before_one_through_a_hub(small_graph: KnowledgeGraph) -> None:
    crowd = [(f"p{number}", USES, "neural networks", 0.9) for number in range(1, 200)]
    telling = [("p1", USES, "lora", 0.9), ("p900", USES, "lora", 0.9), ("p900", USES, "bert", 0.9)]
    kg = draw(small_graph, [*crowd, *telling, ("p2", USES, "bert", 0.9)])

    assert walk(kg, "paper:p1", "paper:p2") == ["p1", "lora", "p900", "bert", "p2"]
    assert walk(kg, "paper:p1", "paper:p3") == ["p1", "neural networks", "p3"]


def test_a_sure_way_goes_before_a_doubtful_one(small_graph: KnowledgeGraph) -> None:
    doubtful = [("p1", USES, "a", 0.5), ("p2", USES, "a", 0.5)]
    kg = draw(small_graph, [*doubtful, ("p1", USES, "b", 0.9), ("p2", USES, "b", 0.9)])

    assert walk(kg, "paper:p1", "paper:p2") == ["p1", "b", "p2"]


def test_of_equal_ways_the_shorter_is_taken_then_the_first_by_id(small_graph: KnowledgeGraph) -> None:
    sure = [("p1", USES, "b", 1.0), ("p2", USES, "b", 1.0), ("p1", USES, "a", 1.0), ("p2", USES, "a", 1.0)]
    kg = draw(small_graph, sure)

    assert walk(kg, "paper:p1", "paper:p2") == ["p1", "a", "p2"]
    assert walk(kg, "paper:p2", "paper:p1") == ["p2", "a", "p1"]


def test_of_several_relations_of_two_nodes_the_surest_is_shown(small_graph: KnowledgeGraph) -> None:
    kg = draw(small_graph, [("p1", USES, "a", 0.5), ("p1", Predicate.COMPARES_WITH, "a", 0.8)])

    path = find_path(kg, "paper:p1", "concept:a")

    assert path is not None
    assert path.steps[0].relation.predicate is Predicate.COMPARES_WITH


@pytest.mark.parametrize("predicate", Predicate)
def test_relations_of_every_kind_are_followed_and_shown(small_graph: KnowledgeGraph, predicate: Predicate) -> None:
    kg = draw(small_graph, [("a", predicate, "b", 0.5)])

    there, back = (find_path(kg, *ends) for ends in (("concept:a", "concept:b"), ("concept:b", "concept:a")))

    assert there is not None
    assert back is not None
    assert there.steps[0].relation == back.steps[0].relation
    if predicate is not Predicate.RELATED_TO:
        assert f"—{predicate}→  0.50" in format_path(kg, there)
        assert f"←{predicate}—  0.50" in format_path(kg, back)


def test_a_score_of_0_is_the_worst_way_and_no_error(small_graph: KnowledgeGraph) -> None:
    kg = draw(small_graph, [("p1", USES, "a", 0.0), ("p1", USES, "b", 0.1), ("c", Predicate.PART_OF, "b", 0.1)])

    assert walk(kg, "paper:p1", "concept:a") == ["p1", "a"]


@pytest.mark.parametrize("seed", range(20))
def test_both_ways_and_any_order_give_the_same_path_of_least_cost(small_graph: KnowledgeGraph, seed: int) -> None:
    import networkx as nx

    chance = random.Random(seed)
    nodes = [f"p{number}" for number in range(8)] + [f"c{number}" for number in range(8)]
    pairs = sorted({tuple(sorted(chance.sample(nodes, 2))) for _ in range(22)})
    edges = [(one, USES, other, chance.choice([0.25, 0.5, 1.0])) for one, other in pairs]
    kg = draw(small_graph, edges)
    mixed = draw(small_graph, chance.sample(edges, len(edges)))
    ends = sorted({*kg.papers, *kg.concepts})[:: len(nodes) - 3][:2]

    path, again, back = find_path(kg, *ends), find_path(mixed, *ends), find_path(kg, *reversed(ends))

    network = nx.Graph((one.subject, one.object) for one in kg.relations)
    assert (path is None) == (not nx.has_path(network, *ends))
    if path and again and back:
        assert path == again
        assert path.nodes == back.nodes[::-1]
        assert path.cost == back.cost
        assert all(step.node in network[node] for node, step in zip(path.nodes, path.steps, strict=False))


def test_a_path_is_shown_with_the_sentence_of_each_step(small_graph: KnowledgeGraph) -> None:
    path = find_path(small_graph, "concept:loda", "concept:imagenet")

    assert path is not None
    shown = format_path(small_graph, path)
    assert shown == (
        "LoDA (Method, in 1 paper)\n"
        "  ←introduces—  0.90\n"
        "    “We propose LoDA, which extends low-rank adaptation (LoRA).”\n"
        "LoDA (2026) [paper:7]\n"
        "  —usesMethod→  0.70\n"
        "    “We propose LoDA, which extends low-rank adaptation (LoRA).”\n"
        "low-rank adaptation (Method, in 2 papers)\n"
        "  ←usesMethod—  0.80\n"
        "    “LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy.”\n"
        "Sparse <b>tests</b> & </script> [paper:p<2>]\n"
        "  —usesDataset→  0.80\n"
        "    “LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy.”\n"
        "ImageNet (Dataset, in 1 paper)\n"
    )
    assert max(map(len, shown.splitlines())) <= WIDTH


def test_a_step_between_papers_says_what_they_share_in_a_sentence_of_each(small_graph: KnowledgeGraph) -> None:
    doubtful = tuple(
        replace(one, score=0.01) if one.predicate is Predicate.USES_METHOD else one for one in small_graph.relations
    )
    kg = replace(small_graph, relations=doubtful)

    path = find_path(kg, "paper:p<2>", "paper:7")

    assert path is not None
    assert format_path(kg, path) == (
        "Sparse <b>tests</b> & </script> [paper:p<2>]\n"
        "  —relatedTo—  0.50\n"
        "    both: low-rank adaptation (Method, in 2 papers)\n"
        "    “LoRA is evaluated on ImageNet & Zoë's «corpus» by top-1 accuracy.”\n"
        "    “We propose LoDA, which extends low-rank adaptation (LoRA).”\n"
        "LoDA (2026) [paper:7]\n"
    )


def test_json_has_nodes_and_steps_with_the_keys_of_graph_json(small_graph: KnowledgeGraph) -> None:
    path = find_path(small_graph, "concept:loda", "paper:7")

    assert path is not None
    shown = json.loads(format_path(small_graph, path, as_json=True))
    assert [one["id"] for one in shown["nodes"]] == ["concept:loda", "paper:7"]
    (step,) = shown["steps"]
    assert (step["source"], step["key"], step["target"], step["score"]) == (
        "paper:7",
        "introduces",
        "concept:loda",
        0.9,
    )
    assert step["evidence"][0]["sentence"].startswith("We propose LoDA")
