"""Object stores on this machine: servers that speak S3 and Google Cloud Storage."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import fs

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVERS = {  # command, the package it comes with, a URI
    "s3": ("moto_server -H 127.0.0.1 -p {port}", "moto[s3] flask flask-cors", "s3://key:secret@{path}?scheme=http"),
    "gs": (
        "gcp-storage-emulator start --in-memory --default-bucket=papers --host=127.0.0.1 --port={port}",
        "gcp-storage-emulator",
        "gs://anonymous@{path}?scheme=http&retry_limit_seconds=5",
    ),
}


@dataclass(frozen=True, slots=True)
class Store:
    """A server of objects with the bucket ``papers``."""

    kind: str
    port: int

    def name(self, path: str) -> str:
        """Return the URI of a bucket and what is in it, with keys and options."""
        return f"{SERVERS[self.kind][2].format(path=path)}&endpoint_override=127.0.0.1:{self.port}"

    def put(self, path: str, content: bytes) -> None:
        """Write an object."""
        files, _ = fs.FileSystem.from_uri(self.name("papers"))
        with files.open_output_stream(path, compression=None) as file:
            file.write(content)

    def list(self, path: str) -> list[str]:
        """Return the paths of all objects below a path."""
        files, _ = fs.FileSystem.from_uri(self.name("papers"))
        inside = files.get_file_info(fs.FileSelector(path, recursive=True, allow_not_found=True))
        return sorted(one.path for one in inside if one.type == fs.FileType.File)


@contextmanager
def run_store(kind: str) -> Iterator[Store]:
    """Run a server, or skip the test if it is not installed."""
    command, package, _ = SERVERS[kind]
    program, *rest = command.split()
    where = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if not (found := shutil.which(program, path=where)):
        pytest.skip(f"{program} is not installed; pip install {package}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        store = Store(kind, free.getsockname()[1])
    arguments = [one.format(port=store.port) for one in rest]
    server = subprocess.Popen([found, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(store.port)
        if kind == "s3":
            fs.FileSystem.from_uri(f"{store.name('papers')}&allow_bucket_creation=true")[0].create_dir("papers")
        yield store
    finally:
        server.terminate()
        server.wait(10)


def _wait(port: int) -> None:
    """Wait until a port of this machine answers."""
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"nothing answers on port {port}")
