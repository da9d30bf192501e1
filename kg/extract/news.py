"""What a paper introduces, by signs of the whole paper and not of one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.extract.roles import Cue
from kg.model import Section
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.extract.candidate import Candidate
    from kg.extract.lexicon import Lexicon
    from kg.extract.select import Context
    from kg.model import Passage

__all__ = ["Kept", "find_news", "find_own"]

_GOES_ON = ("It ", "Its ")


@dataclass(frozen=True, slots=True)
class Kept:
    """A candidate that names a concept, and what is known of it before the paper is seen whole."""

    passage: Passage
    candidate: Candidate
    cue: Cue
    score: float
    own: bool  # whether its sentence speaks of the paper itself
    long: str  # what the paper defines it to mean, or ""
    key: str  # what the mentions of one concept in the paper have in common


def find_news(kept: list[Kept], context: Context, lexicon: Lexicon) -> dict[int, Cue]:
    """Return the cues that make candidates new in a paper, by their number in `kept`.

    A title that begins with a name and a colon announces it. A long form in capitals that the
    paper defines a short form for is its own coinage unless it is a known name or stands
    before the paper speaks of itself. Parts are named after the whole: JBF-Lib after JBF.
    """
    news: dict[int, Cue] = {}
    started = not any(one.own for one in kept)
    for number, one in enumerate(kept):
        found, section = one.candidate, one.passage.section
        started = started or one.own
        known = found.source == "name" or _is_known(one.key, lexicon)
        if section is Section.TITLE:
            if not known and found.start == 0 and one.passage.text[found.end :].lstrip().startswith(":"):
                news[number] = Cue("introduce", "title")
        elif started and not known and _is_coinage(found, context):
            news[number] = Cue("introduce", "defined here")
    new_keys = {kept[number].key for number in news}
    new_keys |= {one.key for one in kept if one.cue.role == "introduce" and not one.candidate.outer}
    for number, one in enumerate(kept):
        head, hyphen, _ = one.candidate.surface.partition("-")
        if hyphen and one.candidate.source == "coined" and fold_name(head) != one.key:
            whole = fold_name(context.short_forms.get(fold_name(head), head))
            if whole in new_keys and is_coined(head):
                news.setdefault(number, Cue("introduce", f"named after {head}"))
    return news


def find_own(kept: list[Kept], news: Mapping[int, Cue]) -> frozenset[Passage]:
    """Return the passages that speak of the paper's own work.

    They say "we", name what the paper introduces under a name of its own, or go on with "it"
    after such a passage.
    """
    new = {kept[number].key for number in news}
    new |= {one.key for one in kept if one.cue.role == "introduce" and one.candidate.source in {"acronym", "coined"}}
    named = {one.passage for one in kept if one.own or one.key in new}
    own: set[Passage] = set()
    last: Passage | None = None
    for passage in dict.fromkeys(one.passage for one in kept):
        if passage in named or (last in own and passage.text.startswith(_GOES_ON)):
            own.add(passage)
        last = passage
    return frozenset(own)


def _is_coinage(found: Candidate, context: Context) -> bool:
    """Return whether a candidate is a long form that is written as a name."""
    words = [word for word in found.surface.split() if len(word) > 3]
    is_long = fold_name(found.surface) in context.long_forms
    return is_long and len(words) > 1 and all(word[0].isupper() for word in words)


def _is_known(key: str, lexicon: Lexicon) -> bool:
    """Return whether a name, or the end of it, is a curated one."""
    words = key.split()
    return any(" ".join(words[at:]) in lexicon.names for at in range(max(1, len(words) - 1)))
