"""Verbs that measure and train."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.cli.common import main, to_mapping, to_progress


@main.command("eval")
@click.argument("gold", type=click.Path(path_type=Path))
@click.option(
    "--map", "labels", multiple=True, metavar="LABEL=TYPE", help="What a label of GOLD means; LABEL= is none."
)
@click.option("--model", help="spaCy pipeline to measure.  [default: that of kg build]")
@click.option("--alone", is_flag=True, help="Measure its recogniser without rules and curated names.")
@click.option("--graph", type=click.Path(path_type=Path), help="Score this graph folder; GOLD is worked examples.")
@click.option("--papers", help="The file that the graph was built from, with --graph.")
@click.option("--lists", is_flag=True, help="Measure what papers are joined to; GOLD lists names for each paper.")
@click.option("--relations", is_flag=True, help="Measure what is found between the names of a sentence.")
@click.option("--given", is_flag=True, help="The names are those of GOLD, with --relations.")
@click.option("--merges", is_flag=True, help="Measure which names are put together; GOLD says which belong together.")
@click.option("--texts", type=click.Path(path_type=Path), help="The documents that GOLD's names are of, with --merges.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(gold: Path, labels: tuple[str, ...], graph: Path, papers: str, as_json: bool, **options: Any) -> None:
    """Measure extraction on annotated texts, a graph against worked examples, or how names are merged.

    Example: kg eval my_annotations.jsonl --map SYSTEM=Method --json
    """
    from kg import evaluate as kinds
    from kg.folder import load

    if (graph is None) != (papers is None):
        raise click.UsageError("--graph and --papers go together")
    _refuse_mixed(graph=graph, **options)
    meanings, progress = to_mapping(labels), to_progress("texts")
    scores: Any
    if options["merges"]:
        scores = kinds.evaluate_merges(gold, texts=options["texts"])
    elif options["lists"]:
        scores = kinds.evaluate_papers(gold, model=options["model"], progress=progress)
    elif graph:
        scores = kinds.evaluate_graph(load(graph), gold, papers)
    else:
        golds, shared = kinds.read_gold(gold, labels=meanings), {"model": options["model"], "progress": progress}
        if options["relations"]:
            scores = kinds.evaluate_relations(golds, given=options["given"], labels=meanings, **shared)
        else:
            scores = kinds.evaluate(golds, alone=options["alone"], **shared)
    click.echo(kinds.format_scores(scores, as_json=as_json))


def _refuse_mixed(**given: Any) -> None:
    """Raise if two things are to be measured at once, or an option would do nothing."""
    kinds = ["graph", "merges", "lists", "relations", "alone"]
    if len(both := [f"--{name}" for name in kinds if given[name]]) > 1:
        raise click.UsageError(f"{both[0]} and {both[1]} measure different things; give one")
    for option, kind in (("given", "relations"), ("texts", "merges")):
        if given[option] and not given[kind]:
            raise click.UsageError(f"--{option} is for --{kind}, which is not given")


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

    sources = Sources(gold, options["held_out"], options["plain"], to_mapping(labels))
    parser = options["parser"] or DEFAULT_MODEL
    if encoder:
        scores = train_encoder(sources, out, encoder=encoder, parser=parser, epochs=options["epochs"])
    else:
        scores = run(sources, out, parser=parser, labeller=options["labeller"], steps=options["steps"])
    click.echo(" ".join(f"{name}={value}" for name, value in scores.items()))
