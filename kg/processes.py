"""Other processes that work for this one, and end when it does."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, TypeVarTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["count_cores", "to_pool"]

_Given = TypeVarTuple("_Given")


def to_pool(processes: int, prepare: Callable[[*_Given], object], *given: *_Given) -> ProcessPoolExecutor:
    """Return a pool of new processes, each of which first calls `prepare`, which must not raise, with what is given.

    Ctrl-C is this process's to handle.
    """
    return ProcessPoolExecutor(processes, get_context("spawn"), _start, (prepare, *given))


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start(prepare: Callable[[*_Given], object], *given: *_Given) -> None:
    """Prepare a process of a pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    prepare(*given)


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone, which may have been killed."""
    if parent := parent_process():
        wait([parent.sentinel])
        os._exit(1)
