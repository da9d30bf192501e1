"""Tests of reading."""

from __future__ import annotations

import gzip
import io
import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.model import Paper, Skip
from kg.read import READERS, Reader, read_papers, to_record

SHARED = Path(__file__).parents[2] / "shared"
SEEDS = Path(__file__).parents[1] / "seeds"
DATA = Path(__file__).parent / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the cases are not beside the checkout")

ABSTRACT = "We train a long network on many images and show that it works well in all the cases we tried."
anywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def read(path: Path, content: str | bytes) -> tuple[list[Paper], list[Skip], list[Skip]]:
    """Return papers, skips and warnings of a file with this content."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    warnings: list[Skip] = []
    found = [*read_papers([path], warn=warnings.append)]
    papers = [one for one in found if isinstance(one, Paper)]
    return papers, [one for one in found if isinstance(one, Skip)], warnings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a path whose name says nothing of its format."""
    return tmp_path / "input.bin"


def test_a_broken_line_is_named_and_the_rest_is_read(file: Path) -> None:
    papers, skips, _ = read(file, '{"id":"a","title":"A"}\r\n\n{"id": "b", "ti\n[1]\n{}\n{"x":1} {"y":2}\n{"id":"c"}')

    assert [paper.id for paper in papers] == ["paper:a", "paper:c"]
    assert [skip.line for skip in skips] == [3, 4, 5, 6]
    assert all(skip.file == "input.bin" for skip in skips)
    assert "not valid JSON" in skips[0].reason
    assert skips[2].reason == "no title, abstract or id among the fields (none)"


def test_lines_end_at_line_feeds_only(file: Path) -> None:
    papers, skips, _ = read(file, '{"title":"A","abstract":"one\u2028two\x85three"}\n{"title":"B"}')

    assert [paper.abstract for paper in papers] == ["one\u2028two\x85three", ""]
    assert not skips


@pytest.mark.parametrize("start", ["[", '{"papers": [', '{"status": "ok", "message": {"count": 2, "items": [', "[\n  "])
def test_a_json_document_gives_its_papers(file: Path, start: str) -> None:
    end = {"[": "]", "{": "}"}
    closing = "".join(end[char] for char in reversed(start) if char in end)
    papers, skips, _ = read(file, start + '{\n"title": "A"}, {"title":\n"B"}, null' + closing)

    assert [paper.title for paper in papers] == ["A", "B"]
    assert [skip.reason for skip in skips] == ["not a record but null"]


def test_a_list_that_breaks_off_gives_what_was_read(file: Path) -> None:
    papers, skips, _ = read(file, '[\n{"title": "A"},\n{"title": "B')

    assert [paper.title for paper in papers] == ["A"]
    assert [(skip.line, skip.reason[-29:]) for skip in skips] == [(3, "rest of the file was not read")]


def test_a_single_object_over_many_lines_is_one_paper(file: Path) -> None:
    papers, _, _ = read(file, json.dumps({"title": "A", "year": 2020}, indent=2))

    assert [(paper.title, paper.year) for paper in papers] == [("A", 2020)]


def test_ids_stay_as_they_are_written(file: Path) -> None:
    huge = "1" * 5_000
    papers, _, _ = read(file, '{"id":7}\n{"id":"007"}\n{"id":7.0}\n{"id":"7"}\n{"id":' + huge + "}\n")

    assert [paper.id for paper in papers] == ["paper:7", "paper:007", "paper:7.0", "paper:7", f"paper:{huge}"]


def test_odd_json_does_no_harm(file: Path) -> None:
    deep = "[" * 100_000
    nested = '{"id":"b","title":' + "[" * 500 + '"x"' + "]" * 500 + "}"
    lines = ['{"id":"a","title":"1","title":"2","year":NaN}', nested, '{"id":' + deep, r'{"id":"c\ud800\u0000d"}']
    papers, skips, _ = read(file, "\n".join(lines))

    assert [(paper.id, paper.title) for paper in papers] == [("paper:a", "2"), ("paper:b", ""), ("paper:c\ufffd d", "")]
    assert [(skip.line, skip.reason) for skip in skips] == [(3, "JSON nested too deeply")]


