"""Tests of queries: answers, limits, and what a query may not do."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest

from kg.errors import GraphError, QueryError, QueryTimeoutError
from kg.query import RESULT_FORMATS, QueryWorker, Result, ResultKind, format_result, query, run_named, run_query
from kg.query import worker as worker_module
from kg.query.result import to_value
from kg.rdf import write_turtle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph
    from kg.query.worker import Request

SHARED = Path(__file__).parents[2] / "shared"
SLOW = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture
def folder(small_graph: KnowledgeGraph, tmp_path: Path) -> Path:
    """Return a folder with the small graph's graph.ttl."""
    write_turtle(small_graph, tmp_path / "graph.ttl")
    return tmp_path


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueryWorker]:
    """Give a process that holds one triple."""
    path = tmp_path_factory.mktemp("worker")
    (path / "graph.ttl").write_text("<urn:x:a> <urn:x:b> <urn:x:c> .\n", encoding="utf-8")
    with QueryWorker(path) as worker:
        yield worker


@contextmanager
def listen() -> Iterator[tuple[int, list[str]]]:
    """Give a port on loopback and the list of connections that come in."""
    seen: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                seen.append(connection.recv(200).decode("latin-1"))
                connection.close()

        Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], seen
        server.shutdown(socket.SHUT_RDWR)


def read_blocks(name: str) -> list[str]:
    """Return the queries of a case."""
    path = SHARED / "cases" / "inputs" / name
    if not path.is_file():
        pytest.skip(f"no cases in {SHARED}")
    return path.read_text(encoding="utf-8").split("\n----------\n")


