"""Numbers of a sentence that may be results: "up to 30 %", "2.5×", "3 to 6 points", "+0.7", "4.5 ms".

Numbers that are part of a word are none ("3D", "GPT-4", "5-shot", "2019"), nor are sizes such
as "7B" and "16 x 16". What counts a number has is settled elsewhere (`kg.extract.results`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SHARES", "Quantity", "find_quantities"]

SHARES = frozenset({"%", "dB", "percentage points", "points", "×"})  # units that changes are told in

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_PERCENT = r"%p\b|%[ -]?points?\b|%|percent(?:age)?[ -]points?\b|percents?\b|per cent\b|pp\b|p\.p\."
_FACTOR = r"×|x\b(?!\s?\d)|X\b(?!\s?\d)|-?fold\b|times\b"
_MEASURED = (
    r"points?\b|pts?\b|dB\b|ms\b|milliseconds?\b|[µμ]s\b|microseconds?\b|s\b|secs?\b|seconds?\b|min\b|minutes?\b"
    r"|hours?\b|GPU[ -]hours?\b|days?\b|mm\b|cm\b|m\b|km\b|°|degrees?\b|bpp\b|nats\b|[KMG]?bps\b|[kKMG]B\b"
)
_UNIT = rf"(?:[\s-]?(?:{_PERCENT})|\s?(?:{_FACTOR})|[\s-]?(?:{_MEASURED}))"
_SIGN = r"[+±−–-]"
_QUANTITY = re.compile(
    rf"(?<![\w.^_@#$\\=<>*×−–-])(?<![\w)]/)(?<!\d\s[x×]\s)(?P<sign>{_SIGN}(?=[\d.]))?(?P<first>{_DIGITS})(?P<scale>[KkM](?=\s?(?:×|x\b|times\b)))?"
    rf"(?P<left>{_UNIT})?"
    rf"(?:\s?(?:[-−–~∼]|to)\s?(?P<second>{_DIGITS})(?P<unit>{_UNIT})?)?"
    r"(?:(?<=[%×x])(?=/[+−–-]?\d)|(?![\w^_=%]|\s?orders? of magnitude|[-−–~∼+/*×.@:]\d|[-−–/][^\W\d]|,\d|\s[x×]\s?\d))"
)
_FROM = re.compile(r"\bfrom\b[^.;,]{0,25}$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNITS = (
    (re.compile(r"%p|%[ -]?points?|percent(?:age)?[ -]points?|pp|p\.p\."), "percentage points"),
    (re.compile(r"%|percents?|per cent"), "%"),
    (re.compile(_FACTOR.replace(r"\b", "").replace(r"(?!\s?\d)", "")), "×"),
    (re.compile(r"points?|pts?"), "points"),
    (re.compile(r"milliseconds?"), "ms"),
    (re.compile(r"secs?|seconds?"), "s"),
    (re.compile(r"minutes?"), "min"),
    (re.compile(r"hours?"), "h"),
    (re.compile(r"days?"), "d"),
    (re.compile(r"degrees?"), "°"),
)
_SCALES = {"": 1, "K": 1000, "k": 1000, "M": 1_000_000}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit; of a range, its upper end."""

    value: float
    unit: str  # "%", "percentage points", "points", "×", another unit, or ""
    sign: str  # "+" or "-" where one is written, or ""
    start: int  # in characters of the text
    end: int


def find_quantities(text: str) -> Iterator[Quantity]:
    """Yield the numbers of a text that may be results, in order.

    Examples
    --------
    >>> [(one.value, one.unit) for one in find_quantities("from 71.2 to 74.9 mAP, 2.5× faster than GPT-4 in 2023")]
    [(71.2, ''), (74.9, ''), (2.5, '×')]
    >>> [(one.value, one.unit) for one in find_quantities("6-15% relative improvement on 5-shot tasks in 3D")]
    [(15.0, '%')]
    """
    at = 0
    while match := _QUANTITY.search(text, at):
        at = match.end()
        second, unit = match["second"], match["unit"] or match["left"] or ""
        if second and _is_from(text, match):  # "from 1 to 2" is two numbers
            at = max(match.end(name) for name in ("first", "scale", "left"))
            yield _to_quantity(match, match["first"], unit=match["left"] or unit, end=at)
        elif not (_is_deviation(text, match) or (not unit and not second and _YEAR.fullmatch(match["first"]))):
            yield _to_quantity(match, second or match["first"], unit=unit, end=at)


def _is_from(text: str, match: re.Match[str]) -> bool:
    """Return whether the two numbers of a range are where something goes from and to."""
    word = " to " in text[match.start() : match.start("second")]
    return word and bool(_FROM.search(text, max(0, match.start() - 30), match.start()))


def _is_deviation(text: str, match: re.Match[str]) -> bool:
    """Return whether a number says how far another may be off."""
    return "±" in (match["sign"] or "") or text[: match.start()].rstrip().endswith("±")


def _to_quantity(match: re.Match[str], digits: str, *, unit: str, end: int) -> Quantity:
    """Return the quantity that digits and a unit are."""
    value = float(digits.replace(",", "")) * _SCALES[match["scale"] or ""]
    unit = unit.strip(" -")
    name = next((name for pattern, name in _UNITS if pattern.fullmatch(unit)), unit)
    sign = match["sign"] or ""
    return Quantity(value, name, "-" if sign in set("-−–") else sign, match.start(), end)
