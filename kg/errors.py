"""What can go wrong, as a tree: catch `KgError` to catch all of it.

Each message says what went wrong, with which value, out of which choices, and what to do
next. The command line prints it as one line and ends with status 2, or 1 if it only
did not find what was asked for.
"""

from __future__ import annotations

__all__ = [
    "ExportError",
    "GraphError",
    "InputError",
    "KgError",
    "ModelError",
    "QueryError",
    "QueryTimeoutError",
    "ServeError",
    "UnknownNameError",
    "VocabularyError",
]


class KgError(Exception):
    """Anything that this package refuses or cannot do."""


class InputError(KgError):
    """A file or record that is given to be read can't be."""


class ModelError(KgError):
    """A language model can't be loaded."""


class GraphError(KgError):
    """A graph, or a folder that should hold one, is not whole."""


class ExportError(KgError):
    """An output can't be written."""


class QueryError(KgError):
    """A query is malformed or asks for something that is not allowed."""


class QueryTimeoutError(QueryError):
    """A query ran into its time limit and was ended."""


class UnknownNameError(QueryError):
    """A name that a query is asked for is nobody's, or several papers'."""


class ServeError(KgError):
    """A graph can't be served: a library is missing, or the address is taken."""


class VocabularyError(KgError):
    """A term, prefix or id does not exist or is malformed."""
