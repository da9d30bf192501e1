"""The papers that come with the project: what anyone who builds them first must see."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.folder import write
from kg.model import Predicate
from kg.query import QueryWorker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph
    from tests.conftest import Built

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
SEEDS = ROOT / "seeds"

_DATASETS = """
    SELECT ?title ?name {
        ?paper kg:introduces ?dataset ; dcterms:title ?title .
        ?dataset a kg:Dataset ; skos:prefLabel ?name
    } ORDER BY ?name
"""
_SHARED = """
    SELECT ?one ?other ?name {
        ?a schema:mentions ?concept ; dcterms:title ?one .
        ?b schema:mentions ?concept ; dcterms:title ?other .
        ?concept skos:prefLabel ?name
        FILTER (STR(?a) < STR(?b))
    } ORDER BY ?one ?other ?name
"""
_ROLES = """
    SELECT ?one ?other ?name {
        ?a ?role ?concept ; dcterms:title ?one .
        ?b ?part ?concept ; dcterms:title ?other .
        ?concept a skos:Concept ; skos:prefLabel ?name
        FILTER (STR(?a) < STR(?b))
    } ORDER BY ?one ?other ?name
"""
_RELATED = """
    SELECT ?one ?other ?name {
        ?a kg:relatedTo ?b ; dcterms:title ?one .
        ?b dcterms:title ?other .
        ?statement rdf:subject ?a ; rdf:predicate kg:relatedTo ; rdf:object ?b ; kg:via ?concept .
        ?concept skos:prefLabel ?name
    } ORDER BY ?one ?other ?name
"""


@pytest.fixture(scope="module")
def seeds(built: Built) -> KnowledgeGraph:
    """Return the graph of the seeds."""
    return built(SEEDS / "icml2026.jsonl")


@pytest.fixture(scope="module")
def worker(seeds: KnowledgeGraph) -> Iterator[QueryWorker]:
    """Return what answers queries to the graph of the seeds."""
    with QueryWorker(seeds) as worker:
        yield worker


def ask(worker: QueryWorker, query: str) -> set[tuple[str, ...]]:
    """Return the rows of an answer as texts."""
    return {tuple(map(str, row.values())) for row in worker.run(query, timeout=30, limit=10_000).to_values()}


def find_news(graph: KnowledgeGraph) -> set[str]:
    """Return the labels of what papers introduce."""
    return {graph.concepts[one.object].label for one in graph.relations if one.predicate is Predicate.INTRODUCES}


def test_all_nineteen_papers_are_there_with_title_year_and_venue(seeds: KnowledgeGraph) -> None:
    assert len(seeds.papers) == 19
    assert seeds.report.skipped == ()
    assert all(one.title and one.abstract and one.year and one.venue and one.url for one in seeds.papers.values())


def test_which_paper_introduces_which_dataset_can_be_asked(worker: QueryWorker) -> None:
    titles = {name: title for title, name in ask(worker, _DATASETS)}

    assert {"FakeWorld 1.0", "4DPC²hat-200K", "SP-Bench"} <= set(titles)
    assert titles["FakeWorld 1.0"].startswith("FakeWorld 1.0")
    assert titles["4DPC²hat-200K"].startswith("4DPC²hat")
    assert len(titles) <= 6


@pytest.mark.parametrize("query", [_SHARED, _ROLES, _RELATED], ids=["mentions", "any role", "related"])
def test_papers_that_share_a_concept_can_be_asked(worker: QueryWorker, query: str) -> None:
    shared = {
        name
        for one, other, name in ask(worker, query)
        if {one.partition(":")[0], other.partition(":")[0]} == {"FakeWorld 1.0", "4DPC²hat"}
    }

    assert any("multimodal large language model" in name for name in shared)


def test_the_two_papers_on_multimodal_models_are_joined_and_say_why(seeds: KnowledgeGraph) -> None:
    joined = [
        one
        for one in seeds.relations
        if one.predicate is Predicate.RELATED_TO
        and {seeds.papers[end].title.partition(":")[0] for end in (one.subject, one.object)}
        == {"FakeWorld 1.0", "4DPC²hat"}
    ]

    (relation,) = joined
    assert any("multimodal" in seeds.concepts[node].label for node in relation.via)


def test_every_evidence_quotes_its_paper_and_points_at_a_name_of_its_concept(seeds: KnowledgeGraph) -> None:
    for relation in seeds.relations:
        concept = seeds.concepts.get(relation.subject) or seeds.concepts.get(relation.object)
        for one in relation.evidence:
            text = seeds.papers[one.paper].text(one.section)
            assert text[one.offset : one.offset + len(one.sentence)] == one.sentence
            if concept:
                names = {name.casefold() for name in (concept.label, *concept.alt_labels)}
                assert one.sentence[one.start : one.end].casefold() in names, (concept.label, one)


def test_every_label_can_be_shown(seeds: KnowledgeGraph) -> None:
    for concept in seeds.concepts.values():
        for label in (concept.label, *concept.alt_labels):
            assert label.strip() == label != ""
            assert len(label) <= 80
            assert not re.search(r"[\\{}$\[\]]", label), label
            assert label.count("(") == label.count(")"), label


def test_no_two_concepts_have_one_label(seeds: KnowledgeGraph) -> None:
    labels = [one.label.casefold() for one in seeds.concepts.values()]

    assert len(labels) == len(set(labels))


def test_the_plain_text_of_the_seeds_introduces_what_the_records_do(built: Built, seeds: KnowledgeGraph) -> None:
    plain = built(SEEDS / "icml2026.txt")

    assert len(plain.papers) == 19
    names = {name: one.label for one in seeds.concepts.values() for name in (one.label, *one.alt_labels)}
    records, text = find_news(seeds), {names.get(one, one) for one in find_news(plain)}
    # A title can announce a name; all else must be the same.
    assert text <= records, f"only in the plain text: {sorted(text - records)}"
    assert len(records - text) <= 3, f"only with titles: {sorted(records - text)}"
    assert [one.line for one in plain.report.skipped] == [1]


def test_each_paper_without_title_is_called_after_what_it_brings(built: Built) -> None:
    labels = {one.label for one in built(SEEDS / "icml2026.txt").papers.values()}

    assert len(labels) == 19
    assert any(label.startswith("FakeWorld 1.0") for label in labels)


def test_worked_examples_are_met(seeds: KnowledgeGraph, tmp_path: Path) -> None:
    script = SHARED / "scores" / "score_examples.py"
    if not script.is_file():
        pytest.skip("the worked examples are not part of the repository")
    write(seeds, tmp_path / "out")

    gold, papers = script.with_name("seeds_gold_sample.json"), SHARED / "seeds" / "icml2026.txt"
    command = [sys.executable, script, tmp_path / "out" / "graph.json", gold, papers, "--json"]
    done = subprocess.run([*map(str, command)], capture_output=True, encoding="utf-8", check=True)

    scores = json.loads(done.stdout)
    assert scores["recall"] >= 0.90
    assert scores["precision"] >= 0.80
    assert scores["type_accuracy"] >= 0.94
    assert scores["relation_accuracy"] >= 0.70
    assert scores["forbidden"] <= 1
    assert 6 <= scores["concepts_per_paper"] <= 20
