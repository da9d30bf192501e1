"""What is said about a paper: its type, title, authors, venue and identifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.rdf.terms import describe, ref, term, to_count, to_node, to_text, to_uri
from kg.vocab import to_part_iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Paper
    from kg.rdf.terms import Fact, Node

__all__ = ["find_arxiv_id", "iter_authors", "iter_paper_facts", "reads_like_conference"]

_ARXIV = re.compile(
    r"\barxiv(?:\.org/(?:abs|pdf)/|[.:])\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})", re.IGNORECASE
)
_JOURNAL = re.compile(
    r"\b(?:journal|transactions|letters|magazine|annals|arxiv|corr|preprint|review of|reviews|thesis)\b"
    r"|\bproceedings of the (?:national academy|royal society|ieee$|acm on|vldb endowment)",
    re.IGNORECASE,
)
_MEETING = re.compile(
    r"\b(?:conference|conf|proceedings|proc|symposium|workshops?|congress|meeting|colloquium)\b", re.IGNORECASE
)
_MEETING_NAME = re.compile(
    r"\b(?:AAAI|ACCV|ACL|ACML|AISTATS|BMVC|CHI|CIKM|COLING|COLM|COLT|CoNLL|CoRL|CVPR|EACL|ECAI|ECCV|ECIR|ECML|EMNLP|"
    r"ESWC|FAccT|ICASSP|ICCV|ICDE|ICDM|ICIP|ICLR|ICML|ICRA|IJCAI|IJCNLP|INTERSPEECH|Interspeech|IROS|ISWC|KDD|LREC|"
    r"MICCAI|MIDL|MLSys|NAACL|NeurIPS|NIPS|RecSys|SIGGRAPH|SIGIR|SIGMOD|UAI|UIST|VLDB|WACV|WSDM|WWW)\b"
)


def reads_like_conference(venue: str) -> bool:
    """Return whether a venue's name is that of a meeting, not of a journal or archive.

    Examples
    --------
    >>> reads_like_conference("ICML 2026"), reads_like_conference("Transactions of the ACL")
    (True, False)
    """
    if _JOURNAL.search(venue):
        return False
    return bool(_MEETING.search(venue) or _MEETING_NAME.search(venue))


def find_arxiv_id(paper: Paper) -> str:
    """Return the arXiv id that a paper's DOI, address or id holds, without version, or "".

    Examples
    --------
    >>> from kg.model import Paper
    >>> find_arxiv_id(Paper(title="LoRA", url="https://arxiv.org/abs/2106.09685v2"))
    '2106.09685'
    """
    for text in (paper.doi, paper.url, paper.id):
        if found := _ARXIV.search(text):
            return found[1]
    return ""


def iter_paper_facts(paper: Paper, *, base: str) -> Iterator[Fact]:
    """Yield what is said about a paper itself, without its relations."""
    kind = "fabio:ConferencePaper" if reads_like_conference(paper.venue) else "fabio:ResearchPaper"
    for name in (kind, "schema:ScholarlyArticle", "lpwcc:paper"):
        yield "rdf:type", term(name)
    yield ("dcterms:title", to_text(paper.title)) if paper.title else ("rdfs:label", to_text(paper.label))
    if paper.abstract:
        yield "dcterms:abstract", to_text(paper.abstract)
    if paper.year is not None:
        yield "dcterms:issued", to_count(paper.year)
        yield "dcterms:date", to_count(paper.year)  # what those who query LPWC ask for
    for place, _ in enumerate(paper.authors, 1):
        yield "dcterms:creator", ref(to_part_iri(paper.id, "creator", place, base=base))
    if paper.venue:
        yield "dcterms:isPartOf", to_node(f"venue:{paper.venue}", base)
    yield from _iter_identifiers(paper)
    for keyword in paper.keywords:
        yield "schema:keywords", to_text(keyword)


def _iter_identifiers(paper: Paper) -> Iterator[Fact]:
    """Yield the paper's id, DOI, arXiv id and address, each as it was given."""
    yield "dcterms:identifier", to_text(paper.id.removeprefix("paper:"))
    if paper.doi:
        yield "prism:doi", to_text(paper.doi)
    if arxiv := find_arxiv_id(paper):
        yield "fabio:hasArXivId", to_text(arxiv)
    if paper.url:
        yield "schema:url", to_uri(paper.url)


def iter_authors(paper: Paper, *, base: str) -> Iterator[Node]:
    """Yield the authors of a paper in order, each as a person of this paper only.

    Two papers' authors of one name may be two people, so none are joined. The number that
    ends an author's IRI is the place in the list of authors.
    """
    for place, name in enumerate(paper.authors, 1):
        person = ref(to_part_iri(paper.id, "creator", place, base=base))
        yield describe(person, [("rdf:type", term("foaf:Person")), ("foaf:name", to_text(name))])
