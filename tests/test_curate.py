"""Deciding about names of a graph that is there: nothing is read again, and everything can be undone."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kg.build import rebuild
from kg.check import check
from kg.cli import main
from kg.curate import compare, decide, find_lookalikes, format_lookalikes
from kg.folder import load, write
from kg.model import Decision, DecisionKind, Paper

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph
    from tests.conftest import Built

_PAPERS = (
    Paper(title="One", abstract="We propose LoDA. It extends low-rank adaptation (LoRA) for continual learning."),
    Paper(
        title="Two", abstract="Low-rank adaption (LoRA) is evaluated on ImageNet. We use graph convolutional networks."
    ),
    Paper(title="Three", abstract="We use convolutional graph networks on Image Net and CIFAR-10."),
)


@pytest.fixture(scope="module")
def world(built: Built) -> KnowledgeGraph:
    """Return the graph of three papers."""
    return built(_PAPERS)


@pytest.fixture
def folder(world: KnowledgeGraph, tmp_path: Path) -> Path:
    """Return a folder with it."""
    write(world, tmp_path / "graph", base="https://example.org/")
    return tmp_path / "graph"


def run(*arguments: str | Path | int) -> tuple[int, str]:
    """Run the command line; return its status and what it printed."""
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    return result.exit_code, result.output


def test_a_graph_that_is_built_again_is_the_same(world: KnowledgeGraph) -> None:
    again = rebuild(world, ())

    assert (again.papers, again.concepts, again.relations) == (world.papers, world.concepts, world.relations)
    assert again.report == world.report
    assert compare(world, again) == "nothing changes\n"


def test_spellings_of_what_a_short_form_stands_for_and_spaces_join(world: KnowledgeGraph) -> None:
    assert world.concepts["concept:low-rank-adaptation"].alt_labels[:1] == ("LoRA",)
    assert "concept:low-rank-adaption" not in world.concepts
    assert world.concepts["concept:imagenet"].papers == 2


def test_a_decision_survives_the_folder_and_a_new_build(folder: Path, tmp_path: Path) -> None:
    assert run("merge", folder, "LoDA", "LoRA", "--comment", "one\tfor all")[0] == 0

    assert load(folder).decisions == (Decision(DecisionKind.SAME, "LoDA", "LoRA", "one for all"),)
    assert "concept:loda" not in load(folder).concepts
    papers = tmp_path / "papers.txt"
    papers.write_text("We propose LoDA.\n\nWe use LoRA (low-rank adaptation).\n", encoding="utf-8")
    assert run("build", papers, "--out", folder)[0] == 0
    assert "concept:loda" not in load(folder).concepts
    assert load(folder).decisions[0].comment == "one for all"


def test_a_dry_run_shows_the_difference_and_changes_nothing(folder: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    status, shown = run("merge", folder, "LoDA", "LoRA", "--dry-run")

    assert status == 0
    assert "- concept:loda (LoDA; Method; papers: 1) -> concept:low-rank-adaptation" in shown
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()} == before


def test_a_graph_with_decisions_is_whole_and_keeps_its_base(folder: Path) -> None:
    for arguments in (("split", "LoRA"), ("drop", "continual learning"), ("merge", "LoDA", "CIFAR-10")):
        assert run(arguments[0], folder, *arguments[1:])[0] == 0

    assert check(folder) == []
    assert "<https://example.org/concept/" in (folder / "graph.ttl").read_text("utf-8")
    assert "concept:continual-learning" not in load(folder).concepts
    assert {"concept:lora", "concept:low-rank-adaptation"} <= set(load(folder).concepts)


def test_what_is_dropped_comes_back_when_the_decision_goes(world: KnowledgeGraph, folder: Path) -> None:
    run("drop", folder, "continual learning")
    (folder / "decisions.tsv").unlink()

    assert rebuild(load(folder), ()).concepts == world.concepts


def test_a_name_that_leads_nowhere_or_is_the_label_is_refused(folder: Path) -> None:
    assert run("drop", folder, "nobody") == (1, "kg: no concept is called 'nobody'\n")
    assert run("split", folder, "LoDA")[0] == 2
    assert not (folder / "decisions.tsv").exists()


def test_merged_ids_still_lead_to_the_concept(world: KnowledgeGraph) -> None:
    merged = decide(world, Decision(DecisionKind.SAME, "LoDA", "LoRA"))

    assert "concept:loda" in merged.concepts["concept:low-rank-adaptation"].replaces


def test_names_that_look_alike_are_suggested_and_told_apart_for_good(world: KnowledgeGraph) -> None:
    pairs = {(one.concept, one.other): one.reason for one in find_lookalikes(world)}
    key = ("concept:convolutional-graph-network", "concept:graph-convolutional-network")
    assert pairs[key] == "same words in another order"

    apart = decide(
        world, Decision(DecisionKind.DIFFERENT, "convolutional graph networks", "graph convolutional networks")
    )

    assert key not in {(one.concept, one.other) for one in find_lookalikes(apart)}


def test_suggestions_are_shown_with_sentences_and_what_to_type(folder: Path) -> None:
    status, shown = run("suggest", folder, "--limit", 1)

    assert status == 0
    assert "“We use convolutional graph networks on Image Net and CIFAR-10.”" in shown
    assert f"kg merge {folder} concept:convolutional-graph-network concept:graph-convolutional-network" in shown


def test_what_to_type_is_what_a_shell_takes(world: KnowledgeGraph) -> None:
    shown = format_lookalikes(world, find_lookalikes(world)[:1], "my graph; x")

    command = shlex.split(next(line for line in shown.splitlines() if line.startswith("  kg merge")))
    assert command[2] == "my graph; x"
    assert len(command) == 5


def test_decisions_that_do_nothing_are_named_in_the_report(world: KnowledgeGraph) -> None:
    idle = (Decision(DecisionKind.DROP, "nobody"), Decision(DecisionKind.SAME, "LoDA", "somebody"))

    graph = rebuild(rebuild(world, idle[:1]), (*idle, Decision(DecisionKind.PREFER, "LoDA", "LoDA 1")))

    assert [one.reason for one in graph.report.warnings if one.file == "decisions.tsv"] == [
        "drop 'nobody' does nothing: no paper names 'nobody'",
        "same 'LoDA' does nothing: no paper names 'somebody'",
    ]


def test_a_decision_about_one_of_several_meanings_needs_the_id(built: Built) -> None:
    papers = [Paper(abstract=f"We study {long} (RL).") for long in ("reinforcement learning", "reading level")]

    graph = rebuild(built(papers), [Decision(DecisionKind.PREFER, "RL", "RL")])

    (warning,) = (one.reason for one in graph.report.warnings if one.file == "decisions.tsv")
    assert "can mean concept:reading-level, concept:reinforcement-learning" in warning
