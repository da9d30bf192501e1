"""Relations of papers to concepts, between concepts, and between papers that share telling concepts; results."""

from __future__ import annotations

from kg.link.claims import LEAST, find_told, link_claims
from kg.link.kinds import link_kinds
from kg.link.papers import link_concepts
from kg.link.related import link_papers
from kg.link.results import link_results
from kg.link.roles import find_introduced, imply_roles

__all__ = [
    "LEAST",
    "find_introduced",
    "find_told",
    "imply_roles",
    "link_claims",
    "link_concepts",
    "link_kinds",
    "link_papers",
    "link_results",
]
