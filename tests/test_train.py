"""Tests of training: on a tiny set, whether a run is whole, can be repeated and goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import spacy
from click.testing import CliRunner

from kg.build import build
from kg.cli import main
from kg.errors import ExportError, InputError
from kg.evaluate import Gold
from kg.extract import DEFAULT_MODEL
from kg.model import ConceptType, Paper
from kg.train import train
from kg.train.docs import to_gold_docs, to_plain_docs

if TYPE_CHECKING:
    from spacy.language import Language

WORLD = Path(__file__).parent / "data"
METHOD, DATASET = ConceptType.METHOD, ConceptType.DATASET


@pytest.fixture(scope="module")
def teacher() -> Language:
    """Return the pipeline that tags and parses."""
    return spacy.load(DEFAULT_MODEL, exclude=["ner", "lemmatizer"])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Return a file of twenty annotated sentences that all have one pattern."""
    names = ["BERT", "LoDA", "GPT-2", "ResNet", "Adam", "SoMA", "CLIP", "T5", "LoRA", "DIVA"]
    rows = []
    for place in range(20):
        name, data = names[place % 10], names[(place * 7 + 3) % 10] + "Bench"
        text = f"We train {name} on {data}."
        spans = [[9, 9 + len(name), "SYSTEM"], [text.index(data), text.index(data) + len(data), "Dataset"]]
        rows.append(json.dumps({"text": text, "spans": spans}))
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_spans_become_entities_at_the_edges_of_tokens(teacher: Language) -> None:
    text = "We pre-train BERT-like models on SQuAD2. They work."
    spans = ((13, 17, METHOD), (13, 29, METHOD), (33, 38, DATASET))

    first, second = to_gold_docs([Gold("a", text, spans)], teacher)

    assert [(one.text, one.label_) for one in first.ents] == [("BERT-like models", "Method"), ("SQuAD2", "Dataset")]
    assert (second.text, second.ents) == ("They work.", ())
    assert first[0].tag_ == "PRP"
    assert first.has_annotation("DEP")


def test_a_span_of_no_type_of_ours_is_left_open(teacher: Language) -> None:
    (doc,) = to_gold_docs([Gold("a", "We use a widget.", ((9, 15, None),))], teacher)

    assert [token.ent_iob_ for token in doc] == ["O", "O", "O", "", "O"]


def test_papers_without_annotation_leave_all_entities_open(teacher: Language) -> None:
    docs = list(to_plain_docs([WORLD / "papers.jsonl"], teacher))

    assert len(docs) > 5
    assert {token.ent_iob_ for doc in docs for token in doc} == {""}


def test_too_few_texts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"text": "BERT", "spans": [[0, 4, "Method"]]}', encoding="utf-8")

    with pytest.raises(InputError, match="too few"):
        train([path], tmp_path / "model")


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, gold: Path) -> None:
    (tmp_path / "thesis").mkdir()

    with pytest.raises(ExportError, match="holds no model of ours"):
        train([gold], tmp_path / "thesis")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        train([tmp_path / "nowhere.jsonl"], tmp_path / "model")


@pytest.mark.slow
def test_what_was_trained_finds_the_pattern_and_is_used_by_build(tmp_path: Path, gold: Path) -> None:
    out = tmp_path / "model"
    arguments = ["train", str(gold), "--map", "SYSTEM=Method", "--out", str(out), "--steps", "120"]

    result = CliRunner().invoke(main, [*arguments, "--plain", str(WORLD / "papers.jsonl")])

    assert result.exit_code == 0, result.output
    facts = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert facts["gold"].keys() == {"gold.jsonl"}
    assert facts["held_out"]["ents_f"] > 0.9
    assert str(tmp_path) not in (out / "config.cfg").read_text(encoding="utf-8")
    assert not (tmp_path / ".model.training").exists()
    graph = build([Paper(id="1", abstract="We train a wug on blicket.")], model=str(out))
    assert graph.report.settings["model"].startswith("model ")


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on(tmp_path: Path, gold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = {"SYSTEM": "Method"}

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kg.train._finish", stop)
    with pytest.raises(KeyboardInterrupt):
        train([gold], tmp_path / "model", labels=labels, steps=8)
    assert (tmp_path / ".model.training" / "step").read_text() == "8"
    monkeypatch.undo()

    scores = train([gold], tmp_path / "model", labels=labels, steps=8)

    assert set(scores) >= {"ents_f", "tag_acc", "dep_las"}
    assert (tmp_path / "model" / "training.json").is_file()


@pytest.mark.slow
def test_the_same_run_gives_the_same_weights(tmp_path: Path, gold: Path) -> None:
    for name in ("one", "two"):
        train([gold], tmp_path / name, labels={"SYSTEM": "Method"}, steps=8)

    for part in ("tok2vec", "tagger", "parser", "ner"):
        assert (tmp_path / "one" / part / "model").read_bytes() == (tmp_path / "two" / part / "model").read_bytes()
