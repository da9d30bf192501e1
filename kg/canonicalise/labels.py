"""Which of its names a concept is called by."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.canonicalise.forms import is_initialism
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.canonicalise.forms import Form, Known

__all__ = ["choose_label", "choose_long_label"]

_RARE = 0.15  # a spelling in a smaller share of the papers is an oddity


def choose_label(key: str, forms: Sequence[Form], known: Known) -> str:
    """Return the preferred label: the long form, but a coined name that papers live by itself.

    Among spellings the one in most papers wins, then small letters, then the shortest, which
    is the singular. Where papers write the short form only, the curated name is the label.
    """
    counts: Counter[str] = Counter()
    for form in forms:
        counts[form.surface] += form.papers
        counts[form.long or form.surface] += 0
    introduced = any(form.introduced for form in forms)
    short = [one for one in counts if fold_name(one) != key]
    coined = [one for one in short if is_coined(one) and not is_initialism(one)]
    full = [one for one in counts if fold_name(one) == key]
    by_itself = sum(counts[one] for one in coined) >= sum(counts[one] for one in full)
    versioned = any(one in form.long for one in coined for form in forms)
    pool = coined if coined and introduced and by_itself and not versioned else full
    if not pool:
        name = next(filter(None, map(known.find_name, sorted(counts))), None)
        return name.label if name and fold_name(name.label) == key else min(counts, key=lambda one: (-counts[one], one))
    return _best_spelling(pool, counts)


def choose_long_label(key: str, label: str, forms: Sequence[Form]) -> str:
    """Return the label of a concept that shares the first choice with another: its long form, or that in brackets."""
    counts: Counter[str] = Counter()
    for form in forms:
        for name in filter(None, (form.surface, form.long)):
            counts[name] += form.papers
    full = [one for one in counts if fold_name(one) == key and one != label]
    return _best_spelling(full, counts) if full else f"{label} ({key})"


def _best_spelling(pool: Sequence[str], counts: Counter[str]) -> str:
    """Return the spelling that a name is called by."""
    spellings: Counter[str] = Counter()
    for one in pool:
        spellings[one.casefold()] += counts[one]

    def rank(surface: str) -> tuple[int, bool, int, int, str]:
        papers = spellings[surface.casefold()]
        odd = counts[surface] < _RARE * papers
        return -papers, odd, sum(map(str.isupper, surface)), len(surface), surface

    return min(pool, key=rank)
