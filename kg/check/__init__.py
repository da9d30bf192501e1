"""Checks of a graph folder: that what it says holds, and that its files say the same.

`check` looks at the manifest, at what the tables say, at whether the tables and the files
made from them hold the same papers, concepts and relations, and at ``graph.ttl`` against
the shapes and the conditions of SKOS. A folder that a build wrote has no findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.check.contents import find_differences
from kg.check.finding import Finding
from kg.check.manifest import check_manifest
from kg.check.tables import check_tables, read_tables
from kg.check.triples import check_triples, read_triples
from kg.errors import GraphError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Finding", "check"]


def check(folder: Path) -> list[Finding]:
    """Return what is wrong with a graph folder, sorted by file; nothing if it is whole.

    Raises
    ------
    GraphError
        If there is no such folder.
    """
    if not folder.is_dir():
        raise GraphError(f"there is no folder {str(folder)!r}; 'kg build PAPERS --out DIR' makes one")
    findings = [*check_manifest(folder)]
    kg, faults = read_tables(folder)
    findings += faults
    triples, faults = read_triples(folder)
    findings += faults
    if kg is not None:
        findings += check_tables(kg)
        findings += find_differences(folder, kg, triples)
    if triples is not None:
        findings += check_triples(triples, folder)
    return sorted(set(findings))
