"""What a notebook shows of a graph: the page if it is small, else what is in it as a table."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from kg.model import ConceptType

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph

__all__ = ["to_notebook"]

_MOST_PAPERS = 60  # in a notebook; the page of more is megabytes in each saved output
_HEIGHT = 560
_ROWS = 12


def to_notebook(kg: KnowledgeGraph) -> str:
    """Return HTML that a notebook shows: the page in a frame, or of more than 60 papers a table."""
    from kg.view import to_html

    if 0 < len(kg.papers) <= _MOST_PAPERS:
        page = escape(to_html(kg), quote=True)
        style = f"width: 100%; height: {_HEIGHT}px; border: 1px solid #ccc"
        return f'<iframe title="Knowledge graph" srcdoc="{page}" style="{style}"></iframe>'
    counts = Counter(concept.type for concept in kg.concepts.values())
    kinds = ", ".join(f"{counts[kind]:,} {kind.lower()}s" for kind in ConceptType if counts[kind])
    shared = sorted(kg.concepts.values(), key=lambda one: (-one.papers, one.id))[:_ROWS]
    rows = "".join(f"<tr><td>{escape(one.label)}</td><td>{one.type}</td><td>{one.papers:,}</td></tr>" for one in shared)
    head = "<tr><th>concept</th><th>type</th><th>papers</th></tr>"
    return (
        f"<p><b>Knowledge graph</b> of {len(kg.papers):,} papers: {kinds or 'no concepts'}; "
        f"{len(kg.relations):,} relations. <code>kg.write(graph, folder)</code> makes the page.</p>"
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    )
