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
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    from kg.canonicalise.forms import Form, FormKey, Known

__all__ = ["find_senses", "most_common_type"]

_CLEAR = 0.8  # share of the papers that define a short form in which it must mean the same
_CLEARER, _SHORT = 0.9, 2  # the same for short forms of so many letters
_MANY = 3  # papers that define a short form, from which on others may mean the same
_ATTESTED = 5  # papers that write a meaning out, with which two that define it are enough
_BEYOND_DOUBT = 10  # papers that define a short form, so that one that introduces it means the same
_NAMED = 4  # meanings that a reason names

_Plain: TypeAlias = "Mapping[str, tuple[str, str]]"  # a form to its key by lists and spelling, and why


@dataclass(slots=True)
class _Meanings:
    """What papers define a short form to mean: keys with the number of papers, and their types."""

    votes: Counter[str] = field(default_factory=Counter)
    papers: Counter[str] = field(default_factory=Counter)  # in which keys are written out without the short form
    writings: set[str] = field(default_factory=set)  # of the short form
    singular: set[str] = field(default_factory=set)  # the same without a final s
    types: dict[str, Counter[ConceptType]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def best(self) -> str:
        """Return the meaning that most papers define."""
        return min(self.votes, key=lambda key: (-self.votes[key], key))

    def is_clear(self, key: str) -> bool:
        """Return whether a meaning has nearly all votes; two letters stand for more things than three."""
        share = _CLEAR if max(map(len, self.singular)) > _SHORT else _CLEARER
        return self.votes[key] >= share * self.votes.total()

    def has(self, surface: str) -> bool:
        """Return whether papers that define the short form write it so; in two letters the plural counts."""
        return surface in self.writings or (len(surface) > _SHORT + 1 and surface.rstrip("s") in self.singular)

    def is_sure(self, key: str) -> bool:
        """Return whether enough papers say so: three, or two of something that many write out."""
        return self.votes[key] >= _MANY or (self.votes[key] > 1 and self.papers[key] >= _ATTESTED)

    def add(self, key: str, form: Form) -> None:
        """Count the papers in which a form means something."""
        self.writings.add(form.surface)
        self.singular.add(form.surface.rstrip("s"))
        self.votes[key] += form.papers
        self.types[key][form.type] += form.mentions

    def describe(self, *, but: str = "") -> str:
        """Return the meanings with their papers, most papers first."""
        ranked = sorted((-papers, key) for key, papers in self.votes.items() if key != but)
        named = [f"{key} ({-papers})" for papers, key in ranked[:_NAMED]]
        return ", ".join([*named, *(["…"] if len(ranked) > _NAMED else [])])


def find_senses(forms: Sequence[Form], known: Known) -> dict[FormKey, Sense]:
    """Return what each form means by itself, and why.

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
    types: dict[str, Counter[ConceptType]] = defaultdict(Counter)
    papers: Counter[str] = Counter()
    for form in forms:
        if _defines(form):
            meanings[fold_name(form.surface)].add(plain[form.long][0], form)
        if not form.long:
            types[form.surface][form.type] += form.mentions
            papers[plain[form.surface][0]] += form.papers
    for one in meanings.values():
        one.papers = papers
    curated = {key for key, reason in plain.values() if reason.startswith("curated")}
    return {
        form.key: _to_new(form, plain, curated)
        or _to_sense(form, plain, meanings.get(fold_name(form.surface)), types[form.surface])
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
    papers: Counter[str] = Counter()
    for form in forms:
        if not form.long:
            own[plain[form.surface][0]][form.type] += form.mentions
            papers[plain[form.surface][0]] += form.papers
    alike: dict[str, tuple[str, str]] = {}
    for (short, _), meanings in sorted(found.items()):
        best = min(meanings.votes, key=lambda key: (-papers[key], -meanings.votes[key], key))
        kinds = {key: most_common_type(own[key] or meanings.types[key]) for key in meanings.votes}
        for key in sorted(meanings.votes):
            if key != best and kinds[key] is kinds[best] and best not in alike:
                alike.setdefault(key, (best, short))
    return {key: (best, short) for key, (best, short) in alike.items() if best not in alike}


def _to_new(form: Form, plain: _Plain, curated: Set[str]) -> Sense | None:
    """Return the sense of a new name that is written like a curated one but for capitals: AdaM, not Adam."""
    key, reason = plain[form.surface]
    spelled = is_coined(form.surface) and not form.surface.rstrip("s").isupper()
    if form.long or not form.own or not spelled or key not in curated or reason.startswith("curated"):
        return None
    return Sense(f"{key}~{form.surface}", [f"introduced under this name, which is written otherwise than {key}"])


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
    return Sense(*_to_vote(form, meanings, types))


def _to_vote(form: Form, meanings: _Meanings, types: Mapping[ConceptType, int]) -> tuple[str, list[str]]:
    """Return what a bare short form means by the papers that define it, and why."""
    folded, best = fold_name(form.surface), meanings.best
    if not meanings.is_clear(best):
        some = f"short form with {len(meanings.votes)} meanings here, none of them clear"
        return folded, [f"{some}: {meanings.describe()}"]
    votes = f"{meanings.votes[best]} of {meanings.votes.total()} papers define so"
    if not meanings.has(form.surface):
        return folded, [f"written otherwise than the short form that papers define: {meanings.describe()}"]
    if form.own and meanings.votes[best] < _BEYOND_DOUBT:
        return folded, [f"introduced under this name, which elsewhere is short: {meanings.describe()}"]
    if not meanings.is_sure(best):
        return folded, [f"short form that too few papers define to tell: {meanings.describe()}"]
    meant, bare = most_common_type(meanings.types[best]), most_common_type(types)
    if (meant is ConceptType.DATASET) != (bare is ConceptType.DATASET):
        return folded, [f"a {bare}, and not the {meant} that papers define it as: {meanings.describe()}"]
    against = meanings.describe(but=best)
    return best, [f"short form that {votes}; others: {against}" if against else f"short form that {votes}"]
