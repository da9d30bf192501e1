"""Tests of fine-tuning: on a tiny transformer, whether a run is whole, goes on, and gives a model for build."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import spacy

torch = pytest.importorskip("torch", reason="fine-tuning needs the extra 'train'")
transformers = pytest.importorskip("transformers", reason="fine-tuning needs the extra 'train'")

from tokenizers import Tokenizer  # noqa: E402
from tokenizers.models import WordPiece  # noqa: E402
from tokenizers.normalizers import Lowercase  # noqa: E402
from tokenizers.pre_tokenizers import Whitespace  # noqa: E402

from kg.build import build  # noqa: E402
from kg.errors import ExportError  # noqa: E402
from kg.model import ConceptType, Paper  # noqa: E402
from kg.train import Sources, train, train_encoder  # noqa: E402
from kg.train.encoder import _repeat  # noqa: E402
from tests.small_gold import write_gold  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

LABELS = {"SYSTEM": "Method"}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a transformer that knows nothing."""
    folder = tmp_path_factory.mktemp("bert")
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.-"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "we", "train", "on", *letters, *(f"##{one}" for one in letters)]
    tokenizer = Tokenizer(WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    config = transformers.BertConfig(
        vocab_size=len(pieces), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    torch.manual_seed(0)
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Return a file of annotated sentences that all have one pattern."""
    pairs = [(f"Net{place % 20}", f"Set{place * 7 % 20}") for place in range(400)]
    return write_gold(tmp_path / "gold.jsonl", pairs)


def test_a_fine_tuned_encoder_finds_the_pattern_and_is_used_by_build(tmp_path: Path, gold: Path, encoder: Path) -> None:
    out = tmp_path / "model"

    scores = train_encoder(Sources([gold], labels=LABELS), out, encoder=encoder, epochs=20)

    assert scores["ents_f"] > 0.9
    assert scores["calibration_error"] < 0.2
    assert json.loads((out / "training.json").read_text(encoding="utf-8"))["encoder"] == encoder.name
    kg = build([Paper(id="1", abstract="We train Net7 on Set3.")], model=str(out))
    assert {one.label: one.type for one in kg.concepts.values()}["Net7"] is ConceptType.METHOD


def test_a_small_pipeline_learns_from_a_fine_tuned_encoder(tmp_path: Path, gold: Path, encoder: Path) -> None:
    teacher, out = tmp_path / "teacher", tmp_path / "model"
    train_encoder(Sources([gold], labels=LABELS), teacher, encoder=encoder, epochs=20)
    plain = tmp_path / "plain.jsonl"
    texts = [f"We train Net{at} on Set{at + 1}. They train well." for at in range(300)]
    plain.write_text("\n".join(json.dumps({"abstract": text}) for text in texts), encoding="utf-8")

    few = gold.with_name("few.jsonl")
    few.write_text("\n".join(gold.read_text(encoding="utf-8").splitlines()[:4]), encoding="utf-8")
    scores = train(Sources([few], plain=[plain], labels=LABELS), out, labeller=str(teacher), steps=150)

    nlp = spacy.load(out)
    assert scores["ents_f"] > 0.9
    assert nlp.vocab.vectors.shape[0] > 5
    assert nlp.vocab["train"].has_vector
    assert str(tmp_path) not in (out / "config.cfg").read_text(encoding="utf-8")
    assert [(one.text, one.label_) for one in nlp("We train Net77 on Set78.").ents] == [
        ("Net77", "Method"),
        ("Set78", "Dataset"),
    ]


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(
    tmp_path: Path, gold: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.train.encoder._SAVED_EVERY", 2)
    sources = Sources([gold], labels=LABELS)
    train_encoder(sources, tmp_path / "whole", encoder=encoder, epochs=2)
    write = torch.save

    def stop(state: dict[str, int], path: Path) -> None:
        write(state, path)
        if state["done"] == 4:
            path.replace(path.with_suffix(".pt"))
            raise KeyboardInterrupt

    monkeypatch.setattr("torch.save", stop)
    with pytest.raises(KeyboardInterrupt):
        train_encoder(sources, tmp_path / "model", encoder=encoder, epochs=2)
    monkeypatch.setattr("torch.save", write)

    train_encoder(sources, tmp_path / "model", encoder=encoder, epochs=2)

    weights = "kg_encoder/encoder.onnx"
    assert (tmp_path / "model" / weights).read_bytes() == (tmp_path / "whole" / weights).read_bytes()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path, gold: Path, encoder: Path) -> None:
    (tmp_path / "thesis").mkdir()

    with pytest.raises(ExportError, match="holds no model of ours"):
        train_encoder(Sources([gold], labels=LABELS), tmp_path / "thesis", encoder=encoder)


def test_a_small_file_is_read_more_often_than_a_large_one() -> None:
    large, small = [[(["BERT"], torch.zeros(1))]] * 900, [[(["SQuAD"], torch.ones(1))]] * 100

    texts = _repeat([large, small, []])

    assert [sum(kind == one for kind, _ in texts) for one in range(3)] == [900, 300, 0]
