"""A quick look at each node that tells which can't be said to conform to the shapes.

A SHACL engine in Python takes minutes for a graph of some hundred thousand triples, and nearly
all nodes of nearly all graphs conform. So each node is first tried against the constraints of
its shapes as plain functions. Those that fail one are left to the engine, which has the last word
and the words. A constraint that is not known here is taken to fail, so that nothing is passed
over; `make_screen` reads the shapes and knows the components that they use.

References
----------
.. [1] Shapes Constraint Language (SHACL), W3C Recommendation, 2017.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import NamedNode

from kg.check.constraints import NODE_CONSTRAINTS, VALUE_CONSTRAINTS, Focus, to_term
from kg.vocab import to_term as to_iri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import rdflib
    from pyoxigraph import Triple

    from kg.check.constraints import Test, TypesOf

    Screen: TypeAlias = Callable[[list[Triple]], bool]

__all__ = ["make_screen"]

_SH = "http://www.w3.org/ns/shacl#"
_TYPE = NamedNode(to_iri("rdf:type"))
_SAID = {"property", "targetClass", "targetSubjectsOf", "path", "message", "qualifiedMinCount", "qualifiedMaxCount"}


def make_screen(shapes: rdflib.Graph, types_of: TypesOf) -> Screen:
    """Return what tells whether a node, given as its triples, may breach its shapes.

    Parameters
    ----------
    shapes : rdflib.Graph
    types_of : callable
        The types of a node of the graph, which neighbours are looked up in.
    """
    from rdflib import RDF, SH, URIRef

    by_class: dict[NamedNode, list[Test]] = {}
    by_predicate: dict[NamedNode, list[Test]] = {}
    everywhere: list[Test] = []
    for shape in sorted(set(shapes.subjects(RDF.type, SH.NodeShape)), key=str):
        tests = [*_iter_tests(shapes, shape)]
        for kind in shapes.objects(shape, SH.targetClass):
            by_class.setdefault(NamedNode(str(kind)), []).extend(tests)
        for predicate in shapes.objects(shape, SH.targetSubjectsOf):
            by_predicate.setdefault(NamedNode(str(predicate)), []).extend(tests)
        if any((shape, URIRef(_SH + name), None) in shapes for name in ("targetNode", "targetObjectsOf", "target")):
            everywhere.append(_fail)

    def is_suspect(node: list[Triple]) -> bool:
        focus = Focus(node, types_of)
        tests = [*everywhere]
        for kind in focus.values.get(_TYPE, ()):
            tests += by_class.get(kind, ()) if isinstance(kind, NamedNode) else ()
        for predicate in focus.values:
            tests += by_predicate.get(predicate, ())
        return not all(test(focus) for test in dict.fromkeys(tests))

    return is_suspect


def _iter_tests(shapes: rdflib.Graph, shape: rdflib.term.Node) -> Iterator[Test]:
    """Yield the tests of a node shape, or of a property shape that stands in its place."""
    from rdflib import SH

    if (shape, SH.path, None) in shapes:
        yield from _iter_path_tests(shapes, shape)
        return
    for name, values in _group(shapes, shape).items():
        if name in {"or", "and", "xone", "not"}:
            yield from (_make_choice(shapes, name, value) for value in values)
        elif name in NODE_CONSTRAINTS:
            yield from (NODE_CONSTRAINTS[name](to_term(value)) for value in values)
        elif name not in _SAID:
            yield _fail
    for part in shapes.objects(shape, SH.property):
        yield from _iter_path_tests(shapes, part)


def _iter_path_tests(shapes: rdflib.Graph, shape: rdflib.term.Node) -> Iterator[Test]:
    """Yield the tests of a property shape, whose path must be a predicate."""
    from rdflib import SH, URIRef

    path = shapes.value(shape, SH.path)
    if not isinstance(path, URIRef):
        yield _fail
        return
    predicate = NamedNode(str(path))
    for name, values in _group(shapes, shape).items():
        if name == "or":
            yield from (_make_value_choice(shapes, predicate, value) for value in values)
        elif name == "in":
            yield from (VALUE_CONSTRAINTS["in"](predicate, _to_terms(shapes, value)) for value in values)
        elif name == "qualifiedValueShape":
            yield _make_count(shapes, shape, predicate)
        elif name in VALUE_CONSTRAINTS:
            yield from (VALUE_CONSTRAINTS[name](predicate, to_term(value)) for value in values)
        elif name not in _SAID:
            yield _fail


def _group(shapes: rdflib.Graph, shape: rdflib.term.Node) -> dict[str, list[rdflib.term.Node]]:
    """Return the parameters of a shape by local name."""
    grouped: dict[str, list[rdflib.term.Node]] = {}
    for predicate, value in sorted(shapes.predicate_objects(shape), key=str):
        if str(predicate).startswith(_SH):
            grouped.setdefault(str(predicate).removeprefix(_SH), []).append(value)
    return grouped


def _to_terms(shapes: rdflib.Graph, head: rdflib.term.Node) -> frozenset[object]:
    """Return the members of a list."""
    return frozenset(map(to_term, shapes.items(head)))


def _make_choice(shapes: rdflib.Graph, name: str, head: rdflib.term.Node) -> Test:
    """Return the test that one of several shapes is met; other ways to join shapes are not known."""
    if name != "or":
        return _fail
    choices = [[*_iter_tests(shapes, one)] for one in shapes.items(head)]
    return lambda focus: any(all(test(focus) for test in tests) for tests in choices)


def _make_value_choice(shapes: rdflib.Graph, predicate: NamedNode, head: rdflib.term.Node) -> Test:
    """Return the test that each value is of one of several classes; other choices are not known."""
    from rdflib import SH

    kinds: set[object] = set()
    for one in shapes.items(head):
        grouped = _group(shapes, one)
        if set(grouped) != {"class"}:
            return _fail
        kinds.update(map(to_term, shapes.objects(one, SH["class"])))
    return lambda focus: all(not kinds.isdisjoint(focus.types_of(one)) for one in focus.values.get(predicate, ()))


def _make_count(shapes: rdflib.Graph, shape: rdflib.term.Node, predicate: NamedNode) -> Test:
    """Return the test of how many values are in a list; other qualified shapes are not known."""
    from rdflib import SH

    inner = shapes.value(shape, SH.qualifiedValueShape)
    if inner is None or set(_group(shapes, inner)) != {"in"}:
        return _fail
    head = shapes.value(inner, SH["in"])
    known = _to_terms(shapes, head) if head else frozenset()
    least, most = (_to_number(shapes.value(shape, one)) for one in (SH.qualifiedMinCount, SH.qualifiedMaxCount))

    def test(focus: Focus) -> bool:
        count = sum(one in known for one in focus.values.get(predicate, ()))
        return (least is None or count >= least) and (most is None or count <= most)

    return test


def _to_number(value: rdflib.term.Node | None) -> int | None:
    """Return a count, or nothing where there is none."""
    return None if value is None else int(str(value))


def _fail(_: Focus) -> bool:
    """Fail, for what only the engine can tell."""
    return False
