"""Graphs grow and shrink: what comes out is the graph of a build of all, byte for byte."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kg
from kg.build import Options, Site, executor, parts, records, texts
from kg.build import settings as build_settings
from kg.build.settings import RULES, describe_build, name_reader
from kg.errors import GraphError, InputError, ModelError, UnknownNameError
from kg.extract import DEFAULT_MODEL
from kg.folder import load, load_papers, write
from kg.model import Decision, DecisionKind, Paper
from tests.test_architecture import ROOT, find_imports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.build.texts import Tables, Text
    from kg.model import KnowledgeGraph
    from tests.conftest import Built

SENTENCES = (
    "We propose {0}, a method for {1}.",
    "{0} is tested on ImageNet and compared with LoRA.",
    "Graph neural networks (GNNs) are used for {1}.",
    "GNNs reach an accuracy of 91.2% on {0}Bench.",
    "Sparse attention needs less memory than full attention in {1}.",
)
TASKS = ("continual learning", "node classification", "image captioning", "question answering")


def make_paper(number: int) -> Paper:
    """Return a small paper that shares names with others; some are one paper with another, or have its text."""
    draw = random.Random(number // 2 if number % 7 == 0 else number)
    some = draw.sample(SENTENCES, 3)
    text = " ".join(one.format(f"Net{draw.randrange(9)}", draw.choice(TASKS)) for one in some)
    doi = f"10.1000/{number // 2}" if number % 5 < 2 else ""
    return Paper(id=f"p{number}", title=f"Paper {number // 2} on {draw.choice(TASKS)}", abstract=text, doi=doi)


@cache
def load_reader(model: str) -> tuple[object, object]:
    """Return what reads texts, loaded once."""
    return LOAD_READER(model)


LOAD_READER = executor.load_reader


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the model once."""
    monkeypatch.setattr(executor, "load_reader", load_reader)


