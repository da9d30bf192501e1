"""The committed graph of the seed papers is what a build makes."""

from __future__ import annotations

from pathlib import Path

from kg.build import build
from kg.folder import write

ROOT = Path(__file__).parents[1]


def test_the_committed_graph_equals_a_fresh_build(tmp_path: Path) -> None:
    committed = ROOT / "exports" / "icml2026"

    write(build(ROOT / "seeds" / "icml2026.jsonl"), tmp_path / "icml2026")

    fresh = {path.relative_to(tmp_path / "icml2026"): path for path in (tmp_path / "icml2026").rglob("*.*")}
    assert {path.relative_to(committed) for path in committed.rglob("*.*")} == set(fresh)
    assert [
        str(name) for name, path in sorted(fresh.items()) if path.read_bytes() != (committed / name).read_bytes()
    ] == []
