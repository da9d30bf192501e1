"""The command line: one verb, one public function."""

from __future__ import annotations

from kg.cli import curate, graphs, models, papers, queries, read, serving, walks  # noqa: F401  they add their verbs
from kg.cli.common import main

__all__ = ["main"]
