"""Parts in a place that machines share: what one build has read, no other reads, and the bytes are the same."""

from __future__ import annotations

import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import kg
from kg.build import Site, cluster, executor, shared, texts
from kg.build.parts import Parts
from kg.build.settings import describe_build, name_reader
from kg.build.shared import Shared
from kg.build.texts import Tables, Text
from kg.cli import main
from kg.errors import ExportError, InputError, ModelError
from kg.extract import DEFAULT_MODEL
from kg.folder import write
from tests.stores import SERVERS, run_store
from tests.test_build_growth import count_read, make_paper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kg.model import KnowledgeGraph
    from tests.conftest import Built

ROOT = Path(__file__).parents[1]
PAPERS = [make_paper(number) for number in range(1, 30, 2)]
WRITER = """
import sys
from kg.build.shared import Shared
from tests.test_build_shared import make_tables
shared, number = Shared(sys.argv[1], "key"), 0
while True:
    shared.write(make_tables(f"{sys.argv[2]}-{number}-{one}" for one in range(4)))
    number += 1
"""


@pytest.fixture(params=["path", "file", *(pytest.param(one, marks=pytest.mark.slow) for one in sorted(SERVERS))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return a place that is not there yet, by path and by URI."""
    if request.param in SERVERS:
        with run_store(request.param) as store:
            yield store.name("papers/shared parts")
    else:
        yield {"path": f"{tmp_path}/shared parts", "file": f"file://{tmp_path}/shared%20parts/"}[request.param]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts have two texts, and three of them be fetched at once."""
    monkeypatch.setattr(texts, "_MOST_TEXTS", 2)
    monkeypatch.setattr(shared, "_AT_ONCE", 3)


def make_tables(hashes: Iterable[str]) -> Tables:
    """Return what texts say, which is one mention each."""
    names = list(hashes)
    empty = Parts(None, "key")
    empty.flush()
    schemas = Tables(*(pq.read_schema(empty.find(name)[0]) for name in Tables._fields))
    told = []
    for schema in schemas[:2]:
        blank = {one.name: {pa.string(): "", pa.bool_(): False}.get(one.type, 0) for one in schema}
        rows = [{**blank, "text": one, "paper": one, "surface": f"name in {one}"} for one in names]
        told.append(pa.Table.from_pylist(rows, schema))
    return Tables(*told, *(schema.empty_table() for schema in schemas[2:]))


def find(place: str, wanted: Iterable[str], key: str = "key") -> list[str]:
    """Return the texts that a place has of some, after a look at what they say."""
    found: list[str] = []
    for said in Shared(place, key).find(set(wanted)):
        own = said.texts["text"].to_pylist()
        assert sorted(said.mentions["paper"].to_pylist()) == sorted(own)
        assert said.mentions["surface"].to_pylist() == [f"name in {one}" for one in said.mentions["paper"].to_pylist()]
        found += own
    return sorted(found)


def read_all(graph: KnowledgeGraph, folder: Path) -> dict[str, bytes]:
    """Return all files of a graph."""
    write(graph, folder)
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_what_is_there_is_not_read_again_and_the_bytes_are_the_same(
    built: Built, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = read_all(built(PAPERS), tmp_path / "alone")
    read = count_read(monkeypatch)

    some = built(PAPERS[:9], site=Site(parts=place))
    more = built(PAPERS, site=Site(tmp_path / "work", parts=place))
    again = built(reversed(PAPERS), site=Site(parts=place))
    added = kg.add(some, PAPERS[9:], site=Site(parts=place))

    assert len(read) == len({one.hash for one in read})
    for name, graph in {"more": more, "again": again, "added": added}.items():
        assert read_all(graph, tmp_path / name) == alone


def test_a_text_that_several_parts_have_counts_once(place: str) -> None:
    names = [f"{number:02}" for number in range(12)]
    for first, last in ((0, 4), (2, 6), (3, 12), (0, 12), (5, 7)):  # of builds that went on at the same time
        Shared(place, "key").write(make_tables(names[first:last]))

    assert find(place, names) == names
    assert find(place, ["03", "07", "never read"]) == ["03", "07"]


def test_parts_of_another_key_lie_beside_and_are_not_taken(place: str) -> None:
    Shared(place, "one").write(make_tables("ab"))
    Shared(place, "another").write(make_tables("c"))

    assert find(place, "abc", "one") == ["a", "b"]
    assert find(place, "abc", "another") == ["c"]
    assert find(place, "abc", "third") == []


def test_parts_come_back_by_name_from_another_process(place: str) -> None:
    here = Shared(place, "key")
    there: Shared = pickle.loads(pickle.dumps(here))

    names = [there.write(make_tables(pair)) for pair in ("ab", "cd", "ef", "gh")]

    assert names == [here.write(make_tables(pair)) for pair in ("ba", "cd", "ef", "gh")]
    assert [said.texts["text"].to_pylist() for said in here.fetch(iter(names))] == [[*"bacdef"], [*"gh"]]


@pytest.mark.parametrize("written", range(4))
def test_a_part_that_is_not_whole_is_not_taken(place: str, written: int, monkeypatch: pytest.MonkeyPatch) -> None:
    inner, count = Shared._put, iter(range(9))

    def put(self: Shared, name: str, content: bytes) -> None:
        if next(count) >= written:
            raise ExportError("the machine is gone")
        inner(self, name, content)

    monkeypatch.setattr(Shared, "_put", put)
    with pytest.raises(ExportError, match="gone"):
        Shared(place, "key").write(make_tables("ab"))
    monkeypatch.setattr(Shared, "_put", inner)

    assert find(place, "ab") == []
    Shared(place, "key").write(make_tables("ab"))
    assert find(place, "ab") == ["a", "b"]


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_whole_parts(place: str) -> None:
    draw = random.Random(1)
    for at in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, place, str(at)], cwd=ROOT, start_new_session=True)
        time.sleep(draw.uniform(1.5, 3))
        writer.send_signal(signal.SIGKILL)
        writer.wait()

    found = find(place, (f"{at}-{number}-{one}" for at in range(5) for number in range(999) for one in range(4)))

    assert len(found) >= 20
    assert len(found) % 4 == 0


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    name = Shared(tmp_path, "key").write(make_tables("ab"))
    (damaged,) = tmp_path.glob(f"*/claims/{name}.parquet")
    damaged.write_bytes(b"PAR1 and no more")

    with pytest.raises(InputError, match=rf"delete it .*{name}\.parquet"):
        find(str(tmp_path), "ab")


def test_what_is_half_written_has_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_half(self: Shared, path: str, content: bytes) -> None:
        Path(path).write_bytes(memoryview(content)[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Shared, "_write", write_half)

    with pytest.raises(ExportError, match=r"can't be written \(No space left on device\)"):
        Shared(tmp_path, "key").write(make_tables("ab"))

    assert not [one for one in tmp_path.rglob("*.parquet") if one.is_file()]


def test_a_place_is_not_asked_where_nothing_is_to_be_read(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    some = built(PAPERS[:2])
    monkeypatch.setattr(shared, "open_place", None)

    again = built(PAPERS[:2], site=Site(earlier=some, parts="s3://bucket/parts"))

    assert again.relations == some.relations


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("{0}/papers.txt/x", "can't be written"),
        ("ftp://x/y", "ftp://x/y: can't be read from ftp://"),
        ("s3://", "names no bucket"),
    ],
)
def test_a_place_where_no_parts_can_be_is_said_in_one_line(tmp_path: Path, place: str, message: str) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text("Title: LoDA\nAbstract: We propose LoDA, a method for continual learning.\n", encoding="utf-8")

    result = CliRunner().invoke(
        main, ["build", str(papers), "--out", str(tmp_path / "graph"), "--parts", place.format(tmp_path)]
    )

    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert message in result.output
    assert not (tmp_path / "graph").exists()


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the key of readers that read nothing but the text."""
    monkeypatch.setattr(cluster, "load_reader", lambda _: ())
    monkeypatch.setattr(cluster, "read_texts", lambda some: make_tables(one.hash for one in some))
    return name_reader(describe_build(DEFAULT_MODEL))


TEXTS = pa.table({name: ["a", "b"] for name in Text._fields})


def test_an_actor_writes_a_part_and_replies_with_its_name(tmp_path: Path, loaded: str) -> None:
    (reply,) = cluster._Reader("", loaded, Shared(tmp_path, "key"))(TEXTS).to_pylist()

    assert reply == dict.fromkeys(Tables._fields) | {"part": reply["part"], "fault": ""}
    (said,) = Shared(tmp_path, "key").fetch([reply["part"]])
    assert said.mentions["surface"].to_pylist() == ["name in a", "name in b"]


def test_an_actor_without_access_says_why(tmp_path: Path, loaded: str) -> None:
    (tmp_path / "file").touch()

    (reply,) = cluster._Reader("", loaded, Shared(tmp_path / "file/parts", "key"))(TEXTS).to_pylist()

    assert "can't be written" in reply["fault"]


def test_without_parts_an_actor_replies_with_tables(loaded: str) -> None:
    (reply,) = cluster._Reader("", loaded, None)(TEXTS).to_pylist()

    assert (reply["part"], reply["fault"]) == ("", "")
    assert executor.from_bytes(reply["texts"])["text"].to_pylist() == ["a", "b"]


def test_an_actor_without_the_model_says_so(loaded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise ModelError("there is none")

    monkeypatch.setattr(cluster, "load_reader", refuse)

    (reply,) = cluster._Reader("", loaded, None)(TEXTS).to_pylist()

    assert reply == dict.fromkeys(Tables._fields) | {"part": "", "fault": "there is none"}
