"""The SPARQL endpoint: the protocol, the W3C's cases, and what it refuses."""

from __future__ import annotations

import http.client
import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pyoxigraph as ox
import pytest

from tests.served import run_server

if TYPE_CHECKING:
    from tests.served import Reply, Served

SHARED = Path(__file__).parents[2] / "shared"
W3C = SHARED / "w3c/protocol/manifest.ttl"
REFUSED = SHARED / "cases/inputs/rd3_forbidden_queries.rq"
ENDLESS = SHARED / "cases/inputs/rd4_slow_queries.rq"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
NAMES = "SELECT ?name { ?c a kg:Dataset ; skos:prefLabel ?name }"
TRIPLES = "CONSTRUCT { ?c skos:prefLabel ?l } WHERE { ?c skos:prefLabel ?l }"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DIRECT = {"Content-Type": "application/sparql-query"}
HT, CNT, MF = (
    f"http://www.w3.org/{part}#" for part in ("2011/http", "2011/content", "2001/sw/DataAccess/tests/test-manifest")
)
DATASET = {"default-graph-uri", "named-graph-uri", "using-graph-uri", "using-named-graph-uri"}
# They hold data in graphs of their own and ask for it; here is one graph.
WITH_GRAPHS = {
    "query_dataset_default_graphs_get", "query_dataset_default_graphs_post", "query_dataset_named_graphs_get",
    "query_dataset_named_graphs_post", "query_dataset_full", "query_multiple_dataset",
}  # fmt: skip


def read_blocks(path: Path) -> list[str]:
    """Return the queries in a file of cases, or one that is skipped."""
    return path.read_text(encoding="utf-8").split("----------\n") if path.is_file() else [""]


def find_w3c() -> list[str]:
    """Return the names of the W3C's cases, or one that is skipped."""
    if not W3C.is_file():
        return ["none"]
    store = ox.Store()
    store.bulk_load(path=str(W3C), format=ox.RdfFormat.TURTLE, base_iri="urn:m")
    rows = store.query(f"SELECT ?t {{ ?t a <{MF}ProtocolTest> }} ORDER BY ?t")
    assert isinstance(rows, ox.QuerySolutions)
    return [str(row["t"].value).rpartition("#")[2] for row in rows]


def send_w3c(served: Served, name: str, *, keep_graphs: bool) -> tuple[Reply, dict[str, str]]:
    """Send the first request of a case, with or without the graphs that it names; return what is expected too."""
    store = ox.Store()
    store.bulk_load(path=str(W3C), format=ox.RdfFormat.TURTLE, base_iri="urn:m")
    found = store.query(
        f"""PREFIX ht: <{HT}> PREFIX mf: <{MF}> PREFIX cnt: <{CNT}>
        PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
        SELECT ?path ?method ?chars ?encoding ?kind ?format ?boolean ?status {{
          ?t mf:action/ht:requests/rdf:first ?r FILTER(STRENDS(STR(?t), "#{name}"))
          ?r ht:absolutePath ?path ; ht:methodName ?method ; ht:resp ?e . ?e mf:expectedStatus ?status
          OPTIONAL {{ ?r ht:body ?b . ?b cnt:chars ?chars ; cnt:characterEncoding ?encoding }}
          OPTIONAL {{ ?r ht:headers/rdf:rest*/rdf:first ?h . ?h ht:fieldName ?field ; ht:fieldValue ?kind
                      FILTER(LCASE(?field) = "content-type") }}
          OPTIONAL {{ ?e mf:expectedFormat ?format }} OPTIONAL {{ ?e mf:expectedBoolean ?boolean }}
        }}"""
    )
    assert isinstance(found, ox.QuerySolutions)
    names = [variable.value for variable in found.variables]
    rows = [{one: row[one].value for one in names if row[one] is not None} for row in found]
    case = next(row for row in rows if row["status"].endswith(("StatusCode2xx", "StatusCode4xx")))
    _, _, parameters = case["path"].partition("?")
    kept = [pair for pair in parse_qsl(parameters, keep_blank_values=True) if keep_graphs or pair[0] not in DATASET]
    headers = {"Content-Type": case["kind"]} if "kind" in case else {}
    body = case["chars"].encode(case["encoding"]) if "chars" in case else None
    path = "/sparql" + (f"?{urlencode(kept, quote_via=quote)}" if kept else "")
    return served.ask(path, method=case["method"], headers=headers, body=body), case


