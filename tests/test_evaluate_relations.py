"""Relations against those that people marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.errors import InputError
from kg.evaluate import evaluate_relations, read_gold, score_relations
from kg.model import ConceptType, Predicate

_METHOD, _DATASET, _TASK, _METRIC = ConceptType
Span = tuple[int, int, ConceptType | None]

_BERT: Span = (0, 4, _METHOD)
_SQUAD: Span = (8, 13, _DATASET)
_PARSING: Span = (20, 27, _TASK)
_SCIER = Path(__file__).parents[2] / "shared" / "bench" / "scier"


def write(path: Path, *relations: tuple[int, int, str], text: str = "BERT for parsing.") -> Path:
    """Write one annotated text whose spans are the first and the last word."""
    record = {"id": "1", "text": text, "spans": [[0, 4, "Method"], [9, 16, "Task"]], "relations": relations}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def test_a_relation_counts_with_its_ends_and_direction() -> None:
    gold = [{(_BERT, Predicate.EVALUATED_ON, _SQUAD), (_BERT, Predicate.USED_FOR, _PARSING)}]
    found = [{(_BERT, Predicate.EVALUATED_ON, _SQUAD): 0.8, (_PARSING, Predicate.USED_FOR, _BERT): 0.6}]

    scores = score_relations(gold, found)

    assert (scores.relations.precision, scores.relations.recall) == (0.5, 0.5)
    assert scores.by_predicate[Predicate.EVALUATED_ON].f1 == 1.0
    assert scores.calibration_error == pytest.approx((0.2 + 0.6) / 2)


def test_a_wrong_type_counts_where_types_do_not() -> None:
    task: Span = (0, 4, _TASK)
    found = [{(task, Predicate.EVALUATED_ON, _SQUAD): 0.8}]

    scores = score_relations([{(_BERT, Predicate.EVALUATED_ON, _SQUAD)}], found)

    assert (scores.relations.f1, scores.untyped.f1) == (0.0, 1.0)


def test_a_kind_that_nobody_marked_does_not_count() -> None:
    found = [{(_BERT, Predicate.EVALUATED_ON, _SQUAD): 0.8, (_BERT, Predicate.TRAINED_ON, _SQUAD): 0.8}]

    scores = score_relations([{(_BERT, Predicate.EVALUATED_ON, _SQUAD)}], found)

    assert (scores.relations.precision, scores.untyped.precision) == (1.0, 1.0)
    assert scores.calibration_error == pytest.approx(0.2)


def test_given_names_are_related(tmp_path: Path) -> None:
    gold = list(read_gold(write(tmp_path / "gold.jsonl", (0, 1, "Used-For"))))

    assert evaluate_relations(gold, given=True).relations.f1 == 1.0


def test_labels_can_be_explained(tmp_path: Path) -> None:
    gold = list(read_gold(write(tmp_path / "gold.jsonl", (0, 1, "Serves"))))

    assert evaluate_relations(gold, given=True, labels={"Serves": "usedFor"}).relations.gold == 1


@pytest.mark.parametrize(
    ("label", "labels", "message"),
    [
        ("Serves", {}, "--map Serves=usedFor"),
        ("Serves", {"Serves": "serves"}, "choose one of"),
        ("Synonym-Of", {}, "no"),
    ],
)
def test_what_is_no_relation_is_refused(tmp_path: Path, label: str, labels: dict[str, str], message: str) -> None:
    gold = list(read_gold(write(tmp_path / "gold.jsonl", (0, 1, label))))

    with pytest.raises(InputError, match=message):
        evaluate_relations(gold, given=True, labels=labels)


@pytest.mark.slow
@pytest.mark.skipif(not _SCIER.is_dir(), reason="the annotated texts of SciER are not here")
def test_relations_of_given_names_are_mostly_right_and_their_confidence_true() -> None:
    scores = evaluate_relations(read_gold(_SCIER / "test.jsonl"), given=True)

    assert scores.relations.f1 >= 0.45
    assert scores.relations.precision >= 0.6
    assert scores.calibration_error <= 0.08


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--given"], "--given is for --relations"),
        (["--texts", "x.jsonl"], "--texts is for --merges"),
        (["--lists", "--relations"], "give one"),
        (["--relations", "--alone"], "give one"),
    ],
)
def test_options_that_would_do_nothing_are_refused(tmp_path: Path, options: list[str], message: str) -> None:
    shown = CliRunner().invoke(main, ["eval", str(write(tmp_path / "gold.jsonl")), *options])

    assert shown.exit_code == 2
    assert message in shown.output
