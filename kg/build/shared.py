"""Parts in a place that machines share: a folder on any filesystem that pyarrow reads.

Whoever reads a batch of texts writes what they say there, under a name that tells who read them
(program, model, rules) and which texts they are. So a batch that is read again gives the same
file. A part counts from the moment its file of texts is there, which is written last; a file
appears whole or not at all.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from secrets import token_hex
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from kg.build.texts import Tables
from kg.errors import ExportError, InputError
from kg.places import explain, open_place, to_public

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

__all__ = ["Shared"]

_AT_ONCE = 16  # parts that are fetched together, some 1,000 texts
_WHOLE = ("s3", "gcs", "abfs")  # filesystems on which a file is there when it is closed, not before


class Shared:
    """The parts of one key in a place, which need not be there yet.

    It can be sent to other machines; a path is then the same on all of them.

    Parameters
    ----------
    place : path or URI
        A folder. It may hold the parts of many keys.
    key : str
        What tells the model and the rules from others.

    Raises
    ------
    InputError
        If there is no such place.
    """

    def __init__(self, place: str | Path, key: str) -> None:
        self._files, folder = open_place(str(place))
        self._key = key
        self._folder = f"{folder.rstrip('/')}/{_digest(key)}"
        self._shown = f"{to_public(str(place)).rstrip('/')}/{_digest(key)}"

    def find(self, wanted: Collection[str]) -> Iterator[Tables]:
        """Yield what wanted texts say, by hash and each once, as far as it is there; see that one can write there.

        Raises
        ------
        InputError
            If the place can't be read.
        ExportError
            If it can't be written.
        """
        self._put("key.txt", self._key.encode())
        missing, names, group = set(wanted), list[str](), set[str]()
        for name, texts in self._list(missing).items():
            if len(names) == _AT_ONCE or texts & group:  # another build may have read the same text in other company
                yield self._read(names, group)
                names, group = [], set()
            if new := texts & missing:
                names, group, missing = [*names, name], group | new, missing - new
        if names:
            yield self._read(names, group)

    def write(self, said: Tables) -> str:
        """Write what some texts say as a part, and return its name.

        Raises
        ------
        ExportError
            If the place refuses; then there is no such part.
        """
        name = _digest("\n".join(sorted(said.texts["text"].to_pylist())))
        for table, rows in reversed(said._asdict().items()):
            sink = pa.BufferOutputStream()
            pq.write_table(rows, sink, compression="zstd")
            self._put(f"{table}/{name}.parquet", sink.getvalue())
        return name

    def fetch(self, names: Iterable[str]) -> Iterator[Tables]:
        """Yield what parts hold, several at a time, in their order.

        Raises
        ------
        InputError
            If one can't be read.
        """
        rest = iter(names)
        while some := list(islice(rest, _AT_ONCE)):
            yield self._read(some)

    def _list(self, wanted: Collection[str]) -> dict[str, set[str]]:
        """Return the wanted texts of each part that has one, by its name."""
        from pyarrow.fs import FileSelector

        try:
            inside = self._files.get_file_info(FileSelector(f"{self._folder}/texts", allow_not_found=True))
        except (OSError, ValueError) as error:
            raise InputError(f"{self._shown}: can't be read ({explain(error)})") from error
        names = sorted(one.base_name for one in inside if one.extension == "parquet" and one.base_name[0] != ".")
        parts: dict[str, set[str]] = {}
        if names:
            found = self._scan("texts", names, wanted, ["text", "__filename"])
            for text, path in zip(*(column.to_pylist() for column in found.columns), strict=True):
                parts.setdefault(path.rpartition("/")[2].removesuffix(".parquet"), set()).add(text)
        return dict(sorted(parts.items()))

    def _read(self, names: Collection[str], wanted: Collection[str] | None = None) -> Tables:
        """Return what parts hold, or only what wanted texts say in them."""
        files = [f"{name}.parquet" for name in names]
        return Tables(*(self._scan(table, files, wanted) for table in Tables._fields))

    def _scan(
        self, table: str, files: Collection[str], wanted: Collection[str] | None, columns: list[str] | None = None
    ) -> pa.Table:
        """Return the rows of the files of a table, or only those of wanted texts."""
        from pyarrow import dataset

        column = dataset.field("text" if table == "texts" else "paper")
        chosen = None if wanted is None else column.isin(pa.array(sorted(wanted), pa.string()))
        paths = [f"{self._folder}/{table}/{file}" for file in files]
        try:
            return dataset.dataset(paths, filesystem=self._files).to_table(columns=columns, filter=chosen)
        except (OSError, ValueError) as error:
            raise InputError(
                f"{self._shown}: a part can't be read; if it is damaged, delete it ({explain(error)})"
            ) from error

    def _put(self, name: str, content: bytes | pa.Buffer) -> None:
        """Write a file that is there when all of it is."""
        path = f"{self._folder}/{name}"
        folder, _, own = path.rpartition("/")
        part = f"{folder}/.{own}.{token_hex(4)}.part"
        try:
            if self._files.type_name in _WHOLE:
                self._write(path, content)
            else:
                self._files.create_dir(folder, recursive=True)
                self._write(part, content)
                self._files.move(part, path)
        except (OSError, ValueError) as error:
            raise ExportError(f"{self._shown}: {name} can't be written ({explain(error)})") from error

    def _write(self, path: str, content: bytes | pa.Buffer) -> None:
        """Write a file in one go, so that none is closed, and by that there, half-way."""
        with self._files.open_output_stream(path, compression=None) as file:
            file.write(content)


def _digest(text: str) -> str:
    """Return a text's name for files."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