@pytest.mark.parametrize("name", find_w3c())
def test_the_w3c_cases_for_a_read_only_endpoint_pass(served: Served, name: str) -> None:
    if name == "none":
        pytest.skip(f"{W3C} is not here")
    if name in WITH_GRAPHS:
        reply, _ = send_w3c(served, name, keep_graphs=True)
        assert reply.status == 400
        assert "one graph" in reply.text
        return

    reply, case = send_w3c(served, name, keep_graphs=False)

    if name.startswith("update_") or case["status"].endswith("4xx"):  # updates would be 2xx elsewhere
        assert 400 <= reply.status < 500
        return
    assert reply.status == 200
    kinds = {
        "boolean": {"application/sparql-results+json", "application/sparql-results+xml"},
        "tabular": {"application/sparql-results+json", "application/sparql-results+xml", "text/csv"},
        "RDF": {"application/rdf+xml", "text/turtle", "application/n-triples"},
    }
    assert reply.media in kinds[case["format"]]
    if "boolean" in case:
        assert json.loads(reply.body)["boolean"] is (case["boolean"] == "true")


@pytest.mark.parametrize(
    ("method", "path", "headers", "body"),
    [
        ("GET", f"/sparql?query={quote(NAMES)}", {}, None),
        ("GET", f"/sparql/?query={quote(NAMES)}&unknown=1", {}, None),
        ("POST", "/sparql", FORM, urlencode({"query": NAMES}).encode()),
        ("POST", f"/sparql?query={quote(NAMES)}", FORM, b""),
        ("POST", "/sparql", DIRECT, NAMES.encode()),
        ("POST", "/sparql", {"Content-Type": "Application/SPARQL-query ; Charset=UTF-8"}, NAMES.encode()),
    ],
)
def test_a_query_comes_in_each_way_of_the_protocol(
    served: Served, method: str, path: str, headers: dict[str, str], body: bytes | None
) -> None:
    reply = served.ask(path, method=method, headers=headers, body=body)

    assert (reply.status, reply.rows) == (200, [{"name": "ImageNet"}])


@pytest.mark.parametrize(
    ("accept", "media", "start"),
    [
        ("", "application/sparql-results+json", b"{"),
        ("*/*", "application/sparql-results+json", b"{"),
        ("application/json", "application/json", b"{"),
        ("application/sparql-results+xml", "application/sparql-results+xml", b"<?xml"),
        ("text/csv", "text/csv", b"name\r\nImageNet"),
        ("text/tab-separated-values", "text/tab-separated-values", b'?name\n"ImageNet"'),
        ("text/csv;q=0.4, application/sparql-results+xml;q=0.9", "application/sparql-results+xml", b"<?xml"),
        ("text/turtle, text/*;q=0.1", "text/csv", b"name"),
    ],
)
def test_rows_come_in_the_form_that_is_accepted(served: Served, accept: str, media: str, start: bytes) -> None:
    reply = served.query(NAMES, accept=accept)

    assert (reply.status, reply.media, reply.headers["vary"]) == (200, media, "Accept")
    assert reply.body.startswith(start)


