"""What is in files, told before anything is built of them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.build.intake import Intake, Options, take_in
from kg.clean import find_language
from kg.files import open_whole
from kg.read import Opened, to_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.model import Paper, Skip

__all__ = ["Survey", "survey_files", "write_papers"]

_MOST_TOLD = 20  # skips and warnings of a file


@dataclass(frozen=True, slots=True)
class Survey:
    """The papers of files, and what became of each record."""

    files: tuple[Opened, ...]
    papers: tuple[Paper, ...]
    skipped: tuple[Skip, ...]
    warnings: tuple[Skip, ...]

    def format(self) -> Iterator[str]:
        """Yield lines: a table of files, then what was left out or changed, and why."""
        kept, left = Counter(one.origin[0] for one in self.papers), Counter(one.file for one in self.skipped)
        told = Counter(one.origin[0] for one in self.papers if one.abstract)
        rows: list[tuple[str, ...]] = [("file", "format", "encoding", "read", "papers", "with abstract", "left out")]
        files = {one.file: one for one in self.files}
        for name in sorted({*files, *left}):
            form, encoding = (files[name].format, files[name].encoding) if name in files else ("-", "-")
            counts = (kept[name] + left[name], kept[name], told[name], left[name])
            rows.append((name, form, encoding, *(f"{count:,}" for count in counts)))
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
        yield from (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )
        yield ""
        languages = Counter(find_language(one.abstract or one.title) or "en" for one in self.papers)
        foreign = ", ".join(f"{count:,} {code}" for code, count in languages.most_common() if code != "en")
        yield f"{len(self.papers):,} papers, {sum(told.values()):,} with an abstract" + (
            f"; not in English: {foreign}" if foreign else ""
        )
        for title, some in (("left out", self.skipped), ("kept, but", self.warnings)):
            if some:
                yield ""
                yield f"{title}:"
                yield from (f"  {one.file}:{one.line}: {one.reason}" for one in some[:_MOST_TOLD])
                if len(some) > _MOST_TOLD:
                    yield f"  and {len(some) - _MOST_TOLD:,} more"


def survey_files(paths: Iterable[str | Path], *, options: Options) -> Survey:
    """Return what is in files; nothing is extracted.

    Raises
    ------
    InputError
        If a file can't be read.
    """
    intake, opened = Intake(), list[Opened]()
    taken = take_in(list(paths), intake, options, opened=opened.append).close(options)
    papers = tuple(sorted(taken.papers.values(), key=lambda one: (one.origin, one.id)))
    return Survey(tuple(opened), papers, tuple(taken.skipped), tuple(taken.warnings))


def write_papers(papers: Iterable[Paper], path: Path) -> None:
    """Write papers as JSON Lines, which `kg build` reads as the files they came from."""
    with open_whole(path) as file:
        for paper in papers:
            file.write(json.dumps(to_record(paper), ensure_ascii=False).encode("utf-8", "replace") + b"\n")
