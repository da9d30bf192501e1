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

from kg.model import Section
from kg.rdf.shape import Layer, iter_nodes
from kg.rdf.terms import Node, is_any, ref
from kg.vocab import to_iri, to_part_iri

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kg.model import KnowledgeGraph, Paper

    Nodes = Iterator[Node]

__all__ = ["find_address", "iter_layers"]

_SHARED = ("nif:Context", "nif:Sentence")  # what several layers have
_IN_URL = ":/?@!$&'()*+,;=~%"  # what stands in addresses beside letters, digits and "-._"
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
        page, mark, part = _STRAY_PERCENT.sub("%25", paper.url).partition("#")
        return quote(page, safe=_IN_URL, errors="replace") + mark + quote(part, safe=_IN_URL, errors="replace")
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
            subject = node.subject
            if subject in seen:
                continue
            if len(layers) > 1 and layer is not Layer.MENTIONS and is_any(node, *_SHARED):
                seen.add(subject)
            yield node


def _refer(kg: KnowledgeGraph, nodes: Nodes, *, base: str) -> Nodes:
    """Yield nodes with references for the texts of abstracts."""
    addresses: dict[str, str] = {}
    for paper in kg.papers.values():
        addresses[to_part_iri(paper.id, Section.ABSTRACT, base=base)] = ref(find_address(paper, base=base))
    replaced = {"nif:isString": "nif:contextStringRef", "nif:anchorOf": "dcterms:source"}
    for node in nodes:
        context = node.subject[1:-1].rpartition("/sentence/")[0] or node.subject[1:-1]
        if is_any(node, *_SHARED) and context in addresses:
            address = addresses[context]
            facts = [(replaced[name], address) if name in replaced else (name, value) for name, value in node.facts]
            yield Node(node.subject, facts)
        else:
            yield Node(node.subject, [fact for fact in node.facts if fact[0] != "dcterms:abstract"])
