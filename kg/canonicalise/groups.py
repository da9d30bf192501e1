"""What the forms that share a key say together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.canonicalise.senses import most_common_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.canonicalise.forms import Form
    from kg.model import ConceptType

__all__ = ["count_mentions", "count_papers", "is_clear", "to_type"]

_CLEAR = 0.8  # share of mentions that must have the type


def count_mentions(forms: Sequence[Form]) -> int:
    """Return the sum of the mentions of forms."""
    return sum(form.mentions for form in forms)


def to_type(forms: Sequence[Form]) -> ConceptType:
    """Return the type of most mentions."""
    return most_common_type(_count_types(forms))


def is_clear(forms: Sequence[Form], kind: ConceptType) -> bool:
    """Return whether nearly all mentions have a type."""
    types = _count_types(forms)
    return types[kind] >= _CLEAR * types.total()


def _count_types(forms: Sequence[Form]) -> Counter[ConceptType]:
    """Return the mentions of each type."""
    types: Counter[ConceptType] = Counter()
    for form in forms:
        types[form.type] += form.mentions
    return types


def count_papers(forms: Sequence[Form]) -> int:
    """Return the sum of the papers of forms."""
    return sum(form.papers for form in forms)