def read_all(graph: KnowledgeGraph, folder: Path) -> dict[str, bytes]:
    """Return all files of a graph."""
    write(graph, folder)
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 40), min_size=2, max_size=14, unique=True), st.data())
def test_adding_and_removing_give_the_graph_of_a_build(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("graphs")
    cut = data.draw(st.integers(1, len(numbers) - 1))
    first, second = ([make_paper(one) for one in some] for some in (numbers[:cut], numbers[cut:]))
    some, both = kg.build(first), kg.build([*first, *second])

    added = kg.add(some, second)

    assert read_all(added, folder / "added") == read_all(both, folder / "both")
    gone = {one.id for one in both.papers.values()} - {one.id for one in some.papers.values()}
    if len(both.papers) == len(some.papers) + len(gone) and not {one.doi for one in second if one.doi} & {
        one.doi for one in first
    }:
        left = kg.remove(load(folder / "added"), gone)
        assert read_all(left, folder / "left") == read_all(some, folder / "some")


def count_read(monkeypatch: pytest.MonkeyPatch) -> list[Text]:
    """Return a list that the texts go to that are read from now on."""
    read: list[Text] = []
    inner = texts.read_texts

    def read_texts(some: list[Text], *held: object) -> Tables:
        read.extend(some)
        return inner(some, *held)  # type: ignore[arg-type]

    monkeypatch.setattr(executor, "read_texts", read_texts)
    return read


def test_only_new_texts_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [make_paper(number) for number in (1, 3, 4)]
    some = kg.build(papers)
    read = count_read(monkeypatch)

    kg.add(some, [papers[0], make_paper(8), Paper(id="again", title=papers[1].title, abstract=papers[1].abstract)])
    kg.remove(some, ["paper:p1"])
    kg.build([*papers, make_paper(8)], site=Site(earlier=some))

    assert [one.abstract for one in read] == [make_paper(8).abstract] * 2


def test_what_another_model_or_other_rules_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [make_paper(number) for number in (1, 3)]
    some = kg.build(papers)
    monkeypatch.setattr(build_settings, "_digest_rules", lambda: "others")
    read = count_read(monkeypatch)

    kg.add(some, [make_paper(4)])

    assert len(read) == 3


def test_the_rules_are_all_that_extraction_imports() -> None:
    steps, todo = set[str](), ["extract", "clean"]
    while todo:
        step = todo.pop()
        if step in steps:
            continue
        steps.add(step)
        inside = ROOT / "kg" / step
        for path in inside.rglob("*.py") if inside.is_dir() else [inside.with_suffix(".py")]:
            todo += find_imports(path)

    assert steps - {"errors", "model"} == {one.removesuffix(".py") for one in RULES}


def test_decisions_and_similar_records_stay_as_they_were() -> None:
    papers = [Paper(id=f"{at}", title="A long title about LoDA", abstract="We use LoRA.") for at in range(2)]
    decisions = (Decision(DecisionKind.DROP, "lora"),)
    some = kg.build(papers, decisions=decisions, options=Options(merge_similar=True))

    more = kg.add(some, [make_paper(3)])

    assert len(some.papers) == 1
    assert len(more.papers) == 2
    assert more.decisions == decisions
    assert not any(one.label == "LoRA" for one in more.concepts.values())


def test_a_record_that_comes_again_is_skipped_and_goes_with_its_paper(built: Built, tmp_path: Path) -> None:
    lines = tmp_path / "papers.jsonl"
    lines.write_text(
        '{"id": "1", "abstract": "We use LoRA."}\n{"title": ""}\n{"id": "1", "abstract": "We use LoRA."}\n'
    )
    some = built([lines])

    more = kg.add(kg.add(some, lines), [make_paper(1)])
    less = kg.remove(more, ["paper:1"])

    assert (some.report.read, some.report.kept, len(some.report.skipped)) == (3, 1, 2)
    assert (more.report.read, more.report.kept, len(more.report.skipped)) == (7, 2, 5)
    assert (less.report.read, less.report.kept, len(less.report.skipped)) == (3, 1, 2)


def test_names_that_are_nobodys_change_nothing(tmp_path: Path) -> None:
    some = kg.build([make_paper(1)])

    with pytest.raises(UnknownNameError, match="paper:nobody"):
        kg.remove(some, ["paper:nobody"])
    with pytest.raises(InputError, match="no paper would be left"):
        kg.remove(some, ["paper:p1"])


def test_a_graph_that_does_not_keep_what_came_in_is_refused(small_graph: KnowledgeGraph) -> None:
    with pytest.raises(GraphError, match="build it again"):
        kg.add(small_graph, [make_paper(1)])


def stop_after(count: int) -> object:
    """Return what is told of progress and stops a build."""

    def told(done: int, _: int) -> None:
        if done >= count:
            raise KeyboardInterrupt

    return told


def test_a_build_that_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(texts, "_MOST_TEXTS", 2)
    papers = [make_paper(number) for number in (1, 3, 4, 6, 8)]
    with pytest.raises(KeyboardInterrupt):
        kg.build(papers, site=Site(tmp_path / "work", progress=stop_after(4)))  # type: ignore[arg-type]
    stray = tmp_path / "work/mentions-000009.parquet"
    stray.write_bytes(b"half a file")
    read = count_read(monkeypatch)

    again = kg.build(papers, site=Site(tmp_path / "work"))

    assert len(read) == 1
    assert not stray.exists()
    assert read_all(again, tmp_path / "again") == read_all(kg.build(papers), tmp_path / "anew")


def test_parts_of_another_key_are_deleted(tmp_path: Path) -> None:
    kg.build([make_paper(1)], site=Site(tmp_path))
    assert parts.Parts(tmp_path, name_reader(describe_build(DEFAULT_MODEL))).done

    assert not parts.Parts(tmp_path, "another").done
    assert not parts.Parts(tmp_path, name_reader(describe_build(DEFAULT_MODEL))).done


def test_what_is_not_ours_in_a_work_folder_stays(tmp_path: Path) -> None:
    for name in ("thesis.txt", "data-2020.parquet"):
        (tmp_path / name).write_text("mine")

    parts.Parts(tmp_path, "one")
    parts.Parts(tmp_path, "another")

    assert {one.name for one in tmp_path.iterdir()} == {"thesis.txt", "data-2020.parquet", "key.txt"}


def test_a_graph_of_another_model_is_not_read_anew_by_ours_unasked() -> None:
    some = kg.build([make_paper(1), make_paper(3)])
    other = replace(some, report=replace(some.report, settings={**some.report.settings, "model": "theirs 1.0"}))

    with pytest.raises(ModelError, match="built with the model 'theirs'"):
        kg.remove(other, ["paper:p1"])


def test_a_damaged_earlier_graph_is_read_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(kg.build([make_paper(1)]), tmp_path / "graph")
    (tmp_path / "graph/store/mentions.parquet").write_bytes(b"PAR1 and no more")

    again = kg.build([make_paper(1)], site=Site(earlier=load_papers(tmp_path / "graph")))

    assert again.relations
    assert "all is read again" in caplog.text


def test_what_came_in_is_read_back(tmp_path: Path) -> None:
    some = kg.build([make_paper(number) for number in range(12)])

    intake = records.read_records(some.mentions.records)

    assert set(intake.papers) == {make_paper(number).content_hash for number in range(12)}
    assert all(paper.content_hash == digest for digest, paper in intake.papers.items())


@pytest.fixture(autouse=True)
def _no_leftovers(tmp_path: Path) -> Iterator[None]:
    """See that no hidden file is left beside a graph but its lock."""
    yield
    assert not [one for one in tmp_path.glob(".*") if not one.name.endswith((".lock", ".part"))]
