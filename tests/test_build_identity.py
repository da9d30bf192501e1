"""One record, one paper: what identifies a paper, and what only looks alike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.build import Options, survey_files, write_papers
from kg.build.identity import identify
from kg.clean import clean_paper
from kg.model import Paper
from kg.read import read_papers
from tests.small_cases import find

if TYPE_CHECKING:
    import random

    from tests.conftest import Built

TITLE = "Sparse attention for very long texts"


def join(*papers: Paper, similar: bool = False) -> tuple[list[Paper], int, int]:
    """Return the papers that are left, and how many were joined and named."""
    found = identify({one.content_hash: one for one in papers}, similar=similar)
    return sorted(found.papers.values(), key=lambda one: one.id), len(found.joined), len(found.maybe)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Paper(doi="10.1000/X"), Paper(doi="10.1000/x")),
        (Paper(url="https://arxiv.org/abs/2101.00001v2"), Paper(id="2101.00001")),
        (Paper(doi="10.48550/arXiv.2101.00001"), Paper(url="http://arxiv.org/pdf/2101.00001v1")),
        (Paper(url="https://openreview.net/forum?id=aB-9"), Paper(url="https://openreview.net/pdf?id=aB-9")),
    ],
)
def test_records_that_share_an_identifier_are_one_paper(one: Paper, other: Paper) -> None:
    papers, joined, maybe = join(replace(one, title=TITLE), replace(other, title=TITLE, abstract="We use LoRA."))

    assert (len(papers), joined, maybe) == (1, 1, 0)
    assert papers[0].abstract == "We use LoRA."


def test_what_the_fullest_record_lacks_comes_from_the_others() -> None:
    full = Paper(title=TITLE, abstract="We use LoRA.", doi="10.1000/x")
    ((paper,), *_) = join(full, Paper(title=TITLE, doi="10.1000/x", year=2021, venue="ICML", authors=("Ana Lee",)))

    assert (paper.year, paper.venue, paper.authors, paper.id) == (2021, "ICML", ("Ana Lee",), full.id)


def test_a_doi_on_two_titles_is_that_of_a_volume() -> None:
    papers, joined, _ = join(Paper(title=TITLE, doi="10.1000/x"), Paper(title="Proteins by diffusion", doi="10.1000/x"))

    assert (len(papers), joined) == (2, 0)


def test_look_alikes_are_named_and_joined_only_if_asked() -> None:
    some = [Paper(id="a", title=TITLE, year=2021, abstract="We use LoRA."), Paper(id="b", title=TITLE, year=2021)]

    assert join(*some)[1:] == (0, 1)
    assert join(*some, similar=True)[1:] == (1, 0)
    assert join(*some[:1], Paper(id="c", title=TITLE, year=2021, abstract="We use GANs."))[1:] == (0, 0)
    assert join(*some[:1], Paper(id="d", title=TITLE, year=2022))[1:] == (0, 0)


_papers = st.lists(
    st.builds(
        Paper,
        title=st.sampled_from([TITLE, "Proteins by diffusion and flow", ""]),
        abstract=st.sampled_from(["", "We use LoRA.", "We use LoRA on ImageNet."]),
        doi=st.sampled_from(["", "10.1/a", "10.1/b"]),
        url=st.sampled_from(["", "https://arxiv.org/abs/2101.00001", "https://arxiv.org/abs/2101.00002"]),
        year=st.sampled_from([None, 2021]),
    ),
    max_size=8,
)


@given(_papers, st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_count(papers: list[Paper], order: random.Random) -> None:
    shuffled = order.sample(papers, len(papers))

    assert join(*papers) == join(*shuffled)
    kept, joined, _ = join(*papers)
    assert len(kept) + joined == len({one.content_hash for one in papers})


def test_joined_records_count_once_in_the_graph(built: Built) -> None:
    papers = [
        Paper(title=TITLE, abstract="We use LoRA on ImageNet.", doi="10.1000/x"),
        Paper(title=TITLE, abstract="We use LoRA on ImageNet", doi="10.1000/X", year=2021),
    ]
    graph = built(papers)

    assert (graph.report.read, graph.report.kept, len(graph.report.skipped)) == (2, 1, 1)
    assert find(graph, "ImageNet").papers == 1
    assert "the same paper as" in graph.report.skipped[0].reason


def test_texts_in_other_languages_are_papers_without_concepts(built: Built) -> None:
    german = "Wir untersuchen neuronale Netze, die aus wenigen Beispielen lernen, und testen LoRA auf ImageNet."
    graph = built([Paper(id="de", title="Netze", abstract=german), Paper(id="en", abstract="We use LoRA on ImageNet.")])

    assert {one.subject for one in graph.relations if one.subject in graph.papers} == {"paper:en"}
    assert "another language than English (de)" in graph.report.warnings[0].reason


def test_rules_can_ask_for_similar_records_to_be_joined(built: Built) -> None:
    some = [Paper(id="a", title=TITLE, year=2021, abstract="We use LoRA."), Paper(id="b", title=TITLE, year=2021)]

    assert len(built(some, options=Options(merge_similar=True)).papers) == 1
    assert len(built(some).papers) == 2


_words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


_names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


@settings(max_examples=150, deadline=None)
@given(_words, _words, st.lists(_names, max_size=3), st.sampled_from([None, 1999, 2026]))
def test_any_paper_survives_being_written_and_read(
    title: str, abstract: str, names: list[str], year: int | None
) -> None:
    paper = clean_paper(Paper(id="7", title=title, abstract=abstract, authors=tuple(names), year=year))
    with TemporaryDirectory() as folder:
        write_papers([paper], Path(folder) / "papers.jsonl")
        (read,) = read_papers([Path(folder) / "papers.jsonl"])

    assert isinstance(read, Paper)
    assert clean_paper(read) == paper


def test_a_survey_tells_of_each_file_what_became_of_its_records(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_text("TY  - JOUR\nTI  - One\nER  - \nTY  - JOUR\nER  - \n")
    german = "Wir untersuchen neuronale Netze. " * 4
    (tmp_path / "b.jsonl").write_text('{"title": "One"}\n' + json.dumps({"title": "Zwei", "abstract": german}) + "\n")

    survey = survey_files([tmp_path], options=Options())

    assert [(one.file, one.format) for one in survey.files] == [("a.ris", "RIS"), ("b.jsonl", "json lines")]
    assert len(survey.papers) + len(survey.skipped) == 4
    lines = list(survey.format())
    assert lines[1].split() == ["a.ris", "RIS", "utf-8", "2", "1", "0", "1"]
    assert any("not in English: 1 de" in line for line in lines)
    assert any("a.ris:4: no title, abstract or id" in line for line in lines)
