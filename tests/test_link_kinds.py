"""Kinds of concepts: by a modifier, and as sentences say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kg.canonicalise import Kind, Known, Match, find_kinds, without_cycles
from kg.model import Concept, ConceptType, Paper, Predicate
from kg.names import Name

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph
    from tests.conftest import Built

_METHOD, _TASK = ConceptType.METHOD, ConceptType.TASK
_KNOWN = Known(lambda _: None)


def find(*names: str, kinds: tuple[ConceptType, ...] = ()) -> set[tuple[str, str]]:
    """Return the kinds among concepts that are called by one name each."""
    types = dict(zip(names, kinds, strict=False))
    concepts = [Concept(f"concept:{name}", name, types.get(name, _METHOD)) for name in names]
    matches = [Match(name, "", False, f"concept:{name}", "folded form") for name in names]
    return {(one.concept, one.broader) for one in find_kinds(concepts, matches, _KNOWN)}


@pytest.mark.parametrize(
    ("narrow", "broad"),
    [
        ("decentralized PCA", "PCA"),
        ("graph neural networks", "neural network"),
        ("graph networks for code", "graph network"),
    ],
)
def test_a_name_with_a_modifier_is_a_kind_of_the_name(narrow: str, broad: str) -> None:
    assert find(narrow, broad) == {(f"concept:{narrow}", f"concept:{broad}")}


def test_the_nearest_kind_is_found() -> None:
    names = ("model", "language model", "large language model")

    assert find(*names) == {
        ("concept:large language model", "concept:language model"),
        ("concept:language model", "concept:model"),
    }


def test_what_follows_a_preposition_is_no_kind() -> None:
    assert find("representations from transformers", "transformers") == set()


def test_a_kind_has_the_type() -> None:
    assert find("image clustering", "clustering", kinds=(_METHOD, _TASK)) == set()


def test_a_short_form_with_two_meanings_has_no_kinds() -> None:
    concepts = [
        Concept(f"concept:{name}", name, _METHOD) for name in ("deep rl", "reading level", "reinforcement learning")
    ]
    matches = [Match("RL", "", False, one.id, "folded form") for one in concepts[1:]]

    assert list(find_kinds(concepts, matches, _KNOWN)) == []


def test_no_concept_is_a_kind_of_itself_over_others() -> None:
    kinds = [
        Kind("a", "b", "1"),
        Kind("b", "c", "2"),
        Kind("a", "b", "again"),
        Kind("c", "a", "3"),
        Kind("d", "d", "4"),
    ]

    assert list(without_cycles(kinds)) == kinds[:2]


def kinds_of(graph: KnowledgeGraph) -> set[tuple[str, str, str]]:
    """Return the labels of each concept and its wider one, and how that was found."""
    return {
        (graph.concepts[one.subject].label, graph.concepts[one.object].label, one.evidence[0].method)
        for one in graph.relations
        if one.predicate is Predicate.BROADER
    }


def test_sentences_say_what_is_a_kind_of_what(built: Built) -> None:
    text = "We compare graph neural networks such as GraphSAGE, GATv2 and GIN."

    found = kinds_of(built([Paper(abstract=text)]))

    such_as = "the words 'such as'"
    assert {(name, "graph neural networks", such_as) for name in ("GraphSAGE", "GATv2", "GIN")} <= found


def test_the_evidence_of_a_modifier_is_a_sentence_with_the_name(built: Built) -> None:
    graph = built(
        [Paper(abstract="Principal component analysis (PCA) is old. We propose decentralized PCA for sensors.")]
    )

    (relation,) = (one for one in graph.relations if one.predicate is Predicate.BROADER)
    (evidence,) = relation.evidence
    assert evidence.sentence[evidence.start : evidence.end].lower() == "decentralized pca"
    assert "beside it" in evidence.method


def test_a_curated_name_says_what_it_is_a_kind_of() -> None:
    concepts = [Concept("concept:ppo", "PPO", _METHOD), Concept("concept:policy-gradient", "policy gradients", _METHOD)]
    matches = [
        Match("PPO", "", False, "concept:ppo", ""),
        Match("policy gradients", "", False, "concept:policy-gradient", ""),
    ]
    name = Name("PPO", _METHOD, (), "mine", ("policy gradient", "nobody"))
    known = Known(lambda surface: name if surface == "PPO" else None)

    assert list(find_kinds(concepts, matches, known)) == [
        Kind("concept:ppo", "concept:policy-gradient", "curated: policy gradient (mine)")
    ]


def test_nothing_is_a_kind_of_what_names_nothing() -> None:
    concepts = [Concept(f"concept:{name}", name, _METHOD) for name in ("agentic model", "model")]
    matches = [Match(one.label, "", False, one.id, "folded form") for one in concepts]

    assert list(find_kinds(concepts, matches, Known(lambda _: None, nothing={"model"}))) == []
