"""Which media type an answer has, by what the client accepts (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ROWS", "TRIPLES", "choose"]

# What is offered, in our order of preference, each with its name in `kg.query.RESULT_FORMATS`.
ROWS: Mapping[str, str] = {
    "application/sparql-results+json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
TRIPLES: Mapping[str, str] = {
    "text/turtle": "turtle",
    "application/n-triples": "ntriples",
    "application/ld+json": "json",
    "application/rdf+xml": "xml",
    "application/x-turtle": "turtle",
    "text/n3": "turtle",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}

_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_RANGE = re.compile(rf"\s*({_NAME})/({_NAME})\s*((?:;[^,]*)?)", re.ASCII)
_QUALITY = re.compile(r";\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)", re.ASCII | re.IGNORECASE)
_HAS_QUALITY = re.compile(r";\s*q\s*=", re.IGNORECASE)


def choose(accept: str, offers: Iterable[str]) -> str | None:
    """Return the offer that a client likes best, or None if it accepts none.

    Of those it likes equally, one that it names goes before one that only a wildcard covers,
    and then the order of `offers` counts. A header that is empty or says nothing that can be
    read accepts all.

    Examples
    --------
    >>> choose("text/turtle;q=0.5, application/ld+json", TRIPLES)
    'application/ld+json'
    >>> choose("text/*", ROWS), choose("*/*, text/csv;q=0", ["text/csv"])
    ('text/csv', None)
    """
    ranges = [found for part in accept.split(",") if (found := _read_range(part))]
    if not ranges:
        return next(iter(offers), None)
    best, liked = None, (0.0, -1)
    for offer in offers:
        kind, _, subkind = offer.partition("/")
        fitting = [
            (place, quality)
            for place, (first, second, quality) in ((_place(one), one) for one in ranges)
            if first in (kind, "*") and second in (subkind, "*")
        ]
        if fitting:
            place, quality = max(fitting)
            if quality > 0 and (quality, place) > liked:
                best, liked = offer, (quality, place)
    return best


def _read_range(part: str) -> tuple[str, str, float] | None:
    """Return type, subtype and quality of a media range; None if it can't be read."""
    found = _RANGE.fullmatch(part)
    if not found:
        return None
    quality = _QUALITY.search(found[3])
    if not quality and _HAS_QUALITY.search(found[3]):
        return None
    return found[1].lower(), found[2].lower(), min(float(quality[1]), 1.0) if quality else 1.0


def _place(one: tuple[str, str, float]) -> int:
    """Return how exactly a range names a type, from 0 to 2."""
    return (one[0] != "*") + (one[1] != "*")
