"""LaTeX in running text becomes plain text.

Abstracts hold bits of LaTeX between words, not documents: a ``%`` is a per cent sign, a
``~`` may mean "about". So only what is surely LaTeX is touched: maths between dollar
signs, macros, and braces. Symbols and accents come from pylatexenc; the text between them
never passes through its parser, which keeps time linear in the length of the text.

In maths, digits below the line are written plainly (``F$_1$`` is F1, as in most
abstracts), digits above it as superscripts (``n^2`` is n²).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["from_latex"]

_MATHS = re.compile(r"(?<![\\$])(\$\$?)((?:\\.|[^$\\]){1,600}?)\1", re.DOTALL)
_MONEY = re.compile(r"\s?\d[\d.,]*\s*(?:[kKMB]\b)?[^\\^_={}]*\s[A-Za-z]{2,}")
_NOTATION = re.compile(r"[\\^_={}<>]")
_TOKEN = re.compile(r"\\(?P<name>[A-Za-z]+)\*?|\\(?P<char>[^A-Za-z])|(?P<script>[\^_])|(?P<brace>[{}])", re.DOTALL)
_ESCAPED = re.compile(r"\\.|([{}])", re.DOTALL)
_SET = re.compile(r"[,;:=|<>]|(?<!\\)\"")  # what is between such braces is a set, or code
_SIMPLE = re.compile(r"[\w.√]+|\\[A-Za-z]+")
_DIGITS = re.compile(r"[+-]?\d+(?!\.?\d)")
_TEX_DIGIT = re.compile(r"[+-]\d+|\d")  # in maths only one digit is raised without braces
_OPTION = re.compile(r"\s?\[[^\[\]]{0,80}\]")
_TIE = re.compile(r"(?<=[\w.,;:)\]}])~(?=[^\W\d_]|--|[\\(\[$])|(?<=[A-Za-z.,;:)\]}])~(?=\d)")

_SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_ACCENTS = frozenset("\"'`^~=.")  # with any letter; those named by a letter need braces
_LETTER_ACCENTS = frozenset("bcdHkrtuv")
_NATIONAL = frozenset({"AA", "AE", "L", "O", "OE", "aa", "ae", "i", "j", "l", "o", "oe", "ss"})
_CHARS = {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "\\": " ", ">": " ", "!": "", "/": "", "-": "", "@": ""}
_CHARS |= {"|": "‖", "(": "", ")": "", "[": "", "]": ""} | {char: char for char in "%&#$_{}*"}
_WORDS = {"eg": "e.g.", "ie": "i.e.", "etal": "et al.", "wrt": "w.r.t.", "cf": "cf.", "iid": "i.i.d.", "eps": "ε"}
_WORDS |= {"quad": " ", "qquad": " ", "item": " ", "par": " ", "newline": " ", "linebreak": " ", "space": " "}
_WORDS |= {"sqrt": "√", "star": "⋆", "colon": ":", "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|", "mid": "|"}
_WORDS |= {
    "ge": "≥",
    "le": "≤",
    "ne": "≠",
    "textbackslash": "\\",
    "circ": "∘",
    "degree": "°",
    "over": "/",
    "ast": "*",
    "footnote": " ",
}
_FUSED = frozenset({"times", "cdot", "pm"})  # take no space before a number
_SILENT = frozenset(
    "left right big Big bigg Bigg bigl bigr Bigl Bigr em it bf sf sc sl tt rm cal small large tiny footnotesize normalsize "
    "mathcal mathbb mathbf mathrm mathsf mathscr mathfrak boldsymbol xspace displaystyle textstyle limits nolimits noindent centering emph protect ensuremath sloppy boldmath".split()
)
_DROPPED = re.compile(
    r"(?:no|paren|text|auto|full|short)?[Cc]ite\w{0,8}|(?:eq|auto|c|C|page|name)?ref|label|begin|end|[vh]space|"
    r"includegraphics|(?:text)?color|footnotemark|index|input|phantom|[vh]phantom|bibliography\w*|usepackage"
)
_ESCAPES = frozenset("nrtux")  # of programs
_PATH = re.compile(r"(?:\w:|\\)\\[^\s]*$")
_MATH_FONT = re.compile(r"(?<![\\A-Za-z])(?=math(?:cal|bb|bf|rm|sf|scr|frak)\s?[{A-Z])")  # lost its backslash
_HATS = {"tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304"}
_HATTED = re.compile(r"(?:\{|\s)?(?:\\(?:math)?(?:cal|bf|rm|sf)\s*\{?\s*)?([A-Za-z])(?:\}{1,2}|(?![A-Za-z]))")
_BARS = frozenset({"frac", "dfrac", "tfrac", "nicefrac", "sfrac", "cfrac"})


def from_latex(text: str) -> str:
    r"""Return `text` with its maths and macros as plain characters.

    Examples
    --------
    >>> from_latex(r"\textbf{SoMA} runs in $\mathcal{O}(n \log n)$ on 4DPC$^2$hat")
    'SoMA runs in O(n log n) on 4DPC²hat'
    >>> from_latex(r"Erd\H{o}s--R\'enyi graphs~\cite{foo2019} by M\"uller, 50\% off $5 and $10")
    'Erdős--Rényi graphs  by Müller, 50% off $5 and $10'
    """
    if "$" in text:
        text = _unwrap_maths(text)
    if "math" in text:
        text = _MATH_FONT.sub(r"\\", text)
    text = _TIE.sub(" ", text)
    return _replace_macros(text) if re.search(r"[\\{}^]", text) else text


def _unwrap_maths(text: str) -> str:
    """Return `text` with what stands between dollar signs, unless that is money, as plain text."""
    parts, done, at = [], 0, 0
    while found := _MATHS.search(text, at):
        inside = found[2]
        if _is_prose(inside, text[found.end() : found.end() + 1]):
            at = found.start() + 1
            continue
        parts += [
            text[done : found.start()],
            _replace_macros(inside.strip(), text[max(found.start() - 1, 0) : found.start()]),
        ]
        done = at = found.end()
    return "".join([*parts, text[done:]])


def _is_prose(inside: str, after: str) -> bool:
    """Say whether what stands between two dollar signs is words between two prices."""
    if after.isdigit() and "\\" not in inside and (inside[0].isdigit() or " " in inside):
        return True
    if _MONEY.match(inside) and "\\" not in inside:
        return True
    loose = inside != inside.strip() and len(inside) > 8
    return "\n\n" in inside or not inside.strip() or (loose and not _NOTATION.search(inside))


def _replace_macros(text: str, preceding: str | None = None) -> str:
    """Return `text` with macros, scripts and braces replaced, from left to right.

    What stands between dollar signs is given with the character that precedes them.
    """
    maths = preceding is not None
    pairs = _match_braces(text)
    written: list[str] = []  # the text so far
    braces: dict[int, str] = {}  # what stands for a brace at a place
    at = 0
    for token in _TOKEN.finditer(text):
        if token.start() < at:
            continue
        written.append(text[at : token.start()])
        before = next((part[-1] for part in reversed(written[-8:]) if part), preceding or "")
        if token["brace"]:
            new, at = _replace_brace(text, token.start(), pairs, braces), token.end()
        elif token["script"]:
            new, at = _replace_script(token, before, pairs, braces, maths=maths)
        elif token["char"]:
            new, at = _replace_char(text, token)
        else:
            new, at = _replace_name(token, pairs, braces, maths=maths)
            new = _keep_apart(new, token["name"], before, text[at : at + 1])
        if not new and before == " " and text[at : at + 1] in {".", ",", ";", ":", ")"}:
            written[-1] = written[-1].rstrip()  # what was left out before a full stop
        written.append(new)
    return "".join([*written, text[at:]])


def _match_braces(text: str) -> dict[int, int]:
    """Return where each brace that is opened and not escaped is closed."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for token in _ESCAPED.finditer(text):
        if token[1] == "{":
            opened.append(token.start())
        elif token[1] and opened:
            pairs[opened.pop()] = token.start()
    return pairs


