"""The pages that start somewhere: the first one, queries, search, lists, and the drawn graph."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

from kg.describe import find_nodes
from kg.model import ConceptType
from kg.query import ResultKind, format_result
from kg.serve.examples import EXAMPLES
from kg.serve.facts import to_link
from kg.serve.negotiate import ROWS, TRIPLES
from kg.serve.pages import read_asset, render, to_cell
from kg.serve.protocol import read_parameters, run_query
from kg.serve.site import to_path

if TYPE_CHECKING:
    from starlette.requests import Request

    from kg.query import Result
    from kg.serve.site import Site, Snapshot

__all__ = ["ask", "list_nodes", "search", "send_asset", "show_graph", "show_start"]

_TOP = 12  # concepts of a type on the first page
_FOUND = 100  # nodes that a search shows
_PAGE = 200  # nodes of a list
_ROWS = 1_000  # of an answer on a page
_GRAPH_POLICY = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"  # the page brings the rest of its own
_ASSETS = {"style.css": "text/css", "query.js": "text/javascript", "icon.svg": "image/svg+xml"}
_DOWNLOADS = {"csv": "text/csv", "tsv": "text/tab-separated-values", "json": "application/json"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query as a page shows it."""

    names: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    total: int = 0
    is_cut: bool = False
    boolean: bool | None = None
    problem: str = ""


async def show_start(request: Request) -> Response:
    """Return the first page."""
    snapshot = await _find_snapshot(request)
    kg = snapshot.kg
    ranked = sorted(kg.concepts.values(), key=lambda one: (-one.papers, one.id))
    tops = [
        (kind, sum(one.type is kind for one in ranked), [one for one in ranked if one.type is kind][:_TOP])
        for kind in ConceptType
    ]
    address = f"{request.url.scheme}://{request.headers['host']}/sparql"
    return await render("start.html", {"kg": kg, "tops": tops, "address": address, "to_path": to_path})


async def ask(request: Request) -> Response:
    """Return the page for queries, with the answer where it comes with a query; or that as a file."""
    snapshot = await _find_snapshot(request)
    parameters = await read_parameters(request)
    query = "\n".join(parameters.get("query", [])[:1])
    form = (parameters.get("format") or [""])[0]
    if query.strip() and form in _DOWNLOADS:
        return await _download(await run_query(request, snapshot, query), form)
    answer, status = None, 200
    if query.strip():
        try:
            answer = await asyncio.to_thread(_to_answer, snapshot, await run_query(request, snapshot, query))
        except HTTPException as error:
            answer, status = Answer(problem=error.detail), error.status_code
    page = await render("query.html", {"query": query, "answer": answer, "examples": EXAMPLES}, status=status)
    if status == 503:
        page.headers["Retry-After"] = "1"
    return page


async def search(request: Request) -> Response:
    """Return the papers and concepts that a name may mean."""
    snapshot = await _find_snapshot(request)
    name = "".join((await read_parameters(request)).get("name", [])[:1])
    found = await asyncio.to_thread(find_nodes, snapshot.kg, name)
    links = [to_link(snapshot, node) for node in found[:_FOUND]]
    return await render("search.html", {"name": name, "links": links, "more": len(found) - len(links)})


async def list_nodes(request: Request) -> Response:
    """Return the papers, or the concepts of one type or all, by name, a page of them at a time."""
    snapshot = await _find_snapshot(request)
    parameters = await read_parameters(request)
    kind = "".join(parameters.get("type", [])[:1])
    number = "".join(parameters.get("page", ["1"])[:1])
    if (kind and kind not in list(ConceptType)) or not (number.isascii() and number.isdecimal() and len(number) < 7):
        raise HTTPException(404, "there is no such list")
    papers, concepts = snapshot.kg.papers.values(), snapshot.kg.concepts.values()
    is_papers = request.url.path.startswith("/paper")
    named = [(one.label.casefold(), one.id) for one in (papers if is_papers else concepts)]
    nodes = [node for _, node in sorted(named) if not kind or is_papers or snapshot.kg.concepts[node].type == kind]
    start = (int(number) - 1) * _PAGE
    if not 0 <= start < max(1, len(nodes)):
        raise HTTPException(404, "there is no such list")
    links = [to_link(snapshot, node) for node in nodes[start : start + _PAGE]]
    last = max(1, -(-len(nodes) // _PAGE))
    title = "Papers" if is_papers else (f"{kind}s" if kind else "Concepts")
    shown = {"title": title, "total": len(nodes), "links": links}
    return await render("list.html", shown | {"kind": "" if is_papers else kind, "number": int(number), "last": last})


async def show_graph(request: Request) -> Response:
    """Return the drawn graph, which is a page of its own."""
    snapshot = await _find_snapshot(request)
    try:
        page = await asyncio.to_thread((snapshot.folder / "graph.html").read_bytes)
    except OSError as error:
        raise HTTPException(503, "the graph is being built again", {"Retry-After": "1"}) from error
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": _GRAPH_POLICY})


async def send_asset(request: Request) -> Response:
    """Return the style, the script or the icon."""
    name = request.path_params["name"]
    if name not in _ASSETS:
        raise HTTPException(404, "nothing is here")
    return Response(read_asset(name), media_type=_ASSETS[name])


async def _find_snapshot(request: Request) -> Snapshot:
    """Return the graph that is served."""
    site: Site = request.app.state.site
    return await site.find_snapshot()


async def _download(result: Result, form: str) -> Response:
    """Return an answer as a file."""
    text = await asyncio.to_thread(format_result, result, form)
    offers = TRIPLES if result.kind is ResultKind.TRIPLES else ROWS
    media = _DOWNLOADS[form] if form != "json" else next(name for name, one in offers.items() if one == "json")
    name = "answer.jsonld" if form == "json" and offers is TRIPLES else f"answer.{form}"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8"), media_type=media, headers=disposition)


def _to_answer(snapshot: Snapshot, result: Result) -> Answer:
    """Return an answer as a page shows it."""
    if result.kind is ResultKind.BOOLEAN:
        return Answer(boolean=result.boolean)
    rows = result.rows
    cells = tuple(tuple(to_cell(snapshot, term) for term in row) for row in rows[:_ROWS])
    return Answer(result.variables, cells, len(rows), result.truncated)
