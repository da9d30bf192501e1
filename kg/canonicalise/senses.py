"""What each form means, taken by itself: by its own paper, a curated name, the corpus, or its spelling.

A short form means what its own paper defines. A bare one means what a curated list says,
unless papers of the corpus define it otherwise; then it means what nearly all of them say, and
if they disagree it stays on its own. The votes for and against stand in the reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from kg.canonicalise.forms import Sense
from kg.canonicalise.stems import to_stems
from kg.model import ConceptType
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kg.canonicalise.forms import Form, Known

__all__ = ["find_senses", "most_common_type"]

_CLEAR = 0.8  # share of the papers that define a short form in which it must mean the same
_NAMED = 4  # meanings that a reason names

_Plain: TypeAlias = "Mapping[str, tuple[str, str]]"  # a form to its key by lists and spelling, and why


@dataclass(slots=True)
class _Meanings:
    """What papers define a short form to mean: keys with the number of papers, and their types."""

    votes: Counter[str] = field(default_factory=Counter)
    types: dict[str, Counter[ConceptType]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def best(self) -> str:
        """Return the meaning that most papers define."""
        return min(self.votes, key=lambda key: (-self.votes[key], key))

    def is_clear(self, key: str) -> bool:
        """Return whether a meaning has nearly all votes."""
        return self.votes[key] >= _CLEAR * self.votes.total()

    def add(self, key: str, form: Form) -> None:
        """Count the papers in which a form means something."""
        self.votes[key] += form.papers
        self.types[key][form.type] += form.mentions

    def describe(self, *, but: str = "") -> str:
        """Return the meanings with their papers, most papers first."""
        ranked = sorted((-papers, key) for key, papers in self.votes.items() if key != but)
        named = [f"{key} ({-papers})" for papers, key in ranked[:_NAMED]]
        return ", ".join([*named, *(["…"] if len(ranked) > _NAMED else [])])


def find_senses(forms: Sequence[Form], known: Known) -> dict[tuple[str, str], Sense]:
    """Return what each form means by itself, and why, by surface and long form.

    Parameters
    ----------
    forms : sequence of Form
        Sorted.
    known : Known
    """
    texts = {text for one in forms for text in (one.surface, one.long) if text}
    plain = {text: _to_plain(text, known) for text in sorted(texts)}
    alike = _find_alike(forms, plain)
    plain = {text: _follow(key, reason, alike) for text, (key, reason) in plain.items()}
    meanings: dict[str, _Meanings] = defaultdict(_Meanings)
    for form in forms:
        if _defines(form):
            meanings[fold_name(form.surface)].add(plain[form.long][0], form)
    bare: dict[str, Counter[ConceptType]] = defaultdict(Counter)
    for form in forms:
        if not form.long:
            bare[form.surface][form.type] += form.mentions
    return {
        (form.surface, form.long): _to_sense(form, plain, meanings.get(fold_name(form.surface)), bare[form.surface])
        for form in forms
    }


def most_common_type(types: Mapping[ConceptType, int]) -> ConceptType:
    """Return the type with most mentions; of equal ones the first by name."""
    return max(sorted(types), key=lambda one: types[one])


def _defines(form: Form) -> bool:
    """Return whether a form's paper spells it out; "Llama" for "Llama 2" in one paper says nothing of others."""
    return bool(form.long) and not fold_name(form.long).startswith(fold_name(form.surface) + " ")


def _to_plain(text: str, known: Known) -> tuple[str, str]:
    """Return the key of a form by the curated names, else by itself, and why."""
    name = known.find_name(text)
    if name is not None:
        return fold_name(name.label), f"curated name: {name.label} ({name.source})"
    return fold_name(text), "folded form"


def _follow(key: str, reason: str, alike: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Return a key and its reason, with what the key is only another spelling of."""
    if key not in alike:
        return key, reason
    other, short = alike[key]
    return other, f"{reason}; spelled like {other}, which {short} stands for too"


def _find_alike(forms: Sequence[Form], plain: _Plain) -> dict[str, tuple[str, str]]:
    """Return which long forms of one short form are the same but for endings of words, and of which short form.

    "Low-rank adaption" is "low-rank adaptation" where LoRA stands for both; "recursive" and
    "recurrent" neural networks have other stems.
    """
    found: dict[tuple[str, tuple[str, ...]], _Meanings] = defaultdict(_Meanings)
    for form in forms:
        if _defines(form):
            key = plain[form.long][0]
            found[fold_name(form.surface), to_stems(key)].add(key, form)
    own: dict[str, Counter[ConceptType]] = defaultdict(Counter)
    for form in forms:
        if not form.long:
            own[plain[form.surface][0]][form.type] += form.mentions
    alike: dict[str, tuple[str, str]] = {}
    for (short, _), meanings in sorted(found.items()):
        best = meanings.best
        kinds = {key: most_common_type(own[key] or meanings.types[key]) for key in meanings.votes}
        for key in sorted(meanings.votes):
            if key != best and kinds[key] is kinds[best] and best not in alike:
                alike.setdefault(key, (best, short))
    return {key: (best, short) for key, (best, short) in alike.items() if best not in alike}


def _to_sense(form: Form, plain: _Plain, meanings: _Meanings | None, types: Mapping[ConceptType, int]) -> Sense:
    """Return what one form means."""
    if form.long:
        key, reason = plain[form.long]
        more = reason.partition("; ")[2]
        return Sense(key, [f"defined in the same paper: {form.long}", *([more] if more else [])])
    key, reason = plain[form.surface]
    if meanings is None:
        return Sense(key, [reason])
    if key in meanings.votes and meanings.is_clear(key):
        return Sense(key, [reason])
    if key not in meanings.votes and reason.startswith("curated"):
        return Sense(key, [f"{reason}, but papers here define it as {meanings.describe()}"])
    return Sense(*_to_vote(fold_name(form.surface), meanings, types))


def _to_vote(folded: str, meanings: _Meanings, types: Mapping[ConceptType, int]) -> tuple[str, list[str]]:
    """Return what a bare short form means by the papers that define it, and why."""
    best = meanings.best
    if not meanings.is_clear(best):
        some = f"short form with {len(meanings.votes)} meanings here, none of them clear"
        return folded, [f"{some}: {meanings.describe()}"]
    meant, bare = most_common_type(meanings.types[best]), most_common_type(types)
    if (meant is ConceptType.DATASET) != (bare is ConceptType.DATASET):
        return folded, [f"a {bare}, and not the {meant} that papers define it as: {meanings.describe()}"]
    votes = f"short form that {meanings.votes[best]} of {meanings.votes.total()} papers define so"
    against = meanings.describe(but=best)
    return best, [f"{votes}; others: {against}" if against else votes]
