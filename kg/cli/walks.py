"""Verbs that follow relations: to the papers near a paper, and from one node to another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from kg.cli.common import GRAPH, Utf8, find_one, find_paper, main

if TYPE_CHECKING:
    from pathlib import Path

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@main.command()
@GRAPH
@click.argument("paper", type=Utf8())
@click.option("--limit", default=10, show_default=True, type=click.IntRange(min=1), help="How many papers are shown.")
@_JSON
def related(graph: Path, paper: str, limit: int, as_json: bool) -> None:
    """List the papers to read together with PAPER, nearest first, and the sentences that join them.

    PAPER is an id, a title, the start of one, or a name that it introduces. Papers are joined
    where they share more than chance would have them share; the score is the share of what the
    two are about that they have in common.

    Example: kg related exports/icml2026 "FakeWorld 1.0"
    """
    from kg.describe import find_related, format_related
    from kg.folder import load

    kg = load(graph)
    node = find_paper(kg, paper)
    found = find_related(kg, node, limit=limit)
    if found or as_json:
        click.echo(format_related(kg, node, found, as_json=as_json), nl=False)
    else:
        click.echo(f"kg: no paper shares more with {kg.papers[node].label!r} than chance would have it", err=True)
    sys.exit(0 if found else 1)


@main.command()
@GRAPH
@click.argument("name", type=Utf8())
@click.argument("other", type=Utf8())
@_JSON
def path(graph: Path, name: str, other: str, as_json: bool) -> None:
    """Show how NAME and OTHER hang together, two papers or concepts, and the sentence behind each step.

    Of all paths it is the most telling: sure relations, and no names that everybody mentions.

    Example: kg path exports/icml2026 "FakeWorld 1.0" "4DPC²hat-200K"
    """
    from kg.describe import find_path, format_path
    from kg.folder import load

    kg = load(graph)
    found = find_path(kg, find_one(kg, name), find_one(kg, other))
    if found is None:
        click.echo(f"kg: nothing in the graph joins {name!r} and {other!r}", err=True)
        sys.exit(1)
    click.echo(format_path(kg, found, as_json=as_json), nl=False)
