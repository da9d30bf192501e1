"""The page as a person reads it: journeys by mouse and keyboard, filters, tables, pictures, access."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import fromstring

import pytest

from kg.folder import load
from kg.view import write_page
from tests.test_view_browser import Visit, browser, visit  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
SEEDS = Path(__file__).parents[1] / "exports/icml2026"
AXE = os.environ.get("KG_AXE", "")  # axe.min.js of axe-core


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of the seed papers."""
    path = tmp_path_factory.mktemp("page") / "graph.html"
    write_page(load(SEEDS), path)
    return path


@pytest.fixture
def page(browser: Browser, visit: list[Visit], page_file: Path) -> Page:  # noqa: F811
    visit.append(Visit(browser, page_file))
    return visit[-1].page


def reopen(browser: Browser, visit: list[Visit], page: Page, page_file: Path) -> Page:  # noqa: F811
    """Open the address of a page anew, as someone does to whom it was sent."""
    visit.append(Visit(browser, page_file, fragment=page.evaluate("location.hash")))
    return visit[-1].page


def test_a_concept_is_found_its_paper_opened_and_the_view_shared(
    browser: Browser,  # noqa: F811
    visit: list[Visit],  # noqa: F811
    page: Page,
    page_file: Path,
) -> None:
    page.fill("#search", "LoRA")
    page.click("#found li:has-text('LoRA')")
    assert "LoRA" in page.inner_text("#panel")
    assert page.inner_text("#panel .quote mark")
    page.click("#panel .rows li a")
    page.wait_for_selector("#panel .kind:text-is('Paper')")
    title = page.inner_text("#panel h2")
    assert page.locator("#panel .abstract mark").count() > 3

    again = reopen(browser, visit, page, page_file)
    assert again.inner_text("#panel h2") == title
    page.go_back()
    page.wait_for_selector("#panel .kind:text-is('Method')")


def test_the_same_journey_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("LoRA")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "panel"
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.rows li > a')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel .kind:text-is('Paper')")

    assert page.evaluate("document.activeElement.id") == "panel"
    assert "is selected" in page.inner_text("#said")
    page.keyboard.press("Escape")
    assert page.evaluate("location.hash") == ""


def test_filters_change_the_counts_the_list_and_the_address(
    browser: Browser,  # noqa: F811
    visit: list[Visit],  # noqa: F811
    page: Page,
    page_file: Path,
) -> None:
    methods = "#legend button:has-text('Methods') span"
    every = int(page.inner_text(methods))
    page.click("#open-filters")
    page.select_option("#filter-role", "introduces")
    fresh = int(page.inner_text(methods))
    page.fill("#filter-least", "2")
    page.keyboard.press("Tab")
    page.wait_for_function("document.getElementById('open-filters').textContent === 'Filters (2)'")
    assert 0 <= int(page.inner_text(methods)) < fresh < every

    page.click("#as-list")
    again = reopen(browser, visit, page, page_file)
    assert again.inner_text("#list") == page.inner_text("#list")
    assert again.input_value("#filter-role") == "introduces"
    again.click("#open-filters")
    again.click("text=Clear filters")
    assert int(again.inner_text(methods)) == every


def test_steps_leave_what_is_near(page: Page) -> None:
    page.fill("#search", "FPS")
    page.keyboard.press("Enter")
    page.click(".steps button:has-text('Neighbours')")

    page.click("#as-list")
    papers = page.locator("#list h2:has-text('Papers') span").inner_text()
    concepts = page.locator("#list .concepts a").count()
    assert papers == "1"
    assert concepts < 5
    page.click(".steps button:has-text('2 steps')")
    assert page.locator("#list .concepts a").count() > concepts


def test_an_edge_can_be_shared(
    browser: Browser,  # noqa: F811
    visit: list[Visit],  # noqa: F811
    page: Page,
    page_file: Path,
) -> None:
    page.fill("#search", "FPS")
    page.keyboard.press("Enter")
    paper = page.locator("#panel .rows li > a").first.get_attribute("href")
    page.evaluate("part => { location.hash += `&with=${part.slice(1)}`; }", paper)
    page.wait_for_selector("#panel h2:text-is('What joins these')")

    again = reopen(browser, visit, page, page_file)
    assert "42 FPS" in again.inner_text("#panel .quote")


def test_a_concept_says_why_its_names_are_one_and_what_was_measured(page: Page) -> None:
    page.fill("#search", "low-rank adaptation")
    page.keyboard.press("Enter")
    page.click("#panel summary")
    assert "curated name" in page.inner_text("#panel .reasons")
    page.fill("#search", "FPS")
    page.keyboard.press("Enter")
    assert "42 FPS" in page.inner_text("#panel li:has(b:text-is('42'))")


def test_the_table_is_sorted_and_saved_without_formulas(page: Page) -> None:
    page.click("#as-table")
    page.click("#table thead button:has-text('Methods')")
    assert page.get_attribute("#table th[aria-sort]", "aria-sort") == "descending"
    with page.expect_download() as saved:
        page.click("text=Download as CSV")
    text = Path(saved.value.path()).read_text(encoding="utf-8")

    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 19
    counts = [len(row["Methods"].split(" | ")) for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


def test_the_drawing_is_saved_as_svg_and_png(page: Page) -> None:
    with page.expect_download() as saved:
        page.click("#svg")
    drawing = fromstring(Path(saved.value.path()).read_text(encoding="utf-8"))
    texts = {one.text for one in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert {"4DPC²hat: Towards", "transformers"} <= texts
    with page.expect_download() as saved:
        page.click("#png")
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def find_node(page: Page) -> tuple[float, float, str]:
    """Return where on the screen some node stands, and what its tip says."""
    box = page.locator("#canvas").bounding_box()
    assert box
    for at in range(60 * 40):
        x, y = box["x"] + 60 + at % 60 * 12, box["y"] + 60 + at // 60 * 12
        page.mouse.move(x, y)
        if page.locator("#tip").is_visible():
            return x, y, page.inner_text("#tip")
    pytest.fail("no node under the pointer anywhere")


def test_a_node_is_dragged_and_stays(page: Page) -> None:
    x, y, tip = find_node(page)
    page.mouse.down()
    page.mouse.move(x + 30, y - 45, steps=4)
    page.mouse.up()

    page.mouse.move(x - 300, y)
    page.mouse.move(x + 30, y - 45)
    assert page.inner_text("#tip") == tip
    assert page.evaluate("location.hash") == ""  # it was moved, not picked
    page.mouse.click(x + 30, y - 45)
    assert page.evaluate("location.hash") != ""


@pytest.mark.skipif(not AXE, reason="axe-core is not here; KG_AXE names its axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["", "#view=list", "#view=table", "#concept%3Afps", "#paper%3AUMT9x3LV9Q"])
def test_axe_finds_nothing(browser: Browser, page_file: Path, scheme: str, fragment: str) -> None:  # noqa: F811
    context = browser.new_context(bypass_csp=True, color_scheme="dark" if scheme == "dark" else "light")
    page = context.new_page()
    page.goto(f"{page_file.as_uri()}{fragment}")
    page.wait_for_selector("html[data-ready]", state="attached")
    if not fragment:
        page.click("#open-filters")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))

    found = page.evaluate("axe.run(document)")["violations"]
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
