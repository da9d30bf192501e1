"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MOST", "Finding", "limit"]

MOST = 100  # findings of one kind that are told one by one


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A fault of a graph folder.

    Examples
    --------
    >>> print(Finding("graph.json", "is missing"))
    graph.json: is missing
    """

    file: str  # relative to the folder
    fault: str

    def __str__(self) -> str:
        """Return the line that a person reads."""
        return f"{self.file}: {self.fault}"


def limit(findings: Iterable[Finding], file: str, kind: str) -> list[Finding]:
    """Return the first of many findings of a kind, and a line that says there are more."""
    found = list(islice(findings, MOST + 1))
    if len(found) > MOST:
        found[MOST] = Finding(file, f"{kind}: more than {MOST} faults; the rest are not listed")
    return found
