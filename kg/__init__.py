"""A knowledge graph of the methods, datasets, tasks and metrics in a pile of papers.

Examples
--------
>>> import kg
>>> graph = kg.build([kg.Paper(title="LoDA", abstract="We propose LoDA for continual learning.")])
>>> for relation in graph.relations:
...     print(relation.subject, relation.predicate, relation.object)
concept:loda usedFor concept:continual-learning
paper:loda-fee3dcab addressesTask concept:continual-learning
paper:loda-fee3dcab introduces concept:loda
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from kg.build import Options, Site, add, build, remove
from kg.errors import (
    ExportError,
    GraphError,
    InputError,
    KgError,
    ModelError,
    QueryError,
    QueryTimeoutError,
    ServeError,
    UnknownNameError,
    VocabularyError,
)
from kg.model import (
    Community,
    Concept,
    ConceptType,
    Direction,
    Evidence,
    KnowledgeGraph,
    Landscape,
    MatchKind,
    Mention,
    Paper,
    Passage,
    Predicate,
    Relation,
    Report,
    Result,
    ResultKind,
    Section,
    Skip,
    Term,
    Trend,
    Uptake,
    Vocabulary,
    VocabularyMatch,
)
from kg.query import query

if TYPE_CHECKING:
    from kg.folder import load, write
    from kg.landscape import survey
    from kg.network import to_network
    from kg.rdf import to_rdf

__all__ = [
    "Community",
    "Concept",
    "ConceptType",
    "Direction",
    "Evidence",
    "ExportError",
    "GraphError",
    "InputError",
    "KgError",
    "KnowledgeGraph",
    "Landscape",
    "MatchKind",
    "Mention",
    "ModelError",
    "Options",
    "Paper",
    "Passage",
    "Predicate",
    "QueryError",
    "QueryTimeoutError",
    "Relation",
    "Report",
    "Result",
    "ResultKind",
    "Section",
    "ServeError",
    "Site",
    "Skip",
    "Term",
    "Trend",
    "UnknownNameError",
    "Uptake",
    "Vocabulary",
    "VocabularyError",
    "VocabularyMatch",
    "add",
    "build",
    "load",
    "query",
    "remove",
    "survey",
    "to_network",
    "to_rdf",
    "write",
]

# Imported when they are asked for, so that `import kg` stays quick.
_LATER = {
    "load": "kg.folder",
    "survey": "kg.landscape",
    "to_network": "kg.network",
    "to_rdf": "kg.rdf",
    "write": "kg.folder",
}


def __getattr__(name: str) -> object:
    """Return a verb whose module imports a large library."""
    if name not in _LATER:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def _show(graph: KnowledgeGraph) -> str:
    """Return what a notebook shows of a graph."""
    shown: str = import_module("kg.view").to_notebook(graph)
    return shown


KnowledgeGraph._repr_html_ = _show  # type: ignore[attr-defined]
