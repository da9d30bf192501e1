"""Whatever is sent, nothing breaks: the only status from 500 is 503, for limits."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from tests.served import Served

PATHS = ["/", "/sparql", "/sparql/", "/query", "/search", "/graph", "/paper/", "/concept/", "/paper/7", "/none", "*"]
NAMES = ["query", "update", "default-graph-uri", "format", "name", "type", "page", "x"]
QUERIES = [
    "ASK {}",
    "SELECT * { ?s ?p ?o } LIMIT 3",
    "CONSTRUCT WHERE { ?s a ?o }",
    "DESCRIBE <urn:x>",
    "SELECT {",
    "DROP ALL",
]
MEDIA = [
    "application/sparql-query", "application/x-www-form-urlencoded", "text/csv", "text/turtle", "*/*;q=0.1",
    "text/html", "application/ld+json;q=1.5", "text/*;q=", ";", "a/b;charset=utf-16",
    "application/sparql-query;charset=",
]  # fmt: skip
HEADERS = ["Accept", "Content-Type", "Origin", "Access-Control-Request-Method", "Range", "If-None-Match", "Cookie"]
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

texts = st.one_of(st.sampled_from(QUERIES), st.text(max_size=40))
values = st.one_of(st.sampled_from(MEDIA), st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30))
bodies = st.one_of(
    st.binary(max_size=200),
    texts.map(lambda text: text.encode("utf-8", "replace")),
    st.dictionaries(st.sampled_from(NAMES), texts, max_size=3).map(
        lambda one: urlencode(one, errors="replace").encode()
    ),
)
paths = st.one_of(
    st.sampled_from(PATHS),
    st.binary(max_size=30).map(lambda raw: f"/concept/{quote_from_bytes(raw, safe='')}"),
    st.binary(max_size=30).map(lambda raw: f"/{quote_from_bytes(raw)}"),
)
methods = st.one_of(
    st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]),
    st.text("ABCXYZ", min_size=1, max_size=8),
)


def exchange(served: Served, raw: bytes) -> bytes:
    """Send bytes, and return the first line of what comes back; nothing if the connection is closed."""
    address = urlsplit(served.address)
    with socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=20) as connection:
        connection.sendall(raw)
        found = b""
        while chunk := receive(connection):
            found += chunk
    assert b"Traceback" not in found
    assert str(served.folder).encode() not in found
    return found.partition(b"\r\n")[0]


def receive(connection: socket.socket) -> bytes:
    """Return what comes next; nothing where the server waits for more of a request."""
    connection.settimeout(5)
    try:
        return connection.recv(65536)
    except (TimeoutError, ConnectionError):
        return b""


def read_status(line: bytes) -> int:
    """Return the status in a first line; 0 where there is none."""
    return int(line.split()[1]) if line else 0


@QUICK
@given(
    method=methods,
    path=paths,
    parameters=st.lists(st.tuples(st.sampled_from(NAMES), texts), max_size=3),
    headers=st.dictionaries(st.sampled_from(HEADERS), values, max_size=4),
    body=bodies,
)
def test_no_request_breaks_anything(
    served: Served,
    method: str,
    path: str,
    parameters: list[tuple[str, str]],
    headers: dict[str, str],
    body: bytes,
) -> None:
    target = f"{path}?{urlencode(parameters, errors='replace')}" if parameters else path
    given_headers = {"Host": "localhost", "Content-Length": str(len(body)), "Connection": "close"} | headers
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in given_headers.items()), "", ""]

    status = read_status(exchange(served, "\r\n".join(lines).encode("ascii") + body))

    assert status < 500 or status == 503


@QUICK
@given(target=st.binary(max_size=60), host=st.binary(max_size=20), value=st.binary(max_size=20))
def test_no_bytes_break_anything(served: Served, target: bytes, host: bytes, value: bytes) -> None:
    end = b" HTTP/1.1\r\nConnection: close\r\nHost: " + host + b"\r\nAccept: " + value + b"\r\n\r\n"

    status = read_status(exchange(served, b"GET /sparql?query=" + target + end))

    assert status < 500 or status == 503


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "OPTIONS", "BREW"])
@pytest.mark.parametrize("path", PATHS)
def test_each_path_answers_each_method(served: Served, method: str, path: str) -> None:
    raw = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()

    assert 200 <= read_status(exchange(served, raw)) < 500
