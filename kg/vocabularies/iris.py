"""IRIs of terms, which must stand in any syntax of RDF."""

from __future__ import annotations

from pyoxigraph import NamedNode

from kg.errors import InputError
from kg.vocab import PREFIXES

__all__ = ["check_iri"]

_OURS = {"concept", "paper", "run", "statement", "venue", "vocabulary"}


def check_iri(iri: str) -> str:
    """Return an absolute IRI as it is.

    Raises
    ------
    InputError
        If it is none, or begins with a prefix of ours and so could be read as a short name.
    """
    if iri.partition(":")[0] in {*PREFIXES, *_OURS}:
        raise InputError(f"{iri!r} is a short name, no absolute IRI")
    try:
        return NamedNode(iri).value
    except ValueError as error:
        raise InputError(f"{iri!r} is no absolute IRI") from error
