"""Tables: CSV, TSV and XLSX of any vendor, and Parquet.

The header is the first row that names a title or abstract and one more known column; banner
lines above it are left out. What separates cells is what makes most known columns of it.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from typing import TYPE_CHECKING, BinaryIO

from kg.errors import InputError
from kg.model import Paper, Skip
from kg.read.records import from_record
from kg.read.streams import decode_head, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["is_parquet", "is_table", "is_workbook", "read_parquet", "read_table", "read_workbook"]

_LARGEST = 500_000_000  # bytes
_LONGEST_CELL = 10_000_000  # characters
_BANNER = 20  # rows in which the header is looked for
_COLUMNS = {
    "title": """
        title articletitle documenttitle itemtitle papertitle titleprimary displayname primarytitle
        originaltitle name
    """,
    "abstract": """abstract abstractnote notesabstract abstracts summary abstracttext""",
    "year": """
        year publicationyear pubyear publicationdate date datepublished publishedyear yearpublished py
        createdate originalpaperdate
    """,
    "venue": """
        journal sourcetitle publicationtitle source venue journaltitle journalbook booktitle conference
        secondarytitle
    """,
    "authors": """authors author authorfullnames authornames creators""",
    "doi": """doi itemdoi originalpaperdoi""",
    "url": """url link urls fulltextlinks pdflink externalurl""",
    "keywords": """keywords authorkeywords manualtags tags""",
    "id": """id lensid forum openreviewid paperid key eid accessionnumber""",
    "pmid": """pmid""",
}
# Web of Science's tab-delimited files name columns by its tags.
_TAGS = {
    "ti": "title",
    "ab": "abstract",
    "so": "venue",
    "af": "authors",
    "au": "authors",
    "di": "doi",
    "de": "keywords",
}
_SYNONYMS = _TAGS | {heading: column for column, headings in _COLUMNS.items() for heading in headings.split()}
_TELLING = frozenset({"title", "abstract"})
_BLANK = re.compile(r"\s*")


def is_table(head: bytes) -> bool:
    """Say whether a file starts with a table that has a title or an abstract."""
    text = re.sub(r"\r\n?", "\n", decode_head(head))
    return _find_layout(text) is not None


def is_workbook(head: bytes) -> bool:
    """Say whether a file is a ZIP archive, as XLSX is; what is in it is seen when it is read."""
    return head.startswith(b"PK\x03\x04")


def read_table(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a CSV or TSV file."""
    text = re.sub(r"\r\n?", "\n", read_text(stream, name, _LARGEST, warn))
    layout = _find_layout(text[:65_536])
    if layout is None:
        raise InputError(f"{name}: no row of the first {_BANNER} names a title or abstract column")
    delimiter, banner = layout
    csv.field_size_limit(_LONGEST_CELL)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        yield from _read_rows(((rows.line_num, row) for row in rows), banner, name, warn)
    except csv.Error as error:
        yield Skip(name, rows.line_num, f"the table can't be read on: {error}")


def is_parquet(head: bytes) -> bool:
    """Say whether a file is in Parquet."""
    return head.startswith(b"PAR1")


def read_parquet(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of a Parquet file, a row each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = stream.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise InputError(f"{name}: more than {_LARGEST:,} bytes in one file; split it")
    row = 0
    try:
        for batch in pq.ParquetFile(io.BytesIO(content)).iter_batches(10_000):
            for record in batch.to_pylist():
                row += 1
                yield from_record(record, file=name, line=row, warn=warn)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: not a whole Parquet file: {' '.join(str(error).split())[:200]}") from error


def read_workbook(stream: BinaryIO, name: str, warn: Callable[[Skip], None]) -> Iterator[Paper | Skip]:
    """Yield the papers of the first sheet of an XLSX file.

    Raises
    ------
    InputError
        If openpyxl is not installed, or the file is another ZIP archive.
    """
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise InputError(f"{name}: reading XLSX needs openpyxl; run pip install 'paperkg[xlsx]'") from error
    content = stream.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise InputError(f"{name}: more than {_LARGEST:,} bytes in one workbook; save it as CSV")
    try:
        if sum(one.file_size for one in zipfile.ZipFile(io.BytesIO(content)).infolist()) > _LARGEST:
            raise InputError(f"{name}: more than {_LARGEST:,} bytes in one workbook; save it as CSV")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = [[("" if cell is None else str(cell)) for cell in row] for row in sheet.iter_rows(values_only=True)]
    except InputError:
        raise
    except Exception as error:  # openpyxl raises whatever the archive makes it raise
        raise InputError(f"{name}: a ZIP archive that is no XLSX workbook ({type(error).__name__})") from error
    banner = next((at for at, row in enumerate(rows[:_BANNER]) if _known(row) > 0), None)
    if banner is None:
        raise InputError(f"{name}: no row of the first {_BANNER} names a title or abstract column")
    yield from _read_rows(enumerate(rows, 1), banner, name, warn)


def _find_layout(text: str) -> tuple[str, int] | None:
    """Return the delimiter of a table and how many rows stand above its header, if it is one."""
    best: tuple[int, str, int] | None = None
    for delimiter in ",;\t":
        rows = csv.reader(io.StringIO(text), delimiter=delimiter)
        try:
            for at, row in zip(range(_BANNER), rows, strict=False):
                known = _known(row)
                if known > 0 and (best is None or known > best[0]):
                    best = known, delimiter, at
        except csv.Error:
            continue
    return best[1:] if best else None


def _known(row: Sequence[str]) -> int:
    """Return how many columns a row names, if it is a header: a title or abstract, and no long cell."""
    names = [_SYNONYMS.get(_fold(cell), "") for cell in row]
    if len(row) < 2 or not _TELLING & set(names) or max(map(len, row)) > 80:
        return 0
    return sum(map(bool, names)) if sum(map(bool, names)) > 1 or len(row) > 1 else 0


def _fold(cell: str) -> str:
    """Return a heading without case, signs, and what stands in brackets."""
    return "".join(char for char in re.sub(r"\([^)]*\)", "", cell).casefold() if char.isalnum())


def _read_rows(
    rows: Iterable[tuple[int, Sequence[str]]], banner: int, name: str, warn: Callable[[Skip], None]
) -> Iterator[Paper | Skip]:
    """Yield the papers of rows, of which the first after the banner is the header."""
    header: Sequence[str] = ()
    for at, (line, row) in enumerate(rows):
        if at < banner:
            continue
        if at == banner:
            header = [_SYNONYMS.get(_fold(cell), "") for cell in row]
        elif any(not _BLANK.fullmatch(cell) for cell in row):
            fields: dict[str, object] = {}
            for column, cell in zip(header, row, strict=False):
                if column and cell.strip() and cell.strip().casefold() not in {"na", "nan", "none", "null"}:
                    fields.setdefault(column, cell.strip())
            if "title" not in fields and "abstract" not in fields:
                yield Skip(name, line, "a row without title and abstract")
            else:
                yield from_record(fields, file=name, line=line, warn=warn)
