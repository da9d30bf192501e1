"""The page: safe, whole, offline, the same each time, and drawn."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import html5lib
import pytest

from kg.errors import ExportError, GraphError
from kg.model import (
    Community,
    Concept,
    ConceptType,
    Evidence,
    KnowledgeGraph,
    MentionFile,
    Paper,
    Predicate,
    Relation,
    Report,
    Section,
)
from kg.view import find_nearby, records, to_html, to_notebook, write_page
from kg.view.islands import lay_out_islands
from kg.view.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

CASES = Path(__file__).parents[2] / "shared" / "cases" / "inputs"
HTML = "{http://www.w3.org/1999/xhtml}"
NASTY = [
    "</script><script>window.KG_PWNED=1</script>",
    "Comments <!-- and <script> in a title",
    "]]> ${window.KG_PWNED=2} `tick` \u2028 \\u003c/script>",
    "Questions & Answers: p < 0.05 > chance",
    '<img src=x onerror="window.KG_PWNED=4">',
    "Bold <b>claims</b> and O'Neil's \"rule\"",
    "' onmouseover='window.KG_PWNED=5",
    "Already escaped &amp; entity &lt;b&gt;",
    "*A* _B_ `testing` {{graph}} {{script}}",
]


def join(papers: Iterable[Paper], names: Iterable[str]) -> KnowledgeGraph:
    """Return a graph in which each paper uses each concept whose name its abstract holds."""
    papers = sorted(papers, key=lambda paper: paper.id)
    found: dict[str, list[Relation]] = {name: [] for name in names}
    for paper in papers:
        for name, relations in found.items():
            if (start := paper.abstract.find(name)) >= 0:
                where = (paper.id, Section.ABSTRACT, 0, start, start + len(name), paper.abstract)
                evidence = Evidence(*where, "type", 0.8)
                relations.append(Relation(paper.id, Predicate.USES_METHOD, f"concept:{name}", 0.8, (evidence,)))
    concepts = [
        Concept(f"concept:{name}", name, ConceptType.METHOD, papers=len(relations))
        for name, relations in sorted(found.items())
    ]
    return KnowledgeGraph(
        papers={paper.id: paper for paper in papers},
        concepts={concept.id: concept for concept in concepts},
        relations=tuple(relation for name in sorted(found) for relation in found[name]),
        mentions=MentionFile(Path("none")),
        report=Report(),
    )


def nasty_graph() -> KnowledgeGraph:
    """Return a graph with markup in ids, labels, titles, authors, venues and sentences."""
    papers = [
        Paper(id=f"n{at}{text}", title=text, abstract=f"We use {text} here.", venue=text, authors=(text,))
        for at, text in enumerate(NASTY)
    ]
    return join(papers, NASTY)


def read_case(name: str) -> KnowledgeGraph:
    """Return a graph of the papers in a file of cases."""
    path = CASES / name
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    papers = [Paper(**row | {"authors": tuple(row.get("authors", ()))}) for row in rows]
    return join(papers, ["beam search", "A&B testing"])


def parse(page: str) -> Element:
    """Return the tree that an HTML5 parser reads from a page."""
    tree: Element = html5lib.parse(page, treebuilder="etree")
    return tree


def scripts_of(page: str) -> list[Element]:
    return parse(page).findall(f".//{HTML}script")


def records_of(page: str) -> dict[str, list[list[object]]]:
    """Return the graph that a page holds."""
    rows: dict[str, list[list[object]]] = json.loads(scripts_of(page)[0].text or "")
    return rows


@pytest.mark.parametrize("case", ["hv1_script.jsonl", "hv2_tooltip.jsonl"])
def test_text_of_a_paper_cannot_end_the_script(case: str, small_graph: KnowledgeGraph) -> None:
    graph = read_case(case)

    page = to_html(graph)

    assert len(scripts_of(page)) == len(scripts_of(to_html(small_graph))) == 3
    assert [row[1] for row in records_of(page)["papers"]] == [paper.label for paper in graph.papers.values()]


def test_markup_in_any_field_stays_text() -> None:
    graph = nasty_graph()

    page = to_html(graph)

    assert len(scripts_of(page)) == 3
    shown = scripts_of(page)[0].text or ""
    assert not re.search(r"<!--|<script|</script|[<>&\u2028]", shown)
    assert [row[1] for row in records_of(page)["concepts"]] == sorted(NASTY)
    assert [row[6] for row in records_of(page)["papers"]] == [[text] for text in NASTY]


def test_half_of_a_surrogate_pair_is_kept_and_can_be_written(tmp_path: Path) -> None:
    graph = join([Paper(id="half", title="half \ud83d of a pair", abstract="We use beam search.")], ["beam search"])

    write_page(graph, tmp_path / "graph.html")

    page = (tmp_path / "graph.html").read_text(encoding="utf-8")
    assert records_of(page)["papers"][0][1] == "half \ud83d of a pair"


def test_a_page_asks_for_nothing_from_elsewhere() -> None:
    tree = parse(to_html(nasty_graph()))

    style = "".join(element.text or "" for element in tree.iter(f"{HTML}style"))
    assert not re.search(r"url\(|@import|//", style)
    assert not list(tree.iter(f"{HTML}link"))
    assert not [element.tag for element in tree.iter() if "src" in element.attrib or "srcset" in element.attrib]
    assert all(anchor.attrib["href"].startswith("#") for anchor in tree.iter(f"{HTML}a"))
    assert "sourceMappingURL" not in "".join(script.text or "" for script in tree.iter(f"{HTML}script"))


def test_the_policy_allows_the_page_its_own_script_and_style_only(small_graph: KnowledgeGraph) -> None:
    page = to_html(small_graph)

    tree = parse(page)
    metas = [element.attrib for element in tree.iter(f"{HTML}meta")]
    policy = next(meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy")
    texts = [script.text or "" for script in scripts_of(page)[1:]]
    texts += [style.text or "" for style in tree.iter(f"{HTML}style")]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
    assert policy.startswith("default-src 'none'; ")
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_same_graph_gives_the_same_page_under_any_hash_seed() -> None:
    source = "import sys, test_view; sys.stdout.buffer.write(test_view.to_html(test_view.nasty_graph()).encode())"
    here = Path(__file__).parent
    paths = os.pathsep.join([str(here), str(here.parent)])

    pages = {
        subprocess.run(
            [sys.executable, "-c", source],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert pages == {to_html(nasty_graph()).encode()}


def test_random_numbers_drawn_elsewhere_do_not_move_a_node() -> None:
    edges = [(paper, 30 + (paper * step) % 40) for paper in range(30) for step in (3, 7)]
    first = lay_out(30, 40, edges)
    random.random()

    assert lay_out(30, 40, edges) == first


def test_no_two_nodes_stand_in_the_same_place() -> None:
    edges = [(paper, 20 + (paper * 7 + step) % 200) for paper in range(20) for step in range(18)]

    places = lay_out(20, 200, edges)

    assert len(set(places)) == 220


def test_a_concept_of_one_paper_stands_around_that_paper() -> None:
    # Papers 0 and 1 share concept 2; 3 to 7 are mentioned by paper 0 alone.
    places = lay_out(2, 6, [(0, 2), (1, 2), *((0, petal) for petal in range(3, 8))])

    far = {round(abs(complex(*places[petal]) - complex(*places[0]))) for petal in range(3, 8)}
    assert max(far) - min(far) <= 1


def test_a_title_is_whole_in_the_page_however_long() -> None:
    title = "A very long title " * 300
    graph = join([Paper(id="long", title=title)], [])

    assert records_of(to_html(graph))["papers"][0][1] == title


def test_a_sentence_stands_in_the_page_once(small_graph: KnowledgeGraph) -> None:
    sentence = next(iter(small_graph.papers.values())).abstract

    assert to_html(small_graph).count(json.dumps(sentence, ensure_ascii=False)) == 1


def test_a_page_of_no_papers_or_concepts_can_be_made() -> None:
    assert records_of(to_html(join([], [])))["papers"] == []
    assert records_of(to_html(join([Paper(title="Alone")], [])))["concepts"] == []


def test_of_a_very_large_graph_the_page_has_the_papers_with_most_relations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_PAPERS", 2)
    names = ["alpha", "beta", "gamma", "delta"]
    papers = [Paper(id=f"{at}", abstract=" ".join(names[: at + 1])) for at in range(3)]
    graph = join([*papers, Paper(id="lone", abstract="delta")], names)  # paper 2 has three concepts, paper 1 two

    plain, focused = records_of(to_html(graph)), records_of(to_html(graph, focus="concept:delta"))

    assert [row[0] for row in plain["papers"]] == ["paper:1", "paper:2"]
    assert [row[0] for row in plain["concepts"]] == ["concept:alpha", "concept:beta", "concept:gamma"]
    assert plain["whole"] == [4, 4]  # type: ignore[comparison-overlap]
    assert [row[0] for row in focused["papers"]] == ["paper:2", "paper:lone"]


def make_islands() -> tuple[int, int, list[tuple[int, int]], list[list[int]]]:
    """Return papers, concepts, edges and groups of 90 papers in three groups and a few strays."""
    edges = [(paper, 90 + (paper % 3) * 20 + (paper * step) % 20) for paper in range(84) for step in (1, 7, 11)]
    edges += [(paper, 150 + paper) for paper in range(84)]
    return 90, 150, sorted(set(edges)), [[paper for paper in range(84) if paper % 3 == group] for group in range(3)]


def test_islands_lie_apart_and_hold_their_papers() -> None:
    papers, concepts, edges, groups = make_islands()
    places, islands = lay_out_islands(papers, concepts, edges, groups)

    assert len(islands) == 4  # the last is of papers in no group
    assert len(set(places)) == papers + concepts
    for number, one in enumerate(islands):
        for other in islands[number + 1 :]:
            assert math.dist((one.x, one.y), (other.x, other.y)) > one.radius + other.radius
    for group, island in zip(groups, islands, strict=False):
        assert all(
            math.hypot(places[paper][0] - island.x, places[paper][1] - island.y) < island.radius for paper in group
        )


def test_islands_stand_where_they_did_whatever_else_was_drawn() -> None:
    first = lay_out_islands(*make_islands())
    random.random()

    assert lay_out_islands(*make_islands()) == first


def test_what_is_all_in_one_island_tells_more_than_what_is_in_many() -> None:
    papers = [Paper(id=f"{at}", abstract="alpha" + " and beta" * (at < 4)) for at in range(8)]
    graph = join(papers, ["alpha", "beta"])
    groups = [tuple(f"paper:{at}" for at in range(first, first + 4)) for first in (0, 4)]
    graph = replace(
        graph, communities=tuple(Community(at, "x", (), (), group, ()) for at, group in enumerate(groups, 1))
    )

    rows = records_of(to_html(graph))

    weights = dict(zip([row[0] for row in rows["concepts"]], rows["weights"], strict=True))
    assert weights["concept:beta"] > weights["concept:alpha"]


def test_a_focus_that_is_not_in_the_graph_is_refused(small_graph: KnowledgeGraph) -> None:
    with pytest.raises(GraphError, match="no node 'concept:nothing' in the graph"):
        to_html(small_graph, focus="concept:nothing")


def test_a_page_that_cannot_be_written_leaves_nothing(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()

    with pytest.raises(ExportError, match=r"taken.* is a folder"):
        write_page(small_graph, tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_what_is_nearby_is_a_whole_graph_of_its_own(small_graph: KnowledgeGraph) -> None:
    near = find_nearby(small_graph, "paper:7", 1)

    assert "paper:7" in near.papers
    assert all({one.subject, one.object} <= {*near.papers, *near.concepts} for one in near.relations)
    assert len(near.concepts) < len(find_nearby(small_graph, "paper:7", 9).concepts) + 1
    assert "srcdoc" in to_notebook(near)


@pytest.mark.parametrize(
    ("node", "hops", "words"), [("paper:none", 1, "no node 'paper:none'"), ("paper:7", 0, "0 hops")]
)
def test_nothing_is_near_what_is_not_there(small_graph: KnowledgeGraph, node: str, hops: int, words: str) -> None:
    with pytest.raises(GraphError, match=words):
        find_nearby(small_graph, node, hops)


def test_a_notebook_shows_a_small_graph_as_its_page_and_a_large_one_as_a_table() -> None:
    small = join([Paper(title="<b>One</b>", abstract="We use beam search.")], ["beam search"])
    many = [Paper(id=f"{at}", abstract="We use <i>x</i>.") for at in range(61)]
    large = to_notebook(join(many, ["<i>x</i>"]))

    assert parse(to_notebook(small)).find(f".//{HTML}iframe") is not None
    assert "<b>One" not in to_notebook(small)
    assert "&lt;i&gt;x&lt;/i&gt;" in large
    assert len(large) < 3000
