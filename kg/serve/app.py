"""The web application: which address leads where."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from kg.serve.guard import Guard, find_is_meant
from kg.serve.negotiate import choose
from kg.serve.nodes import show_node, show_part
from kg.serve.pages import render
from kg.serve.protocol import answer_query, find_accepted
from kg.serve.screens import ask, list_nodes, search, send_asset, show_graph, show_start
from kg.serve.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starlette.requests import Request

    from kg.serve.options import Options

__all__ = ["make_app"]

_TITLES = {404: "Nothing is here", 405: "Not allowed", 503: "Not now"}
_ROUTES = [
    Route("/", show_start),
    Route("/sparql", answer_query, methods=["GET", "POST"]),
    Route("/sparql/", answer_query, methods=["GET", "POST"]),
    Route("/query", ask, methods=["GET", "POST"]),
    Route("/search", search),
    Route("/graph", show_graph),
    Route("/assets/{name}", send_asset),
    Route("/paper/", list_nodes),
    Route("/concept/", list_nodes),
    Route("/paper/{path:path}", show_node),
    Route("/concept/{path:path}", show_node),
    *(Route(f"/{kind}/{{path:path}}", show_part) for kind in ("community", "venue", "statement", "run")),
    *(Route(f"/{name}", show_part) for name in ("scheme", "program")),
]


def make_app(folder: Path, *, host: str, options: Options) -> Guard:
    """Return the application that serves a graph folder, for any ASGI server.

    Parameters
    ----------
    folder : Path
        A folder that ``kg build`` wrote.
    host : str
        What the server listens on, which settles the names that it goes by.
    options : Options
    """
    site = Site(folder, options)

    @asynccontextmanager
    async def run(_app: Starlette) -> AsyncIterator[None]:
        await site.open()
        try:
            yield
        finally:
            await site.close()

    app = Starlette(routes=_ROUTES, lifespan=run, exception_handlers={HTTPException: _explain})
    app.router.redirect_slashes = False
    app.state.site = site
    return Guard(app, is_meant=find_is_meant(host), origins=options.origins)


async def _explain(request: Request, error: Exception) -> Response:
    """Return why a request is not answered, as a page for a browser and as a line for a program."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if choose(find_accepted(request), ["text/plain", "text/html"]) != "text/html":
        return PlainTextResponse(f"{error.detail}\n", error.status_code, headers)
    title = _TITLES.get(error.status_code, "This can't be answered")
    page = await render("problem.html", {"title": title, "detail": error.detail}, status=error.status_code)
    page.headers.update(headers)
    return page
