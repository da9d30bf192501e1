"""What the elements of XML records mean: fields of a paper, or why a record is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from xml.etree.ElementTree import Element

__all__ = ["FORMATS", "Format"]

_Found: TypeAlias = "dict[str, object] | str"  # fields, or why it is no paper


@dataclass(frozen=True, slots=True)
class Format:
    """An XML format: its roots, its records, and what a record says."""

    name: str
    roots: frozenset[str]
    records: tuple[str, ...]
    read: Callable[[Element], Iterable[_Found]]
    needs: re.Pattern[str] | None = None


def _text(element: Element | None) -> str:
    """Return all text in an element, on one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _all(element: Element, path: str) -> list[str]:
    """Return the texts of all elements on a path that have any."""
    return [text for one in element.iterfind(path) if (text := _text(one))]


def _first(element: Element, *paths: str) -> str:
    """Return the first text on some paths."""
    return next((text for path in paths for text in _all(element, path)), "")


def _name(person: Element) -> str:
    """Return a person's name from its parts."""
    given = _first(person, "ForeName", "first", "given-names", "forenames", "givenName", "givenname", "Initials")
    family = _first(person, "LastName", "last", "surname", "keyname", "CollectiveName")
    return f"{given} {family}".strip() or _text(person)


def _read_pubmed(element: Element) -> Iterator[_Found]:
    """Yield an article of PubMed."""
    article = element.find(".//Article")
    if article is None:
        article = element.find(".//BookDocument")
    if article is None:
        yield "a record of PubMed without an article"
        return
    abstract = article.find("Abstract")
    parts = [] if abstract is None else [_labelled(one) for one in abstract.iterfind("AbstractText")]
    yield {
        "pmid": _first(element, "MedlineCitation/PMID", "BookDocument/PMID"),
        "title": _first(article, "ArticleTitle", "VernacularTitle", "BookTitle", "Book/BookTitle"),
        "abstract": " ".join(filter(None, parts)),
        "year": _first(
            article,
            "Journal/JournalIssue/PubDate/Year",
            "Journal/JournalIssue/PubDate/MedlineDate",
            "ArticleDate/Year",
            "Book/PubDate/Year",
        ),
        "venue": _first(article, "Journal/Title", "Journal/ISOAbbreviation"),
        "authors": [_name(one) for one in article.iterfind("AuthorList/Author")],
        "doi": _first(article, "ELocationID[@EIdType='doi']") or _first(element, ".//ArticleId[@IdType='doi']"),
        "keywords": _all(element, ".//KeywordList/Keyword"),
    }


def _labelled(part: Element) -> str:
    """Return a part of a structured abstract after its label."""
    label, text = part.get("Label", ""), _text(part)
    return f"{label}: {text}" if label and text and label != "UNLABELLED" else text


def _read_jats(element: Element) -> Iterator[_Found]:
    """Yield an article of JATS."""
    meta = element.find(".//article-meta")
    if meta is None:
        yield "an article without metadata"
        return
    abstracts = [one for one in meta.iterfind("abstract") if one.get("abstract-type") in {None, "", "summary"}]
    other = [*meta.iterfind("trans-abstract"), *element.iterfind(".//sub-article//abstract")]
    titles = {element.get("lang", ""): _first(meta, "title-group/article-title")}
    titles |= {one.get("lang", ""): _first(one, "trans-title") for one in meta.iterfind(".//trans-title-group")}
    english = next(
        (one for one in (*abstracts, *other) if one.get("lang", element.get("lang", "")).startswith("en")), None
    )
    chosen = english if english is not None else abstracts[0] if abstracts else None
    yield {
        "title": next((text for lang, text in titles.items() if lang.startswith("en") and text), "")
        or next(iter(titles.values())),
        "abstract": "" if chosen is None else _paragraphs(chosen),
        "year": _first(meta, "pub-date/year"),
        "venue": _first(element, ".//journal-title"),
        "authors": [_name(one) for one in meta.iterfind(".//contrib[@contrib-type='author']/name")],
        "doi": _first(meta, "article-id[@pub-id-type='doi']"),
        "keywords": _all(meta, "kwd-group/kwd"),
    }


def _paragraphs(abstract: Element) -> str:
    """Return the text of an abstract without its own heading."""
    parts = [
        _text(one) for one in abstract if not (one.tag == "title" and _text(one).casefold() in {"abstract", "summary"})
    ]
    return " ".join(filter(None, parts)) or _text(abstract)


def _read_acl(volume: Element) -> Iterator[_Found]:
    """Yield the papers of a volume of the ACL Anthology; its front matter is none."""
    meta = volume.find("meta")
    for paper in volume.iterfind("paper"):
        yield {
            "title": _first(paper, "title"),
            "abstract": _first(paper, "abstract"),
            "year": _first(paper, "year") or ("" if meta is None else _first(meta, "year")),
            "venue": "" if meta is None else _first(meta, "booktitle"),
            "authors": [_name(one) for one in paper.iterfind("author")],
            "doi": _first(paper, "doi"),
            "url": link
            if (link := _first(paper, "url")).startswith("http")
            else f"https://aclanthology.org/{link}"
            if link
            else "",
        }


