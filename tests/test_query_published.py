"""Queries that others publish over such graphs, as they stand, on the graph of the seed papers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.errors import QueryError
from kg.query import QueryWorker

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
QUERIES = Path(__file__).parents[2] / "shared/queries"
METHOD, TASK, DATASET, PAPER = (
    f"<https://w3id.org/paperkg/{node}>"
    for node in (
        "concept/multimodal-large-language-model",
        "concept/video-generation",
        "concept/omni-modal-benchmark",
        "paper/UXbNXAJRCo",
    )
)
BROAD = "<https://w3id.org/paperkg/concept/large-language-model>"
# What answers with nothing changed but the placeholder for the page's own node.
ANSWERED = {
    "lpwc/04-most-used-datasets": "",
    "lpwc/09-method-page-tasks": METHOD,
    "lpwc/10-method-page-datasets": METHOD,
    "lpwc/12-task-page-paper-count": TASK,
    "lpwc/13-task-page-methods": TASK,
    "lpwc/14-task-page-datasets": TASK,
    "lpwc/15-task-page-subtasks": "<https://w3id.org/paperkg/concept/dynamic-point-cloud-understanding>",
    "lpwc/16-dataset-page-methods": DATASET,
    "lpwc/17-dataset-page-tasks": DATASET,
    "lpwc/19-paper-page-abstract": PAPER,
    "lpwc/20-paper-page-tasks": PAPER,
    "lpwc/21-paper-page-methods": PAPER,
    "lpwc/22-paper-page-datasets-introduced": PAPER,
    "lpwc/23-paper-page-datasets-used": PAPER,
    "semopenalex/05-concept-page-parents": METHOD,
    "semopenalex/06-concept-page-children": BROAD,
    "semopenalex/08-concept-page-schemes-above": BROAD,
    "semopenalex/09-concept-page-tree": BROAD,
}
# What runs, and would answer on papers of the years or with the links that it asks for.
RUN = ("lpwc/03", "lpwc/07", "lpwc/08", "lpwc/18", "semopenalex/10", "semopenalex/11")


@pytest.fixture(scope="module")
def seeds() -> Iterator[QueryWorker]:
    """Give what answers on the graph of the seed papers."""
    if not QUERIES.is_dir():
        pytest.skip(f"no published queries in {QUERIES}")
    with QueryWorker(ROOT / "exports/icml2026") as worker:
        yield worker


def read(name: str, node: str) -> str:
    """Return a published query with a node in the place of its placeholder."""
    case = next(one for one in json.loads((QUERIES / "cases.json").read_text())["cases"] if name in one["file"])
    text: str = (QUERIES / str(case["file"])).read_text(encoding="utf-8")
    for placeholder, _ in case.get("fill", []):
        text = text.replace(placeholder, node)
    return text


@pytest.mark.parametrize(("name", "node"), ANSWERED.items(), ids=ANSWERED)
def test_queries_that_others_publish_answer_as_they_stand(seeds: QueryWorker, name: str, node: str) -> None:
    rows = seeds.run(read(name, node)).to_values()

    assert rows
    assert rows[0].get("count") != 0


@pytest.mark.parametrize("name", RUN)
def test_other_queries_run_as_they_stand(seeds: QueryWorker, name: str) -> None:
    assert seeds.run(read(name, METHOD)).variables


@pytest.mark.parametrize("name", ["cskg/01", "cskg/02", "cskg/03"])
def test_queries_over_cskg_name_its_graph_and_are_told_so(seeds: QueryWorker, name: str) -> None:
    text = read(name, METHOD)

    with pytest.raises(QueryError, match="FROM is not allowed: a query always reads this graph; leave FROM"):
        seeds.run(text)
    text = text.replace("FROM <https://w3id.org/cskg>", "").replace(">= 3", ">= 1")
    for node in ("cskg:wikipedia", "cskg:sentiment_analysis"):
        text = text.replace(node, METHOD)
    assert len(seeds.run(text).rows) >= 2


def test_a_query_that_asks_another_endpoint_is_refused(seeds: QueryWorker) -> None:
    with pytest.raises(QueryError, match="SERVICE is not allowed"):
        seeds.run(read("semopenalex/01", METHOD))
