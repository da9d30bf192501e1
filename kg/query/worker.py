"""Answer queries in a process of its own, which can be ended and can reach nothing.

`kg.query` starts this file as a program with a graph's file as argument, and its store on disk
if there is one. The first line on standard output says that the graph is read; then each line on
standard input is a request in JSON, and the next line on standard output the answer to it. The
file imports nothing of ``kg``: only pyoxigraph, and RDFLib's parser where a query has to be
looked into.

Why a query can't reach out: its parsed form is searched for SERVICE and FROM at any depth, and
while it runs the process may not open a file or a socket (on POSIX). An update is no query, so
it does not parse.
"""

from __future__ import annotations

import json
import re
import signal
import sys
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["Answer", "Request", "answer", "find_forbidden", "normalise", "to_json"]

_MEMORY = 2 << 30  # bytes of address space, beside what the graph takes
_MEMORY_PER_BYTE = 40  # of the graph's file
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_LEFT_OVER = re.compile(r"\\u[0-9a-f]{4}", re.IGNORECASE)  # what RDFLib would take for an escape
_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)  # how pyoxigraph reports
_LONG = 100  # characters of a reason
_SELECT = re.compile(r"\bSELECT\b\s*(?:(?:DISTINCT|REDUCED)\b\s*)?(\*)?", re.IGNORECASE)
_VARIABLE = re.compile(r"[?$](\w+)")
_SUSPECT = re.compile(r"service|from", re.IGNORECASE)


class Request(TypedDict):
    """What is asked."""

    query: str
    prefixes: dict[str, str]  # for names that neither the query nor the file declares
    timeout: float  # seconds
    limit: int  # rows or triples


class Answer(TypedDict, total=False):
    """What is answered: an error, or a document."""

    error: str
    broken: bool  # whether that is because the store on disk does not read
    kind: str  # "rows", "boolean" or "triples"
    document: str  # SPARQL results in JSON; N-Triples for triples
    truncated: bool


