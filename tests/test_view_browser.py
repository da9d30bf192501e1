"""The page in a browser: drawn, silent, and read and steered by mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from kg.model import KnowledgeGraph, Paper
from kg.view import records, write_page
from tests.test_view import join, nasty_graph, read_case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", *quiet])
        yield chromium
        chromium.close()


class Visit:
    """An open page, and what went wrong or out while it was open."""

    def __init__(self, browser: Browser, path: Path, *, fragment: str = "") -> None:
        self.page: Page = browser.new_page(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "request", lambda request: None if request.url.startswith("file:") else self.wrong.append(request.url)
        )
        self.page.goto(f"{path.as_uri()}{fragment}")
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def go(self, node: str) -> None:
        self.page.evaluate("address => { location.hash = address; }", quote(node, safe=""))
        self.page.wait_for_function("id => decodeURIComponent(location.hash.slice(1)) === id", arg=node)
        self.page.wait_for_timeout(30)


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[list[Visit]]:
    """Return a list to which a test adds its visits; at the end none has gone wrong."""
    visits: list[Visit] = []
    yield visits
    for one in visits:
        assert one.page.evaluate("typeof window.KG_PWNED") == "undefined"
        assert one.wrong == []
        one.page.close()


def open_page(
    browser: Browser, visit: list[Visit], graph: KnowledgeGraph, path: Path, *, focus: str | None = None
) -> Visit:
    write_page(graph, path, focus=focus)
    visit.append(Visit(browser, path))
    return visit[-1]


def _labels(graph: KnowledgeGraph) -> list[tuple[str, str]]:
    """Return id and label of every node."""
    labels = [(node, paper.label) for node, paper in graph.papers.items()]
    return labels + [(node, concept.label) for node, concept in graph.concepts.items()]


@pytest.mark.slow
@pytest.mark.parametrize("case", ["hv1_script.jsonl", "hv2_tooltip.jsonl", None])
def test_text_is_shown_once_and_as_text(browser: Browser, visit: list[Visit], tmp_path: Path, case: str | None) -> None:
    graph = read_case(case) if case else nasty_graph()
    opened = open_page(browser, visit, graph, tmp_path / "graph.html")

    for node, label in _labels(graph):
        opened.go(node)
        whole = " ".join(label.split())
        assert " ".join(opened.page.inner_text("#panel h2").split()) == whole
        opened.page.fill("#search", label[:20])
        shown = opened.page.locator("#found li > span").all_inner_texts()
        assert any(whole in " ".join(text.split()) for text in shown)
    opened.page.fill("#search", "")
    opened.page.click("#as-list")
    listed = " ".join(opened.page.inner_text("#list").split())
    assert all(" ".join(paper.label.split()) in listed for paper in graph.papers.values())
    assert opened.page.locator("body img, body b, aside script, #list script, svg[onload]").count() == 0


@pytest.mark.slow
def test_a_page_marks_when_it_is_drawn(browser: Browser, visit: list[Visit], tmp_path: Path) -> None:
    opened = open_page(browser, visit, nasty_graph(), tmp_path / "graph.html")

    assert opened.page.evaluate("performance.getEntriesByName('kg-drawn').length") == 1
    assert opened.page.evaluate("document.querySelector('canvas').width") > 100


@pytest.mark.slow
def test_offsets_count_code_points_where_an_emoji_stands_before(
    browser: Browser, visit: list[Visit], tmp_path: Path
) -> None:
    graph = join(
        [Paper(id="p", title="Rockets", abstract="🚀👩‍🔬 We use beam search, 𝛽-VAE and more.")],
        ["beam search", "𝛽-VAE"],
    )
    opened = open_page(browser, visit, graph, tmp_path / "graph.html", focus="paper:p")

    assert opened.page.locator("#panel .abstract mark").all_inner_texts() == ["beam search", "𝛽-VAE"]
    assert opened.page.inner_text("#panel .abstract") == "🚀👩‍🔬 We use beam search, 𝛽-VAE and more."
    opened.go("concept:𝛽-VAE")
    assert opened.page.locator("#panel .quote mark").all_inner_texts() == ["𝛽-VAE"]


@pytest.mark.slow
def test_a_search_result_is_picked_by_keyboard_and_escape_clears(
    browser: Browser, visit: list[Visit], tmp_path: Path, small_graph: KnowledgeGraph
) -> None:
    opened = open_page(browser, visit, small_graph, tmp_path / "graph.html")

    opened.page.keyboard.press("/")
    opened.page.keyboard.type("lora")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector("#panel h2:text-is('low-rank adaptation')")
    assert "Also: LoRA" in opened.page.inner_text("#panel")
    assert opened.page.evaluate("location.hash") == "#concept%3Alow%20rank%20adaptation"
    opened.page.keyboard.press("Escape")
    assert opened.page.locator("#panel .close").count() == 0
    assert opened.page.evaluate("location.hash") == ""


@pytest.mark.slow
def test_a_click_on_an_edge_shows_its_sentence(browser: Browser, visit: list[Visit], tmp_path: Path) -> None:
    graph = join([Paper(id="p", title="One", abstract="We use beam search.")], ["beam search"])
    opened = open_page(browser, visit, graph, tmp_path / "graph.html")

    # The paper stands in the middle of the only edge's start; walk around it until an edge is hit.
    box = opened.page.locator("#canvas").bounding_box()
    assert box
    for step in range(4, 40):
        opened.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * step / 44)
        if opened.page.locator("#panel h2:text-is('What joins these')").count():
            break
    assert opened.page.inner_text("#panel .quote").startswith("We use beam search.")


@pytest.mark.slow
def test_only_web_addresses_become_links(browser: Browser, visit: list[Visit], tmp_path: Path) -> None:
    papers = [
        Paper(id="bad", title="Bad", url="javascript:window.KG_PWNED=8"),
        Paper(id="good", title="Good", url="https://example.org/a"),
    ]
    opened = open_page(browser, visit, join(papers, []), tmp_path / "graph.html", focus="paper:good")

    assert opened.page.locator("#panel a[target]").get_attribute("rel") == "noopener noreferrer"
    opened.go("paper:bad")
    assert opened.page.locator("#panel a[target], #panel a[href^=javascript]").count() == 0


@pytest.mark.slow
def test_the_legend_hides_a_kind_in_the_list_too(
    browser: Browser, visit: list[Visit], tmp_path: Path, small_graph: KnowledgeGraph
) -> None:
    opened = open_page(browser, visit, small_graph, tmp_path / "graph.html")

    opened.page.click("#as-list")
    before = opened.page.locator("#list h2").all_inner_texts()
    opened.page.click("#legend button:has-text('Metrics')")

    assert [text.split()[0] for text in before] == ["Papers", "Methods", "Datasets", "Metrics"]
    assert not opened.page.locator("#list h2:has-text('Metrics')").count()


@pytest.mark.slow
def test_a_page_of_a_part_of_the_papers_says_so(
    browser: Browser, visit: list[Visit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_PAPERS", 1)
    papers = [Paper(id="p", title="One", abstract="We use beam search."), Paper(id="q", title="Two")]
    opened = open_page(browser, visit, join(papers, ["beam search"]), tmp_path / "graph.html")

    assert "the 1 paper with most relations, of 2." in opened.page.inner_text("#capped")


@pytest.mark.slow
def test_empty_graphs_open(browser: Browser, visit: list[Visit], tmp_path: Path, small_graph: KnowledgeGraph) -> None:
    for graph in (join([], []), join([Paper(title="Alone")], []), replace(small_graph, relations=())):
        opened = open_page(browser, visit, graph, tmp_path / "graph.html")
        assert opened.page.locator("#panel h2").count() == 1
