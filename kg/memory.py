"""Memory while a large graph is in it."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["uncollected"]


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
