"""Faults that people met with names and acronyms: each must not happen here, nor must its siblings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from kg.mentions import read_mentions
from kg.model import ConceptType
from tests.small_cases import find, find_joined, find_papers, find_shared, make, to_all_labels, to_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conftest import Built


# EX1: one concept, many surface forms.
@pytest.mark.parametrize(
    ("source", "long", "short"),
    [
        ("ex1_plural_case.jsonl", "generative adversarial network", "GAN"),
        (
            [
                "We train variational autoencoders (VAEs) on scans of HIV patients.",
                "A variational autoencoder (VAE) learns to draw faces and reduces sampling bias.",
                "We compare several VAEs for series forecasting.",
                "Variational Autoencoders model ARDS incidence with a Dirichlet process; the VAE's loss is stable.",
            ],
            "variational autoencoder",
            "VAE",
        ),
        (
            [
                "We study graph neural networks (GNNs) for lens design.",
                "A Graph Neural Network (GNN) detects sepsis in CHAOS.",
                "We tune GNNs with physics.",
                "The GNN's filters are sparse, and graph-neural-networks overfit to NEWS.",
            ],
            "graph neural network",
            "GNN",
        ),
    ],
)
def test_plural_case_and_acronym_are_one_concept(
    built: Built, source: str | Sequence[str], long: str, short: str
) -> None:
    graph = make(built, source)

    concept = find(graph, long)
    assert find(graph, short) == concept
    assert find_papers(graph, concept) == [1, 2, 3, 4]
    assert {short, f"{short}s"} <= {concept.label, *concept.alt_labels}


@pytest.mark.parametrize(
    "source",
    [
        "ex1_plural_case.jsonl",
        ["SARS, AIDS and COVID are modelled with RNNs.", "An RNN finds bias in news, and its loss is stable."],
        ["We test CHAOS and ISIS on series.", "ISIS is a lens; BUS is a corpus of focus."],
    ],
)
def test_no_word_loses_an_s_that_is_its_own(built: Built, source: str | Sequence[str]) -> None:
    graph = make(built, source)

    damaged = {"sar", "aid", "bia", "new", "covi", "serie", "len", "chao", "isi", "corpu", "los", "focu", "bu"}
    assert not {label for label in to_all_labels(graph) if label.casefold() in damaged}
    bare = [re.sub(r"(?:'s|s)$", "", label.casefold()) for label in to_labels(graph)]
    assert len(bare) == len(set(bare))


# EX2: the same acronym, different things.
_SENSES = [
    "We study natural language inference (NLI) with transformers. NLI is hard.",
    "We model the nonlinear interference (NLI) of fibre links. NLI grows with power.",
    "Robust NLI systems fail on negation.",
    "We use principal component analysis (PCA) first. A patient-controlled analgesia (PCA) pump is then tuned.",
]
_FIELDS = [
    "We train a conditional random field (CRF) for chunking. The CRF is fast.",
    "We fill in a case report form (CRF) for each patient. The CRF is long.",
    "The CRF layer is removed.",
    "A variational mode decomposition (VMD) is slow. A visual molecular dynamics (VMD) tool draws it.",
]


@pytest.mark.parametrize(
    ("source", "short", "senses", "both"),
    [
        (
            "ex2_acronym_senses.jsonl",
            "RL",
            ("reinforcement learning", "reading level"),
            ("mean average precision", "maximum a posteriori"),
        ),
        (
            _SENSES,
            "NLI",
            ("natural language inference", "nonlinear interference"),
            ("principal component analysis", "patient-controlled analgesia"),
        ),
        (
            _FIELDS,
            "CRF",
            ("conditional random field", "case report form"),
            ("variational mode decomposition", "visual molecular dynamics"),
        ),
    ],
)
def test_an_acronym_with_two_meanings_joins_nothing(
    built: Built, source: str | Sequence[str], short: str, senses: tuple[str, str], both: tuple[str, str]
) -> None:
    graph = make(built, source)

    for number, sense in enumerate(senses, 1):
        assert find_papers(graph, find(graph, sense)) == [number]
        assert short in find(graph, sense).alt_labels
    assert find_joined(graph) == set()
    assert [find_papers(graph, find(graph, one)) for one in both] == [[4], [4]]
    assert find(graph, both[0]) != find(graph, both[1])
    rows = pa.Table.from_batches(read_mentions(graph.mentions)).to_pylist()
    bare = [row for row in rows if row["surface"] == short and row["paper"] == sorted(graph.papers)[2]]
    assert bare
    assert all("2 meanings" in row["reason"] for row in bare)
    assert {row["concept"] for row in bare}.isdisjoint(find(graph, sense).id for sense in senses)


@pytest.mark.parametrize("source", ["ex2_acronym_senses.jsonl", _SENSES, _FIELDS])
def test_the_order_of_papers_does_not_settle_what_an_acronym_means(built: Built, source: str | Sequence[str]) -> None:
    graph = make(built, source)

    again = built(reversed([*graph.papers.values()]))

    assert (again.concepts, again.relations) == (graph.concepts, graph.relations)


# EX3: brackets that define, and those that do not.
@pytest.mark.parametrize(
    ("source", "defined"),
    [
        (
            "ex3_parentheses.jsonl",
            {
                "GIN": "graph isomorphism network",
                "HPN": "hierarchical pooling network",
                "BERT": "bidirectional encoder representations from transformers",
                "T5": "text-to-text transfer transformer",
            },
        ),
        (
            [
                "The relational graph network (RGN) feeding temporal attention network (TAN) blocks improves parsing.",
                "We pretrain MAE (masked autoencoder) and ENCORE (ensemble of neural correction) for segmentation.",
                "Recall falls (see Fig. 4) on (a) chunking, (b) stemming and (c) pooling (Wu, 2018) [7] (p > 0.1).",
            ],
            {
                "RGN": "relational graph network",
                "TAN": "temporal attention network",
                "MAE": "masked autoencoder",
            },
        ),
        (
            [
                "A dynamic routing network (DRN) driving a sparse mixture network (SMN) speeds up parsing.",
                "We use SSE (self-supervised sentence encoding) for retrieval.",
                "F1 drops (Table 3) in (1) speech, (2) text and (iii) code [12, 13], as said (Li and Ma, 2020; n = 5).",
            ],
            {
                "DRN": "dynamic routing network",
                "SMN": "sparse mixture network",
                "SSE": "self-supervised sentence encoding",
            },
        ),
    ],
)
def test_only_brackets_that_define_make_other_names(
    built: Built, source: str | Sequence[str], defined: dict[str, str]
) -> None:
    graph = make(built, source)

    for short, long in defined.items():
        concept = find(graph, short)
        assert {short, long} <= {concept.label, *concept.alt_labels}
    labels = to_all_labels(graph)
    assert not any(label.count("(") != label.count(")") or label.count("[") != label.count("]") for label in labels)
    junk = r"(?i)[a-c]|i+|\d+|[np]( [<=>] .*)?|see .*|(fig\.?|table)( \d)?|network|.*\b(smith|wu|li|ma)\b.*"
    assert not [label for label in labels if re.fullmatch(junk, label)]


# EX4: lists are several concepts.
@pytest.mark.parametrize(
    ("source", "datasets", "methods", "shared"),
    [
        (
            "ex4_lists.jsonl",
            ("MNIST", "CIFAR-10", "ImageNet"),
            ("support vector machine", "k-NN", "random forest", "ResNet"),
            {"ImageNet", "CIFAR-10"},
        ),
        (
            [
                "We evaluate semantic segmentation on the Cityscapes, ADE20K and KITTI datasets.",
                "We compare logistic regression, AdaBoost and decision trees [3, 4] for churn prediction.",
                "The decoder (a U-Net) is trained on ADE20K and/or KITTI.",
            ],
            ("Cityscapes", "ADE20K", "KITTI"),
            ("logistic regression", "AdaBoost", "decision tree", "U-Net"),
            {"ADE20K", "KITTI"},
        ),
        (
            [
                "We fine-tune on the MNLI, QNLI, and RTE benchmarks.",
                "RoBERTa/DeBERTa and gradient boosting (XGBoost) are baselines [5].",
                "Another model (an LSTM) is tested on MNLI and/or RTE.",
            ],
            ("MNLI", "QNLI", "RTE"),
            ("RoBERTa", "DeBERTa", "XGBoost", "LSTM"),
            {"MNLI", "RTE"},
        ),
    ],
)
def test_a_list_is_several_concepts(
    built: Built, source: str | Sequence[str], datasets: Sequence[str], methods: Sequence[str], shared: set[str]
) -> None:
    graph = make(built, source)

    assert {find(graph, name).type for name in datasets} == {ConceptType.DATASET}
    assert {find(graph, name).type for name in methods} == {ConceptType.METHOD}
    assert len({find(graph, name).id for name in (*datasets, *methods)}) == len(datasets) + len(methods)
    assert find_shared(graph, 1, 3) == shared
    assert not [label for label in to_all_labels(graph) if re.search(r" (and|or) |, |/|\[|\]", label)]
    assert not {"1", "2", "3", "4", "5"} & to_all_labels(graph)
