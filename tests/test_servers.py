"""Tests that a triple store that people run loads an export and answers as ours does."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from kg.export import Choice, export
from kg.folder import load
from kg.rdf import Layer
from kg.vocab import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SEEDS = ROOT / "exports" / "icml2026"
GRAPH = "https://w3id.org/paperkg/"
PASSWORD = "dba"  # of a database that lives in a temporary folder and listens on loopback only
ALL = (Layer.CONCEPTS, Layer.STATEMENTS, Layer.MENTIONS)
QUERIES = [
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "SELECT ?t (COUNT(?s) AS ?n) { ?s a ?t } GROUP BY ?t",
    "SELECT ?title ?name { ?p kg:introduces ?c ; dcterms:title ?title . ?c a kg:Dataset ; skos:prefLabel ?name }",
    "SELECT ?a ?b { ?x skos:broader+ ?y . ?x skos:prefLabel ?a . ?y skos:prefLabel ?b }",
    "SELECT ?s ?text { ?s rdf:predicate kg:evaluatedOn ; kg:evidence ?e . ?e nif:anchorOf ?text }",
    "SELECT ?s { ?s a cskg-ont:Statement ; kg:confidence ?c ; cskg-ont:hasSupport ?n FILTER (?c > 0.8 && ?n > 0) }",
    "SELECT ?m ?name { ?m itsrdf:taIdentRef ?c ; nif:anchorOf ?name . ?c a kg:Metric FILTER (CONTAINS(?name, 'or')) }",
]


def fill(template: str, **values: object) -> str:
    """Return a text with its <NAMES> replaced."""
    for name, value in values.items():
        template = template.replace(f"<{name.upper()}>", str(value))
    return template


def find_block(language: str) -> str:
    """Return the only block of a language in the page on servers."""
    text = (ROOT / "docs" / "servers.md").read_text(encoding="utf-8")
    (block,) = [part.partition("```")[0] for part in text.split(f"```{language}\n")[1:]]
    return block


def find_port() -> int:
    """Return a port of loopback that is free."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def run_isql(port: int, commands: str, *, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run commands of Virtuoso's on a server."""
    called = ["isql-vt", f"127.0.0.1:{port}", "dba", PASSWORD, "VERBOSE=OFF", "BANNER=OFF"]
    return subprocess.run(called, input=commands, capture_output=True, text=True, check=False, timeout=timeout)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a Virtuoso that has loaded the seeds' export as the page on servers says."""
    if not shutil.which("virtuoso-t") or not shutil.which("isql-vt"):
        pytest.skip("Virtuoso is not installed (virtuoso-t and isql-vt; Debian's virtuoso-opensource-7)")
    folder = tmp_path_factory.mktemp("virtuoso")
    export(load(SEEDS), "ntriples", folder / "graph.nt", choice=Choice(layers=ALL))
    sql, http = find_port(), find_port()
    settings = fill(find_block("ini"), folder=folder, sql=f"127.0.0.1:{sql}", http=f"127.0.0.1:{http}")
    (folder / "virtuoso.ini").write_text(settings, encoding="utf-8")
    with (folder / "output.txt").open("w") as output:
        server = subprocess.Popen(
            ["virtuoso-t", "+foreground", "+configfile", "virtuoso.ini"], cwd=folder, stdout=output, stderr=output
        )
    try:
        started = time.monotonic()
        while run_isql(sql, "SELECT 1;").returncode and time.monotonic() - started < 120:
            assert server.poll() is None, (folder / "output.txt").read_text()
            time.sleep(1)
        done = run_isql(sql, fill(find_block("sql"), folder=folder, graph=GRAPH))
        assert "Error" not in done.stdout + done.stderr, done.stdout + done.stderr
        yield f"http://127.0.0.1:{http}/sparql"
    finally:
        server.terminate()
        server.wait(60)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ox.Store:
    """Return the same export in Oxigraph."""
    path = tmp_path_factory.mktemp("oxigraph") / "graph.nt"
    export(load(SEEDS), "ntriples", path, choice=Choice(layers=ALL))
    store = ox.Store()
    store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    return store


def ask_virtuoso(endpoint: str, query: str) -> list[tuple[str, ...]]:
    """Return the rows of an answer, sorted."""
    parameters = {"query": query, "default-graph-uri": GRAPH, "format": "application/sparql-results+json"}
    with urllib.request.urlopen(f"{endpoint}?{urllib.parse.urlencode(parameters)}", timeout=60) as answer:
        document = json.load(answer)
    names = document["head"]["vars"]
    return sorted(tuple(row[name]["value"] for name in names) for row in document["results"]["bindings"])


def ask_oxigraph(store: ox.Store, query: str) -> list[tuple[str, ...]]:
    """Return the rows of an answer, sorted."""
    solutions = store.query(query)
    assert isinstance(solutions, ox.QuerySolutions)
    rows = [[row[name] for name in solutions.variables] for row in solutions]
    return sorted(tuple(one.value for one in row if isinstance(one, ox.NamedNode | ox.Literal)) for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("query", QUERIES)
def test_virtuoso_answers_as_oxigraph_does(endpoint: str, store: ox.Store, query: str) -> None:
    head = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())

    expected = ask_oxigraph(store, head + query)

    assert expected
    assert ask_virtuoso(endpoint, head + query) == expected
