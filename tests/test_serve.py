"""Serving: pages, IRIs that lead somewhere, what holds for every answer, and building again."""

from __future__ import annotations

import http.client
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import html5lib
import pyoxigraph as ox
import pytest

from kg.errors import GraphError, ServeError
from kg.folder import write
from kg.model import ConceptType, KnowledgeGraph, MentionFile, Paper
from kg.vocab import to_iri
from tests.served import run_server
from tests.test_view import nasty_graph

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

from pathlib import Path

from kg.mentions import write_mentions
from kg.serve import Options, make_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from tests.served import Reply, Served

HTML = "{http://www.w3.org/1999/xhtml}"
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ROOT = Path(__file__).parents[1]
PAGES = ["/", "/query", "/query?query=SELECT%20*%7B?s%20?p%20?o%7D", "/paper/", "/concept/", "/search?name=lora"]


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[KnowledgeGraph, Served]]:
    """Return a graph with markup in every text, and its server."""
    folder = tmp_path_factory.mktemp("nasty")
    graph = nasty_graph()
    write_mentions([], folder / "mentions.parquet")
    graph = replace(graph, mentions=MentionFile(folder / "mentions.parquet"))
    write(graph, folder / "graph")
    with run_server(folder / "graph") as server:
        yield graph, server


def parse(reply: Reply) -> Element:
    """Return the tree that an HTML5 parser reads from a page."""
    tree: Element = html5lib.parse(reply.body, treebuilder="etree", transport_encoding="utf-8")
    return tree


def read_text(tree: Element) -> str:
    """Return the words of a page."""
    return " ".join("".join(tree.itertext()).split())


def find_links(tree: Element) -> list[str]:
    """Return what a page refers to."""
    return [one.attrib[name] for one in tree.iter() for name in ("href", "src", "action") if name in one.attrib]


def test_the_page_of_a_concept_tells_what_show_tells(served: Served) -> None:
    reply = served.ask("/concept/low%20rank%20adaptation", headers=BROWSER)
    text = read_text(parse(reply))

    assert (reply.status, reply.media) == (200, "text/html")
    for words in ("low-rank adaptation", "Also called: LoRA", "used by", "LoRA is evaluated on ImageNet & Zoë's"):
        assert words in text
    assert "/paper/p%3C2%3E" in find_links(parse(reply))


def test_the_page_of_a_paper_tells_what_show_tells(served: Served) -> None:
    tree = parse(served.ask("/paper/p%3C2%3E", headers=BROWSER))
    text = read_text(tree)

    for words in ("Sparse <b>tests</b> & </script>", "reports the metrics", "uses the datasets", "related papers"):
        assert words in text
    assert not list(tree.iter(f"{HTML}b"))
    assert "https://doi.org/10.1000/a%3Cb%3E%28c%29" in find_links(tree)


@pytest.mark.parametrize(
    ("suffix", "accept", "media", "form"),
    [
        (".ttl", "text/html", "text/turtle", ox.RdfFormat.TURTLE),
        ("", "text/turtle", "text/turtle", ox.RdfFormat.TURTLE),
        (".jsonld", "", "application/ld+json", ox.RdfFormat.JSON_LD),
        ("", "application/ld+json", "application/ld+json", ox.RdfFormat.JSON_LD),
        (".nt", "", "application/n-triples", ox.RdfFormat.N_TRIPLES),
        ("", "application/rdf+xml", "application/rdf+xml", ox.RdfFormat.RDF_XML),
    ],
)
def test_a_node_comes_as_rdf(served: Served, suffix: str, accept: str, media: str, form: ox.RdfFormat) -> None:
    reply = served.ask(f"/paper/7{suffix}", headers={"Accept": accept})
    triples = [str(quad.triple) for quad in ox.parse(reply.body, format=form)]

    assert (reply.status, reply.media, reply.headers["vary"]) == (200, media, "Accept")
    paper, concept = (f"<{to_iri(node)}>" for node in ("paper:7", "concept:loda"))
    assert f"{paper} <https://w3id.org/paperkg/ontology#introduces> {concept}" in triples
    assert any("nif-core#anchorOf" in one and "We propose LoDA" in one for one in triples)


