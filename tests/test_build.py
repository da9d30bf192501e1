"""Builds: papers in, a whole graph out, whatever the order, the folder and the text."""

from __future__ import annotations

import gc
import re
import shutil
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import kg
from kg.build import Options, Site, build
from kg.errors import InputError, ModelError
from kg.extract import DEFAULT_MODEL
from kg.mentions import mention_schema, read_mentions
from kg.model import KnowledgeGraph, Paper, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Built

WORLD = Path(__file__).parent / "data" / "papers.jsonl"
LODA = Paper(id="1", title="Sparse Updates", abstract="We propose LoDA, a method for continual learning.")
TEST = Paper(id="2", title="A Test", abstract="LoDA is tested on ImageNet for continual learning.")


@pytest.fixture(scope="module")
def world(built: Built) -> KnowledgeGraph:
    """Return the graph of the small world."""
    return built(WORLD)


def to_rows(graph: KnowledgeGraph) -> list[dict[str, object]]:
    """Return the mentions of a graph."""
    rows: list[dict[str, object]] = pa.Table.from_batches(read_mentions(graph.mentions)).to_pylist()
    return rows


def find_roles(graph: KnowledgeGraph, paper: str) -> dict[str, Predicate]:
    """Return how a paper stands to each of its concepts, by label."""
    return {
        graph.concepts[one.object].label: one.predicate
        for one in graph.relations
        if one.subject == paper and one.object in graph.concepts
    }


def test_papers_concepts_and_relations_come_out_of_papers(built: Built) -> None:
    graph = built([LODA, TEST])

    assert find_roles(graph, "paper:1") == {
        "LoDA": Predicate.INTRODUCES,
        "continual learning": Predicate.ADDRESSES_TASK,
    }
    assert find_roles(graph, "paper:2")["ImageNet"] is Predicate.USES_DATASET
    assert [one.predicate for one in graph.relations if one.object in graph.papers] == [Predicate.RELATED_TO]


def test_the_world_has_what_its_papers_introduce(world: KnowledgeGraph) -> None:
    new = {(one.subject, world.concepts[one.object].label) for one in world.relations if one.predicate == "introduces"}

    assert new >= {
        ("paper:tinylora", "TinyLoRA"),
        ("paper:relabel", "ImageNet-Relabel"),
        ("paper:ert", "Elastic Reward Tuning"),
        ("paper:medletters", "MedLetters"),
        ("paper:noaug", "NoAug-GCL"),
    }


def test_the_order_of_papers_does_not_change_the_graph(built: Built, world: KnowledgeGraph) -> None:
    papers = [*world.papers.values()]

    forwards, backwards = built(papers), built(reversed(papers))

    assert forwards.papers == backwards.papers
    assert forwards.concepts == backwards.concepts
    assert forwards.relations == backwards.relations
    assert to_rows(forwards) == to_rows(backwards)


def test_papers_in_many_batches_give_the_graph_of_papers_in_one(
    built: Built, world: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("kg.build.texts"), "_MOST_TEXTS", 2)

    graph = built(WORLD)

    assert (graph.papers, graph.concepts, graph.relations) == (world.papers, world.concepts, world.relations)
    assert to_rows(graph) == to_rows(world)


def test_an_iterable_of_papers_is_walked_once(built: Built) -> None:
    walked = []

    def give() -> Iterator[Paper]:
        for paper in (LODA, TEST):
            walked.append(paper.id)
            yield paper

    assert len(built(give()).papers) == 2
    assert walked == ["paper:1", "paper:2"]


def test_papers_by_hand_give_the_graph_of_their_file(built: Built, world: KnowledgeGraph) -> None:
    graph = built(world.papers.values())

    assert graph.relations == world.relations


def test_the_same_record_twice_is_one_paper_and_one_skip(built: Built) -> None:
    report = built([LODA, TEST, LODA]).report

    assert (report.read, report.kept, len(report.skipped)) == (3, 2, 1)
    assert "Sparse Updates" in report.skipped[0].reason


def test_two_papers_of_one_id_are_both_kept_under_the_same_ids_in_any_order(built: Built) -> None:
    other = Paper(id="1", title="Another", abstract="We use Adam.")

    one, two = built([LODA, other]), built([other, LODA])

    assert len(one.papers) == 2
    assert one.papers == two.papers
    assert "paper:1" in one.papers