def _replace_brace(text: str, at: int, pairs: dict[int, int], braces: dict[int, str]) -> str:
    """Return what stands for the brace at `at`: nothing, unless it encloses a set or code."""
    if at in braces:
        return braces[at]
    close = pairs.get(at)
    if text[at] == "}" or close is None:
        return ""
    inside = text[at + 1 : close].strip(" ,;:") if close - at < 200 else ""
    if len(inside) > 2 and _SET.search(inside) and not inside.startswith("http"):
        braces[close] = "}"
        return "{"
    return ""


def _enclose(text: str, at: int, pairs: dict[int, int], braces: dict[int, str], *, after: str = "") -> None:
    """Turn the braces at `at` into brackets where more than a word is in them."""
    close = pairs[at]
    simple = close - at <= 40 and _SIMPLE.fullmatch(text, at + 1, close)
    braces[at], braces[close] = ("", after) if simple else ("(", ")" + after)


def _replace_script(
    token: re.Match[str], before: str, pairs: dict[int, int], braces: dict[int, str], *, maths: bool
) -> tuple[str, int]:
    """Return what stands for ``^`` or ``_`` and what follows, and where to read on."""
    text, at = token.string, token.start()
    mark, group = text[at], pairs.get(at + 1)
    if group is not None and group - at < 20:
        inside, end = text[at + 2 : group].strip(), group + 1
    else:
        found = (_TEX_DIGIT if maths else _DIGITS).match(text, at + 1) if group is None else None
        inside, end = (found[0], found.end()) if found else ("", at + 1)
    if mark == "^" and inside in {r"\circ", "∘"}:
        return "°", end
    if _DIGITS.fullmatch(inside) and (mark == "^" or maths or group is not None):
        if mark == "^":
            return inside.translate(_SUPERSCRIPTS), end
        if before.isalpha():
            return inside, end
    if group is not None:
        _enclose(text, at + 1, pairs, braces)
    return mark, at + 1


