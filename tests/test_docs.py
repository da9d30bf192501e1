"""The pages in docs/ are true: their commands run, and the ontology's page is made from the ontology."""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.vocab import TERMS

ROOT = Path(__file__).parents[1]
PAGES = sorted(page for page in (ROOT / "docs").glob("*.md") if page.name != "queries.md")  # its answers have a test


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "exports", tmp_path / "exports")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

    for line in "".join(blocks).splitlines():
        result = CliRunner().invoke(main, shlex.split(line.removeprefix("$ kg ")))
        assert (result.exit_code, result.output) == (0, ""), line
        assert Path(line.split()[-1]).stat().st_size > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_page_of_the_ontology_is_that_of_the_ontology() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_ontology.py"))["make"]()

    assert made == (ROOT / "docs" / "ontology.html").read_text(encoding="utf-8"), "run python docs/make_ontology.py"


def test_the_page_of_the_ontology_explains_every_term_and_loads_nothing() -> None:
    page = (ROOT / "docs" / "ontology.html").read_text(encoding="utf-8")

    assert set(re.findall(r'<article id="([^"]+)">', page)) == TERMS
    assert set(re.findall(r'href="#([^"]+)"', page)) <= TERMS
    assert not re.search(r"<(?:script|link|img|iframe)|@import|url\(|src=", page)
