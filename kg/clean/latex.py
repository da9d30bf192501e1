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

from kg.clean.symbols import (
    CHARS,
    LETTER_ACCENTS,
    NATIONAL,
    SIGN_ACCENTS,
    SILENT,
    find_symbol,
    match_accent,
    match_hat,
)

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
_FUSED = frozenset({"times", "cdot", "pm"})  # take no space before a number
_DROPPED = re.compile(
    r"(?:no|paren|text|auto|full|short)?[Cc]ite\w{0,8}|(?:eq|auto|c|C|page|name)?ref|label|begin|end|[vh]space|"
    r"includegraphics|(?:text)?color|footnotemark|index|input|phantom|[vh]phantom|bibliography\w*|usepackage"
)
_ESCAPES = frozenset("nrtux")  # of programs
_PATH = re.compile(r"(?:\w:|\\)\\[^\s]*$")
_MATH_FONT = re.compile(r"(?<![\\A-Za-z])(?=math(?:cal|bb|bf|rm|sf|scr|frak)\s?[{A-Z])")  # lost its backslash
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
    text = _TIE.sub(_replace_tie, text)
    return _replace_macros(text) if re.search(r"[\\{}^]", text) else text


def _replace_tie(tie: re.Match[str]) -> str:
    """Return a space for a tie between words; that in an address stays."""
    word = tie.string[max(tie.start() - 80, 0) : tie.start()].rpartition(" ")[2]
    return "~" if "/" in word else " "


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
    if char in SIGN_ACCENTS and (accented := match_accent(text, token.start(), char, end)):
        return accented
    if char == "\\" and text[token.start() - 1 : token.start()].isalnum() and text[end : end + 1].isalpha():
        return "\\\\", end  # a path
    return CHARS.get(char, char if not char.isascii() else "\\" + char), end


def _replace_name(
    token: re.Match[str], pairs: dict[int, int], braces: dict[int, str], *, maths: bool
) -> tuple[str, int]:
    """Return what stands for a macro named by letters, and where to read on."""
    text, name, end = token.string, token["name"], token.end()
    accented = match_accent(text, token.start(), name, end) if name in LETTER_ACCENTS else match_hat(text, name, end)
    if accented:
        return accented
    if _DROPPED.fullmatch(name):
        return "", _skip_arguments(text, end, pairs, most=1 if "color" in name else 3)
    if end in pairs:
        _open_argument(text, name, end, pairs, braces)
    if name == "href" and pairs.get(end, -2) + 1 in pairs:
        return "", pairs[end] + 1
    symbol, size = find_symbol(name)
    if size < len(name):
        return symbol, token.start() + 1 + size
    if not symbol and name not in SILENT:
        return _replace_unknown(token, maths=maths, braced=end in pairs), end
    return symbol, end + _is_space_taken(token, maths=maths)


def _is_space_taken(token: re.Match[str], *, maths: bool) -> bool:
    r"""Say whether a macro takes the space after it, as ``\O rsted`` and ``3\times 3`` do."""
    text, name, end = token.string, token["name"], token.end()
    if name in SILENT:
        return text[end : end + 1].isspace() and text[end + 1 : end + 2].isalnum()
    if name in NATIONAL:
        return text[end : end + 1] == " " and not maths
    is_tight = name in _FUSED and not text[token.start() - 1 : token.start()].isspace()
    return is_tight and re.match(r" \d", text[end : end + 2]) is not None


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
    if len(new) < 2 or not new.isalpha() or not new.isascii() or name in NATIONAL:
        return new
    return f"{' ' * before.isalnum()}{new}{' ' * (after.isalnum() or after == chr(92))}"
