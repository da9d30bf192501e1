"""Scores as a person reads them, and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from kg.evaluate.merges import MergeScores
from kg.evaluate.papers import PaperScores
from kg.evaluate.relations import RelationScores
from kg.evaluate.spans import SpanScores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.evaluate.examples import ExampleScores
    from kg.evaluate.spans import Scores

    AnyScores = SpanScores | RelationScores | PaperScores | ExampleScores | MergeScores

__all__ = ["format_scores"]


def format_scores(scores: AnyScores, *, as_json: bool = False) -> str:
    """Return scores as a table, or as JSON on one line.

    The JSON of span scores is ``{"strict": {"precision", "recall", "f1", "gold", "by_type"},
    "untyped": {...}, "overlap": {...}}``; that of others has their fields.
    """
    if as_json:
        return json.dumps(_to_json(scores), ensure_ascii=False)
    if isinstance(scores, SpanScores):
        rows = [("strict", scores.strict), *((f"  {kind}", one) for kind, one in scores.by_type.items())]
        return _to_table([*rows, ("untyped", scores.untyped), ("overlap", scores.overlap)])
    if isinstance(scores, RelationScores):
        rows = [("relations", scores.relations), *((f"  {one}", each) for one, each in scores.by_predicate.items())]
        table = _to_table([*rows, ("untyped", scores.untyped)])
        return f"{table}\ncalibration error {scores.calibration_error:.3f}"
    if isinstance(scores, MergeScores):
        return _to_table([("pairs", scores.pairs), ("b-cubed", scores.b_cubed)])
    return _to_recalls(scores) if isinstance(scores, PaperScores) else _to_list(scores)


def _to_json(scores: AnyScores) -> dict[str, object]:
    """Return scores as JSON has them."""
    if not isinstance(scores, SpanScores):
        return asdict(scores)
    strict = asdict(scores.strict) | {"by_type": {str(kind): asdict(one) for kind, one in scores.by_type.items()}}
    return {"strict": strict, "untyped": asdict(scores.untyped), "overlap": asdict(scores.overlap)}


def _to_table(rows: Sequence[tuple[str, Scores]]) -> str:
    """Return scores with their names, a row each."""
    return "\n".join([f"{'':<16}{'precision':>10}{'recall':>8}{'F1':>8}{'gold':>8}", *(_to_row(*row) for row in rows)])


def _to_row(name: str, scores: Scores) -> str:
    """Return a row of the table."""
    return f"{name:<16}{scores.precision:>10.3f}{scores.recall:>8.3f}{scores.f1:>8.3f}{scores.gold:>8}"


def _to_recalls(scores: PaperScores) -> str:
    """Return the recall of listed names as a table."""
    lines = [f"{'':<12}{'named in the text':>20}{'gold':>8}{'recall':>8}{'gold':>8}"]
    for name, one in [("all", scores.total), *((str(kind), one) for kind, one in scores.by_type.items())]:
        lines.append(f"{name:<12}{one.named:>20.3f}{one.named_gold:>8}{one.all:>8.3f}{one.all_gold:>8}")
    return "\n".join(lines)


def _to_list(scores: ExampleScores) -> str:
    """Return the faults that worked examples show, and the scores, a line each."""
    values = asdict(scores)
    faults = values.pop("faults")
    return "\n".join([*faults, *(f"{name.replace('_', ' '):<20}{value:>8}" for name, value in values.items())])
