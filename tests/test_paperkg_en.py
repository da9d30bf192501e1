"""Tests of the pipeline that comes with the package: that it is what its description says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import spacy

from kg.evaluate import evaluate, read_gold
from kg.extract import DEFAULT_MODEL

MODEL = Path(DEFAULT_MODEL)
BENCH = Path(__file__).parents[2] / "shared" / "bench"


def test_it_is_small_and_names_no_place_where_it_was_made() -> None:
    assert sum(path.stat().st_size for path in MODEL.rglob("*")) < 20_000_000
    config = (MODEL / "config.cfg").read_text(encoding="utf-8")
    assert not re.search(r"= *\"/", config)


def test_spacy_alone_loads_it_and_finds_names_and_noun_chunks() -> None:
    nlp = spacy.load(MODEL)

    doc = nlp("We train the graph transformer Zorbel on ImageNet and report its accuracy.")

    assert {(one.text, one.label_) for one in doc.ents} >= {("ImageNet", "Dataset"), ("accuracy", "Metric")}
    assert [one.text for one in doc.noun_chunks][:1] == ["We"]
    assert [token.pos_ for token in doc][:3] == ["PRON", "VERB", "DET"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "strict", "overlap"),
    [("scier/test", 0.65, 0.88), ("scier/test_ood", 0.60, 0.80), ("tdmsci/test", 0.45, 0.75)],
)
def test_it_recognises_what_annotators_marked(file: str, strict: float, overlap: float) -> None:
    path = BENCH / f"{file}.jsonl"
    if not path.is_file():
        pytest.skip("the annotations are not part of the repository")

    scores = evaluate(read_gold(path), alone=True)

    assert scores.strict.f1 >= strict
    assert scores.overlap.f1 >= overlap
