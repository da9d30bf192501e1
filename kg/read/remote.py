"""Files that a URI names, on any filesystem that pyarrow reads, found as those of a folder are."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from kg.errors import InputError
from kg.places import explain, open_place, to_public

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyarrow.fs import FileInfo, FileSystem

__all__ = ["RemoteFile", "find_remote"]

_AHEAD = 4_194_304  # bytes that are fetched at once


class RemoteFile(NamedTuple):
    """A file on a filesystem of pyarrow."""

    place: FileSystem
    path: str
    uri: str  # as people may see it

    def open(self, _mode: str = "rb") -> BinaryIO:
        """Open it for bytes, as they are."""
        try:
            stream: BinaryIO = self.place.open_input_stream(self.path, compression=None, buffer_size=_AHEAD)
        except ValueError as error:  # of pyarrow, which has its own
            raise OSError(explain(error)) from error
        return stream


def find_remote(uri: str) -> Iterator[tuple[RemoteFile, str, bool]]:
    """Yield each file that a URI names, as `kg.read.streams.find_files` does for a path.

    Raises
    ------
    InputError
        If there is none, or the place can't be reached.
    """
    place, path = open_place(uri)
    shown = {path: to_public(uri)}  # what a pattern finds is shown by its own path
    try:
        found = _match(place, path)
        uris = [shown.get(info.path, f"{uri.partition(':')[0]}://{info.path}") for info in found]
        files = [one for info, own in zip(found, uris, strict=True) for one in _expand(place, info, own)]
    except (OSError, ValueError) as error:
        raise InputError(f"{to_public(uri)}: can't be read ({explain(error)})") from error
    if not found:
        raise InputError(f"{to_public(uri)}: no file is called so")
    yield from files


def _match(place: FileSystem, path: str) -> list[FileInfo]:
    """Return what is called so, or fits it as a pattern, in order.

    In Google's store that is files only, since pyarrow does not list its folders.
    """
    from pyarrow.fs import FileSelector, FileType

    info = place.get_file_info(path)
    names = path.split("/")
    first = next((at for at, name in enumerate(names) if set(name) & set("*[")), None)
    if first is None or info.type != FileType.NotFound:
        return [info]
    base, pattern = "/".join(names[:first]) or "/", names[first:]
    inside = place.get_file_info(FileSelector(base, recursive=len(pattern) > 1))
    fitting = [one for one in inside if _fits(one.path[len(base) :].strip("/").split("/"), pattern)]
    return sorted(fitting, key=lambda one: one.path.split("/"))


def _fits(names: Sequence[str], pattern: Sequence[str]) -> bool:
    """Return whether the names of a path fit a pattern, name by name; ``**`` is any number of folders."""
    if not pattern or not names:
        return not names and not pattern
    if pattern[0] == "**":
        return _fits(names, pattern[1:]) or _fits(names[1:], pattern)
    return fnmatchcase(names[0], pattern[0]) and _fits(names[1:], pattern[1:])


def _expand(place: FileSystem, info: FileInfo, uri: str) -> Iterator[tuple[RemoteFile, str, bool]]:
    """Yield a file, or the files in a folder that are not hidden."""
    from pyarrow.fs import FileSelector, FileType

    if info.type != FileType.Directory:
        yield RemoteFile(place, info.path, uri), info.base_name, True
        return
    inside = place.get_file_info(FileSelector(info.path, recursive=True))
    names = sorted(one.path[len(info.path) :].strip("/") for one in inside if one.type == FileType.File)
    names = [name for name in names if not any(part.startswith(".") for part in name.split("/"))]
    if not names:
        raise InputError(f"{uri}: the folder holds no files")
    for name in names:
        yield RemoteFile(place, f"{info.path.rstrip('/')}/{name}", uri), name, False