@pytest.mark.parametrize(
    ("record", "field", "value"),
    [
        ({"Paper Title": "A"}, "title", "A"),
        ({"title": None, "display_name": "A"}, "title", "A"),
        ({"summary": "B"}, "abstract", "B"),
        ({"abstractText": ["B", "C"]}, "abstract", "B C"),
        ({"abstract_inverted_index": {"we": [0, 2], "and": [1], "win": [3]}}, "abstract", "we and we win"),
        ({"content": {"title": {"value": "A"}}}, "title", "A"),
        ({"paperId": "p"}, "id", "paper:p"),
        ({"id": "x", "publication_date": "2021-05-03"}, "year", 2021),
        ({"id": "x", "date": "20210503"}, "year", 2021),
        ({"id": "x", "issued": {"date-parts": [[2021, 5]]}}, "year", 2021),
        ({"id": "x", "journal": {"name": "J"}}, "venue", "J"),
        (
            {"id": "x", "authors": ["A B", {"name": "C D"}, {"given": "E", "family": "F"}]},
            "authors",
            ("A B", "C D", "E F"),
        ),
        ({"id": "x", "authors": "Lee, Zoë; O'Brien, Pat"}, "authors", ("Lee, Zoë", "O'Brien, Pat")),
        ({"id": "x", "authors": "Zoë Lee, Pat O'Brien and Kim Doe"}, "authors", ("Zoë Lee", "Pat O'Brien", "Kim Doe")),
        ({"id": "x", "author": "Lee, Zoë and Doe, Kim"}, "authors", ("Lee, Zoë", "Doe, Kim")),
        ({"id": "x", "authors": "A B ⋅ C D"}, "authors", ("A B", "C D")),
        ({"doi": "https://doi.org/10.1000/AB"}, "doi", "10.1000/AB"),
        ({"doi": "https://doi.org/10.1000/AB"}, "id", "paper:10.1000/ab"),
        ({"id": "x", "link": "https://a.b"}, "url", "https://a.b"),
        ({"id": "x", "keywords": "a; b, c"}, "keywords", ("a", "b, c")),
        ({"id": "x", "keywords": [{"value": "a"}, None, "b"]}, "keywords", ("a", "b")),
    ],
)
def test_fields_are_found_by_their_usual_names(
    file: Path, record: dict[str, object], field: str, value: object
) -> None:
    (paper,), skips, warnings = read(file, json.dumps(record))

    assert getattr(paper, field) == value
    assert not skips
    assert not warnings


def test_what_is_no_year_or_doi_is_left_out_with_a_warning(file: Path) -> None:
    (paper,), _, warnings = read(file, '{"title": "A", "year": "n.d.", "doi": "none"}')

    assert (paper.year, paper.doi, paper.id[:8]) == (None, "", "paper:a-")
    assert warnings == [
        Skip("input.bin", 1, "'none' is no DOI; left out"),
        Skip("input.bin", 1, "'n.d.' is no year; left out"),
    ]


