"""Places by URI: S3, Google Cloud Storage, and whatever else pyarrow reads.

A network is asked for nothing but what a person names so. What a message or a report shows of a
URI has neither keys nor options.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from kg.errors import InputError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

__all__ = ["explain", "is_uri", "open_place", "to_public"]

_SCHEMES = ("file", "s3", "gs", "gcs", "hdfs", "viewfs", "abfs", "abfss")  # that pyarrow knows
_KEYS = r"[^/?]*@|[^/?]*:(?!\d+/)[^?]*@"  # also a secret with a slash, which is wrong but no less secret
_URI = re.compile(rf"([A-Za-z][A-Za-z0-9+.-]*)://({_KEYS})?([^?]*)(\?.*)?", re.DOTALL)
_AS_IS = "/%:@!$&'()*+,;="  # besides letters, digits and "-._~"; the rest is percent-encoded for people
_PATIENCE = 20  # seconds that Google's library tries; its own choice is 15 minutes


def is_uri(name: str) -> bool:
    """Return whether a name is a URI, unless this machine has a folder that is called like its scheme.

    Examples
    --------
    >>> is_uri("s3://bucket/papers.jsonl"), is_uri("data/papers.jsonl")
    (True, False)
    """
    found = _URI.fullmatch(name)
    return bool(found) and not Path(f"{name.partition(':')[0]}:").exists()


def to_public(name: str) -> str:
    """Return a URI without keys and options, as people may see it, and any other name as it is.

    Examples
    --------
    >>> to_public("s3://key:secret@bucket/papers.jsonl?region=eu-central-1")
    's3://bucket/papers.jsonl'
    """
    found = _URI.fullmatch(name)
    return f"{found[1]}://{found[3]}" if found else name


def open_place(name: str) -> tuple[FileSystem, str]:
    """Return the filesystem of a URI, or of a path of this machine, and the path in it.

    Characters that no URI may have, such as spaces and ``#``, stand for themselves. A question mark
    begins options, as pyarrow documents them.

    Raises
    ------
    InputError
        If pyarrow knows no such place, or can't reach it.
    """
    import pyarrow as pa
    from pyarrow import fs

    found = _URI.fullmatch(name) if is_uri(name) else None
    if not found:
        return fs.LocalFileSystem(), Path(name).absolute().as_posix()
    scheme, user, path, options = found[1].lower(), found[2] or "", found[3], found[4] or ""
    if scheme not in _SCHEMES:
        known = ", ".join(f"{one}://" for one in _SCHEMES)
        raise InputError(f"{to_public(name)}: can't be read from {scheme}://; what can is a path, or {known}")
    if scheme in {"gs", "gcs"} and "retry_limit_seconds=" not in options:
        options += f"{'&' if options else '?'}retry_limit_seconds={_PATIENCE}"
    uri = f"{scheme}://{user}{quote(path, safe=_AS_IS, errors='surrogateescape')}{options}"
    try:
        opened: tuple[FileSystem, str] = fs.FileSystem.from_uri(uri)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = explain(error).replace(uri, to_public(name))
        raise InputError(f"{to_public(name)}: there is no such place, or it can't be reached ({reason})") from error
    if not opened[1]:  # else all buckets that the keys open
        raise InputError(f"{to_public(name)}: names no bucket; write {scheme}://BUCKET/PATH")
    return opened


def explain(error: Exception) -> str:
    """Return what an error says, in one line."""
    said = getattr(error, "strerror", None) or (str(error).splitlines() or [type(error).__name__])[0]
    return str(said).partition(" error_info=")[0]
