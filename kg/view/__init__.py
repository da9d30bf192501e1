"""The interactive page: a graph as one HTML file that needs no network.

The page holds its style, its scripts, vis-network as pyvis ships it, and the graph as JSON.
Its content security policy names its style and scripts by hash and allows nothing else, so
text from papers can neither run nor fetch. Text reaches the page as JSON with every ``<``,
``>`` and ``&`` escaped, and the screen through `textContent` or the canvas only.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import ExportError
from kg.files import open_whole
from kg.view.nearby import find_nearby
from kg.view.notebook import to_notebook
from kg.view.records import to_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg.model import KnowledgeGraph

__all__ = ["find_nearby", "to_html", "to_notebook", "to_script", "write_page"]

_ASSETS = Path(__file__).parent
_SCRIPTS = (
    "nouns.js", "state.js", "elements.js", "canvas.js", "paint.js", "labels.js", "details.js", "panel.js", "search.js",
    "list.js", "picture.js", "table.js", "filters.js", "page.js",
)  # fmt: skip
_AT_ONCE = 10_000  # rows
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)


def to_html(kg: KnowledgeGraph, *, focus: str | None = None) -> str:
    """Return the page that shows a graph.

    Parameters
    ----------
    kg : KnowledgeGraph
        The graph; the same graph gives the same page.
    focus : str, optional
        Id of the node that the page opens on; without it, the page opens on all of the graph.

    Raises
    ------
    GraphError
        If `focus` is not in the graph.
    ExportError
        If vis-network is not where pyvis should have it.
    """
    return "".join(_iter_page(kg, focus))


def _iter_page(kg: KnowledgeGraph, focus: str | None) -> Iterator[str]:
    """Yield the page in pieces, since a large one has some hundred megabytes as one text."""
    style = _read_asset("page.css")
    vis = _SOURCE_MAP.sub("", _find_vis().read_text(encoding="utf-8")).replace("\r\n", "\n")
    script = "\n".join(['"use strict";', "(() => {", to_script(), "})();"])
    policy = f"script-src {_hash(vis)} {_hash(script)}; style-src {_hash(style)}"
    slots = {"policy": [policy], "style": [style], "vis": [vis], "script": [script]}
    text, *rest = _SLOT.split(_read_asset("template.html"))
    yield text
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        yield from slots[name] if name in slots else _iter_json(to_records(kg, focus=focus))
        yield text


def to_script() -> str:
    """Return the page's own scripts, which are one program, in their order."""
    return "\n".join(map(_read_asset, _SCRIPTS))


def write_page(kg: KnowledgeGraph, path: Path, *, focus: str | None = None) -> None:
    """Write the page that shows a graph to a file, which appears complete or not at all.

    Raises
    ------
    GraphError
        If `focus` is not in the graph.
    ExportError
        If the file can't be written.
    """
    with open_whole(path) as file:
        file.writelines(piece.encode("utf-8") for piece in _iter_page(kg, focus))


def _read_asset(name: str) -> str:
    """Return the text of a file that travels with this module."""
    return (_ASSETS / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _find_vis() -> Path:
    """Return the file of vis-network that pyvis ships, the newest of those it has."""
    spec = find_spec("pyvis")  # found, not imported: importing pyvis loads Jinja and IPython
    folders = spec.submodule_search_locations if spec else None
    found = [path for folder in folders or () for path in Path(folder).glob("lib/vis-*/vis-network.min.js")]
    if not found:
        raise ExportError("no lib/vis-*/vis-network.min.js in the package 'pyvis'; install pyvis 0.3.2 or later")
    return max(found, key=lambda path: [int(part) for part in re.findall(r"\d+", path.parent.name)])


def _iter_json(records: Mapping[str, object]) -> Iterator[str]:
    r"""Yield JSON that can stand in a script element, in pieces.

    Examples
    --------
    >>> "".join(_iter_json({"rows": ["</script>", "&"], "count": 2}))
    '{"rows":["\\u003c/script\\u003e","\\u0026"],"count":2}'
    """
    yield "{"
    for number, (name, value) in enumerate(records.items()):
        yield f"{',' if number else ''}{_to_json(name)}:"
        if isinstance(value, list):
            yield "["
            for first in range(0, len(value), _AT_ONCE):
                yield ("," if first else "") + _to_json(value[first : first + _AT_ONCE])[1:-1]
            yield "]"
        else:
            yield _to_json(value)
    yield "}"


def _to_json(value: object) -> str:
    """Return a value as JSON with escapes for what would end a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda char: f"\\u{ord(char[0]):04x}", text)


def _hash(text: str) -> str:
    """Return the source that a content security policy knows an inline element by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
