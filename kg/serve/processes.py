"""What the system is asked about the processes that answer queries, and told."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from kg.errors import GraphError

if TYPE_CHECKING:
    from pathlib import Path

    from kg.query import QueryWorker

__all__ = ["calm", "find_lanes", "measure"]

_BUDGET = 2 << 30  # bytes that the processes may take together at rest
_MEMORY_PER_BYTE = 10  # of the graph's file, in a process
_LOWEST = 19  # priority of a process, as nice counts


def find_lanes(folder: Path) -> dict[str, int]:
    """Return how many queries may run at the same time in each lane; fewer where each process needs much memory.

    Raises
    ------
    GraphError
        If there is no graph in the folder.
    """
    try:
        size = (folder / "graph.ttl").stat().st_size
    except OSError as error:
        raise GraphError(f"there is no graph.ttl in {str(folder)!r}; name a folder that 'kg build' wrote") from error
    quick = min(4, max(1, _BUDGET // (size * _MEMORY_PER_BYTE + 1) - 3))
    return {"quick": quick, "slow": 2 if quick > 1 else 1}


def measure(worker: QueryWorker) -> float:
    """Return for how many seconds a worker's process has been running on a processor, else those on the clock."""
    process = worker.process_id
    if sys.platform == "linux" and process:
        with suppress(OSError):
            return time.clock_gettime((~process << 3) | 2)  # the clock of a process, as clock_getcpuclockid(3) has it
    return time.monotonic()


def calm(worker: QueryWorker) -> None:
    """Let the processes of other queries go first, where the system can."""
    process = worker.process_id
    if process and hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, _LOWEST)
    if process and sys.platform == "linux":
        with suppress(OSError):  # it makes room at once, not after the time slice that it has
            os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))
