"""Tests of the parts of speech."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import spacy
from spacy.language import Language

from kg.extract.pipeline import DEFAULT_MODEL
from kg.extract.speech import to_speech_tagger

WORLD = Path(__file__).parent / "data" / "papers.jsonl"


def test_they_are_those_of_the_attribute_ruler() -> None:
    nlp = spacy.load(DEFAULT_MODEL, exclude=["ner", "lemmatizer"])
    texts = [json.loads(line)["abstract"] for line in WORLD.read_text(encoding="utf-8").splitlines()]
    texts += ["That is what it's for, isn't it?", "But what they had done was to have it be done.", ""]
    wanted = [[token.pos_ for token in doc] for doc in nlp.pipe(texts)]

    Language.component("test_speech", func=to_speech_tagger(nlp))
    nlp.replace_pipe("attribute_ruler", "test_speech")

    assert [[token.pos_ for token in doc] for doc in nlp.pipe(texts)] == wanted


def test_a_pipeline_without_an_attribute_ruler_is_refused() -> None:
    with pytest.raises(KeyError):
        to_speech_tagger(spacy.blank("en"))
