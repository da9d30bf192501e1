"""Papers and their passages."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field

from kg.errors import InputError
from kg.model.terms import Section

__all__ = ["Paper", "Passage"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: what is read, and a node of the graph.

    An empty `id` is replaced by one made from the content; a given id is kept and gets the
    prefix ``paper:`` where it lacks it.

    Examples
    --------
    >>> Paper(id="W2741809807", title="Topic models").id
    'paper:W2741809807'
    >>> Paper(title="Topic models").id
    'paper:topic-models-843f3fe4'
    """

    id: str = ""
    title: str = ""
    abstract: str = ""
    year: int | None = None
    venue: str = ""
    authors: tuple[str, ...] = ()
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    label: str = ""  # what a person reads; the title unless there is none
    # File and line where it was read: to say where, no part of what the paper is.
    origin: tuple[str, int] = field(default=("", 0), compare=False, repr=False)

    def __post_init__(self) -> None:
        local = self.id.removeprefix("paper:").strip()
        if not local and self.doi:
            local = self.doi
        if not local:
            local = _content_id(self.title, self.abstract)
        object.__setattr__(self, "id", f"paper:{local}")
        if not self.label:
            object.__setattr__(self, "label", self.title or _first_words(self.abstract) or local)
        if self.year is not None and not 1000 <= self.year <= 2999:
            raise InputError(f"year {self.year!r} of {self.id!r} is not between 1000 and 2999")

    @property
    def content_hash(self) -> str:
        """Return 16 hex digits that change when anything that was given changes."""
        fields = (self.id, self.title, self.abstract, str(self.year), self.venue, self.doi, self.url)
        return _hash("\x1f".join((*fields, *self.authors, "\x1e", *self.keywords)), 16)

    @property
    def text_hash(self) -> str:
        """Return 16 hex digits that change when the title or the abstract changes."""
        return _hash(f"{self.title}\x1f{self.abstract}", 16)

    def text(self, section: Section) -> str:
        """Return the text that offsets of passages of `section` count in."""
        return self.title if section is Section.TITLE else self.abstract


@dataclass(frozen=True, slots=True)
class Passage:
    """One cleaned sentence of a paper.

    ``paper.text(section)[start : start + len(text)] == text``.
    """

    paper: str  # node id
    section: Section
    start: int  # of the passage in the section's text
    text: str


def _content_id(title: str, abstract: str) -> str:
    """Return a readable id that depends on title and abstract only."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", title or abstract).casefold())
    return "-".join([*words[:6], _hash(f"{title}\x1f{abstract}", 8)])


def _first_words(text: str, limit: int = 60) -> str:
    """Return the start of `text`, cut between words, as a label."""
    if len(text) <= limit:
        return text
    return text[: limit + 1].rsplit(" ", 1)[0][:limit] + "…"


def _hash(text: str, digits: int) -> str:
    """Return the first hex digits of the SHA-256 of `text`."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]
