"""Tests of the measures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError, ModelError
from kg.evaluate import Gold, evaluate_graph, format_scores, read_gold
from kg.evaluate.spans import Scores, evaluate, score_spans, to_flat
from kg.folder import load
from kg.model import ConceptType, Mention, Passage, Predicate, Section

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
METHOD, DATASET, TASK, METRIC = ConceptType.METHOD, ConceptType.DATASET, ConceptType.TASK, ConceptType.METRIC

spans = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 4), st.sampled_from(ConceptType)).map(
        lambda one: (one[0], one[0] + one[1], one[2])
    ),
    max_size=5,
    unique_by=lambda one: one[:2],
)


def write(path: Path, *records: object) -> Path:
    """Write records as JSON Lines."""
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
    return path


def test_labels_of_published_annotations_are_known_in_any_case(tmp_path: Path) -> None:
    labels = ["Material", "TASK", "dataset_name", "Metric", "Generic", "Term"]
    record = {"id": "a", "text": "x" * 12, "spans": [[2 * n, 2 * n + 2, label] for n, label in enumerate(labels)]}

    (gold,) = read_gold(write(tmp_path / "gold.jsonl", record))

    assert [kind for _, _, kind in gold.spans] == [DATASET, TASK, DATASET, METRIC, None]


def test_a_label_can_be_given_a_meaning(tmp_path: Path) -> None:
    path = write(tmp_path / "gold.jsonl", {"text": "We use X.", "spans": [[7, 8, "SYSTEM"]]})

    (gold,) = read_gold(path, labels={"system": "Method"})

    assert gold.spans == ((7, 8, METHOD),)
    with pytest.raises(InputError, match=r"gold\.jsonl:1: unknown label 'SYSTEM'.*--map"):
        list(read_gold(path))
    with pytest.raises(InputError, match="'System' is no type; choose one of Method"):
        list(read_gold(path, labels={"SYSTEM": "System"}))


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"text": "x"}', '{"text": "x", "spans": [[0]]}', '{"text": "x", "spans": [[0, 2, "Task"]]}'],
)
def test_a_line_that_is_no_annotated_text_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "gold.jsonl").write_text(f'{{"text": "", "spans": []}}\n{line}\n', encoding="utf-8")

    with pytest.raises(InputError, match=r"gold\.jsonl:2: "):
        list(read_gold(tmp_path / "gold.jsonl"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gold\.jsonl: can't be read"):
        list(read_gold(tmp_path / "gold.jsonl"))


def test_the_measures_go_from_hard_to_soft() -> None:
    gold = [((0, 4, METHOD), (10, 14, TASK), (20, 30, DATASET))]
    found = [[(0, 4, METHOD), (10, 14, METHOD), (22, 30, DATASET), (40, 44, METHOD)]]

    scores = score_spans(gold, found)

    assert scores.strict == Scores(0.25, 0.3333, 0.2857, 3)
    assert scores.untyped == Scores(0.5, 0.6667, 0.5714, 3)
    assert scores.overlap == Scores(0.75, 1.0, 0.8571, 3)
    assert scores.by_type[METHOD] == Scores(0.3333, 1.0, 0.5, 1)


def test_types_that_the_annotation_has_not_are_left_out() -> None:
    scores = score_spans([((0, 4, METHOD),)], [[(0, 4, METHOD), (10, 14, METRIC)]])

    assert scores.strict.f1 == scores.overlap.f1 == 1.0
    assert set(scores.by_type) == {METHOD}


def test_spans_of_no_type_of_ours_count_where_types_do_not() -> None:
    scores = score_spans([((0, 4, None), (6, 9, None))], [[(0, 4, METHOD)]])

    assert scores.strict.gold == 0
    assert scores.untyped.recall == 0.5
    assert scores.untyped.precision == 1.0


@given(spans)
def test_what_is_equal_scores_full_marks(marked: list[tuple[int, int, ConceptType]]) -> None:
    scores = score_spans([tuple(marked)], [list(marked)])

    expected = 1.0 if marked else 0.0
    assert scores.strict.f1 == scores.untyped.f1 == scores.overlap.f1 == expected


@given(spans, spans)
def test_a_softer_measure_is_never_lower(
    marked: list[tuple[int, int, ConceptType]], found: list[tuple[int, int, ConceptType]]
) -> None:
    found = [one for one in found if one[2] in {kind for *_, kind in marked}]

    scores = score_spans([tuple(marked)], [found])

    assert scores.strict.f1 <= scores.untyped.f1 <= scores.overlap.f1


def test_of_names_within_names_the_longest_counts() -> None:
    passage = Passage("a", Section.ABSTRACT, 10, "We prune image classification networks.")
    inner = Mention("image classification", 9, 29, TASK, Predicate.MENTIONS, 0.9, "name")
    outer = Mention("image classification networks", 9, 38, METHOD, Predicate.MENTIONS, 0.9, "chunk")

    assert list(to_flat([(passage, inner), (passage, outer)])) == [(19, 48, METHOD)]


def test_extraction_is_measured_in_the_offsets_of_the_text() -> None:
    text = "\n  We fine-tune BERT on SQuAD.  It is scored by  accuracy."
    marked = tuple(
        (text.index(name), text.index(name) + len(name), kind) for name, kind in [("BERT", METHOD), ("SQuAD", DATASET)]
    )

    scores = evaluate([Gold("a", text, marked)])

    assert scores.strict.recall == 1.0
    assert set(scores.by_type) == {METHOD, DATASET}


def test_a_recogniser_is_measured_alone() -> None:
    text = "We fine-tune BERT on ImageNet. It is new."
    marked = ((13, 17, METHOD), (21, 29, DATASET))

    scores = evaluate([Gold("a", text, marked)], alone=True)

    assert scores.strict == Scores(1.0, 1.0, 1.0, 2)


def test_a_model_without_a_recogniser_can_not_be_measured_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.evaluate.spans.load_pipeline", lambda _, *, model: spacy.blank("en"))

    with pytest.raises(ModelError, match="no recogniser that could be scored alone"):
        evaluate([Gold("a", "We use BERT.", ())], alone=True)


def test_the_table_and_the_json_say_the_same() -> None:
    scores = score_spans([((0, 4, METHOD),)], [[(0, 4, METHOD), (6, 8, METHOD)]])

    table, values = format_scores(scores), json.loads(format_scores(scores, as_json=True))

    assert table.splitlines()[1].split() == ["strict", "0.500", "1.000", "0.667", "1"]
    assert set(values) == {"strict", "untyped", "overlap"}
    assert {"precision", "recall", "f1", "by_type"} <= set(values["strict"])
    assert values["strict"]["by_type"]["Method"]["f1"] == 0.6667


def to_examples(path: Path) -> Path:
    """Write worked examples for two of the seed papers."""
    must = [
        {"names": ["FakeWorld 1.0"], "types": ["Dataset"], "relations": ["introduces"]},
        {"names": ["MLLMs"], "types": ["Task"], "relations": ["mentions"]},
        {"names": ["phlogiston"], "types": ["Method"], "relations": []},
    ]
    fake = {"n": 1, "must": must, "nice": [], "must_not": ["OmniChecker"]}
    point = {"id": "UUJQGmt5GS", "must": [], "nice": [], "must_not": []}
    links = [[1, "UUJQGmt5GS", ["MLLM"]], [1, "UUJQGmt5GS", ["phlogiston"]], [1, "UUJQGmt5GS", ["x"], "optional"]]
    path.write_text(json.dumps({"papers": [fake, point], "links": links}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def seeds() -> KnowledgeGraph:
    """Return the committed graph of the seed papers."""
    return load(ROOT / "exports" / "icml2026")


def test_a_graph_is_scored_against_worked_examples(seeds: KnowledgeGraph, tmp_path: Path) -> None:
    scores = evaluate_graph(seeds, to_examples(tmp_path / "examples.json"), ROOT / "seeds" / "icml2026.jsonl")

    assert (scores.papers, scores.recall, scores.type_accuracy, scores.relation_accuracy) == (2, 0.667, 0.5, 1.0)
    assert (scores.forbidden, scores.links) == (1, "1/2")
    assert "1: missing 'phlogiston'" in scores.faults
    assert "1: forbidden 'OmniChecker'" in scores.faults
    assert "recall" in format_scores(scores)
    assert json.loads(format_scores(scores, as_json=True))["links"] == "1/2"


def test_examples_of_other_papers_are_refused(seeds: KnowledgeGraph, tmp_path: Path) -> None:
    path = tmp_path / "examples.json"
    path.write_text(json.dumps({"papers": [{"id": "nobody", "must": [], "nice": [], "must_not": []}]}), "utf-8")

    with pytest.raises(InputError, match="paper 'nobody' is not among the papers"):
        evaluate_graph(seeds, path, ROOT / "seeds" / "icml2026.jsonl")
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="no worked examples"):
        evaluate_graph(seeds, path, ROOT / "seeds" / "icml2026.jsonl")


def test_the_scores_are_those_of_the_script_that_comes_with_the_examples(seeds: KnowledgeGraph) -> None:
    scorer, gold = SHARED / "scores/score_examples.py", SHARED / "scores/seeds_gold_sample.json"
    if not scorer.is_file():
        pytest.skip("the worked examples are not beside the checkout")
    files = [scorer, ROOT / "exports/icml2026/graph.json", gold, ROOT / "seeds/icml2026.txt"]
    command = [sys.executable, *map(str, files), "--json"]
    script = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    ours = evaluate_graph(seeds, gold, ROOT / "seeds" / "icml2026.jsonl")

    for name in ("recall", "precision", "type_accuracy", "relation_accuracy", "concepts_per_paper"):
        assert getattr(ours, name) == pytest.approx(script[name], abs=0.03), name
    assert (ours.forbidden, ours.links) == (script["forbidden"], script["links"])
