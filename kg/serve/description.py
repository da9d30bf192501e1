"""What the SPARQL endpoint says of itself.

References
----------
https://www.w3.org/TR/sparql11-service-description/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.query import Result, ResultKind
from kg.vocab import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph

__all__ = ["describe_service"]

_SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = (
    "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV",
    "Turtle", "N-Triples", "JSON-LD", "RDF_XML",
)  # fmt: skip


def describe_service(address: str, kg: KnowledgeGraph) -> Result:
    """Return the triples about the endpoint at an address."""
    triples = sorted(_iter_triples(address, kg), key=str)
    document = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""
    return Result(ResultKind.TRIPLES, document.decode("utf-8"))


def _iter_triples(address: str, kg: KnowledgeGraph) -> Iterator[ox.Triple]:
    """Yield the triples about a service, its dataset and the graph in it."""
    service, dataset, graph = (ox.NamedNode(address + part) for part in ("#service", "#dataset", "#graph"))
    kind = ox.NamedNode(PREFIXES["rdf"] + "type")
    for node, name in ((service, "Service"), (dataset, "Dataset"), (graph, "Graph")):
        yield ox.Triple(node, kind, ox.NamedNode(_SD + name))
    yield ox.Triple(service, ox.NamedNode(_SD + "endpoint"), ox.NamedNode(address))
    yield ox.Triple(service, ox.NamedNode(_SD + "supportedLanguage"), ox.NamedNode(_SD + "SPARQL11Query"))
    for name in _FORMATS:
        form = ox.NamedNode(f"http://www.w3.org/ns/formats/{name}")
        yield ox.Triple(service, ox.NamedNode(_SD + "resultFormat"), form)
    yield ox.Triple(service, ox.NamedNode(_SD + "defaultDataset"), dataset)
    yield ox.Triple(dataset, ox.NamedNode(_SD + "defaultGraph"), graph)
    title = f"{len(kg.papers):,} papers and {len(kg.concepts):,} concepts"
    yield ox.Triple(graph, ox.NamedNode(PREFIXES["dcterms"] + "title"), ox.Literal(title))
    for name in ("bibo", "cskg-ont", "fabio", "kg", "nif", "prov", "schema", "skos"):
        yield ox.Triple(graph, ox.NamedNode(PREFIXES["void"] + "vocabulary"), ox.NamedNode(PREFIXES[name]))
