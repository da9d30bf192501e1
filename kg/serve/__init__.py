"""Serve a graph folder on this machine: SPARQL for programs, pages for people.

The server only reads. It listens on loopback unless told otherwise, answers the SPARQL 1.1
Protocol at ``/sparql``, and shows each paper and concept at the local path of its IRI, as a page
or as RDF. When the folder is built again, it serves the new graph.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import GraphError, ServeError
from kg.serve.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable

    import uvicorn

__all__ = ["Options", "make_server", "serve"]

_GOODBYE = 2  # seconds that requests have to end once the server is told to


def serve(
    folder: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    options: Options | None = None,
    announce: Callable[[str], object] = lambda _address: None,
) -> None:
    """Serve a graph folder until the process is told to end.

    Parameters
    ----------
    folder : path
        A folder that ``kg build`` wrote.
    host : str
        An address of this machine. Others than loopback open the graph to the network.
    port : int
        From 0 to 65535; 0 takes one that is free.
    options : Options, optional
        Limits on queries, and whose pages may read answers.
    announce : callable
        Is given the address once it is taken.

    Raises
    ------
    ServeError
        If Starlette or uvicorn is missing, or the address can't be taken.
    GraphError
        If there is no graph in the folder.
    """
    server, listener = make_server(Path(folder), host=host, port=port, options=options or Options())
    with listener:
        announce(to_address(listener))
        with suppress(KeyboardInterrupt):  # uvicorn ends its work, and then says how it was told
            server.run(sockets=[listener])


def make_server(folder: Path, *, host: str, port: int, options: Options) -> tuple[uvicorn.Server, socket.socket]:
    """Return a server that is ready to run, and the socket that it listens on; see `serve`."""
    try:
        import uvicorn

        from kg.serve.app import make_app
    except ModuleNotFoundError as error:
        raise ServeError(f"kg serve needs {error.name!r}: pip install 'paperkg[serve]'") from error
    if not (folder / "manifest.json").is_file():
        raise GraphError(f"{str(folder)!r} is no graph folder; 'kg build PAPERS --out DIR' makes one")
    config = uvicorn.Config(
        make_app(folder, host=host, options=options),
        http="h11",
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GOODBYE,
    )
    return uvicorn.Server(config), _listen(host, port)


def to_address(listener: socket.socket) -> str:
    """Return the address of a socket that listens, for a browser."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ServeError(f"port {port} on {host!r} can't be taken: {reason}; choose another with --port") from error
