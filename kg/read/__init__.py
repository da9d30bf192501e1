"""Reading: papers from files of any known format, one after the other.

What a file is, its content says, never its name. A format is a `Reader` in `READERS`, in
the order in which they are asked. Files are streamed, gzip is unpacked on the way, and a
record that can't be read gives a `Skip` that says where and why, so that what was read is
always the papers plus the skips.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from kg.errors import InputError
from kg.model import Skip
from kg.read.bibtex import is_bibtex, read_bibtex
from kg.read.foreign import name_foreign
from kg.read.json_documents import is_json_document, read_json_document
from kg.read.json_lines import is_json_lines, read_json_lines
from kg.read.markdown import (
    is_front_matter,
    is_paper_list,
    is_yaml,
    read_front_matter,
    read_paper_list,
    read_yaml,
)
from kg.read.plain_text import is_plain_text, read_plain_text
from kg.read.records import to_record
from kg.read.remote import RemoteFile
from kg.read.streams import Reader, find_encoding, find_files, open_source
from kg.read.tables import is_parquet, is_table, is_workbook, read_parquet, read_table, read_workbook
from kg.read.tagged import is_tagged, name_tagged, read_tagged
from kg.read.xml_documents import is_xml, name_xml, read_xml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from kg.model import Paper

__all__ = ["READERS", "Opened", "Reader", "read_papers", "to_record"]

READERS: dict[str, Reader] = {
    "json lines": Reader(is_json_lines, read_json_lines),
    "json": Reader(is_json_document, read_json_document),
    "xml": Reader(is_xml, read_xml, name_xml),
    "bibtex": Reader(is_bibtex, read_bibtex),
    "tagged": Reader(is_tagged, read_tagged, name_tagged),
    "parquet": Reader(is_parquet, read_parquet),
    "xlsx": Reader(is_workbook, read_workbook),
    "table": Reader(is_table, read_table),
    "front matter": Reader(is_front_matter, read_front_matter),
    "yaml": Reader(is_yaml, read_yaml),
    "list of papers": Reader(is_paper_list, read_paper_list),
    "plain text": Reader(is_plain_text, read_plain_text),
}

_logger = logging.getLogger(__name__)


class Opened(NamedTuple):
    """A file that is read, its format, and its encoding."""

    file: str
    format: str
    encoding: str


def read_papers(
    sources: Iterable[Path | str],
    *,
    warn: Callable[[Skip], None] | None = None,
    opened: Callable[[Opened], None] | None = None,
) -> Iterator[Paper | Skip]:
    """Yield the papers of files in their order, and a skip for each record that is none.

    Parameters
    ----------
    sources : iterable of path
        Files, folders, patterns, URIs of these such as ``s3://bucket/papers/``, or ``-`` for standard
        input. Of a folder all files are read, subfolders included, sorted by path; hidden ones are
        left out.
    warn : function, optional
        Called with what was kept but not as given, such as a line in another encoding. By
        default it is logged.
    opened : function, optional
        Called with what each file is when its first record is read.

    Yields
    ------
    Paper or Skip
        Texts as they are in the file; `kg.clean.clean_paper` cleans them. A skip names the
        file by its name, or by its path in the folder that was given.

    Raises
    ------
    InputError
        If a source is missing, without records, unreadable or in no known format. In a folder such a
        file is skipped instead.

    Examples
    --------
    >>> [paper.title for paper in read_papers(["tests/data/papers.jsonl"])][:2]
    ['TinyLoRA: Fine-Tuning Vision Transformers with Few Weights', 'A Second Look at ImageNet Labels']
    """
    for source in sources:
        for path, name, is_given in find_files(source):
            try:
                yield from _read_file(path, name, warn or _log, opened)
            except InputError as error:
                if is_given and isinstance(path, RemoteFile):
                    raise InputError(f"{path.uri}: {_to_skip(name, error).reason}") from error
                if is_given:
                    raise
                yield _to_skip(name, error)


def _read_file(
    path: Path | RemoteFile | None, name: str, warn: Callable[[Skip], None], opened: Callable[[Opened], None] | None
) -> Iterator[Paper | Skip]:
    """Yield what the reader of a file's format finds in it."""
    with open_source(path, name) as (head, stream):
        form, reader = next(((form, one) for form, one in READERS.items() if one.sniff(head)), ("", None))
        if reader is None:
            raise InputError(
                f"{name}: this is {name_foreign(head)}, which can't be read; what can is "
                f"{', '.join(READERS)}, also gzipped"
            )
        if opened:
            opened(Opened(name, reader.name(head) if reader.name else form, find_encoding(head)))
        nothing = True
        for record in reader.read(stream, name, warn):
            nothing = False
            yield record
        if nothing:
            raise InputError(f"{name}: there is no record in it, only blanks or an empty list")


def _to_skip(name: str, error: InputError) -> Skip:
    """Return the skip that stands for a file that can't be read."""
    return Skip(name, 0, str(error).removeprefix(f"{name}: "))


def _log(warning: Skip) -> None:
    """Log what was kept but not as given."""
    _logger.warning("%s, line %d: %s", warning.file, warning.line, warning.reason)
