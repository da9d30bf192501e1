"""Entities, tags, Markdown and quotes of running text become plain text.

Only what surely is markup goes: tags that format text (a ``<think>`` token or ``p < 0.05``
stays), and emphasis whose marks stand where Markdown puts them (``k*n``, ``snake_case``
and ``A*`` stay). Entities are decoded first, so that an escaped tag counts as a tag.
"""

from __future__ import annotations

import html
import re

__all__ = ["from_html", "from_markdown"]

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_AMPERSANDS = re.compile(r"&(?:(?:amp|#38|#x26);)+")
_ATTRIBUTES = r"(?:\s[^<>]{0,300})?"
_BLOCKS = "p|br|div|li|ul|ol|dl|dd|dt|h[1-6]|hr|sec|title|list|list-item|abstract|table|tr|td|th|thead|tbody|blockquote"
_INLINE = (
    "b|i|u|em|strong|small|big|span|font|sub|sup|tt|code|strike|del|ins|mark|cite|abbr|italic|bold|underline|monospace|sc|"
    "roman|xref|ext-link|inline-formula|disp-formula|tex-math|alternatives|named-content|styled-content|bdi|nobr|center"
)
_TAG = re.compile(
    rf"</?(?:(?:jats|mml|m):[A-Za-z][\w-]{{0,30}}{_ATTRIBUTES}|(?P<block>{_BLOCKS}){_ATTRIBUTES}|(?:{_INLINE}){_ATTRIBUTES}|"
    r"a\s[^<>]{0,300}|(?<=/)a|math(?:\s[^<>]{0,300})?)\s*/?>",
    re.IGNORECASE,
)
_JATS_BLOCK = re.compile(r"jats:(?:p|sec|title|list|list-item)\b", re.IGNORECASE)
_RAISED = re.compile(r"<(?:jats:)?sup>\s*([+\-−]?\d{1,4})\s*</(?:jats:)?sup>", re.IGNORECASE)
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,500})>")
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")

_STRONG = re.compile(r"(?<![*\\])(\*{2,3}|(?<![\w_])__(?=[^_]*[\s:]))(?=[^\s*])([^*]{1,600}?)(?<=[^\s*])\1(?!\*)")
_EMPHASIS = re.compile(r"(?<![\w*\\^)\]])\*(?=[^\s*])([^*]{1,300}?)(?<=[^\s*])\*(?![\w*])")
_NESTED = re.compile(  # three marks at one end are one and two at the other
    r"(?<![\w*\\])(?:\*{3}([^*]{1,300})(?:\*([^*]{1,300})\*\*|\*\*([^*]{1,300})\*)"
    r"|(?:\*([^*]{1,300})\*\*|\*\*([^*]{1,300})\*)([^*]{1,300})\*{3})(?![\w*])"
)
_LETTER = re.compile(r"(?<![\w*\\^)\]])\*([A-Za-z])\*(?=[A-Za-z])")
_UNDERLINE = re.compile(r"(?<![\w\\/])_(?=[^\s_])([^_]{1,300}?)(?<=[^\s_])_(?![\w/])")
_LINK = re.compile(r"!?\[([^\[\]]{1,200})\]\((?:https?://|mailto:|www\.)[^()\s]{1,300}(?:\s\"[^\"]{0,100}\")?\)")
_BULLET = re.compile(r"^[ \t]*(?:(?:[*-]|#{1,6})[ \t]+)+(?=\S)", re.MULTILINE)
_CODE = re.compile(r"(`{1,3})([^`]{1,300}?)\1(?!`)")
_QUOTED = re.compile(r"(?<!`)`([^`']{1,300}?)'(?!'|\w)")
_DOUBLE = re.compile(r"``|(?<!')''(?!')")
_LONG_DASH = re.compile(r"(?<![-!<])---(?![->])")
_DASH = re.compile(r"(?<=[\w)\]\"'’”.,;])--(?=[\w(\[\"'‘“$])|(?<=\s)--(?=\s)")


def from_html(text: str) -> str:
    """Return `text` with entities decoded and formatting tags dropped.

    Examples
    --------
    >>> from_html("<jats:p>Small <i>n</i> &amp;amp; CO<sub>2</sub>, 10<sup>-3</sup></jats:p>").strip()
    'Small n & CO2, 10⁻³'
    >>> from_html("a<b and p < 0.05 > chance, <mask> &lt; Q&A")
    'a<b and p < 0.05 > chance, <mask> < Q&A'
    """
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), _AMPERSANDS.sub("&", text))
    if "<" in text:
        text = _RAISED.sub(lambda found: found[1].translate(_SUPERSCRIPTS), text)
        text = _TAG.sub(_replace_tag, _AUTOLINK.sub(r"\1", text))
    return text


def _replace_tag(tag: re.Match[str]) -> str:
    """Return what stands for a tag: a space if it ends a paragraph or a line."""
    return " " if tag["block"] or _JATS_BLOCK.search(tag[0]) else ""


def from_markdown(text: str) -> str:
    r"""Return `text` without marks of emphasis, code, links and bullets, and with plain quotes and dashes.

    Quotes of LaTeX become straight ones, its dashes the typographic ones.

    Examples
    --------
    >>> from_markdown("the *first* **Project Page:** of `testing` _all_ [code](https://a.b) ``null bases\" -- x")
    'the first Project Page: of testing all code "null bases" – x'
    >>> from_markdown("k*n*m, snake_case_name, A* and D* search, p* < 0.05")
    'k*n*m, snake_case_name, A* and D* search, p* < 0.05'
    """
    if "`" in text or "''" in text:
        text = _QUOTED.sub(r"'\1'", _DOUBLE.sub('"', _CODE.sub(_replace_code, text))).replace("`", "'")
    text = _LINK.sub(r"\1", text) if "](" in text else text
    text = _BULLET.sub("", text)
    if "*" in text or "__" in text:
        text = _STRONG.sub(r"\2", _NESTED.sub(r"\1\2\3\4\5\6", text))
        text = _EMPHASIS.sub(r"\1", _LETTER.sub(r"\1", text))
    if "_" in text:
        text = _UNDERLINE.sub(r"\1", text)
    return _DASH.sub("–", _LONG_DASH.sub("—", text)) if "--" in text else text


def _replace_code(code: re.Match[str]) -> str:
    """Return the text between backticks; two on either side are quotes of LaTeX."""
    return f'"{code[2]}"' if code[1] == "``" and " " in code[2] else code[2]
