"""What a person decided about names, put over what was found."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.canonicalise.forms import to_id
from kg.model import ConceptType, DecisionKind
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kg.canonicalise.forms import FormKey, Match, Sense
    from kg.model import Decision

__all__ = ["Ruling", "apply_decisions", "find_idle"]


@dataclass(slots=True)
class Ruling:
    """What decisions say about whole concepts, by key."""

    types: dict[str, ConceptType] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)


class _Book:
    """The senses of forms, by folded form and by key."""

    def __init__(self, senses: Mapping[FormKey, Sense]) -> None:
        self.senses = senses
        self.by_fold: dict[str, set[FormKey]] = defaultdict(set)
        self.by_key: dict[str, set[FormKey]] = defaultdict(set)
        for one, sense in senses.items():
            self.by_fold[fold_name(one[0])].add(one)
            self.by_key[sense.key].add(one)

    def find(self, name: str) -> str | None:
        """Return the key of the concept that a name or node id means; none if that is no one or several."""
        folded = fold_name(name)
        key = name.removeprefix("concept:").replace("-", " ") if name.startswith("concept:") else folded
        if self.by_key.get(key):
            return key
        keys = {self.senses[one].key for one in self.by_fold.get(folded, ())}
        return keys.pop() if len(keys) == 1 else None

    def move(self, forms: Iterable[FormKey], key: str, reason: str) -> None:
        """Give forms another key."""
        for one in sorted(forms):
            self.by_key[self.senses[one].key].discard(one)
            self.by_key[key].add(one)
            self.senses[one].move(key, reason)


def apply_decisions(senses: Mapping[FormKey, Sense], decisions: Iterable[Decision]) -> Ruling:
    """Change the senses of forms as decided, one decision after the other, and return what is said of concepts."""
    ruling, book = Ruling(), _Book(senses)
    whole = []
    for one in decisions:
        if one.kind in _MOVES:
            _MOVES[one.kind](book, one)
        else:
            whole.append(one)
    for one in whole:
        key = book.find(one.subject)
        if key is None:
            continue
        if one.kind is DecisionKind.TYPE:
            ruling.types[key] = ConceptType(one.object)
        elif one.kind is DecisionKind.PREFER:
            ruling.labels[key] = one.object
        else:
            ruling.dropped.add(key)
    return ruling


def find_idle(decisions: Iterable[Decision], matches: Iterable[Match]) -> Iterator[tuple[Decision, str]]:
    """Yield the decisions that do nothing, and why: no paper has the name, or it means several things."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for match in matches:
        own = to_id(fold_name(match.surface))
        meanings[own].add(match.concept or own)
        meanings[match.concept].add(match.concept)
    for one in decisions:
        for name in (one.subject, one.object) if one.kind in _MOVES else (one.subject,):
            node = name if name.startswith("concept:") else to_id(fold_name(name))
            found = meanings.get(node, set())
            if not found:
                yield one, f"no paper names {name!r}"
            elif len(found) > 1 and node not in found and one.kind is not DecisionKind.DIFFERENT:
                yield one, f"{name!r} can mean {', '.join(sorted(found))}"


def _join(book: _Book, one: Decision) -> None:
    """Make one concept of two, with the key of the object, if both are there."""
    key, other = book.find(one.subject), book.find(one.object)
    if key is not None and other is not None and key != other:
        book.move(set(book.by_key[key]), other, f"decision: the same as {one.object}")


def _part(book: _Book, one: Decision) -> None:
    """Take one of two names out of a concept that has both, that which did not give it its key."""
    exactly = fold_name(one.subject) == fold_name(one.object)  # "COCO" and "coco"
    subject, other = (_find_forms(book, name, exactly=exactly) for name in (one.subject, one.object))
    shared = {book.senses[form].key for form in subject} & {book.senses[form].key for form in other}
    for key in sorted(shared):
        name, kept, forms = one.subject, one.object, subject
        if fold_name(name) == key and fold_name(kept) != key:
            name, kept, forms = kept, name, other
        folded = fold_name(name)
        own = folded if folded != key else f"{key}~{name.replace(' ', '_')}"
        book.move({form for form in forms if book.senses[form].key == key}, own, f"decision: not {kept}")


def _find_forms(book: _Book, name: str, *, exactly: bool) -> set[FormKey]:
    """Return the forms that are written as a name, exactly or but for what folding takes off; of an id all forms."""
    if name.startswith("concept:"):
        return set(book.by_key.get(name.removeprefix("concept:").replace("-", " "), ()))
    found = book.by_fold.get(fold_name(name), set())
    return {form for form in found if form[0] == name} if exactly else found


_MOVES = {DecisionKind.SAME: _join, DecisionKind.DIFFERENT: _part}
