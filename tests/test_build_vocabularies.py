"""Builds with vocabularies of others: from files to a folder that is whole, and again from the folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kg.build import Options, rebuild
from kg.check import check
from kg.cli import main
from kg.errors import InputError
from kg.folder import load, write
from kg.model import Decision, DecisionKind, Paper

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph
    from tests.conftest import Built

PAPERS = (
    Paper(
        id="1", title="One", abstract="We propose LoDA. It extends low-rank adaptation (LoRA) for continual learning."
    ),
    Paper(id="2", title="Two", abstract="Graph neural networks and LoDA are evaluated on ImageNet."),
)
SKOS = """
@prefix : <https://example.org/topics/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:learning a skos:Concept ; skos:prefLabel "Continual Learning"@en, "Lernen"@de ; skos:altLabel "lifelong learning"@en .
:adaptation a skos:Concept ; skos:prefLabel "LoRA"@en ; skos:altLabel "low-rank adaptation"@en .
:bad%zz a skos:Concept ; skos:prefLabel "bad"@en .
"""
TABLE = "# DS: https://example.org/data/\nid\tname\ttype\nDS:imagenet\tImageNet\tdataset\nDS:none\t\t\n"
SETTINGS = {"vocabulary data.tsv", "vocabulary topics.ttl"}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return a thesaurus and a table."""
    (tmp_path / "topics.ttl").write_text(SKOS.replace(":bad%zz", "<https://example.org/%zz>"), encoding="utf-8")
    (tmp_path / "data.tsv").write_text(TABLE, encoding="utf-8")
    return [tmp_path / "topics.ttl", tmp_path / "data.tsv"]


def find_matches(graph: KnowledgeGraph) -> set[tuple[str, str, str]]:
    """Return what matches what, and how."""
    return {(graph.concepts[one.concept].label, str(one.predicate), one.iri) for one in graph.matches}


