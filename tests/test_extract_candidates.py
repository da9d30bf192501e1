"""Candidates: which stretches of a parsed passage may name a concept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from spacy.tokens import Span

from kg.extract.candidate import Candidate, is_capitalised
from kg.extract.candidates import find_candidates
from kg.extract.named import find_named
from kg.extract.words import find_words
from kg.model import ConceptType
from kg.names import fold_name
from tests.small_docs import to_doc, to_lexicon, to_plain_doc

if TYPE_CHECKING:
    from spacy.tokens import Doc

_DATASETS = """
    We          PRON  PRP nsubj    1
    evaluate    VERB  VBP ROOT     1
    on          ADP   IN  prep     1
    the         DET   DT  det      7
    MNIST       PROPN NNP nmod     7
    ~,          PUNCT ,   punct    4
    ImageNet    PROPN NNP conj     4
    datasets    NOUN  NNS pobj     2
    ~.          PUNCT .   punct    1
"""
_NOVEL = """
    We          PRON  PRP nsubj    1
    propose     VERB  VBP ROOT     1
    a           DET   DT  det      7
    novel       ADJ   JJ  amod     7
    graph       NOUN  NN  npadvmod 6
    ~-          PUNCT HYPH punct   6
    ~based      VERB  VBN amod     7
    network     NOUN  NN  dobj     1
    for         ADP   IN  prep     1
    image       NOUN  NN  compound 10
    captioning  NOUN  NN  pobj     8
    ~.          PUNCT .   punct    1