def test_every_node_has_a_page_and_triples_whatever_its_id(nasty: tuple[KnowledgeGraph, Served]) -> None:
    graph, served = nasty

    for node in (*graph.papers, *graph.concepts):
        path = to_iri(node, base="/")
        page = served.ask(path, headers=BROWSER)
        tree = parse(page)
        triples = ox.parse(served.ask(path, headers={"Accept": "text/turtle"}).body, format=ox.RdfFormat.TURTLE)
        label = (graph.papers.get(node) or graph.concepts[node]).label
        assert page.status == 200
        assert {quad.subject.value for quad in triples} >= {to_iri(node)}
        assert " ".join("".join(c if c.isprintable() else " " for c in label).split()) in read_text(tree)
        assert not [one for one in tree.iter() if one.tag in (f"{HTML}script", f"{HTML}img", f"{HTML}svg")]
        assert not [name for one in tree.iter() for name in one.attrib if name.startswith("on")]
        assert all(link.startswith(("/", "https://doi.org/", "http")) or link == "#main" for link in find_links(tree))


def test_all_links_of_the_pages_lead_somewhere(nasty: tuple[KnowledgeGraph, Served]) -> None:
    _, served = nasty
    links = {link for page in PAGES for link in find_links(parse(served.ask(page, headers=BROWSER)))}

    local = sorted(link.partition("#")[0] for link in links if link.startswith("/"))

    assert len(local) > 10
    assert [link for link in local if served.ask(link).status != 200] == []


def test_queries_show_what_comes_back_escaped(nasty: tuple[KnowledgeGraph, Served]) -> None:
    _, served = nasty
    sparql = "SELECT ?s ('<script>alert(1)</script>' AS ?x) { ?s a skos:Concept } # </textarea><script>"

    reply = served.ask(f"/query?query={quote(sparql)}", headers=BROWSER)

    tree = parse(reply)
    assert [one.attrib.get("src") for one in tree.iter(f"{HTML}script")] == ["/assets/query.js"]
    assert "<script>alert(1)</script>" in read_text(tree)
    assert [one.text for one in tree.iter(f"{HTML}textarea")] == [sparql]


def test_an_address_that_is_no_web_address_is_no_link(tmp_path: Path) -> None:
    write_mentions([], tmp_path / "mentions.parquet")
    paper = Paper(id="1", title="A", url="javascript:alert(1)", doi='10.1/x"><script>')
    graph = KnowledgeGraph({paper.id: paper}, {}, (), MentionFile(tmp_path / "mentions.parquet"), nasty_graph().report)
    write(graph, tmp_path / "graph")

    with run_server(tmp_path / "graph") as server:
        tree = parse(server.ask("/paper/1", headers=BROWSER))

    assert "javascript:alert(1)" in read_text(tree)
    assert not [link for link in find_links(tree) if link.startswith("javascript")]
    assert not list(tree.iter(f"{HTML}script"))


@pytest.mark.parametrize("path", ["/nothing", "/paper/none", "/paper/7/none", "/concept/none.ttl", "/assets/pages.py"])
def test_what_is_not_there_is_a_page_for_a_browser_and_a_line_for_a_program(served: Served, path: str) -> None:
    page, line = served.ask(path, headers=BROWSER), served.ask(path, headers={"Accept": "text/turtle, */*;q=0.1"})

    assert (page.status, page.media) == (404, "text/html")
    assert (line.status, line.media) == (404, "text/plain")


@pytest.mark.parametrize(
    "path", ["/assets/..%2fpages.py", "/assets/../pages.py", "/paper/..%2f..%2fetc%2fpasswd", "/%00"]
)
def test_no_path_leads_to_files(served: Served, path: str) -> None:
    assert served.ask(path).status == 404


def test_other_iris_of_the_graph_lead_somewhere_too(served: Served) -> None:
    rows = served.query("SELECT DISTINCT ?s { ?s ?p ?o FILTER(STRSTARTS(STR(?s), STR(<scheme>)) || ?p = rdf:subject) }")

    paths = ["/" + row["s"].removeprefix("https://w3id.org/paperkg/") for row in rows.rows]

    assert len(paths) == 8
    assert {served.ask(path, headers=BROWSER).media for path in paths} == {"text/html"}
    assert {served.ask(path, headers={"Accept": "text/turtle"}).media for path in paths} == {"text/turtle"}