@pytest.mark.parametrize(
    ("accept", "media", "form"),
    [
        ("", "text/turtle", ox.RdfFormat.TURTLE),
        ("application/n-triples", "application/n-triples", ox.RdfFormat.N_TRIPLES),
        ("application/ld+json", "application/ld+json", ox.RdfFormat.JSON_LD),
        ("application/rdf+xml;q=0.8, text/csv", "application/rdf+xml", ox.RdfFormat.RDF_XML),
    ],
)
def test_triples_come_in_the_form_that_is_accepted(served: Served, accept: str, media: str, form: ox.RdfFormat) -> None:
    reply = served.query(TRIPLES, accept=accept)

    assert (reply.status, reply.media) == (200, media)
    assert len(list(ox.parse(reply.body, format=form))) == 5


@pytest.mark.parametrize(
    ("sparql", "accept"), [(NAMES, "image/png"), (NAMES, "text/turtle"), (TRIPLES, "text/csv"), (NAMES, "*/*;q=0")]
)
def test_a_form_that_is_not_there_is_refused(served: Served, sparql: str, accept: str) -> None:
    reply = served.query(sparql, accept=accept)

    assert reply.status == 406
    assert "choose one of" in reply.text


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status"),
    [
        ("GET", "/sparql?query=SELECT", {}, None, 400),
        ("GET", "/sparql?query=", {}, None, 400),
        ("GET", "/sparql?query=ASK%20%7B%7D&query=ASK%20%7B%7D", {}, None, 400),
        ("GET", "/sparql?query=%ff", {}, None, 400),
        ("GET", "/sparql?" + "a=1&" * 99, {}, None, 400),
        ("GET", "/sparql?query=ASK%7B%7D&named-graph-uri=urn:x", {}, None, 400),
        ("GET", "/sparql?update=CLEAR%20ALL", {}, None, 403),
        ("POST", "/sparql", FORM, b"update=CLEAR%20ALL", 403),
        ("POST", "/sparql", FORM, b"", 400),
        ("POST", "/sparql?query=ASK%7B%7D", DIRECT, b"ASK{}", 400),
        ("POST", "/sparql", DIRECT, b"\xff", 400),
        ("POST", "/sparql", {"Content-Type": "application/sparql-update"}, b"CLEAR ALL", 415),
        ("POST", "/sparql", {"Content-Type": "multipart/form-data; boundary=x"}, b"--x--", 415),
        ("POST", "/sparql", {}, b"query=ASK%7B%7D", 415),
        ("POST", "/sparql", {"Content-Type": "application/sparql-query; charset=latin-1"}, b"ASK{}", 415),
        ("POST", "/sparql", DIRECT, b" " * ((1 << 20) + 1), 413),
        ("PUT", "/sparql?query=ASK%7B%7D", {}, b"", 405),
        ("DELETE", "/sparql", {}, None, 405),
        ("PATCH", "/sparql", DIRECT, b"ASK{}", 405),
        ("POST", "/graph", DIRECT, b"", 405),
    ],
)
def test_what_is_not_the_protocol_has_the_right_status(
    served: Served, method: str, path: str, headers: dict[str, str], body: bytes | None, status: int
) -> None:
    reply = served.ask(path, method=method, headers=headers, body=body)

    assert reply.status == status
    assert reply.media == "text/plain"
    assert ("allow" in reply.headers) is (status == 405)
    assert str(served.folder) not in reply.text
    assert "Traceback" not in reply.text


def test_a_body_in_pieces_has_the_same_limit(served: Served) -> None:
    connection = http.client.HTTPConnection(urlsplit(served.address).netloc, timeout=60)
    pieces = (b" " * 0x10000 for _ in range(17))

    connection.request("POST", "/sparql", pieces, DIRECT, encode_chunked=True)
    status = connection.getresponse().status
    connection.close()

    assert status == 413


@pytest.mark.parametrize("block", read_blocks(REFUSED))
def test_a_query_that_reaches_out_or_writes_is_refused(served: Served, block: str) -> None:
    if not block:
        pytest.skip(f"{REFUSED} is not here")
    before = served.query(TRIPLES).body

    asked = [
        served.query(block),
        served.ask("/sparql", method="POST", headers=DIRECT, body=block.encode()),
        served.ask("/sparql", method="POST", headers=FORM, body=urlencode({"update": block}).encode()),
    ]

    assert [reply.status for reply in asked] == [400, 400, 403]
    assert all("not allowed" in reply.text for reply in asked)
    assert served.query(TRIPLES).body == before