def _replace_char(text: str, token: re.Match[str]) -> tuple[str, int]:
    r"""Return what stands for a macro named by a sign, such as ``\%`` or ``\"``."""
    char, end = token["char"], token.end()
    if char in _ACCENTS and (accented := _accent(text, token.start(), char, end)):
        return accented
    if char == "\\" and text[token.start() - 1 : token.start()].isalnum() and text[end : end + 1].isalpha():
        return "\\\\", end  # a path
    if char in "\"'`":
        return char, end
    if char == "~":
        return " ", end
    return _CHARS.get(char, char if not char.isascii() else "\\" + char), end


def _accent(text: str, start: int, accent: str, at: int) -> tuple[str, int] | None:
    r"""Return the letter with its accent and where it ends, or nothing if there is none.

    ``\"`` and ``\'`` before a word are quotes that some exporter escaped, not accents.
    """
    found = re.compile(r"\{\s*\\?([A-Za-z])\s*\}|\\([ij])(?![A-Za-z])\s?|([A-Za-z])").match(text, at)
    if not found or (accent in _LETTER_ACCENTS and not found[1]):
        return None
    letter = found[1] or found[2] or found[3]
    before, after = text[start - 1 : start], text[found.end() : found.end() + 1]
    if found[3] and accent in "\"'`":
        if accent == '"' and not (before.isalpha() or before == "{"):
            return None
        if letter in "stdm" and not after.isalpha():  # model\'s
            return None
        if not before.isalpha() and before != "{" and letter not in "aeiouyAEIOUY":
            return None
    composed = unicodedata.normalize("NFC", _to_accented(accent, letter))
    return (composed, found.end()) if len(composed) == 1 or found[1] else None