def test_a_line_of_more_than_ten_million_bytes_is_skipped(file: Path) -> None:
    papers, skips, _ = read(file, b'{"title":"A"}\n{"title":"' + b"x" * 20_000_001 + b'"}\n{"title":"B"}\n')

    assert [paper.title for paper in papers] == ["A", "B"]
    assert skips == [Skip("input.bin", 2, "a line of more than 10,000,000 bytes")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("content", ['{"title":"Zoë β"}\n{"title":"B"}\n', f"Zoë β is short\n\n{ABSTRACT}\n"])
def test_unicode_encodings_are_told_apart(file: Path, encoding: str, content: str) -> None:
    papers, _, warnings = read(file, content.encode(encoding))

    assert papers[0].title.startswith("Zoë β")
    assert not warnings


def test_other_bytes_are_read_as_windows_1252_with_a_warning(file: Path) -> None:
    papers, _, warnings = read(file, '{"title":"Zoë’s"}\n{"title":"ok"}\n'.encode("cp1252"))

    assert papers[0].title == "Zoë’s"
    assert warnings == [Skip("input.bin", 1, "not UTF-8; read as Windows-1252")]


def test_gzip_is_unpacked_whatever_the_name(file: Path) -> None:
    papers, _, _ = read(file, gzip.compress(b'{"title":"A"}'))

    assert [paper.title for paper in papers] == ["A"]


def test_standard_input_is_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"title":"A"}\n{')))
    paper, skip = read_papers(["-"])

    assert isinstance(paper, Paper)
    assert isinstance(skip, Skip)
    assert (skip.file, skip.line) == ("standard input", 2)
    assert not sys.stdin.buffer.closed


def test_papers_come_one_at_a_time(file: Path) -> None:
    file.write_bytes(b'{"title":"A"}\n' * 100_000)
    stream = read_papers([file, "missing"])

    assert isinstance(next(stream), Paper)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (gzip.compress(b'{"title":"A"}' * 100)[:30], "gzip file is damaged"),
        (b"%PDF-1.7\n", "a PDF file"),
        (b"PK\x03\x04abc", "a ZIP archive that is no XLSX workbook"),
        (bytes(range(256)), "a binary file"),
        (b"<?xml version='1.0'?><a/>", "an XML or HTML file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(file: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(file, content)

    assert str(caught.value).startswith("input.bin: ")
    assert "\n" not in str(caught.value)


def test_an_unknown_format_is_told_the_choices(file: Path) -> None:
    with pytest.raises(InputError, match="json lines, json, xml, bibtex"):
        read(file, b"%PDF-1.7\n")


@pytest.mark.parametrize("name", ["missing.txt", "no\0name"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"missing\.txt: there is no such file|name of a file"):
        [*read_papers([tmp_path / name])]


def test_a_file_without_permission_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    file.write_text("x", encoding="utf-8")
    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(InputError, match=r"input\.bin: can't be read \(Permission denied\)"):
        [*read_papers([file])]


def test_a_folder_gives_its_files_by_path_and_skips_what_it_cannot_read(tmp_path: Path) -> None:
    for name, content in (("b.jsonl", '{"title":"B"}'), ("a/z.json", '[{"title":"Z"}]'), (".git/x", '{"title":"X"}')):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "d.txt").touch()
    found = [*read_papers([tmp_path])]

    assert [one.title for one in found if isinstance(one, Paper)] == ["Z", "B"]
    assert [(one.file, one.reason[:15]) for one in found if isinstance(one, Skip)] == [
        ("c.pdf", "this is a PDF f"),
        ("d.txt", "the file is emp"),
    ]


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder holds no files"):
        [*read_papers([tmp_path])]


@pytest.mark.parametrize(
    ("text", "papers", "skipped"),
    [
        (f"ICML 2026 Papers\n\n{ABSTRACT}\n", [("", ABSTRACT)], [1]),
        (f"A Short Heading\n\n{ABSTRACT}\n\n{ABSTRACT}\n\n{ABSTRACT}", [("", ABSTRACT)] * 3, [1]),
        (f"One title\n\n{ABSTRACT}\n\n\nOther\n \n{ABSTRACT}", [("One title", ABSTRACT), ("Other", ABSTRACT)], []),
        (f"Vision\n\nOne title\n\n{ABSTRACT}", [("One title", ABSTRACT)], [1]),
        (f"# One title\n{ABSTRACT}", [("One title", ABSTRACT)], []),
        (f"{ABSTRACT}\n\nThe end", [("", ABSTRACT)], [3]),
        (
            "We train BERT on\nSQuAD\n   and GLUE for many tasks 🚀.\n",
            [("", "We train BERT on SQuAD and GLUE for many tasks 🚀.")],
            [],
        ),
        (f"Is It a Title?\r\n{ABSTRACT}\r\n", [("Is It a Title?", ABSTRACT)], []),
        (f"One\r\r{ABSTRACT}\r\rTwo\r\r{ABSTRACT}", [("One", ABSTRACT), ("Two", ABSTRACT)], []),
        ("Nothing here\n", [], [1]),
    ],
)
def test_plain_text_is_told_apart_by_blocks(
    file: Path, text: str, papers: list[tuple[str, str]], skipped: list[int]
) -> None:
    found, skips, _ = read(file, text)

    assert [(paper.title, paper.abstract) for paper in found] == papers
    assert [skip.line for skip in skips] == skipped


def test_a_hard_wrapped_abstract_has_no_title(file: Path) -> None:
    lines = ["We train one of the larger networks on images of", "ImageNet and on many others, and show in all of the"]
    papers, _, _ = read(file, "\n".join([*lines, "cases that we tried that it works well."]))

    assert [paper.title for paper in papers] == [""]


def test_a_paragraph_of_more_than_ten_million_characters_is_skipped(file: Path) -> None:
    papers, skips, _ = read(file, ("x" * 99 + "\n") * 100_001 * 2 + f"\n{ABSTRACT}")

    assert [paper.abstract for paper in papers] == [ABSTRACT]
    assert [skip.reason for skip in skips] == ["a paragraph of more than 10,000,000 characters"]


def test_another_format_plugs_in(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(
        lambda head: head.startswith(b"!!"), lambda stream, name, _: iter([Paper(title=stream.read().decode())])
    )
    monkeypatch.setitem(READERS, "shouted", reader)

    with pytest.raises(InputError, match="shouted"):
        read(file, b"%PDF")
    monkeypatch.delitem(READERS, "plain text")
    assert read(file, b"!!A")[0] == [Paper(title="!!A")]


def test_the_seeds_are_nineteen_papers_in_both_forms() -> None:
    text = [*read_papers([SEEDS / "icml2026.txt"])]
    lines = [*read_papers([SEEDS / "icml2026.jsonl"])]

    assert text[0] == Skip("icml2026.txt", 1, "neither an abstract nor the title of one: 'ICML 2026 Papers'")
    assert [one.abstract for one in text if isinstance(one, Paper)] == [
        one.abstract for one in lines if isinstance(one, Paper) and one.title and one.url.endswith(one.id[6:])
    ]
    assert len(lines) == 19


def test_the_small_world_is_the_same_in_both_forms() -> None:
    text = [one for one in read_papers([DATA / "papers.txt"]) if isinstance(one, Paper)]
    lines = [one for one in read_papers([DATA / "papers.jsonl"]) if isinstance(one, Paper)]

    assert [(one.title, one.abstract) for one in text] == [(one.title, one.abstract) for one in lines]
    assert len(text) == 5


@anywhere
@given(title=st.text(), abstract=st.text(), venue=st.text(), names=st.lists(st.text()), year=st.integers(1000, 2999))
def test_what_is_written_is_read_back(
    file: Path, title: str, abstract: str, venue: str, names: list[str], year: int
) -> None:
    record = {"title": title, "abstract": abstract, "venue": venue, "authors": names, "keywords": names, "year": year}
    papers, _, _ = read(file, json.dumps(record | {"id": "7"}))
    again, skips, warnings = read(file, json.dumps(to_record(papers[0]), ensure_ascii=False))

    assert again == papers
    assert (papers[0].title, papers[0].abstract) == (title, abstract)
    assert not skips
    assert not warnings


def test_an_id_that_starts_like_a_prefix_is_written_whole() -> None:
    paper = Paper(id="paper:paper:x")

    assert Paper(id=str(to_record(paper)["id"])) == paper


@anywhere
@given(st.one_of(st.binary(), st.text().map(str.encode), st.text('{}[]":,\\u0aé\n ').map(str.encode)))
def test_any_bytes_give_papers_or_an_input_error(file: Path, content: bytes) -> None:
    with suppress(InputError):
        papers, skips, _ = read(file, content)

        assert all(paper.id for paper in papers)
        assert all(skip.reason for skip in skips)


@needs_shared
@pytest.mark.parametrize(
    ("name", "ids", "skipped"),
    [
        ("in4_papers", ["p1", "p2", "p5", "p7", "p8"], [4, 6]),
        ("gr2_reserved", ["7", "007", "7.0", "lonely"], []),
        ("hv4_unicode", ["u1", "u2"], []),
    ],
)
def test_the_cases_are_read_as_they_should(name: str, ids: list[str], skipped: list[int]) -> None:
    found = [*read_papers([SHARED / f"cases/inputs/{name}.jsonl"], warn=lambda _: None)]

    assert [one.id.removeprefix("paper:") for one in found if isinstance(one, Paper)] == ids
    assert [one.line for one in found if isinstance(one, Skip)] == skipped


@needs_shared
def test_ids_from_titles_in_any_script_differ_and_stay() -> None:
    path = SHARED / "cases/inputs/gr4_ids_from_names.jsonl"
    first, second = ([one.id for one in read_papers([path]) if isinstance(one, Paper)] for _ in range(2))

    assert first == second
    assert len(set(first)) == 8


@needs_shared
def test_unwrapped_and_wrapped_text_of_the_cases_is_two_abstracts() -> None:
    papers = [one for one in read_papers([SHARED / "cases/inputs/ex7_types.txt"]) if isinstance(one, Paper)]

    assert [paper.title for paper in papers] == ["", ""]
    assert "machine translation is tested" in papers[1].abstract


def test_empty_texts_are_papers_where_there_is_an_id(file: Path) -> None:
    texts = ["", "   ", "…!?", "x" * 200_000, "We use LoRA. " * 90_000]
    papers, skips, _ = read(
        file, "\n".join(json.dumps({"id": str(at), "abstract": one}) for at, one in enumerate(texts))
    )

    assert [paper.abstract for paper in papers] == texts
    assert not skips
