"""The vocabularies of others that a build links its concepts to."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kg.align import match_vocabulary
from kg.errors import InputError
from kg.model import MatchKind, Skip
from kg.vocabularies import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kg.model import KnowledgeGraph, Vocabulary

__all__ = ["describe_vocabularies", "link_vocabularies", "read_vocabularies"]


def read_vocabularies(
    paths: str | Path | Iterable[str | Path], warnings: list[Skip], *, strict: bool = False
) -> list[Vocabulary]:
    """Return vocabularies by name, each once; a term that two have is left to the first.

    Parameters
    ----------
    paths : path or paths
        In any order.
    warnings : list
        To which is added what is left out.
    strict : bool
        Whether a term that can't be kept is an error.

    Raises
    ------
    InputError
        If one can't be read, or two that are not the same have one name.
    """
    found: dict[str, Vocabulary] = {}
    for path in [paths] if isinstance(paths, str | Path) else paths:
        skipped: list[Skip] = []
        one = read_vocabulary(path, warn=_refuse if strict else skipped.append)
        if one.name not in found:
            found[one.name] = one
            warnings += skipped
        elif found[one.name].digest != one.digest:
            raise InputError(f"{path}: another vocabulary is called {one.name!r} too; rename one of the files")
    owners: dict[str, str] = {}
    return [_leave_to_owners(one, owners, warnings) for _, one in sorted(found.items())]


def _refuse(skip: Skip) -> None:
    """Raise what would be a warning."""
    raise InputError(f"{skip.file}:{skip.line}: {skip.reason}" if skip.line else f"{skip.file}: {skip.reason}")


def _leave_to_owners(vocabulary: Vocabulary, owners: dict[str, str], warnings: list[Skip]) -> Vocabulary:
    """Return a vocabulary without the terms that others have had before."""
    name = vocabulary.name
    terms = tuple(term for term in vocabulary.terms if owners.setdefault(term.iri, name) == name)
    if taken := sorted({owners[term.iri] for term in vocabulary.terms} - {name}):
        count = len(vocabulary.terms) - len(terms)
        warnings.append(Skip(name, 0, f"{count} of its terms are left to {', '.join(taken)}, which has them too"))
    return replace(vocabulary, terms=terms)


def describe_vocabularies(vocabularies: Iterable[Vocabulary]) -> dict[str, str]:
    """Return settings that tell which vocabularies a graph is built with."""
    return {f"vocabulary {one.name}": f"sha256 {one.digest[:12]}" for one in vocabularies}


def link_vocabularies(kg: KnowledgeGraph, vocabularies: Sequence[Vocabulary]) -> KnowledgeGraph:
    """Return a graph with its concepts matched to the terms of vocabularies."""
    vocabularies = [one for one in vocabularies if one.terms]
    if not vocabularies:
        return kg
    matches = sorted(match for one in vocabularies for match in match_vocabulary(kg.concepts.values(), one))
    counts = Counter(match.predicate for match in matches)
    steps = {**kg.report.steps, "exact matches": counts[MatchKind.EXACT], "close matches": counts[MatchKind.CLOSE]}
    report = replace(kg.report, steps=steps)
    return replace(kg, report=report, vocabularies=tuple(vocabularies), matches=tuple(matches))
