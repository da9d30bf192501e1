"""Texts and stretches of them in NIF: contexts, sentences, mentions.

A section's text is a ``nif:Context``; offsets count its code points from 0, half-open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.model import Section
from kg.rdf.terms import describe, ref, term, to_index, to_node, to_score, to_text
from kg.vocab import to_part_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.model import KnowledgeGraph, MentionFile, Paper
    from kg.rdf.terms import Fact, Node, Value

__all__ = ["Stretch", "describe_context", "describe_sentence", "iter_mention_nodes", "sentence_node"]

_COLUMNS = ["paper", "section", "offset", "length", "start", "end", "concept", "score", "reason"]

Row = dict[str, "str | int | float"]


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """A stretch of a section's text."""

    section: Section
    start: int
    end: int


@lru_cache(maxsize=10_000)
def _context_node(paper: str, section: Section, base: str) -> Value:
    """Return the node of a section's text."""
    return ref(to_part_iri(paper, section, base=base))


def sentence_node(paper: str, stretch: Stretch, *, base: str) -> Value:
    """Return the node of a sentence."""
    return _stretch_node(paper, stretch, "sentence", base)


def _stretch_node(paper: str, stretch: Stretch, kind: str, base: str) -> Value:
    """Return the node of a stretch, below that of its text."""
    return f"{_context_node(paper, stretch.section, base)[:-1]}/{kind}/{stretch.start}-{stretch.end}>"


def describe_context(paper: Paper, section: Section, *, base: str) -> Node:
    """Return the triples about a section's text."""
    text = paper.text(section)
    facts: list[Fact] = [
        ("rdf:type", term("nif:Context")),
        ("rdf:type", term("nif:OffsetBasedString")),
        ("nif:isString", to_text(text)),
        ("nif:beginIndex", to_index(0)),
        ("nif:endIndex", to_index(len(text))),
        ("schema:isPartOf", to_node(paper.id, base)),
    ]
    return describe(_context_node(paper.id, section, base), facts)


def describe_sentence(paper: Paper, stretch: Stretch, *, base: str) -> Node:
    """Return the triples about a sentence of a paper."""
    text = paper.text(stretch.section)[stretch.start : stretch.end]
    facts = _iter_stretch_facts("nif:Sentence", paper.id, stretch, text, base=base)
    return describe(sentence_node(paper.id, stretch, base=base), facts)


def _iter_stretch_facts(kind: str, paper: str, stretch: Stretch, text: str, *, base: str) -> Iterator[Fact]:
    """Yield where a stretch is and what it reads."""
    yield "rdf:type", term(kind)
    yield "rdf:type", term("nif:OffsetBasedString")
    yield "nif:referenceContext", _context_node(paper, stretch.section, base)
    yield "nif:beginIndex", to_index(stretch.start)
    yield "nif:endIndex", to_index(stretch.end)
    yield "nif:anchorOf", to_text(text)


def iter_mention_nodes(kg: KnowledgeGraph, *, base: str) -> Iterator[Node]:
    """Yield texts, sentences and mentions, paper by paper, each node with its triples.

    Raises
    ------
    GraphError
        If a mention is of a paper or concept that the graph has not.
    """
    for paper, rows in groupby(_read_rows(kg.mentions), key=itemgetter("paper")):
        if paper not in kg.papers:
            raise GraphError(f"a mention is of {paper!r}, which is not in the graph; build the graph again")
        yield from _iter_paper_mentions(kg, kg.papers[str(paper)], rows, base=base)


def _iter_paper_mentions(kg: KnowledgeGraph, paper: Paper, rows: Iterable[Row], *, base: str) -> Iterator[Node]:
    """Yield the nodes of one paper's mentions."""
    facts: dict[Stretch, list[Fact]] = {}
    sentences: set[Stretch] = set()
    for row in rows:
        section, offset = Section(str(row["section"])), int(row["offset"])
        sentence = Stretch(section, offset, offset + int(row["length"]))
        mention = Stretch(section, offset + int(row["start"]), offset + int(row["end"]))
        sentences.add(sentence)
        known = facts.setdefault(mention, [])
        text = paper.text(section)[mention.start : mention.end]
        known.extend(_iter_stretch_facts("nif:Phrase", paper.id, mention, text, base=base))
        known.append(("nif:superString", sentence_node(paper.id, sentence, base=base)))
        known.extend(_iter_match_facts(kg, row, base=base))
    for section in sorted({one.section for one in sentences}):
        yield describe_context(paper, section, base=base)
    for sentence in sorted(sentences):
        yield describe_sentence(paper, sentence, base=base)
    for mention, known in sorted(facts.items(), key=itemgetter(0)):
        yield describe(_stretch_node(paper.id, mention, "mention", base), known)


def _iter_match_facts(kg: KnowledgeGraph, row: Row, *, base: str) -> Iterator[Fact]:
    """Yield which concept a mention means, of what type, how surely and why."""
    concept = str(row["concept"])
    if concept not in kg.concepts:
        raise GraphError(
            f"a mention in {row['paper']!r} means {concept!r}, which is not in the graph; build the graph again"
        )
    yield "itsrdf:taIdentRef", to_node(concept, base)
    yield "itsrdf:taClassRef", term(f"kg:{kg.concepts[concept].type}")
    yield "itsrdf:taConfidence", to_score(float(row["score"]))
    if row["reason"]:
        yield "kg:matchReason", to_text(str(row["reason"]))


def _read_rows(mentions: MentionFile) -> Iterator[Row]:
    """Yield the rows of the mention file in its order, a batch in memory at a time."""
    from kg.mentions import read_mentions

    for batch in read_mentions(mentions, columns=list(_COLUMNS)):
        yield from batch.to_pylist()
