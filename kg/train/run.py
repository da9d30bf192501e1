"""A training run: where it keeps its state, and how its model gets in place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import ExportError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["describe_model", "finish", "prepare"]

_FACTS = "training.json"


def prepare(out: Path, facts: Mapping[str, object]) -> Path:
    """Return the work folder beside the model's, with what a run with the same facts left there.

    Raises
    ------
    ExportError
        If `out` holds something else than a model of ours, or the folder can't be written.
    """
    if out.exists() and not (out / _FACTS).is_file():
        raise ExportError(f"{str(out)!r} is there and holds no model of ours; name a new folder with --out")
    work = out.absolute().with_name(f".{out.name}.training")
    try:
        known = json.loads((work / _FACTS).read_text(encoding="utf-8")) if (work / _FACTS).is_file() else None
        if known != facts:
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            _write_json(facts, work / _FACTS)
    except (OSError, ValueError) as error:
        raise ExportError(f"{str(work)!r} can't be written: {error}") from error
    return work


def describe_model(name: str | None) -> object:
    """Return what a model is called, and if we trained it, on what."""
    path = Path(name or "") / _FACTS
    return [path.parent.name, json.loads(path.read_text(encoding="utf-8"))] if name and path.is_file() else name


def finish(work: Path, model: Path, out: Path, scores: Mapping[str, float]) -> None:
    """Put a model that lies in the work folder in its place, with facts and scores, and clear the folder away."""
    facts = json.loads((work / _FACTS).read_text(encoding="utf-8"))
    _write_json({**facts, "held_out_scores": scores}, model / _FACTS)
    shutil.rmtree(out, ignore_errors=True)
    model.rename(out)
    shutil.rmtree(work)


def _write_json(value: Mapping[str, object], path: Path) -> None:
    """Write a value as readable JSON."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")
