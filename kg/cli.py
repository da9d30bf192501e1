"""The command line: one verb, one public function."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.errors import GraphError, KgError
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from kg.model import KnowledgeGraph

__all__ = ["main"]

_GRAPH = click.argument("graph", type=click.Path(path_type=Path))


def _to_text(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Return an argument as UTF-8 whatever the locale; in the C locale its bytes come as surrogates."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if value else value


class _Group(click.Group):
    """A group whose verbs end with one line and status 2 when they can't run."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a verb."""
        try:
            return super().invoke(ctx)
        except KgError as error:
            click.echo(f"kg: {error}", err=True)
            sys.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paperkg", prog_name="kg")
def main() -> None:
    """Make a knowledge graph of papers: methods, datasets, tasks, metrics, and the sentence behind every edge."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what we print is UTF-8 whatever the locale
            stream.reconfigure(encoding="utf-8", errors="replace")


@main.command()
@click.argument("papers", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), help="Folder to write.  [default: exports/NAME]")
@click.option("--base", default=BASE, show_default=True, help="What the IRIs of papers and concepts begin with.")
@click.option("--strict", is_flag=True, help="Make a record that can't be kept an error.")
@click.option("--model", help="spaCy pipeline to extract with, such as kg train makes.  [default: ours]")
def build(papers: tuple[str, ...], out: Path | None, base: str, strict: bool, model: str | None) -> None:
    """Build the graph of PAPERS: files, folders, or - for standard input.

    Example: kg build seeds/icml2026.jsonl --out exports/icml2026
    """
    from kg.build import build as run
    from kg.folder import write
    from kg.hints import suggest_next

    out = out or Path("exports") / (Path(papers[0]).name.partition(".")[0].strip("-") or "papers")
    graph = run(list(papers), model=model, strict=strict, progress=_to_progress("papers"))
    write(graph, out, base=base)
    click.echo(suggest_next(graph, out, program=_name_program()), err=True)


@main.command()
@_GRAPH
@click.argument("sparql", required=False, callback=_to_text)
@click.option("--file", type=click.File(encoding="utf-8"), help="Read the query from a file, or - for standard input.")
@click.option(
    "--format", default="table", show_default=True, help="table, csv, tsv, json, xml; for triples also turtle."
)
@click.option("--timeout", default=30.0, show_default=True, help="Seconds after which the query is ended.")
@click.option("--limit", default=10_000, show_default=True, help="Rows after which the answer is cut.")
def query(graph: Path, sparql: str | None, file: TextIO | None, format: str, timeout: float, limit: int) -> None:
    """Ask the graph in a folder a SPARQL query.

    Example: kg query exports/icml2026 "SELECT ?name { ?c a kg:Dataset ; skos:prefLabel ?name }"
    """
    from kg.query import format_result, run_query

    text = file.read() if file else sparql
    if text is None or (file and sparql):
        raise click.UsageError("give a query, or --file FILE")
    result = run_query(_folder(graph), text, timeout=timeout, limit=limit)
    click.echo(format_result(result, format), nl=False)
    if result.truncated:
        click.echo(f"kg: cut after {limit} rows; --limit gives more", err=True)
    sys.exit(1 if result.boolean is False else 0)


@main.command()
@_GRAPH
@click.argument("name", required=False, callback=_to_text)
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: graph.html in the folder]")
def view(graph: Path, name: str | None, out: Path | None) -> None:
    """Write the page of a graph, opened on the paper or concept NAME, and print where it is.

    Example: kg view exports/icml2026 LoRA --out lora.html
    """
    from kg.folder import load
    from kg.view import write_page

    if name is None and out is None:
        page = _folder(graph) / "graph.html"
    else:
        kg = load(graph)
        focus = _find(kg, name) if name else None
        page = out or Path(f"{_local(focus or 'graph')}.html")
        write_page(kg, page, focus=focus)
    click.echo(page)


@main.command()
@_GRAPH
@click.argument("name", callback=_to_text)
def show(graph: Path, name: str) -> None:
    """Show a paper or concept: its names, its relations, and the sentence behind each.

    Example: kg show exports/icml2026 LoRA
    """
    from kg.describe import describe
    from kg.folder import load

    kg = load(graph)
    click.echo(describe(kg, _find(kg, name)))


@main.command()
@_GRAPH
def stats(graph: Path) -> None:
    """Count what is in a graph, and list what papers share and introduce.

    Example: kg stats exports/icml2026
    """
    from kg.describe import summarise
    from kg.folder import load

    click.echo(summarise(load(graph)))


@main.command()
@_GRAPH
@click.option("--format", required=True, help="turtle, ntriples, jsonld, rdfxml, trig, graphml, gexf, json or csv.")
@click.option(
    "--out", default="-", show_default=True, help="File to write (a folder for csv), or - for standard output."
)
@click.option("--base", default=BASE, show_default=True, help="What the IRIs of papers and concepts begin with.")
def export(graph: Path, format: str, out: str, base: str) -> None:
    """Write a graph in a format that other programs read.

    Example: kg export exports/icml2026 --format gexf --out icml2026.gexf
    """
    from kg.export import export as run
    from kg.folder import load

    run(load(graph), format, sys.stdout.buffer if out == "-" else Path(out), base=base)


@main.command()
@_GRAPH
def check(graph: Path) -> None:
    """Check that a graph folder is whole and says the same in all its files.

    Example: kg check exports/icml2026
    """
    from kg.check import check as run

    findings = run(graph)
    for finding in findings:
        click.echo(finding)
    click.echo(f"{len(findings)} findings" if findings else "whole: no findings", err=True)
    sys.exit(1 if findings else 0)


@main.command("eval")
@click.argument("gold", type=click.Path(path_type=Path))
@click.option(
    "--map", "labels", multiple=True, metavar="LABEL=TYPE", help="What a label of GOLD means; LABEL= is none."
)
@click.option("--model", help="spaCy pipeline to measure.  [default: that of kg build]")
@click.option("--alone", is_flag=True, help="Measure its recogniser without rules and curated names.")
@click.option("--graph", type=click.Path(path_type=Path), help="Score this graph folder; GOLD is worked examples.")
@click.option("--papers", help="The file that the graph was built from, with --graph.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(gold: Path, labels: tuple[str, ...], graph: Path, papers: str, as_json: bool, **options: Any) -> None:
    """Measure extraction on annotated texts, or a graph against worked examples.

    Example: kg eval my_annotations.jsonl --map SYSTEM=Method --json
    """
    from kg.evaluate import evaluate as run
    from kg.evaluate import evaluate_graph, format_scores, read_gold
    from kg.folder import load

    if (graph is None) != (papers is None):
        raise click.UsageError("--graph and --papers go together")
    if graph:
        click.echo(format_scores(evaluate_graph(load(graph), gold, papers), as_json=as_json))
    else:
        golds = read_gold(gold, labels=_to_mapping(labels))
        click.echo(format_scores(run(golds, progress=_to_progress("texts"), **options), as_json=as_json))


@main.command()
@click.argument("gold", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the model.")
@click.option(
    "--map", "labels", multiple=True, metavar="LABEL=TYPE", help="What a label of GOLD means; LABEL= is none."
)
@click.option(
    "--plain", multiple=True, type=click.Path(path_type=Path), help="Papers without annotations, for the parser."
)
@click.option("--held-out", multiple=True, type=click.Path(path_type=Path), help="Annotated texts to measure with.")
@click.option("--parser", help="The spaCy pipeline that tags and parses; the default is ours.")
@click.option("--labeller", help="A model that marks names in the plain papers, and doubts the annotation.")
@click.option("--steps", default=20_000, show_default=True, help="Updates of the weights.")
@click.option("--encoder", type=click.Path(path_type=Path), help="Fine-tune this transformer instead: slow, and surer.")
@click.option("--epochs", default=2, show_default=True, help="How often the transformer reads each text.")
def train(gold: tuple[Path, ...], out: Path, labels: tuple[str, ...], encoder: Path | None, **options: Any) -> None:
    """Train a recogniser on annotated texts, for kg build --model; a run that was stopped goes on.

    Example: kg train my_annotations.jsonl --plain my_papers.jsonl --out models/mine
    """
    from kg.train import DEFAULT_MODEL, Sources, train_encoder
    from kg.train import train as run

    sources = Sources(gold, options["held_out"], options["plain"], _to_mapping(labels))
    parser = options["parser"] or DEFAULT_MODEL
    if encoder:
        scores = train_encoder(sources, out, encoder=encoder, parser=parser, epochs=options["epochs"])
    else:
        scores = run(sources, out, parser=parser, labeller=options["labeller"], steps=options["steps"])
    click.echo(" ".join(f"{name}={value}" for name, value in scores.items()))


def _folder(graph: Path) -> Path:
    """Return a graph folder that exists."""
    if not (graph / "graph.ttl").is_file():
        raise GraphError(f"{str(graph)!r} is no graph folder; 'kg build PAPERS --out DIR' makes one")
    return graph


def _find(kg: KnowledgeGraph, name: str) -> str:
    """Return the node that a name means, a concept before a paper; ends with status 1 if that is none or several."""
    from kg.describe import find_nodes

    found = find_nodes(kg, name)
    found = [node for node in found if node in kg.concepts] or found
    if len(found) == 1:
        return found[0]
    if found:
        click.echo(f"kg: {name!r} can mean {', '.join(found[:10])}{' …' if len(found) > 10 else ''}", err=True)
    else:
        click.echo(f"kg: no paper or concept is called {name!r}", err=True)
    sys.exit(1)


def _local(node: str) -> str:
    """Return a node id as the name of a file."""
    return "".join(char if char.isalnum() else "-" for char in node.rpartition(":")[2])[:60]


def _to_progress(what: str) -> Callable[[int], None] | None:
    """Return what shows progress on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        return None
    return lambda count: click.echo(f"\r{count} {what}", err=True, nl=False)


def _to_mapping(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return what labels mean from LABEL=TYPE pairs."""
    if wrong := [pair for pair in pairs if "=" not in pair]:
        raise click.UsageError(f"--map {wrong[0]!r} does not read LABEL=TYPE")
    return {label: meaning for label, _, meaning in (pair.rpartition("=") for pair in pairs)}


def _name_program() -> str:
    """Return what to type for this command: its name where the shell finds it, else where it is."""
    called = Path(sys.argv[0])
    if called.name != "kg" or shutil.which("kg"):
        return "kg" if called.name == "kg" else "python -m kg"
    return shlex.quote(os.path.relpath(called))