def test_an_id_that_a_merge_took_away_leads_to_what_it_is_now(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    loda = replace(small_graph.concepts["concept:loda"], replaces=("concept:lo da",))
    write(replace(small_graph, concepts={**small_graph.concepts, loda.id: loda}), tmp_path / "graph")

    with run_server(tmp_path / "graph") as server:
        reply = server.ask("/concept/lo%20da")

    assert (reply.status, reply.headers["location"]) == (303, "/concept/loda")


def test_nodes_lead_to_their_pages_whatever_the_base(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph", base="https://example.org/mine/")

    with run_server(tmp_path / "graph") as server:
        page = server.ask(f"/query?query={quote('SELECT * { ?paper kg:introduces ?c }')}", headers=BROWSER)
        turtle = server.ask("/concept/loda.ttl")

    assert {"/paper/7", "/concept/loda"} <= set(find_links(parse(page)))
    assert b"https://example.org/mine/" in turtle.body


def test_an_answer_is_there_as_a_file(served: Served) -> None:
    sparql = quote("SELECT ?l { ?c a kg:Dataset ; skos:prefLabel ?l }")

    reply = served.ask(f"/query?query={sparql}&format=csv")

    assert (reply.media, reply.body) == ("text/csv", b"l\r\nImageNet\r\n")
    assert reply.headers["content-disposition"] == 'attachment; filename="answer.csv"'


def test_a_query_that_is_wrong_says_so_on_the_page(served: Served) -> None:
    reply = served.ask("/query?query=SELECT", headers=BROWSER)

    assert (reply.status, reply.media) == (400, "text/html")
    assert "does not parse" in read_text(parse(reply))


def test_the_example_queries_answer_something() -> None:
    from kg.serve.examples import EXAMPLES

    with run_server(ROOT / "exports/icml2026") as server:
        replies = {title: server.query(text) for title, text in EXAMPLES.items()}

    assert {title for title, reply in replies.items() if reply.status != 200 or not reply.rows} == set()


@pytest.mark.parametrize("path", [*PAGES, "/sparql?query=ASK%7B%7D", "/none", "/paper/7.ttl", "/assets/style.css"])
def test_every_answer_keeps_browsers_strict(served: Served, path: str) -> None:
    headers = served.ask(path, headers=BROWSER).headers

    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_style_or_script_of_their_own_and_nothing_from_elsewhere(served: Served, path: str) -> None:
    tree = parse(served.ask(path, headers=BROWSER))

    assert not list(tree.iter(f"{HTML}style"))
    assert not [one for one in tree.iter() if "style" in one.attrib]
    assert all("src" in one.attrib for one in tree.iter(f"{HTML}script"))
    loaded = [
        one.attrib.get("href", one.attrib.get("src", ""))
        for name in ("link", "script")
        for one in tree.iter(HTML + name)
    ]
    assert all(link.startswith("/assets/") for link in loaded)
    assert [one.attrib["lang"] for one in tree.iter(f"{HTML}html")] == ["en"]
    assert len(list(tree.iter(f"{HTML}h1"))) == len(list(tree.iter(f"{HTML}main"))) == 1


def test_the_colours_are_those_of_the_drawn_page() -> None:
    style, page = (
        (ROOT / "kg" / path).read_text(encoding="utf-8") for path in ("serve/assets/style.css", "view/page.css")
    )

    assert style.startswith(page[: page.index("* { box-sizing")])


def test_the_graph_page_is_the_one_of_the_folder(served: Served) -> None:
    reply = served.ask("/graph")

    assert reply.body == (served.folder / "graph.html").read_bytes()
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", "[2001:db8::1]:80"]
)
def test_a_host_that_is_not_meant_is_refused(served: Served, host: str) -> None:
    reply = served.ask("/sparql?query=ASK%7B%7D", headers={"Host": host})

    assert reply.status == 421
    assert "evil" not in reply.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9000", "127.0.0.1", "[::1]:8000"])
def test_the_names_of_loopback_are_meant(served: Served, host: str) -> None:
    assert served.ask("/", headers={"Host": host}).status == 200


@pytest.mark.parametrize("host", ["", "a b", "x@localhost", "localhost:port"])
def test_a_host_that_is_none_is_refused(served: Served, host: str) -> None:
    assert served.ask("/", headers={"Host": host}).status == 400


def test_other_origins_read_nothing_unless_they_are_named(served: Served) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}

    for method in ("GET", "OPTIONS"):
        assert not [
            name for name in served.ask("/sparql", method=method, headers=asked).headers if "control-allow" in name
        ]


