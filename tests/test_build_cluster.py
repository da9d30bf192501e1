"""A Ray cluster reads what processes of our own read, to the byte."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.build import Options, build
from kg.errors import ModelError
from tests.stores import SERVERS, run_store

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
SEEDS = ROOT / "seeds/icml2026.jsonl"


@pytest.fixture(params=["path", *sorted(SERVERS)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return a place for parts."""
    if request.param in SERVERS:
        with run_store(request.param) as store:
            yield store.name("papers/parts")
    else:
        yield str(tmp_path / "parts")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``kg build`` in a process of its own, since Ray leaves files open."""
    command = [sys.executable, "-m", "kg", "build", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)


def read_all(folder: Path) -> dict[str, bytes]:
    """Return the content of all files in a folder."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def write_papers(papers: Path) -> Path:
    """Write 228 papers, which are several batches."""
    seeds = [json.loads(line) for line in SEEDS.read_text(encoding="utf-8").splitlines()]
    more = [{"title": f"{one['title']} {at}", "abstract": one["abstract"]} for at in range(12) for one in seeds]
    papers.write_text("\n".join(json.dumps(one) for one in more), encoding="utf-8")
    return papers


def test_a_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    papers = write_papers(tmp_path / "papers.jsonl")

    for executor in ("pool", "ray"):
        done = run(papers, "--executor", executor, "--workers", "2", "--out", tmp_path / executor)
        assert done.returncode == 0, done.stderr

    assert read_all(tmp_path / "ray") == read_all(tmp_path / "pool")


def test_what_actors_wrote_to_a_shared_place_no_build_reads_again(tmp_path: Path, place: str) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    papers = write_papers(tmp_path / "papers.jsonl")
    refused = "from kg.build import executor; executor.load_reader = None; from kg.cli import main; main()"

    alone = run(papers, "--out", tmp_path / "alone")
    cluster = run(papers, "--executor", "ray", "--workers", "2", "--parts", place, "--out", tmp_path / "cluster")
    command = [sys.executable, "-c", refused, "build", str(papers), "--parts", place, "--out", str(tmp_path / "later")]
    later = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)

    assert [one.returncode for one in (alone, cluster, later)] == [0, 0, 0], cluster.stderr + later.stderr
    assert "228 papers" in alone.stderr  # four batches
    assert read_all(tmp_path / "alone") == read_all(tmp_path / "cluster") == read_all(tmp_path / "later")


def test_a_model_that_the_cluster_has_not_is_an_error_in_words(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")

    done = run(SEEDS, "--executor", "ray", "--model", "no_such_model", "--out", tmp_path / "graph")

    assert done.returncode == 2
    assert "no_such_model" in done.stderr.strip().splitlines()[-1]
    assert not (tmp_path / "graph").exists()


def test_without_ray_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(ModelError, match=r"pip install 'paperkg\[ray\]'"):
        build(SEEDS, options=Options(executor="ray"))
