"""The README is true: its commands run and print what it shows."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
REMAKE = "KG_REMAKE_README"  # set it to write what the commands print now into the README


def find_blocks(language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run_block(block: str) -> str:
    """Return a console block with what its commands print now."""
    lines = []
    for line in block.splitlines():
        if line.startswith("$ "):
            arguments = shlex.split(line.removeprefix("$ kg "))
            result = CliRunner().invoke(main, arguments)
            assert result.exit_code == 0, (line, result.output)
            shown = result.output
            if arguments[0] == "build":
                shown = shown.splitlines()[0]
            elif arguments[0] == "check":
                shown = result.stderr
            lines += [line, *(text.rstrip() for text in shown.rstrip().splitlines())]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the commands of the README need."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("seeds", "exports", "tests/data"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
    return folder


def test_the_commands_print_what_is_shown(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)

    shown = {block: run_block(block) for block in find_blocks("console")}

    if os.environ.get(REMAKE):
        text = README
        for block, now in shown.items():
            text = text.replace(f"```console\n{block}```", f"```console\n{now}```")
        (ROOT / "README.md").write_text(text, encoding="utf-8")
        pytest.skip("the README was made anew")
    for block, now in shown.items():
        assert now == block


def test_the_python_session_runs(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    (block,) = find_blocks("python")
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)

    assert runner.run(test).failed == 0


def test_the_set_up_commands_are_one_line_and_run_in_ci() -> None:
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()

    commands = [block.strip() for block in find_blocks("sh")]

    assert len(commands) == 2
    assert all(command in ci for command in commands)


def test_what_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
