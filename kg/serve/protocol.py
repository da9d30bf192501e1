"""The SPARQL 1.1 Protocol, for queries.

Updates are refused, and so are datasets that a request names: a query always reads the one
graph that is served.

References
----------
https://www.w3.org/TR/sparql11-protocol/
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from kg.errors import GraphError, QueryError, QueryTimeoutError
from kg.query import Result, ResultKind, format_result
from kg.serve.description import describe_service
from kg.serve.negotiate import ROWS, TRIPLES, choose

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from kg.serve.site import Site, Snapshot

__all__ = ["answer_query", "find_accepted", "read_parameters", "respond", "run_query", "to_rdf_response"]

_FIELDS = 50  # parameters that a request may have
_FORM = "application/x-www-form-urlencoded"
_DIRECT = "application/sparql-query"
_DATASET = ("default-graph-uri", "named-graph-uri", "using-graph-uri", "using-named-graph-uri")
_UPDATE = "this graph is only read; updates are not allowed"

Parameters = dict[str, list[str]]


async def answer_query(request: Request) -> Response:
    """Answer a query, or describe the service where there is none."""
    site: Site = request.app.state.site
    parameters = await read_parameters(request)
    if "update" in parameters:
        raise HTTPException(403, _UPDATE)
    if named := [name for name in _DATASET if name in parameters]:
        raise HTTPException(400, f"{named[0]} is not allowed: a query always reads the one graph that is served")
    queries = parameters.get("query", [])
    if not queries and request.method != "POST":
        return await _describe(request, site)
    if len(queries) != 1:
        raise HTTPException(400, f"a request has one query, and this one has {len(queries)}")
    accept = find_accepted(request)
    if not choose(accept, [*ROWS, *TRIPLES]):
        raise _refuse_types([*ROWS, *TRIPLES])
    result = await run_query(request, await site.find_snapshot(), queries[0])
    return await respond(result, accept, limit=site.options.limit)


async def read_parameters(request: Request) -> Parameters:
    """Return the parameters in a request's address and body, each with its values; a query sent alone is ``query``."""
    found = _parse(request.scope["query_string"], "the address")
    if request.method != "POST":
        return found
    kind, _, rest = request.headers.get("content-type", "").partition(";")
    kind = kind.strip().lower()
    charset = rest.partition("charset=")[2].partition(";")[0].strip(' "').lower()
    if kind not in (_FORM, _DIRECT):
        raise HTTPException(415, f"send a query as {_DIRECT} or {_FORM}; this is {kind or 'without a Content-Type'}")
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise HTTPException(415, f"send a query in UTF-8, not in {charset}")
    body = await request.body()
    if kind == _FORM:
        for name, values in _parse(body, "the form").items():
            found.setdefault(name, []).extend(values)
    else:
        found.setdefault("query", []).append(_decode(body, "the query"))
    return found


async def run_query(request: Request, snapshot: Snapshot, sparql: str, *, limit: int | None = None) -> Result:
    """Return the answer to a query, which is ended when the client goes away.

    Raises
    ------
    HTTPException
        With status 400 if the query is malformed or not allowed, and 503 if it takes too long.
    """
    options = request.app.state.site.options
    run = snapshot.pool.run(sparql, timeout=options.timeout, limit=limit or options.limit)
    job, gone = asyncio.ensure_future(run), asyncio.ensure_future(_wait_until_gone(request))
    try:
        await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            gone.result()
            raise HTTPException(503, "the client went away")
        return job.result()
    except QueryTimeoutError as error:
        raise HTTPException(503, str(error), {"Retry-After": str(math.ceil(options.timeout))}) from error
    except QueryError as error:
        raise HTTPException(400, str(error)) from error
    except GraphError as error:
        raise HTTPException(503, "the graph can't be read at the moment", {"Retry-After": "1"}) from error
    finally:
        for task in (job, gone):
            task.cancel()
        await asyncio.gather(job, gone, return_exceptions=True)


async def respond(result: Result, accept: str, *, limit: int) -> Response:
    """Return an answer in the form that the client likes best; it says whether it was cut."""
    offers = TRIPLES if result.kind is ResultKind.TRIPLES else ROWS
    media = choose(accept, offers)
    if not media:
        raise _refuse_types(offers)
    response = await to_rdf_response(result, media, offers)
    if result.truncated:
        response.headers["Kg-Truncated"] = str(limit)
    return response


async def to_rdf_response(result: Result, media: str, offers: Mapping[str, str] = TRIPLES) -> Response:
    """Return an answer in one of the forms that are offered for it."""
    text = await asyncio.to_thread(format_result, result, offers[media])
    return Response(text.encode("utf-8"), media_type=media, headers={"Vary": "Accept"})


def find_accepted(request: Request) -> str:
    """Return what a client accepts."""
    return ",".join(request.headers.getlist("accept"))


async def _describe(request: Request, site: Site) -> Response:
    """Return the service description; a browser goes to the page for queries."""
    snapshot = await site.find_snapshot()
    media = choose(find_accepted(request), [*TRIPLES, "text/html"])
    if media == "text/html":
        return RedirectResponse("/query", 303, {"Vary": "Accept"})
    if not media:
        raise _refuse_types(TRIPLES)
    address = f"{request.url.scheme}://{request.headers['host']}/sparql"
    return await to_rdf_response(describe_service(address, snapshot.kg), media)


def _refuse_types(offers: Mapping[str, str] | list[str]) -> HTTPException:
    """Return that nothing is offered that the client accepts."""
    return HTTPException(406, f"nothing here is as the Accept header wants it; choose one of {', '.join(offers)}")


async def _wait_until_gone(request: Request) -> None:
    """Wait until the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _parse(text: bytes, where: str) -> Parameters:
    """Return the parameters in a query string."""
    found: Parameters = {}
    try:
        pairs = parse_qsl(_decode(text, where), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS)
    except UnicodeDecodeError as error:
        raise HTTPException(400, f"{where} is not in UTF-8") from error
    except ValueError as error:
        raise HTTPException(400, f"{where} has more than {_FIELDS} parameters") from error
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _decode(text: bytes, where: str) -> str:
    """Return a text that must be UTF-8."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HTTPException(400, f"{where} is not in UTF-8") from error
