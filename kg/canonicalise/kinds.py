"""Which concepts are kinds of others: by a modifier before a name, and as sentences and lists say."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kg.canonicalise.forms import Known, Match
    from kg.model import Concept

__all__ = ["Kind", "find_kinds", "without_cycles"]

_PREPOSITIONS = frozenset(
    [
        "across",
        "against",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "over",
        "to",
        "under",
        "using",
        "via",
        "with",
        "without",
    ]
)


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """That one concept is a kind of another, and why."""

    concept: str  # node id
    broader: str  # node id
    reason: str


def find_kinds(concepts: Iterable[Concept], matches: Iterable[Match], known: Known) -> Iterator[Kind]:
    """Yield which concepts are kinds of others: as the curated names say, then by a modifier before a name.

    Decentralized PCA is PCA. The other has the same type, and is that with the longest name.

    Parameters
    ----------
    concepts : iterable of Concept
    matches : iterable of Match
        Whose forms say what a name means, where that is one thing.
    known : Known
        With the curated names.
    """
    by_id = {one.id: one for one in concepts}
    meanings: dict[str, set[str]] = defaultdict(set)
    for match in matches:
        if match.concept in by_id:
            meanings[fold_name(match.surface)].add(match.concept)
    yield from _find_curated(by_id, meanings, known)
    for concept in by_id.values():
        found = None
        for name in sorted({fold_name(one) for one in (concept.label, *concept.alt_labels)}):
            head = _find_head(name, concept, meanings, by_id)
            if head and head[0] in known.nothing:
                continue
            if head and (found is None or len(head[0].split()) > len(found[0].split())):
                found = head
        if found:
            yield Kind(concept.id, found[1], f"{by_id[found[1]].label}, with {found[2]!r} beside it")


def without_cycles(kinds: Iterable[Kind]) -> Iterator[Kind]:
    """Yield kinds in their order, but for those that would make a concept a kind of itself, and repetitions."""
    broader: dict[str, set[str]] = defaultdict(set)
    for kind in kinds:
        if kind.broader in broader[kind.concept] or _reaches(broader, kind.broader, kind.concept):
            continue
        broader[kind.concept].add(kind.broader)
        yield kind


def _find_curated(by_id: Mapping[str, Concept], meanings: Mapping[str, set[str]], known: Known) -> Iterator[Kind]:
    """Yield what the curated names say."""
    for concept in by_id.values():
        name = known.find_name(concept.label)
        if name is None or fold_name(name.label) != concept.id.removeprefix("concept:").replace("-", " "):
            continue
        for broader in name.broader:
            ids = meanings.get(fold_name(broader), set())
            if len(ids) == 1 and concept.id not in ids and by_id[min(ids)].type is concept.type:
                yield Kind(concept.id, min(ids), f"curated: {broader} ({name.source})")


def _reaches(broader: Mapping[str, set[str]], start: str, goal: str) -> bool:
    """Return whether one concept is, over some steps, a kind of another."""
    seen, waiting = set(), [start]
    while waiting:
        one = waiting.pop()
        if one == goal:
            return True
        if one not in seen:
            seen.add(one)
            waiting.extend(broader.get(one, ()))
    return False


def _find_head(
    name: str, concept: Concept, meanings: Mapping[str, set[str]], by_id: Mapping[str, Concept]
) -> tuple[str, str, str] | None:
    """Return the longest end of a name that is another concept's, that concept, and what stands beside it.

    What follows a preposition is no end: a network for code is a network.
    """
    words = name.split()
    stop = next((at for at, word in enumerate(words) if at and word in _PREPOSITIONS), len(words))
    for first in range(stop):
        if first == 0 and stop == len(words):
            continue
        end = " ".join(words[first:stop])
        ids = meanings.get(end, set()) - {concept.id}
        if len(ids) == 1 and concept.id not in meanings.get(end, set()):
            other = by_id[next(iter(ids))]
            if other.type is concept.type:
                return end, other.id, " ".join([*words[:first], *words[stop:]])
    return None
