"""Faults that people met with look-alikes, noise and types: each must not happen here, nor must its siblings."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from kg.model import ConceptType
from kg.names import fold_name
from tests.small_cases import INPUTS, find, find_joined, find_papers, find_shared, make, to_all_labels, to_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conftest import Built


# EX5: look-alikes stay apart.
@pytest.mark.parametrize(
    ("source", "names", "shared"),
    [
        (
            "ex5_versions.jsonl",
            "GPT-3|GPT-4|ResNet-50|ResNet-101|YOLOv3|YOLOv4|SQuAD 1.1|SQuAD 2.0"
            "|supervised learning|unsupervised learning|semi-supervised learning",
            {(1, 4): {"GPT-4"}, (2, 4): {"ResNet-50"}},
        ),
        (
            [
                "Llama 2 is compared with Llama 3 on GLUE 1.1 and GLUE 2.0.",
                "EfficientNet-B0, EfficientNet-B7, DALL-E 2 and DALL-E 3 are compared for image generation.",
                "We contrast online learning, offline learning and semi-online learning.",
                "Llama 3 and EfficientNet-B7 are combined for visual question answering.",
            ],
            "Llama 2|Llama 3|GLUE 1.1|GLUE 2.0|EfficientNet-B0|EfficientNet-B7|DALL-E 2|DALL-E 3"
            "|online learning|offline learning|semi-online learning",
            {(1, 4): {"Llama-3"}, (2, 4): {"EfficientNet-B7"}},
        ),
        (
            [
                "BERT-base and BERT-large are distilled on ImageNet-1K and ImageNet-21K.",
                "Qwen2-7B, Qwen2-72B, PointZ v1 and PointZ v2 are tested on CIFAR-10.",
                "We study convex optimization, nonconvex optimization and bilevel optimization.",
                "BERT-large and Qwen2-72B are merged for CIFAR-100.",
            ],
            "BERT-base|BERT-large|ImageNet-1K|ImageNet-21K|Qwen2-7B|Qwen2-72B|PointZ v1|PointZ v2|CIFAR-10|CIFAR-100"
            "|convex optimization|nonconvex optimization|bilevel optimization",
            {(1, 4): {"BERT-large"}, (2, 4): {"Qwen2-72B"}},
        ),
    ],
)
def test_versions_and_opposites_stay_apart(
    built: Built, source: str | Sequence[str], names: str, shared: dict[tuple[int, int], set[str]]
) -> None:
    graph = make(built, source)

    found = {name: find(graph, name).id for name in names.split("|")}
    assert len(set(found.values())) == len(found)
    for one, other in combinations(range(1, 5), 2):
        assert {fold_name(label) for label in find_shared(graph, one, other)} == set(
            map(fold_name, shared.get((one, other), ()))
        )


# EX6: boilerplate is not knowledge.
_BOILERPLATE = re.compile(
    r"(?i)\b(paper|we|method|approach|results?|experiments?|performance|margin|samples?|images|state|the-art|fig|table"
    r"|al|background|methods|conclusions?|objective|rights|press|b\.v\.|ltd|authors?|technique|prior art|contributions?"
    r"|knowledge|code|github|acceptance|smith|garcia|lee|findings|study)\b|©|\b(19|20)\d\d\b|\d+k\b"
)


@pytest.mark.parametrize(
    ("source", "first", "second"),
    [
        (
            "ex6_boilerplate.jsonl",
            ("protein folding", "equivariant transformer"),
            ("crop yield forecasting", "Gaussian process regression"),
        ),
        (
            [
                "Objective: In this work, we introduce a novel framework for wind power prediction. Methods: It employs"
                " spectral clustering. Results: Extensive results demonstrate that our framework surpasses prior art by"
                " a wide margin. Conclusion: The findings are clear. © 2023 Sample Press Ltd. All rights reserved.",
                "In this article, we describe a new technique for malware detection. Following Garcia and Chen (2020)"
                " and Table 2, our technique relies on random forests. Comprehensive experiments indicate that the"
                " proposed technique attains state-of-the-art results on 50k images. Copyright 2024 The Author(s).",
            ],
            ("wind power prediction", "spectral clustering"),
            ("malware detection", "random forest"),
        ),
        (
            [
                "To the best of our knowledge, this is the first study of node classification with belief propagation."
                " The code is available at https://github.com/x/y.",
                "Our main contributions are threefold. The results of Lee et al. [12] on speech recognition are"
                " confirmed with beam search. Code will be released upon acceptance.",
            ],
            ("node classification", "belief propagation"),
            ("speech recognition", "beam search"),
        ),
    ],
)
def test_boilerplate_makes_no_concept_and_joins_no_papers(
    built: Built, source: str | Sequence[str], first: Sequence[str], second: Sequence[str]
) -> None:
    graph = make(built, source)

    assert [find_papers(graph, find(graph, name)) for name in (*first, *second)] == [[1], [1], [2], [2]]
    assert find_shared(graph, 1, 2) == set()
    assert find_joined(graph) == set()
    assert not [label for label in to_all_labels(graph) if _BOILERPLATE.search(label)]


# EX7: types are ours, and every concept has visible text.
@pytest.mark.parametrize(
    ("source", "types"),
    [
        (
            "ex7_types.txt",
            {
                ConceptType.METHOD: ("BERT", "Adam", "LoRA"),
                ConceptType.DATASET: ("SQuAD", "GLUE", "WMT14"),
                ConceptType.TASK: ("question answering", "machine translation"),
                ConceptType.METRIC: ("BLEU",),
            },
        ),
        (
            [
                "We train a DeBERTa encoder with RMSProp on\nMNLI\n  and SuperGLUE for natural language inference 🎉.",
                "Pruning uses QLoRA; speech\nrecognition is tested on LibriSpeech.\t We report METEOR 👏 👏.",
            ],
            {
                ConceptType.METHOD: ("DeBERTa", "RMSProp", "QLoRA"),
                ConceptType.DATASET: ("MNLI", "SuperGLUE", "LibriSpeech"),
                ConceptType.TASK: ("natural language inference", "speech recognition"),
                ConceptType.METRIC: ("METEOR",),
            },
        ),
        (
            [
                "✅ GPT-4, PaLM and CLIP are used on Flickr30K\u2028and VQAv2 for image captioning ✨.",
                "RL\twith SAC learns object\n\ndetection on KITTI; we report ROUGE 🚀🚀.",
            ],
            {
                ConceptType.METHOD: ("GPT-4", "PaLM", "CLIP", "SAC"),
                ConceptType.DATASET: ("Flickr30K", "VQAv2", "KITTI"),
                ConceptType.TASK: ("image captioning", "object detection"),
                ConceptType.METRIC: ("ROUGE",),
            },
        ),
    ],
)
def test_types_are_ours_and_labels_can_be_seen(
    built: Built, source: str | Sequence[str], types: dict[ConceptType, Sequence[str]]
) -> None:
    graph = make(built, source)

    for kind, names in types.items():
        assert {name: find(graph, name).type for name in names} == dict.fromkeys(names, kind)
    for label in to_all_labels(graph):
        assert re.search(r"[^\W_]", label)
        assert not re.search(r"[\n\r\t\u2028]|^\s|\s$|\s\s", label)


def test_no_two_concepts_of_all_cases_together_have_one_label(built: Built) -> None:
    if not INPUTS.is_dir():
        pytest.skip("the inputs of cases are not part of the repository")

    graph = built([paper for path in sorted(INPUTS.glob("ex*.*l")) for paper in built(path).papers.values()])

    counts = Counter(label.casefold() for label in to_labels(graph))
    assert counts.most_common(1)[0][1] == 1
