"""The graph as NetworkX shows it, and the files that other graph programs read.

Nodes are papers and concepts by id; an edge is a relation, and its key is the predicate. What
is not known is absent: no attribute is ever ``None``.

A paper has ``kind`` ("Paper"), ``label``, and where known ``title``, ``abstract``, ``year``,
``venue``, ``authors``, ``doi``, ``url`` and ``keywords``. A concept has ``kind`` ("Concept"),
``type``, ``label``, ``alt_labels`` and ``papers`` (how many), and, where terms of vocabularies
match it, ``exact_match`` and ``close_match`` (their IRIs). A concept has the year of the first
paper about it as ``first_year`` where a paper has one, and ``centrality`` where others stand
around it. Nodes that are in a community have its number and name, ``community`` and
``community_name``. An edge has ``score``,
``evidence`` (a list of ``{paper, section, sentence, start, end, method}``) and, between papers,
``via`` (the concepts that join them).

The network has ``results``, where papers report some: a list of dicts with the fields of
`kg.Result`, the ``sentence``, and the ``start`` and ``end`` of the number in it.

GraphML and GEXF know no lists. In both, lists are joined by " | ", ``evidence`` is the first
sentence and ``support`` the number of papers that speak for the edge (see `kg.network.flat`);
results are left out.
Without texts, abstracts are left out, and so are sentences of abstracts: node-link JSON says where
in the abstract they are, by ``offset`` and ``length``. GraphML has the predicate
in ``key``, GEXF in ``networkx_key`` and ``label``; NetworkX reads either as the edge's key. GEXF
keeps ``type`` for itself, so there it is ``concept_type``. Characters that XML 1.0 forbids become
U+FFFD, as in the RDF formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.network.attributes import Attributes, graph_attributes, iter_edges, iter_nodes, iter_results
from kg.network.cytoscape import write_cytoscape
from kg.network.flat import EDGE_TYPES, Flat, find_node_types, iter_flat_edges, iter_flat_nodes, iter_plain_edges
from kg.network.node_link import write_json
from kg.network.vosviewer import write_vosviewer
from kg.network.xml_files import write_gexf, write_graphml

if TYPE_CHECKING:
    import networkx as nx

    from kg.model import KnowledgeGraph

__all__ = [
    "EDGE_TYPES",
    "Attributes",
    "Flat",
    "find_node_types",
    "iter_edges",
    "iter_flat_edges",
    "iter_flat_nodes",
    "iter_nodes",
    "iter_plain_edges",
    "to_network",
    "write_cytoscape",
    "write_gexf",
    "write_graphml",
    "write_json",
    "write_vosviewer",
]


def to_network(kg: KnowledgeGraph) -> nx.MultiDiGraph:
    """Return the graph with papers and concepts as nodes and relations as edges.

    Returns
    -------
    networkx.MultiDiGraph
        Edge keys are predicates. Attributes are as the module says; those of the graph are
        the program, how many papers, concepts and relations there are, and the results.

    Raises
    ------
    GraphError
        If a relation is in the graph twice.
    """
    import networkx as nx

    network = nx.MultiDiGraph(**graph_attributes(kg))
    if kg.results:
        network.graph["results"] = list(iter_results(kg))
    network.add_nodes_from(iter_nodes(kg))
    for subject, object_, predicate, attributes in iter_edges(kg):
        if network.has_edge(subject, object_, predicate):
            raise GraphError(f"{subject} {predicate} {object_} is in the graph twice")
        network.add_edge(subject, object_, predicate, **attributes)
    return network
