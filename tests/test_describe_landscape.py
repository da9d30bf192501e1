"""Tests of what is told about a pile of papers as a whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kg.describe import WIDTH, summarise, to_statistics
from kg.model import Predicate
from tests.small_piles import pile_up, say_that

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph


@pytest.fixture(scope="module")
def pile() -> KnowledgeGraph:
    """Return forty small fields of four papers, with a concept that comes up and one that goes."""
    mentions = {}
    years = {}
    for at in range(160):
        name, year = f"p{at:03}", 2020 + at % 5
        years[name] = year
        mentions[name] = {f"field {at // 4} {one}" for one in "ab"}
        mentions[name] |= {"LLMs"} if year > 2022 and at % 2 else set()
        mentions[name] |= {"SVMs"} if year < 2021 else set()
    more = [say_that("paper:p000", Predicate.INTRODUCES, "concept:field 0 a", "We propose")]
    more += [say_that(f"paper:p{at:03}", Predicate.INTRODUCES, f"concept:new {at}") for at in range(50)]
    return pile_up(mentions, years=years, more=more)


def test_a_large_pile_fits_two_screens(pile: KnowledgeGraph) -> None:
    lines = summarise(pile).splitlines()

    assert len(lines) < 120
    assert max(map(len, lines)) <= WIDTH


def test_what_is_listed_in_part_says_how_much_there_is(pile: KnowledgeGraph) -> None:
    text = summarise(pile)

    assert "introduced here and in no other paper, 50 concepts\n" in text
    assert "introduced here and taken up, by papers that did:\n  3  field 0 a (Method)\n" in text
    assert " more, of at most " in text


def test_what_rises_and_falls_is_told_with_its_growth(pile: KnowledgeGraph) -> None:
    text = summarise(pile)

    rising, falling = (next(text.split(f"\n{one} (")[1].splitlines()[1:].__iter__()) for one in ("rising", "falling"))
    assert rising.split()[-2:] == ["LLMs", "(Method)"]
    assert falling.split()[-2:] == ["SVMs", "(Method)"]
    assert float(rising.split()[1]) > 1 > float(falling.split()[1])


def test_all_of_it_is_json(pile: KnowledgeGraph) -> None:
    found: dict[str, Any] = json.loads(json.dumps(to_statistics(pile)))

    assert len(found["new"]) == 50
    assert found["communities"][0]["number"] == 1
    assert sum(len(one["papers"]) for one in found["communities"]) + len(found["alone"]) == 160
    assert found["taken_up"] == [
        {
            "concept": "concept:field 0 a",
            "label": "field 0 a",
            "introduced_by": "paper:p000",
            "taken_up_by": ["paper:p001", "paper:p002", "paper:p003"],
        }
    ]
    assert found["rising"][0]["label"] == "LLMs"
    assert found["falling"][0]["papers"] == {"2020": 32}


def test_an_empty_pile_has_statistics() -> None:
    found = to_statistics(pile_up({}))

    assert found["papers"] == 0
    assert found["communities"] == []
