"""Builds that are killed, find no room or meet another build: the old graph or the new one stays whole. Case RB1."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.check import check

if TYPE_CHECKING:
    Piles = tuple[Path, dict[str, bytes], dict[str, bytes]]

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("KG_KILLS", "12"))
NAMES = ("LoRA", "BERT", "ImageNet", "SQuAD", "node classification", "question answering")


@pytest.fixture(scope="module")
def piles(tmp_path_factory: pytest.TempPathFactory) -> Piles:
    """Return a folder with a small and a large pile of papers, and the files of the graph of each."""
    folder = tmp_path_factory.mktemp("piles")
    draw = random.Random(0)
    texts = (f"We test {' and '.join(draw.sample(NAMES, 3))} on Set{at % 40}." for at in range(300))
    lines = [json.dumps({"id": f"p{at}", "title": f"Paper {at}", "abstract": one}) for at, one in enumerate(texts)]
    (folder / "old.jsonl").write_text("\n".join(lines[:100]))
    (folder / "new.jsonl").write_text("\n".join(lines))
    for name in ("old", "new"):
        assert finish(start(folder, f"{name}.jsonl", folder / name))[0] == 0
    return folder, read_all(folder / "old"), read_all(folder / "new")


def start(folder: Path, papers: str, out: Path, *, largest: int = 0, workers: int = 1) -> subprocess.Popen[str]:
    """Start a build in a process of its own."""
    command = [sys.executable, "-m", "kg", "build", str(folder / papers), "--out", str(out), "--workers", str(workers)]
    if largest:
        command = ["bash", "-c", f'ulimit -f {largest // 1024}; exec "$@"', "bash", *command]
    root = Path(__file__).parents[1]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=root)


def finish(running: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the status with which a process ends, and what it said."""
    said = running.communicate()[1]
    return running.returncode, said


def read_all(folder: Path) -> dict[str, bytes]:
    """Return the content of all files in a folder."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def list_left(folder: Path) -> set[str]:
    """Return what is beside a graph folder of the same name."""
    return {one.name for one in folder.parent.glob(f".{folder.name}.*")}


def test_a_kill_at_any_moment_leaves_a_whole_graph(piles: Piles, tmp_path: Path) -> None:
    folder, old, new = piles
    out, draw = tmp_path / "graph", random.Random(int(os.environ.get("KG_SEED", "1")))
    began = time.monotonic()
    start(folder, "new.jsonl", tmp_path / "timed").communicate()
    takes = time.monotonic() - began
    seen: list[str] = []
    for at in range(KILLS):
        if at % 3 == 0 or read_all(out) == new:  # else the build goes on from what the last one left
            shutil.rmtree(out, ignore_errors=True)
            shutil.rmtree(tmp_path / ".graph.work", ignore_errors=True)
            shutil.copytree(folder / "old", out)
        running = start(folder, "new.jsonl", out, workers=1 + at % 2)
        time.sleep(draw.uniform(0.3, 1.05) * takes)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        if not out.exists():  # between the two renames of a swap; the next to come mends it
            assert check(out) == []
        found = read_all(out)
        assert found in (old, new), "a mixture"
        seen.append("new" if found == new else "old")

    assert finish(start(folder, "new.jsonl", out))[0] == 0
    assert read_all(out) == new
    assert list_left(out) == {".graph.lock"}
    sys.stderr.write(f"{seen.count('old')} left the old graph, {seen.count('new')} the new one\n")


@pytest.mark.parametrize("largest", [1_024, 20_480, 61_440, 204_800])
def test_where_files_may_not_grow_the_old_graph_stays(piles: Piles, tmp_path: Path, largest: int) -> None:
    folder, old, new = piles
    out = tmp_path / "graph"
    shutil.copytree(folder / "old", out)

    status, said = finish(start(folder, "new.jsonl", out, largest=largest))

    assert status == 2, said
    assert "can't be written" in said
    assert "Traceback" not in said
    assert read_all(out) == old
    assert finish(start(folder, "new.jsonl", out))[0] == 0
    assert read_all(out) == new
    assert list_left(out) == {".graph.lock"}


def test_of_two_builds_at_once_one_is_refused_or_both_finish(piles: Piles, tmp_path: Path) -> None:
    folder, old, new = piles
    out = tmp_path / "graph"

    both = [start(folder, name, out) for name in ("old.jsonl", "new.jsonl")]
    said = [one.communicate()[1] for one in both]

    ends = sorted(one.returncode for one in both)
    assert ends in ([0, 0], [0, 2])
    assert ends == [0, 0] or any("another build is writing" in one for one in said)
    assert read_all(out) in (old, new)
    assert list_left(out) == {".graph.lock"}