def is_running(process: int) -> bool:
    """Tell whether a process is there and is no zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.is_file() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_rows_are_python_values(small_graph: KnowledgeGraph, folder: Path) -> None:
    sparql = """SELECT ?paper ?year ?label ?score ?none {
        ?paper kg:usesMethod ?concept ; dcterms:issued ?year . ?concept skos:prefLabel ?label
        OPTIONAL { ?concept kg:no ?none }
        ?statement rdf:subject ?paper ; rdf:predicate kg:usesMethod ; kg:confidence ?score }"""

    rows = query(folder, sparql)

    expected = {"paper": "https://w3id.org/paperkg/paper/7", "year": 2026, "label": "low-rank adaptation"}
    assert rows == [{**expected, "score": 0.7, "none": None}]
    assert query(str(folder), sparql) == query(small_graph, sparql) == rows


def test_literals_become_the_nearest_python_type(worker: QueryWorker) -> None:
    values = '1 "3"^^xsd:gYear 2.5 1e0 true "a"@en "b" "x"^^xsd:integer'

    rows = worker.run(f"SELECT ?x {{ VALUES ?x {{ {values} }} }}").to_values()

    found = [row["x"] for row in rows]
    assert found == [1, 3, 2.5, 1.0, True, "a", "b", "x"]
    assert [type(value) for value in found[:5]] == [int, int, float, float, bool]


def test_ids_of_nodes_are_names_in_a_query(folder: Path) -> None:
    assert query(folder, "ASK { paper:7 kg:introduces concept:loda }") == [{"boolean": True}]
    assert query(folder, "ASK { <paper/7> kg:introduces <concept/loda> }") == [{"boolean": True}]
    assert query(folder, "ASK { paper:7 kg:introduces concept:imagenet }") == [{"boolean": False}]


def test_a_prefix_that_the_query_declares_wins(folder: Path) -> None:
    assert query(folder, "PREFIX paper: <https://example.org/> SELECT (paper:x AS ?x) {}") == [
        {"x": "https://example.org/x"}
    ]


def test_ids_of_nodes_follow_the_base_of_the_folder(small_graph: KnowledgeGraph, tmp_path: Path) -> None:
    write_turtle(small_graph, tmp_path / "graph.ttl", base="https://example.org/mine/")

    assert query(tmp_path, "ASK { paper:7 kg:introduces <concept/loda> }") == [{"boolean": True}]


def test_construct_and_describe_give_triples(folder: Path) -> None:
    built = run_query(folder, "CONSTRUCT { ?c rdfs:label ?l } WHERE { ?c skos:prefLabel ?l }")
    described = query(folder, "DESCRIBE concept:imagenet")

    assert len(built.triples) == 5
    assert [*map(str, built.triples)] == sorted(map(str, built.triples))
    assert built.boolean is None
    subject = "https://w3id.org/paperkg/concept/imagenet"
    predicate = "http://www.w3.org/2004/02/skos/core#prefLabel"
    assert {"subject": subject, "predicate": predicate, "object": "ImageNet"} in described


@pytest.mark.parametrize("sparql", ["SELECT * { ?s ?p ?o }", "CONSTRUCT WHERE { ?s ?p ?o }"])
def test_an_answer_that_is_cut_says_so(folder: Path, sparql: str) -> None:
    cut, whole = run_query(folder, sparql, limit=10), run_query(folder, sparql)

    assert (len(cut.rows), cut.truncated) == (10, True)
    assert (len(run_query(folder, sparql, limit=len(whole.rows)).rows), whole.truncated) == (len(whole.rows), False)


def test_columns_come_as_in_the_query(folder: Path) -> None:
    assert run_query(folder, "SELECT * { ?z ?a ?m . OPTIONAL { ?m ?b ?z } }").variables == ("z", "a", "m", "b")
    assert run_query(folder, "SELECT (?x AS ?b) ?a { ?a ?x ?c }").variables == ("b", "a")


def test_the_same_query_has_the_same_answer(folder: Path) -> None:
    sparql = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"

    assert run_query(folder, sparql) == run_query(folder, sparql)


def test_a_folder_without_graph_is_named(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"there is no graph\.ttl in '.*'; name a folder that 'kg build' wrote"):
        query(tmp_path, "ASK {}")


def test_a_broken_graph_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("<a> <b> .\n", encoding="utf-8")

    with pytest.raises(GraphError, match=r"graph\.ttl' can't be read: .* line 1"):
        query(tmp_path, "ASK {}")


@pytest.mark.parametrize(
    ("sparql", "message"),
    [
        ("SELECT * { ?s ?p", "does not parse at line 1, column 17, near 'the end'"),
        ("SELECT *\n{ ?s nope:x ?o }", "does not parse at line 2, .*: a prefix that is not declared"),
        ("", "does not parse at line 1"),
        ("from here to there", "does not parse at line 1"),
        ("SELECT * FROM", "does not parse at line 1"),
        ("SELECT * { ?s ?p '\ud800' }", "can't be answered"),
    ],
)
def test_a_malformed_query_is_told_where(worker: QueryWorker, sparql: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        worker.run(sparql)

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 320


@pytest.mark.parametrize(("timeout", "limit"), [(0, 1), (-1, 1), (float("nan"), 1), (float("inf"), 1), (1, 0)])
def test_limits_are_above_nothing(folder: Path, timeout: float, limit: int) -> None:
    with pytest.raises(QueryError, match="is not above 0"):
        query(folder, "ASK {}", timeout=timeout, limit=limit)


def test_forbidden_queries_reach_nothing(folder: Path) -> None:
    # Case RD3.
    secret = folder / "secret.nt"
    secret.write_text('<urn:x:a> <urn:x:b> "the secret" .\n', encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    reasons = ["SERVICE is not"] * 3 + ["FROM is not"] * 3 + ["updates are not"] * 5

    with listen() as (port, seen), QueryWorker(folder) as worker:
        for block, reason in zip(read_blocks("rd3_forbidden_queries.rq"), reasons, strict=True):
            with pytest.raises(QueryError, match=f"^{reason} allowed"):
                worker.run(block.replace("PORT", str(port)).replace("FILE", str(secret)))
        time.sleep(0.05)

    assert seen == []
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


SERVICE = "SERVICE <http://127.0.0.1:PORT/> { ?s ?p ?o }"


@pytest.mark.parametrize(
    "sparql",
    [
        f"SELECT * {{ {{ SELECT ?s {{ ?s ?p ?o {{ {SERVICE} }} }} }} }}",
        f"SELECT * {{ ?s ?p ?o FILTER EXISTS {{ ?s ?q ?r FILTER NOT EXISTS {{ {SERVICE} }} }} }}",
        f"SELECT * {{ ?s ?p ?o OPTIONAL {{ {SERVICE} }} }}",
        f"SELECT * {{ ?s ?p ?o MINUS {{ {SERVICE} }} }}",
        f"SELECT * {{ {{ ?s ?p ?o }} UNION {{ GRAPH ?g {{ {SERVICE} }} }} }}",
        f"SELECT (EXISTS {{ {SERVICE} }} AS ?x) {{}}",
        f"SELECT * {{ BIND(IF(EXISTS {{ {SERVICE} }}, 1, 2) AS ?x) }}",
        f"SELECT ?s {{ ?s ?p ?o }} GROUP BY ?s HAVING (EXISTS {{ {SERVICE} }})",
        f"SELECT ?s {{ ?s ?p ?o }} ORDER BY (EXISTS {{ {SERVICE} }})",
        f"ASK {{ {SERVICE.lower()} }}",
        f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {SERVICE} }}",
        f"DESCRIBE ?s WHERE {{ {SERVICE} }}",
        # A comment ends at a carriage return in one parser and not in another.
        f"SELECT * {{ # \r {SERVICE} }}",
        f"SELECT * {{ # \r\n {SERVICE} }}",
        # Escapes that make or hide the word.
        f"SELECT * {{ \\u0053{SERVICE[1:]} }}",
        f'SELECT * {{ # \\U000A OPTIONAL {{ ?s ?p """\n {SERVICE} # """ \\U000A }}\n}}',
        f"SELECT * {{ # \\u005Cu000A\n {SERVICE} }}",
    ],
)
def test_service_is_found_wherever_it_stands(worker: QueryWorker, sparql: str) -> None:
    with listen() as (port, seen):
        with pytest.raises(QueryError):
            worker.run(sparql.replace("PORT", str(port)))
        time.sleep(0.02)

    assert seen == []


