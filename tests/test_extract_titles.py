"""Titles as they would stand in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract import to_sentence_case
from kg.model import Passage, Section
from tests.small_docs import to_lexicon


def lower(title: str, abstract: str = "") -> str:
    """Return a title in sentence case."""
    passages = [Passage("paper:1", Section.TITLE, 0, title), Passage("paper:1", Section.ABSTRACT, 0, abstract)]
    return to_sentence_case(passages[0], passages, to_lexicon())


@pytest.mark.parametrize(
    ("title", "abstract", "expected"),
    [
        ("Learning to Prune", "", "learning to prune"),
        ("TO PRUNE OR NOT TO PRUNE", "We prune.", "to prune or not to prune"),
        ("DEEP BERT LEARNS FAST", "We train BERT.", "deep BERT learns fast"),
        ("BERT AND GPT", "BERT and GPT.", "BERT AND GPT".replace("AND", "and")),
        ("LoRA for LLMs", "", "LoRA for LLMs"),
        ("GANs", "", "GANs"),
    ],
)
def test_words_of_a_title_are_written_as_in_a_sentence(title: str, abstract: str, expected: str) -> None:
    assert lower(title, abstract) == expected


@given(st.text(), st.text())
def test_offsets_stay(title: str, abstract: str) -> None:
    assert len(lower(title, abstract)) == len(title)