def read_files(folder: Path) -> dict[str, bytes]:
    """Return what is in the files of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_concepts_are_linked_to_every_vocabulary(built: Built, files: list[Path], tmp_path: Path) -> None:
    graph = built(PAPERS, vocabularies=files)

    assert find_matches(graph) == {
        ("continual learning", "exactMatch", "https://example.org/topics/learning"),
        ("low-rank adaptation", "closeMatch", "https://example.org/topics/adaptation"),
        ("ImageNet", "exactMatch", "https://example.org/data/imagenet"),
    }
    assert [one.name for one in graph.vocabularies] == ["data.tsv", "topics.ttl"]
    assert (graph.report.steps["exact matches"], graph.report.steps["close matches"]) == (2, 1)
    assert graph.report.settings.keys() >= SETTINGS
    assert graph.report.settings["vocabulary data.tsv"] == f"sha256 {graph.vocabularies[0].digest[:12]}"
    assert [(one.file, one.line) for one in graph.report.warnings] == [("data.tsv", 4), ("topics.ttl", 0)]


def test_the_folder_is_whole_and_says_which_vocabularies_were_used(
    built: Built, files: list[Path], tmp_path: Path
) -> None:
    graph = built(PAPERS, vocabularies=files)
    write(graph, tmp_path / "graph")

    manifest = json.loads((tmp_path / "graph/manifest.json").read_text(encoding="utf-8"))

    assert check(tmp_path / "graph") == []
    assert manifest.keys() >= SETTINGS
    assert "mappings.sssom.tsv" in manifest["files"]
    assert replace(load(tmp_path / "graph"), mentions=graph.mentions) == graph


def test_without_a_vocabulary_nothing_is_new(built: Built, tmp_path: Path) -> None:
    graph = built(PAPERS)
    write(graph, tmp_path / "graph")

    files = read_files(tmp_path / "graph")

    assert not {"mappings.sssom.tsv", "store/terms.parquet", "store/matches.parquet"} & files.keys()
    assert not [name for name, content in files.items() if b"exact_match" in content or b"exactMatch" in content]
    assert not [name for name in (*graph.report.steps, *graph.report.settings) if "match" in name or "vocab" in name]


def test_only_the_graph_that_is_drawn_stays_the_same(built: Built, files: list[Path], tmp_path: Path) -> None:
    for name, some in (("without", []), ("with", files)):
        write(replace(built(PAPERS, vocabularies=some)), tmp_path / name)
    without, with_them = read_files(tmp_path / "without"), read_files(tmp_path / "with")

    same = {name for name in without if without[name] == with_them[name]}

    assert same >= {"mentions.nt.gz", "store/concepts.parquet", "store/relations.parquet"}
    assert not same & {"graph.ttl", "graph.json", "report.json"}


def test_a_new_decision_matches_anew_without_the_files(built: Built, files: list[Path], tmp_path: Path) -> None:
    write(built(PAPERS, vocabularies=files), tmp_path / "graph")
    for file in files:
        file.unlink()
    graph = load(tmp_path / "graph")

    again = rebuild(graph, ())
    renamed = rebuild(graph, [Decision(DecisionKind.PREFER, "low-rank adaptation", "LoRA")])
    dropped = rebuild(graph, [Decision(DecisionKind.DROP, "ImageNet")])

    assert replace(again, mentions=graph.mentions) == graph
    assert ("LoRA", "exactMatch", "https://example.org/topics/adaptation") in find_matches(renamed)
    assert find_matches(dropped) == {one for one in find_matches(graph) if one[0] != "ImageNet"}
    assert renamed.report.steps["exact matches"] == 3


def test_neither_order_nor_repetition_nor_folder_shows(built: Built, files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    copies = [tmp_path / "elsewhere" / file.name for file in files]
    for file, copy in zip(files, copies, strict=True):
        copy.write_bytes(file.read_bytes())

    write(built(PAPERS, vocabularies=files), tmp_path / "one")
    write(built(PAPERS[::-1], vocabularies=[*copies[::-1], files[0]]), tmp_path / "two")

    assert read_files(tmp_path / "one") == read_files(tmp_path / "two")


def test_hash_seeds_do_not_show(built: Built, files: list[Path], tmp_path: Path) -> None:
    write(built(PAPERS), tmp_path / "plain")
    program = (
        "import sys; from pathlib import Path; from kg.build.outside import link_vocabularies, read_vocabularies\n"
        "from kg.folder import load; from kg.rdf import write_turtle; from kg.sssom import write_sssom\n"
        "from kg.store import write_store; from kg.network import write_json\n"
        "kg = link_vocabularies(load(sys.argv[1]), read_vocabularies(sys.argv[2:], []))\n"
        "write_store(kg, Path()); write_sssom(kg, Path('m.tsv'))\n"
        "write_turtle(kg, Path('g.ttl')); write_json(kg, Path('g.json'))\n"
    )
    results = []
    for seed in ("0", "1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "plain"), *map(str, files)],
            cwd=folder,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])},
            check=True,
        )
        results.append(read_files(folder))

    assert {"m.tsv", "terms.parquet", "matches.parquet"} <= results[0].keys()
    assert results[0] == results[1] == results[2]


def test_a_term_that_two_vocabularies_have_is_left_to_the_first(
    built: Built, files: list[Path], tmp_path: Path
) -> None:
    newer = tmp_path / "topics2.ttl"
    newer.write_text(SKOS.replace(":bad%zz", ":new").replace("Continual", "Perpetual"), encoding="utf-8")

    graph = built(PAPERS, vocabularies=[newer, files[0]])

    assert [[term.labels[0] for term in one.terms] for one in graph.vocabularies] == [
        ["LoRA", "Continual Learning"],
        ["bad"],
    ]
    assert "2 of its terms are left to topics.ttl, which has them too" in [one.reason for one in graph.report.warnings]


def test_two_vocabularies_of_one_name_are_refused(built: Built, files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/data.tsv").write_text("id\tname\n1\tx\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"another vocabulary is called 'data\.tsv' too; rename one"):
        built(PAPERS, vocabularies=[*files, tmp_path / "other/data.tsv"])


@pytest.mark.parametrize(("number", "fault"), [(0, r"^topics\.ttl: no term: .*%zz"), (1, r"^data\.tsv:4: no term: ")])
def test_strict_makes_a_term_that_is_left_out_an_error(
    built: Built, files: list[Path], number: int, fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        built(PAPERS, vocabularies=files[number], options=Options(strict=True))


def test_the_command_takes_several_and_says_what_matched(files: list[Path], tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text(json.dumps({"title": PAPERS[0].title, "abstract": PAPERS[0].abstract}) + "\n", encoding="utf-8")
    given = [argument for file in files for argument in ("--vocabulary", str(file))]

    result = CliRunner().invoke(main, ["build", str(papers), "--out", str(tmp_path / "graph"), *given])

    assert result.exit_code == 0
    said = "Concepts that match a term of data.tsv, topics.ttl: 1 exactly, 1 closely (see mappings.sssom.tsv)."
    assert said in result.stderr.splitlines()
    assert len(load(tmp_path / "graph").matches) == 2


def test_a_vocabulary_that_can_not_be_read_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "papers.txt").write_text("We propose LoDA.\n", encoding="utf-8")
    (tmp_path / "v.ttl").write_text("nonsense", encoding="utf-8")
    arguments = [str(tmp_path / "papers.txt"), "--vocabulary", str(tmp_path / "v.ttl"), "--out", str(tmp_path / "g")]

    result = CliRunner().invoke(main, ["build", *arguments])

    assert result.exit_code == 2
    assert result.stderr.startswith("kg: v.ttl:1: can't be read as Turtle")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "g").exists()
