"""Roles that follow from what sentences say of a paper's own concepts."""

from __future__ import annotations

import pytest

from kg.link import imply_roles
from kg.model import Concept, ConceptType, Evidence, Predicate, Relation, Section

_SENTENCE = "LoDA is used for parsing and outperforms LoRA on PTB."


def say(name: str, offset: int = 0, score: float = 0.8) -> Evidence:
    """Return evidence for a name."""
    start = _SENTENCE.index(name)
    return Evidence("paper:1", Section.ABSTRACT, offset, start, start + len(name), _SENTENCE, "type", score)


def imply(told: Relation, mention: Relation) -> Relation:
    """Return a mention after what is told of the concept that its paper introduces."""
    kinds = {"LoDA": ConceptType.METHOD, "LoRA": ConceptType.METHOD, "parsing": ConceptType.TASK}
    kinds |= {"PTB": ConceptType.DATASET}
    concepts = {f"concept:{name}": Concept(f"concept:{name}", name, kind) for name, kind in kinds.items()}
    new = Relation("paper:1", Predicate.INTRODUCES, "concept:LoDA", 0.9, (say("LoDA"),))
    kept, implied = imply_roles([new, mention], [told], {(new.subject, new.object)}, concepts)
    assert kept == new
    return implied


@pytest.mark.parametrize(
    ("subject", "predicate", "name", "role"),
    [
        ("LoDA", Predicate.USED_FOR, "parsing", Predicate.ADDRESSES_TASK),
        ("LoDA", Predicate.EVALUATED_ON, "PTB", Predicate.USES_DATASET),
        ("LoDA", Predicate.COMPARED_WITH, "LoRA", Predicate.COMPARES_WITH),
        ("LoRA", Predicate.COMPARED_WITH, "LoDA", Predicate.COMPARES_WITH),
        ("LoRA", Predicate.PART_OF, "LoDA", Predicate.USES_METHOD),
    ],
)
def test_what_is_said_of_the_own_concept_is_the_papers_role(
    subject: str, predicate: Predicate, name: str, role: Predicate
) -> None:
    other = "LoDA" if subject != "LoDA" else name
    target = subject if subject != "LoDA" else name
    told = Relation(f"concept:{subject}", predicate, f"concept:{other}", 0.8, (say(subject),))
    mention = Relation("paper:1", Predicate.MENTIONS, f"concept:{target}", 0.4, (say(target),))

    implied = imply(told, mention)

    assert (implied.predicate, implied.score) == (role, 0.8)
    assert implied.evidence[0].method == "implied: type"


@pytest.mark.parametrize(
    ("predicate", "score", "offset"),
    [(Predicate.BROADER, 0.8, 0), (Predicate.USED_FOR, 0.3, 0), (Predicate.USED_FOR, 0.8, 99)],
)
def test_what_does_not_speak_of_it_implies_nothing(predicate: Predicate, score: float, offset: int) -> None:
    told = Relation("concept:LoDA", predicate, "concept:parsing", score, (say("LoDA"),))
    mention = Relation("paper:1", Predicate.MENTIONS, "concept:parsing", 0.4, (say("parsing", offset),))

    assert imply(told, mention) == mention
