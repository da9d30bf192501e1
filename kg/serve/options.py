"""What a server allows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.errors import ServeError

__all__ = ["Options"]

_ORIGIN = re.compile(r"\*|null|[a-z][a-z0-9+.-]*://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?", re.ASCII)
_LONGEST = 3_600  # seconds that a query may be given


@dataclass(frozen=True, slots=True)
class Options:
    """What a server allows.

    Examples
    --------
    >>> Options(origins=("https://example.org/",))
    Traceback (most recent call last):
    kg.errors.ServeError: origin 'https://example.org/' does not read 'https://example.org' or '*'
    """

    origins: tuple[str, ...] = ()  # whose pages may read answers; "*" is all
    timeout: float = 30.0  # seconds of a query
    limit: int = 10_000  # rows of an answer

    def __post_init__(self) -> None:
        for origin in self.origins:
            if not _ORIGIN.fullmatch(origin):
                raise ServeError(f"origin {origin!r} does not read 'https://example.org' or '*'")
        if not 0 < self.timeout <= _LONGEST:
            raise ServeError(f"a time limit of {self.timeout!r} s is not above 0 and up to {_LONGEST}")
        if self.limit < 1:
            raise ServeError(f"a limit of {self.limit!r} rows is not above 0")
