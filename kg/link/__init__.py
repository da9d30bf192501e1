"""Relations: of papers to concepts, of concepts to wider ones, and between papers that share telling concepts."""

from __future__ import annotations

from kg.link.kinds import find_told_kinds, link_kinds
from kg.link.papers import link_concepts
from kg.link.related import link_papers

__all__ = ["find_told_kinds", "link_concepts", "link_kinds", "link_papers"]