def _read_dblp(element: Element) -> Iterator[_Found]:
    """Yield a publication of DBLP; home pages and volumes are none."""
    if element.tag in {"www", "proceedings", "person", "data"}:
        yield f"a {element.tag} of DBLP is no paper"
        return
    links = _all(element, "ee")
    yield {
        "id": element.get("key", ""),
        "title": _first(element, "title").removesuffix("."),
        "year": _first(element, "year"),
        "venue": _first(element, "journal", "booktitle", "school"),
        "authors": _all(element, "author"),
        "doi": next((match[0] for link in links if (match := re.search(r"10\.\d{4,}/\S+", link))), ""),
        "url": links[0] if links else "",
    }


def _read_atom(entry: Element) -> Iterator[_Found]:
    """Yield an entry of arXiv's feed; errors come as entries, too."""
    address = _first(entry, "id")
    if "/api/errors" in address:
        yield f"arXiv says: {_first(entry, 'summary')}"
        return
    yield {
        "id": re.sub(r"v\d+$", "", address.rpartition("/abs/")[2]) if "/abs/" in address else "",
        "title": _first(entry, "title"),
        "abstract": _first(entry, "summary", "content"),
        "year": _first(entry, "published", "updated"),
        "venue": _first(entry, "journal_ref"),
        "authors": _all(entry, "author/name"),
        "doi": _first(entry, "doi"),
        "url": address,
    }


def _read_record(record: Element) -> Iterator[_Found]:
    """Yield a record of OAI-PMH or of EndNote, which name the element alike."""
    if record.find("metadata") is None and record.find("header") is None:
        yield from _read_endnote(record)
        return
    data = next(iter(record.find("metadata") or ()), None) if record.find("metadata") is not None else None
    if data is None:
        yield "a record of OAI without metadata, such as one that was deleted"
        return
    texts = _all(data, "abstract") or [text for text in _all(data, "description") if not text.startswith("Comment:")]
    links = [*_all(data, "identifier"), *_all(data, "doi")]
    people = [_name(one) for one in data.iterfind("authors/author")] or _all(data, "creator")
    number = _first(data, "id") or _first(record, "header/identifier").rpartition(":")[2]
    yield {
        "id": number,
        "title": _first(data, "title"),
        "abstract": texts[0] if texts else "",
        "year": _first(data, "created", "date"),
        "authors": people,
        "doi": next((match[0] for link in links if (match := re.search(r"10\.\d{4,}/\S+", link))), ""),
        "url": next((link for link in links if link.startswith("http")), ""),
    }


def _read_endnote(record: Element) -> Iterator[_Found]:
    """Yield a record of EndNote."""
    yield {
        "title": _first(record, "titles/title"),
        "abstract": _first(record, "abstract"),
        "year": _first(record, "dates/year", "dates/pub-dates/date"),
        "venue": _first(record, "periodical/full-title", "titles/secondary-title", "alt-periodical/full-title"),
        "authors": _all(record, "contributors/authors/author"),
        "doi": _first(record, "electronic-resource-num"),
        "url": _first(record, "urls/related-urls/url", "urls/web-urls/url"),
        "keywords": _all(record, "keywords/keyword"),
    }


def _read_zotero(rdf: Element) -> Iterator[_Found]:
    """Yield the items of a Zotero library in RDF; attachments, notes and journals are none."""
    for item in rdf:
        kind = _first(item, "itemType")
        if not kind or kind in {"attachment", "note"} or item.tag in {"Attachment", "Memo", "Journal", "Collection"}:
            if kind in {"attachment", "note"}:
                yield f"a Zotero {kind} is no paper"
            continue
        places = [*_all(item, "identifier"), *_all(item, "identifier/URI/value")]
        yield {
            "title": _first(item, "title"),
            "abstract": _first(item, "abstract"),
            "year": _first(item, "date"),
            "venue": _first(item, "isPartOf/Journal/title", "isPartOf/Book/title", "presentedAt/Conference/title"),
            "authors": [_name(one) for one in item.iterfind("authors/Seq/li/Person")],
            "doi": next(
                (
                    match[0]
                    for one in (*places, *_all(item, "description"))
                    if (match := re.search(r"10\.\d{4,}/\S+", one))
                ),
                "",
            ),
            "url": next((one for one in places if one.startswith("http")), ""),
        }


FORMATS = (
    Format(
        "PubMed XML",
        frozenset({"PubmedArticleSet", "PubmedArticle"}),
        ("PubmedArticle", "PubmedBookArticle"),
        _read_pubmed,
    ),
    Format("ACL Anthology XML", frozenset({"collection"}), ("volume",), _read_acl, re.compile(r"<volume\s")),
    Format(
        "DBLP XML",
        frozenset({"dblp"}),
        (
            "article",
            "inproceedings",
            "incollection",
            "book",
            "phdthesis",
            "mastersthesis",
            "proceedings",
            "www",
            "data",
        ),
        _read_dblp,
    ),
    Format("Atom", frozenset({"feed", "entry"}), ("entry",), _read_atom),
    Format(
        "OAI-PMH or EndNote XML",
        frozenset({"OAI-PMH", "ListRecords", "record", "records", "xml"}),
        ("record",),
        _read_record,
        re.compile(r"<record[\s>]"),
    ),
    Format("Zotero RDF", frozenset({"RDF"}), ("RDF",), _read_zotero, re.compile(r"zotero|biblio#")),
    Format("JATS", frozenset({"article", "articles", "pmc-articleset"}), ("article",), _read_jats),
)