def test_an_escape_ends_a_text_for_both_parsers(worker: QueryWorker) -> None:
    # By the standard it does, and the SERVICE is in a comment; read otherwise it is not.
    with listen() as (port, seen):
        worker.run(f"SELECT * {{ ?s ?p '\\u0027 . # ' . {SERVICE}\n}}".replace("PORT", str(port)))
        time.sleep(0.02)

    assert seen == []


@pytest.mark.skipif(sys.platform == "win32", reason="the process is sealed on POSIX only")
@pytest.mark.parametrize("silent", ["", "SILENT"])
def test_a_service_that_is_not_found_still_reaches_nothing(monkeypatch: pytest.MonkeyPatch, silent: str) -> None:
    monkeypatch.setattr(worker_module, "find_forbidden", lambda _: "")
    prefixes = {"paper": "https://example.org/paper/"}
    with listen() as (port, seen):
        sparql = f"SELECT * {{ SERVICE {silent} <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}"
        request: Request = {"query": sparql, "prefixes": prefixes, "timeout": 9, "limit": 9}

        answer = worker_module.answer(ox.Store(), request)
        time.sleep(0.02)

    assert seen == []
    assert bool(answer.get("error")) is not bool(silent)


@pytest.mark.parametrize(
    "sparql",
    [
        'SELECT * { ?s ?p ?o FILTER(?o = "SERVICE <http://x/> { } FROM <x>") }',
        "SELECT * { ?s ?p ?o # SERVICE <http://x/> {}\n}",
        "SELECT ?service ?from { ?service ?from ?o }",
        "PREFIX service: <http://x/from#> SELECT * { ?s service:from ?o }",
        "SELECT * { ?s <http://x/SERVICE> ?o FILTER(?o != 'caf\\u00e9 from') }",
        "SELECT * { FILTER(" + "(" * 20 + "'from' = 'from'" + ")" * 20 + ") }",
    ],
)
def test_the_words_are_fine_in_texts_names_and_comments(worker: QueryWorker, sparql: str) -> None:
    assert worker.run(sparql).kind is ResultKind.ROWS


@pytest.mark.parametrize("sparql", ["DROP ALL", "DELETE WHERE { ?s ?p 'from' }", "COPY <http://a> TO <http://b>"])
def test_an_update_is_called_one(worker: QueryWorker, sparql: str) -> None:
    with pytest.raises(QueryError, match="updates are not allowed; a query starts with SELECT"):
        worker.run(sparql)


