"""The manifest, by which the files that belong together are there and unchanged."""

from __future__ import annotations

import hashlib
import json
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kg.check.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["check_manifest"]

_MANIFEST = "manifest.json"
_EXPECTED = (
    "graph.graphml", "graph.html", "graph.json", "graph.ttl", "mentions.nt.gz", "report.json",
    "store/concepts.parquet", "store/mentions.parquet", "store/papers.parquet", "store/relations.parquet",
)  # fmt: skip


def check_manifest(folder: Path) -> Iterator[Finding]:
    """Yield files that are missing, changed or not listed."""
    path = folder / _MANIFEST
    if not path.is_file():
        yield Finding(_MANIFEST, "is missing")
        return
    files = _read_files(path)
    if files is None:
        yield Finding(_MANIFEST, 'is not JSON with an object "files" from names to SHA-256 digests')
        return
    for name, digest in sorted(files.items()):
        yield from _check_file(folder, name, digest)
    for name in _EXPECTED:
        if name not in files:
            yield Finding(_MANIFEST, f"does not list {name}")


def _read_files(path: Path) -> dict[str, str] | None:
    """Return the digests by name, or nothing if the manifest does not read so."""
    try:
        manifest = json.loads(path.read_bytes())
    except ValueError:
        return None
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        return None
    return files


def _check_file(folder: Path, name: str, digest: str) -> Iterator[Finding]:
    """Yield what is wrong with one listed file."""
    listed = PurePosixPath(name)
    if listed.is_absolute() or ".." in listed.parts:
        yield Finding(_MANIFEST, f"lists {name!r}, which is outside of the folder")
        return
    path = folder / listed
    if not path.is_file():
        yield Finding(name, "is missing, and the manifest lists it")
        return
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != digest:
            yield Finding(name, "is not the file that the manifest lists; it was changed, or is of another build")
