"""Annotated texts: JSON Lines with ``id``, ``text``, ``spans`` and perhaps ``sents`` and ``relations``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.model import ConceptType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["ANY", "LABELS", "OUT", "Gold", "read_gold", "read_lines"]

ANY = "any"  # a concept of no type of ours: counts where types don't
OUT = ""  # no concept

# What the labels of published annotations mean, in small letters.
LABELS: dict[str, str] = {
    "dataset": "Dataset",  # SciER, TDMSci, SciNLP, CS-NER
    "dataset_name": "Dataset",
    "data": OUT,  # STM: data in a wide sense
    "domain": OUT,  # FTD
    "focus": "Task",  # FTD
    "generic": OUT,  # SciERC: "this method"
    "language": OUT,
    "lr": "Dataset",  # ACL RD-TEC: language resource
    "lr-prod": "Dataset",
    "material": "Dataset",  # SciERC, SciREX
    "measure(ment)": "Metric",
    "mention": OUT,
    "method": "Method",
    "metric": "Metric",
    "model": "Method",
    "object": OUT,
    "other": ANY,  # ACL RD-TEC
    "otherscientificterm": OUT,
    "process": "Method",
    "research_problem": "Task",
    "resource": "Dataset",
    "result": OUT,
    "solution": "Method",
    "task": "Task",
    "tech": "Method",
    "technique": "Method",
    "term": ANY,
    "tool": "Method",
}


@dataclass(frozen=True, slots=True)
class Gold:
    """A text and the spans that people marked in it; offsets count characters of `text`."""

    id: str
    text: str
    spans: tuple[tuple[int, int, ConceptType | None], ...]  # None where no type of ours is meant
    sentences: tuple[tuple[int, int], ...] = ()
    relations: tuple[tuple[int, int, str], ...] = ()  # places in `spans` of head and tail, and the label


def read_gold(path: Path, *, labels: Mapping[str, str] | None = None) -> Iterator[Gold]:
    """Yield the annotated texts of a JSON Lines file.

    Parameters
    ----------
    path : Path
    labels : mapping, optional
        What labels mean, beside and before `LABELS`: a type, "any", or "" for no concept.

    Raises
    ------
    InputError
        If a line is not such a record, or a label is unknown.
    """
    meanings = LABELS | {label.lower(): meaning for label, meaning in (labels or {}).items()}
    for where, line in read_lines(path):
        yield _to_gold(line, where, meanings)


def read_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file that are not blank, each with the file's name and its number.

    Raises
    ------
    InputError
        If the file can't be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: can't be read ({error})") from error
    yield from ((f"{path.name}:{number}", line) for number, line in enumerate(lines, 1) if line.strip())


def _to_gold(line: str, where: str, meanings: Mapping[str, str]) -> Gold:
    """Return the annotated text of a line."""
    try:
        record = json.loads(line)
        text = str(record["text"])
        spans = [(int(start), int(end), str(label)) for start, end, label in record["spans"]]
        sentences = tuple((int(start), int(end)) for start, end in record.get("sents") or ())
        relations = [(int(head), int(tail), str(label)) for head, tail, label in record.get("relations") or ()]
        name = str(record.get("id", where))
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"{where}: no record with text and spans of [start, end, label] ({error!r})") from error
    marked: list[tuple[int, int, ConceptType | None]] = []
    places: dict[int, int] = {}  # of the spans that are kept
    for number, (start, end, label) in enumerate(spans):
        if not 0 <= start < end <= len(text):
            raise InputError(f"{where}: span {start} to {end} is not in a text of {len(text)} characters")
        meaning = meanings.get(label.lower())
        if meaning is None:
            raise InputError(
                f"{where}: unknown label {label!r}; say what it means with --map {label}=Method or the like"
            )
        if meaning != OUT:
            places[number] = len(marked)
            marked.append((start, end, None if meaning == ANY else _to_type(meaning)))
    kept = ((places[head], places[tail], label) for head, tail, label in relations if {head, tail} <= places.keys())
    return Gold(name, text, tuple(marked), sentences, tuple(kept))


def _to_type(meaning: str) -> ConceptType:
    """Return the type that a label means."""
    try:
        return ConceptType(meaning)
    except ValueError as error:
        choices = ", ".join([*ConceptType, ANY, '""'])
        raise InputError(f"{meaning!r} is no type; choose one of {choices}") from error
