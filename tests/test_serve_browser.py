"""The pages in a browser: a query is typed and run, a result is followed, and nothing goes wrong or out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

from tests.served import run_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.served import Served

pytestmark = pytest.mark.slow
CHROMIUM = Path("/usr/bin/chromium")
EXPORT = Path(__file__).parents[1] / "exports/icml2026"
CONTRAST = """() => {
  const channel = value => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number);
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  };
  const ground = element => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$|transparent/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) low.push(element.outerHTML.slice(0, 80));
  }
  return low;
}"""


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


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with run_server(EXPORT) as server:
        yield server


def test_a_query_is_run_and_a_result_followed(browser: Browser, server: Served) -> None:
    page = browser.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda one: None if one.url.startswith(server.address) else wrong.append(one.url))

    page.goto(server.address)
    page.click("nav >> text=Query")
    page.fill("#query", "SELECT ?c ?name { ?c a kg:Dataset ; skos:prefLabel ?name } ORDER BY ?name")
    page.wait_for_load_state()  # the keys are listened to from then on
    page.press("#query", "Control+Enter")
    page.wait_for_selector("table")
    names = page.locator("tbody td:nth-child(2)").all_inner_texts()
    page.click("tbody tr:first-child a")
    page.wait_for_selector("blockquote mark")

    assert page.locator("h1").inner_text() == names[0]
    page.click("text=drawn graph")
    page.wait_for_selector("html[data-ready]", state="attached")
    assert names[0] in page.locator("#panel h2").inner_text()
    assert wrong == []
    page.close()


def test_an_answer_is_downloaded(browser: Browser, server: Served) -> None:
    page = browser.new_page()
    page.goto(f"{server.address}query")
    page.fill("#query", "SELECT ?name { ?c a kg:Dataset ; skos:prefLabel ?name } ORDER BY ?name")

    with page.expect_download() as waiting:
        page.click("text=Download CSV")

    assert waiting.value.suggested_filename == "answer.csv"
    assert Path(waiting.value.path()).read_text(encoding="utf-8").startswith("name\n4DPC")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_pages_can_be_read_and_fit(browser: Browser, server: Served, scheme: str, width: int) -> None:
    dark = scheme == "dark"
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light")
    for path in (
        "",
        "query?query=SELECT+*+%7B%3Fs+a+kg:Dataset%7D",
        "concept/",
        "concept/distillation",
        "search?name=a",
    ):
        page.goto(server.address + path)

        assert page.evaluate(CONTRAST) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
