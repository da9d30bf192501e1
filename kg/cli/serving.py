"""The verb that serves a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kg.cli.common import GRAPH, main, to_folder

if TYPE_CHECKING:
    from pathlib import Path


@main.command()
@GRAPH
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address; others open the graph to the network.")
@click.option("--cors", "origins", multiple=True, metavar="ORIGIN", help="Let pages of this origin read; * is all.")
@click.option("--timeout", default=30.0, show_default=True, help="Seconds after which a query is ended.")
@click.option("--limit", default=10_000, show_default=True, help="Rows after which an answer is cut.")
def serve(graph: Path, port: int, host: str, origins: tuple[str, ...], timeout: float, limit: int) -> None:
    """Serve a graph on this machine: SPARQL at /sparql, and pages for a browser. Ctrl-C ends it.

    Example: kg serve exports/icml2026 --port 8080
    """
    from kg.serve import Options
    from kg.serve import serve as run

    def announce(address: str) -> None:
        click.echo(f"serving {graph} at {address} (Ctrl-C ends it)", err=True)

    run(to_folder(graph), host=host, port=port, options=Options(origins, timeout, limit), announce=announce)
