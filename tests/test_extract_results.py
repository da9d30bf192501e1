"""Results: which value of which metric a sentence reports."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.extract import extract, load_lexicon, load_pipeline
from kg.extract.results import find_measurements
from kg.extract.results.outline import to_outline
from kg.extract.results.quantities import find_quantities
from kg.model import Direction, Measurement, Passage, ResultKind, Section
from kg.vocab import find_ontology
from tests.small_docs import to_doc, to_lexicon, to_plain_doc

_LEXICON = cache(lambda: load_lexicon(find_ontology()))
_WORDS = (
    "by", "of", "N", "M", "3.5%", "20", "accuracy", "FID", "improves", "reduces", "2×", "faster", "to", "from", "(",
    ")", ",", ";", "and", "BLEU",
)  # fmt: skip
_PIPELINE = cache(lambda: load_pipeline(_LEXICON()))


def read(sentence: str) -> list[Measurement]:
    """Return the results that a sentence reports."""
    (reading,) = extract([[Passage("paper:1", Section.ABSTRACT, 0, sentence)]], _PIPELINE(), _LEXICON())
    return [one for _, one in reading.measurements]


def tell(sentence: str, one: Measurement) -> str:
    """Return a result in a line: metric, value, and the names that belong to it."""
    sign = "+" if one.kind is ResultKind.CHANGE and one.unit != "×" else ""
    parts = [one.metric or "?", f"{one.value:{sign}g}{one.unit and ' '}{one.unit}"]
    parts += [str(one.direction)] if one.unit == "×" else []
    parts += [f"from {one.baseline_value:g}"] if one.baseline_value is not None else []
    parts += [f"on {sentence[one.dataset_start : one.dataset_end]}"] if one.dataset_end else []
    parts += ["by ours"] if one.own else []
    parts += [f"by {sentence[one.method_start : one.method_end]}"] if one.method_end else []
    parts += [f"against {sentence[one.baseline_start : one.baseline_end]}"] if one.baseline_end else []
    return ", ".join(parts)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # What was reached.
        ("Our method achieves an accuracy of 95.4% on CIFAR-10.", ["accuracy, 95.4 %, on CIFAR-10, by ours"]),
        ("BERT reaches 88.5 F1 on SQuAD.", ["F1, 88.5, on SQuAD, by BERT"]),
        ("On CIFAR-100, it attains an error rate of 17.2%.", ["error rate, 17.2 %, on CIFAR-100, by ours"]),
        (
            "The network works with 95.1% and 92.3% accuracy on CIFAR-10 and CIFAR-100, respectively.",
            ["accuracy, 95.1 %, on CIFAR-10, by ours", "accuracy, 92.3 %, on CIFAR-100, by ours"],
        ),
        (
            "We report an FID of 3.2 on ImageNet and 4.1 on CelebA.",
            ["FID, 3.2, on ImageNet, by ours", "FID, 4.1, on CelebA, by ours"],
        ),
        (
            "Our model achieves an F1 of 88.5 on SQuAD and an exact match of 81.2.",
            ["F1, 88.5, on SQuAD, by ours", "exact match, 81.2, on SQuAD, by ours"],
        ),
        ("We raise mAP from 71.2 to 74.9 on MS COCO.", ["mAP, 74.9, from 71.2, on MS COCO, by ours"]),
        ("The success rate increases from 40% to 62%.", ["success rate, 62 %, from 40"]),
        # How far it is from something else.
        (
            "Our model outperforms BERT by 3.1 points in F1 on SQuAD 1.1.",
            ["F1, +3.1 points, on SQuAD 1.1, by ours, against BERT"],
        ),
        ("Compared to BERT, we reduce the training time by 60%.", ["training time, -60 %, by ours, against BERT"]),
        (
            "Pruning lowers the error by 12% and the latency by 4 ms.",
            ["error, -12 %, by Pruning", "latency, -4 ms, by Pruning"],
        ),
        ("We improve perplexity by 2.4 points on WikiText-103.", ["perplexity, -2.4 points, on WikiText-103, by ours"]),
        ("Accuracy drops by 4.5% without dropout.", ["Accuracy, -4.5 %"]),
        ("On average, accuracy improves by 1.5 to 3.5 points.", ["accuracy, +3.5 points"]),
        ("Our approach beats LoRA by a margin of 2.2% in accuracy.", ["accuracy, +2.2 %, by ours, against LoRA"]),
        ("We see a 5-fold reduction in memory.", ["memory, 5 ×, lower, by ours"]),
        ("We save 45% of the training cost.", ["training cost, -45 %, by ours"]),
        ("ResNet-50 gains +1.3% top-1 accuracy on ImageNet.", ["top-1 accuracy, +1.3 %, on ImageNet, by ResNet-50"]),
        ("We cut FLOPs by 35% with only a 0.2% accuracy drop.", ["FLOPs, -35 %, by ours", "accuracy, -0.2 %, by ours"]),
        ("Experiments show improvements in BLEU (+1.2) and METEOR (+0.7).", ["BLEU, +1.2", "METEOR, +0.7"]),
        ("We reduce the accuracy gap to ResNet-50 by 51%.", ["accuracy gap, -51 %, by ours"]),
        ("Our method outperforms BERT by 3%.", ["?, +3 %, by ours, against BERT"]),
        (
            "We achieve 53% success rate, outperforming earlier work by 5%.",
            ["success rate, 53 %, by ours", "success rate, +5 %, by ours"],
        ),
        ("We gain by a large margin, e.g., 4% accuracy on CIFAR-10.", ["accuracy, +4 %, on CIFAR-10, by ours"]),
        ("We achieve a gain of 6% improvement in accuracy.", ["accuracy, +6 %, by ours"]),
        ("We show a 6.5% reduction in MSE and 4.7% in MAE.", ["MSE, -6.5 %, by ours", "MAE, -4.7 %, by ours"]),
        ("We boost accuracy (mAP +3.1% and mIoU +7.1%).", ["mAP, +3.1 %, by ours", "mIoU, +7.1 %, by ours"]),
        # Comparatives.
        ("Our method is 2.5× faster than BERT.", ["speed, 2.5 ×, higher, by ours, against BERT"]),
        ("Our training is 40% slower than Adam.", ["speed, -40 %, by ours, against Adam"]),
        ("It needs up to 30% fewer parameters than ResNet-50.", ["parameters, -30 %, by ours, against ResNet-50"]),
        ("It yields a speedup of 3.7x over PyTorch.", ["speed, 3.7 ×, higher, by ours, against PyTorch"]),
        ("Our agent is 8 times more sample efficient.", ["sample efficiency, 8 ×, higher, by ours"]),
    ],
)  # fmt: skip
def test_a_sentence_reports_results(sentence: str, expected: list[str]) -> None:
    assert [tell(sentence, one) for one in read(sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "GPT-4 has 1.8 trillion parameters.",
        "We train ResNet-50 for 90 epochs with a learning rate of 0.1.",
        "We use 5-shot prompts on 3 datasets with 10,000 images each in 2023.",
        "The model has 7B parameters and 32 layers.",
        "We evaluate top-1 accuracy on two benchmarks.",
        "Only 10% of the labels are used.",
        "At 50% sparsity the network still works.",
        "We keep accuracy within 1% of the baseline.",
        "The images have 1024 x 1024 pixels in 3D.",
        "See Table 3 and Section 4.2 for details.",
        "A dropout rate of 0.5 and a batch size of 256 are used.",
        "We find that 95% confidence intervals are wide.",
        "It holds when accuracy is above 90%.",
        "Given a threshold of 0.5 IoU, boxes are kept.",
        "It uses only 3% runtime of two-stage methods.",
        "We improve accuracy by 2~4 orders of magnitude.",
        "Our 12-page paper compares 7 metrics of 2 models.",
    ],
)
def test_a_number_that_is_no_result_is_none(sentence: str) -> None:
    assert [tell(sentence, one) for one in read(sentence)] == []


def test_which_way_is_better_is_known_of_listed_measures() -> None:
    ways = [read(f"Our model achieves 3.5 {metric} on ImageNet.")[0].better for metric in ("FID", "BLEU")]

    assert ways == [Direction.LOWER, Direction.HIGHER]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("up to 30 % fewer", [(30.0, "%")]),
        ("1,234.5 points", [(1234.5, "points")]),
        ("6-15% and 3 to 6 points", [(15.0, "%"), (6.0, "points")]),
        ("from 71.2 to 74.9 mAP", [(71.2, ""), (74.9, "")]),
        ("5.5K times, 2-fold, 4x and 8×", [(5500.0, "×"), (2.0, "×"), (4.0, "×"), (8.0, "×")]),
        ("82.9%/84.8% in 4.5 ms", [(82.9, "%"), (84.8, "%"), (4.5, "ms")]),
        ("3 percentage points, 4 pp", [(3.0, "percentage points"), (4.0, "percentage points")]),
        ("95.1 ± 0.3", [(95.1, "")]),
        ("GPT-4, 3D, 5-shot, ResNet50, 16 x 16, v2.0, 7B, in 2021", []),
    ],
)
def test_numbers_have_values_and_units(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(one.value, one.unit) for one in find_quantities(text)] == expected


@given(
    st.floats(0.01, 99_999).map(lambda value: round(value, 2)),
    st.sampled_from(["%", " %", " percent", "×", "x", "-fold", " points", " dB", ""]),
    st.sampled_from(["+", "−", "-", ""]),
)
def test_a_number_is_read_as_it_is_written(value: float, unit: str, sign: str) -> None:
    text = f"we gain {sign}{value:.2f}{unit} here"

    (one,) = find_quantities(text)

    assert one.value == value
    assert text[one.start : one.end] == f"{sign}{value:.2f}{unit}"
    assert one.sign == ("-" if sign == "−" else sign)


@given(st.text(st.sampled_from("0123456789.,%×x+-−/ aeMN()to"), max_size=40))
def test_numbers_quote_the_text_and_do_not_overlap(text: str) -> None:
    found = list(find_quantities(text))

    assert all(any(char.isdigit() for char in text[one.start : one.end]) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(st.lists(st.sampled_from(_WORDS)))
@settings(max_examples=200, deadline=None)
def test_any_words_make_results_that_quote_numbers(words: list[str]) -> None:
    doc = to_plain_doc(" ".join(words))

    found = list(find_measurements(doc, (), _LEXICON()))

    assert all(abs(one.value) in {3.5, 20, 2} for one in found)
    quoted = [part for one in found for part in doc.text[one.start : one.end].split(" to ")]
    assert all(part.strip("%×") in {"3.5", "20", "2"} for part in quoted)
    assert len({one.start for one in found}) == len(found)


def test_an_outline_has_a_capital_for_each_number_and_measure() -> None:
    rows = (
        "up ADP IN prep 3\nto ADP IN prep 3\n3.5 NUM CD nummod 3\n~% NOUN NN ROOT 3\n"
        "higher ADJ JJR amod 5\naccuracy NOUN NN dep 3"
    )
    doc = to_doc(rows)

    outline = to_outline(doc, list(find_quantities(doc.text)), (), to_lexicon())

    assert outline.line == "N higher M"
    assert [type(one).__name__ for one in outline.find(0, len(outline.line))] == ["Quantity", "Measured"]


def test_the_list_of_measures_says_which_way_is_better_and_what_for() -> None:
    measures = _LEXICON().measures

    assert {one.better for one in measures.values()} == {"higher", "lower", "none"}
    assert {one.use for one in measures.values()} == {"level", "change", "setting"}
    assert _LEXICON().find_measure("Success rates") == measures["success rate"]
    assert _LEXICON().find_measure("fid") is None
