"""What a change is of where the sentence names no measure of the list: "2× faster", "20 % fewer queries"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.extract.results.reported import find_measured

if TYPE_CHECKING:
    from kg.extract.results.outline import Outline

__all__ = ["LESSER", "find_words"]

LESSER = re.compile(r" M ((?:drop|degradation|loss|gap|deterioration|decline)s?)\b")  # "reduces the accuracy gap by"

_NAMED = {  # what words speak of, by their beginning, and which way of it is better
    "faster": ("speed", "higher"), "quicker": ("speed", "higher"), "slower": ("speed", "higher"),
    "speed": ("speed", "higher"), "sped": ("speed", "higher"), "accelerat": ("speed", "higher"),
    "slowdown": ("speed", "higher"), "smaller": ("size", "lower"), "larger": ("size", "lower"),
    "bigger": ("size", "lower"), "lighter": ("size", "lower"), "cheaper": ("cost", "lower"),
}  # fmt: skip
_QUALITIES = {
    "accurate": "accuracy", "effective": "effectiveness", "efficient": "efficiency", "robust": "robustness",
    "successful": "success",
}  # fmt: skip
_GROWN = ("bigger", "larger", "longer")  # of other things, more often than not: "a model 10× larger"
_SIZES = ("size", "sizes", "volume")
_DOING = ("ing", "nce", "tion")  # "3× faster inference"
_OBJECT = re.compile(
    r" (?P<words>[a-z][^\s,;]*(?: [a-z][^\s,;]*){0,3}?)(?= (?:of|in|on|for|over|from|by|to|with|w\.r\.t|D|X|,|[(])|$)"
)
_QUALITY = re.compile(  # "improves the fluency of X by"
    r" (?P<words>(?!(?:results?|state|art|baselines?|state-of-the-art)\b)[a-z][^\s,;]*(?: [a-z][^\s,;]*)?)(?= of )"
)
_BURDENS = re.compile(
    r"\b(?:gap|drop|errors?|costs?|time|evaluations|queries|calls|violations?|collisions|failures|consumption|usage)$"
)


def find_words(rule: str, match: re.Match[str], family: str, outline: Outline) -> tuple[str, str]:
    """Return what changes, or "", and which way of it is better: "higher", "lower" or "none".

    Parameters
    ----------
    rule : str
        Which pattern of `kg.extract.results.patterns`.
    match : re.Match
        Of that pattern.
    family : str
        Of its verb or noun.
    outline : Outline
        Of the sentence.
    """
    said = match.groupdict()
    word, lead, free = said.get("word") or "", (said.get("lead") or "").strip(), (said.get("free") or "").split()
    named = next((named for start, named in _NAMED.items() if word.startswith(start)), None)
    if named:
        return ("", "none") if word in _GROWN and not free else _name(named, free if rule == "than" else [])
    if lesser := LESSER.search(said.get("gap") or ""):
        start = match.start("gap") + lesser.start() + 1
        return f"{find_measured(outline, start, start + 1)[0].text} {lesser[1]}", "lower"
    directed = family in {"up", "down"}
    if rule == "by":
        found = (_OBJECT if directed else _QUALITY).match(match["gap"])
        return _judge(found["words"]) if found else ("", "none")
    qualities = [(at, _QUALITIES[one]) for at, one in enumerate(free) if one in _QUALITIES]
    if qualities and qualities[0][0] < 2:
        return " ".join([*free[: qualities[0][0]], qualities[0][1]]), "higher"
    return _judge(lead or " ".join(free)) if lead or directed else ("", "none")


def _name(named: tuple[str, str], free: list[str]) -> tuple[str, str]:
    """Return what a comparative such as "faster" speaks of, by the words after it."""
    if named[0] == "size" and free and free[-1].endswith(_SIZES):
        return " ".join(free), "none"
    doing = [one for one in free if one.endswith(_DOING)][:1] if named[0] == "speed" else []
    return " ".join([*doing, named[0]]), named[1]


def _judge(words: str) -> tuple[str, str]:
    """Return words of what changes, and which way of it is better."""
    return words, "lower" if _BURDENS.search(words) else "none"
