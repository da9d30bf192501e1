"""Files and streams as lines of text, whatever their packing and encoding."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kg.errors import InputError
from kg.model import Skip
from kg.places import explain, is_uri
from kg.read.remote import RemoteFile, find_remote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import WriteableBuffer

    from kg.model import Paper

__all__ = [
    "HEAD",
    "LONGEST_LINE",
    "Reader",
    "decode_head",
    "find_encoding",
    "find_files",
    "open_source",
    "read_lines",
    "read_text",
]

HEAD = 65_536  # bytes by which a format is recognised
LONGEST_LINE = 10_000_000  # bytes

_GZIP = b"\x1f\x8b"
_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32"}
_ENCODINGS = ("cp1252", "gb18030", "cp1251", "big5", "shift_jis", "euc_kr")  # that files are in besides UTF
_MARKS |= {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass(frozen=True, slots=True)
class Reader:
    """A format: whether a file's first bytes are of it, and the papers of such a file."""

    sniff: Callable[[bytes], bool]
    read: Callable[[BinaryIO, str, Callable[[Skip], None]], Iterator[Paper | Skip]]
    name: Callable[[bytes], str] | None = None  # which of several formats, by the first bytes


def find_files(source: Path | str) -> Iterator[tuple[Path | RemoteFile | None, str, bool]]:
    """Yield path, name and whether it was given itself, for a file, each file of a folder, or those a pattern finds.

    Standard input has no path. A string may be a URI.
    """
    if isinstance(source, str) and is_uri(source):
        yield from find_remote(source)
        return
    if str(source) == "-":
        yield None, "standard input", True
        return
    path = Path(source)
    if any(sign in str(source) for sign in "*?[") and not path.exists():
        found = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not found:
            raise InputError(f"{source}: no file is called so")
        for one in found:
            yield from find_files(one)
        return
    if not path.is_dir():
        yield path, path.name or str(source), True
        return
    inside = sorted(_walk(path))
    if not inside:
        raise InputError(f"{path.name or str(source)}: the folder holds no files")
    for name in inside:
        yield path / name, name, False


def _walk(folder: Path) -> Iterator[str]:
    """Yield the paths in a folder of all files that are not hidden, with slashes."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(place, name)
            if not name.startswith(".") and path.is_file():
                yield path.relative_to(folder).as_posix()


@contextmanager
def open_source(path: Path | RemoteFile | None, name: str) -> Iterator[tuple[bytes, BinaryIO]]:
    """Open a file, or standard input, and give its first bytes and all of it, unpacked.

    Raises
    ------
    InputError
        If it is missing, empty, not readable, or a damaged gzip.
    """
    try:
        with _open(path, name) as file:
            head, stream = _peek(file)
            if head.startswith(_GZIP):
                head, stream = _peek(gzip.GzipFile(fileobj=stream))
            if not head:
                raise InputError(f"{name}: the file is empty")
            yield head, stream
    except FileNotFoundError as error:
        raise InputError(f"{name}: there is no such file") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{name}: the gzip file is damaged or cut off ({error})") from error
    except OSError as error:
        raise InputError(f"{name}: can't be read ({explain(error)})") from error


def _open(path: Path | RemoteFile | None, name: str) -> AbstractContextManager[BinaryIO]:
    """Open a file, or lend standard input, for bytes."""
    if path is None:
        return nullcontext(sys.stdin.buffer)
    try:
        return path.open("rb")
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{name!r}: can't be the name of a file ({error})") from error


def _peek(stream: BinaryIO | gzip.GzipFile) -> tuple[bytes, BinaryIO]:
    """Return the first bytes of a stream, and a stream that has them still."""
    head = b""
    while len(head) < HEAD and (more := stream.read(HEAD - len(head))):
        head += more
    return head, io.BufferedReader(_Joined(head, stream), HEAD)


class _Joined(io.RawIOBase):
    """A stream put together from bytes that were read and the rest."""

    def __init__(self, head: bytes, rest: BinaryIO | gzip.GzipFile) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer with the next bytes."""
        view = memoryview(buffer).cast("B")
        piece = self._head[: len(view)] or self._rest.read(len(view))
        self._head = self._head[len(piece) :]
        view[: len(piece)] = piece
        return len(piece)


def decode_head(head: bytes) -> str:
    """Return the text that a file starts with, or nothing where it is binary."""
    encoding = find_encoding(head)
    if encoding == "utf-8" and b"\0" in head:
        return ""
    return head.decode(encoding, "replace").lstrip("\ufeff")


def read_lines(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[tuple[int, str | None]]:
    """Yield the number and text of each line, split at line feeds only, without them.

    A line that is not UTF-8 (or UTF-16, by its mark or its zero bytes) is read as
    Windows-1252, with a warning. A line of more than `LONGEST_LINE` bytes gives None.
    """
    stream = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(_Joined(b"", stream), HEAD)
    encoding = find_encoding(stream.peek(HEAD))
    if encoding != "utf-8":
        text = io.TextIOWrapper(stream, encoding, errors="replace", newline="\n")
        lines: Iterator[str | bytes] = iter(lambda: text.readline(LONGEST_LINE + 1), "")
    else:
        lines = iter(lambda: stream.readline(LONGEST_LINE + 1), b"")
    number, is_rest = 1, False
    for line in lines:
        feed = b"\n" if isinstance(line, bytes) else "\n"
        is_whole = line[-1:] == feed or len(line) <= LONGEST_LINE
        if not is_rest:
            yield number, _decode(line, number, name, warn) if is_whole else None
        is_rest = not is_whole
        number += is_whole


def read_text(stream: BinaryIO, name: str, limit: int, warn: Callable[[Skip], None]) -> str:
    """Return all of a stream as text, decoded like a line.

    Raises
    ------
    InputError
        If it is longer than `limit` bytes.
    """
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise InputError(f"{name}: more than {limit:,} bytes in one document; split it")
    encoding = find_encoding(content[:HEAD])
    if encoding == "utf-8":
        with suppress(UnicodeDecodeError):
            return content.decode("utf-8").removeprefix("\ufeff")
        encoding = _guess_encoding(content)
        warn(Skip(name, 1, f"not UTF-8; read as {encoding}"))
    return content.decode(encoding, "replace").removeprefix("\ufeff")


def _guess_encoding(content: bytes) -> str:
    """Return the encoding of a text that is not UTF-8, by what it then says."""
    from charset_normalizer import from_bytes

    odd = next((at for at, byte in enumerate(content) if byte > 0x7F), 0)
    best = from_bytes(content[max(0, odd - 500) : odd + 20_000], cp_isolation=list(_ENCODINGS)).best()
    return best.encoding if best else "cp1252"


def _decode(line: str | bytes, number: int, name: str, warn: Callable[[Skip], None]) -> str:
    """Return a line as text, without line end and byte order mark."""
    if isinstance(line, bytes):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            warn(Skip(name, number, "not UTF-8; read as Windows-1252"))
            text = line.decode("cp1252", "replace")
    else:
        text = line
    return text.removesuffix("\n").removesuffix("\r").removeprefix("\ufeff" if number == 1 else "")


def find_encoding(head: bytes) -> str:
    """Return the encoding that the first bytes of a file show."""
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    sample = head[:1000]
    if len(sample) >= 4 and b"\0" in sample:
        for first, encoding in ((0, "utf-16-be"), (1, "utf-16-le")):
            if sample[first::2].count(0) > len(sample) // 3 and not sample[1 - first :: 2].count(0):
                return encoding
    return "utf-8"
