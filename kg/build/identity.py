"""Which records are one paper: by DOI, arXiv id or OpenReview id, never by the order of files.

Of the records of one paper the one with the longest abstract gives the texts, so that offsets
count in what was read; what it lacks is taken from the others. Records with the same title and
year whose abstracts do not differ may be the same; they are told of, and joined only if asked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from kg.model import Paper, Skip
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["Identified", "identify"]

_ARXIV = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf)/|arxiv[:.]\s?)((?:\d{4}\.\d{4,5})|(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}))", re.IGNORECASE
)
_BARE_ARXIV = re.compile(r"(\d{4}\.\d{4,5})(?:v\d+)?")
_OPENREVIEW = re.compile(r"openreview\.net/(?:forum|pdf)\?id=([\w-]+)")
_ALIKE = 0.5  # share of title words in common, below which one DOI is on two papers
_TELLING_TITLE = 20  # characters of a title that is no "Editorial" or "Introduction"


class Identified(NamedTuple):
    """Papers by content hash, one of each, and what was found on the way."""

    papers: dict[str, Paper]
    homes: dict[str, str]  # the hash of the paper that each record is of
    joined: list[Skip]
    maybe: list[Skip]


def identify(papers: Mapping[str, Paper], *, similar: bool = False) -> Identified:
    """Return papers with the records of one paper joined.

    Parameters
    ----------
    papers : mapping
        Records by content hash.
    similar : bool
        Whether records that may be the same are joined, too.
    """
    homes = {digest: digest for digest in papers}
    reasons: dict[str, str] = {}
    for key, digests in sorted(_group(papers, _find_keys).items()):
        _join(sorted(digests), key, papers, homes, reasons)
    alike = _group(papers, _find_likeness)
    places = {digest: place for place, digest in enumerate(papers)}
    maybe = []
    for key, digests in sorted(alike.items()):
        some = sorted({_root(one, homes) for one in digests}, key=places.__getitem__)
        if len(some) < 2 or not _may_be_one([papers[one] for one in some]):
            continue
        if similar:
            _join(some, "title and year", papers, homes, reasons)
        else:
            reason = f"maybe the same paper as another record: {key}"
            maybe += [Skip(*papers[one].origin, reason) for one in some[1:]]
    clusters: dict[str, list[str]] = defaultdict(list)
    for digest in sorted(papers):
        clusters[_root(digest, homes)].append(digest)
    found, joined, of = dict[str, Paper](), list[Skip](), dict[str, str]()
    for digests in clusters.values():
        best = min(digests, key=lambda one: (-len(papers[one].abstract), -len(papers[one].title), one))
        of |= dict.fromkeys(digests, best)
        found[best] = _fill(papers[best], [papers[one] for one in digests if one != best])
        joined += [
            Skip(
                *papers[one].origin,
                f"the same paper as another record by its {reasons.get(one) or reasons.get(best, 'id')}:"
                f" {papers[best].label}",
            )
            for one in digests
            if one != best
        ]
    return Identified(found, of, sorted(joined), sorted(maybe))


def _group(papers: Mapping[str, Paper], find: Callable[[Paper], set[str]]) -> dict[str, list[str]]:
    """Return the hashes of papers by each of their keys, of which several papers have one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for digest, paper in papers.items():
        for key in find(paper):
            groups[key].append(digest)
    return {key: digests for key, digests in groups.items() if len(digests) > 1}


def _find_keys(paper: Paper) -> set[str]:
    """Return what identifies a paper: DOI, arXiv id without version, OpenReview id."""
    local = paper.id.removeprefix("paper:")
    keys = {f"DOI {paper.doi.casefold()}"} if paper.doi else set()
    for text in (paper.url, paper.doi, local):
        if match := _ARXIV.search(text):
            keys.add(f"arXiv id {match[1].casefold()}")
        if match := _OPENREVIEW.search(text):
            keys.add(f"OpenReview id {match[1]}")
    if match := _BARE_ARXIV.fullmatch(local):
        keys.add(f"arXiv id {match[1]}")
    return keys


def _find_likeness(paper: Paper) -> set[str]:
    """Return the title and year of a paper, if the title is long enough to tell it."""
    title = fold_name(paper.title)
    return {f"{paper.title} ({paper.year})"} if len(title) >= _TELLING_TITLE else set()


def _join(
    digests: Sequence[str], key: str, papers: Mapping[str, Paper], homes: dict[str, str], reasons: dict[str, str]
) -> None:
    """Join records that share a key, but for those with another title: a DOI may be that of a volume."""
    first = digests[0]
    for other in digests[1:]:
        if _are_alike(papers[first].title, papers[other].title):
            one, two = sorted((_root(first, homes), _root(other, homes)))
            homes[two] = one
            reasons.setdefault(other, key)
            reasons.setdefault(first, key)


def _root(digest: str, homes: Mapping[str, str]) -> str:
    """Return the record that stands for those joined with a record."""
    while homes[digest] != digest:
        digest = homes[digest]
    return digest


def _are_alike(one: str, other: str) -> bool:
    """Return whether two titles may be of one paper."""
    first, second = set(fold_name(one).split()), set(fold_name(other).split())
    return not first or not second or len(first & second) >= _ALIKE * min(len(first), len(second))


def _may_be_one(papers: Iterable[Paper]) -> bool:
    """Return whether abstracts do not differ: one may be missing, or begin like another."""
    starts = {" ".join(paper.abstract.casefold().split())[:200] for paper in papers if paper.abstract.strip()}
    shortest = min(map(len, starts), default=0)
    return len({start[:shortest] for start in starts}) <= 1


def _fill(paper: Paper, others: Sequence[Paper]) -> Paper:
    """Return a paper with what it lacks taken from others, in an order that does not depend on files."""
    changes: dict[str, object] = {}
    for name in ("year", "venue", "authors", "doi", "url", "keywords"):
        if not getattr(paper, name):
            value = next(
                (found for one in sorted(others, key=lambda one: one.content_hash) if (found := getattr(one, name))),
                None,
            )
            if value:
                changes[name] = value
    return replace(paper, **changes) if changes else paper  # type: ignore[arg-type]
