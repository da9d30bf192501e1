"""Verbs that add papers to a graph and remove them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kg.cli.common import GRAPH, Utf8, find_paper, hold_for_build, main, to_bar, to_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kg.model import KnowledgeGraph

_DRY = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
_WORKERS = click.option(
    "--workers", type=click.IntRange(0), default=0,
    help="Processes that extract and write.  [default: as many as there are cores, for more than some hundred papers]",
)  # fmt: skip
_MODEL = click.option("--model", help="spaCy pipeline to extract with.  [default: ours]")


@main.command()
@GRAPH
@click.argument("papers", nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Make a record that can't be kept an error.")
@_WORKERS
@_MODEL
@_DRY
def add(graph: Path, papers: tuple[str, ...], strict: bool, workers: int, model: str | None, dry_run: bool) -> None:
    """Add PAPERS to a graph: files, folders, URIs of these, or - for standard input. Only new texts are read.

    The graph is then as if all papers had been built at once, with the same decisions and vocabularies.

    Example: kg add exports/icml2026 new.bib --dry-run
    """
    from kg.build import Options
    from kg.build import add as run

    options = Options(strict=strict, workers=workers)
    _change(
        graph,
        lambda kg, site: run(kg, list(papers), model=model, options=options, site=site),
        workers=workers,
        dry_run=dry_run,
    )


@main.command()
@GRAPH
@click.argument("papers", nargs=-1, type=Utf8())
@click.option("--from", "listed", type=click.File(encoding="utf-8"), help="File with a paper a line, or -.")
@_WORKERS
@_MODEL
@_DRY
def remove(graph: Path, papers: tuple[str, ...], listed: Any, workers: int, model: str | None, dry_run: bool) -> None:
    """Remove PAPERS from a graph, each by its id, DOI or title. What only they named goes with them.

    Example: kg remove exports/icml2026 paper:icml2026-01 --dry-run
    """
    from kg.build import Options
    from kg.build import remove as run

    names = [*papers, *(line.strip() for line in listed or () if line.strip())]
    if not names:
        raise click.UsageError("name a paper, or a file with --from")
    options = Options(workers=workers)
    _change(
        graph,
        lambda kg, site: run(kg, {find_paper(kg, one) for one in names}, model=model, options=options, site=site),
        workers=workers,
        dry_run=dry_run,
    )


def _change(
    graph: Path, change: Callable[[KnowledgeGraph, Any], KnowledgeGraph], *, workers: int, dry_run: bool
) -> None:
    """Change a graph, and say what is different; write it if asked."""
    from kg.build import Site
    from kg.curate import compare
    from kg.folder import find_base, load, load_papers, write

    base = find_base(to_folder(graph))
    with hold_for_build(graph) as work:
        old = load(graph) if dry_run else load_papers(graph)
        new = change(old, Site(work, progress=to_bar("papers read")))
        click.echo(f"papers: {len(old.papers):,} -> {len(new.papers):,}")
        if dry_run:
            click.echo(compare(old, new), nl=False)
        else:
            write(new, graph, base=base, workers=workers)