def test_a_slow_query_ends_at_its_limit_and_the_next_one_runs(folder: Path) -> None:
    with QueryWorker(folder) as worker:
        worker.run("ASK {}")
        assert worker.process_id
        first = worker.process_id
        start = time.monotonic()
        with pytest.raises(QueryTimeoutError, match=r"time limit of 0\.3 s"):
            worker.run(SLOW, timeout=0.3)
        took = time.monotonic() - start

        assert took < 2
        assert not is_running(first)
        assert worker.run("ASK { ?s ?p ?o }").boolean is True
        second = worker.process_id
        assert second
    assert not is_running(second)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_slow_queries_of_the_field_end(folder: Path, number: int) -> None:
    # Case RD4, on a graph of about the size of 300 papers.
    lines = (f"<urn:x:{i}> <urn:x:p{i % 7}> <urn:x:{i * 31 % 20_000}> .\n" for i in range(20_000))
    (folder / "graph.ttl").write_text("".join(lines), encoding="utf-8")
    start = time.monotonic()

    with pytest.raises(QueryTimeoutError, match="time limit of 3 s"):
        query(folder, read_blocks("rd4_slow_queries.rq")[number], timeout=3)

    assert time.monotonic() - start < 6


def test_two_workers_answer_at_the_same_time(folder: Path) -> None:
    with QueryWorker(folder) as busy, QueryWorker(folder) as free:
        busy.run("ASK {}")
        failed: list[QueryError] = []

        def run() -> None:
            try:
                busy.run(SLOW, timeout=1)
            except QueryError as error:
                failed.append(error)

        thread = Thread(target=run)
        thread.start()
        assert free.run("ASK { ?s ?p ?o }").boolean is True
        assert not failed
        thread.join()
    assert len(failed) == 1


def test_a_query_that_is_nested_too_deep_ends_with_an_error(folder: Path) -> None:
    sparql = "SELECT * { FILTER(" + "(" * 100_000 + "1" + ")" * 100_000 + ") }"

    with pytest.raises(QueryError, match="nested too deep"):
        query(folder, sparql, timeout=20)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_query_ends_though_its_parent_was_killed(folder: Path) -> None:
    script = f"""
from pathlib import Path
from kg.query import QueryWorker
worker = QueryWorker(Path({str(folder)!r}))
worker.run("ASK {{}}")
print(worker.process_id, flush=True)
worker.run({SLOW!r}, timeout=1)
"""
    root = Path(__file__).parents[1]
    with subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        process = int(parent.stdout.readline())
        time.sleep(0.3)
        parent.send_signal(signal.SIGKILL)
    assert is_running(process)
    time.sleep(2.5)

    assert not is_running(process)


def test_the_process_imports_nothing_heavy(folder: Path) -> None:
    program = Path(worker_module.__file__)
    script = f"import runpy, sys; sys.argv[1:] = [{str(folder / 'graph.ttl')!r}]\n"
    script += f"runpy.run_path({str(program)!r}, run_name='__main__'); print(*sys.modules)"
    line = {"query": "ASK {}", "prefixes": {"paper": "http://x/paper/"}, "timeout": 5, "limit": 5}

    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(line), capture_output=True, text=True, check=True
    )

    assert not {"kg", "rdflib", "pyparsing", "networkx", "pyarrow"} & set(done.stdout.split())


def test_tables_show_names_of_nodes(folder: Path) -> None:
    result = run_query(folder, "SELECT ?paper ?label { ?paper kg:introduces ?c . ?c skos:prefLabel ?label }")

    assert format_result(result, "table") == "paper    label\n-------  -----\npaper:7  LoDA\n"


def test_tables_are_straight_with_wide_and_odd_characters() -> None:
    result = make_rows("知识图谱", "e\u0301", "a\x1b[31m\nb", "x" * 200)

    lines = format_result(result, "table").splitlines()
    assert lines[2:5] == ["知识图谱" + " " * 74 + "1", "e\u0301" + " " * 81 + "1", "a [31m b" + " " * 74 + "1"]
    assert lines[5] == "x" * 79 + "…  1"


