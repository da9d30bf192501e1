r"""What a single macro of LaTeX stands for: a symbol, a word, an accented letter, or nothing.

pylatexenc knows the symbols and the accents. Here stand the names that it lacks, those
that stand for nothing visible, and how an accent is told from a quote that some exporter
escaped (``\"like this\"``).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CHARS", "LETTER_ACCENTS", "NATIONAL", "SIGN_ACCENTS", "SILENT", "find_symbol", "match_accent", "match_hat"]

SIGN_ACCENTS = frozenset("\"'`^~=.")
LETTER_ACCENTS = frozenset("bcdHkrtuv")
NATIONAL = frozenset({"AA", "AE", "L", "O", "OE", "aa", "ae", "i", "j", "l", "o", "oe", "ss"})  # letters, not functions
CHARS = {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "\\": " ", ">": " ", "!": "", "/": "", "-": "", "@": ""}
CHARS |= {"|": "‖", "(": "", ")": "", "[": "", "]": "", "~": " "} | {char: char for char in "%&#$_{}*\"'`"}
_FONTS = "em it bf sf sc sl tt rm cal mathcal mathbb mathbf mathrm mathsf mathscr mathfrak boldsymbol emph"
_SIZES = "left right big Big bigg Bigg bigl bigr Bigl Bigr small large tiny footnotesize normalsize"
_LAYOUT = "xspace displaystyle textstyle limits nolimits noindent centering protect ensuremath sloppy boldmath"
SILENT = frozenset(f"{_FONTS} {_SIZES} {_LAYOUT}".split())

_WORDS = {"eg": "e.g.", "ie": "i.e.", "etal": "et al.", "wrt": "w.r.t.", "cf": "cf.", "iid": "i.i.d.", "eps": "ε"}
_WORDS |= dict.fromkeys(("quad", "qquad", "item", "par", "newline", "linebreak", "space", "footnote"), " ")
_WORDS |= {"sqrt": "√", "star": "⋆", "colon": ":", "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|", "mid": "|"}
_WORDS |= {"ge": "≥", "le": "≤", "ne": "≠", "circ": "∘", "degree": "°", "over": "/", "ast": "*", "textbackslash": "\\"}
_HATS = {"tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304"}

_HATTED = re.compile(r"(?:\{|\s)?(?:\\(?:math)?(?:cal|bf|rm|sf)\s*\{?\s*)?([A-Za-z])(?:\}{1,2}|(?![A-Za-z]))")
_ACCENTED = re.compile(r"\{\s*\\?([A-Za-z])\s*\}|\\([ij])(?![A-Za-z])\s?|([A-Za-z])")
_LONGEST = 24  # letters in a name


def match_accent(text: str, start: int, accent: str, at: int) -> tuple[str, int] | None:
    r"""Return the accented letter of a macro and where it ends, or nothing if it is no accent.

    Examples
    --------
    >>> match_accent(r'M\"uller', 1, '"', 3)
    ('ü', 4)
    >>> match_accent(r'said \"unless\"', 5, '"', 7)
    """
    found = _ACCENTED.match(text, at)
    if not found or (accent in LETTER_ACCENTS and not found[1]):
        return None
    letter = found[1] or found[2] or found[3]
    if found[3] and accent in "\"'`" and _is_quote(text, start, accent, found):
        return None
    accented = unicodedata.normalize("NFC", _find_accented(accent, letter))
    return (accented, found.end()) if len(accented) == 1 or found[1] else None


def _is_quote(text: str, start: int, accent: str, found: re.Match[str]) -> bool:
    r"""Say whether ``\"`` or ``\'`` before a bare letter is an escaped quote."""
    before, after = text[start - 1 : start], text[found.end() : found.end() + 1]
    starts_word = not (before.isalpha() or before == "{")
    if starts_word and (accent == '"' or found[3] not in "aeiouyAEIOUY"):
        return True
    return found[3] in "stdm" and not after.isalpha()  # model\'s


def match_hat(text: str, name: str, at: int) -> tuple[str, int] | None:
    r"""Return the letter under a sign of maths such as ``\tilde`` and where it ends, if Unicode has it."""
    letter = _HATTED.match(text, at) if name in _HATS else None
    hatted = unicodedata.normalize("NFC", letter[1] + _HATS[name]) if letter else ""
    return (hatted, letter.end()) if letter and len(hatted) == 1 else None


def find_symbol(name: str) -> tuple[str, int]:
    r"""Return what a macro stands for, and how many letters of its name that takes.

    A name that lost the space after it, as in ``\rightarrowDe``, counts as far as it is known.

    Examples
    --------
    >>> find_symbol("approx"), find_symbol("rightarrowDe"), find_symbol("ourmethod")
    (('≈', 6), ('→', 10), ('', 9))
    """
    if len(name) > _LONGEST:
        return "", len(name)
    known = next(
        (size for size in range(len(name), 3, -1) if name[:size] in SILENT or _look_up(name[:size])), len(name)
    )
    return _look_up(name[:known]), known


@lru_cache(4096)
def _look_up(name: str) -> str:
    """Return the character that is known for a macro without arguments, or nothing."""
    from pylatexenc.latex2text import get_default_latex_context_db

    known = get_default_latex_context_db().get_macro_spec(name)
    symbol = getattr(known, "simplify_repl", None) if known else None
    return _WORDS.get(name) or (symbol if isinstance(symbol, str) and not re.search("[%<]", symbol) else "")


@lru_cache(1024)
def _find_accented(accent: str, letter: str) -> str:
    """Return a letter under an accent, by pylatexenc."""
    return str(_find_converter()(f"\\{accent}{{{letter}}}"))


@cache
def _find_converter() -> Callable[[str], object]:
    """Return pylatexenc's function from LaTeX to text."""
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text().latex_to_text  # type: ignore[no-any-return]
