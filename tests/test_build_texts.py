"""Builds of odd texts: whatever stands in an abstract, labels can be read and evidence is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Paper
from tests.small_cases import find, to_all_labels

if TYPE_CHECKING:
    from tests.conftest import Built

_PIECES = (
    "We propose", "İmageNet", "ﬁne-tuning", "LoRA", "β-VAE", "4DPC$^2$hat", "\\textbf{GNN}", "(GAN)", "(RL)",
    "GAN's", "generative adversarial networks", "reinforcement learning", "’s", "—", "/", "MOSEI/MELD", "e.g.,",
    "et al.", "[1, 2]", "(i)", "🚀", "漢字認識", "ß", "ＣＮＮ", "A\u030angström", "\u200b", "\u2028", "\x00",
    "<b>x</b>", "&amp;", "ImageNet", "SQuAD 2.0", "2", "v2", "with", "on", ",", ".", ";", ":", "the", "our",
    "dataset", "method", "is a", "and", "of", "in-", "-supervised", "\\cite{x}", "http://x.org", "$O(n)$",
    "**bold**", "“q”", "XRA (x-ray analysis)", "(Lee et al., 2019)", "Torque Variation Score (TVS)", "…", "“",
    "(", ")", "]", "{", "}", "GPT-4", "k-NN", "Mamba-enhanced", "İ (istanbul item)",
)  # fmt: skip
_texts = st.builds(
    lambda pieces, glue: glue.join(pieces),
    st.lists(st.sampled_from(_PIECES), max_size=25),
    st.sampled_from([" ", " ", ""]),
)


@settings(max_examples=60, deadline=None)
@given(title=_texts, abstract=_texts)
def test_labels_can_be_read_and_evidence_is_right_in_any_text(built: Built, title: str, abstract: str) -> None:
    graph = built([Paper(id="1", title=title, abstract=abstract)])

    for label in to_all_labels(graph):
        assert label == " ".join(label.split()) != ""
        assert len(label) <= 80
        assert label.count("(") == label.count(")")
        assert not set("[]{}$\\;“”\x00\u2028\u200b") & set(label)
    for relation in graph.relations:
        concept = graph.concepts.get(relation.subject) or graph.concepts[relation.object]
        for one in relation.evidence:
            text = graph.papers[one.paper].text(one.section)
            assert text[one.offset : one.offset + len(one.sentence)] == one.sentence
            names = {name.casefold() for name in (concept.label, *concept.alt_labels)}
            assert one.sentence[one.start : one.end].casefold() in names


def test_what_touches_a_name_is_no_part_of_it(built: Built) -> None:
    text = "We use BERT[1] with LoRA[2,3] and Adam[5]/SGD[6], and test on ImageNet(ILSVRC) and MNIST;SQuAD[4]."
    graph = built([Paper(id="1", abstract=text)])

    found = {find(graph, name).label for name in ("BERT", "LoRA", "Adam", "SGD", "ImageNet", "MNIST", "SQuAD")}
    assert len(found) == 7
    assert len(graph.concepts) == 7


@pytest.mark.parametrize("mark", ["'", "’"])
def test_a_possessive_is_no_part_of_a_name(built: Built, mark: str) -> None:
    graph = built([Paper(id="1", abstract=f"We prune BERT{mark}s layers and the LSTMs{mark} gates.")])

    assert {"BERT", "LSTMs"} <= to_all_labels(graph)


def test_names_at_either_end_of_a_text_are_found_whole(built: Built) -> None:
    graph = built([Paper(id="1", abstract="LoDA-2 beats β-VAE")])

    assert {"LoDA-2", "β-VAE"} <= to_all_labels(graph)


@pytest.mark.parametrize("verb", ["fine-tune", "finetune", "pre-train", "pretrain"])
def test_a_verb_before_a_name_is_no_part_of_it(built: Built, verb: str) -> None:
    graph = built([Paper(id="1", abstract=f"We {verb} GPT-2 models and spiking neural networks for image captioning.")])

    assert not [label for label in to_all_labels(graph) if label.casefold().startswith(verb)]
    assert find(graph, "GPT-2")


def test_a_short_form_before_a_noun_that_adds_nothing_means_what_the_paper_defines(built: Built) -> None:
    papers = [
        Paper(id="1", abstract="We study self-supervised learning (SSL). Most SSL methods need large batches."),
        Paper(id="2", abstract="We study semi-supervised learning (SSL). Most SSL methods need clean labels."),
    ]
    graph = built(papers)

    assert find(graph, "self-supervised learning") is not find(graph, "semi-supervised learning")
    assert "SSL methods" not in {concept.label for concept in graph.concepts.values()}


def test_a_head_word_after_a_longer_name_is_no_concept_of_its_own(built: Built) -> None:
    longer = built([Paper(id="1", abstract="We study network pruning. We show that pruning is cheap.")])
    alone = built([Paper(id="1", abstract="We study pruning. We show that network pruning is cheap.")])

    assert "pruning" not in to_all_labels(longer)
    assert "pruning" in to_all_labels(alone)


def test_a_group_of_matrices_is_no_concept_and_what_acts_with_it_is_one(built: Built) -> None:
    graph = built([Paper(id="1", abstract="We study SE(3) equivariant networks and SO(n) on ImageNet(ILSVRC).")])

    assert {"SE", "SO"}.isdisjoint(to_all_labels(graph))
    assert {"equivariant networks", "ImageNet"} <= set(to_all_labels(graph))


@pytest.mark.parametrize(
    "phrase", ["SOTA methods", "part II", "Stage III", "a probabilistic model", "optimization problems"]
)
def test_what_says_nothing_is_no_concept(built: Built, phrase: str) -> None:
    graph = built([Paper(id="1", abstract=f"We compare with {phrase} on ImageNet.")])

    assert set(to_all_labels(graph)) == {"ImageNet"}
