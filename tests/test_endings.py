"""Endings: which words are plurals, and which spellings are British."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.endings import to_american, to_singular


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("scenarios", "scenario"),
        ("videos", "video"),
        ("cameras", "camera"),
        ("caches", "cache"),
        ("movies", "movie"),
        ("biases", "bias"),
        ("viruses", "virus"),
        ("spectra", "spectrum"),
        ("equilibria", "equilibrium"),
        ("hypotheses", "hypothesis"),
        ("automata", "automaton"),
        ("heroes", "hero"),
        ("branches", "branch"),
        ("poses", "pose"),
        ("clauses", "clause"),
    ],
)
def test_plurals_that_end_otherwise_have_their_singular(plural: str, singular: str) -> None:
    assert to_singular(plural) == singular
    assert to_singular(plural.capitalize()) == singular


@pytest.mark.parametrize("plural", ["GPUs", "APIs", "SAEs", "ELBOs", "LoRAs", "MLPs"])
def test_a_small_s_after_capitals_is_a_plural_whatever_the_letters(plural: str) -> None:
    assert to_singular(plural) == plural[:-1].casefold()


@pytest.mark.parametrize("word", ["atlas", "chaos", "canvas", "pandas", "Cosmos", "dynamics", "SARS", "corpus"])
def test_words_that_only_end_like_plurals_stay(word: str) -> None:
    assert to_singular(word) == word.casefold()


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("tumour", "tumor"),
        ("vapour", "vapor"),
        ("centre", "center"),
        ("kilometre", "kilometer"),
        ("analyse", "analyze"),
        ("dialogue", "dialog"),
        ("defence", "defense"),
        ("artefact", "artifact"),
        ("greyscale", "grayscale"),
        ("amortised", "amortized"),
        ("generalisable", "generalizable"),
        ("leukaemia", "leukemia"),
        ("paediatric", "pediatric"),
        ("oestrogen", "estrogen"),
    ],
)
def test_british_words_have_the_american_spelling(british: str, american: str) -> None:
    assert to_american(british) == american == to_american(american)


@pytest.mark.parametrize(
    "word", ["contour", "hour", "tour", "source", "noise", "precise", "daemon", "aesthetic", "poet", "genre", "science"]
)
def test_words_that_are_the_same_everywhere_stay(word: str) -> None:
    assert to_american(word) == word


@given(st.text(alphabet=st.characters(codec="ascii", categories=["Ll"]), max_size=12))
def test_a_singular_in_american_spelling_stays_what_it_is(word: str) -> None:
    american = to_american(word)

    assert to_american(american) == american
