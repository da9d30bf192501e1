"""What tools export is read: a small file of each format, made up, and the real ones where they are."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.model import Paper, Skip
from kg.read import READERS, Opened, read_papers

if TYPE_CHECKING:
    from tests.conftest import Built

SHARED = Path(__file__).parents[2] / "shared"
TITLE, ABSTRACT = "Sparse attention for long texts", "We use sparse attention on ImageNet."

SMALL = {
    path.stem.replace("_", " "): path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "data/formats").iterdir())
}
NO_ABSTRACT = {"DBLP XML"}


def read(content: str | bytes) -> tuple[list[Paper], list[Skip], list[Skip], list[Opened]]:
    """Return the papers, skips and warnings of a file with a content, and what it was opened as."""
    warnings: list[Skip] = []
    opened: list[Opened] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        found = list(read_papers([path], warn=warnings.append, opened=opened.append))
    return (
        [one for one in found if isinstance(one, Paper)],
        [one for one in found if isinstance(one, Skip)],
        warnings,
        opened,
    )


@pytest.mark.parametrize("form", SMALL)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_record_of_each_format_is_read_whatever_its_line_ends(form: str, ends: str) -> None:
    papers, _, _, opened = read(SMALL[form].replace("\n", ends))

    assert [one.format for one in opened] == [form]
    (paper,) = papers
    assert " ".join(paper.title.split()) == TITLE
    assert paper.abstract == ("" if form in NO_ABSTRACT else ABSTRACT)
    assert (paper.year, paper.doi, len(paper.authors)) == (2021, "10.1000/x", 2)


@pytest.mark.parametrize("form", ["RIS", "bibtex", "table", "PubMed XML"])
def test_it_may_be_gzipped_and_begin_with_a_mark(form: str) -> None:
    papers, *_ = read(gzip.compress(b"\xef\xbb\xbf" + SMALL[form].encode()))

    assert [paper.abstract for paper in papers] == [ABSTRACT]


def test_a_workbook_with_a_caption_above_its_header_is_read() -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in (["Exported on Monday"], ["Title", "Year", "Abstract"], [TITLE, 2021, ABSTRACT], [None, None, None]):
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)

    papers, *_ = read(content.getvalue())

    assert [(paper.title, paper.abstract, paper.year) for paper in papers] == [(TITLE, ABSTRACT, 2021)]


def test_a_parquet_file_is_read_and_a_broken_one_refused() -> None:
    table = pa.table({"title": [TITLE], "abstract": [ABSTRACT], "year": [2021], "authors": [["Ana Lee", "Bo Roy"]]})
    content = io.BytesIO()
    pq.write_table(table, content)

    papers, *_ = read(content.getvalue())

    assert [(paper.title, paper.abstract, paper.year, paper.authors) for paper in papers] == [
        (TITLE, ABSTRACT, 2021, ("Ana Lee", "Bo Roy"))
    ]
    with pytest.raises(InputError, match="not a whole Parquet file"):
        read(content.getvalue()[:200])


def test_a_pattern_stands_for_the_files_it_finds(tmp_path: Path) -> None:
    for name in ("b.ris", "a.ris", "c.txt"):
        (tmp_path / name).write_text(SMALL["RIS"].replace(TITLE, f"On {name}"))

    papers = [one for one in read_papers([f"{tmp_path}/*.ris"]) if isinstance(one, Paper)]

    assert [paper.title for paper in papers] == ["On a.ris", "On b.ris"]
    with pytest.raises(InputError, match="no file is called so"):
        list(read_papers([f"{tmp_path}/*.bib"]))


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        (
            "in1_library.bib",
            {"Sparse graph attention for molecule search", "Contrastive pre-training of code models",
             "Notes on low-rank adaptation", "OpenPolymer: a data set of polymer spectra",
             "An entry whose key has no comma after it", "The {L}ast entry after the broken one"},
        ),
        (
            "in3_export.ris",
            {"Finding loose tiles from drone pictures", "A second record", "A record that the file ends inside"},
        ),
    ],
)  # fmt: skip
def test_what_vendors_write_is_read_whole(name: str, titles: set[str]) -> None:
    path = SHARED / "cases/inputs" / name
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    warnings: list[Skip] = []
    papers = [one for one in read_papers([path], warn=warnings.append) if isinstance(one, Paper)]

    assert {paper.title for paper in papers} == titles
    assert len({paper.id for paper in papers}) == len(papers)
    assert warnings
    assert not any("Searched" in paper.abstract for paper in papers)


@pytest.mark.parametrize(
    "value",
    [
        {"hits": {"hits": [{"id": "1", "metadata": {
            "titles": [{"title": TITLE}], "abstracts": [{"value": ABSTRACT}], "authors": [{"full_name": "Lee, Ana"}],
            "preprint_date": "2021-01-02"}}], "total": 1}, "links": {"self": "x"}},
        {"version": "6", "resultList": {"result": [
            {"id": "1", "title": TITLE, "abstractText": ABSTRACT, "authorString": "Lee A.", "pubYear": "2021"}]}},
        {"notes": [{"id": "a", "content": {"title": {"value": TITLE}, "abstract": {"value": ABSTRACT},
            "authors": {"value": ["Ana Lee"]}, "venue": {"value": "ICLR 2021"}}}], "count": 1},
        {"paper_id": "2", "metadata": {"title": TITLE, "authors": [{"first": "Ana", "last": "Lee"}], "year": "2021"},
            "abstract": [{"text": ABSTRACT, "section": "Abstract"}]},
        {"data": [{"id": "1", "attributes": {"titles": [{"title": TITLE}, {"title": "Other"}], "publicationYear": 2021,
            "creators": [{"name": "Lee, Ana"}],
            "descriptions": [{"description": "5 GB", "descriptionType": "TechnicalInfo"},
                             {"description": ABSTRACT, "descriptionType": "Abstract"}]}}]},
        {"status": "ok", "message": {"title": [TITLE], "abstract": ABSTRACT,
            "author": [{"given": "Ana", "family": "Lee"}], "issued": {"date-parts": [[2021, 5]]}}},
        {"1": {"title": TITLE, "abstract": ABSTRACT, "year": 2021, "authors": ["Ana Lee"]},
         "2": {"title": TITLE, "abstract": ABSTRACT, "year": 2021, "authors": ["Ana Lee"]}},
    ],
    ids=["INSPIRE", "Europe PMC", "OpenReview", "S2ORC", "DataCite", "Crossref", "by id"],
)  # fmt: skip
def test_services_wrap_records_in_many_ways(value: dict[str, object]) -> None:
    papers, *_ = read(json.dumps(value))

    assert {(paper.title, paper.abstract, paper.year, len(paper.authors)) for paper in papers} == {
        (TITLE, ABSTRACT, 2021, 1)
    }


def test_reviews_among_submissions_are_no_papers() -> None:
    notes = [{"id": "a", "title": TITLE}, {"id": "r", "replyto": "a", "content": {"summary": {"value": "It is good."}}}]
    papers, skips, *_ = read(json.dumps({"notes": notes}))

    assert [paper.title for paper in papers] == [TITLE]
    assert "a review or comment" in skips[0].reason


def test_columns_may_be_named_by_tags() -> None:
    papers, *_ = read(f"PT\tAU\tTI\tAB\tPY\nJ\tLee, A; Roy, B\t{TITLE}\t{ABSTRACT}\t2021\n")

    assert [(paper.title, paper.abstract, paper.year, len(paper.authors)) for paper in papers] == [
        (TITLE, ABSTRACT, 2021, 2)
    ]


def test_banner_lines_and_other_separators_do_not_hide_a_table() -> None:
    papers, skips, *_ = read(f"Search results\n\nTitle;Year;Abstract\n{TITLE};2021;{ABSTRACT}\n;;\nOnly a year;;\n")

    assert [paper.title for paper in papers] == [TITLE, "Only a year"]
    assert not skips


def test_what_is_no_paper_is_left_out_with_a_reason() -> None:
    texts = {
        "@proceedings{p, booktitle={All}}\n@comment{@article{c, title={C}}}\n@misc{a, title={A}}": "proceedings",
        "<feed><entry><id>http://arxiv.org/api/errors#x</id><summary>bad</summary></entry></feed>": "arXiv says: bad",
        "<dblp><www key='h'><title>Home Page</title></www><article><title>A</title></article></dblp>": "www of DBLP",
        "<PubmedArticleSet><PubmedArticle>x</PubmedArticle></PubmedArticleSet>": "PubMed without an article",
        "<PubmedArticleSet><PubmedArticle><b></PubmedArticle></PubmedArticleSet>": "not well-formed",
    }
    for text, reason in texts.items():
        _, skips, *_ = read(text)
        assert reason in skips[0].reason


def test_an_entity_is_never_expanded_nor_fetched() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    papers, *_ = read(f"{bomb}<feed><entry><id>1</id><title>{TITLE} &b; &c;</title></entry></feed>")

    assert papers[0].title == f"{TITLE} &b; &c;"


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "gb18030", "cp1251"])
def test_encodings_are_found_by_what_they_say(encoding: str) -> None:
    words = {
        "cp1252": "Größe für Prüfung naïve café",
        "gb18030": "稀疏注意力机制用于长文本理解的研究",
        "cp1251": "Разреженное внимание для длинных текстов",
    }
    title = words.get(encoding, "Größe – naïve café")

    papers, _, warnings, _ = read(SMALL["RIS"].replace(TITLE, title).encode(encoding))

    assert papers[0].title == title
    assert bool(warnings) is (encoding != "utf-16")


def test_entries_that_share_a_key_or_miss_a_comma_are_kept() -> None:
    text = "@article{a, title={One}}\n@article{a, title={Two}}\n"
    text += '@article{b\n title={Three},\n abstract={C.}}\n@article{c, title="Fo" # "ur"}'
    papers, skips, warnings, _ = read(text)

    assert [paper.title for paper in papers] == ["One", "Two", "Three", "Four"]
    assert not skips
    assert [(one.line, one.reason) for one in warnings] == [
        (3, "the entry is not whole BibTeX; what could be read of it is kept")
    ]


def test_a_start_tag_within_a_record_starts_another_only_with_a_title() -> None:
    one, two = "%0 Journal\n%T One\n", "%0 Book\n%T Two\n%X Second.\n"

    assert [paper.title for paper in read(one + two)[0]] == ["One", "Two"]
    assert [(paper.title, paper.abstract) for paper in read(one + "%0 Book\n%0\n%X First.\n")[0]] == [("One", "First.")]
    assert [paper.abstract for paper in read(one + "\n%0 Book\n%X Alone.\n")[0]] == ["", "Alone."]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SMALL)), st.integers(0, 2000), st.binary(max_size=40))
def test_damage_ends_in_papers_skips_or_one_error(form: str, at: int, damage: bytes) -> None:
    content = SMALL[form].encode()
    with suppress(InputError):
        papers, skips, *_ = read(content[:at] + damage + content[at + len(damage) :])
        assert papers or skips


@settings(max_examples=80, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60))
def test_any_text_survives_json_lines_and_tables(text: str) -> None:
    line = json.dumps({"title": text, "abstract": f"A {text}."}, ensure_ascii=False)
    cell = text.replace('"', '""')
    for content in (line, f'title,abstract\n"{cell}","A {cell}."\n'):
        papers, skips, *_ = read(content)
        wanted = "" if text.strip().casefold() in {"na", "nan", "none", "null"} and content != line else text.strip()
        assert [paper.title.strip() for paper in papers] == [wanted] or (skips and not text.strip())


def find_expected() -> dict[str, dict[str, object]]:
    """Return what the real files should give, or nothing."""
    path = SHARED / "corpora/expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _columns(papers: list[Paper]) -> tuple[list[str], list[str]]:
    """Return titles and abstracts."""
    return [one.title for one in papers], [one.abstract for one in papers]


def test_of_real_files_nearly_all_give_every_record_title_and_abstract() -> None:
    expected = find_expected()
    if not expected:
        pytest.skip("the corpora are not beside the checkout")
    wrong = []
    for name, counts in expected.items():
        papers: list[Paper] = []
        with suppress(InputError):  # of an empty file
            found = read_papers([SHARED / "corpora" / name], warn=lambda _: None)
            papers += [one for one in found if isinstance(one, Paper)]
        titles, abstracts = ([bool(text.strip()) for text in texts] for texts in _columns(papers))
        counted = (len(papers), sum(titles), sum(abstracts))
        wanted = (counts["records"], counts["with_title"], counts["with_abstract"])
        if counted != wanted and not (isinstance(wanted[0], str) and counted[1:] == wanted[1:]):
            wrong.append((name, counted, wanted))

    assert len(wrong) <= 0.03 * len(expected), wrong


def test_every_reader_has_a_small_file_here() -> None:
    assert set(READERS) - {
        "json lines",
        "json",
        "xml",
        "tagged",
        "xlsx",
        "parquet",
        "list of papers",
        "plain text",
    } <= set(SMALL)


def test_latex_becomes_text_once(built: Built) -> None:
    # Case IN2.
    path = SHARED / "cases/inputs/in2_latex.bib"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    graph = built([path])

    (paper,) = graph.papers.values()
    assert paper.label == "ω-regular languages and Büchi automata learned with ResNets"
    assert paper.authors == ("Łukasz Müller", "Paul Erdős", "René Ørsted")
    labels = {concept.label for concept in graph.concepts.values()}
    assert {"Erdős–Rényi graphs", "Word2Vec"} <= labels
    assert any(label.startswith("k-nearest neighbour") for label in labels)
    assert not any(set("\\{}$~") & set(label) for label in labels)
    assert not any(word in label for label in labels for word in ("ømega", "cite", "mathcal", "url", "textit", "log n"))
