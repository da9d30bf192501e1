"""Names: the form in which two spellings are equal, what is coined, and the curated lists."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError
from kg.model import ConceptType
from kg.names import Name, fold_name, is_coined, read_names
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from pathlib import Path

_WORDS = (
    "adversarial",
    "bias",
    "class",
    "corpus",
    "graph",
    "lens",
    "low",
    "network",
    "policy",
    "rank",
    "speech",
    "box",
)
_phrases = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4)
_dashes = st.sampled_from(["-", "_", "\u2010", "\u2011", "\u2013", "\u2212"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Generative Adversarial Networks", "generative adversarial network"),
        ("GANs", "GAN"),
        ("the GAN's", "the GAN"),
        ("networks’", "network"),
        ("low-rank adaptation", "Low Rank Adaptation"),
        ("low–rank", "low-rank"),
        ("pre-training", "pretraining"),
        ("multi-modal", "multimodal"),
        ("semi supervised learning", "semi-supervised learning"),
        ("data sets", "dataset"),
        ("fine tuning", "fine-tuning"),
        ("CIFAR10", "CIFAR-10"),
        ("LLaMA-2", "LLaMA2"),
        ("policies", "policy"),
        ("text corpora", "text corpus"),
        ("decision boxes", "decision box"),
        ("similarity matrices", "similarity matrix"),
        ("regularisation", "regularization"),
        ("hybrid modelling", "hybrid modeling"),
        ("factorised model", "factorized model"),
        ("optimisers", "optimizer"),
        ("(ResNet)", "ResNet"),
    ],
)
def test_spellings_of_one_name_fold_to_one_form(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPT-3", "GPT-4"),
        ("ResNet-50", "ResNet-101"),
        ("YOLOv3", "YOLOv4"),
        ("SQuAD 1.1", "SQuAD 2.0"),
        ("SQuAD 1.1", "SQuAD 11"),
        ("supervised learning", "unsupervised learning"),
        ("supervised learning", "semi-supervised learning"),
        ("C", "C++"),
        ("C", "C#"),
        ("precise", "prize"),
        ("noise", "noize"),
        ("SARS", "SAR"),
        ("AIDS", "AID"),
    ],
)
def test_look_alikes_keep_different_forms(one: str, other: str) -> None:
    assert fold_name(one) != fold_name(other)


@pytest.mark.parametrize(
    "word", ["bias", "news", "lens", "series", "physics", "analysis", "corpus", "loss", "chaos", "gas", "process"]
)
def test_a_singular_that_ends_in_s_keeps_it(word: str) -> None:
    assert fold_name(word) == word


@pytest.mark.parametrize("word", ["SARS", "AIDS", "ISIS", "BUSINESS", "DETRS"])
def test_words_in_capitals_keep_a_final_s(word: str) -> None:
    assert fold_name(word) == word.casefold()


@given(_phrases, _dashes)
def test_case_and_hyphens_do_not_count(words: list[str], dash: str) -> None:
    plain = fold_name(" ".join(words))

    assert fold_name(dash.join(words)) == plain
    assert fold_name(" ".join(words).title()) == plain
    assert fold_name("  ".join(words).capitalize()) == plain


@given(_phrases)
def test_a_plural_ending_does_not_count(words: list[str]) -> None:
    last = words[-1]
    plural = {"policy": "policies", "corpus": "corpora"}.get(last)
    plural = plural or (last + "es" if last.endswith(("s", "x", "ch")) else last + "s")

    assert fold_name(" ".join([*words[:-1], plural])) == fold_name(" ".join(words))


@given(_phrases, st.sampled_from(["", "s", "'s", "-10", " 2.0"]))
def test_folding_a_folded_name_changes_nothing(words: list[str], ending: str) -> None:
    folded = fold_name(" ".join(words) + ending)

    assert fold_name(folded) == folded


@given(st.text(min_size=1))
def test_composed_and_decomposed_letters_are_equal(name: str) -> None:
    assert fold_name(unicodedata.normalize("NFD", name)) == fold_name(unicodedata.normalize("NFC", name))


@given(st.text(alphabet=st.characters(categories=["L"]), min_size=1))
def test_letters_of_any_script_fold_to_something(name: str) -> None:
    assert fold_name(name).strip()


@pytest.mark.parametrize(
    "word", ["LoRA", "GPT-4", "4DPC²hat", "β-VAE", "k-NN", "MNIST", "YOLOv3", "RL", "MoSEI/MELD", "SP-Bench"]
)
def test_words_written_as_only_names_are_are_coined(word: str) -> None:
    assert is_coined(word)


@pytest.mark.parametrize(
    "word",
    ["", "-", "the", "Adam", "low-rank", "Low-Rank", "A", "3", "85%", "2024", "100k", "β", "漢字", "state-of-the-art"],
)
def test_ordinary_words_and_numbers_are_not_coined(word: str) -> None:
    assert not is_coined(word)


@given(st.text())
def test_any_word_can_be_asked_whether_it_is_coined(word: str) -> None:
    assert is_coined(word) in {True, False}


def test_lists_are_read_by_file_name_and_comments_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "b.tsv").write_text("type\tname\taliases\nTask\tsegmentation\t\n", encoding="utf-8")
    (tmp_path / "a.tsv").write_text("# Licence: MIT\nMethod\tβ-VAE\tbeta-VAE|βVAE\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a list", encoding="utf-8")

    assert list(read_names(tmp_path)) == [
        Name("β-VAE", ConceptType.METHOD, ("beta-VAE", "βVAE"), "a"),
        Name("segmentation", ConceptType.TASK, (), "b"),
    ]


@pytest.mark.parametrize("row", ["Person\tAdam\t", "Method\t \t", "Method", ""])
def test_a_row_without_type_or_name_is_refused_by_file_and_line(tmp_path: Path, row: str) -> None:
    (tmp_path / "bad.tsv").write_text(f"type\tname\taliases\n{row}\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"bad\.tsv:2: .* does not read TYPE, NAME, ALIASES"):
        list(read_names(tmp_path))


def test_the_curated_lists_have_every_type_and_no_blank_name() -> None:
    names = list(read_names(find_ontology() / "names"))

    assert {name.type for name in names} == set(ConceptType)
    assert all(form == form.strip() and fold_name(form) for name in names for form in (name.label, *name.aliases))


@pytest.mark.parametrize(
    ("one", "other"),
    [("β-VAE", "beta-VAE"), ("ϵ-greedy", "epsilon greedy"), ("λ-returns", "lambda returns"), ("µP", "muP"),
     ("ℓ₂ norm", "L2 norm"), ("4DPC²hat", "4DPC2hat"), ("Σ-protocol", "sigma protocol")],
)  # fmt: skip
def test_letters_and_digits_of_formulas_are_spelled_out(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


def test_words_in_greek_stay_as_they_are() -> None:
    assert fold_name("νευρωνικό δίκτυο") == "νευρωνικό δίκτυο"


@pytest.mark.parametrize("word", ["metric", "heuristic", "topic", "critic"])
def test_a_plural_in_ics_is_one_where_the_singular_is_a_noun(word: str) -> None:
    assert fold_name(f"evaluation {word}s") == fold_name(f"evaluation {word}")
    assert fold_name("statistics") == "statistics"
