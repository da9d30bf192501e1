"""What comes in: records of files or of the caller, cleaned, each content once, and one of each paper."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kg.build.identity import identify
from kg.clean import clean_paper
from kg.errors import InputError
from kg.model import Paper, Skip
from kg.read import read_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from kg.read import Opened

__all__ = ["Intake", "Options", "Taken", "take_in"]


class Options(NamedTuple):
    """How a build goes: what becomes of records that can't be kept or may be one paper, and who extracts.

    Records that share a DOI, an arXiv id or an OpenReview id always are one.
    """

    strict: bool = False  # whether a record or term that can't be kept is an error
    workers: int = 1  # processes that extract; 0 is as many as there are cores, once there are papers enough
    merge_similar: bool = False  # whether records of one title and year whose abstracts do not differ are one
    executor: str = "pool"  # who extracts: "pool", processes of our own, or "ray", a cluster


class Taken(NamedTuple):
    """What came in, settled: each paper once with an id of its own, and what became of every record."""

    papers: dict[str, Paper]  # by content hash
    homes: dict[str, str]  # the content hash of the paper that each record is of
    read: int
    skipped: list[Skip]
    warnings: list[Skip]


@dataclass
class Intake:
    """What has come in so far."""

    papers: dict[str, Paper] = field(default_factory=dict)  # by content hash, as first read
    again: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))  # its other places
    skipped: list[Skip] = field(default_factory=list)  # records that are no paper
    warnings: list[Skip] = field(default_factory=list)  # what readers changed

    def add(self, paper: Paper) -> Skip | None:
        """Add a clean paper; return the skip that its record is if another had the same content."""
        digest = paper.content_hash
        if digest not in self.papers:
            self.papers[digest] = paper
            return None
        self.again[digest].append(paper.origin)
        return _to_skip(self.papers[digest], paper.origin)

    def close(self, options: Options) -> Taken:
        """Return what came in, settled; the order in which it came does not matter.

        Raises
        ------
        InputError
            By the options, if a record is that of another paper.
        """
        found = identify(self.papers, similar=options.merge_similar)
        if options.strict and found.joined:
            first = found.joined[0]
            raise InputError(f"{first.file}:{first.line}: {first.reason}" if first.file else first.reason)
        again = [_to_skip(self.papers[digest], one) for digest, places in self.again.items() for one in places]
        read = len(self.papers) + len(again) + len(self.skipped)
        skipped = sorted([*self.skipped, *again, *found.joined])
        return Taken(_assign_ids(found.papers), found.homes, read, skipped, sorted([*self.warnings, *found.maybe]))

    def without(self, nodes: Collection[str], options: Options) -> Intake:
        """Return what came in but for the records of some papers, and what was said of these records."""
        taken = self.close(options)
        gone = {digest for digest, home in taken.homes.items() if taken.papers[home].id in nodes}
        places = {self.papers[digest].origin for digest in gone} | {
            place for digest in gone for place in self.again.get(digest, ())
        }
        return Intake(
            {digest: paper for digest, paper in self.papers.items() if digest not in gone},
            defaultdict(list, {digest: list(some) for digest, some in self.again.items() if digest not in gone}),
            list(self.skipped),
            [one for one in self.warnings if (one.file, one.line) not in places or not one.file],
        )

    def why_nothing(self) -> str:
        """Return why there is no paper."""
        if not self.skipped:
            return "there is no paper in the input"
        first = min(self.skipped)
        return f"no paper in {len(self.skipped)} records, the first of them {first.file}:{first.line}: {first.reason}"


def take_in(
    source: str | Path | Iterable[str | Path] | Iterable[Paper],
    intake: Intake,
    options: Options,
    *,
    opened: Callable[[Opened], None] | None = None,
) -> Intake:
    """Add the papers of a source, cleaned, to an intake, and what is no paper; return it.

    Raises
    ------
    InputError
        If a file can't be read, or by the options at the first record that is not kept.
    """
    for record in _read(source, intake, opened):
        skip = record if isinstance(record, Skip) else intake.add(clean_paper(record))
        if skip and options.strict:
            raise InputError(f"{skip.file}:{skip.line}: {skip.reason}" if skip.file else skip.reason)
        if isinstance(record, Skip):
            intake.skipped.append(record)
    return intake


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


def _to_skip(paper: Paper, place: tuple[str, int]) -> Skip:
    """Return the skip that another record with the content of a paper is."""
    return Skip(*place, f"the same record again: {paper.label}")


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
