"""Faults that people met with exports, ids, encodings, order and size: each must not happen here."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from kg.clean import clean_paper
from kg.export import FORMATS, export
from kg.folder import write
from kg.model import Paper, Predicate
from kg.read import read_papers
from kg.vocab import to_iri
from tests.small_cases import INPUTS, find, find_papers, make, to_all_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.model import KnowledgeGraph
    from tests.conftest import Built

ROOT = Path(__file__).parents[1]
_TOGETHER = ("ex1_plural_case.jsonl", "ex2_acronym_senses.jsonl", "ex5_versions.jsonl")
_LONGEST = 80  # characters of a label


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a folder, with a changed environment."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, check=False)


def copy_inputs(folder: Path, *names: str) -> list[Path]:
    """Return copies of inputs in a folder that is made for them."""
    if not all((INPUTS / name).is_file() for name in names):
        pytest.skip("the inputs of cases are not part of the repository")
    folder.mkdir(parents=True)
    return [Path(shutil.copy(INPUTS / name, folder)) for name in names]


def find_roles(graph: KnowledgeGraph, paper: str) -> set[tuple[str, str]]:
    """Return how a paper stands to its concepts."""
    return {
        (one.predicate, one.object) for one in graph.relations if one.subject == paper and one.object in graph.concepts
    }


# GR1: any attribute can be exported.
@pytest.mark.parametrize("format", ["graphml", "gexf", "json"])
def test_every_attribute_survives_an_export_that_networkx_reads(built: Built, tmp_path: Path, format: str) -> None:
    graph = make(built, "gr1_attributes.jsonl")
    path = tmp_path / f"graph.{format}"

    export(graph, format, path)

    text = path.read_text(encoding="utf-8")
    net = {
        "graphml": lambda: nx.read_graphml(path, force_multigraph=True),
        "gexf": lambda: nx.read_gexf(path),
        "json": lambda: nx.node_link_graph(json.loads(text), edges="edges"),
    }[format]()
    assert set(net.nodes) == {*graph.papers, *graph.concepts}
    assert sorted(net.edges()) == sorted((one.subject, one.object) for one in graph.relations)
    values = [value for _, attributes in net.nodes(data=True) for value in attributes.values()]
    assert not {"None", "nan", "NaN", "null"} & set(map(str, values))
    assert "Ana Lee" in str(net.nodes["paper:q1"]["authors"])
    assert "year" not in net.nodes["paper:q2"]
    if format == "json":
        assert net.nodes["paper:q1"]["authors"] == ["Ana Lee", "Bo Wu"]


# GR4: ids for names in any script.
_SCRIPTS = (
    ("Граф знаний", "Граф знании", "ग्राफ", "ग्राफ़", "رسم بياني", "รูปภาพ", "🤖", "🦾", "C++", "C#", "C"),
    ("Ångström benchmark", "A\u030angstro\u0308m benchmark", "日本語", "日本语", "…", "—", "a-b", "a b", "a_b", "%61"),
)


@pytest.mark.parametrize("titles", _SCRIPTS)
def test_titles_in_any_script_give_papers_with_ids_of_their_own(built: Built, titles: tuple[str, ...]) -> None:
    papers = [Paper(title=title, abstract="We use graph attention.") for title in titles]

    graph, again = built(papers), built(papers)

    assert len(graph.papers) + len(graph.report.skipped) == len(titles)
    assert len({to_iri(node) for node in graph.papers}) == len(graph.papers) >= len(titles) - 1
    assert list(graph.papers) == list(again.papers)
    assert all(node.removeprefix("paper:").strip() for node in graph.papers)


def test_papers_without_ids_are_all_kept_and_never_a_concept(built: Built) -> None:
    graph, again = (make(built, "gr4_ids_from_names.jsonl") for _ in range(2))

    assert len(graph.papers) + len(graph.report.skipped) == 8
    assert {one.title for one in graph.papers.values()} >= {"注意力机制", "知识图谱", "set_山", "set_川", "🤗"}
    assert list(graph.papers) == list(again.papers)
    assert len({to_iri(node) for node in (*graph.papers, *graph.concepts)}) == len(graph.papers) + len(graph.concepts)
    paper = next(one for one in graph.papers.values() if one.title == "Topic models")
    concept = find(graph, "topic models")
    assert to_iri(paper.id) != to_iri(concept.id)
    assert len(find_papers(graph, concept)) >= 3


# RB2: same input, same bytes.
@pytest.mark.parametrize(
    "seed", ["0", pytest.param("1", marks=pytest.mark.slow), pytest.param("2", marks=pytest.mark.slow)]
)
def test_hash_seed_and_folder_do_not_change_a_byte(built: Built, tmp_path: Path, seed: str) -> None:
    elsewhere = copy_inputs(tmp_path / "elsewhere" / "deep", *_TOGETHER)
    write(built(copy_inputs(tmp_path / "here", *_TOGETHER)), tmp_path / "out")

    done = run("build", *elsewhere, "--out", "mine", folder=elsewhere[0].parent, PYTHONHASHSEED=seed)

    assert done.returncode == 0, done.stderr
    assert read_files(elsewhere[0].parent / "mine") == read_files(tmp_path / "out")


def test_lines_in_another_order_give_the_same_bytes(built: Built, tmp_path: Path) -> None:
    paths = copy_inputs(tmp_path / "here", *_TOGETHER)
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines(keepends=True)]
    for number in range(2):
        random.Random(number).shuffle(lines)
        path = tmp_path / f"shuffled{number}.jsonl"
        path.write_text("".join(lines), encoding="utf-8")
        write(built(path), tmp_path / str(number))

    assert read_files(tmp_path / "0") == read_files(tmp_path / "1")


def test_no_output_holds_a_path_of_this_machine(built: Built, tmp_path: Path) -> None:
    write(built(copy_inputs(tmp_path / "here", *_TOGETHER)), tmp_path / "out")

    for name, content in read_files(tmp_path / "out").items():
        assert str(tmp_path).encode() not in content, name
        assert str(ROOT).encode() not in content, name


# RB4: very long, very empty.
def test_odd_sizes_neither_stop_a_build_nor_change_the_papers_around(built: Built, tmp_path: Path) -> None:
    first = Paper(id="first", title="First", abstract="We propose LoDA, a method for continual learning on ImageNet.")
    last = Paper(id="last", title="Last", abstract="We use graph attention for image captioning.")
    odd = {
        "long": "We use LoRA for image captioning, and so on and on without an end. " * 400,
        "endless": "graph attention of " * 1_500,
        "word": "Lo" * 10_000,
        "empty": "",
        "blank": " \t\n ",
        "marks": "?! … , ; ( [ { — ' \" ` ~ * _ # $ \\ ",
    }
    papers = [first, *(Paper(id=name, title="T" * 400, abstract=text) for name, text in odd.items()), last]

    graph, alone = built(papers), built([first, last])

    assert len(graph.papers) == len(papers)
    for one in (first, last):
        assert find_roles(graph, one.id) == find_roles(alone, one.id) != set()
    assert max(map(len, to_all_labels(graph))) <= _LONGEST
    assert "LoRA" in to_all_labels(graph)
    assert [find_roles(graph, f"paper:{name}") for name in ("empty", "blank", "marks", "word")] == [set()] * 4
    assert graph.papers["paper:long"].title == "T" * 400
    for format in FORMATS:
        export(graph, format, tmp_path / format)


def test_a_definition_longer_than_a_label_makes_no_label(built: Built) -> None:
    long = "x-ray " + "reconstruction of extremely and remarkably " * 3 + "acquisition"
    graph = built([Paper(id="1", abstract=f"We use XRA ({long}) for image captioning.")])

    assert max(map(len, to_all_labels(graph))) <= _LONGEST


def test_a_pile_of_papers_with_nothing_in_them_is_a_graph(built: Built, tmp_path: Path) -> None:
    graph = built([Paper(id="1"), Paper(id="2", title="…"), Paper(id="3", abstract="It is.")])

    write(graph, tmp_path / "out")

    assert (len(graph.papers), len(graph.concepts), graph.relations) == (3, 0, ())


# HV4: UTF-8 everywhere.
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
        pytest.param({"PYTHONIOENCODING": "cp1252"}, marks=pytest.mark.slow),
    ],
    ids=["C locale", "cp1252"],
)
def test_files_are_utf8_whatever_the_locale(built: Built, tmp_path: Path, environment: Mapping[str, str]) -> None:
    (path,) = copy_inputs(tmp_path / "in", "hv4_unicode.jsonl")
    write(built(path), tmp_path / "out")

    done = run("build", path, "--out", tmp_path / "mine", folder=tmp_path, **environment)
    shown = run("show", tmp_path / "mine", "β-VAE", folder=tmp_path, **environment)

    assert (done.returncode, shown.returncode) == (0, 0), (done.stderr, shown.stderr)
    files = read_files(tmp_path / "mine")
    assert files == read_files(tmp_path / "out")
    for name in ("graph.html", "graph.json", "graph.ttl", "graph.graphml", "report.json"):
        assert files[name].decode("utf-8")
    assert b'<meta charset="utf-8">' in files["graph.html"].lower()
    assert "Erdős–Rényi" in shown.stdout.decode("utf-8")


def test_papers_are_joined_by_concepts_and_not_by_their_predicates(built: Built) -> None:
    graph = make(built, "gr1_attributes.jsonl")

    (joined,) = [one for one in graph.relations if one.predicate is Predicate.RELATED_TO]
    assert [graph.concepts[node].label for node in joined.via] == ["uncertainty estimation"]


def test_an_inverted_index_becomes_text_and_nulls_become_nothing() -> None:
    path = INPUTS / "in5_openalex.json"
    if not path.is_file():
        pytest.skip("the inputs of cases are not part of the repository")

    papers = [clean_paper(one) for one in read_papers([path]) if isinstance(one, Paper)]

    assert [one.abstract for one in papers] == [
        "We train graph attention networks and we compare graph attention networks with graph kernels on Q&A tasks .",
        "",
        "Results at k=7 improve : 10.5 points",
    ]
    assert papers[1].label == papers[1].id.removeprefix("paper:")
    assert "<" not in papers[2].title
