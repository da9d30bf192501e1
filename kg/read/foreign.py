"""What a file is that no reader takes: for messages, and so that it is not read as plain text."""

from __future__ import annotations

import re

from kg.read.streams import decode_head

__all__ = ["name_foreign"]

_STARTS = {
    "a PDF file": b"%PDF",
    "a ZIP archive or Office file": b"PK\x03\x04",
    "a bzip2 file": b"BZh",
    "an xz file": b"\xfd7zXZ",
    "a Zstandard file": b"\x28\xb5\x2f\xfd",
    "an SQLite file": b"SQLite format 3",
    "a Parquet file": b"PAR1",
    "an RTF file": b"{\\rtf",
}
_TEXTS = {
    "an XML or HTML file": r"\A\s*<(?:\?xml|!doctype|[A-Za-z][\w:.-]{0,60}[\s>])",
    "a BibTeX file": r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][^\s,{}]{0,200}\s*,|\A\s*@(?:preamble|string|comment)\b",
    "a RIS file": r"^(?:TY|T1)  - ?\S",
    "a MEDLINE file": r"\A\s*(?:PMID|PMC|OWN) {0,2}-",
    "a Web of Science or CNKI export": r"\A\s*(?:FN [A-Z]|PT [A-Z]\s|DataType:|SrcDatabase)",
    "an EndNote export": r"^%[0T][ \t]?(?:\S|$)[\s\S]{0,4000}^%A ",
    "a YAML file": r"\A(?:---\s*\n)?\w+:[ \t]*\n[ \t]*- |\A---\s*\n\w+:",
    "JSON of an unknown form": r"\A\s*[\[{]",
}
_COLUMN = re.compile(r"(?:\w+ ){0,2}(?:title|abstract)")


def name_foreign(head: bytes) -> str:
    """Return what a file is that is not plain text, judging by its first bytes, or nothing.

    Examples
    --------
    >>> name_foreign(b"@article{lee2021, title = {A}}")
    'a BibTeX file'
    >>> name_foreign(b"We use dropout.")
    ''
    """
    for name, start in _STARTS.items():
        if head.startswith(start):
            return name
    text = re.sub(r"\r\n?", "\n", decode_head(head))
    for name, pattern in _TEXTS.items():
        if re.search(pattern, text, re.MULTILINE | re.IGNORECASE):
            return name
    if any(map(_is_header, text.split("\n", 20)[:20])):
        return "a table (CSV or TSV)"
    controls = sum(char < " " and char not in "\t\n\f\x1b" for char in text)
    return "a binary file" if not text or controls > len(text) // 50 else ""


def _is_header(line: str) -> bool:
    """Say whether a line names columns, one of them title or abstract."""
    for separator in ",;\t":
        cells = [cell.strip('" ').casefold() for cell in line[:4000].split(separator)]
        if len(cells) > 1 and max(map(len, cells)) <= 60 and any(map(_COLUMN.fullmatch, cells)):
            return True
    return False
