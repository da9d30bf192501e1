"""The import law: arrows point down, and start-up is quick."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = {
    0: {"errors"},
    1: {"endings", "files", "memory", "model", "places", "processes", "vocab"},
    2: {"names", "read", "clean", "acronyms", "decisions", "mentions", "vocabularies"},
    3: {"align", "extract", "canonicalise", "landscape", "link"},
    4: {"build", "store", "rdf", "network", "sssom"},
    5: {"export", "query", "view", "check", "curate", "describe", "evaluate", "hints"},
    6: {"outputs", "train"},
    7: {"folder"},
    8: {"serve"},
    9: {"cli"},
}
LAYER_OF = {module: layer for layer, modules in LAYERS.items() for module in modules}
FILES = sorted(
    path
    for path in (ROOT / "kg").rglob("*.py")
    if path.name not in {"__init__.py", "__main__.py"} or path.parent.name != "kg"
)


def name_step(path: Path) -> str:
    """Return the step that a file is of: its folder under kg, or itself."""
    return path.relative_to(ROOT / "kg").parts[0].removesuffix(".py")


def find_imports(path: Path) -> set[str]:
    """Return the steps of ours that a file imports, wherever in the file."""
    steps = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kg."):
            steps.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            steps |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("kg.")}
    return steps - {name_step(path)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_imports_from_lower_layers_only(path: Path) -> None:
    layer = LAYER_OF[name_step(path)]

    upward = {step for step in find_imports(path) if LAYER_OF[step] >= layer}

    assert not upward


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_fits_in_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_function_fits_a_screen(path: Path) -> None:
    long = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            docstring = node.body[0] if isinstance(node.body[0], ast.Expr) else None
            described = docstring.end_lineno - docstring.lineno + 1 if docstring and docstring.end_lineno else 0
            if node.end_lineno - node.lineno + 1 - described > 40:
                long.append(node.name)

    assert not long


def test_the_public_names_are_sorted_and_there() -> None:
    import kg

    assert kg.__all__ == sorted(kg.__all__)
    assert all(getattr(kg, name) is not None for name in kg.__all__)


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_imports_no_large_library(argument: str) -> None:
    code = (
        "import sys; from kg.cli import main\n"
        f"try: main([{argument!r}], standalone_mode=False)\nexcept SystemExit: pass\n"
        "print(sorted({'spacy', 'rdflib', 'networkx', 'pyvis', 'pyarrow', 'duckdb', 'igraph'} & set(sys.modules)))"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert shown.stdout.splitlines()[-1] == "[]"


def test_importing_the_package_imports_no_large_library() -> None:
    code = (
        "import sys, kg\n"
        "print(sorted({'spacy', 'rdflib', 'networkx', 'pyvis', 'pyarrow', 'duckdb', 'igraph'} & set(sys.modules)))"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert shown.stdout.strip() == "[]"
