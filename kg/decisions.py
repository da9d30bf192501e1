"""Decisions of people about names, in a table that lasts.

``decisions.tsv`` has the columns ``decision``, ``subject_label``, ``object_label`` and
``comment``. It is written after the SSSOM format for mappings [1]_ and may have its other
columns, which are ignored; lines that start with ``#`` are comments. Decisions count from top
to bottom.

References
----------
.. [1] N. Matentzoglu et al. A Simple Standard for Sharing Ontological Mappings (SSSOM).
   Database, 2022.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.files import open_whole
from kg.model import Decision, DecisionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["DECISIONS", "read_decisions", "write_decisions"]

DECISIONS = "decisions.tsv"  # the file in a graph's folder

_COLUMNS = ("decision", "subject_label", "object_label", "comment")
_HEAD = "# What people decided about names. Every build goes by it, from top to bottom.\n"


def read_decisions(path: Path) -> list[Decision]:
    """Return the decisions in a file, in their order.

    Raises
    ------
    InputError
        If the file can't be read, lacks a column, or a line decides nothing that there is.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path.name}: can't be read ({error.strerror or error})") from error
    except ValueError as error:
        raise InputError(f"{path.name}: can't be read, it is no text in UTF-8 ({error})") from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip() and line[0] != "#"]
    if not lines:
        return []
    header = lines[0][1].rstrip("\r").split("\t")
    if missing := [name for name in _COLUMNS[:2] if name not in header]:
        raise InputError(
            f"{path.name}:{lines[0][0]}: there is no column {missing[0]!r}; it needs {', '.join(_COLUMNS)}"
        )
    return list(_read_rows(path.name, header, lines[1:]))


def write_decisions(decisions: Iterable[Decision], path: Path) -> None:
    """Write decisions to a file; `read_decisions` undone."""
    rows = [(one.kind.value, one.subject, one.object, one.comment) for one in decisions]
    lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in (_COLUMNS, *rows)]
    with open_whole(path) as file:
        file.write((_HEAD + "\n".join(lines) + "\n").encode())


def _read_rows(name: str, header: list[str], lines: Iterable[tuple[int, str]]) -> Iterator[Decision]:
    """Yield the decisions of the lines below a header."""
    for number, line in lines:
        row = dict(zip(header, line.rstrip("\r").split("\t"), strict=False))
        kind = row.get("decision", "").strip().lower()
        if kind not in list(DecisionKind):
            raise InputError(f"{name}:{number}: decision {kind!r} is none of {', '.join(DecisionKind)}")
        cells = (row.get(column, "").strip() for column in ("subject_label", "object_label", "comment"))
        try:
            yield Decision(DecisionKind(kind), *cells)
        except InputError as error:
            raise InputError(f"{name}:{number}: {error}") from error
