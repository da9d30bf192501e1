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
from kg.extract.tags import CHANCES, TAGS
from kg.model import ConceptType, Paper
from kg.train import Sources, train
from kg.train.corpus import read_corpus
from kg.train.pipeline import _hear, write_docs
from kg.train.sources import complete, read_plain, thin
from kg.train.texts import to_docs
from kg.train.vectors import WordMeans
from tests.small_gold import write_gold

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

WORLD = Path(__file__).parent / "data"
METHOD, DATASET = ConceptType.METHOD, ConceptType.DATASET


@pytest.fixture(scope="module")
def parser() -> Language:
    """Return the pipeline that tags and parses."""
    return spacy.load(DEFAULT_MODEL, exclude=["ner", "lemmatizer"])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Return a file of twenty annotated sentences that all have one pattern."""
    names = ["BERT", "LoDA", "GPT-2", "ResNet", "Adam", "SoMA", "CLIP", "T5", "LoRA", "DIVA"]
    pairs = [(names[place % 10], names[(place * 7 + 3) % 10] + "Bench") for place in range(20)]
    return write_gold(tmp_path / "gold.jsonl", pairs)


def read_tags(doc: Doc) -> list[str]:
    """Return the likeliest tag of each token, "" where all are open."""
    chances = doc.user_data[CHANCES]
    return [TAGS[one.argmax()] if one.any() else "" for one in chances]


def test_spans_become_tags_at_the_edges_of_tokens(parser: Language) -> None:
    text = "We pre-train BERT-like models on SQuAD2. They work."
    spans = ((13, 17, METHOD), (13, 29, METHOD), (33, 38, DATASET))

    ((one, tags), (other, none)), *_ = to_docs([Gold("a", text, spans)], parser)

    named = [(token.text, TAGS[tag]) for token, tag in zip(one, tags, strict=True) if tag]
    assert named == [
        ("BERT", "B-Method"),
        ("-", "I-Method"),
        ("like", "I-Method"),
        ("models", "L-Method"),
        ("SQuAD2", "U-Dataset"),
    ]
    assert (other.text, none.tolist()) == ("They work.", [0, 0, 0])


def test_what_is_written_to_train_on_has_names_or_a_parse(tmp_path: Path, parser: Language) -> None:
    gold = Gold("a", "We use a widget and BERT.", ((9, 15, None), (20, 24, METHOD)))

    write_docs(tmp_path / "docs.spacy", [gold], read_plain([WORLD / "papers.jsonl"]), parser, None)

    first, *others = read_corpus(tmp_path / "docs.spacy", parser.vocab)
    assert read_tags(first) == ["O", "O", "O", "", "O", "U-Method", "O"]
    assert (first.ents[0].text, first.has_annotation("DEP")) == ("BERT", False)
    assert len(others) > 5
    assert all(doc.has_annotation("DEP") and doc[0].tag_ for doc in others)
    assert {tag for doc in others for tag in read_tags(doc)} == {""}


@pytest.mark.parametrize(
    ("marked", "tags"),
    [([0, 5], "Method"), ([0], None)],
    ids=["marked in most places, marked in all", "marked once, open elsewhere"],
)
def test_repeats_that_annotators_forgot_are_completed(marked: list[int], tags: str | None) -> None:
    gold = Gold("a", "BERT BERT BERTs", tuple((start, start + 4, METHOD) for start in marked))

    spans = complete(gold).spans

    assert [(start, kind) for start, _, kind in spans] == [(0, METHOD), (5, tags)]


def test_what_was_forgotten_in_most_places_is_left_open() -> None:
    gold = Gold("a", "BERT, BERT, BERT, BERT and BERT", ((0, 4, METHOD), (6, 10, METHOD)))

    assert [kind for *_, kind in complete(gold).spans] == [METHOD, METHOD, None, None, None]


def test_a_name_inside_a_marked_one_is_left_as_it_is() -> None:
    gold = Gold("a", "BERT model and BERT", ((0, 10, METHOD), (15, 19, METHOD)))

    assert complete(gold) == gold


def test_of_long_texts_few_sentences_are_watched() -> None:
    gold = Gold("a", "We use BERT. " * 9000, tuple((13 * at + 7, 13 * at + 11, METHOD) for at in range(9000)))

    watched = thin([gold])

    assert 1500 < len(watched) < 2500
    assert {(one.text, one.spans) for one in watched} == {("We use BERT.", ((7, 11, METHOD),))}


def test_too_few_texts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"text": "BERT", "spans": [[0, 4, "Method"]]}', encoding="utf-8")

    with pytest.raises(InputError, match="too few"):
        train(Sources([path]), tmp_path / "model")


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, gold: Path) -> None:
    (tmp_path / "thesis").mkdir()

    with pytest.raises(ExportError, match="holds no model of ours"):
        train(Sources([gold]), tmp_path / "thesis")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        train(Sources([tmp_path / "nowhere.jsonl"]), tmp_path / "model")


@pytest.mark.slow
def test_what_was_trained_finds_the_pattern_and_is_used_by_build(tmp_path: Path, gold: Path) -> None:
    out = tmp_path / "model"
    arguments = ["train", str(gold), "--map", "SYSTEM=Method", "--out", str(out), "--steps", "120"]

    result = CliRunner().invoke(main, [*arguments, "--plain", str(WORLD / "papers.jsonl")])

    assert result.exit_code == 0, result.output
    facts = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert [name for name, _ in facts["gold"]] == ["gold.jsonl"]
    assert facts["held_out_scores"]["ents_f"] > 0.9
    assert str(tmp_path) not in (out / "config.cfg").read_text(encoding="utf-8")
    assert not (tmp_path / ".model.training").exists()
    graph = build([Paper(id="1", abstract="We train a wug on blicket.")], model=str(out))
    assert graph.report.settings["model"].startswith("model ")


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on(tmp_path: Path, gold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = Sources([gold], labels={"SYSTEM": "Method"})

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kg.train.finish", stop)
    with pytest.raises(KeyboardInterrupt):
        train(sources, tmp_path / "model", steps=8)
    assert (tmp_path / ".model.training" / "step").read_text() == "8"
    monkeypatch.undo()

    scores = train(sources, tmp_path / "model", steps=8)

    assert set(scores) >= {"ents_f", "tag_acc", "dep_las"}
    assert (tmp_path / "model" / "training.json").is_file()


@pytest.mark.slow
def test_the_same_run_gives_the_same_weights(tmp_path: Path, gold: Path) -> None:
    for name in ("one", "two"):
        train(Sources([gold], labels={"SYSTEM": "Method"}), tmp_path / name, steps=8)

    for part in ("tok2vec", "tagger", "parser", "kg_recogniser"):
        assert (tmp_path / "one" / part / "model").read_bytes() == (tmp_path / "two" / part / "model").read_bytes()


def test_a_labeller_reads_texts_of_any_vocabulary(parser: Language) -> None:
    (chances,) = _hear([spacy.blank("en")("We use BERT on SQuAD.")], parser, WordMeans())

    assert chances.shape == (6, len(TAGS))
    assert chances[2, TAGS.index("U-Method")] > 0.5
