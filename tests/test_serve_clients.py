"""Standard clients of SPARQL, curl, and the command itself."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import rdflib
from click.testing import CliRunner

from kg.cli import main
from kg.folder import write

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph
    from tests.served import Served

NAMES = "SELECT ?name { ?c a kg:Dataset ; skos:prefLabel ?name }"
PREFIXES = "PREFIX kg: <https://w3id.org/paperkg/ontology#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#> "


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("form", ["json", "xml"])
def test_sparqlwrapper_reads_rows(served: Served, method: str, form: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="SPARQLWrapper is not installed")
    client = wrapper.SPARQLWrapper(served.address + "sparql", returnFormat=form)
    client.setMethod(method)
    client.setQuery(PREFIXES + NAMES)

    answer = client.query().convert()

    if form == "json":
        assert answer["results"]["bindings"][0]["name"]["value"] == "ImageNet"
    else:
        assert "ImageNet" in answer.toxml()


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
@pytest.mark.parametrize("direct", [False, True])
def test_sparqlwrapper_posts_and_reads_triples(served: Served, direct: bool) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="SPARQLWrapper is not installed")
    client = wrapper.SPARQLWrapper(served.address + "sparql")
    client.setMethod("POST")
    if direct:
        client.setRequestMethod(wrapper.POSTDIRECTLY)
    client.setQuery(PREFIXES + "CONSTRUCT { ?c skos:prefLabel ?l } WHERE { ?c skos:prefLabel ?l }")

    assert len(client.query().convert()) == 5


def test_sparqlwrapper_hears_what_is_wrong(served: Served) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="SPARQLWrapper is not installed")
    client = wrapper.SPARQLWrapper(served.address + "sparql")
    client.setQuery("SELECT ?x {")

    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed, match="does not parse"):
        client.query()


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_a_graph_of_rdflib_stands_for_the_endpoint(served: Served, method: str) -> None:
    from rdflib.plugins.stores.sparqlstore import SPARQLStore

    graph = rdflib.Graph(SPARQLStore(served.address + "sparql", method=method))
    concept = rdflib.URIRef("https://w3id.org/paperkg/concept/loda")

    assert [list(row.values()) for row in graph.query(PREFIXES + NAMES).bindings] == [[rdflib.Literal("ImageNet")]]
    assert graph.value(concept, rdflib.SKOS.prefLabel) == rdflib.Literal("LoDA")
    assert len(list(graph.triples((None, rdflib.SKOS.prefLabel, None)))) == 5
    assert graph.query("ASK { ?s ?p ?o }").askAnswer


def test_rdflib_reads_what_a_node_is(served: Served) -> None:
    graph = rdflib.Graph().parse(served.address + "concept/loda")

    assert rdflib.Literal("LoDA") in set(graph.objects(predicate=rdflib.SKOS.prefLabel))


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_asks_as_one_types_it(served: Served) -> None:
    def curl(*arguments: str) -> str:
        command = ["curl", "-sS", "--fail", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    endpoint, query = served.address + "sparql", ("--data-urlencode", f"query={NAMES}")
    assert json.loads(curl(endpoint, *query))["head"] == {"vars": ["name"]}
    assert curl("-G", endpoint, "-H", "Accept: text/csv", *query).split() == ["name", "ImageNet"]
    assert "LoDA" in curl(served.address + "concept/loda.ttl")


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the command, on a port that is free."""
    command = [sys.executable, "-m", "kg", "serve", str(folder), "--port", "0", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_says_where_it_is_and_ends_when_told_to(
    small_graph: KnowledgeGraph, tmp_path: Path, number: signal.Signals
) -> None:
    import urllib.request

    write(small_graph, tmp_path / "graph")
    process = start(tmp_path / "graph")
    assert process.stderr
    line = process.stderr.readline()
    address = next(word for word in line.split() if word.startswith("http://127.0.0.1:"))
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, timeout=5) as reply:
                assert reply.status == 200
            break
        except ConnectionError:
            continue

    process.send_signal(number)
    out, error = process.communicate(timeout=10)

    assert (out, error) == ("", "")
    assert process.returncode == (0 if number is signal.SIGINT else -signal.SIGTERM)


def test_a_port_that_is_taken_is_one_line_and_status_2(served: Served) -> None:
    port = served.address.rpartition(":")[2].strip("/")

    result = CliRunner().invoke(main, ["serve", str(served.folder), "--port", port])

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert f"port {port}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "no graph folder"),
        (["GRAPH", "--cors", "example.org"], "'example.org'"),
        (["GRAPH", "--host", "no.such.host.invalid", "--port", "0"], "no.such.host.invalid"),
        (["GRAPH", "--timeout", "0"], "above 0"),
    ],
)
def test_what_can_not_be_served_is_one_line_and_status_2(served: Served, arguments: list[str], words: str) -> None:
    given = [str(served.folder) if one == "GRAPH" else one for one in arguments]

    result = CliRunner().invoke(main, ["serve", *given])

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
