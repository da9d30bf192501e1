"""A SPARQL endpoint elsewhere, asked as a graph of one's own is.

This is the only part of `kg.query` that uses the network, and only the address that it is given.
A query goes by POST as the SPARQL 1.1 Protocol [1]_ has it, with the prefixes that it uses and
does not declare. What comes back is read up to a limit of time and size.

References
----------
.. [1] W3C. SPARQL 1.1 Protocol. Recommendation, 2013.
"""

from __future__ import annotations

import json
import re
import time
from http.client import HTTPException
from itertools import islice
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

import pyoxigraph as ox

from kg.errors import QueryError, QueryTimeoutError
from kg.query.result import Result, ResultKind
from kg.query.worker import to_json
from kg.vocab import BASE, PREFIXES

if TYPE_CHECKING:
    from http.client import HTTPResponse

__all__ = ["Endpoint"]

_ACCEPT = (
    "application/sparql-results+json, application/sparql-results+xml;q=0.9, application/n-triples;q=0.8, "
    "text/turtle;q=0.7, application/rdf+xml;q=0.6"
)
_RESULTS = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON,
    "application/json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "application/xml": ox.QueryResultsFormat.XML,
}
_TRIPLES = {
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "text/plain": ox.RdfFormat.N_TRIPLES,
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
}
_LARGEST = 1 << 28  # bytes of an answer
_CHUNK = 1 << 16
_DECLARED = re.compile(r"(?<![?$\w:])(BASE\b|PREFIX\s+[\w.-]*:)", re.IGNORECASE)


class Endpoint:
    """A SPARQL 1.1 endpoint; `run` answers as that of `kg.query.QueryWorker` does.

    Parameters
    ----------
    url : str
        Its address, which starts with ``http://`` or ``https://``.

    Raises
    ------
    QueryError
        If the address is none.
    """

    def __init__(self, url: str, *, base: str = BASE) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise QueryError(f"{url!r} is no address of an endpoint; it starts with http:// or https://")
        self._url = url
        self._base = base
        self._opener = _make_opener()

    def run(self, sparql: str, *, timeout: float = 30.0, limit: int = 10_000) -> Result:
        """Return the answer to a query; see `kg.query.query` for the arguments.

        Raises
        ------
        QueryError
            If the endpoint can't be reached, refuses the query or answers with what is no answer.
        QueryTimeoutError
            If it takes longer than `timeout`.
        """
        if not 0 < timeout < float("inf"):
            raise QueryError(f"a time limit of {timeout!r} s is not above 0")
        if limit < 1:
            raise QueryError(f"a limit of {limit!r} rows is not above 0")
        kind, body = self._fetch(self._declare(sparql), timeout)
        try:
            return _to_result(kind, body, limit)
        except (SyntaxError, ValueError) as error:
            raise QueryError(f"endpoint {self._url!r} answered with {kind!r} that does not read: {error}") from error

    def _declare(self, sparql: str) -> str:
        """Return a query with a base and our prefixes where it uses them without declaring them."""
        declared = {re.sub(r"\s+", " ", match[1].lower()) for match in _DECLARED.finditer(sparql)}
        prefixes = PREFIXES | {kind: f"{self._base}{kind}/" for kind in ("paper", "concept")}
        used = [name for name in prefixes if re.search(rf"(?<![\w.-]){re.escape(name)}:", sparql)]
        head = "".join(f"PREFIX {name}: <{prefixes[name]}>\n" for name in used if f"prefix {name}:" not in declared)
        return head + sparql if "base" in declared else f"BASE <{self._base}>\n{head}{sparql}"

    def _fetch(self, sparql: str, timeout: float) -> tuple[str, bytes]:
        """Return the media type and the body of what the endpoint answers."""
        headers = {"Accept": _ACCEPT, "User-Agent": "paperkg"}
        try:
            body = urlencode({"query": sparql}).encode("ascii")
        except UnicodeEncodeError as error:
            raise QueryError(f"the query is no text: {error}") from error
        request = Request(self._url, body, headers)  # noqa: S310  # the scheme is checked
        expires = time.monotonic() + timeout
        try:
            with self._opener.open(request, timeout=timeout) as response:
                return response.headers.get_content_type(), _read(response, expires)
        except HTTPError as error:
            raise _explain(self._url, error) from error
        except TimeoutError as error:
            raise QueryTimeoutError(
                f"endpoint {self._url!r} ran into the time limit of {timeout:g} s; ask for less, or raise it"
            ) from error
        except (URLError, HTTPException, OSError) as error:
            if isinstance(error, URLError) and isinstance(error.reason, TimeoutError):
                raise QueryTimeoutError(f"endpoint {self._url!r} did not answer within {timeout:g} s") from error
            reason = getattr(error, "reason", None) or error
            raise QueryError(f"endpoint {self._url!r} can't be reached: {reason}; look at the address") from error


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirection: a query is for the address that was given, and for no other."""

    def redirect_request(self, *_: object) -> None:
        """Return no other request."""


def _make_opener() -> OpenerDirector:
    """Return what opens HTTP addresses, through a proxy if the environment names one."""
    return build_opener(_NoRedirect)


def _read(response: HTTPResponse, expires: float) -> bytes:
    """Return a body that arrives in time and is not too large."""
    parts, size = [], 0
    while chunk := response.read1(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > _LARGEST:
            raise QueryError(f"the endpoint's answer is larger than {_LARGEST:,} bytes; add a LIMIT to the query")
        if time.monotonic() > expires:
            raise TimeoutError
    return b"".join(parts)


def _explain(url: str, error: HTTPError) -> QueryError:
    """Return an error that says what the endpoint said."""
    with error:
        text = error.read(2000).decode("utf-8", "replace")
    said = " ".join(re.sub(r"<[^>]*>", " ", text).split())[:200] or error.reason
    message = f"endpoint {url!r} answered {error.code}: {said}"
    if error.code in (301, 302, 303, 307, 308):
        message = f"endpoint {url!r} has moved to {error.headers.get('Location')!r}; give that address"
    return (QueryTimeoutError if error.code in (408, 504) else QueryError)(message)


def _to_result(kind: str, body: bytes, limit: int) -> Result:
    """Return what an endpoint answered, cut after `limit` rows or triples."""
    if kind in _TRIPLES:
        triples = sorted({quad.triple for quad in ox.parse(body, format=_TRIPLES[kind])}, key=str)
        document = ox.serialize(triples[:limit], format=ox.RdfFormat.N_TRIPLES) or b""
        return Result(ResultKind.TRIPLES, document.decode(), len(triples) > limit)
    if kind not in _RESULTS:
        raise ValueError("neither results nor triples that are known")
    found = ox.parse_query_results(body, format=_RESULTS[kind])
    if isinstance(found, ox.QueryBoolean):
        return Result(ResultKind.BOOLEAN, json.dumps({"head": {}, "boolean": bool(found)}))
    names = [variable.value for variable in found.variables]
    rows = [
        {name: to_json(value) for name in names if (value := solution[name]) is not None}
        for solution in islice(found, limit + 1)
    ]
    document_ = {"head": {"vars": names}, "results": {"bindings": rows[:limit]}}
    return Result(ResultKind.ROWS, json.dumps(document_), len(rows) > limit)
