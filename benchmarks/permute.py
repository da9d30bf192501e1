"""Make a larger pile of the papers of a graph: copies in which names have changed places.

    python benchmarks/permute.py GRAPH COPIES > papers.jsonl

In each copy the names of one type that are about as common stand for each other, so texts are
new and as long as before, and what goes with what is another in each copy. The first copy is as
it was.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import kg
from kg.mentions import read_mentions
from kg.model import Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg import KnowledgeGraph, Paper

COLUMNS = ["paper", "section", "offset", "start", "end", "surface", "type"]
BAND = 50  # names of neighbouring frequency that change places
Place = tuple[int, int, tuple[str, str]]  # start and end in a text, and which name stands there


def main() -> None:
    """Write the papers of all copies as JSON Lines."""
    graph = kg.load(sys.argv[1])
    mentions = {paper: list(rows) for paper, rows in groupby(iter_rows(graph), key=itemgetter("paper"))}
    counts = Counter((row["type"], row["surface"]) for rows in mentions.values() for row in rows)
    for copy in range(int(sys.argv[2])):
        names = exchange(counts, copy)
        for paper in graph.papers.values():
            print(to_line(paper, mentions.get(paper.id, []), names, copy))  # noqa: T201


def iter_rows(graph: KnowledgeGraph) -> Iterator[dict[str, object]]:
    """Yield the mentions of a graph, by paper."""
    for batch in read_mentions(graph.mentions, columns=COLUMNS):
        yield from batch.to_pylist()


def exchange(counts: Counter[tuple[str, str]], copy: int) -> dict[tuple[str, str], str]:
    """Return which name stands for which in a copy; none changes in the first."""
    draw = random.Random(copy)  # noqa: S311
    names = {}
    for _, group in groupby(sorted(counts, key=lambda one: (one[0], -counts[one], one)), key=itemgetter(0)):
        ranked = list(group)
        for first in range(0, len(ranked), BAND):
            band = ranked[first : first + BAND]
            others = draw.sample(band, len(band)) if copy else band
            names |= {one: other[1] for one, other in zip(band, others, strict=True)}
    return names


def to_line(paper: Paper, rows: list[dict[str, object]], names: Mapping[tuple[str, str], str], copy: int) -> str:
    """Return a paper of a copy as a line of JSON."""
    texts = {}
    for section in Section:
        places = [to_place(row) for row in rows if row["section"] == section]
        texts[section.value] = write_names(paper.text(section), places, names)
    local = paper.id.removeprefix("paper:")
    return json.dumps({"id": f"{local}-{copy}" if copy else local, **texts, "year": paper.year}, ensure_ascii=False)


def to_place(row: dict[str, object]) -> Place:
    """Return where in its text a mention stands, and which name it is."""
    start, offset = int(str(row["start"])), int(str(row["offset"]))
    return offset + start, offset + int(str(row["end"])), (str(row["type"]), str(row["surface"]))


def write_names(text: str, places: list[Place], names: Mapping[tuple[str, str], str]) -> str:
    """Return a text with other names in some places; of places that overlap only the last is changed."""
    until = len(text)
    for start, end, name in sorted(places, reverse=True):
        if end <= until:
            text = text[:start] + names[name] + text[end:]
            until = start
    return text


if __name__ == "__main__":
    main()
