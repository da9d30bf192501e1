"""Which terms of vocabularies concepts match, and why, as a table in the SSSOM format.

The file is SSSOM/TSV [1]_: a header of metadata in YAML behind ``#``, then a line for each
match, sorted. The concept is the subject and the term is the object. ``match_string`` is the
concept's name that the term has too, the match fields say which label of each that is, and
``comment`` why a match is no exact one. A vocabulary in ``object_source`` is called by its file.

References
----------
.. [1] N. Matentzoglu et al. A Simple Standard for Sharing Ontological Mappings (SSSOM).
   Database, 2022. https://mapping-commons.github.io/sssom/
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

from kg.files import open_whole
from kg.vocab import BASE, PREFIXES, to_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from kg.model import KnowledgeGraph, VocabularyMatch

__all__ = ["write_sssom"]

_COLUMNS = (
    "subject_id", "subject_label", "predicate_id", "object_id", "object_label", "mapping_justification",
    "object_source", "confidence", "subject_match_field", "object_match_field", "match_string", "comment",
)  # fmt: skip
_NO_LICENCE = "https://w3id.org/sssom/license/unspecified"  # whose papers and terms these are, we can't know
_BUILT_IN = {"semapv": "https://w3id.org/semapv/vocab/", "skos": PREFIXES["skos"]}
_RESERVED = {*PREFIXES, "concept", "semapv", "sssom", "linkml", "vocabulary"}
_QUOTED = re.compile(r"[\t\n\r\"]")


def write_sssom(kg: KnowledgeGraph, path: Path, *, base: str = BASE) -> None:
    """Write the matches of a graph as SSSOM/TSV.

    Parameters
    ----------
    base : str
        What the IRIs of concepts begin with.
    """
    prefixes = _find_prefixes(kg.matches)
    rows = sorted(_to_row(kg, match, prefixes, base) for match in kg.matches)
    body = "".join("\t".join(map(_quote, row)) + "\n" for row in (_COLUMNS, *rows))
    curies = {kind: f"{base}{kind}/" for kind in ("concept", "vocabulary")}
    curies |= {**_BUILT_IN, **{prefix: namespace for namespace, prefix in prefixes.items()}}
    head = ["#curie_map:", *(f"#  {prefix}: {json.dumps(iri)}" for prefix, iri in sorted(curies.items()))]
    head += [f"#{name}: {json.dumps(value)}" for name, value in _iter_metadata(kg, body, base)]
    with open_whole(path) as file:
        file.write(("\n".join(head) + "\n" + body).encode("utf-8", "replace"))


def _iter_metadata(kg: KnowledgeGraph, body: str, base: str) -> Iterable[tuple[str, str]]:
    """Yield the names and values of the header."""
    digest = hashlib.sha256(body.encode("utf-8", "replace")).hexdigest()
    sources = ", ".join(f"{one.name} (sha256 {one.digest[:12]})" for one in kg.vocabularies)
    program, _, version = kg.report.settings.get("program", "paperkg").partition(" ")
    yield "mapping_set_id", f"{base}mappings/{digest[:16]}"
    yield "mapping_set_description", f"Concepts of papers, and the terms that they match by name in {sources}"
    yield "license", _NO_LICENCE
    yield "mapping_tool", program
    if version:
        yield "mapping_tool_version", version


def _to_row(kg: KnowledgeGraph, match: VocabularyMatch, prefixes: Mapping[str, str], base: str) -> tuple[str, ...]:
    """Return the cells of a match."""
    namespace = _find_namespace(match.iri)
    return (
        _to_curie(match.concept, base),
        kg.concepts[match.concept].label,
        f"skos:{match.predicate}",
        f"{prefixes[namespace]}:{match.iri.removeprefix(namespace)}",
        match.label,
        match.justification,
        _to_curie(f"vocabulary:{match.source}", base),
        f"{match.confidence:.3f}".rstrip("0").rstrip("."),
        match.name_field,
        match.label_field,
        match.name,
        match.comment,
    )


def _to_curie(node: str, base: str) -> str:
    """Return a node id encoded as in its IRI."""
    kind = node.partition(":")[0]
    return f"{kind}:{to_iri(node, base=base).removeprefix(f'{base}{kind}/')}"


def _find_prefixes(matches: Iterable[VocabularyMatch]) -> dict[str, str]:
    """Return a prefix for each namespace of terms: a known one, or one after the first vocabulary that uses it."""
    known = {namespace: prefix for prefix, namespace in PREFIXES.items()}
    prefixes: dict[str, str] = {}
    taken = set(_RESERVED)
    for source, namespace in sorted({(match.source, _find_namespace(match.iri)) for match in matches}):
        if namespace in prefixes:
            continue
        stem = re.sub(r"[^a-z0-9_-]", "", source.lower().partition(".")[0])
        stem = stem if stem[:1].isalpha() else f"v{stem}"
        number, prefix = 1, known.get(namespace, stem)
        while namespace not in known and prefix in taken:
            number += 1
            prefix = f"{stem}{number}"
        prefixes[namespace] = prefix
        taken.add(prefix)
    return prefixes


def _find_namespace(iri: str) -> str:
    """Return the part of an IRI before the name at its end, which is never empty."""
    cut = max(iri.rfind(mark, 0, len(iri) - 1) for mark in "/#")
    return iri[: cut + 1] or iri[: iri.rfind(":", 0, len(iri) - 1) + 1]


def _quote(cell: str) -> str:
    """Return a cell, in quotes where it needs them."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell
