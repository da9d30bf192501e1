"""Relations as columns: the nouns that went in come out, sorted, whatever they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.model import Evidence, KnowledgeGraph, Paper, Predicate, Relation, Relations, Section, iter_ends
from kg.model.columns import Places
from kg.store import read_store, write_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PAPERS = {
    paper.id: paper
    for paper in (
        Paper(id="1", title="LoDA", abstract="We propose LoDA. It beats LoRA."),
        Paper(id="2", abstract="Naïve 𝒩-grams."),
    )
}
CONCEPTS = ("concept:a", "concept:b", "concept:z")
NODES = st.sampled_from([*PAPERS, *CONCEPTS])

# Sentences as their papers read, and some that no paper reads, or of papers that the graph has not.
EVIDENCE = st.builds(
    Evidence,
    paper=st.sampled_from([*PAPERS, "paper:gone"]),
    section=st.sampled_from(Section),
    offset=st.integers(0, 20),
    start=st.integers(0, 5),
    end=st.integers(0, 9),
    sentence=st.sampled_from(["We propose LoDA.", "LoDA", "Naïve", "𝒩-grams.", "", "not there"]),
    method=st.sampled_from(["cue: we propose", "type", ""]),
    score=st.floats(0, 1),
)
RELATION = st.builds(
    Relation,
    subject=NODES,
    predicate=st.sampled_from(Predicate),
    object=NODES,
    score=st.floats(0, 1),
    evidence=st.lists(EVIDENCE, min_size=1, max_size=4).map(tuple),
    via=st.lists(st.sampled_from(CONCEPTS), max_size=3).map(tuple),
    support=st.integers(1, 9),
)
SOME = st.lists(RELATION, max_size=12, unique_by=lambda one: (one.subject, one.predicate, one.object))


def collect(relations: Sequence[Relation]) -> Relations:
    """Return relations as columns."""
    return Relations.collect(relations, Places(PAPERS, CONCEPTS))


def sort(relations: Sequence[Relation]) -> list[Relation]:
    """Return relations by subject, predicate and object."""
    return sorted(relations, key=lambda one: (one.subject, one.predicate, one.object))


@given(SOME)
def test_what_goes_in_comes_out_sorted(relations: list[Relation]) -> None:
    columns, expected = collect(relations), sort(relations)

    assert list(columns) == expected
    assert columns == expected
    assert list(columns.iter_ends()) == list(iter_ends(expected))
    assert [columns[at] for at in range(-len(columns), len(columns))] == expected * 2
    assert columns[1:] == expected[1:]
    assert columns[::-1] == expected[::-1]
    assert columns.scores == [one.score for one in expected]


@given(SOME)
def test_the_relations_of_a_node_are_found(relations: list[Relation]) -> None:
    columns, expected = collect(relations), sort(relations)

    for node in [*PAPERS, *CONCEPTS, "concept:unknown"]:
        leaving = [one for one in expected if one.subject == node]
        reaching = [one for one in expected if one.object == node]
        assert columns.leaving(node) == leaving
        assert columns.reaching(node) == reaching
        assert columns.find_objects(node) == [(one.predicate, one.object) for one in leaving]
        assert columns.find_subjects(node) == [(one.predicate, one.subject) for one in reaching]


@given(SOME)
def test_the_sentences_of_a_paper_are_found(relations: list[Relation]) -> None:
    told = [evidence for one in relations for evidence in one.evidence]

    found = {paper: collect(relations).find_sentences(paper) for paper in PAPERS}

    for paper, sentences in found.items():
        assert sentences == {(one.section, one.offset, len(one.sentence)) for one in told if one.paper == paper}


@given(SOME.filter(bool))
def test_the_first_sentence_between_two_nodes_is_found(relations: list[Relation]) -> None:
    pairs = [(one.subject, one.object) for one in relations]

    found = collect(relations).find_quotes(pairs)

    first = {(one.subject, one.object): one.evidence[0] for one in reversed(sort(relations))}
    assert found == [first[pair] for pair in pairs]


@given(SOME, st.data())
def test_relations_that_were_collected_in_the_same_places_are_joined(
    relations: list[Relation], data: st.DataObject
) -> None:
    cut, places = data.draw(st.integers(0, len(relations))), Places(PAPERS, CONCEPTS)

    some = [Relations.collect(part, places) for part in (relations[:cut], relations[cut:])]

    assert Relations.join(some, PAPERS) == sort(relations)


@given(SOME)
def test_scores_can_be_others(relations: list[Relation]) -> None:
    columns = collect(relations)

    assert columns.with_scores([0.5] * len(columns)) == [replace(one, score=0.5) for one in columns]


@given(SOME)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_tables_give_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, small_graph: KnowledgeGraph, relations: list[Relation]
) -> None:
    folder: Path = tmp_path_factory.mktemp("store")
    concepts = {one: replace(next(iter(small_graph.concepts.values())), id=one) for one in CONCEPTS}
    kg = KnowledgeGraph(PAPERS, concepts, tuple(relations), small_graph.mentions, small_graph.report)

    write_store(kg, folder)

    assert read_store(folder, kg.report).relations == sort(relations)


def test_a_relation_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IndexError):
        collect([])[0]
    assert collect([]) != 3