def _replace_name(
    token: re.Match[str], pairs: dict[int, int], braces: dict[int, str], *, maths: bool
) -> tuple[str, int]:
    """Return what stands for a macro named by letters, and where to read on."""
    text, name, end = token.string, token["name"], token.end()
    if name in _LETTER_ACCENTS and (accented := _accent(text, token.start(), name, end)):
        return accented
    if name in _HATS and (letter := _HATTED.match(text, end)) and len(hat := _compose(letter[1], _HATS[name])) == 1:
        return hat, letter.end()
    if _DROPPED.fullmatch(name):
        return "", _skip_arguments(text, end, pairs, most=1 if "color" in name else 3)
    if end in pairs:
        _open_argument(text, name, end, pairs, braces)
        if name == "href" and pairs[end] + 1 in pairs:
            return "", pairs[end] + 1
    if name in _SILENT:
        return "", end + (text[end : end + 1].isspace() and text[end + 1 : end + 2].isalnum())
    if not (symbol := _WORDS.get(name) or _find_symbol(name)) and (shorter := _find_shorter(name)):
        return _WORDS.get(shorter) or _find_symbol(shorter), token.start() + 1 + len(shorter)
    if symbol:
        space = name in _NATIONAL and text[end : end + 1] == " " and not maths
        tight = name in _FUSED and not text[token.start() - 1 : token.start()].isspace()
        return symbol, end + (space or (tight and re.match(r" \d", text[end : end + 2]) is not None))
    return _replace_unknown(token, maths=maths, braced=end in pairs), end


def _open_argument(text: str, name: str, at: int, pairs: dict[int, int], braces: dict[int, str]) -> None:
    """Settle what stands for the braces around a macro's first argument, and those of a fraction."""
    second = pairs[at] + 1
    if name in _BARS and second in pairs:
        _enclose(text, at, pairs, braces, after="/")
        _enclose(text, second, pairs, braces)
    elif name == "footnote" or (name == "sqrt" and pairs[at] - at > 2):
        braces[at], braces[pairs[at]] = "(", ")"
    else:
        braces[at] = braces[pairs[at]] = ""


def _replace_unknown(token: re.Match[str], *, maths: bool, braced: bool) -> str:
    """Return what stands for a macro that nobody knows: its name, or nothing before an argument."""
    text, name, start = token.string, token["name"], token.start()
    if braced:
        inside_empty = text[token.end() : token.end() + 2] == "{}"
        return name if inside_empty else ""
    if maths or not (name in _ESCAPES or _PATH.search(text[max(start - 60, 0) : start + 1])):
        return name
    return token[0]


def _skip_arguments(text: str, at: int, pairs: dict[int, int], *, most: int) -> int:
    """Return where the arguments that start at `at` end."""
    while option := _OPTION.match(text, at):
        at = option.end()
    while at in pairs and most:
        at, most = pairs[at] + 1, most - 1
    return at


def _keep_apart(new: str, name: str, before: str, after: str) -> str:
    r"""Return `new` with spaces that keep a function such as ``\log`` apart from its neighbours."""
    if len(new) < 2 or not new.isalpha() or not new.isascii() or name in _NATIONAL:
        return new
    return f"{' ' * before.isalnum()}{new}{' ' * (after.isalnum() or after == chr(92))}"


def _compose(letter: str, mark: str) -> str:
    """Return a letter with a combining mark as one character, if there is one."""
    return unicodedata.normalize("NFC", letter + mark)


@cache
def _find_symbol(name: str) -> str:
    """Return the character that pylatexenc knows for a macro without arguments, or nothing."""
    from pylatexenc.latex2text import get_default_latex_context_db

    known = get_default_latex_context_db().get_macro_spec(name)
    symbol = getattr(known, "simplify_repl", None) if known else None
    return symbol if isinstance(symbol, str) and "%" not in symbol and "<" not in symbol else ""


@cache
def _find_shorter(name: str) -> str:
    r"""Return the known macro that a name starts with, as in ``\rightarrowDe``, or nothing."""
    starts = (name[:size] for size in range(len(name) - 1, 3, -1))
    return next((one for one in starts if one in _WORDS or one in _SILENT or _find_symbol(one)), "")


@cache
def _to_accented(accent: str, letter: str) -> str:
    """Return a letter under an accent, by pylatexenc."""
    return str(_find_converter()("\\" + accent + "{" + letter + "}"))


@cache
def _find_converter() -> Callable[[str], object]:
    """Return pylatexenc's function from LaTeX to text."""
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text().latex_to_text  # type: ignore[no-any-return]
