"""Tests of queries that have a name: what their files say, how values are bound, and what they answer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.cli.queries import _CHOSEN
from kg.errors import QueryError
from kg.query import Kind, QueryWorker, bind, find_named, list_named, run_named
from kg.query.bind import _find_terms, _to_text
from kg.query.named import read_named
from kg.query.worker import find_forbidden, normalise
from kg.rdf import write_turtle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph

ROOT = Path(__file__).parents[1]
EMPTY_ON_SEEDS = {"papers-without-concepts", "same-names", "taken-up"}
CONCEPT = "https://w3id.org/paperkg/concept/"


@pytest.fixture
def folder(small_graph: KnowledgeGraph, tmp_path: Path) -> Path:
    """Return a folder with the small graph's graph.ttl."""
    write_turtle(small_graph, tmp_path / "graph.ttl")
    return tmp_path


@pytest.fixture(scope="module")
def seeds() -> Iterator[QueryWorker]:
    """Give what answers on the graph of the seed papers."""
    with QueryWorker(ROOT / "exports/icml2026") as worker:
        yield worker


def test_there_are_queries_for_each_kind_of_parameter() -> None:
    kinds = {one.kind for query in list_named() for one in query.parameters}

    assert kinds == {*Kind}
    assert len(list_named()) >= 15


def test_each_parameter_has_an_option() -> None:
    assert {one.name for query in list_named() for one in query.parameters} == set(_CHOSEN)


@pytest.mark.parametrize("name", [one.name for one in list_named()])
def test_each_query_runs_as_it_stands_in_other_programs(name: str) -> None:
    text = (ROOT / f"ontology/queries/{name}.rq").read_text(encoding="utf-8")

    found = ox.Store().query(text)

    assert isinstance(found, ox.QuerySolutions)
    assert "ORDER BY" in text
    assert all(ord(char) < 127 for char in text.partition("\n\n")[2])


@pytest.mark.parametrize("name", [one.name for one in list_named()])
def test_each_example_has_an_answer(seeds: QueryWorker, name: str) -> None:
    rows = run_named(seeds, name, find_named(name).example).rows

    assert bool(rows) is (name not in EMPTY_ON_SEEDS)
    assert max(Counter(rows).values(), default=1) == 1


@pytest.mark.parametrize("name", [one.name for one in list_named() if not one.example])
def test_what_stands_in_a_file_is_its_example(seeds: QueryWorker, name: str) -> None:
    assert bind(find_named(name), {}, seeds) == find_named(name).sparql


@pytest.mark.parametrize(
    "name",
    [
        "low-rank adaptation",
        "LoRA",
        "LORA",
        "concept:low rank adaptation",
        "low rank adaptation",
        f"{CONCEPT}low%20rank%20adaptation",
    ],
)
def test_a_concept_is_known_by_its_labels_and_its_id(folder: Path, name: str) -> None:
    rows = run_named(folder, "papers-using", {"name": name}).to_values()

    assert sorted(str(row["paper"]).rpartition("/")[2] for row in rows) == ["7", "p%3C2%3E"]


@pytest.mark.parametrize("name", ["7", "paper:7", "LoDA", "loda", "lod", "https://w3id.org/paperkg/paper/7"])
def test_a_paper_is_known_by_its_id_its_title_and_the_start_of_it(folder: Path, name: str) -> None:
    assert run_named(folder, "introduced-by", {"paper": name}).to_values()[0]["label"] == "LoDA"


def test_a_paper_is_known_by_its_doi(folder: Path) -> None:
    rows = run_named(folder, "about", {"paper": "10.1000/a<b>(c)"}).to_values()

    assert {row["label"] for row in rows} == {"C++", "ImageNet", "low-rank adaptation", "top-1 accuracy"}


