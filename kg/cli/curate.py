"""Verbs that decide about names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kg.cli.common import GRAPH, Utf8, find_one, main
from kg.model import Decision, DecisionKind

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import KnowledgeGraph

_DRY = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
_COMMENT = click.option("--comment", default="", help="Why, for those who read the decisions later.")


@main.command()
@GRAPH
@click.argument("name", type=Utf8())
@click.argument("other", type=Utf8())
@_COMMENT
@_DRY
def merge(graph: Path, name: str, other: str, comment: str, dry_run: bool) -> None:
    """Make NAME and OTHER one concept, under OTHER's name and id.

    Example: kg merge exports/icml2026 codec "image codec" --dry-run
    """
    from kg.folder import load

    kg = load(graph)
    first, second = (find_one(kg, one, concept=True) for one in (name, other))
    subject, object_ = (_to_name(kg, one, node) for one, node in ((name, first), (other, second)))
    _decide(graph, kg, Decision(DecisionKind.SAME, subject, object_, comment), dry_run=dry_run)


@main.command()
@GRAPH
@click.argument("name", type=Utf8())
@_COMMENT
@_DRY
def split(graph: Path, name: str, comment: str, dry_run: bool) -> None:
    """Take NAME out of the concept that has it as an alternative name.

    Example: kg split exports/icml2026 LoRA --dry-run
    """
    from kg.folder import load

    kg = load(graph)
    label = kg.concepts[find_one(kg, name, concept=True)].label
    if label == name:
        raise click.UsageError(f"{name!r} is what the concept is called; give the other name, that is to leave it")
    _decide(graph, kg, Decision(DecisionKind.DIFFERENT, name, label, comment), dry_run=dry_run)


@main.command()
@GRAPH
@click.argument("name", type=Utf8())
@_COMMENT
@_DRY
def drop(graph: Path, name: str, comment: str, dry_run: bool) -> None:
    """Leave out the concept that NAME means; its mentions are kept apart, so that this can be undone.

    Example: kg drop exports/icml2026 "real-world" --dry-run
    """
    from kg.folder import load

    kg = load(graph)
    node = find_one(kg, name, concept=True)
    _decide(graph, kg, Decision(DecisionKind.DROP, _to_name(kg, name, node), "", comment), dry_run=dry_run)


@main.command()
@GRAPH
@click.option("--limit", default=20, show_default=True, help="How many pairs are shown.")
def suggest(graph: Path, limit: int) -> None:
    """List concepts that look alike and were not merged, likeliest first, with a sentence of each.

    Example: kg suggest exports/icml2026 --limit 5
    """
    from kg.curate import find_lookalikes, format_lookalikes
    from kg.folder import load

    kg = load(graph)
    click.echo(format_lookalikes(kg, find_lookalikes(kg)[:limit], str(graph)), nl=False)


def _decide(graph: Path, kg: KnowledgeGraph, decision: Decision, *, dry_run: bool) -> None:
    """Build the graph again with one decision more, say what changes, and write it."""
    from kg.curate import compare, decide
    from kg.folder import find_base, write

    new = decide(kg, decision)
    click.echo(compare(kg, new), nl=False)
    if not dry_run:
        write(new, graph, base=find_base(graph), workers=0)


def _to_name(kg: KnowledgeGraph, name: str, node: str) -> str:
    """Return what a decision calls a concept: as the user did if that is one of its names, else by its id."""
    concept = kg.concepts[node]
    return name if name in (concept.label, *concept.alt_labels) else node
