"""Links: relations between papers and concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest

from kg.link import link_concepts
from kg.mentions import mention_schema
from kg.model import Concept, ConceptType, Paper, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Sequence

_KINDS = {"lora": ConceptType.METHOD, "imagenet": ConceptType.DATASET, "parsing": ConceptType.TASK}
_CONCEPTS = {f"concept:{name}": Concept(f"concept:{name}", name, kind) for name, kind in _KINDS.items()}

# Paper, concept, role, cue and score of a mention.
_Row = tuple[str, str, Predicate, str, float]


def say(
    paper: str, concept: str, role: Predicate = Predicate.USES_METHOD, cue: str = "use", score: float = 0.8
) -> _Row:
    """Return a mention of a concept in a paper."""
    return paper, concept, role, cue, score


def to_paper(number: str) -> Paper:
    """Return a paper that names every concept twice."""
    names = " and ".join(sorted(_KINDS))
    return Paper(id=number, title=f"On {names}", abstract=f"It is old. We use {names}.")


def connect(rows: Sequence[_Row]) -> duckdb.DuckDBPyConnection:
    """Return a database with a table of mentions in the second sentence of abstracts."""
    columns = []
    for paper, concept, role, cue, score in rows:
        text = to_paper(paper).abstract
        sentence = text[11:]
        start = sentence.index(concept) if concept in sentence else 0
        columns.append(
            {
                "paper": f"paper:{paper}", "section": "abstract", "offset": 11, "length": len(sentence),
                "start": start, "end": start + len(concept), "surface": concept, "type": "Method", "role": role.value,
                "score": score, "source": "name", "long": "", "cue": cue, "role_score": 1.0, "own": False,
                "concept": f"concept:{concept}", "reason": "",
            }
        )  # fmt: skip
    database = duckdb.connect()
    database.register("mentions", pa.Table.from_pylist(columns, schema=mention_schema()))
    return database


def link(*rows: _Row) -> list[Relation]:
    """Return the relations between papers and concepts."""
    papers = {one.id: one for one in map(to_paper, {row[0] for row in rows})}
    return list(link_concepts(connect(rows), papers, _CONCEPTS))


def test_evidence_quotes_the_sentence_and_points_at_the_name() -> None:
    (relation,) = link(say("1", "lora", cue="leverage"))

    (evidence,) = relation.evidence
    assert (evidence.section, evidence.offset) == (Section.ABSTRACT, 11)
    assert to_paper("1").abstract[evidence.offset :] == evidence.sentence
    assert evidence.sentence[evidence.start : evidence.end] == "lora"
    assert evidence.method == "cue: leverage"


def test_a_role_that_only_says_used_goes_by_the_concepts_type() -> None:
    rows = [say("1", name) for name in _KINDS]

    assert {one.object: one.predicate for one in link(*rows)} == {
        "concept:imagenet": Predicate.USES_DATASET,
        "concept:lora": Predicate.USES_METHOD,
        "concept:parsing": Predicate.ADDRESSES_TASK,
    }


def test_what_is_introduced_is_not_also_used() -> None:
    (relation,) = link(say("1", "lora"), say("1", "lora", Predicate.INTRODUCES), say("1", "lora", Predicate.MENTIONS))

    assert relation.predicate is Predicate.INTRODUCES


def test_a_mere_mention_stands_only_where_there_is_no_role() -> None:
    assert [one.predicate for one in link(say("1", "lora", Predicate.MENTIONS))] == [Predicate.MENTIONS]
    assert [one.predicate for one in link(say("1", "lora"), say("1", "lora", Predicate.MENTIONS))] == [
        Predicate.USES_METHOD
    ]


def test_a_relation_is_as_sure_as_its_surest_evidence() -> None:
    (relation,) = link(say("1", "lora", score=0.5), say("1", "lora", score=0.9), say("1", "lora", score=0.7))

    assert relation.score == 0.9


def test_a_relation_keeps_a_few_sentences_and_not_hundreds() -> None:
    (relation,) = link(*[say("1", "lora", score=0.5 + number / 1000) for number in range(100)])

    assert 1 <= len(relation.evidence) <= 10
    assert relation.score == pytest.approx(0.599)


def test_relations_come_by_paper_and_concept_whatever_the_order_of_mentions() -> None:
    rows = [say(paper, name) for paper in ("2", "1") for name in _KINDS]

    assert link(*rows) == link(*reversed(rows))
    assert [(one.subject, one.object) for one in link(*rows)] == sorted(
        (one.subject, one.object) for one in link(*rows)
    )
