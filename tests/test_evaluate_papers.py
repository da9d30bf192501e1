"""Concepts of papers against lists of names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.errors import InputError
from kg.evaluate import evaluate_papers
from kg.model import ConceptType

_ORKG = Path(__file__).parents[2] / "shared" / "bench" / "orkg_tdm"


def write(path: Path, **listed: list[str]) -> Path:
    """Write one paper with lists of names by type."""
    text = "Question answering\nWe evaluate on SQuAD by F1 score."
    path.write_text(json.dumps({"text": text, "doc_labels": listed}) + "\n", encoding="utf-8")
    return path


def test_recall_is_told_by_type_and_for_what_the_text_names(tmp_path: Path) -> None:
    scores = evaluate_papers(write(tmp_path / "g.jsonl", task=["Question Answering"], dataset=["SQUAD", "TriviaQA"]))

    assert (scores.total.named, scores.total.named_gold) == (1.0, 2)
    assert (scores.by_type[ConceptType.DATASET].all, scores.by_type[ConceptType.DATASET].all_gold) == (0.5, 2)


@pytest.mark.parametrize("record", ["[]", '{"text": "x"}', '{"text": "x", "doc_labels": {"colour": ["red"]}}'])
def test_what_is_no_list_is_refused(tmp_path: Path, record: str) -> None:
    (tmp_path / "g.jsonl").write_text(record + "\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"g\.jsonl:1: no record"):
        evaluate_papers(tmp_path / "g.jsonl")


def test_the_command_prints_a_table(tmp_path: Path) -> None:
    shown = CliRunner().invoke(main, ["eval", str(write(tmp_path / "g.jsonl", dataset=["SQuAD"])), "--lists"])

    assert shown.exit_code == 0
    assert shown.output.splitlines()[-1].split() == ["Dataset", "1.000", "1", "1.000", "1"]


@pytest.mark.slow
@pytest.mark.skipif(not _ORKG.is_dir(), reason="the lists of papers are not here")
def test_most_of_what_a_text_names_is_found() -> None:
    assert evaluate_papers(_ORKG / "test.jsonl").total.named >= 0.5
