"""Links between papers: for what they share, significant, few, and the same whatever the order."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest

from kg.link import link_papers
from kg.mentions import mention_schema
from kg.model import Evidence, Predicate, Relation, Relations, Section
from kg.model.columns import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Paper and concept, and how often; `MAIN` is for what a paper introduces and comes back to.
_Row = tuple[str, str, Predicate, int]
USED = Predicate.USES_METHOD


def say(paper: str, concept: str, role: Predicate = USED, *, times: int = 1) -> _Row:
    """Return that a paper names a concept in some sentences."""
    return paper, concept, role, times


def about(paper: str, concept: str) -> _Row:
    """Return that a paper introduces a concept and comes back to it."""
    return say(paper, concept, Predicate.INTRODUCES, times=2)


def connect(rows: Iterable[_Row]) -> tuple[duckdb.DuckDBPyConnection, Relations]:
    """Return a database with a table of mentions, and the relations of papers to concepts."""
    columns: list[dict[str, object]] = []
    relations = {}
    for paper, concept, role, times in rows:
        ends = f"paper:{paper}", f"concept:{concept}"
        columns += [
            {
                "paper": ends[0], "section": "abstract", "offset": 100 * offset, "length": 80,
                "start": 0, "end": len(concept), "surface": concept, "type": "Method", "role": role.value,
                "score": 0.9, "source": "name", "long": "", "cue": "", "role_score": 1.0, "own": False,
                "concept": ends[1], "reason": "",
            }
            for offset in range(times)
        ]  # fmt: skip
        evidence = Evidence(ends[0], Section.ABSTRACT, 0, 0, len(concept), concept, "type", 0.9)
        relations[ends] = Relation(ends[0], role, ends[1], 0.9, (evidence,))
    database = duckdb.connect(config={"threads": 1})
    database.register("found", pa.Table.from_pylist(columns, schema=mention_schema()))
    database.execute("CREATE TABLE mentions AS FROM found")
    return database, Relations.collect(relations.values(), Places({}, {}))


def link(rows: Iterable[_Row], papers: int) -> list[Relation]:
    """Return the relations between papers; others of the pile name nothing."""
    database, relations = connect(rows)
    return list(link_papers(database, papers, relations))


def measure(rows: Sequence[_Row], papers: int) -> tuple[float, list[Relation]]:
    """Return the seconds that linking takes, the best of three, and the relations."""
    database, relations = connect(rows)
    times = []
    for _ in range(3):
        begin = time.process_time()
        found = list(link_papers(database, papers, relations))
        times.append(time.process_time() - begin)
    return min(times), found


def to_scores(relations: Iterable[Relation]) -> Mapping[tuple[str, str], float]:
    """Return the scores of pairs of papers, without what their ids begin with."""
    return {(one.subject.partition(":")[2], one.object.partition(":")[2]): one.score for one in relations}


def make_pile(papers: int, seed: int = 7) -> list[_Row]:
    """Return papers that name common concepts much and rare ones little, as in real piles."""
    chance = random.Random(seed)
    rows = {}
    for paper in range(papers):
        for _ in range(8):
            concept = f"c{int(papers * chance.random() ** 3)}"
            role = chance.choice([Predicate.INTRODUCES, USED, Predicate.MENTIONS])
            rows[paper, concept] = say(f"{paper:05}", concept, role, times=chance.randint(1, 2))
    return list(rows.values())


def test_papers_that_share_a_concept_are_joined_once_and_say_by_what() -> None:
    (relation,) = link([say("1", "lora"), say("2", "lora"), say("2", "parsing")], 9)

    assert (relation.subject, relation.predicate, relation.object) == ("paper:1", Predicate.RELATED_TO, "paper:2")
    assert relation.via == ("concept:lora",)
    assert {one.paper for one in relation.evidence} == {"paper:1", "paper:2"}


def test_papers_that_share_nothing_are_not_joined() -> None:
    assert link([say("1", "lora"), say("2", "parsing")], 9) == []


def test_what_weighs_most_explains_first() -> None:
    rows = [say(str(one), "parsing") for one in range(1, 8)]
    others = [say(one, name) for one in "12" for name in ("adapters", "lora")]
    central = [about(one, "bert") for one in "12"]

    (relation,) = link([*rows, *others, *central], 200)[:1]

    assert relation.via == ("concept:bert", "concept:adapters", "concept:lora", "concept:parsing")


def test_papers_that_name_the_same_as_centrally_have_a_score_of_1() -> None:
    rows = [say(paper, name) for paper in "12" for name in ("lora", "bert")]

    assert to_scores(link(rows, 50)) == {("1", "2"): 1.0}


def test_the_score_is_the_share_of_what_two_papers_are_about() -> None:
    shared = [say(paper, "lora") for paper in "12"]
    alone = [say("1", "bert"), say("2", "adam")]

    # Weights: what one paper of the pile has, ln(70 / 1) / 4, and what two have, ln(70 / 2) / 4.
    assert to_scores(link([*shared, *alone], 50)) == {("1", "2"): pytest.approx(3.5553 / (3.5553 + 4.2485), abs=1e-4)}


@pytest.mark.parametrize("papers", [3, 19, 300, 30_000])
def test_a_rare_name_joins_papers_in_piles_of_any_size(papers: int) -> None:
    assert len(link([say("1", "lora", times=2), say("2", "lora")], papers)) == 1


def test_a_name_in_passing_joins_papers_of_a_small_pile_only() -> None:
    assert [len(link([say("1", "lora"), say("2", "lora")], papers)) for papers in (50, 300, 30_000)] == [1, 1, 0]


def test_papers_that_share_what_one_introduces_are_nearer_than_two_that_mention_it() -> None:
    others = [say("1", "bert"), say("2", "adam")]

    passing = to_scores(link([*others, say("1", "lora"), say("2", "lora")], 50))
    new = to_scores(link([*others, say("1", "lora", Predicate.INTRODUCES), say("2", "lora")], 50))

    assert new["1", "2"] > passing["1", "2"]


def test_who_uses_what_a_paper_introduces_is_joined_to_it_and_not_to_all_other_users() -> None:
    rows = [about("0", "lora"), *[say(f"{one}", "lora", times=2) for one in range(1, 41)]]

    assert set(to_scores(link(rows, 3000))) == {("0", str(one)) for one in range(1, 41)}


@pytest.mark.parametrize(("sharing", "papers"), [(12, 12), (24, 24), (60, 60), (40, 1000), (500, 25_000)])
def test_papers_that_share_one_common_name_are_not_joined(sharing: int, papers: int) -> None:
    assert link([say(str(one), "deep learning") for one in range(sharing)], papers) == []


def test_two_names_that_few_papers_have_together_join_where_neither_does_alone() -> None:
    rows = [say(f"a{one}", "distillation") for one in range(60)] + [say(f"b{one}", "parsing") for one in range(60)]
    both = [say(one, name, times=2) for one in "12" for name in ("distillation", "parsing")]

    assert set(to_scores(link([*rows, *both], 25_000))) == {("1", "2")}


def test_hubs_together_join_no_papers() -> None:
    names = ("deep learning", "neural networks", "accuracy")
    rows = [say(f"{name}{one}", name) for name in names for one in range(800)]

    assert link([*rows, *[say(one, name) for one in "12" for name in names]], 25_000) == []


def test_a_paper_keeps_its_ten_nearest_and_who_keeps_it() -> None:
    rows = make_pile(400)

    relations = link(rows, 400)

    best: dict[str, list[tuple[float, str]]] = {}
    for (one, other), score in to_scores(relations).items():
        best.setdefault(one, []).append((-score, other))
        best.setdefault(other, []).append((-score, one))
    places = {(one, other): place for one, near in best.items() for place, (_, other) in enumerate(sorted(near))}
    assert relations
    assert all(min(places[one, other], places[other, one]) < 10 for one, other in to_scores(relations))


def test_every_link_of_a_pile_is_explained_by_sentences_of_both_papers() -> None:
    for relation in link(make_pile(400), 400):
        assert relation.via
        assert {one.paper for one in relation.evidence} == {relation.subject, relation.object}
        assert len(relation.evidence) == 2 * len(relation.via)
        assert 0 < relation.score <= 1


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_mentions_changes_nothing(seed: int) -> None:
    rows = make_pile(150)

    assert link(random.Random(seed).sample(rows, len(rows)), 150) == link(rows, 150)


def test_links_come_sorted_and_each_pair_once() -> None:
    pairs = [(one.subject, one.object) for one in link(make_pile(300), 300)]

    assert pairs == sorted(set(pairs))
    assert all(one < other for one, other in pairs)


def test_the_score_does_not_depend_on_which_paper_comes_first() -> None:
    rows = [about("1", "lora"), say("2", "lora"), say("1", "bert"), say("2", "adam", times=2)]
    swapped = [("12"["21".index(paper)], *rest) for paper, *rest in rows]

    assert to_scores(link(rows, 50)) == to_scores(link(swapped, 50))  # type: ignore[arg-type]


def test_linking_leaves_no_tables_behind() -> None:
    database = duckdb.connect()
    database.register("mentions", pa.Table.from_pylist([], schema=mention_schema()))

    assert list(link_papers(database, 0, Relations.collect([], Places({}, {})))) == []
    assert database.execute("SHOW TABLES").fetchall() == [("mentions",)]


@pytest.mark.slow
def test_a_hub_costs_as_much_as_it_has_papers_and_not_the_square() -> None:
    def share_one_name(papers: int) -> list[_Row]:
        hub = [say(f"{one:05}", "deep learning") for one in range(papers)]
        return hub + [say(f"{one:05}", f"pair{one // 2}", times=2) for one in range(papers)]

    (half, few), (whole, many) = (measure(share_one_name(papers), papers) for papers in (2500, 5000))
    (_, hub), (largest, _) = measure(share_one_name(5000)[:5000], 5000), measure(share_one_name(20_000), 20_000)

    assert (len(few), len(many), len(hub)) == (1250, 2500, 0)
    assert whole < 3 * half
    assert largest < 8 * whole


@pytest.mark.slow
def test_a_pile_that_is_twice_as_large_takes_about_twice_as_long_and_has_at_most_ten_links_a_paper() -> None:
    (half, few), (whole, many) = (measure(make_pile(papers), papers) for papers in (5000, 10_000))

    degrees = Counter(end for one in many for end in (one.subject, one.object))
    assert len(few) <= 10 * 5000
    assert len(many) <= 10 * 10_000
    assert max(degrees.values()) < 200
    assert whole < 3.5 * half  # the square would be 4
