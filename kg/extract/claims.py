"""What a sentence says of two names in it: the one is used for the other, a part of it, compared with it.

The rules are a table, ``ontology/lexicon/relations.tsv``. A rule asks for the types of the two
names and for signs (`kg.extract.signs`); the first rule that is met says the relation, its
direction and how sure it is. "Datasets such as ImageNet" goes by patterns of words instead
(`kg.extract.hearst`).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from kg.extract.hearst import find_kinds
from kg.extract.outermost import find_outermost
from kg.extract.signs import find_signs
from kg.extract.words import get_text
from kg.model import Claim, ConceptType, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc, Span

    from kg.extract.lexicon import Lexicon
    from kg.model import Mention

__all__ = ["find_claims"]

_TOLD = 0.9  # how sure a pattern of words is
_MOST_NAMES = 30  # in a sentence; one with more is a table or a list of names


def find_claims(doc: Doc, mentions: Sequence[Mention], lexicon: Lexicon) -> Iterator[Claim]:
    """Yield what a sentence says of pairs of its mentions.

    Parameters
    ----------
    doc : Doc
        The parsed sentence.
    mentions : sequence of Mention
        Those in it; of names within names the longest counts.
    lexicon : Lexicon
        With the rules.
    """
    mentions = find_outermost(mentions)
    if not 1 < len(mentions) <= _MOST_NAMES:
        return
    told = {(narrow, broad): words for narrow, broad, words in find_kinds(get_text(doc), mentions)}
    for (narrow, broad), words in told.items():
        yield _to_claim(Predicate.BROADER, narrow, broad, _TOLD, f"the words {words!r}")
    spans = [_to_span(doc, one) for one in mentions]
    bracketed = [_is_bracketed(doc, span) for span in spans]
    for one, other in combinations(range(len(mentions)), 2):
        first, second = mentions[one], mentions[other]
        rules = lexicon.rules.get((first.type, second.type))
        apart = spans[one].end <= spans[other].start and first.long != second.surface
        if rules and apart and not {(first, second), (second, first)} & told.keys():
            between = {mentions[at].type for at in range(one + 1, other) if not bracketed[at]}
            signs = find_signs(doc, spans[one], spans[other], between) | _list_signs(first, second, between)
            if rule := next((rule for rule in rules if rule.signs <= signs), None):
                ends = (second, first) if rule.subject == "second" else (first, second)
                sure = rule.confidence * min(first.score, second.score)
                yield _to_claim(rule.predicate, *ends, round(sure, 4), f"rule: {', '.join(sorted(rule.signs))}")


def _to_span(doc: Doc, mention: Mention) -> Span:
    """Return the tokens that a mention touches."""
    span = doc.char_span(mention.start, mention.end, alignment_mode="expand")
    assert span is not None  # a mention lies in its sentence
    return span


def _is_bracketed(doc: Doc, span: Span) -> bool:
    """Return whether a name stands in brackets, as a short form after its long form does."""
    return span.start > 0 and doc[span.start - 1].text == "(" and span.end < len(doc) and doc[span.end].text == ")"


def _list_signs(first: Mention, second: Mention, between: set[ConceptType]) -> set[str]:
    """Return the signs of the two standing next to each other, but for a list of names of one type."""
    lists = (("list", second.type), ("list-first", first.type))
    return {sign for sign, kind in lists if between <= {kind}}


def _to_claim(predicate: Predicate, subject: Mention, target: Mention, score: float, cue: str) -> Claim:
    """Return the claim that one mention stands so to another."""
    return Claim(predicate, subject.start, subject.end, target.start, target.end, score, cue)
