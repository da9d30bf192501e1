"""Selection: which candidates name a concept, and of which type."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kg.extract.roles import Cue
from kg.extract.select import Context, score, vote_type
from kg.model import ConceptType, Section
from kg.names import fold_name
from tests.small_docs import find_one, to_lexicon, to_plain_doc

if TYPE_CHECKING:
    from kg.extract.candidate import Candidate

_NO_CUE = Cue("", "")
_NEW = Cue("introduce", "propose")


def to_context(*surfaces: str, title: str = "", **short_forms: str) -> Context:
    """Return a context in which each surface comes up once."""
    folded = {fold_name(short): long for short, long in short_forms.items()}
    return Context(
        counts=Counter(map(fold_name, surfaces)),
        title=f" {fold_name(title)} ",
        short_forms=folded,
        long_forms=frozenset(map(fold_name, short_forms.values())),
        acronyms=(),
    )


def to_one(surface: str, *, source: str = "chunk", kind: ConceptType | None = None) -> Candidate:
    """Return a candidate in the middle of a sentence."""
    return find_one(to_plain_doc(f"so {surface} here"), surface, source=source, kind=kind)


def rate(one: Candidate, *, cue: Cue = _NO_CUE, context: Context | None = None) -> float:
    """Return the score of a candidate in an abstract."""
    return score(one, cue, Section.ABSTRACT, context or to_context(one.surface), to_lexicon())


@pytest.mark.parametrize(
    "one",
    [
        to_one("anonymous repository"),
        to_one("large margin"),
        to_one("method"),
        to_one("novel approach"),
        to_one("several large models"),
        to_one("100K 3.5"),
        to_one("🚀"),
        to_one("ε⁻¹ log"),
        to_one("x"),
        to_one("and/or"),
        to_one("based methods"),
        to_one("very " * 20 + "network"),
    ],
    ids=lambda one: one.surface[:20],
)
def test_boilerplate_generic_words_numbers_and_overlong_phrases_never_name_a_concept(one: Candidate) -> None:
    assert rate(one) == 0
    assert rate(one, cue=_NEW, context=to_context(*[one.surface] * 9, title=one.surface)) == 0


@pytest.mark.parametrize(
    "one",
    [to_one("LoDA", source="coined"), to_one("image classification", source="name"), to_one("RL", source="coined")],
)
def test_coined_and_curated_names_are_surer_than_any_noun_chunk(one: Candidate) -> None:
    assert rate(one) > rate(to_one("spectral transport network"))


def test_a_name_of_the_projects_own_list_may_be_made_of_generic_words() -> None:
    assert rate(to_one("task model", source="name")) >= 0.85
    assert rate(to_one("task method", source="chunk")) == 0


def test_a_rare_modifier_speaks_for_a_chunk_and_a_common_one_against() -> None:
    assert rate(to_one("spectral network")) > rate(to_one("deep network"))


def test_a_head_that_names_concepts_speaks_for_a_chunk() -> None:
    assert rate(to_one("spectral captioning")) > rate(to_one("spectral result"))


def test_a_cue_a_place_in_the_title_and_being_repeated_speak_for_a_chunk() -> None:
    one = to_one("spectral transport")
    plain = rate(one)

    assert rate(one, cue=_NEW) > plain
    assert rate(one, context=to_context(one.surface, title="On spectral transports")) > plain
    assert rate(one, context=to_context(one.surface, one.surface, one.surface)) > plain


def test_both_sides_of_an_acronym_that_the_paper_defines_name_a_concept() -> None:
    context = to_context(OLS="obvious large step")

    assert rate(to_one("OLS", source="coined"), context=context) >= 0.85
    assert rate(to_one("obvious large step"), context=context) >= 0.85


def test_the_head_of_a_longer_name_is_no_name_of_its_own() -> None:
    assert rate(replace(to_one("captioning"), outer="image captioning")) == 0


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (to_one("ImageNet", source="name"), ConceptType.DATASET),
        (to_one("LoRA", source="name"), ConceptType.METHOD),
        (to_one("image classification"), ConceptType.TASK),
        (to_one("Zeta", source="coined", kind=ConceptType.DATASET), ConceptType.DATASET),
        (to_one("SP-Bench", source="coined"), ConceptType.DATASET),
        (to_one("TriviaQA", source="coined"), ConceptType.DATASET),
        (to_one("CC3M-500K", source="coined"), ConceptType.DATASET),
        (to_one("hits@10", source="coined"), ConceptType.METRIC),
        (to_one("Mamba-2", source="coined"), ConceptType.METHOD),
        (to_one("LoDA", source="coined"), ConceptType.METHOD),
        (to_one("spectral captioning"), ConceptType.TASK),
        (to_one("balanced accuracy"), ConceptType.METRIC),
        (to_one("speech corpus"), ConceptType.DATASET),
        (to_one("spectral network"), ConceptType.METHOD),
    ],
    ids=lambda value: value.surface if hasattr(value, "surface") else str(value),
)
def test_a_name_speaks_for_its_type(one: Candidate, kind: ConceptType) -> None:
    assert vote_type(one, _NO_CUE, to_context(one.surface), to_lexicon())[0] is kind


def test_a_short_form_has_the_type_of_its_long_form() -> None:
    context = to_context(BA="balanced accuracy")

    assert vote_type(to_one("BA", source="coined"), _NO_CUE, context, to_lexicon())[0] is ConceptType.METRIC


def test_an_unknown_name_that_is_evaluated_on_is_a_dataset() -> None:
    cue = Cue("evaluate", "evaluate on")

    assert vote_type(to_one("Zeta9", source="coined"), cue, to_context(), to_lexicon())[0] is ConceptType.DATASET


def test_a_task_that_is_proposed_is_a_way_to_do_it() -> None:
    assert vote_type(to_one("spectral segmentation"), _NEW, to_context(), to_lexicon())[0] is ConceptType.METHOD


def test_what_stands_beside_a_name_is_louder_than_how_it_is_written() -> None:
    said = vote_type(to_one("SP-Bench", source="coined", kind=ConceptType.METHOD), _NO_CUE, to_context(), to_lexicon())
    written = vote_type(to_one("SP-Bench", source="coined"), _NO_CUE, to_context(), to_lexicon())

    assert said[0] is ConceptType.METHOD
    assert said[1] > written[1]


@pytest.mark.parametrize(
    ("surface", "label"),
    [
        ("ImageNet", "ImageNet"),
        ("ILSVRC", "ImageNet"),
        ("LoRA", "low-rank adaptation"),
        ("Low rank adaptation", "low-rank adaptation"),
        ("F1", "F1 score"),
        ("Image Classification", "image classification"),
        ("Set", "Set"),
        ("set", None),
        ("adam", None),
        ("SQUAD", None),
        ("word", None),
    ],
)
def test_a_curated_name_is_found_by_its_spellings_but_names_need_their_capitals(
    surface: str, label: str | None
) -> None:
    name = to_lexicon().find_name(surface)

    assert (name.label if name else None) == label


def test_of_two_lists_that_have_a_name_the_projects_own_counts() -> None:
    name = to_lexicon().find_name("ImageNet")

    assert name is not None
    assert name.source == "core"


@pytest.mark.parametrize(("word", "share"), [("learning", 0.5), ("zeta", 0.0), ("zeta-learning", 0.0), ("Deep", 0.3)])
def test_a_compound_is_as_rare_as_its_rarest_part(word: str, share: float) -> None:
    assert to_lexicon().share(word) == share