def test_what_is_read_is_kept_or_skipped(built: Built, tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    path.write_text(
        '{"id": "1", "title": "A", "abstract": "We use Adam."}\n{"id": "2", \n[1]\n{"id": "4", "title": "D"}\n',
        encoding="utf-8",
    )

    report = built(path).report

    assert (report.read, report.kept) == (4, 2)
    assert [(one.file, one.line, bool(one.reason)) for one in report.skipped] == [
        ("papers.jsonl", 2, True),
        ("papers.jsonl", 3, True),
    ]


def test_the_report_counts_what_the_graph_holds(world: KnowledgeGraph) -> None:
    steps = world.report.steps

    assert steps["papers"] == len(world.papers) == world.report.kept == 5
    assert steps["concepts"] == len(world.concepts)
    assert steps["relations"] == len(world.relations)
    assert steps["mentions"] == len(to_rows(world))


def test_settings_name_program_and_model_and_no_path_or_time(world: KnowledgeGraph) -> None:
    settings = world.report.settings

    assert settings["program"].startswith("paperkg ")
    assert re.fullmatch(r"paperkg_en [0-9a-f]{12}", settings["model"])
    assert not any("/" in value or ":" in value for value in settings.values())


def test_evidence_quotes_its_paper_and_names_its_concept(world: KnowledgeGraph) -> None:
    for relation in world.relations:
        for one in relation.evidence:
            text = world.papers[one.paper].text(one.section)
            assert text[one.offset : one.offset + len(one.sentence)] == one.sentence
            named = relation.subject if relation.subject in world.concepts else relation.object
            if named in world.concepts:
                concept = world.concepts[named]
                names = {name.casefold() for name in (concept.label, *concept.alt_labels)}
                assert one.sentence[one.start : one.end].casefold() in names


def test_mentions_are_sorted_whole_and_of_known_papers_and_concepts(world: KnowledgeGraph) -> None:
    rows = to_rows(world)

    assert list(rows[0]) == mention_schema().names
    places = [(row["paper"], row["section"], row["offset"], row["start"]) for row in rows]
    assert places == sorted(places)
    assert {row["paper"] for row in rows} <= set(world.papers)
    assert {row["concept"] for row in rows} == set(world.concepts)
    assert all(row["reason"] for row in rows)


def test_concepts_count_the_papers_that_mention_them(world: KnowledgeGraph) -> None:
    papers: dict[object, set[object]] = {}
    for row in to_rows(world):
        papers.setdefault(row["concept"], set()).add(row["paper"])

    assert {node: one.papers for node, one in world.concepts.items()} == {node: len(of) for node, of in papers.items()}


def test_the_mentions_last_as_long_as_the_graph(built: Built) -> None:
    graph = built([LODA])
    path = graph.mentions.path
    gc.collect()

    assert to_rows(graph)
    del graph
    gc.collect()
    assert not path.exists()


def test_a_paper_without_text_is_a_node_without_concepts(built: Built) -> None:
    graph = built([LODA, Paper(id="empty")])

    assert find_roles(graph, "paper:empty") == {}
    assert graph.papers["paper:empty"].label


def test_a_paper_without_title_is_called_after_what_it_introduces(built: Built) -> None:
    graph = built([Paper(id="1", abstract=LODA.abstract)])

    assert graph.papers["paper:1"].label == "LoDA"


def test_a_title_in_capitals_names_the_same_concepts_as_the_abstract(built: Built) -> None:
    graph = built(
        [Paper(id="1", title="Deep Metric Learning for Image Retrieval", abstract="We study image retrieval.")]
    )

    assert [one.label for one in graph.concepts.values() if "retrieval" in one.label.casefold()] == ["image retrieval"]


def test_a_bare_name_means_its_one_version_in_the_paper(built: Built) -> None:
    text = "We present TruthWorld 1.0, a benchmark for fake news detection. TruthWorld spans text and audio."
    graph = built([Paper(id="1", abstract=text)])

    (world,) = [one for one in graph.concepts.values() if "TruthWorld" in one.label]
    assert (world.label, world.alt_labels) == ("TruthWorld 1.0", ("TruthWorld",))


def test_markup_is_cleaned_before_anything_is_named(built: Built) -> None:
    paper = Paper(
        id="1", title="<b>A</b> &amp; B", abstract=r"We propose \textbf{4DPC$^2$hat} for 3D \emph{captioning}."
    )

    graph = built([paper])

    assert graph.papers["paper:1"].title == "A & B"
    assert "4DPC²hat" in find_roles(graph, "paper:1")


def test_progress_is_told_after_each_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("kg.build.texts"), "_MOST_TEXTS", 2)
    told: list[tuple[int, int]] = []

    build(WORLD, site=Site(progress=lambda *counts: told.append(counts)))

    assert told == [(2, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize("source", ["nowhere.jsonl", ["nowhere.jsonl"], Path("nowhere.jsonl")])
def test_a_missing_file_is_refused_by_name(source: str | Path | list[str | Path]) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        build(source)


def test_no_papers_at_all_are_refused() -> None:
    papers: list[Paper] = []
    with pytest.raises(InputError, match="no paper in the input"):
        build(papers)


def test_strict_makes_the_first_bad_record_an_error(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    path.write_text('{"id": "1", "title": "A"}\n{"id": \n', encoding="utf-8")

    with pytest.raises(InputError, match=r"papers\.jsonl:2: "):
        build(path, options=Options(strict=True))


def test_strict_names_the_record_that_comes_twice() -> None:
    with pytest.raises(InputError, match=r"^the same record again: Sparse Updates"):
        build([LODA, LODA], options=Options(strict=True))


def test_a_model_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match=r"'no_such_model' can't be loaded.*install it, or name another"):
        build([LODA], model="no_such_model")


def test_build_is_a_verb_of_the_package() -> None:
    assert kg.build is build


def test_the_description_of_a_model_is_no_part_of_what_tells_it_from_others(tmp_path: Path) -> None:
    model = tmp_path / "mine"
    shutil.copytree(DEFAULT_MODEL, model)
    names = [build([LODA], model=str(model)).report.settings["model"]]

    for file in ("README.md", "tagger/cfg"):
        with (model / file).open("a", encoding="utf-8") as stream:
            stream.write("\n")
        names.append(build([LODA], model=str(model)).report.settings["model"])

    assert names[0] == names[1] != names[2]
