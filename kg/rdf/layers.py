"""Some layers of a graph together, each node once, and with or without the texts of papers.

Without texts, what people wrote in abstracts is only referred to: an abstract's context has
``nif:contextStringRef`` in the place of ``nif:isString``, and a sentence has ``dcterms:source`` in
the place of ``nif:anchorOf``. Both lead to the paper's address, to its DOI where it has no
address, and to the paper itself where it has neither. Offsets stay, and so do titles and the
names that mentions read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from pyoxigraph import NamedNode, Triple

from kg.model import Section
from kg.rdf.shape import Layer, iter_nodes
from kg.rdf.terms import is_any, term
from kg.vocab import to_iri, to_part_iri

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kg.model import KnowledgeGraph, Paper

    Nodes = Iterator[list[Triple]]

__all__ = ["find_address", "iter_layers"]

_SHARED = ("nif:Context", "nif:Sentence")  # what several layers have
_IN_URL = ":/?#@!$&'()*+,;=~%"  # what stands in addresses beside letters, digits and "-._"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def iter_layers(kg: KnowledgeGraph, *, base: str, layers: Iterable[Layer], texts: bool = True) -> Nodes:
    """Yield the nodes of layers, each once, in the order of the layers.

    Parameters
    ----------
    texts : bool
        Whether abstracts and their sentences are in them, or only references to these.
    """
    nodes = _iter_once(kg, base=base, layers=[one for one in Layer if one in set(layers)])
    return nodes if texts else _refer(kg, nodes, base=base)


def find_address(paper: Paper, *, base: str) -> str:
    """Return an IRI where a paper can be read, or its own where none is known.

    Examples
    --------
    >>> from kg.model import Paper
    >>> find_address(Paper(id="7", doi="10.1000/a<b>"), base="https://example.org/")
    'https://doi.org/10.1000/a%3Cb%3E'
    """
    if paper.url.startswith(("https://", "http://")):
        return quote(_STRAY_PERCENT.sub("%25", paper.url), safe=_IN_URL, errors="replace")
    if paper.doi:
        return f"https://doi.org/{quote(paper.doi, safe='/:;()', errors='replace')}"
    return to_iri(paper.id, base=base)


def _iter_once(kg: KnowledgeGraph, *, base: str, layers: Collection[Layer]) -> Nodes:
    """Yield nodes; texts and sentences that several layers have come with the first."""
    seen: set[str] = set()
    for layer in layers:
        if layer in {Layer.CONCEPTS, Layer.STATEMENTS} and Layer.GRAPH in layers:
            continue
        for node in iter_nodes(kg, base=base, layer=layer):
            subject = str(node[0].subject)
            if subject in seen:
                continue
            if len(layers) > 1 and layer is not Layer.MENTIONS and is_any(node, *_SHARED):
                seen.add(subject)
            yield node


def _refer(kg: KnowledgeGraph, nodes: Nodes, *, base: str) -> Nodes:
    """Yield nodes with references for the texts of abstracts."""
    addresses: dict[str, NamedNode] = {}
    for paper in kg.papers.values():
        addresses[to_part_iri(paper.id, Section.ABSTRACT, base=base)] = NamedNode(find_address(paper, base=base))
    replaced = {term("nif:isString"): term("nif:contextStringRef"), term("nif:anchorOf"): term("dcterms:source")}
    for node in nodes:
        subject = node[0].subject
        iri = subject.value if isinstance(subject, NamedNode) else ""
        context = iri.rpartition("/sentence/")[0] or iri
        if is_any(node, *_SHARED) and context in addresses:
            address = addresses[context]
            yield [
                Triple(subject, replaced[one.predicate], address) if one.predicate in replaced else one for one in node
            ]
        else:
            yield [one for one in node if one.predicate != term("dcterms:abstract")]
