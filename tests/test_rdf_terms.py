"""Terms as strings read and write as pyoxigraph's do."""

from __future__ import annotations

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from kg.rdf.shorten import Shortener
from kg.rdf.terms import Node, describe, escape_separators, ref, to_clean, to_score, to_text, to_triples, to_uri
from kg.vocab import PREFIXES, to_iri

ANY_URI = PREFIXES["xsd"] + "anyURI"
BASE = "https://w3id.org/paperkg/"
SPACES = {"concept": f"{BASE}concept/", "paper": f"{BASE}paper/", "xsd": PREFIXES["xsd"], "base": "https://w3id.org/"}
TEXTS = st.text(max_size=30) | st.text(st.sampled_from(' "\\\t\n\r\x00\x7f\x85\u2028éß√𝔸\ufffe\ud800a'), max_size=12)


@given(TEXTS)
def test_a_text_is_written_as_pyoxigraph_writes_it(text: str) -> None:
    assert to_text(text) == escape_separators(str(ox.Literal(to_clean(text))))
    assert to_uri(text) == escape_separators(str(ox.Literal(to_clean(text), datatype=ox.NamedNode(ANY_URI))))


@given(st.sampled_from(["concept", "paper"]), st.text(min_size=1, max_size=12), st.sampled_from(["", "/a", "/b/1-2"]))
def test_an_iri_is_shortened_as_pyoxigraph_shortens_it(kind: str, name: str, part: str) -> None:
    iri = ox.NamedNode(to_iri(f"{kind}:{name}", base=BASE) + part)
    triple = ox.Triple(ox.NamedNode("x:x"), ox.NamedNode("x:x"), iri)
    whole = ox.serialize([triple], format=ox.RdfFormat.TURTLE, prefixes=SPACES) or b""

    assert whole.decode().endswith(f"<x:x> <x:x> {Shortener(SPACES).shorten(str(iri))} .\n")


@given(st.lists(st.tuples(st.sampled_from(["dcterms:title", "skos:altLabel"]), TEXTS), min_size=1))
def test_a_node_becomes_its_triples_each_once(facts: list[tuple[str, str]]) -> None:
    node = describe(ref("https://example.org/a"), [(name, to_text(text)) for name, text in facts])

    (triples,) = to_triples([node])

    assert [escape_separators(str(one.object)) for one in triples] == [value for _, value in node.facts]
    assert len(set(triples)) == len(triples) == len({(name, to_clean(text)) for name, text in facts})


def test_predicates_keep_their_order_and_objects_are_sorted() -> None:
    facts = [("skos:altLabel", '"b"'), ("kg:confidence", to_score(0.5)), ("skos:altLabel", '"a"')]

    assert describe("<x:x>", facts) == Node("<x:x>", [facts[2], facts[0], facts[1]])
