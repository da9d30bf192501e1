"""Relations between concepts, from what sentences say of their mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.link import LEAST, find_told, link_claims
from kg.mentions import claim_schema, mention_schema
from kg.model import Concept, ConceptType, Evidence, Paper, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Iterable

_TYPES = {
    "bert": ConceptType.METHOD,
    "lora": ConceptType.METHOD,
    "squad": ConceptType.DATASET,
    "parsing": ConceptType.TASK,
}
_TEXT = "bert lora squad parsing."
_CONCEPTS = {f"concept:{name}": Concept(f"concept:{name}", name, kind) for name, kind in _TYPES.items()}

Said = tuple[str, str, Predicate, str, float]  # paper, subject, predicate, object, score


def find(said: Iterable[Said]) -> dict[tuple[str, str, str], Relation]:
    """Return what is told by names, from papers that all have the same sentence."""
    said = list(said)
    papers = {f"paper:{number}": Paper(id=number, abstract=_TEXT) for number in {one[0] for one in said}}
    place = {"section": "abstract", "offset": 0, "length": len(_TEXT)}
    mentions = [
        {
            **place, "paper": paper, "start": _TEXT.index(name), "end": _TEXT.index(name) + len(name), "surface": name,
            "type": kind, "role": "mentions", "score": 0.9, "source": "name", "long": "", "cue": "", "role_score": 1.0,
            "own": False, "concept": f"concept:{name}", "reason": "folded form",
        }
        for paper in papers
        for name, kind in _TYPES.items()
    ]  # fmt: skip
    claims = [
        {
            **place, "paper": f"paper:{number}", "predicate": predicate, "score": score, "cue": "rule: gap=for",
            "subject_start": _TEXT.index(subject), "subject_end": _TEXT.index(subject) + len(subject),
            "object_start": _TEXT.index(target), "object_end": _TEXT.index(target) + len(target),
        }
        for number, subject, predicate, target, score in said
    ]  # fmt: skip
    database = duckdb.connect()
    database.register("mentions", pa.Table.from_pylist(mentions, schema=mention_schema()))
    database.register("claims", pa.Table.from_pylist(claims, schema=claim_schema()))
    found = find_told(database, papers, _CONCEPTS)
    return {
        (one.subject.removeprefix("concept:"), str(one.predicate), one.object.removeprefix("concept:")): one
        for one in found
    }


def test_a_sentence_says_a_relation_and_points_at_its_subject() -> None:
    (one,) = find([("1", "bert", Predicate.USED_FOR, "parsing", 0.8)]).values()

    (evidence,) = one.evidence
    assert (one.score, one.support, evidence.method) == (0.8, 1, "rule: gap=for")
    assert evidence.sentence[evidence.start : evidence.end] == "bert"


def test_more_papers_make_a_relation_surer_and_all_are_counted() -> None:
    (one,) = find([(str(number), "bert", Predicate.USED_FOR, "parsing", 0.5) for number in range(7)]).values()

    assert one.score == pytest.approx(0.99)
    assert (one.support, len(one.evidence)) == (7, 5)


def test_two_sentences_of_one_paper_count_as_the_surer() -> None:
    (one,) = find([("1", "bert", Predicate.USED_FOR, "parsing", score) for score in (0.6, 0.7)]).values()

    assert (one.score, one.support) == (0.7, 1)


def test_what_others_say_the_other_way_round_is_kept_and_makes_both_less_sure() -> None:
    found = find([("1", "bert", Predicate.PART_OF, "lora", 0.8), ("2", "lora", Predicate.PART_OF, "bert", 0.5)])

    assert found["bert", "partOf", "lora"].score == pytest.approx(0.8 * 0.5 / 0.6, abs=1e-4)
    assert found["lora", "partOf", "bert"].score == pytest.approx(0.5 * 0.2 / 0.6, abs=1e-4)


def test_a_comparison_has_no_direction() -> None:
    said = [("1", "lora", Predicate.COMPARED_WITH, "bert", 0.6), ("2", "bert", Predicate.COMPARED_WITH, "lora", 0.6)]

    (one,) = find(said).values()

    assert (one.subject, one.object, one.support) == ("concept:bert", "concept:lora", 2)
    assert {two.sentence[two.start : two.end] for two in one.evidence} == {"bert"}


@pytest.mark.parametrize(
    ("subject", "predicate", "target"),
    [
        ("squad", Predicate.USED_FOR, "parsing"),
        ("bert", Predicate.EVALUATED_ON, "parsing"),
        ("bert", Predicate.BENCHMARK_FOR, "parsing"),
        ("bert", Predicate.BROADER, "squad"),
    ],
)
def test_concepts_of_other_types_are_not_related(subject: str, predicate: Predicate, target: str) -> None:
    assert find([("1", subject, predicate, target, 0.9)]) == {}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("123"), st.sampled_from(["bert", "lora"]), st.floats(0.1, 0.9))))
def test_the_order_of_claims_changes_nothing(rows: list[tuple[str, str, float]]) -> None:
    said = [(paper, name, Predicate.USED_FOR, "parsing", score) for paper, name, score in rows]

    assert find(said) == find(reversed(said))


def test_what_is_not_sure_and_what_a_kind_says_already_is_left_out() -> None:
    evidence = (Evidence("paper:1", Section.ABSTRACT, 0, 0, 4, _TEXT, "rule: gap=for", 0.9),)
    sure = Relation("concept:bert", Predicate.PART_OF, "concept:lora", LEAST, evidence)
    unsure = Relation("concept:bert", Predicate.USED_FOR, "concept:parsing", LEAST - 0.01, evidence)
    kind = Relation("concept:lora", Predicate.BROADER, "concept:bert", 0.9, evidence)

    assert list(link_claims([sure, unsure], [])) == [sure]
    assert list(link_claims([sure, kind], [kind])) == []