def test_a_name_written_exactly_so_goes_before_one_in_another_case(tmp_path: Path) -> None:
    lines = "".join(
        f'<https://w3id.org/paperkg/concept/{node}> a skos:Concept ; skos:prefLabel "{label}" .\n'
        for node, label in (("a", "SAM"), ("b", "Sam"), ("c", "SAM"))
    )
    head = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    (tmp_path / "graph.ttl").write_text(head + lines, encoding="utf-8")

    with QueryWorker(tmp_path) as worker:
        found = {name: _find_terms(Kind.CONCEPT, name, worker, 30) for name in ("SAM", "Sam", "sam")}

    assert found["SAM"] == [f"<{CONCEPT}a>", f"<{CONCEPT}c>"]
    assert found["Sam"] == [f"<{CONCEPT}b>"]
    assert len(found["sam"]) == 3


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("papers-usin", {}, "no query is named 'papers-usin'; 'kg query --list' shows .*papers-using"),
        ("papers-using", {}, "needs --name; use it as 'papers-using --name NAME'"),
        ("papers-using", {"name": "x", "year": "1"}, "has no parameter 'year'; use it as"),
        ("papers-using", {"name": "rank"}, "no concept is called 'rank'; there are 'low-rank adaptation'"),
        ("papers-using", {"name": ""}, "no concept is called ''$"),
        ("papers-using", {"name": "\ud800"}, "is no text"),
        ("about", {"paper": "nothing"}, "no paper is called 'nothing'"),
        ("papers-of-venue", {"venue": "ICM"}, "no venue is called 'ICM'; there are 'ICML'"),
        ("papers-of-year", {"year": "2026 }"}, "'2026 }' is no whole number"),
        ("most-used", {"type": "Model"}, "no type 'Model'; choose one of Method, Dataset, Task, Metric"),
        ("doubtful", {"relation": "likes"}, "no relation 'likes'; choose one of"),
    ],
)
def test_a_value_that_does_not_fit_is_told_why(folder: Path, name: str, values: dict[str, str], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        run_named(folder, name, values)


def test_a_name_that_several_papers_could_have_is_not_guessed(seeds: QueryWorker) -> None:
    with pytest.raises(QueryError, match=r"'S' can mean . papers: .*; give an id, or more of the title"):
        run_named(seeds, "about", {"paper": "S"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT * {}\n\n", "a line in its head that does not read"),
        ("#+ summary: x\n\nSELECT * {}", "has no description in its head"),
        ("#+ summary: x\n#+ description: y\n#+ parameter: a -> ?b (sort): c\n\nx", "KIND one of concept, paper"),
        ("#+ summary: x\n#+ description: y\n#+ parameter: a -> ?b (text): c\n\nx", "has no 'VALUES \\?b { … }'"),
    ],
)
def test_a_head_that_does_not_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        read_named("mine", text)


ODD = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("\\\"'{}<>#u0022UnrtFROM \n\r\t\u2028;.?$")), st.characters(exclude_categories=["Cs"])
    ),
    max_size=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=400)
@given(text=ODD)
def test_no_text_gets_out_of_its_literal(text: str) -> None:
    query = normalise(f"SELECT ?text {{ VALUES ?text {{ {_to_text(text)} }} }}")

    found = ox.Store().query(query)

    assert isinstance(found, ox.QuerySolutions)
    assert [row["text"] for row in found] == [ox.Literal(text)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(text=ODD)
@pytest.mark.parametrize("name", ["papers-using", "about", "papers-of-venue"])
def test_no_name_makes_another_query(seeds: QueryWorker, name: str, text: str) -> None:
    (parameter,) = find_named(name).parameters

    try:
        sparql = bind(find_named(name), {parameter.name: text}, seeds)
    except QueryError as error:
        assert any(words in str(error) for words in ("is called", "can mean"))  # noqa: PT017
    else:
        assert not find_forbidden(sparql)


@pytest.mark.parametrize(
    "attack",
    [
        '" } } SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } #',
        "\\u0022 } } DROP ALL #",
        "\\\\u0022 } } DROP ALL #",
        "x> } SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } #",
        "https://x/> } SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } #",
        "concept:x> ?p ?o } #",
        "{name}",
        "{id} {text}",
    ],
)
@pytest.mark.parametrize("name", ["papers-using", "about", "papers-of-venue", "find-concepts"])
def test_attacks_are_names_that_nothing_has(seeds: QueryWorker, name: str, attack: str) -> None:
    parameter = find_named(name).parameters[0]

    if parameter.kind is Kind.TEXT:
        assert run_named(seeds, name, {parameter.name: attack}).rows == []
    else:
        with pytest.raises(QueryError, match=f"no {parameter.kind} is called"):
            run_named(seeds, name, {parameter.name: attack})
