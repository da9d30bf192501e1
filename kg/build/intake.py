"""What comes in: records of files or of the caller, cleaned, each content once, and one of each paper."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kg.build.identity import identify
from kg.clean import clean_paper
from kg.errors import InputError
from kg.model import Paper, Skip
from kg.read import read_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kg.model import Passage
    from kg.read import Opened

__all__ = ["PLAIN", "Batch", "Intake", "Options", "take_in"]


class Batch(NamedTuple):
    """Papers by content hash, and the passages of each."""

    hashes: list[str]
    passages: list[list[Passage]]


class Options(NamedTuple):
    """How a build goes: what becomes of records that can't be kept or may be one paper, and who extracts.

    Records that share a DOI, an arXiv id or an OpenReview id always are one.
    """

    strict: bool = False  # whether a record or term that can't be kept is an error
    workers: int = 1  # processes that extract; 0 is as many as there are cores, once there are papers enough
    merge_similar: bool = False  # whether records of one title and year whose abstracts do not differ are one


PLAIN = Options()


@dataclass
class Intake:
    """What has come in so far."""

    papers: dict[str, Paper] = field(default_factory=dict)  # by content hash
    skipped: list[Skip] = field(default_factory=list)
    warnings: list[Skip] = field(default_factory=list)
    read: int = 0
    passages: int = 0

    def close(self, options: Options) -> dict[str, Paper]:
        """Return the papers by content hash, one of each and each with an id of its own; no more will come.

        Raises
        ------
        InputError
            By the options, if a record is that of another paper.
        """
        found = identify(self.papers, similar=options.merge_similar)
        if options.strict and found.joined:
            first = found.joined[0]
            raise InputError(f"{first.file}:{first.line}: {first.reason}" if first.file else first.reason)
        self.skipped += found.joined
        self.warnings += found.maybe
        return _assign_ids(found.papers)

    def why_nothing(self) -> str:
        """Return why there is no paper."""
        if not self.skipped:
            return "there is no paper in the input"
        first = self.skipped[0]
        return f"no paper in {self.read} records, the first of them {first.file}:{first.line}: {first.reason}"


def take_in(
    source: str | Path | Iterable[str | Path] | Iterable[Paper],
    intake: Intake,
    options: Options = PLAIN,
    *,
    opened: Callable[[Opened], None] | None = None,
) -> Iterator[Paper]:
    """Yield the cleaned papers of a source, each content once, and note the rest."""
    yield from _kept(_read(source, intake, opened), intake, strict=options.strict)


def _read(
    source: str | Path | Iterable[str | Path] | Iterable[Paper], intake: Intake, opened: Callable[[Opened], None] | None
) -> Iterator[Paper | Skip]:
    """Yield papers and skips from paths, or papers as they are given."""
    if isinstance(source, str | Path):
        yield from read_papers([source], warn=intake.warnings.append, opened=opened)
        return
    paths: list[str | Path] = []
    for one in source:
        if isinstance(one, Paper):
            yield one
        else:
            paths.append(one)
    if paths:
        yield from read_papers(paths, warn=intake.warnings.append, opened=opened)


def _kept(records: Iterator[Paper | Skip], intake: Intake, *, strict: bool) -> Iterator[Paper]:
    """Yield cleaned papers, each content once, and note the rest."""
    for record in records:
        intake.read += 1
        if isinstance(record, Skip):
            skip = record
        else:
            paper = clean_paper(record)
            if paper.content_hash not in intake.papers:
                intake.papers[paper.content_hash] = paper
                yield paper
                continue
            file, line = intake.papers[paper.content_hash].origin
            first = f", as {file}:{line}" if file else ""
            skip = Skip(*paper.origin, f"the same record again{first}: {paper.label}")
        if strict:
            raise InputError(f"{skip.file}:{skip.line}: {skip.reason}" if skip.file else skip.reason)
        intake.skipped.append(skip)


def _assign_ids(papers: Mapping[str, Paper]) -> dict[str, Paper]:
    """Return papers by content hash; of those that share an id all but one get the hash added.

    Which one keeps the bare id is settled by the hash, so the order of files does not matter.
    """
    taken: set[str] = set()
    assigned: dict[str, Paper] = {}
    for digest, paper in sorted(papers.items()):
        node = f"{paper.id}-{digest[:8]}" if paper.id in taken else paper.id
        taken.add(node)
        assigned[digest] = replace(paper, id=node)
    return assigned