"""


def find(doc: Doc, *long_forms: str) -> dict[str, Candidate]:
    """Return the candidates of a document by surface."""
    forms = frozenset(map(fold_name, long_forms))
    return {one.surface: one for one in find_candidates(doc, find_words(doc), to_lexicon(), forms)}


def test_determiners_and_words_that_judge_are_cut_off_the_front() -> None:
    found = find(to_doc(_NOVEL))

    assert set(found) == {"graph-based network", "image captioning"}
    assert "novel" in found["graph-based network"].determiner.split()


def test_a_list_gives_a_candidate_for_each_name_and_none_for_the_whole() -> None:
    doc = to_doc(_DATASETS)
    doc.ents = (Span(doc, 6, 7, label="Dataset"),)

    found = find(doc)

    assert set(found) == {"MNIST", "ImageNet"}
    assert found["ImageNet"].source == "name"
    assert found["MNIST"].source == "coined"


def test_the_word_after_a_name_gives_its_type() -> None:
    doc = to_doc(
        """
        the      DET   DT  det      2
        LoDA     PROPN NNP compound 2
        dataset  NOUN  NN  nsubj    3
        helps    VERB  VBZ ROOT     3
        """
    )

    assert find(doc)["LoDA"].type is ConceptType.DATASET


def test_an_apposition_gives_a_name_its_type() -> None:
    doc = to_doc(
        """
        We         PRON  PRP nsubj    1
        propose    VERB  VBP ROOT     1
        SoMA       PROPN NNP dobj     1
        ~,         PUNCT ,   punct    2
        a          DET   DT  det      6
        new        ADJ   JJ  amod     6
        benchmark  NOUN  NN  appos    2
        ~.         PUNCT .   punct    1
        """
    )

    assert find(doc)["SoMA"].type is ConceptType.DATASET


def test_a_version_belongs_to_the_name_before_it() -> None:
    assert "FakeWorld 1.0" in find(to_plain_doc("We present FakeWorld 1.0 here"))
    assert "AIME 2024" in find(to_plain_doc("results on AIME 2024 rise"))


@pytest.mark.parametrize("version", ["1.1", "v2", "2019", "2"])
def test_a_version_belongs_to_a_curated_name_too_and_keeps_its_type(version: str) -> None:
    doc = to_plain_doc(f"tests on SQuAD {version} and more")
    doc.ents = (Span(doc, 2, 3, label="Dataset"),)

    found = find(doc)

    assert found[f"SQuAD {version}"].type is ConceptType.DATASET
    assert "SQuAD" not in found


def test_a_digit_that_counts_what_follows_is_no_version() -> None:
    doc = to_doc("run VERB VB ROOT 0\nLoDA PROPN NNP dobj 0\n2 NUM CD nummod 3\ntimes NOUN NNS npadvmod 0")

    assert "LoDA" in find(doc)


@pytest.mark.parametrize("surface", ["BERT-large", "Qwen2-instruct", "Phi2-mini", "ViT-base"])
def test_the_size_of_a_model_is_a_part_of_its_name(surface: str) -> None:
    assert find(to_plain_doc(f"we distil {surface} here"))[surface].source == "coined"


def test_a_curated_name_in_small_letters_ends_a_longer_one() -> None:
    doc = to_doc(
        """
        for         ADP  IN  ROOT     0
        speech      NOUN NN  compound 3
        model       NOUN NN  compound 3
        captioning  NOUN NN  pobj     0
        """
    )
    doc.ents = (Span(doc, 3, 4, label="Task"),)

    assert "speech model captioning" in find(doc)


def test_names_between_slashes_are_several() -> None:
    found = find(to_plain_doc("tests on MOSEI/MELD rise"))

    assert {"MOSEI", "MELD"} <= set(found)
    assert not any("/" in surface for surface in found)


@pytest.mark.parametrize("text", ["LoRA-based tuning", "a Mamba-enhanced encoder"])
def test_the_name_in_a_compound_is_a_candidate_of_its_own(text: str) -> None:
    name = text.removeprefix("a ").split("-")[0]

    found = find(to_plain_doc(text))

    assert found[name].outer.startswith(f"{name}-")


@pytest.mark.parametrize(
    "text", ["high-TV motions", "AI-generated media", "a 3.5x gain", "about 100K samples", "85% of all"]
)
def test_descriptions_and_quantities_are_no_coined_names(text: str) -> None:
    assert not [one for one in find(to_plain_doc(text)).values() if one.source == "coined"]


def test_the_long_form_of_an_acronym_is_found_whole_and_its_parts_are_not() -> None:
    doc = to_doc(
        """
        A         DET  DT  det   5
        maximum   ADJ  JJ  amod  5
        a         DET  DT  det   3
        posteriori NOUN NN compound 5
        MAP       PROPN NNP compound 5
        estimate  NOUN NN  ROOT  5
        """
    )

    found = find(doc, "maximum a posteriori")

    assert found["maximum a posteriori"].source == "acronym"
    assert "posteriori" not in found


def test_a_name_in_a_longer_one_knows_what_it_is_a_part_of() -> None:
    doc = to_doc(
        """
        an        DET   DT  det      2
        ImageNet  PROPN NNP compound 2
        network   NOUN  NN  nsubj    3
        wins      VERB  VBZ ROOT     3
        """
    )
    doc.ents = (Span(doc, 1, 2, label="Dataset"),)

    found = find(doc)

    assert found["ImageNet"].outer == "ImageNet network"
    assert found["ImageNet network"].outer == ""


def test_a_common_noun_loses_the_capital_of_the_sentence_start() -> None:
    doc = to_doc(
        """
        Image       NOUN NN  compound 1
        captioning  NOUN NN  nsubj    2
        helps       VERB VBZ ROOT     2
        """
    )

    (one,) = find_candidates(doc, find_words(doc), to_lexicon())

    assert (one.surface, one.start, one.end) == ("image captioning", 0, 16)


@pytest.mark.parametrize("rows", [_DATASETS, _NOVEL])
def test_candidates_come_from_the_left_without_repeats_and_their_offsets_are_right(rows: str) -> None:
    doc = to_doc(rows)

    found = find_candidates(doc, find_words(doc), to_lexicon())

    places = [(one.start, one.end) for one in found]
    assert places == sorted(set(places))
    assert all(doc.text[one.start : one.end].casefold() == one.surface.casefold() for one in found)


@pytest.mark.parametrize("text", ["", ".", "🚀 🚀", "( ) ,", "a", "2024"])
def test_a_passage_without_names_has_no_candidates(text: str) -> None:
    assert find(to_plain_doc(text)) == {}


@pytest.mark.parametrize(
    ("surface", "capitalised"),
    [
        ("Torque Variation Score", True),
        ("Learning to Rank", True),
        ("Gaussian process", False),
        ("Adam", False),
        ("low-rank adaptation", False),
    ],
)
def test_names_in_capitals_have_several_words_and_only_small_ones_without(surface: str, capitalised: bool) -> None:
    assert is_capitalised(surface) is capitalised


@pytest.mark.parametrize("text", ["a Model-based agent", "the Procedure-aware encoder"])
def test_a_common_word_in_a_compound_is_none_whatever_its_capital(text: str) -> None:
    lexicon = replace(to_lexicon(), common={"model": 0.4, "procedure": 0.02})

    named = find_named(to_plain_doc(text), find_words(to_plain_doc(text)), lexicon)

    assert [one.surface for one in named] == []