def test_an_origin_that_is_named_reads(served: Served) -> None:
    with run_server(served.folder, origins=("https://app.example",)) as server:
        asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
        found = server.ask("/sparql?query=ASK%7B%7D", headers=asked).headers
        before = server.ask("/sparql", method="OPTIONS", headers=asked).headers
        other = server.ask("/sparql?query=ASK%7B%7D", headers={"Origin": "https://evil.example"}).headers

    assert found["access-control-allow-origin"] == before["access-control-allow-origin"] == "https://app.example"
    assert "POST" in before["access-control-allow-methods"]
    assert "Origin" in found["vary"]
    assert "access-control-allow-origin" not in other


def test_all_origins_read_where_that_is_asked_for(served: Served) -> None:
    with run_server(served.folder, origins=("*",)) as server:
        reply = server.ask("/paper/7.ttl", headers={"Origin": "https://any.example"})

    assert reply.headers["access-control-allow-origin"] == "*"


def test_a_graph_that_was_built_again_is_served(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")
    label = quote("SELECT ?l { <concept/loda> skos:prefLabel ?l }")

    with run_server(tmp_path / "graph") as server:
        before = server.ask(f"/sparql?query={label}").rows
        loda = replace(small_graph.concepts["concept:loda"], label="LoDA 2", type=ConceptType.TASK)
        write(replace(small_graph, concepts={**small_graph.concepts, loda.id: loda}), tmp_path / "graph")
        after = server.ask(f"/sparql?query={label}").rows
        page = server.ask("/concept/loda", headers=BROWSER)

    assert (before, after) == ([{"l": "LoDA"}], [{"l": "LoDA 2"}])
    assert "LoDA 2" in read_text(parse(page))


def test_a_folder_that_breaks_leaves_the_old_graph(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write(small_graph, tmp_path / "graph")

    with run_server(tmp_path / "graph") as server:
        (tmp_path / "graph/report.json").write_text("{", encoding="utf-8")
        (tmp_path / "graph/manifest.json").write_text("{}", encoding="utf-8")
        replies = [server.ask(path).status for path in ("/", "/concept/loda", "/sparql?query=ASK%7B%7D")]
        (tmp_path / "graph").rename(tmp_path / "gone")
        replies += [server.ask(path).status for path in ("/", "/concept/loda", "/sparql?query=ASK%7B%7D")]

    assert replies == [200] * 6


def test_a_server_says_what_it_needs(tmp_path: Path, served: Served) -> None:
    port = int(served.address.rpartition(":")[2].strip("/"))

    with pytest.raises(GraphError, match="kg build"):
        make_server(tmp_path, host="127.0.0.1", port=0, options=Options())
    with pytest.raises(ServeError, match=f"port {port} .*choose another with --port"):
        make_server(served.folder, host="127.0.0.1", port=port, options=Options())
    with pytest.raises(ServeError, match="above 0"):
        Options(timeout=0)
    with pytest.raises(ServeError, match="rows"):
        Options(limit=0)


def test_a_library_that_is_missing_is_named(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    with pytest.raises(ServeError, match=r"pip install 'paperkg\[serve\]'"):
        make_server(served.folder, host="127.0.0.1", port=0, options=Options())


def test_a_client_that_goes_away_ends_its_query(served: Served) -> None:
    slow = quote("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }")
    with run_server(served.folder, timeout=60) as server:
        for _ in range(6):  # more than run at the same time
            connection = http.client.HTTPConnection(urlsplit(server.address).netloc)
            connection.request("GET", f"/sparql?query={slow}")
            time.sleep(0.3)
            connection.close()
        start = time.monotonic()
        reply = server.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }")
        taken = time.monotonic() - start

    assert reply.status == 200
    assert taken < 5
