"""What canonicalisation is given and what it decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Set
    from typing import TypeAlias

    from kg.model import ConceptType
    from kg.names import Name

    FormKey: TypeAlias = tuple[str, str, bool]

__all__ = ["Form", "Known", "Match", "Sense", "is_initialism", "to_id"]

_LONGEST_INITIALISM = 5  # characters, a plural s among them


@dataclass(frozen=True, slots=True, order=True)
class Form:
    """A surface form in one sense, with what the mentions say of it."""

    surface: str
    long: str  # the long form that its papers define for it, or ""
    type: ConceptType
    mentions: int
    papers: int
    introduced: int  # mentions that introduce it
    own: bool = False  # whether these are the papers that introduce something under this name

    @property
    def key(self) -> FormKey:
        """Return what a match is about: the form but for its types and counts."""
        return self.surface, self.long, self.own


@dataclass(frozen=True, slots=True, order=True)
class Match:
    """The decision that a surface form means a concept, and why."""

    surface: str
    long: str
    own: bool
    concept: str  # node id, or "" where the form is dropped
    reason: str


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beforehand."""

    find_name: Callable[[str], Name | None]  # the curated name that a surface form is a spelling of
    # By noun and type: after which names ("coined", "words" or "any") it adds nothing.
    empty_heads: Mapping[tuple[str, str], str] = field(default_factory=dict)
    nothing: Set[str] = frozenset()  # folded, what names no concept by itself


@dataclass(slots=True)
class Sense:
    """What identifies the concept that a form means, as far as is decided, and why."""

    key: str
    reasons: list[str]

    def move(self, key: str, reason: str) -> None:
        """Take another key, for one reason more."""
        self.key = key
        self.reasons.append(reason)


def to_id(key: str) -> str:
    """Return the node id of a concept; one to one, since a folded form has no hyphen."""
    return "concept:" + key.replace(" ", "-")


def is_initialism(surface: str) -> bool:
    """Return whether a form is a few capitals, but for a plural s: LLMs, PCA; ELECTRA is a name."""
    return surface.rstrip("s").isupper() and len(surface) <= _LONGEST_INITIALISM
