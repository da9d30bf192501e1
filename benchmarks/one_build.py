"""Build a graph once and print the seconds of each step and the peak of memory, as a line of JSON.

python benchmarks/one_build.py PAPERS OUT WORKERS
"""

from __future__ import annotations

import json
import resource
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# What is timed: module, function, and the step that it belongs to.
STEPS = (
    ("kg.build", "take_in", "read files"),
    ("kg.build", "_read", "read texts"),
    ("kg.build.assemble", "canonicalise", "names to concepts"),
    ("kg.build.assemble", "_link", "relations"),
    ("kg.landscape", "add_landscape", "landscape"),
    ("kg.folder", "write_store", "store"),
)


def main() -> None:
    """Build, and print what it took."""
    papers, out, workers = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    seconds: dict[str, float] = {}
    for name, function, step in STEPS:
        module = import_module(name)
        setattr(module, function, _timed(getattr(module, function), step, seconds))
    outputs = import_module("kg.outputs").OUTPUTS
    outputs |= {name: _timed(write, name, seconds) for name, write in outputs.items()}
    build, folder = import_module("kg.build"), import_module("kg.folder")
    start = time.perf_counter()
    graph = build.build(papers, options=build.Options(workers=workers))
    folder.write(graph, out)
    seconds["whole"] = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    counts = {"papers": len(graph.papers), "concepts": len(graph.concepts), "relations": len(graph.relations)}
    print(json.dumps({**counts, "peak": round(peak, 3), "seconds": {k: round(v, 2) for k, v in seconds.items()}}))  # noqa: T201


def _timed(inner: Callable[..., object], step: str, seconds: dict[str, float]) -> Callable[..., object]:
    """Return a function that adds up the time it takes."""

    def run(*arguments: object, **options: object) -> object:
        start = time.perf_counter()
        try:
            return inner(*arguments, **options)
        finally:
            seconds[step] = seconds.get(step, 0) + time.perf_counter() - start

    return run


if __name__ == "__main__":
    main()
