"""What a person does about names: look at pairs that may be one, decide, see what changes."""

from __future__ import annotations

from kg.curate.decide import compare, decide
from kg.curate.suggest import Lookalike, find_lookalikes, format_lookalikes

__all__ = ["Lookalike", "compare", "decide", "find_lookalikes", "format_lookalikes"]
