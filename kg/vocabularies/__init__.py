"""Vocabularies of others, read to link concepts to: thesauri, ontologies, lists of names.

A file is RDF, or a table between tabs if its name ends in ``.tsv``, ``.tab`` or ``.txt``;
either may be packed with gzip. Nothing that a file refers to is fetched.

**RDF** is Turtle, N-Triples, RDF/XML, JSON-LD, TriG or N-Quads. Its terms are the things that
have a ``skos:prefLabel``, as text or as a label of SKOS-XL, or an ``rdfs:label`` where more
things have only that: topics of CSO, classes of an ontology. Properties, collections, schemes and
what is deprecated are no terms. Other labels are ``skos:altLabel`` and ``hiddenLabel``, and
exact synonyms as ontologies give them. Labels count that are English or say no language; where
a term has none of these, all do. A topic for which CSO prefers another gives that its labels.
A term has a type if a chain of ``rdf:type``, ``rdfs:subClassOf`` and ``skos:broader`` leads to
a class of ours, or to one that ``ontology/kg.ttl`` aligns to ours.

**A table** has a header line with the columns ``id`` (or ``iri``), ``name`` (or ``label``,
``prefLabel``) and perhaps ``aliases`` (or ``synonyms``, ``exact_synonyms``, ``altLabel``), with
"|" or ";" between them, and ``type``. An id that is no IRI becomes one: a CURIE by the prefixes
that the comments above the header declare, as in ``# AIO: https://w3id.org/aio/``, or by those
of `kg.vocab.PREFIXES`; another CURIE ``AIO:Bias`` is ``urn:x-curie:AIO:Bias``, and an id
``bias`` of the file ``a.tsv`` is ``urn:x-paperkg:a.tsv:bias``, percent-encoded.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.model import Vocabulary
from kg.vocabularies.rdf import read_rdf
from kg.vocabularies.table import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.model import Skip

__all__ = ["read_vocabulary"]

_GZIP = b"\x1f\x8b"
_LARGEST = 1_000_000_000  # bytes, unpacked
_TABLES = (".tsv", ".tab", ".txt")


def read_vocabulary(path: str | Path, *, warn: Callable[[Skip], None] | None = None) -> Vocabulary:
    """Return the vocabulary in a file.

    Parameters
    ----------
    path : path
    warn : callable, optional
        Is told of each term that is left out, and why.

    Returns
    -------
    Vocabulary
        With its terms by IRI.

    Raises
    ------
    InputError
        If the file can't be read, or has no terms.
    """
    path = Path(path)
    content, digest = _read_bytes(path)
    is_table = path.name.lower().removesuffix(".gz").endswith(_TABLES)
    terms = (read_table if is_table else read_rdf)(content, path.name, warn or (lambda _: None))
    if not terms:
        what = "below its header" if is_table else "with a skos:prefLabel or an rdfs:label"
        raise InputError(f"{path.name}: the vocabulary has no term {what}")
    return Vocabulary(path.name, digest, tuple(sorted(terms, key=lambda term: term.iri)))


def _read_bytes(path: Path) -> tuple[bytes, str]:
    """Return what is in a file, unpacked, and the SHA-256 of the file."""
    try:
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if content.startswith(_GZIP):
            content = gzip.GzipFile(fileobj=BytesIO(content)).read(_LARGEST + 1)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path.name or path}: the vocabulary can't be read: {reason}") from error
    if len(content) > _LARGEST:
        raise InputError(f"{path.name}: the vocabulary has more than {_LARGEST:,} bytes")
    return content.removeprefix(b"\xef\xbb\xbf"), digest
