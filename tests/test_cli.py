"""Tests of the command line: what is printed where, and with which status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.cli.common import to_bar
from kg.folder import write

if TYPE_CHECKING:
    from click.testing import Result

    from kg.model import KnowledgeGraph

ROOT = Path(__file__).parents[1]
VERBS = sorted(main.commands)


def run(*arguments: str | Path) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(main, [str(one) for one in arguments])


def fail(*arguments: str | Path) -> str:
    """Run what must fail; return the one line that says why."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("kg: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def folder(small_graph: KnowledgeGraph, tmp_path: Path) -> Path:
    """Return a folder with the small graph."""
    write(small_graph, tmp_path / "graph")
    return tmp_path / "graph"


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_help_with_an_example_and_stands_in_the_readme(verb: str) -> None:
    result = run(verb, "--help")

    assert result.exit_code == 0
    assert f"Example: kg {verb}" in result.stdout
    assert f"kg {verb}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_build_writes_a_folder_and_says_what_to_open(tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"title": "LoDA", "abstract": "We propose LoDA for continual learning."}\n', encoding="utf-8")

    result = run("build", papers, "--out", tmp_path / "graph")

    assert result.exit_code == 0
    assert result.stdout == ""
    assert "1 paper" in result.stderr
    assert str(tmp_path / "graph" / "graph.html") in result.stderr
    assert [line.split(" kg ")[1].split()[0] for line in result.stderr.splitlines()[2:]] == ["stats", "show", "query"]
    assert (tmp_path / "graph" / "manifest.json").is_file()


def test_what_was_skipped_is_counted_and_named(tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"title": "Adam is an optimizer"}\n{"title": "cut o\n', encoding="utf-8")

    result = run("build", papers, "--out", tmp_path / "graph")

    report = json.loads((tmp_path / "graph/report.json").read_text(encoding="utf-8"))
    assert "1 of 2 records skipped" in result.stderr
    assert (report["read"], report["kept"]) == (2, 1)
    assert [(one["file"], one["line"]) for one in report["skipped"]] == [("papers.jsonl", 2)]


def test_strict_makes_a_skip_an_error(tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"title": "Adam is an optimizer"}\n{"title": "cut o\n', encoding="utf-8")

    assert "papers.jsonl:2" in fail("build", papers, "--out", tmp_path / "graph", "--strict")
    assert not (tmp_path / "graph").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.txt", None),
        ("empty.txt", b""),
        ("blank.txt", b"\n \n\n"),
        ("binary.pdf", b"%PDF-1.7\n\x00\x01\x02\xff\xfe" * 40),
        ("numbers.json", b"[1, 2, 3]"),
        ("nothing.jsonl", b'{"year": 2020}\n'),
    ],
)
def test_bad_input_is_one_clear_line_and_nothing_is_written(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)

    message = fail("build", tmp_path / name, "--out", tmp_path / "graph")

    assert name in message
    assert "Traceback" not in message
    assert [path.name for path in tmp_path.iterdir() if "graph" in path.name] == []


def test_an_empty_folder_holds_no_paper(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()

    assert "papers" in fail("build", tmp_path / "papers", "--out", tmp_path / "graph")


def test_a_place_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text("We propose LoDA, a method for continual learning on ImageNet.\n" * 5, encoding="utf-8")

    assert "can't be written" in fail("build", papers, "--out", papers / "graph")


@pytest.mark.parametrize("verb", ["query", "view", "show", "stats", "export", "check"])
def test_a_folder_that_is_no_graph_is_named(tmp_path: Path, verb: str) -> None:
    more = {"query": ["ASK {}"], "show": ["LoRA"], "export": ["--format", "json"]}

    message = fail(verb, tmp_path / "nowhere", *more.get(verb, []))

    assert "nowhere" in message


def test_query_prints_the_answer(folder: Path) -> None:
    result = run("query", folder, "SELECT ?name { ?c a kg:Dataset ; skos:prefLabel ?name }", "--format", "csv")

    assert result.stdout.split() == ["name", "ImageNet"]


def test_a_query_comes_from_a_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "ask.rq").write_text("ASK { ?c a kg:Dataset }", encoding="utf-8")

    assert run("query", folder, "--file", tmp_path / "ask.rq").exit_code == 0
    assert run("query", folder, "ASK { ?c a kg:Task }").exit_code == 1


