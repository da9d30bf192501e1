"""Scores as a person reads them, and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from kg.evaluate.merges import MergeScores
from kg.evaluate.relations import RelationScores
from kg.evaluate.spans import SpanScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.evaluate.examples import ExampleScores
    from kg.evaluate.spans import Scores

__all__ = ["format_scores"]


def format_scores(scores: SpanScores | RelationScores | ExampleScores | MergeScores, *, as_json: bool = False) -> str:
    """Return scores as a table, or as JSON on one line.

    The JSON of span scores is ``{"strict": {"precision", "recall", "f1", "gold", "by_type"},
    "untyped": {...}, "overlap": {...}}``; that of others has the fields of
    `ExampleScores`, `RelationScores` and `MergeScores`.
    """
    if isinstance(scores, RelationScores):
        rows = [("relations", scores.relations), *((f"  {one}", each) for one, each in scores.by_predicate.items())]
        rows.append(("untyped", scores.untyped))
        last = f"\ncalibration error {scores.calibration_error:.3f}"
        return json.dumps(asdict(scores)) if as_json else _to_table(rows) + last
    if isinstance(scores, MergeScores):
        rows = [("pairs", scores.pairs), ("b-cubed", scores.b_cubed)]
        return json.dumps(asdict(scores)) if as_json else _to_table(rows)
    if not isinstance(scores, SpanScores):
        values = asdict(scores)
        if as_json:
            return json.dumps(values, ensure_ascii=False)
        faults = values.pop("faults")
        return "\n".join([*faults, *(f"{name.replace('_', ' '):<20}{value:>8}" for name, value in values.items())])
    if as_json:
        strict = asdict(scores.strict) | {"by_type": {str(kind): asdict(one) for kind, one in scores.by_type.items()}}
        return json.dumps({"strict": strict, "untyped": asdict(scores.untyped), "overlap": asdict(scores.overlap)})
    rows = [("strict", scores.strict), *((f"  {kind}", one) for kind, one in scores.by_type.items())]
    rows += [("untyped", scores.untyped), ("overlap", scores.overlap)]
    return _to_table(rows)


def _to_table(rows: Sequence[tuple[str, Scores]]) -> str:
    """Return scores with their names, a row each."""
    return "\n".join([f"{'':<16}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>8}", *(_to_row(*row) for row in rows)])


def _to_row(name: str, scores: Scores) -> str:
    """Return a row of the table."""
    return f"{name:<16}{scores.precision:>10.3f}{scores.recall:>8.3f}{scores.f1:>8.3f}{scores.gold:>8}"
