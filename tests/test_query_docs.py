"""The page of named queries says what they answer now."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.query import NamedQuery, list_named

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/queries.md"
REMAKE = "KG_REMAKE_QUERIES"  # set it to write the page anew
ROWS = 5
HEAD = """# Queries that have a name

`kg query DIR --named QUERY` asks what is asked most; `kg query --list` lists them in the terminal. A concept
is known by any of its names, exactly or else in any case, or by its id; a paper by its id, its title or the
start of it, its DOI, or a name that it introduces.

The queries are files in [ontology/queries](../ontology/queries) that any SPARQL program runs as they stand:
prefixes are declared, and a parameter is a `VALUES` block with one variable, which holds an example, or the
default where it may be left out. Their heads say what they answer. In Python `kg.query.run_named(folder,
"papers-using", {"name": "MLLM"})` gives the answer, and `--endpoint URL` asks another graph of this kind.

The answers below are those of the seed papers, at most five rows each.
"""


def show(query: NamedQuery) -> str:
    """Return the section about a query."""
    words = [word for name, value in query.example.items() for word in (f"--{name}", value)]
    command = ["query", "exports/icml2026", "--named", query.name, *words, "--limit", str(ROWS)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    lines = "\n".join(line.rstrip() for line in result.stdout.rstrip().splitlines())
    options = "".join(
        f"- `--{one.name}`{' (may be left out)' if one.optional else ''}: {one.description}\n"
        for one in query.parameters
    )
    blank = "\n" if options else ""
    return (
        f"\n## [{query.name}](../ontology/queries/{query.name}.rq)\n\n{query.summary}. {query.description}\n\n"
        f"{options}{blank}```console\n$ kg {shlex.join(command)}\n{lines}\n```\n"
    )


def test_the_page_of_named_queries_says_what_they_answer_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    now = HEAD + "".join(map(show, list_named()))

    if os.environ.get(REMAKE):
        PAGE.write_text(now, encoding="utf-8")
        pytest.skip("the page was made anew")
    assert PAGE.read_text(encoding="utf-8") == now
