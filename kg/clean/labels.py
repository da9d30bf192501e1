"""Labels in abstracts, and publishers' lines at their ends, which say nothing of the paper."""

from __future__ import annotations

import re

__all__ = ["drop_labels"]

_ABSTRACT = re.compile(r"(?:abstract|summary)\s*(?:[:.–—]|-(?=\s))\s*", re.IGNORECASE)
_SHOUTED = re.compile(r"ABSTRACT\s+(?=[A-Z])")
_PARTS = (
    "introduction|background|purpose|motivation|context|rationale|importance|aims?|objectives?|goals?|problem|"
    "hypothesis|design|study design|setting|participants|patients|subjects|materials|methods?|methodology|approach|"
    "data sources|data collection|data extraction|measurements?|interventions?|main outcomes?|main outcome measures?|"
    "study selection|procedures?|results?|main results|findings|observations?|discussion|conclusions?|interpretation|"
    "significance|implications?|limitations?|originality|availability|implementation|contact|supplementary information|"
    "trial registration|funding"
)
_PART = re.compile(
    rf"(?:^|(?<=[.!?]\s))(?:(?=[A-Z])(?i:{_PARTS})(?i:\s?(?:,|/|&|\band\b)\s?(?:{_PARTS}))?(?:\s?:|(?<=[A-Z])[—–])\s*(?=\S))+"
)
_MARK = re.compile(r"[a-zA-Z] ?:|[A-Z][—–]")  # without one there is no label
_SIGN = re.compile(r"©|\(c\)|copyright|rights reserved", re.IGNORECASE)
_COPYRIGHT = re.compile(
    r"(?:^|(?<=\s))(?:(?:Copyright:?\s*)?(?:©|\(c\))\D{0,80}|Copyright\s+(?:by\s+)?"
    r"|(?=(?:19|20)\d\d\s+\D{1,60}All rights reserved))(?:19|20)\d\d\b.{0,300}$",
    re.DOTALL | re.IGNORECASE,
)
_RIGHTS = re.compile(r"\s*(?:This article is protected by copyright\.\s*)?All rights reserved\.?$", re.IGNORECASE)
_MISSING = re.compile(r"\[?\s*(?:no )?abstract (?:not )?available\.?\s*\]?|n/?a|none|null|-+", re.IGNORECASE)


def drop_labels(abstract: str) -> str:
    """Return a clean abstract without a leading "Abstract", part labels and copyright line, or blank if it is missing.

    Examples
    --------
    >>> drop_labels("Background: It is hard. Methods: We use a net. © 2021 Example B.V. All rights reserved.")
    'It is hard. We use a net.'
    >>> drop_labels("We compare two methods: one is new.")
    'We compare two methods: one is new.'
    """
    if _MISSING.fullmatch(abstract):
        return ""
    if found := _SHOUTED.match(abstract) or _ABSTRACT.match(abstract):
        abstract = abstract[found.end() :]
    if _MARK.search(abstract):
        abstract = _PART.sub("", abstract)
    tail = max(len(abstract) - 450, 0)
    ending = abstract[tail:]
    if _SIGN.search(ending):
        ending = _RIGHTS.sub("", _COPYRIGHT.sub("", ending))
    return (abstract[:tail] + ending).strip()
