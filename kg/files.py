"""Files that appear complete or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from kg.errors import ExportError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["open_whole"]


@contextmanager
def open_whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for bytes that gets its name when all of it is on the disk, and is gone if not.

    Raises
    ------
    ExportError
        If the disk refuses. What was at `path` before is then still there.
    """
    if not path.absolute().parent.is_dir():
        raise ExportError(f"there is no folder {str(path.parent)!r} to write {path.name!r} in; make it first")
    if path.is_dir():
        raise ExportError(f"{str(path)!r} is a folder; name a file in it")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.replace(path)
    except OSError as error:
        raise ExportError(
            f"{str(path)!r} can't be written: {error.strerror or error}; no part of it is left"
        ) from error
    finally:
        part.unlink(missing_ok=True)
