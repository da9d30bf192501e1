"""The verb that asks: SPARQL or a query with a name, of a graph folder or an endpoint."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.common import Utf8, main, to_folder

if TYPE_CHECKING:
    from typing import TextIO

    from kg.query import Result

_CHOSEN = {
    "name": "A concept, by any of its names or its id.",
    "paper": "A paper, by its id, its title or the start of it.",
    "other": "The other concept or paper.",
    "type": "Method, Dataset, Task or Metric.",
    "relation": "usedFor, partOf, comparedWith, evaluatedOn, trainedOn, benchmarkFor or broader.",
    "venue": "A conference or journal.",
    "year": "A year.",
    "text": "Part of a name.",
}


def _add_chosen(verb: click.Command) -> click.Command:
    """Give a verb an option for each parameter that a named query can have."""
    for name, text in _CHOSEN.items():
        verb.params.append(click.Option([f"--{name}"], help=f"For --named: {text}", type=Utf8()))
    return verb


def _show_list(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Print the queries that have a name, and end."""
    if not value:
        return
    from kg.query import list_named

    for one in list_named():
        click.echo(f"{one.usage}\n    {one.summary}. {one.description}")
    context.exit()


@_add_chosen
@main.command()
@click.argument("graph", required=False)
@click.argument("sparql", required=False, type=Utf8())
@click.option("--file", type=click.File(encoding="utf-8"), help="Read the query from a file, or - for standard input.")
@click.option("--named", metavar="QUERY", help="Ask a query that comes with kg; --list shows them.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_show_list, help="List them and exit."
)
@click.option("--endpoint", metavar="URL", help="Ask this SPARQL endpoint in place of a graph, over the network.")
@click.option(
    "--format", default="table", show_default=True,
    help="table, csv, tsv, json, xml; for triples also turtle, ntriples.",
)  # fmt: skip
@click.option("--timeout", default=30.0, show_default=True, help="Seconds after which the query is ended.")
@click.option("--limit", default=10_000, show_default=True, help="Rows after which the answer is cut.")
def query(graph: str | None, sparql: str | None, **options: Any) -> None:
    """Ask the graph in a folder a SPARQL query (- reads it from standard input), or one that has a name.

    Example: kg query exports/icml2026 --named papers-using --name MLLM
    """
    from kg.query import format_result

    if options["endpoint"] and sparql is None:
        graph, sparql = None, graph
    text = _read_query(sparql, options["file"], named=options["named"])
    values = {name: options[name] for name in _CHOSEN if options[name] is not None}
    if values and text:
        raise click.UsageError(f"--{next(iter(values))} is for --named")
    result = _ask(graph, text, values, **options)
    click.echo(format_result(result, options["format"]), nl=False)
    if result.truncated:
        click.echo(f"kg: cut after {options['limit']} rows; --limit gives more", err=True)
    sys.exit(1 if result.boolean is False else 0)


def _read_query(sparql: str | None, file: TextIO | None, *, named: str | None) -> str:
    """Return the text of the query that is given in one of three ways; nothing for a named one."""
    if (sparql is not None) + (file is not None) + (named is not None) != 1:
        raise click.UsageError("give a query, or --file FILE, or --named QUERY, and one of them only")
    if sparql == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    return file.read() if file else sparql or ""


def _ask(graph: str | None, sparql: str, values: dict[str, str], **options: Any) -> Result:
    """Return the answer of a graph folder or an endpoint."""
    from kg.query import Endpoint, QueryWorker, run_named

    limits = {"timeout": options["timeout"], "limit": options["limit"]}
    if not options["endpoint"] and graph is None:
        raise click.UsageError("name a graph folder, or an --endpoint")
    if options["endpoint"] and graph:
        raise click.UsageError("name a graph folder or an --endpoint, not both")
    with ExitStack() as stack:
        if options["endpoint"]:
            source: Endpoint | QueryWorker = Endpoint(options["endpoint"])
        else:
            source = stack.enter_context(QueryWorker(_to_ready_folder(Path(graph or ""))))
        if options["named"]:
            return run_named(source, options["named"], values, **limits)
        return source.run(sparql, **limits)


def _to_ready_folder(graph: Path) -> Path:
    """Return a graph folder that exists, and say on a terminal if its first query takes a while."""
    from kg.query.cache import is_due

    folder = to_folder(graph)
    if sys.stderr.isatty() and is_due(folder / "graph.ttl"):
        click.echo("kg: reading the graph for the first query; the next ones start at once", err=True)
    return folder
