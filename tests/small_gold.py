"""Annotated sentences that all have one pattern: a method is trained on a data set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def write_gold(path: Path, pairs: Iterable[tuple[str, str]]) -> Path:
    """Write a sentence for each name of a method and of a data set, the first labelled SYSTEM."""
    rows = []
    for name, data in pairs:
        text = f"We train {name} on {data}."
        spans = [[9, 9 + len(name), "SYSTEM"], [text.index(data), text.index(data) + len(data), "Dataset"]]
        rows.append(json.dumps({"text": text, "spans": spans}))
    path.write_text("\n".join(rows), encoding="utf-8")
    return path
