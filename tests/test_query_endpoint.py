"""Tests of endpoints elsewhere, by a small server on loopback."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.errors import QueryError, QueryTimeoutError
from kg.query import Endpoint, QueryWorker, ResultKind, run_named
from kg.rdf import iter_triples, write_turtle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.model import KnowledgeGraph


class Server(ThreadingHTTPServer):
    """A SPARQL endpoint with one graph, or one that fails in a certain way."""

    daemon_threads = True
    store = ox.Store()
    xml = False
    answer: tuple[int, str, bytes] | None = None  # in place of one that is right
    delay = 0.0
    asked: list[str]

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.server_address[1]}/sparql"


class Handler(BaseHTTPRequestHandler):
    """Answers by the SPARQL 1.1 Protocol."""

    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        (query,) = parse_qs(body, strict_parsing=True)["query"]
        self.server.asked.append(query)
        time.sleep(self.server.delay)
        status, kind, text = self.server.answer or self.run(query)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Location", "https://example.org/new")
        self.end_headers()
        with suppress(BrokenPipeError):  # who asked may be gone
            self.wfile.write(text)

    def run(self, query: str) -> tuple[int, str, bytes]:
        """Return the answer to a query."""
        found = self.server.store.query(query)
        if isinstance(found, ox.QueryTriples):
            return 200, "text/turtle; charset=utf-8", found.serialize(format=ox.RdfFormat.TURTLE) or b""
        form = ox.QueryResultsFormat.XML if self.server.xml else ox.QueryResultsFormat.JSON
        return 200, f"{form.media_type}; charset=utf-8", found.serialize(format=form) or b""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serve(store: ox.Store | None = None) -> Iterator[Server]:
    """Give an endpoint."""
    with Server(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        server.store = store or ox.Store()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def server(small_graph: KnowledgeGraph) -> Iterator[Server]:
    """Give an endpoint with the small graph."""
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in iter_triples(small_graph))
    with serve(store) as server:
        yield server


@pytest.mark.parametrize("xml", [False, True])
@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT ?c ?label { ?c skos:prefLabel ?label } ORDER BY ?c",
        "ASK { paper:7 kg:introduces concept:loda }",
        "ASK { <paper/7> kg:introduces concept:imagenet }",
        "CONSTRUCT { ?c rdfs:label ?l } WHERE { ?c skos:prefLabel ?l }",
        "PREFIX skos: <http://www.w3.org/2004/02/skos/core#> SELECT ?x { ?x skos:altLabel ?y }",
    ],
)
def test_an_endpoint_answers_as_a_folder_does(
    small_graph: KnowledgeGraph, tmp_path: Path, server: Server, sparql: str, xml: bool
) -> None:
    write_turtle(small_graph, tmp_path / "graph.ttl")
    server.xml = xml

    found = Endpoint(server.url).run(sparql)

    with QueryWorker(tmp_path) as worker:
        expected = worker.run(sparql)
    assert (found.kind, found.variables, found.boolean) == (expected.kind, expected.variables, expected.boolean)
    assert found.rows == expected.rows


def test_an_answer_of_an_endpoint_is_cut(server: Server) -> None:
    rows = Endpoint(server.url).run("SELECT * { ?s ?p ?o }", limit=3)
    triples = Endpoint(server.url).run("CONSTRUCT WHERE { ?s ?p ?o }", limit=3)

    assert (len(rows.rows), rows.truncated, len(triples.rows), triples.truncated) == (3, True, 3, True)


def test_a_named_query_goes_to_an_endpoint(server: Server) -> None:
    rows = run_named(Endpoint(server.url), "papers-using", {"name": "lora"}).to_values()

    assert [row["year"] for row in rows] == [2026, None]
    assert all("SERVICE" not in query for query in server.asked)


def test_the_verb_asks_an_endpoint(server: Server) -> None:
    asked = CliRunner().invoke(main, ["query", "--endpoint", server.url, "ASK { paper:7 kg:introduces concept:loda }"])
    named = CliRunner().invoke(
        main, ["query", "--endpoint", server.url, "--named", "names-of", "--name", "LoRA", "--format", "csv"]
    )

    assert (asked.exit_code, asked.output) == (0, "true\n")
    assert named.output.splitlines()[1].endswith("low-rank adaptation")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "localhost:3030/ds", "http://", ""])
def test_only_addresses_of_the_web_are_asked(url: str) -> None:
    with pytest.raises(QueryError, match="is no address of an endpoint; it starts with http"):
        Endpoint(url)


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ((400, "text/plain", b"Parse error:\n line 1"), QueryError, "answered 400: Parse error: line 1"),
        ((500, "text/html", b"<html><b>broken</b></html>"), QueryError, "answered 500: broken"),
        ((504, "text/plain", b""), QueryTimeoutError, "answered 504: Gateway"),
        ((302, "text/plain", b""), QueryError, "has moved to 'https://example.org/new'; give that address"),
        ((200, "text/html", b"<html>Hello"), QueryError, "answered with 'text/html' that does not read: neither"),
        ((200, "application/json", b"[]"), QueryError, "'application/json' that does not read"),
        ((200, "text/turtle", b"<a"), QueryError, "'text/turtle' that does not read"),
    ],
)
def test_what_an_endpoint_gets_wrong_is_told(
    answer: tuple[int, str, bytes], error: type[QueryError], message: str
) -> None:
    with serve() as server:
        server.answer = answer
        with pytest.raises(error, match=message):
            Endpoint(server.url).run("ASK {}")


def test_an_endpoint_that_is_slow_runs_into_the_limit() -> None:
    with serve() as server:
        server.delay = 1
        start = time.monotonic()
        with pytest.raises(QueryTimeoutError, match=r"0\.2 s"):
            Endpoint(server.url).run("ASK {}", timeout=0.2)
        assert time.monotonic() - start < 0.9


def test_an_endpoint_that_is_not_there_is_named() -> None:
    with serve() as server:
        url = server.url
    with pytest.raises(QueryError, match=r"can't be reached: .*refused; look at the address"):
        Endpoint(url).run("ASK {}")


@pytest.mark.parametrize(("timeout", "limit"), [(0, 1), (float("inf"), 1), (1, 0)])
def test_limits_of_an_endpoint_are_above_nothing(timeout: float, limit: int) -> None:
    with pytest.raises(QueryError, match="is not above 0"):
        Endpoint("http://127.0.0.1:9/").run("ASK {}", timeout=timeout, limit=limit)


def test_prefixes_that_a_query_declares_are_its_own(server: Server) -> None:
    found = Endpoint(server.url).run("PREFIX skos: <urn:x:> SELECT (skos:y AS ?x) (STR(<a>) AS ?a) {}")

    assert found.kind is ResultKind.ROWS
    assert found.to_values() == [{"x": "urn:x:y", "a": "https://w3id.org/paperkg/a"}]
