"""Tests of what a pile of papers looks like as a whole."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.build import rebuild
from kg.errors import GraphError
from kg.landscape import (
    add_landscape,
    find_centrality,
    find_communities,
    find_first_years,
    find_new,
    find_trends,
    find_uptakes,
    survey,
)
from kg.landscape.names import score_telling
from kg.landscape.neighbours import find_neighbours, weigh
from kg.landscape.occurrence import Occurrence, count_occurrences
from kg.model import Community, ConceptType, Decision, DecisionKind, KnowledgeGraph, Paper, Predicate
from tests.small_piles import pile_up, say_that

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Built

ROOT = Path(__file__).parents[1]

# Two fields of eight papers that share nothing but a hub, and a paper that shares nothing.
GRAPHS = {f"g{at}": {"graphs", "nodes", "accuracy", f"only g{at}"} for at in range(8)}
SPEECH = {f"s{at}": {"speech", "phonemes", "accuracy", f"only s{at}"} for at in range(7)}
FIELDS: Mapping[str, set[str]] = GRAPHS | SPEECH | {"lonely": {"pottery"}}


def name_papers(community: Community) -> set[str]:
    """Return the papers of a community without their prefix."""
    return {one.removeprefix("paper:") for one in community.papers}


def label(concepts: tuple[str, ...]) -> list[str]:
    """Return the labels of concepts."""
    return [one.removeprefix("concept:") for one in concepts]


def date(counts: Mapping[str, Mapping[int, int]], papers: int = 40) -> KnowledgeGraph:
    """Return a pile of so many papers a year from 2020 to 2024, some of which mention concepts."""
    mentions, years = {}, {}
    for year in range(2020, 2025):
        for at in range(papers):
            name = f"{year}-{at}"
            years[name] = year
            mentions[name] = {one for one, numbers in counts.items() if at < numbers.get(year, 0)}
    return pile_up(mentions, years=years)


# Communities.


def test_fields_that_share_a_hub_only_are_communities_by_size() -> None:
    one, other = find_communities(pile_up(FIELDS))

    assert (one.number, other.number) == (1, 2)
    assert name_papers(one) == GRAPHS.keys()
    assert name_papers(other) == SPEECH.keys()


def test_a_community_is_named_after_what_the_others_lack() -> None:
    one, other = find_communities(pile_up(FIELDS))

    assert one.name == "graphs, nodes"
    assert other.name == "phonemes, speech"


def test_a_concept_of_one_paper_is_where_the_paper_is() -> None:
    one, other = find_communities(pile_up(FIELDS))

    assert {f"concept:only g{at}" for at in range(8)} < set(one.concepts)
    assert {f"concept:only s{at}" for at in range(7)} < set(other.concepts)


def test_a_paper_that_shares_nothing_is_alone_with_its_concepts() -> None:
    found = survey(pile_up(FIELDS))

    assert found.alone == ("paper:lonely",)
    assert all("concept:pottery" not in one.concepts for one in found.communities)


def test_communities_of_one_size_are_numbered_by_name() -> None:
    found = find_communities(pile_up({"a": {"zebras"}, "b": {"zebras"}, "c": {"apes"}, "d": {"apes"}}))

    assert [(one.number, one.name) for one in found] == [(1, "apes"), (2, "zebras")]


def test_papers_that_share_a_broader_concept_only_are_joined_by_it() -> None:
    wider = [say_that(f"concept:{one}", Predicate.BROADER, "concept:bandits") for one in ("dueling", "linear")]
    kg = pile_up({"a": {"dueling"}, "b": {"linear"}, "c": {"bandits"}, "d": {"bandits"}, "e": {"tea"}}, more=wider)

    (found,) = find_communities(kg)

    assert name_papers(found) == {"a", "b", "c", "d"}
    assert found.name == "bandits"


def test_a_broader_concept_that_fewer_papers_mention_joins_nothing() -> None:
    mentions = {str(at): {"graphs"} if at < 4 else {"speech"} for at in range(8)} | {"x": {"things"}}
    wider = [say_that(f"concept:{one}", Predicate.BROADER, "concept:things") for one in ("graphs", "speech")]

    assert len(find_communities(pile_up(mentions, more=wider))) == 2


def test_a_metric_names_a_community_only_where_nothing_else_does() -> None:
    mentions = {"a": {"BLEU", "translation"}, "b": {"BLEU", "translation"}, "c": {"FID"}, "d": {"FID"}}
    metrics = {"BLEU": ConceptType.METRIC, "FID": ConceptType.METRIC}

    assert {one.name for one in find_communities(pile_up(mentions, types=metrics))} == {"translation", "FID"}


def test_a_name_says_nothing_twice() -> None:
    mentions = {str(at): {"machine translation", "neural machine translation", "decoding"} for at in range(4)}

    (found,) = find_communities(pile_up(mentions))

    assert found.name == "decoding, machine translation"


@pytest.mark.parametrize("mentions", [{}, {"a": ()}, {"a": {"x"}}, {"a": {"x"}, "b": {"y"}}])
def test_papers_that_share_nothing_make_no_community(mentions: Mapping[str, set[str]]) -> None:
    found = survey(pile_up(mentions))

    assert not found.communities
    assert not found.central
    assert found.alone == tuple(f"paper:{one}" for one in mentions)


def test_two_papers_with_the_same_concepts_are_a_community() -> None:
    (found,) = find_communities(pile_up({"a": {"x"}, "b": {"x"}}))

    assert (found.name, found.concepts) == ("x", ("concept:x",))


def test_a_pile_about_one_thing_is_one_community() -> None:
    (found,) = find_communities(pile_up({str(at): {"graphs", "nodes", f"only {at}"} for at in range(60)}))

    assert len(found.papers) == 60


def test_a_paper_without_place_of_its_own_goes_to_its_neighbours() -> None:
    mentions = GRAPHS | SPEECH | {"between": {"graphs", "accuracy", "new thing"}}

    home = {paper: one.number for one in find_communities(pile_up(mentions)) for paper in name_papers(one)}

    assert home["between"] == home["g0"]


@pytest.mark.parametrize(("count", "nearest"), [(5, 4), (60, 20)])
def test_each_paper_keeps_its_nearest_and_of_equals_the_first(count: int, nearest: int) -> None:
    names = [f"p{at:02}" for at in range(count)]
    occurrence = Occurrence(dict.fromkeys(names, ("x",)), {"x": tuple(names)})

    found = dict(find_neighbours(weigh(occurrence)).iter_named())

    assert [other for one, other in found if one == names[0]][:nearest] == names[1 : nearest + 1]
    assert set(found.values()) == {1.0}
    assert all(one < other for one, other in found)
    assert len(found) <= count * nearest


def test_rarer_concepts_bring_papers_nearer() -> None:
    kg = pile_up({"a": {"hub", "rare"}, "b": {"hub", "rare"}, "c": {"hub"}, "d": {"hub", "other"}, "e": {"other"}})

    found = dict(find_neighbours(weigh(count_occurrences(kg))).iter_named())

    assert found["paper:a", "paper:b"] == pytest.approx(1)
    assert found["paper:a", "paper:d"] < 0.2


def test_a_name_of_many_is_more_telling_than_one_of_a_few() -> None:
    assert score_telling(100, 200, 50, 800) > score_telling(2, 200, 0, 800)
    assert score_telling(20, 200, 80, 800) == pytest.approx(0, abs=0.1)


# Centrality.


def test_what_others_stand_around_is_central_and_what_goes_with_anything_is_not() -> None:
    mentions = {f"{hub}{at}": {hub, f"{hub} {at % 4}", "results"} for hub in ("graphs", "speech") for at in range(20)}

    central = find_centrality(pile_up(mentions))

    assert list(central)[:2] == ["concept:graphs", "concept:speech"]
    assert central["concept:graphs"] == 1
    assert "concept:results" not in central


def test_ties_in_centrality_are_broken_by_id() -> None:
    mentions = {one: {"b", "a"} for one in "12"} | {one: {"d", "c"} for one in "34"}

    assert find_centrality(pile_up(mentions)) == {f"concept:{one}": 1 for one in "abcd"}


def test_each_community_has_its_own_central_concepts() -> None:
    mentions = {
        f"{hub}{at}": {f"{hub} model", *(f"{hub} {turn}" for turn in range(4) if at % 4 != turn)}
        for hub in ("graph", "speech")
        for at in range(20)
    }

    one, other = find_communities(pile_up(mentions))

    assert one.central[0] == "concept:graph model"
    assert other.central[0] == "concept:speech model"


# What is new.


def test_what_one_paper_introduces_and_no_other_mentions_is_new() -> None:
    more = [say_that("paper:a", Predicate.INTRODUCES, f"concept:{one}", "We propose") for one in ("LoDA", "LoRA")]

    assert find_new(pile_up({"a": (), "b": {"LoRA"}}, more=more)) == ("concept:LoDA",)


def take_up(
    sentence: str, years: Mapping[str, int], kind: ConceptType = ConceptType.METHOD, title: str = "a"
) -> dict[str, tuple[str, ...]]:
    """Return who takes up LoRA, which paper a introduces in a sentence."""
    more = [say_that("paper:a", Predicate.INTRODUCES, "concept:LoRA", sentence)]
    kg = pile_up({"a": (), "b": {"LoRA"}, "c": {"LoRA"}, "d": ()}, years=years, more=more, types={"LoRA": kind})
    kg = replace(kg, papers=dict(kg.papers) | {"paper:a": replace(kg.papers["paper:a"], title=title)})
    return {one.paper: one.takers for one in find_uptakes(kg)}


def test_what_later_papers_mention_is_taken_up_in_the_order_of_years() -> None:
    assert take_up("We propose", {"a": 2021, "b": 2024, "c": 2022}) == {"paper:a": ("paper:c", "paper:b")}


def test_without_years_all_other_papers_take_up() -> None:
    assert take_up("a method called", {}) == {"paper:a": ("paper:b", "paper:c")}


@pytest.mark.parametrize(
    "years",
    [{"a": 2021, "b": 2020, "c": 2022}, {"a": 2021, "b": 2021, "c": 2021}, {"a": 2021, "b": 2022}],
    ids=["an earlier paper", "all of one year", "one later paper"],
)
def test_what_was_there_before_or_has_one_taker_is_not_taken_up(years: Mapping[str, int]) -> None:
    assert take_up("We propose", years) == {}


def test_what_is_described_and_not_named_is_not_taken_up() -> None:
    assert take_up("We propose a variant of", {}) == {}
    assert take_up("We propose a variant of", {}, title="LoRA: low-rank adaptation") != {}
    assert take_up("We propose a variant of", {}, title="LoRAs everywhere") == {}
    assert take_up("We propose", {}, ConceptType.TASK) == {}


def test_what_two_papers_introduce_is_not_taken_up_from_one() -> None:
    more = [say_that(f"paper:{one}", Predicate.INTRODUCES, "concept:LoRA", "We propose") for one in "ab"]

    assert find_uptakes(pile_up({one: {"LoRA"} for one in "abcd"}, more=more)) == ()


def test_the_first_year_is_that_of_the_oldest_paper_with_one() -> None:
    kg = pile_up({"a": {"x"}, "b": {"x"}, "c": {"x", "y"}}, years={"a": 2022, "b": 2020})

    assert find_first_years(kg) == {"concept:x": 2020}


# Trends.


def test_what_grows_year_by_year_rises_and_what_shrinks_falls() -> None:
    kg = date({"LLMs": dict(zip(range(2020, 2025), (1, 3, 8, 15, 25), strict=True)), "SVMs": {2020: 12, 2021: 5}})

    rising, falling = find_trends(kg)

    assert (rising.concept, falling.concept) == ("concept:LLMs", "concept:SVMs")
    assert rising.growth > 1.5
    assert rising.z > 4
    assert falling.growth < 0.6
    assert falling.papers == ((2020, 12), (2021, 5))


def test_from_one_paper_to_two_is_no_trend() -> None:
    assert find_trends(date({"x": {2022: 1, 2023: 2, 2024: 2}})) == ()


def test_a_steady_share_is_no_trend() -> None:
    assert find_trends(date({"x": dict.fromkeys(range(2020, 2025), 10)})) == ()


@pytest.mark.parametrize("years", [{}, {str(at): 2020 for at in range(40)}])
def test_there_is_no_trend_without_years(years: Mapping[str, int]) -> None:
    assert find_trends(pile_up({str(at): {"x"} for at in range(40)}, years=years)) == ()


def test_a_venue_that_joins_late_makes_no_trend() -> None:
    old = {f"ICML {year} {at}": {"learning"} for year in range(2020, 2025) for at in range(60)}
    new = {f"CVPR 2024 {at}": {"vision"} for at in range(300)}
    years = {name: int(name.split()[1]) for name in (*old, *new)}
    venues = {name: " ".join(name.split()[:2]) for name in years}

    assert find_trends(pile_up(old | new, years=years, venues=venues)) == ()
    assert len(find_trends(pile_up(old | new, years=years))) == 2


def test_papers_without_abstract_are_compared_with_their_like() -> None:
    kg = date({"x": dict.fromkeys(range(2020, 2025), 20)})
    bare = {f"paper:bare {at}": Paper(id=f"bare {at}", title="-", year=2024) for at in range(200)}

    assert find_trends(replace(kg, papers=dict(kg.papers) | bare)) == ()


# Always the same.


def shuffle(kg: KnowledgeGraph, seed: int) -> KnowledgeGraph:
    """Return a graph with papers, concepts and relations in another order."""
    chance = random.Random(seed)
    papers, concepts, relations = list(kg.papers.items()), list(kg.concepts.items()), list(kg.relations)
    for some in (papers, concepts, relations):
        chance.shuffle(some)
    return replace(kg, papers=dict(papers), concepts=dict(concepts), relations=tuple(relations))


def mix() -> KnowledgeGraph:
    """Return a pile of two hundred papers about anything."""
    chance = random.Random(7)
    names = [f"c{at}" for at in range(60)]
    mentions = {f"p{at}": sorted(set(chance.choices(names, k=5))) for at in range(200)}
    return pile_up(mentions, years={name: 2020 + at % 4 for at, name in enumerate(mentions)})


@pytest.mark.parametrize("seed", range(3))
def test_order_does_not_show(seed: int) -> None:
    kg = mix()

    assert survey(shuffle(kg, seed)) == survey(kg)
    assert list(find_centrality(shuffle(kg, seed)).items()) == list(find_centrality(kg).items())


def test_the_state_of_chance_is_neither_used_nor_changed() -> None:
    kg = mix()
    random.seed(1)
    one, after = find_communities(kg), random.random()
    random.seed(1)

    assert random.random() == after
    assert find_communities(kg) == one


def test_hash_seeds_do_not_show() -> None:
    code = "from tests.test_landscape import mix; from kg.landscape import survey; print(survey(mix()))"

    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }

    assert len(shown) == 1


# What a graph keeps.


def test_a_graph_keeps_what_was_found() -> None:
    kg = add_landscape(pile_up(FIELDS))

    assert kg.communities == find_communities(kg)
    assert list(kg.centrality.items()) == list(find_centrality(kg).items())
    assert survey(kg) == survey(pile_up(FIELDS))


def test_a_build_finds_communities_and_a_decision_finds_them_anew(built: Built) -> None:
    papers = [
        Paper(id=one, abstract=f"We train BERT for {task}.") for one, task in (("a", "parsing"), ("b", "tagging"))
    ]
    kg = built(papers)

    assert [(one.name, name_papers(one)) for one in kg.communities] == [("BERT", {"a", "b"})]
    assert rebuild(kg, [Decision(DecisionKind.DROP, "BERT")]).communities == ()


def test_a_community_of_strangers_or_of_another_one_s_papers_is_refused() -> None:
    kg = pile_up({"a": {"x"}, "b": {"x"}})
    one = Community(1, "x", (), (), ("paper:a", "paper:b"), ())

    with pytest.raises(GraphError, match="'paper:c', which is not in the graph"):
        replace(kg, communities=(replace(one, papers=("paper:a", "paper:c")),))
    with pytest.raises(GraphError, match="'paper:a' is in the communities 1 and 2"):
        replace(kg, communities=(one, replace(one, number=2)))
    with pytest.raises(GraphError, match="'concept:y' has a centrality"):
        replace(kg, centrality={"concept:y": 1.0})
    with pytest.raises(GraphError, match="has 1 papers"):
        replace(one, papers=("paper:a",))
