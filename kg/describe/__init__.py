"""What a graph knows about a node, and about itself, as text for a person.

Lines are at most `WIDTH` wide, save for a word that is longer.
"""

from __future__ import annotations

from kg.describe.find import find_nodes, find_papers
from kg.describe.headings import IN, MATCHED, OF_CONCEPT, OF_PAPER, OUT
from kg.describe.landscape import to_statistics
from kg.describe.names import NameUse, find_names
from kg.describe.nodes import describe
from kg.describe.path import Path, Step, find_path, format_path
from kg.describe.related import RelatedPaper, SharedConcept, find_related, format_related
from kg.describe.summary import summarise
from kg.describe.text import WIDTH

__all__ = [
    "IN",
    "MATCHED",
    "OF_CONCEPT",
    "OF_PAPER",
    "OUT",
    "WIDTH",
    "NameUse",
    "Path",
    "RelatedPaper",
    "SharedConcept",
    "Step",
    "describe",
    "find_names",
    "find_nodes",
    "find_papers",
    "find_path",
    "find_related",
    "format_path",
    "format_related",
    "summarise",
    "to_statistics",
]