def make_rows(*texts: str) -> Result:
    """Return an answer of two columns."""
    one = {"type": "literal", "value": "1"}
    rows = [{"text": {"type": "literal", "value": text}, "n": one} for text in texts]
    document = {"head": {"vars": ["text", "n"]}, "results": {"bindings": rows}}
    return Result(ResultKind.ROWS, json.dumps(document))


def test_xml_results_can_be_parsed_whatever_they_hold() -> None:
    text = format_result(make_rows("a\x01<b>"), "xml")

    assert "a\ufffd<b>" in "".join(ElementTree.fromstring(text).itertext())


@pytest.mark.parametrize("form", RESULT_FORMATS)
@pytest.mark.parametrize("sparql", ["SELECT * { ?s skos:prefLabel ?o }", "ASK {}", "DESCRIBE concept:imagenet"])
def test_each_answer_has_each_form_that_fits(folder: Path, form: str, sparql: str) -> None:
    result = run_query(folder, sparql)

    if form in ("turtle", "ntriples") and result.kind is not ResultKind.TRIPLES:
        with pytest.raises(QueryError, match="is for CONSTRUCT and DESCRIBE"):
            format_result(result, form)
    else:
        text = format_result(result, form)
        assert text.endswith("\n")
        assert result.kind is ResultKind.BOOLEAN or "ImageNet" in text


def test_triples_come_back_from_rdf_forms(folder: Path) -> None:
    result = run_query(folder, "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")

    for name, form in [
        ("turtle", ox.RdfFormat.TURTLE),
        ("ntriples", ox.RdfFormat.N_TRIPLES),
        ("json", ox.RdfFormat.JSON_LD),
        ("xml", ox.RdfFormat.RDF_XML),
    ]:
        again = {str(quad.triple) for quad in ox.parse(format_result(result, name), format=form)}
        assert again == {*map(str, result.triples)}, name


def test_an_unknown_result_format_is_refused_with_the_choices(folder: Path) -> None:
    with pytest.raises(QueryError, match="no result format 'html'; choose one of table, csv, tsv, json, xml"):
        format_result(run_query(folder, "ASK {}"), "html")


W3C = SHARED / "w3c" / "results"


@pytest.mark.skipif(not W3C.is_dir(), reason=f"no tests of the W3C in {W3C}")
@pytest.mark.parametrize(
    ("name", "sparql", "graph"),
    [
        *((f"csv-tsv-res/csvtsv01.{form}", "csvtsv01", "data") for form in ("csv", "tsv")),
        *((f"csv-tsv-res/csvtsv02.{form}", "csvtsv02", "data") for form in ("csv", "tsv")),
        *((f"csv-tsv-res/csvtsv03.{form}", "csvtsv01", "data2") for form in ("csv", "tsv")),
        *((f"json-res/jsonres0{n}.srj", f"jsonres0{n}", "data") for n in (1, 2, 3, 4)),
    ],
)
def test_results_are_as_the_w3c_has_them(name: str, sparql: str, graph: str, tmp_path: Path) -> None:
    expected = W3C / name
    (tmp_path / "graph.ttl").write_bytes(expected.with_name(f"{graph}.ttl").read_bytes())
    form = "json" if name.endswith(".srj") else expected.suffix[1:]

    result = run_query(tmp_path, expected.with_name(f"{sparql}.rq").read_text(encoding="utf-8"))

    wanted = expected.read_text(encoding="utf-8")
    assert read_results(format_result(result, form), form) == read_results(wanted, form)


def read_results(text: str, form: str) -> object:
    """Return results without the order of rows and of JSON's names."""
    if form == "csv":
        return sorted(re.sub(r"_:\w+", "_", text).replace("1.0E6", "1000000").split())
    kind = ox.QueryResultsFormat.JSON if form == "json" else ox.QueryResultsFormat.TSV
    found = ox.parse_query_results(text.encode(), format=kind)
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    names = [name.value for name in found.variables]
    rows = [[row[name] for name in names] for row in found]
    return names, sorted(
        str(["_" if isinstance(term, ox.BlankNode) else to_value(term) for term in row]) for row in rows
    )


def test_queries_of_a_graph_open_no_socket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a socket is opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    assert query(folder, "ASK { ?s ?p ?o }") == [{"boolean": True}]
    assert run_named(folder, "names-of", {"name": "LoRA"}).rows
