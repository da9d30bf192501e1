"""Measure builds by step and size, and against others, in one run; write docs/performance.md.

    python benchmarks/run.py PAPERS.jsonl [--baseline four_libraries.py] [--sizes 200 2000 10000] [--out FILE]

PAPERS is JSON Lines, one paper each. Times are wall-clock and the machine should be quiet; what
is compared is measured in the same run, one after the other.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ("spacy", "thinc", "numpy", "pyarrow", "duckdb", "pyoxigraph", "networkx", "igraph")
BARE = """
import sys, time, json, spacy
from kg.extract import DEFAULT_MODEL
import kg.extract.recogniser
nlp = spacy.load(DEFAULT_MODEL)
papers = map(json.loads, open(sys.argv[1], encoding="utf-8"))
texts = [f"{one.get('title') or ''}. {one.get('abstract') or ''}" for one in papers]
start = time.perf_counter()
with nlp.memory_zone():
    for doc in nlp.pipe(texts): pass
print(len(texts) / (time.perf_counter() - start))
"""


# Runs the baseline without its page, whose layout takes a time that grows with the square of the nodes.
NO_PAGE = """
import runpy, sys
from pyvis.network import Network
Network.from_nx = lambda *_, **__: None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--baseline", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 2000, 10_000])
    parser.add_argument("--compared", type=int, default=2000, help="papers of the comparisons")
    parser.add_argument("--out", type=Path, default=HERE.parent / "docs/performance.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        steps = {size: measure(cut(options.papers, size, place), place / "graph", 1) for size in options.sizes}
        text = "\n\n".join([describe_machine(), describe_steps(steps), compare(options, place)])
    options.out.write_text(f"{(HERE / 'head.md').read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")


def cut(papers: Path, count: int, place: Path, *, skip: int = 0) -> Path:
    """Return a file with the first papers of another."""
    path = place / f"papers-{skip}-{count}.jsonl"
    with papers.open(encoding="utf-8") as lines:
        path.write_text("".join(islice(lines, skip, skip + count)), encoding="utf-8")
    return path


def measure(papers: Path, out: Path, workers: int) -> dict[str, object]:
    """Return what a build took."""
    done = run(sys.executable, HERE / "one_build.py", papers, out, workers)
    measured: dict[str, object] = json.loads(done.splitlines()[-1])
    return measured


def run(*command: object) -> str:
    """Return what a command prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def take(*command: object) -> float:
    """Return the seconds that a command takes."""
    start = time.perf_counter()
    run(*command)
    return time.perf_counter() - start


def describe_machine() -> str:
    """Return what all of it was measured with."""
    facts = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in facts if line.startswith("model name")), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    cores = len(os.sched_getaffinity(0))
    return f"{model}, {cores} cores, {memory:.0f} GB; Python {platform.python_version()}; {libraries}."


def describe_steps(steps: dict[int, dict[str, object]]) -> str:
    """Return a table of steps by size."""
    sizes = list(steps)
    names = list(steps[sizes[-1]]["seconds"])  # type: ignore[call-overload]
    rows = [["", *(f"{size:,} papers" for size in sizes)]]
    rows += [[name, *(f"{steps[size]['seconds'].get(name, 0):.1f} s" for size in sizes)] for name in names]  # type: ignore[attr-defined]
    rows.append(["papers a second", *(f"{size / steps[size]['seconds']['whole']:.0f}" for size in sizes)])  # type: ignore[index]
    rows.append(["peak of memory", *(f"{steps[size]['peak']:.2f} GB" for size in sizes)])
    rows.append(["concepts", *(f"{steps[size]['concepts']:,}" for size in sizes)])
    rows.append(["relations", *(f"{steps[size]['relations']:,}" for size in sizes)])
    return "## Steps, one process\n\n" + to_table(rows)


def compare(options: argparse.Namespace, place: Path) -> str:
    """Return a table of ratios, each measured side by side."""
    papers, count = cut(options.papers, options.compared, place), options.compared
    more = cut(options.papers, max(1, count // 200), place, skip=count)
    kg = (sys.executable, "-m", "kg")
    one, two = (take(*kg, "build", papers, "--workers", number, "--out", place / f"by{number}") for number in (1, 2))
    grown = take(*kg, "add", place / "by1", more)
    bare = float(run(sys.executable, "-c", BARE, papers))
    rows = [
        ["", "seen", "ratio"],
        [f"two processes against one, {count:,} papers", f"{two:.1f} s against {one:.1f} s", f"{one / two:.2f}"],
        [
            "the whole build, one process, against bare `nlp.pipe` of our pipeline",
            f"{count / one:.0f} against {bare:.0f} papers a second",
            f"{count / one / bare:.2f}",
        ],
        [f"adding {count // 200} papers, against the build", f"{grown:.1f} s", f"{grown / one:.2f}"],
    ]
    if options.baseline:
        theirs = json.loads(run(sys.executable, "-c", NO_PAGE, options.baseline, papers, place / "theirs"))
        seconds = sum(theirs["seconds"].values())
        name = f"the whole build, one process, page included, against `{options.baseline.name}` without its page"
        rows.append([name, f"{one:.1f} s against {seconds:.1f} s", f"{seconds / one:.2f} times as fast"])
    return "## Side by side\n\n" + to_table(rows)


def to_table(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, f"|{'---|' * len(rows[0])}", *body])


if __name__ == "__main__":
    main()
