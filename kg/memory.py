"""Memory while a large graph is in it."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["give_back", "uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """Suspend the collector of reference cycles, which would walk all objects of a large graph again and again.

    Nothing that is made meanwhile has cycles; what is no longer used is freed as ever.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def give_back() -> None:
    """Give memory that is no longer used back to the system, which Arrow and the C library would keep for more."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(AttributeError):  # glibc has this, other C libraries have not
            ctypes.CDLL(None).malloc_trim(0)