def main(file: str, folder: str = "") -> None:
    """Read a graph, say so in a line, and answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process itself
    sys.setrecursionlimit(10_000)  # RDFLib's parser takes some thirty calls a bracket
    try:
        store, prefixes = _load(file, folder)
    except (SyntaxError, ValueError, OSError) as error:
        _say({"error": f"{error}", "broken": bool(folder)})
        return
    _say({})
    for line in sys.stdin.buffer:
        request: Request = json.loads(line)
        request["prefixes"].update(prefixes)
        with _alarm(request["timeout"] + 1):
            _say(answer(store, request))


def answer(store: ox.Store, request: Request) -> Answer:
    """Return the answer to one request, or why there is none."""
    query = normalise(request["query"])
    if reason := find_forbidden(query):
        return {"error": reason}
    try:
        with _sealed():
            return _run(store, query, request)
    except SyntaxError as error:
        if _is_update(query):
            return {"error": "updates are not allowed; a query starts with SELECT, ASK, CONSTRUCT or DESCRIBE"}
        return {"error": _explain(query, str(error))}
    except (ValueError, OSError, RuntimeError) as error:
        return {"error": f"the query can't be answered: {error}", "broken": isinstance(error, OSError)}


def find_forbidden(query: str) -> str:
    """Return why a query may not run; nothing if it may.

    SERVICE and FROM are looked for in the parsed query, so both words are fine in a text, a name
    or a comment. A query that has neither word anywhere need not be parsed for it.
    """
    if not _SUSPECT.search(query):
        return ""
    from pyparsing import ParseBaseException
    from rdflib.plugins.sparql.parser import parseQuery

    if _LEFT_OVER.search(query):
        return "the query has escaped escapes; write the characters themselves"
    try:
        tree = parseQuery(query)
    except (ParseBaseException, RecursionError, ValueError) as error:
        return _explain_unread(query, str(error))
    names = {name for name in map(_name_part, _iter_parts(tree)) if name}
    if "ServiceGraphPattern" in names:
        return "SERVICE is not allowed: a query reads only this graph, and nothing from the network"
    if "DatasetClause" in names:
        return "FROM is not allowed: a query always reads this graph; leave FROM and FROM NAMED out"
    return ""


def _explain_unread(query: str, error: str) -> str:
    """Return why a query that RDFLib does not parse is refused."""
    if _is_update(query):
        return "updates are not allowed; a query starts with SELECT, ASK, CONSTRUCT or DESCRIBE"
    try:
        with _sealed():
            ox.Store().query(query)
    except (SyntaxError, ValueError, OSError, RuntimeError) as better:
        error = str(better)
    return _explain(query, error)


def _explain(query: str, error: str) -> str:
    """Return where and why a query does not parse."""
    found = _PLACE.match(error)
    if not found:
        return f"the query does not parse: {error}"
    line, column, reason = int(found[1]), int(found[2]), found[3]
    rest = query.split("\n")[line - 1][column - 1 :][:30]
    if "Prefix not found" in reason:
        reason = "a prefix that is not declared"
    elif len(reason) > _LONG:  # then it names half of Unicode
        reason = "something else must come here"
    return f"the query does not parse at line {line}, column {column}, near {rest or 'the end'!r}: {reason}"


def _is_update(query: str) -> bool:
    """Tell whether a text that is no query is an update."""
    from pyparsing import ParseBaseException
    from rdflib.plugins.sparql.parser import parseUpdate

    try:
        return bool(parseUpdate(query).request)
    except (ParseBaseException, RecursionError, ValueError):
        return False


def _iter_parts(tree: object) -> Iterator[object]:
    """Yield each part of what RDFLib parsed, at any depth."""
    from pyparsing import ParseResults

    rest = [tree]
    while rest:
        part = rest.pop()
        yield part
        if isinstance(part, dict):
            rest.extend(part.values())
        elif isinstance(part, list | tuple | ParseResults):
            rest.extend(part)


def _name_part(part: object) -> str:
    """Return what RDFLib calls a part of a query; nothing for a term."""
    from rdflib.plugins.sparql.parserutils import CompValue

    return str(part.name) if isinstance(part, CompValue) else ""


def normalise(query: str) -> str:
    """Return the query with escaped characters as themselves and one kind of line end.

    SPARQL wants escapes resolved before anything else. Parsers differ in where they do that and
    in which characters end a line, and with it a comment; so none is left to them.
    """

    def resolve(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        return match[0] if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)

    return re.sub(r"\r\n?", "\n", _ESCAPE.sub(resolve, query))


def _run(store: ox.Store, query: str, request: Request) -> Answer:
    """Run a query that may run, and write at most `limit` rows down."""
    base = request["prefixes"]["paper"].removesuffix("paper/")  # for relative IRIs
    results = store.query(query, base_iri=base, prefixes=request["prefixes"])
    if isinstance(results, ox.QueryBoolean):
        return {"kind": "boolean", "document": json.dumps({"head": {}, "boolean": bool(results)}), "truncated": False}
    limit = request["limit"]
    if isinstance(results, ox.QueryTriples):
        triples = list(islice(results, limit + 1))
        document = ox.serialize(sorted(triples[:limit], key=str), format=ox.RdfFormat.N_TRIPLES)
        return {"kind": "triples", "document": (document or b"").decode(), "truncated": len(triples) > limit}
    names = _order_names(query, [variable.value for variable in results.variables])
    rows = [
        {name: to_json(value) for name in names if (value := solution[name]) is not None}
        for solution in islice(results, limit + 1)
    ]
    document_ = {"head": {"vars": names}, "results": {"bindings": rows[:limit]}}
    return {"kind": "rows", "document": json.dumps(document_), "truncated": len(rows) > limit}


def _order_names(query: str, names: list[str]) -> list[str]:
    """Return the columns of SELECT * as they come in the query; pyoxigraph has them by alphabet."""
    found = _SELECT.search(query)
    if not found or not found[1]:
        return names
    places = dict(reversed([(match[1], match.start()) for match in _VARIABLE.finditer(query)]))
    return sorted(names, key=lambda name: (places.get(name, len(query)), name))


def to_json(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> dict[str, object]:
    """Return a term as the W3C's JSON results have it."""
    if isinstance(term, ox.Triple):
        parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
        return {"type": "triple", "value": {name: to_json(part) for name, part in parts.items()}}
    if isinstance(term, ox.Literal):
        value: dict[str, object] = {"type": "literal", "value": term.value}
        if term.language:
            return value | {"xml:lang": term.language}
        is_text = term.datatype.value == "http://www.w3.org/2001/XMLSchema#string"
        return value if is_text else value | {"datatype": term.datatype.value}
    return {"type": "uri" if isinstance(term, ox.NamedNode) else "bnode", "value": term.value}


def _load(file: str, folder: str) -> tuple[ox.Store, dict[str, str]]:
    """Return the triples of a file, from its store in `folder` if it has one, and its prefixes."""
    form = ox.RdfFormat.TURTLE if file.endswith(".ttl") else ox.RdfFormat.N_TRIPLES
    if folder:
        store = ox.Store.read_only(folder)
        next(store.quads_for_pattern(None, None, None), None)
    else:
        store = ox.Store()
        store.bulk_load(path=file, format=form)
    reader = ox.parse(path=file, format=form)
    next(reader, None)
    _limit_memory(Path(file).stat().st_size)
    return store, reader.prefixes


def _say(reply: Answer) -> None:
    """Write a line for the parent."""
    sys.stdout.buffer.write(json.dumps(reply).encode("ascii") + b"\n")
    sys.stdout.buffer.flush()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End this process after a time, even if nobody is left to do it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    yield
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextmanager
def _sealed() -> Iterator[None]:
    """Let this process open no file and no socket for a while."""
    if resource is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _limit_memory(size: int) -> None:
    """Have the system refuse more memory than a query on a graph file of `size` bytes should take."""
    if resource is None:
        return
    bytes_ = _MEMORY + _MEMORY_PER_BYTE * size
    with suppress(ValueError, OSError):  # a lower limit is set already, or the system has none
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))


if __name__ == "__main__":
    main(*sys.argv[1:])
