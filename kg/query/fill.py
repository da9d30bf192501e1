"""Fill a store on disk with the triples of a file; `kg.query.cache` starts this as a program."""

from __future__ import annotations

import sys

import pyoxigraph as ox

__all__ = ["fill"]


def fill(file: str, folder: str) -> None:
    """Read a Turtle file into a store in an empty folder, and have it reach the disk."""
    store = ox.Store(folder)
    store.bulk_load(path=file, format=ox.RdfFormat.TURTLE)
    store.optimize()
    store.flush()


if __name__ == "__main__":
    fill(sys.argv[1], sys.argv[2])