def test_a_cheap_query_is_answered_while_expensive_ones_run(served: Served) -> None:
    replies: list[Reply] = []
    with run_server(served.folder, timeout=1) as server:
        slow = [threading.Thread(target=lambda: replies.append(server.query(SLOW))) for _ in range(3)]
        start = time.monotonic()
        for thread in slow:
            thread.start()
        time.sleep(0.3)
        cheap = [server.query(NAMES).status for _ in range(5)]
        taken = time.monotonic() - start
        for thread in slow:
            thread.join()

    assert cheap == [200] * 5
    assert taken < 0.9
    assert [reply.status for reply in replies] == [503] * 3
    assert all(int(reply.headers["retry-after"]) > 0 and "time limit" in reply.text for reply in replies)
    assert time.monotonic() - start < 6


@pytest.mark.slow
@pytest.mark.parametrize("block", read_blocks(ENDLESS))
def test_a_query_that_would_not_end_is_ended(block: str) -> None:
    if not block:
        pytest.skip(f"{ENDLESS} is not here")
    with run_server(Path(__file__).parents[1] / "exports/icml2026", timeout=3) as server:
        start = time.monotonic()
        reply = server.query(block)
        taken = time.monotonic() - start

    assert reply.status == 503
    assert "time limit" in reply.text
    assert taken < 6


def test_an_answer_that_was_cut_says_so(served: Served) -> None:
    with run_server(served.folder, limit=2) as small:
        reply = small.query("SELECT * { ?s ?p ?o }")

    assert len(reply.rows) == 2
    assert reply.headers["kg-truncated"] == "2"
    assert "kg-truncated" not in served.query(NAMES).headers


def test_the_service_is_described(served: Served) -> None:
    reply = served.ask("/sparql")
    graph = ox.Store()
    graph.load(reply.body, format=ox.RdfFormat.TURTLE)

    described = graph.query(
        f"""PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>
        ASK {{ ?s a sd:Service ; sd:endpoint <{served.address}sparql> ; sd:supportedLanguage sd:SPARQL11Query ;
          sd:resultFormat <http://www.w3.org/ns/formats/Turtle> ; sd:defaultDataset ?d .
          ?d a sd:Dataset ; sd:defaultGraph ?g . ?g a sd:Graph
          FILTER NOT EXISTS {{ ?s sd:supportedLanguage sd:SPARQL11Update }} }}"""
    )

    assert (reply.status, reply.media) == (200, "text/turtle")
    assert described
    assert served.ask("/sparql", headers={"Accept": "application/rdf+xml"}).media == "application/rdf+xml"
    assert served.ask("/sparql", headers={"Accept": "text/csv"}).status == 406


def test_a_browser_at_the_endpoint_gets_the_page_for_queries(served: Served) -> None:
    reply = served.ask("/sparql", headers={"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"})

    assert (reply.status, reply.headers["location"]) == (303, "/query")


def test_head_is_get_without_the_body(served: Served) -> None:
    path = f"/sparql?query={quote(NAMES)}"

    head, get = served.ask(path, method="HEAD"), served.ask(path)

    assert (head.status, head.body) == (200, b"")
    assert {**head.headers, "date": ""} == {**get.headers, "date": ""}


def test_options_tell_the_methods(served: Served) -> None:
    assert served.ask("/sparql", method="OPTIONS").headers["allow"] == "GET, HEAD, POST, OPTIONS"
    assert served.ask("/paper/7", method="OPTIONS").headers["allow"] == "GET, HEAD, OPTIONS"
    assert served.ask("/paper/7", method="OPTIONS").status == 204
