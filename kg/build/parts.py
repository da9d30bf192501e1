"""What texts say, in Parquet files of a folder: each text once, whoever read it and whenever.

A build that stops leaves its parts; the next one with the same model and rules goes on from
them. Parts of others are deleted. A part counts from the moment its file of texts is there,
which is written last.
"""

from __future__ import annotations

import logging
import shutil
import time
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING
from weakref import finalize

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from kg.build.texts import FOUND, Tables
from kg.files import open_whole
from kg.mentions import claim_schema, find_reader, measurement_schema, mention_schema, text_schema

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from kg.model import MentionFile

__all__ = ["Parts", "connect", "quote"]

_KEY = "key.txt"
_MOST_TEXTS, _MOST_SECONDS = 1_024, 30  # of work that a stop may lose
_EARLIER = """
    CREATE TABLE earlier AS SELECT DISTINCT ON (text) text, paper, language, passages
    FROM read_parquet({texts}) SEMI JOIN wanted ON wanted.hash = text ORDER BY text, paper
"""
_SAID = """
    SELECT earlier.text AS paper, said.* EXCLUDE (paper)
    FROM read_parquet({files}) said JOIN earlier ON earlier.paper = said.paper
"""
_log = logging.getLogger(__name__)


class Parts:
    """A folder of parts.

    Parameters
    ----------
    folder : Path or None
        What is there of this key is taken up. None is a temporary folder, which goes when this does.
    key : str
        What tells the model and the rules from others.
    """

    def __init__(self, folder: Path | None, key: str) -> None:
        self.folder = folder or Path(mkdtemp(prefix="paperkg-"))
        if folder is None:
            finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.key = key
        self._waiting: list[Tables] = []
        self._since = time.monotonic()
        self._take_up(key)
        self.done = {hash for path in self.find("texts") for hash in pq.read_table(path)["text"].to_pylist()}

    def find(self, name: str) -> list[Path]:
        """Return the files of one of the tables, in order."""
        return sorted(self.folder.glob(f"{name}-[0-9]*.parquet"))

    def add(self, said: Tables) -> None:
        """Add what some texts say."""
        self._waiting.append(said)
        self.done |= set(said.texts["text"].to_pylist())
        count = sum(one.texts.num_rows for one in self._waiting)
        if count >= _MOST_TEXTS or time.monotonic() - self._since > _MOST_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what was added and is not yet written; then there is a part, if only an empty one."""
        if self._waiting:
            self._write(Tables(*(pa.concat_tables(some) for some in zip(*self._waiting, strict=True))))
        elif not self.find("texts"):
            self._write(Tables(*(schema.empty_table() for schema in _schemas())))
        self._waiting, self._since = [], time.monotonic()

    def take_over(self, files: MentionFile, wanted: Collection[str]) -> None:
        """Take over what wanted texts say from a graph, if the same model and rules have read them."""
        missing = sorted(set(wanted) - self.done)
        if (
            not missing
            or find_reader(files) != self.key
            or not files.texts
            or not files.texts.is_file()
            or not files.claims
            or not files.measurements
        ):
            return
        with connect(self.folder) as database:
            database.register("wanted", pa.table({"hash": missing}))
            try:
                database.execute(_EARLIER.format(texts=quote(files.texts)))
                said = [
                    database.sql(_SAID.format(files=_list(some))).to_arrow_table()
                    for some in ((files.path, files.dropped), (files.claims,), (files.measurements,))
                ]
                texts = database.sql("SELECT text, language, passages FROM earlier").to_arrow_table()
            except duckdb.Error as error:
                _log.warning("what an earlier build read can't be used, so all is read again: %s", error)
                return
        columns = zip((texts, *said), _schemas(), strict=True)
        tables = [table.select(schema.names).cast(schema) for table, schema in columns]
        self._write(Tables(*tables))
        self.done |= set(tables[0]["text"].to_pylist())

    def _write(self, tables: Tables) -> None:
        """Write tables to one part, its texts last."""
        number = len(self.find("texts"))
        for name, table in reversed(tables._asdict().items()):
            with open_whole(self.folder / f"{name}-{number:06}.parquet") as file:
                pq.write_table(table, file, compression="zstd")

    def _take_up(self, key: str) -> None:
        """Make the folder, without what is not whole or of another key."""
        path = self.folder / _KEY
        if not path.is_file() or path.read_text(encoding="utf-8") != key:
            self.folder.mkdir(parents=True, exist_ok=True)
            for part in self._find_all():  # nothing else, since the folder may be somebody's
                part.unlink()
            with open_whole(path) as file:
                file.write(key.encode())
        whole = {path.name.rpartition("-")[2] for path in self.find("texts")}
        for path in self._find_all():
            if path.name.rpartition("-")[2] not in whole:
                path.unlink()

    def _find_all(self) -> list[Path]:
        """Return the files of all tables, also those that are not whole."""
        return [
            path for name in Tables._fields for path in (*self.find(name), *self.folder.glob(f".{name}-[0-9]*.part"))
        ]


def connect(folder: Path) -> duckdb.DuckDBPyConnection:
    """Return an empty database that keeps what does not fit into memory in a folder."""
    return duckdb.connect(config={"threads": 1, "memory_limit": "512MB", "temp_directory": str(folder / "spill")})


def quote(path: Path) -> str:
    """Return a path as a string of SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def _list(paths: Iterable[Path | None]) -> str:
    """Return paths as a list of SQL."""
    return "[" + ", ".join(quote(path) for path in paths if path) + "]"


def _schemas() -> Tables:
    """Return the columns of the tables of a part."""
    texts = pa.schema([one for one in text_schema() if one.name != "paper"])
    mentions = pa.schema([one for one in mention_schema() if one.name not in FOUND])
    return Tables(texts, mentions, claim_schema(), measurement_schema())
