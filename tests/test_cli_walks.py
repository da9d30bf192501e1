"""kg related and kg path: what is printed where, and with which status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.folder import write

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from kg.model import KnowledgeGraph


def run(*arguments: str | Path) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture
def folder(small_graph: KnowledgeGraph, tmp_path: Path) -> Path:
    """Return a folder with the small graph."""
    write(small_graph, tmp_path / "graph")
    return tmp_path / "graph"


@pytest.mark.parametrize("name", ["paper:7", "7", "LoDA", "lod"])
def test_related_finds_a_paper_by_id_title_or_its_start(folder: Path, name: str) -> None:
    result = run("related", folder, name)

    assert result.exit_code == 0
    assert "0.50  Sparse" in result.stdout
    assert "both: low-rank adaptation" in result.stdout


def test_related_as_json_is_an_answer_even_where_there_is_none(folder: Path) -> None:
    some, none = run("related", folder, "LoDA", "--json"), run("related", folder, "lonely", "--json")

    assert [one["paper"] for one in json.loads(some.stdout)["related"]] == ["paper:p<2>"]
    assert json.loads(none.stdout)["related"] == []
    assert (some.exit_code, none.exit_code) == (0, 1)


@pytest.mark.parametrize(("name", "said"), [("lonely", "A paper without concepts"), ("phlogiston", "phlogiston")])
def test_related_without_an_answer_says_so_and_ends_with_status_1(folder: Path, name: str, said: str) -> None:
    result = run("related", folder, name)

    assert (result.exit_code, result.stdout) == (1, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_title_that_several_papers_have_is_asked_back(folder: Path) -> None:
    result = run("related", folder, "t")

    assert result.exit_code == 1
    assert result.stderr == (
        "kg: 't' can mean A paper without concepts 🚀 [paper:lonely]; Sparse <b>tests</b> & </script> [paper:p<2>]\n"
    )


def test_a_limit_below_1_is_refused(folder: Path) -> None:
    assert run("related", folder, "LoDA", "--limit", "0").exit_code == 2


def test_path_shows_how_two_names_hang_together(folder: Path) -> None:
    result = run("path", folder, "LoRA", "ImageNet")

    assert result.exit_code == 0
    assert result.stdout.startswith("low-rank adaptation (Method, in 2 papers)\n  ←usesMethod—  0.80\n")
    assert result.stdout.endswith("ImageNet (Dataset, in 1 paper)\n")


def test_path_as_json_is_the_same_path(folder: Path) -> None:
    shown = json.loads(run("path", folder, "LoRA", "ImageNet", "--json").stdout)

    assert [one["label"] for one in shown["nodes"]][::2] == ["low-rank adaptation", "ImageNet"]


def test_path_ends_with_status_1_where_nothing_joins_the_two(folder: Path) -> None:
    result = run("path", folder, "LoRA", "A paper without concepts")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "kg: nothing in the graph joins 'LoRA' and 'A paper without concepts'\n"


@pytest.mark.parametrize("arguments", [("related", "LoDA"), ("path", "LoDA", "LoRA")])
def test_a_folder_that_is_no_graph_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    verb, *names = arguments

    result = run(verb, tmp_path / "nowhere", *names)

    assert result.exit_code == 2
    assert "nowhere" in result.stderr
