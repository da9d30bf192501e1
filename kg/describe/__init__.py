"""What a graph knows about a node, and about itself, as text for a person.

Lines are at most `WIDTH` wide, save for a word that is longer.
"""

from __future__ import annotations

from kg.describe.find import find_nodes
from kg.describe.landscape import to_statistics
from kg.describe.nodes import describe
from kg.describe.summary import summarise
from kg.describe.text import WIDTH

__all__ = ["WIDTH", "describe", "find_nodes", "summarise", "to_statistics"]
