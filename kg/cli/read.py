"""Reading files without building: what is in them, and clean records."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.common import main


@main.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), help="File to write the papers to, as JSON Lines.")
@click.option("--merge-similar", is_flag=True, help="Take records of one title and year for one paper.")
def read(files: tuple[str, ...], out: Path | None, merge_similar: bool) -> None:
    """Tell what is in FILES, record by record, without building a graph: paths, or URIs such as s3://bucket/papers/.

    Example: kg read seeds/icml2026.jsonl --out papers.jsonl
    """
    from kg.build import Options, survey_files, write_papers

    survey = survey_files(files, options=Options(merge_similar=merge_similar))
    for line in survey.format():
        click.echo(line)
    if out:
        write_papers(survey.papers, out)
