"""Texts in, what they say out: the part of a build that takes time and may run in many processes.

What a text says depends on the text and on the model and rules alone, so it is found once and
kept by the text's hash. It travels as columns.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from kg.clean import find_language, find_passages
from kg.extract import extract
from kg.mentions import claim_schema, measurement_schema, mention_schema, text_schema
from kg.model import Paper, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spacy.language import Language

    from kg.extract import Lexicon
    from kg.model import Passage, Reading

__all__ = ["FOUND", "LONGEST", "Tables", "Text", "read_texts", "to_batches"]

LONGEST = 30_000  # characters of an abstract that are read; a long one has 3,000
FOUND = ("concept", "reason")  # columns of mentions that come when all papers are read
_MOST_TEXTS, _MOST_CHARACTERS = 64, 120_000  # of a batch


class Text(NamedTuple):
    """What is read of a paper."""

    hash: str  # the paper's `text_hash`
    title: str
    abstract: str


class Tables(NamedTuple):
    """What some texts say, by hash in the column ``paper``, and the texts themselves."""

    texts: pa.Table  # the columns of `text_schema` without ``paper``
    mentions: pa.Table  # without the columns FOUND
    claims: pa.Table
    measurements: pa.Table


def to_batches(texts: Iterable[Text]) -> Iterator[list[Text]]:
    """Yield texts in batches that take about the same time."""
    batch: list[Text] = []
    characters = 0
    for one in texts:
        batch.append(one)
        characters += len(one.title) + len(one.abstract)
        if len(batch) >= _MOST_TEXTS or characters >= _MOST_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def read_texts(texts: Sequence[Text], nlp: Language, lexicon: Lexicon) -> Tables:
    """Return what texts say. Of one in another language than English nothing is read but the language."""
    languages = [find_language(one.abstract or one.title) for one in texts]
    passages = [_find_passages(one, language) for one, language in zip(texts, languages, strict=True)]
    hashes = [one.hash for one in texts]
    readings = list(zip(hashes, extract(passages, nlp, lexicon), strict=True))
    columns = {"text": hashes, "language": languages, "passages": list(map(len, passages))}
    schema = pa.schema([one for one in text_schema() if one.name in columns])
    read = pa.table(columns, schema=schema)
    return Tables(read, _to_mentions(readings), _to_claims(readings), _to_measurements(readings))


def _find_passages(text: Text, language: str) -> list[Passage]:
    """Return the passages in which names are looked for: those of the first LONGEST characters, if in English."""
    if language not in {"", "en"}:
        return []
    passages = find_passages(Paper(id=text.hash, title=text.title, abstract=text.abstract))
    if len(text.abstract) <= LONGEST:
        return passages
    return [one for one in passages if one.start + len(one.text) <= LONGEST]


def _to_mentions(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return the mentions of some texts as columns; `concept` and `reason` come later."""
    rows = []
    for text, reading in readings:
        own = {(one.surface, one.long) for _, one in reading.mentions if one.role is Predicate.INTRODUCES}
        rows += [
            {
                **_place(text, passage),
                "start": one.start, "end": one.end, "surface": one.surface, "type": one.type.value,
                "role": one.role.value, "score": one.score, "source": one.source, "long": one.long, "cue": one.cue,
                "role_score": one.role_score,
                "own": (one.surface, one.long) in own,
            }
            for passage, one in reading.mentions
        ]  # fmt: skip
    columns = [column for column in mention_schema() if column.name not in FOUND]
    return pa.Table.from_pylist(rows, schema=pa.schema(columns))


def _to_claims(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return what some texts say of pairs of mentions as columns."""
    rows = [
        _place(text, passage) | asdict(claim) | {"predicate": claim.predicate.value}
        for text, reading in readings
        for passage, claim in reading.claims
    ]
    return pa.Table.from_pylist(rows, schema=claim_schema())


def _to_measurements(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return the results that sentences of some texts report as columns."""
    rows = [
        _place(text, passage) | asdict(one) | {"kind": one.kind.value}
        for text, reading in readings
        for passage, one in reading.measurements
    ]
    return pa.Table.from_pylist(rows, schema=measurement_schema())


def _place(text: str, passage: Passage) -> dict[str, str | int]:
    """Return the columns that say where a passage stands."""
    section = passage.section.value
    return {"paper": text, "section": section, "offset": passage.start, "length": len(passage.text)}
