"""A server in a thread, and what asks it over a real socket."""

from __future__ import annotations

import http.client
import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from kg.serve import Options, make_server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answers."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def media(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    @property
    def rows(self) -> list[dict[str, str]]:
        """Return the rows of SPARQL results in JSON."""
        bindings = json.loads(self.body)["results"]["bindings"]
        return [{name: term["value"] for name, term in row.items()} for row in bindings]


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs."""

    folder: Path
    address: str  # ends in a slash

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Reply:
        """Send a request as it is given, with no header that is not."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            given = {"Host": urlsplit(self.address).netloc} | dict(headers or {})
            if body is not None:
                given.setdefault("Content-Length", str(len(body)))
            for name, value in given.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, found, response.read())
        finally:
            connection.close()

    def query(self, sparql: str, *, accept: str = "") -> Reply:
        """Ask a query by GET."""
        return self.ask(f"/sparql?query={quote(sparql)}", headers={"Accept": accept} if accept else {})


@contextmanager
def run_server(
    folder: Path, *, host: str = "127.0.0.1", origins: tuple[str, ...] = (), timeout: float = 30, limit: int = 10_000
) -> Iterator[Served]:
    """Run a server in a thread, on a port that is free."""
    server, listener = make_server(folder, host=host, port=0, options=Options(origins, timeout, limit))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield Served(folder, f"http://127.0.0.1:{listener.getsockname()[1]}/")
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
