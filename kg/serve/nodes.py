"""Papers, concepts and what else has an IRI of ours, at the local path of that IRI.

A person gets a page, a program Turtle or JSON-LD, by what it accepts or by a suffix such as
``.ttl``. An id that a merge took away leads to the concept that it is now.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from kg.serve.facts import list_concept, list_paper, to_web
from kg.serve.negotiate import TRIPLES, choose
from kg.serve.pages import render, to_cell
from kg.serve.protocol import find_accepted, run_query, to_rdf_response
from kg.serve.site import to_path

if TYPE_CHECKING:
    from starlette.requests import Request

    from kg.serve.site import Site, Snapshot

__all__ = ["find_path", "show_node", "show_part"]

_SUFFIXES = {
    "html": "text/html",
    "ttl": "text/turtle",
    "nt": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdf": "application/rdf+xml",
}
_ENCODED = re.compile(r"/(?:[\w.~-]|%[0-9A-Fa-f]{2}|/)+", re.ASCII)
_TRIPLES = 100_000  # of one description

# The node itself, the names of what it leads to, what is stated about it, and the sentences of that.
_DESCRIPTION = """
CONSTRUCT { ?s ?p ?o } WHERE {
  { VALUES ?s { <%(iri)s> } ?s ?p ?o }
  UNION { <%(iri)s> ?any ?s . ?s ?p ?o FILTER(?p IN (skos:prefLabel, dcterms:title, foaf:name)) }
  UNION { ?s rdf:subject|rdf:object <%(iri)s> ; ?p ?o }
  UNION { ?statement rdf:subject|rdf:object <%(iri)s> ; kg:evidence ?s . ?s ?p ?o }
}
"""


async def show_node(request: Request) -> Response:
    """Answer with a paper or a concept, or with a part of one."""
    site: Site = request.app.state.site
    snapshot = await site.find_snapshot()
    path = find_path(request)
    node, media = _find(snapshot, path), None
    if node is None:
        stem, _, suffix = path.rpartition(".")
        media = _SUFFIXES.get(suffix)
        node = _find(snapshot, stem) if media else None
    if node is None:
        return await show_part(request)
    here = to_path(node)
    if path in snapshot.replaced:
        return RedirectResponse(here, 303)
    media = media or _choose(request)
    if media == "text/html":
        response = await _show_page(request, snapshot, node)
    else:
        query = _DESCRIPTION % {"iri": snapshot.base + here.removeprefix("/")}
        response = await to_rdf_response(await run_query(request, snapshot, query, limit=_TRIPLES), media)
    links = [f'<{here}.{suffix}>; rel="alternate"; type="{kind}"' for suffix, kind in _SUFFIXES.items()]
    response.headers["Link"] = ", ".join(links)
    response.headers["Vary"] = "Accept"
    return response


async def show_part(request: Request) -> Response:
    """Answer with what the graph says of any other IRI of ours: a community, a statement, a sentence."""
    site: Site = request.app.state.site
    snapshot = await site.find_snapshot()
    path = find_path(request)
    if not _ENCODED.fullmatch(path):
        raise HTTPException(404, "nothing is here")
    iri = snapshot.base + path.removeprefix("/")
    result = await run_query(request, snapshot, f"CONSTRUCT WHERE {{ <{iri}> ?p ?o }}")
    if not result.triples:
        raise HTTPException(404, "nothing is here")
    media = _choose(request)
    if media != "text/html":
        return await to_rdf_response(result, media)
    rows = [(to_cell(snapshot, one.predicate), to_cell(snapshot, one.object)) for one in result.triples]
    response = await render("part.html", {"iri": iri, "rows": rows})
    response.headers["Vary"] = "Accept"
    return response


async def _show_page(request: Request, snapshot: Snapshot, node: str) -> Response:
    """Return the page of a paper or a concept."""
    path = to_path(node)
    shared: dict[str, object] = {"id": node, "path": path, "iri": snapshot.base + path.removeprefix("/")}
    shared["drawn"] = "/graph#" + quote(node, safe="", errors="replace")
    if node in snapshot.kg.concepts:
        concept = snapshot.kg.concepts[node]
        groups = await asyncio.to_thread(list_concept, snapshot, concept)
        return await render("concept.html", shared | {"concept": concept, "groups": groups})
    paper = snapshot.kg.papers[node]
    groups = await asyncio.to_thread(list_paper, snapshot, paper)
    return await render("paper.html", shared | {"paper": paper, "web": to_web(paper), "groups": groups})


def _choose(request: Request) -> str:
    """Return whether a client gets a page, or which form of RDF."""
    offers = ["text/html", *TRIPLES]
    media = choose(find_accepted(request), offers)
    if media is None:
        raise HTTPException(406, f"nothing here is as the Accept header wants it; choose one of {', '.join(offers)}")
    return media


def find_path(request: Request) -> str:
    """Return the path of a request as it was sent, without percent-encoding undone."""
    raw: bytes = request.scope.get("raw_path") or quote(request.scope["path"]).encode("ascii")
    return raw.decode("utf-8", "replace")


def _find(snapshot: Snapshot, path: str) -> str | None:
    """Return the node that a path stands for, also where it is encoded in another way than ours; None if none."""
    kind, _, local = path.removeprefix("/").partition("/")
    node = f"{kind}:{unquote(local)}"
    if node in snapshot.kg.papers or node in snapshot.kg.concepts:
        return snapshot.paths.get(path, node)
    return snapshot.paths.get(path) or snapshot.replaced.get(path)
