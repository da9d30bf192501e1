"""RDF: what a graph says as triples, and the formats that they are written in.

`iter_triples` is the one source; all formats hold the triples that it yields. They are
plain RDF 1.1 without blank nodes. Literals are plain, also labels and titles: nobody has
said which language they are in. A year is an ``xsd:integer``, and so is a count; scores are
``xsd:decimal``. Characters that XML can't hold are U+FFFD in all formats, so that offsets
still count right.

Two layers go to two files. ``Layer.GRAPH`` has concepts, papers, relations, and the
sentences that speak for them. ``Layer.MENTIONS`` has every mention with its offsets, and the
texts that these count in; it may be large, and nothing else depends on it. The first can be had
in two halves: ``Layer.CONCEPTS`` has concepts, papers and direct relations, ``Layer.STATEMENTS``
the statements about relations, their sentences and the run.
"""

from __future__ import annotations

from kg.rdf.description import write_description
from kg.rdf.layers import iter_layers
from kg.rdf.shape import Layer, iter_triples
from kg.rdf.thesaurus import write_thesaurus
from kg.rdf.write import RDF_FORMATS, to_rdf, to_rdflib, write_mentions_nt, write_rdf, write_turtle

__all__ = [
    "RDF_FORMATS",
    "Layer",
    "iter_layers",
    "iter_triples",
    "to_rdf",
    "to_rdflib",
    "write_description",
    "write_mentions_nt",
    "write_rdf",
    "write_thesaurus",
    "write_turtle",
]
