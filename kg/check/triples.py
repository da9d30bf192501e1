"""What ``graph.ttl`` says, which must conform to the shapes and to the conditions of SKOS.

The shapes look at a node and the types of its neighbours only. So nodes are tried one by one, and
those that may breach a shape go to a SHACL engine in parts, with the types of their neighbours;
the answer is that of the engine on the whole.

References
----------
.. [1] SKOS Reference, W3C Recommendation, 2009. S13, S14 and S27 are its numbers.
.. [2] Shapes Constraint Language (SHACL), W3C Recommendation, 2017.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, NamedNode, QuerySolutions, RdfFormat, Store, Triple, parse

from kg.check.finding import MOST, Finding, limit
from kg.check.screen import make_screen
from kg.rdf import to_rdflib
from kg.vocab import find_ontology, to_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import rdflib

__all__ = ["check_triples", "read_triples"]

_FILE = "graph.ttl"
_PART = 20_000  # triples that the engine checks at a time
_TYPE = NamedNode(to_term("rdf:type"))
_ABOVE = "skos:broader|skos:broaderTransitive|^skos:narrower|^skos:narrowerTransitive"

# Each selects ?x, the node at fault, and ?y, what is wrong with it.
_SKOS_QUERIES = {
    "S13: one text is two kinds of label": """
        VALUES (?p ?q) { (skos:prefLabel skos:altLabel) (skos:prefLabel skos:hiddenLabel)
                         (skos:altLabel skos:hiddenLabel) }
        ?x ?p ?y ; ?q ?z . FILTER (STR(?y) = STR(?z) && LCASE(LANG(?y)) = LCASE(LANG(?z)))""",
    "S14: two preferred labels in one language": """
        ?x skos:prefLabel ?y, ?z . FILTER (LCASE(LANG(?y)) = LCASE(LANG(?z)) && STR(?y) < STR(?z))""",
    "S27: related to what is above or below it": f"""
        ?x skos:related|^skos:related ?y . ?x ({_ABOVE})+ ?y .""",
    "two concepts of one type have one preferred label": """
        ?x skos:prefLabel ?label ; skos:inScheme ?scheme ; a ?type . FILTER (?type NOT IN (skos:Concept))
        ?y skos:prefLabel ?label ; skos:inScheme ?scheme ; a ?type . FILTER (STR(?x) < STR(?y))""",
    "a circle of broader concepts": f"""
        ?x ({_ABOVE})+ ?x . BIND (?x AS ?y)""",
}


def read_triples(folder: Path) -> tuple[Store | None, list[Finding]]:
    """Return what ``graph.ttl`` holds, or why it can't be read."""
    store = Store()
    try:
        store.bulk_load(path=str(folder / _FILE), format=RdfFormat.TURTLE)
    except (OSError, ValueError, SyntaxError) as error:
        return None, [Finding(_FILE, f"can't be read: {error}")]
    return store, []


def check_triples(store: Store, folder: Path) -> list[Finding]:
    """Return what is wrong with the triples of ``graph.ttl``."""
    return [
        *limit(_find_blank_nodes(store), _FILE, "blank nodes"),
        *limit(_find_skos_faults(store), _FILE, "SKOS"),
        *limit(_find_missing_edges(store), _FILE, "statements"),
        *_find_shape_faults(store, folder / _FILE),
    ]


def _find_blank_nodes(store: Store) -> Iterator[Finding]:
    """Yield nodes that nothing outside of the file can name."""
    for quad in store:
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            yield Finding(_FILE, f"has a blank node: {quad.triple}")


def _find_skos_faults(store: Store) -> Iterator[Finding]:
    """Yield breaches of the conditions of SKOS."""
    for name, pattern in _SKOS_QUERIES.items():
        for x, y in _select(store, f"SELECT DISTINCT ?x ?y {{ {pattern} }} ORDER BY ?x ?y LIMIT {MOST + 1}"):
            yield Finding(_FILE, f"{name}: {x} {y}")


def _find_missing_edges(store: Store) -> Iterator[Finding]:
    """Yield statements whose direct triple is not there."""
    pattern = "?s rdf:subject ?x ; rdf:predicate ?p ; rdf:object ?y . FILTER NOT EXISTS { ?x ?p ?y }"
    for (statement,) in _select(store, f"SELECT ?s {{ {pattern} }} ORDER BY ?s LIMIT {MOST + 1}"):
        yield Finding(_FILE, f"{statement} says what no triple of the graph does")


