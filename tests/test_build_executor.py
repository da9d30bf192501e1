"""Several processes extract what one does, and what goes wrong in them is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from kg.build import Options, build, executor
from kg.build.executor import read_batches
from kg.build.texts import Text
from kg.errors import ModelError
from kg.extract import DEFAULT_MODEL
from kg.folder import write

pytestmark = pytest.mark.slow
SEEDS = Path(__file__).parents[1] / "seeds/icml2026.jsonl"
TEXTS = [
    "We propose LoDA for continual learning.",
    "We test LoRA on ImageNet.",
    "",
    "Accuracy rises to 91.2% on MNIST.",
]


def to_batches(count: int) -> list[list[Text]]:
    """Return batches of one small text each."""
    return [[Text(f"{at:04}", "", TEXTS[at % len(TEXTS)])] for at in range(count)]


def read_all(path: Path) -> dict[str, bytes]:
    """Return the content of all files in a folder."""
    return {one.relative_to(path).as_posix(): one.read_bytes() for one in path.rglob("*") if one.is_file()}


def find_alive(group: int) -> list[int]:
    """Return the processes of a group that have not ended."""
    alive = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            _, _, rest = path.read_text().rpartition(")")
            state, _, its_group = rest.split()[:3]
            if int(its_group) == group and state != "Z":
                alive.append(int(path.parent.name))
    return alive


@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_processes_changes_no_byte(workers: int, tmp_path: Path) -> None:
    for name, count in (("one", 1), ("more", workers)):
        write(build(SEEDS, options=Options(workers=count)), tmp_path / name)

    assert read_all(tmp_path / "one") == read_all(tmp_path / "more")


def test_papers_come_back_in_their_order_here_and_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_ALONE", 3)
    monkeypatch.setattr(executor, "count_cores", lambda: 2)
    run = partial(read_batches, model=DEFAULT_MODEL)

    here, both = (list(run(to_batches(20), workers=workers)) for workers in (1, 0))

    assert [one.texts["text"][0].as_py() for one in here] == [f"{at:04}" for at in range(20)]
    assert all(one == other for some in zip(here, both, strict=True) for one, other in zip(*some, strict=True))
    assert sum(one.mentions.num_rows for one in here) > 20


def test_a_process_that_is_killed_is_an_error_in_words() -> None:
    found = read_batches(to_batches(400), model=DEFAULT_MODEL, workers=2)
    next(found)
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    workers = [one for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    os.kill(int(workers[0]), signal.SIGKILL)

    with pytest.raises(ModelError, match="a worker process ended before its work"):
        list(found)


def test_a_model_that_is_not_there_is_an_error_in_words_in_any_process() -> None:
    with pytest.raises(ModelError, match="'no_such_model' can't be loaded"):
        list(read_batches(to_batches(4), model="no_such_model", workers=2))


def test_processes_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    running = start_long_build(tmp_path)
    time.sleep(9)
    assert len(find_alive(running.pid)) > 2
    running.kill()
    running.communicate(timeout=60)

    wait_until_gone(running.pid)


def test_an_interrupted_build_leaves_no_process_and_goes_on(tmp_path: Path) -> None:
    running = start_long_build(tmp_path)
    try:
        running.communicate(timeout=9)
        pytest.fail("the build was over before it could be interrupted")
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGINT)
    said = running.communicate(timeout=60)[1].decode()

    assert running.returncode == 130
    assert "the same command goes on from there" in said
    assert not (tmp_path / "out").exists()
    assert sorted((tmp_path / ".out.work").glob("texts-*.parquet"))
    wait_until_gone(running.pid)


def start_long_build(tmp_path: Path) -> subprocess.Popen[bytes]:
    """Start a build of some thousand papers in two processes, in a group of its own."""
    papers = tmp_path / "papers.jsonl"
    lines = (f'{{"title": "Paper {at}", "abstract": "We test LoRA on ImageNet {at}."}}\n' for at in range(9000))
    papers.write_text("".join(lines))
    # What starts in the background of a shell ignores Ctrl-C unless told otherwise.
    code = (
        "import signal, sys; signal.signal(2, signal.default_int_handler); from kg.cli import main; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, "build", str(papers), "--out", str(tmp_path / "out"), "--workers", "2"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, cwd=SEEDS.parents[1])


def wait_until_gone(group: int) -> None:
    """Wait until no process of a group is alive."""
    for _ in range(100):
        if not find_alive(group):
            return
        time.sleep(0.1)
    pytest.fail(f"processes {find_alive(group)} are left")
