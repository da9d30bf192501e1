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
from kg.build.executor import extract_batches
from kg.build.intake import Batch
from kg.clean import find_passages
from kg.errors import ModelError
from kg.extract import DEFAULT_MODEL, load_lexicon, load_pipeline
from kg.folder import write
from kg.model import Paper
from kg.vocab import find_ontology

pytestmark = pytest.mark.slow
SEEDS = Path(__file__).parents[1] / "seeds/icml2026.jsonl"
TEXTS = [
    "We propose LoDA for continual learning.",
    "We test LoRA on ImageNet.",
    "",
    "Accuracy rises to 91.2% on MNIST.",
]


def to_batches(count: int) -> list[Batch]:
    """Return batches of one small paper each."""
    papers = [Paper(id=f"{at}", abstract=TEXTS[at % len(TEXTS)]) for at in range(count)]
    return [Batch([one.content_hash], [find_passages(one)]) for one in papers]


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
    lexicon = load_lexicon(find_ontology())
    run = partial(extract_batches, nlp=load_pipeline(lexicon), lexicon=lexicon, model=DEFAULT_MODEL)

    here, both = (list(run(iter(to_batches(20)), workers=workers)) for workers in (1, 0))

    assert [one.papers for one in here] == [1] * 20
    assert all(one.said.mentions.equals(other.said.mentions) for one, other in zip(here, both, strict=True))
    assert sum(one.said.mentions.num_rows for one in here) > 20


def test_a_process_that_is_killed_is_an_error_in_words() -> None:
    lexicon = load_lexicon(find_ontology())
    found = extract_batches(iter(to_batches(400)), load_pipeline(lexicon), lexicon, model=DEFAULT_MODEL, workers=2)
    next(found)
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    workers = [one for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
    os.kill(int(workers[0]), signal.SIGKILL)

    with pytest.raises(ModelError, match="a worker process ended before its work"):
        list(found)


def test_an_interrupted_build_leaves_nothing_behind(tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    lines = (f'{{"title": "Paper {at}", "abstract": "We test LoRA on ImageNet {at}."}}\n' for at in range(9000))
    papers.write_text("".join(lines))
    # What starts in the background of a shell ignores Ctrl-C unless told otherwise.
    code = (
        "import signal, sys; signal.signal(2, signal.default_int_handler); from kg.cli import main; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, "build", str(papers), "--out", str(tmp_path / "out"), "--workers", "2"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, cwd=SEEDS.parents[1])
    try:
        running.communicate(timeout=9)
        pytest.fail("the build was over before it could be interrupted")
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGINT)
    running.communicate(timeout=60)

    assert running.returncode != 0
    assert not (tmp_path / "out").exists()
    for _ in range(100):
        if not find_alive(running.pid):
            return
        time.sleep(0.1)
    pytest.fail(f"processes {find_alive(running.pid)} are left")