def _select(store: Store, query: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a query as text."""
    prefixes = {name: to_term(f"{name}:") for name in ("rdf", "skos")}
    solutions = store.query(query, prefixes=prefixes)
    if isinstance(solutions, QuerySolutions):
        yield from (tuple(str(value) for value in row) for row in solutions)


def _find_shape_faults(store: Store, path: Path) -> list[Finding]:
    """Return breaches of the shapes, from the part on where there are too many, no more."""
    import rdflib

    shapes = rdflib.Graph().parse(find_ontology() / "shapes.ttl", format="turtle")
    is_suspect = make_screen(shapes, _make_types_of(store))
    suspects = (node for node in _iter_nodes(path) if is_suspect(node))
    findings: list[Finding] = []
    for part in _iter_parts(suspects):
        findings += _check_part(store, part, shapes)
        if len(findings) > MOST:
            break
    return limit(findings, _FILE, "shapes")


def _make_types_of(store: Store) -> Callable[[object], frozenset[object]]:
    """Return what looks up the types of a node."""

    @lru_cache(200_000)
    def types_of(node: object) -> frozenset[object]:
        if not isinstance(node, NamedNode | BlankNode):
            return frozenset()
        return frozenset(quad.object for quad in store.quads_for_pattern(node, _TYPE, None))

    return types_of


def _iter_nodes(path: Path) -> Iterator[list[Triple]]:
    """Yield the triples of each node.

    They are from the file, since a store knows one datatype of whole numbers only. Nodes that
    do not stand in one place of it come last.
    """
    scattered = _find_scattered(path)
    apart: dict[object, list[Triple]] = {}
    for subject, quads in groupby(parse(path=path, format=RdfFormat.TURTLE), key=attrgetter("subject")):
        node = [quad.triple for quad in quads]
        if subject in scattered:
            apart.setdefault(subject, []).extend(node)
        else:
            yield node
    yield from apart.values()


def _iter_parts(nodes: Iterable[list[Triple]]) -> Iterator[list[Triple]]:
    """Yield the triples of some nodes at a time."""
    part: list[Triple] = []
    for node in nodes:
        part += node
        if len(part) >= _PART:
            yield part
            part = []
    if part:
        yield part


def _find_scattered(path: Path) -> set[object]:
    """Return the nodes whose triples do not stand in one place of the file."""
    seen: set[object] = set()
    scattered: set[object] = set()
    for subject, _ in groupby(parse(path=path, format=RdfFormat.TURTLE), key=attrgetter("subject")):
        (scattered if subject in seen else seen).add(subject)
    return scattered


def _check_part(store: Store, part: list[Triple], shapes: rdflib.Graph) -> list[Finding]:
    """Return breaches of the shapes by the subjects of some triples."""
    import pyshacl
    from rdflib import SH, Graph

    graph = to_rdflib([*part, *_iter_neighbour_types(store, part)])
    aimed = Graph() + shapes
    _aim(aimed, to_rdflib(one for one in part if one.predicate == _TYPE))
    conforms, report, _ = pyshacl.validate(graph, shacl_graph=aimed, inplace=True)
    if conforms:
        return []
    return [
        Finding(_FILE, _describe_result(report, result))
        for result in sorted(report.objects(None, SH.result), key=lambda one: _describe_result(report, one))
    ]


def _iter_neighbour_types(store: Store, part: list[Triple]) -> Iterator[Triple]:
    """Yield the types of the objects of some triples."""
    for neighbour in {one.object for one in part if isinstance(one.object, NamedNode)}:
        for quad in store.quads_for_pattern(neighbour, _TYPE, None):
            yield quad.triple


def _aim(shapes: rdflib.Graph, types: rdflib.Graph) -> None:
    """Aim shapes at the nodes of their classes one by one, so that they miss neighbours."""
    from rdflib import RDF, SH

    for shape, kind in list(shapes.subject_objects(SH.targetClass)):
        shapes.remove((shape, SH.targetClass, kind))
        for node in types.subjects(RDF.type, kind):
            shapes.add((shape, SH.targetNode, node))


def _describe_result(report: rdflib.Graph, result: rdflib.term.Node) -> str:
    """Return what a result of the validation says in one line."""
    from rdflib import SH

    node, path, message = (report.value(result, one) for one in (SH.focusNode, SH.resultPath, SH.resultMessage))
    return " ".join(f"breaks its shape: {node} {path or ''} {message}".split())
