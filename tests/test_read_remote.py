"""Papers by URI are those of the same files by path: on this machine, in S3 and in Google Cloud Storage."""

from __future__ import annotations

import gzip
import json
import socket
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from pyarrow import fs

from kg import places
from kg.build import Options, survey_files
from kg.cli import main
from kg.errors import InputError
from kg.model import Paper
from kg.places import is_uri, open_place, to_public
from kg.read import read_papers, remote
from tests.stores import SERVERS, Store, run_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.model import Skip

FILES = {
    "a.jsonl": b'{"title":"A"}\n{"title":""}\n',
    "part-1.jsonl.gz": gzip.compress(b'{"title":"B"}'),
    "part-2.jsonl": b'{"title":"Caf\xe9"}',
    "odd #[1] \xe9%20.jsonl": b'{"title":"D"}',
    "in/part-3.json": b'[{"title":"E"}]',
    "in/deep/part-4.jsonl": b'{"title":"F"}',
    "in/notes.pdf": b"%PDF-1.7",
    "in/empty.txt": b"",
    ".hidden": b'{"title":"X"}',
    "in/.git/x": b'{"title":"Y"}',
}
NAMES = ("", "/", "a.jsonl", "part-*", "*.jsonl", "**/*.jsonl", "in", "in/", "*/part-[0-9].json", "i*", "in/*/*")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with files of several kinds."""
    folder = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module", params=sorted(SERVERS))
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """Return a store with the same files in it."""
    with run_store(request.param) as store:
        for name, content in FILES.items():
            store.put(f"papers/x/{name}", content)
        yield store


def read(source: str) -> tuple[list[Paper | Skip] | str, list[Skip]]:
    """Return what is read and warned of, or how it is refused, after the name."""
    warnings: list[Skip] = []
    try:
        return list(read_papers([source], warn=warnings.append)), warnings
    except InputError as error:
        return str(error).rpartition(": ")[2], warnings


@pytest.mark.parametrize("name", NAMES)
def test_a_uri_of_this_machine_reads_as_the_path(folder: Path, name: str) -> None:
    assert read(f"file://{folder}/{name}") == read(f"{folder}/{name}")


@pytest.mark.parametrize("name", ["missing.txt", "in/empty.txt", "in/notes.pdf", "*.bib", "in/deep/*/x"])
def test_what_is_wrong_is_said_of_the_uri_as_of_the_path(folder: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_papers([f"file://{folder}/{name}"]))

    assert str(caught.value).startswith(f"file://{folder}/{name}: ")
    assert read(f"file://{folder}/{name}") == read(f"{folder}/{name}")


@pytest.mark.parametrize("name", ["odd #[1] \xe9%2520.jsonl", "odd%20%23%5B1%5D%20%C3%A9%2520.jsonl"])
def test_what_no_uri_may_have_stands_for_itself(folder: Path, name: str) -> None:
    (paper,) = read_papers([f"file://{folder}/{name}"])

    assert isinstance(paper, Paper)
    assert paper.origin == ("odd #[1] \xe9%20.jsonl", 1)


def test_of_a_pattern_the_file_that_cannot_be_read_is_named(folder: Path) -> None:
    with pytest.raises(InputError, match=rf"^file://{folder}/in/empty.txt: the file is empty$"):
        list(read_papers([f"file://{folder}/in/e*"]))


def test_a_folder_of_that_name_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:/bucket").mkdir(parents=True)
    (tmp_path / "s3:/bucket/a.jsonl").write_bytes(FILES["a.jsonl"])

    assert read("s3://bucket/a.jsonl") == read("s3://bucket/*") == read("s3:/bucket/a.jsonl")


@pytest.mark.parametrize("name", ["C:\\papers.txt", "a b://c", "papers: an://essay.txt", "-", "1://x", "s3:/x", ""])
def test_other_names_are_no_uris(name: str) -> None:
    assert not is_uri(name)


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("https://a.org/x.jsonl", r"x\.jsonl: can't be read from https://; what can is a path, or file://, s3://"),
        ("mock://x", "can't be read from mock://"),
        ("s3:///x", "Missing bucket name"),
        ("s3://", r"s3://: names no bucket; write s3://BUCKET/PATH"),
        ("s3://key:secret@bucket/x?colour=red", r"^s3://bucket/x: .*query parameter in S3 URI: 'colour'"),
        ("file://elsewhere/x", "there is no such place"),
    ],
)
def test_a_place_that_is_none_is_refused_in_one_line(uri: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        list(read_papers([uri]))

    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("s3://key:secret@bucket/a@b.jsonl?region=x", "s3://bucket/a@b.jsonl"),
        ("s3://key:sec/ret@bucket/a.jsonl", "s3://bucket/a.jsonl"),
        ("s3://bucket/a@b?region=x@y", "s3://bucket/a@b"),
        ("hdfs://host:8020/a@b", "hdfs://host:8020/a@b"),
        ("data/what?.jsonl", "data/what?.jsonl"),
    ],
)
def test_keys_and_options_are_not_shown(uri: str, shown: str) -> None:
    assert to_public(uri) == shown


def test_googles_library_does_not_try_for_a_quarter_of_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Asked:
        @staticmethod
        def from_uri(uri: str) -> tuple[None, str]:
            asked.append(uri)
            return None, "x"

    monkeypatch.setattr(places, "_PATIENCE", 7)
    monkeypatch.setattr(fs, "FileSystem", Asked)

    for uri in ("gs://b/x", "gcs://b/x?scheme=http", "gs://b/x?retry_limit_seconds=900"):
        open_place(uri)

    assert [one.partition("?")[2] for one in asked] == [
        "retry_limit_seconds=7", "scheme=http&retry_limit_seconds=7", "retry_limit_seconds=900",
    ]  # fmt: skip


def test_what_records_say_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "open_place", None)
    monkeypatch.setattr(fs, "FileSystem", None)
    uri = "s3://bucket/x.jsonl"
    lines = [{"title": uri, "abstract": uri, "url": uri, "id": uri}, {"abstract": f"file:///{uri}"}]
    (tmp_path / "papers.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    survey = survey_files([tmp_path / "papers.jsonl"], options=Options())

    assert len(survey.papers) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_store_reads_as_the_folder(store: Store, folder: Path, name: str) -> None:
    if (store.kind, name) == ("gs", "i*"):
        pytest.skip("a pattern finds no folders there")

    assert read(store.name(f"papers/x/{name}")) == read(f"{folder}/{name}")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["papers/none.jsonl", "papers/none/", "papers/*.none", "nobucket/x", "nobucket/*"])
def test_what_a_store_has_not_is_said_in_one_line(store: Store, path: str) -> None:
    result = CliRunner().invoke(main, ["read", store.name(path)])

    assert result.exit_code == 2
    (line,) = result.output.splitlines()
    assert line.startswith(f"kg: {store.kind}://{path.rstrip('/')}")
    assert "secret" not in line


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(SERVERS))
def test_where_nobody_answers_it_is_said_in_one_line(kind: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        result = CliRunner().invoke(main, ["read", Store(kind, taken.getsockname()[1]).name("papers/x")])

    assert result.exit_code == 2
    assert len(result.output.splitlines()) == 1
    assert "onnect to server" in result.output