@pytest.mark.parametrize("query", ["SELECT", "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "DROP ALL"])
def test_a_query_that_is_refused_ends_with_status_2(folder: Path, query: str) -> None:
    fail("query", folder, query)


def test_an_answer_that_was_cut_says_so(folder: Path) -> None:
    result = run("query", folder, "SELECT * { ?s ?p ?o }", "--limit", "3")

    assert "--limit" in result.stderr


def test_show_finds_a_concept_by_any_of_its_names(folder: Path) -> None:
    result = run("show", folder, "LoRA")

    assert result.exit_code == 0
    assert "low-rank adaptation" in result.stdout


def test_a_name_that_is_not_there_ends_with_status_1(folder: Path) -> None:
    result = run("show", folder, "phlogiston")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "phlogiston" in result.stderr


def test_stats_counts(folder: Path) -> None:
    assert "3 papers, 5 concepts" in run("stats", folder).stdout


def test_stats_are_json_for_a_program(folder: Path) -> None:
    found = json.loads(run("stats", folder, "--json").stdout)

    assert (found["papers"], found["concepts"]["Method"]) == (3, 3)
    assert [one["name"] for one in found["communities"]] == ["low-rank adaptation"]


def test_view_names_the_page(folder: Path, tmp_path: Path) -> None:
    whole = run("view", folder)
    one = run("view", folder, "LoDA", "--out", tmp_path / "loda.html")

    assert whole.stdout.strip() == str(folder / "graph.html")
    assert one.stdout.strip() == str(tmp_path / "loda.html")
    assert "concept:loda" in (tmp_path / "loda.html").read_text(encoding="utf-8")


def test_export_writes_to_a_file_or_to_standard_output(folder: Path, tmp_path: Path) -> None:
    run("export", folder, "--format", "turtle", "--out", tmp_path / "graph.ttl")

    assert (tmp_path / "graph.ttl").read_bytes() == (folder / "graph.ttl").read_bytes()
    assert run("export", folder, "--format", "turtle").stdout_bytes == (folder / "graph.ttl").read_bytes()
    assert "turtle" in fail("export", folder, "--format", "docx")


def test_check_finds_a_file_that_was_changed(folder: Path) -> None:
    assert run("check", folder).exit_code == 0

    (folder / "graph.json").write_text("{}", encoding="utf-8")

    result = run("check", folder)
    assert result.exit_code == 1
    assert "graph.json" in result.stdout


def test_the_module_is_the_command_in_any_locale(folder: Path) -> None:
    environment = os.environ | {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "kg", "show", str(folder), "lonely"]

    shown = subprocess.run(arguments, capture_output=True, check=True, env=environment)

    assert "🚀" in shown.stdout.decode("utf-8")


def test_eval_measures_extraction(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"text": "We train BERT on SQuAD.", "spans": [[9, 13, "SYSTEM"]]}\n', encoding="utf-8")

    scores = json.loads(run("eval", gold, "--map", "SYSTEM=Method", "--json").stdout)

    assert scores["strict"]["recall"] == 1.0
    assert "SYSTEM" in fail("eval", gold)
    assert "eval" in run("eval", gold, "--map", "SYSTEM").stderr
    assert run("eval", gold, "--graph", tmp_path).exit_code == 2


def test_an_export_keeps_the_base_of_its_folder_and_takes_layers(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph", base="https://example.org/mine/")

    result = CliRunner().invoke(
        main, ["export", str(tmp_path / "graph"), "--format", "ntriples", "--layer", "concepts", "--no-text"]
    )

    assert result.exit_code == 0
    assert "<https://example.org/mine/concept/loda>" in result.output
    assert "/statement/" not in result.output
    assert "We propose" not in result.output


def test_an_export_refuses_what_its_format_does_not_know(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")

    result = CliRunner().invoke(main, ["export", str(tmp_path / "graph"), "--format", "gexf", "--language", "en"])

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "kg: format 'gexf' takes no language; skos do\n"


def test_a_bar_tells_how_far_and_how_long_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert to_bar("papers") is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    times = iter([0.0, 0.0, 10.0, 20.0])
    monkeypatch.setattr("kg.cli.common.time.monotonic", lambda: next(times))
    show = to_bar("papers")
    assert show is not None

    show(100, 4_100)
    show(600, 4_100)
    first, second = capsys.readouterr().err.split("\r\033[K")[1:]

    assert first.endswith("100 of 4,100 papers")
    assert second.endswith("600 of 4,100 papers, 50 a second, 70 s left")
