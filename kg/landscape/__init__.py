"""What a pile of papers looks like as a whole.

Communities and centrality are found when a graph is built and kept with it; what is new, taken
up, rising and falling is counted when it is asked for.
"""

from __future__ import annotations

from kg.landscape.centrality import find_centrality
from kg.landscape.communities import find_communities
from kg.landscape.news import find_first_years, find_new, find_uptakes
from kg.landscape.survey import add_landscape, survey
from kg.landscape.trends import find_trends

__all__ = [
    "add_landscape",
    "find_centrality",
    "find_communities",
    "find_first_years",
    "find_new",
    "find_trends",
    "find_uptakes",
    "survey",
]
