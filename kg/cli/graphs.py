"""Verbs that make a graph and show what is in it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from kg.cli.common import GRAPH, Utf8, find_one, find_program, hold_for_build, main, to_bar, to_folder, to_local
from kg.vocab import BASE


@main.command()
@click.argument("papers", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), help="Folder to write.  [default: exports/NAME]")
@click.option("--base", default=BASE, show_default=True, help="What the IRIs of papers and concepts begin with.")
@click.option("--strict", is_flag=True, help="Make a record that can't be kept an error.")
@click.option("--merge-similar", is_flag=True, help="Take records of one title and year for one paper.")
@click.option(
    "--workers", type=click.IntRange(0), default=0,
    help="Processes that extract and write.  [default: as many as there are cores, for more than some hundred papers]",
)  # fmt: skip
@click.option(
    "--executor", type=click.Choice(["pool", "ray"]), default="pool", show_default=True,
    help="Who extracts: processes of this machine, or a Ray cluster (docs/scale.md).",
)  # fmt: skip
@click.option(
    "--parts",
    help="Folder or URI that machines share, such as s3://bucket/parts: keeps what is read, which none reads again.",
)
@click.option(
    "--decisions", type=click.Path(path_type=Path), help="What people decided about names.  [default: that of --out]"
)
@click.option(
    "--vocabulary", "vocabularies", multiple=True, type=click.Path(path_type=Path),
    help="Link concepts to the terms in this file, SKOS or other RDF, or a .tsv table; may be given again.",
)  # fmt: skip
@click.option("--model", help="spaCy pipeline to extract with, such as kg train makes.  [default: ours]")
def build(papers: tuple[str, ...], out: Path | None, base: str, decisions: Path | None, **options: Any) -> None:
    """Build the graph of PAPERS: files, folders, URIs of these such as s3://bucket/papers/, or - for standard input.

    What an earlier build into the same folder has read, also one that was stopped, is not read again.

    Example: kg build seeds/icml2026.jsonl --out exports/icml2026
    """
    from kg.build import Options, Site
    from kg.build import build as run
    from kg.decisions import read_decisions
    from kg.folder import find_decisions, find_earlier, write
    from kg.hints import suggest_next
    from kg.places import to_public

    out = out or Path("exports") / (Path(to_public(papers[0])).name.partition(".")[0].strip("-*") or "papers")
    decided = read_decisions(decisions) if decisions else find_decisions(out)
    how = Options(**{name: options.pop(name) for name in Options._fields})
    with hold_for_build(out) as work:
        site = Site(work, find_earlier(out), to_bar("papers read"), options.pop("parts"))
        graph = run(list(papers), decisions=decided, options=how, site=site, **options)
        write(graph, out, base=base, workers=how.workers)
    click.echo(suggest_next(graph, out, program=find_program()), err=True)


@main.command()
@GRAPH
@click.argument("name", required=False, type=Utf8())
@click.option("--hops", type=click.IntRange(1, 9), help="Only what is at most so many relations away from NAME.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: graph.html in the folder]")
def view(graph: Path, name: str | None, hops: int | None, out: Path | None) -> None:
    """Write the page of a graph, opened on the paper or concept NAME, and print where it is.

    Example: kg view exports/icml2026 LoRA --out lora.html
    """
    from kg.folder import load
    from kg.view import find_nearby, write_page

    if hops and name is None:
        raise click.UsageError("--hops counts from a paper or concept; give its NAME")
    if name is None and out is None:
        page = to_folder(graph) / "graph.html"
    else:
        kg = load(graph)
        focus = find_one(kg, name) if name else None
        page = out or Path(f"{to_local(focus or 'graph')}.html")
        write_page(find_nearby(kg, focus, hops) if focus and hops else kg, page, focus=focus)
    click.echo(page)


@main.command()
@GRAPH
@click.argument("name", type=Utf8())
def show(graph: Path, name: str) -> None:
    """Show a paper or concept: its names, its relations, and the sentence behind each.

    Example: kg show exports/icml2026 LoRA
    """
    from kg.describe import describe
    from kg.folder import load

    kg = load(graph)
    click.echo(describe(kg, find_one(kg, name)))


@main.command()
@GRAPH
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON, which a program can read.")
def stats(graph: Path, as_json: bool) -> None:
    """Count what is in a graph, and tell its communities, what is central, new, rising and falling.

    Example: kg stats exports/icml2026
    """
    from kg.describe import summarise, to_statistics
    from kg.folder import load

    kg = load(graph)
    click.echo(json.dumps(to_statistics(kg), ensure_ascii=False, indent=1) if as_json else summarise(kg))


@main.command()
@GRAPH
@click.option(
    "--format", required=True,
    help="turtle, ntriples, jsonld, rdfxml, trig, graphml, gexf, json, csv, cytoscape, vosviewer, neo4j, skos, sssom "
    "or void; docs/exports.md says what each holds.",
)  # fmt: skip
@click.option(
    "--out", default="-", show_default=True,
    help="File to write (for csv and neo4j a folder, for neo4j also FILE.zip), or - for standard output.",
)  # fmt: skip
@click.option("--base", help="What the IRIs of papers and concepts begin with.  [default: as the folder has it]")
@click.option(
    "--layer", "layers", multiple=True, type=click.Choice(["concepts", "statements", "mentions"]),
    help="Layer to write in RDF; may be given again.  [default: concepts and statements]",
)  # fmt: skip
@click.option("--no-text", is_flag=True, help="Leave out abstracts and their sentences; refer to their places.")
@click.option("--language", default="", help="Language of the labels in skos, such as en.")
@click.option("--licence", default="", help="IRI of the licence of the papers' texts, for void.")
def export(graph: Path, format: str, out: str, base: str | None, no_text: bool, **options: Any) -> None:
    """Write a graph in a format that other programs read.

    Example: kg export exports/icml2026 --format gexf --out icml2026.gexf
    """
    from kg.export import Choice
    from kg.export import export as run
    from kg.folder import find_base, load
    from kg.rdf import Layer

    choice = Choice(tuple(map(Layer, options.pop("layers"))), not no_text, **options)
    target = sys.stdout.buffer if out == "-" else Path(out)
    run(load(graph), format, target, base=base or find_base(graph), choice=choice)


@main.command()
@GRAPH
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
