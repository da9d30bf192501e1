"""Acronyms: which brackets define a short form, and which do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.acronyms import Acronym, find_acronyms, find_implied

_pieces = st.sampled_from(
    ["graph", "Isomorphism", "network", "(GIN)", "GIN", "(graph isomorphism network)", "(i)", "(", ")", "İ", "β-VAE"]
)


@pytest.mark.parametrize(
    ("sentence", "short", "long"),
    [
        ("We train large language models (LLMs) here.", "LLMs", "large language models"),
        ("A generative adversarial network (GAN) learns.", "GAN", "generative adversarial network"),
        ("We use RL (reinforcement learning).", "RL", "reinforcement learning"),
        ("We use ERA (entity relation extraction with attention).", "ERA", "entity relation extraction with attention"),
        ("Low-rank adaptation (LoRA) helps.", "LoRA", "Low-rank adaptation"),
        ("A maximum a posteriori (MAP) estimate is used.", "MAP", "maximum a posteriori"),
        ("The graph of k-nearest neighbors (k-NN) is sparse.", "k-NN", "k-nearest neighbors"),
        (
            "Zoë's Gaussian process upper confidence bound (GP-UCB) wins.",
            "GP-UCB",
            "Gaussian process upper confidence bound",
        ),
        ("We score with retrieval-augmented generation (RAG).", "RAG", "retrieval-augmented generation"),
    ],
)
def test_brackets_after_either_form_define_it(sentence: str, short: str, long: str) -> None:
    assert [(one.short, one.long) for one in find_acronyms(sentence)] == [(short, long)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It converges (see Appendix B).",
        "Accuracy rises (see Table 2) on three tasks, (i) tagging, (ii) parsing and (iii) linking.",
        "It was reported before (Smith et al., 2019) [14].",
        "The gain is clear (p < 0.05).",
        "We report the mean (N=5) of all runs.",
        "We write f(x) for the map and O(n) for its cost.",
        "The score [RL] of reading levels is low.",
        "It has a strange ending (",
        "()",
        "(RL)",
        "",
        "We test many models (e.g., BERT).",
        "Gaussian (GP) agents with noise (GAN) do well.",
        "We model rotation, translation and scale (RTS).",
        "A large drop (12.5%) is seen.",
    ],
)
def test_other_brackets_define_nothing(sentence: str) -> None:
    assert list(find_acronyms(sentence)) == []


def test_two_definitions_close_together_are_both_whole() -> None:
    sentence = "The graph isomorphism network (GIN) guiding hierarchical pooling network (HPN) layers improves it."

    assert [(one.short, one.long) for one in find_acronyms(sentence)] == [
        ("GIN", "graph isomorphism network"),
        ("HPN", "hierarchical pooling network"),
    ]


def test_the_same_short_form_can_be_defined_twice() -> None:
    sentence = "We use mean average precision (MAP) and a maximum a posteriori (MAP) estimate."

    assert [one.long for one in find_acronyms(sentence)] == ["mean average precision", "maximum a posteriori"]


def test_a_long_form_is_longer_than_its_short_form() -> None:
    assert list(find_acronyms("The net RL (RL) is old.")) == []


def test_offsets_count_characters_and_not_bytes() -> None:
    sentence = "İn Zürich 🚀 reinforcement learning (RL) is used."

    assert list(find_acronyms(sentence)) == [Acronym("RL", "reinforcement learning", 12, 34)]


@given(st.one_of(st.text(), st.lists(_pieces).map(" ".join)))
def test_every_offset_holds_its_promise(sentence: str) -> None:
    for one in find_acronyms(sentence):
        assert sentence[one.start : one.end] == one.long
        assert len(one.long) > len(one.short) > 1


@pytest.mark.parametrize(
    ("short", "sentence", "long"),
    [
        ("PaI", "We study pruning at initialisation here.", "pruning at initialisation"),
        ("MoE", "A mixture-of-experts layer is sparse.", "mixture-of-experts"),
        ("IoU", "By the intersection over union of masks.", "intersection over union"),
    ],
)
def test_a_short_form_in_mixed_case_implies_its_words(short: str, sentence: str, long: str) -> None:
    found = find_implied(short, sentence)

    assert found is not None
    assert (found.short, found.long) == (short, long)
    assert sentence[found.start : found.end] == long


@pytest.mark.parametrize("short", ["PAI", "LoRA", "BERT", "Adam", "p.I", "", "P(a)I"])
def test_other_short_forms_imply_nothing(short: str) -> None:
    assert find_implied(short, "Pruning at initialisation of low-rank adaptation, as Adam does.") is None


def test_what_follows_a_hyphen_need_not_be_in_the_short_form() -> None:
    (one,) = find_acronyms("We show Projection-Based Constrained Policy Optimization (PCPO) here.")

    assert one.long == "Projection-Based Constrained Policy Optimization"
