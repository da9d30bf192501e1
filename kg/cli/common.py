"""What verbs share: the group, arguments, and how a name is found."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.errors import GraphError, KgError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kg.model import KnowledgeGraph

__all__ = [
    "GRAPH",
    "Utf8",
    "find_one",
    "find_paper",
    "find_program",
    "hold_for_build",
    "main",
    "to_bar",
    "to_folder",
    "to_local",
    "to_mapping",
    "to_progress",
]

GRAPH = click.argument("graph", type=click.Path(path_type=Path))


class Utf8(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases only
    """An argument as UTF-8 whatever the locale; in the C locale its bytes come as surrogates."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text of an argument."""
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class _Group(click.Group):
    """A group whose verbs end with one line and status 2 when they can't run, or 1 if a name is nobody's."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a verb."""
        try:
            return super().invoke(ctx)
        except KgError as error:
            click.echo(f"kg: {error}", err=True)
            sys.exit(1 if isinstance(error, UnknownNameError) else 2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paperkg", prog_name="kg")
def main() -> None:
    """Make a knowledge graph of papers: methods, datasets, tasks, metrics, and the sentence behind every edge."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what we print is UTF-8 whatever the locale
            stream.reconfigure(encoding="utf-8", errors="replace")


def to_folder(graph: Path) -> Path:
    """Return a graph folder that exists."""
    if not (graph / "graph.ttl").is_file():
        raise GraphError(f"{str(graph)!r} is no graph folder; 'kg build PAPERS --out DIR' makes one")
    return graph


def find_one(kg: KnowledgeGraph, name: str, *, concept: bool = False) -> str:
    """Return the node that a name means, a concept before a paper; ends with status 1 if that is none or several."""
    from kg.describe import find_nodes

    found = find_nodes(kg, name)
    concepts = [node for node in found if node in kg.concepts]
    found = concepts if concept else concepts or found
    if len(found) == 1:
        return found[0]
    if found:
        click.echo(f"kg: {name!r} can mean {', '.join(found[:10])}{' …' if len(found) > 10 else ''}", err=True)
    else:
        click.echo(f"kg: no {'' if concept else 'paper or '}concept is called {name!r}", err=True)
    sys.exit(1)


def find_paper(kg: KnowledgeGraph, name: str) -> str:
    """Return the paper that a name means; ends with status 1 if that is none or several."""
    from kg.describe import find_papers

    found = find_papers(kg, name)
    if len(found) == 1:
        return found[0]
    if found:
        some = "; ".join(f"{kg.papers[node].label} [{node}]" for node in found[:5])
        click.echo(f"kg: {name!r} can mean {some}{'; …' if len(found) > 5 else ''}", err=True)
    else:
        click.echo(f"kg: no paper is called {name!r}; give its id, its title or the start of it", err=True)
    sys.exit(1)


def to_local(node: str) -> str:
    """Return a node id as the name of a file."""
    return "".join(char if char.isalnum() else "-" for char in node.rpartition(":")[2])[:60]


def to_progress(what: str) -> Callable[[int], None] | None:
    """Return what shows progress on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        return None
    return lambda count: click.echo(f"\r{count} {what}", err=True, nl=False)


@contextmanager
def hold_for_build(folder: Path) -> Iterator[Path]:
    """Hold a folder while a graph is built, and say how to go on if that is stopped."""
    from kg.folder import hold

    try:
        with hold(folder) as work:
            yield work
    except KeyboardInterrupt:
        click.echo("\nkg: stopped; what was read is kept, and the same command goes on from there", err=True)
        sys.exit(130)


def to_bar(what: str) -> Callable[[int, int], None] | None:
    """Return what shows on a terminal how many of how many are done, how fast, and how long it will take."""
    if not sys.stderr.isatty():
        return None
    start: list[tuple[float, int]] = []

    def show(done: int, total: int) -> None:
        start.append((time.monotonic(), done)) if not start else None
        took, new = time.monotonic() - start[0][0], done - start[0][1]
        speed = new / took if took > 0 and new else 0.0
        left = f", {speed:,.0f} a second, {_to_time((total - done) / speed)} left" if speed and done < total else ""
        filled = 30 * done // max(total, 1)
        line = f"[{'#' * filled}{'-' * (30 - filled)}] {done:,} of {total:,} {what}{left}"
        click.echo(f"\r\033[K{line}", err=True, nl=done == total)

    return show


def _to_time(seconds: float) -> str:
    """Return a duration as a person says it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def to_mapping(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return what labels mean from LABEL=TYPE pairs."""
    if wrong := [pair for pair in pairs if "=" not in pair]:
        raise click.UsageError(f"--map {wrong[0]!r} does not read LABEL=TYPE")
    return {label: meaning for label, _, meaning in (pair.rpartition("=") for pair in pairs)}


def find_program() -> str:
    """Return what to type for this command: its name where the shell finds it, else where it is."""
    called = Path(sys.argv[0])
    if called.name != "kg" or shutil.which("kg"):
        return "kg" if called.name == "kg" else "python -m kg"
    return shlex.quote(os.path.relpath(called))
