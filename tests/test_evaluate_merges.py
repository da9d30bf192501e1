"""Scores of names that are put together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kg.cli import main
from kg.errors import InputError
from kg.evaluate import evaluate_merges, score_merges

BENCH = Path(__file__).parents[2] / "shared/bench"
_clusters = st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=4)


def write(path: Path, *records: object) -> Path:
    """Write records as JSON Lines."""
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def test_pairs_and_b_cubed_are_those_of_the_textbook() -> None:
    scores = score_merges([[1, 1, 1, 2]], [["a", "a", "b", "b"]])

    assert (scores.pairs.precision, scores.pairs.recall, scores.pairs.gold) == (0.5, 0.3333, 3)
    assert scores.b_cubed.precision == 0.75  # (1 + 1 + 1/2 + 1/2) / 4
    assert scores.b_cubed.recall == 0.6667  # (2/3 + 2/3 + 1/3 + 1) / 4


@given(_clusters)
def test_the_right_clusters_have_full_scores(clusters: list[list[int]]) -> None:
    scores = score_merges(clusters, clusters)

    names = sum(map(len, clusters))
    assert scores.b_cubed.f1 == (1.0 if names else 0.0)
    assert scores.pairs.f1 in {0.0, 1.0}


def test_concepts_with_mentions_are_paired_across_documents_and_know_their_acronyms(tmp_path: Path) -> None:
    gold = write(
        tmp_path / "concepts.jsonl",
        {
            "name": "GAN",
            "mentions": [["1", 0, 4, "Method", "the GANs"], ["2", 0, 4, "Method", "generative adversarial net"]],
        },
        {"name": "VAE", "mentions": [["2", 9, 12, "Method", "VAE"]]},
    )
    texts = write(tmp_path / "texts.jsonl", {"id": "1", "text": "A generative adversarial net (GAN) is used."})

    assert evaluate_merges(gold, texts=texts).pairs.recall == 1.0
    assert evaluate_merges(gold).pairs.recall == 0.0


def test_synonyms_of_a_document_are_pairs_of_its_names(tmp_path: Path) -> None:
    text = "Deep Q-learning beats SARSA. DQN is deep Q-learning."
    spans = [[0, 15, "Method"], [22, 27, "Method"], [29, 32, "Method"], [36, 51, "Method"]]
    gold = write(
        tmp_path / "gold.jsonl", {"id": "1", "text": text, "spans": spans, "relations": [[2, 3, "Synonym-Of"]]}
    )

    pairs = evaluate_merges(gold).pairs

    assert (pairs.gold, pairs.recall) == (3, 0.3333)  # Deep and deep Q-learning are one by their spelling


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", r"gold\.jsonl:1: '\[1\]' is no record"),
        ("{", r"gold\.jsonl:1: no JSON"),
        ('{"text": "a", "spans": [[0, 1, "Method"]], "coref": [[7]]}', r"gold\.jsonl:1: no record with names"),
        ('{"mentions": [[1]]}', r"gold\.jsonl:1: no record with names"),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "gold.jsonl").write_text(line, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        evaluate_merges(tmp_path / "gold.jsonl")


def test_the_command_prints_both_measures(tmp_path: Path) -> None:
    gold = write(
        tmp_path / "gold.jsonl", {"text": "GANs, GAN", "spans": [[0, 4, "Method"], [6, 9, "Method"]], "coref": [[0, 1]]}
    )

    shown = CliRunner().invoke(main, ["eval", str(gold), "--merges"]).stdout

    assert [row.split()[0] for row in shown.splitlines()[1:]] == ["pairs", "b-cubed"]
    assert json.loads(CliRunner().invoke(main, ["eval", str(gold), "--merges", "--json"]).stdout)["pairs"]["f1"] == 1.0


@pytest.mark.skipif(not BENCH.is_dir(), reason="the annotations that people made are not here")
@pytest.mark.parametrize(("name", "recall"), [("test", 0.80), ("test_ood", 0.80)])
def test_synonyms_that_people_marked_are_found(name: str, recall: float) -> None:
    assert evaluate_merges(BENCH / f"scier/{name}.jsonl").pairs.recall >= recall


@pytest.mark.skipif(not BENCH.is_dir(), reason="the annotations that people made are not here")
def test_concepts_of_ten_sciences_are_mostly_told_apart() -> None:
    scores = evaluate_merges(BENCH / "stm/concepts_cross_domain.jsonl", texts=BENCH / "stm/all.jsonl")

    assert scores.pairs.precision >= 0.955
    assert scores.pairs.recall >= 0.645
    assert scores.b_cubed.f1 >= 0.905
