"""The words that results are told in, and the patterns that they make over an outline.

Words fall into families: "up" and "down" say which way a value goes, "gain" and "loss" that it
goes the better or the worse way. In a pattern, ``n`` is the numbers, ``m`` (``m2``, ``m3``) the
measures, ``word`` what says the family, ``old`` a number to compare with, ``lead`` and
``free`` words that stand where a measure would.
"""

from __future__ import annotations

import re

__all__ = ["AT", "CHANGING", "GOES_ON", "MARGIN", "PATTERNS", "SETTING", "find_family", "is_rival"]

_JOIN = r"(?: (?:, and|, or|,|and|or|/))"
_NS = rf"N(?:{_JOIN} N)*"
_MS = rf"(?:D )?M(?:{_JOIN} (?:D )?M)*"
_IN = r"(?:in terms of|with respect to|in|on|of|for)(?: (?:number|amount|quantity) of)?"
_RIVAL = r"outperform\w*|surpass\w*|exceed\w*|beat\w*|outdo\w*|outclass\w*|underperform\w*"
_VERBS = {
    "up": r"increas(?:es?|ed|ing)|rais(?:es?|ed|ing)|gr[eo]w(?:s|n|ing)?|rises?|rose|rising|amplif(?:y|ies|ied|ying)",
    "down": r"reduc(?:es?|ed|ing)|decreas(?:es?|ed|ing)|lower(?:s|ed|ing)?|cut(?:s|ting)?|sav(?:es?|ed|ing)"
    r"|shr[iau]nk(?:s|ing)?|drop(?:s|ped|ping)?|declin(?:es?|ed|ing)|minimi[sz](?:es?|ed|ing)|slash(?:es|ed|ing)?"
    r"|compress(?:es|ed|ing)?|diminish(?:es|ed|ing)?|fall(?:s|ing|en)?|fell|shorten(?:s|ed|ing)?",
    "gain": r"improv(?:es?|ed|ing|ement|ements)|boost(?:s|ed|ing)?|enhanc(?:es?|ed|ing)|advanc(?:es?|ed|ing)"
    r"|gain(?:s|ed|ing)?|elevat(?:es?|ed|ing)|accelerat(?:es?|ed|ing)|sp(?:ee|e)d(?:s|ed|ing)? up|better|superior",
    "loss": r"degrad(?:es?|ed|ing)|worsen(?:s|ed|ing)?|deteriorat(?:es?|ed|ing)|hurt(?:s|ing)?|worse"
    r"|lag(?:s|ged|ging)?",
    "rival": _RIVAL,
}
_NOUNS = {
    "up": r"increases?|rises?|growth",
    "down": r"reductions?|decreases?|drops?|savings?|declines?|cuts?|compression",
    "gain": r"improvements?|gains?|boosts?|enhancements?|speed-?ups?|accelerations?|advantages?|margins?|uplifts?"
    r"|lifts?|advancements?",
    "loss": r"degradations?|loss|losses|deteriorations?|slowdowns?|penalty",
}
_COMPARATIVES = {
    "up": r"more|higher|greater|larger|longer|bigger",
    "down": r"less|fewer|lower|smaller|shorter|cheaper|lighter",
    "gain": r"better|faster|quicker",
    "loss": r"worse|slower",
}
_FAMILIES = [
    (family, re.compile(words)) for table in (_VERBS, _NOUNS, _COMPARATIVES) for family, words in table.items()
]


def _any(words: dict[str, str]) -> str:
    """Return a pattern for a word of any family."""
    return "|".join(words.values())


CHANGING = re.compile(rf"\b(?:{_any(_VERBS)})\b|\b(?:{_any(_NOUNS)})\b")
# "outperforms X by large margins, e.g., N M"
MARGIN = re.compile(
    rf"\b(?:{_VERBS['gain']}|{_RIVAL})\b[^;]* (?:margins?|gains?|improvements?)\b[^;]*(?:e\.g\.|i\.e\.|[(])[^;]*$"
)
# "N M and N M improvement", read from the end of the first.
GOES_ON = re.compile(rf"(?:{_JOIN} N(?: points?)?(?: M)?)* (?P<word>{_any(_NOUNS)})\b")
# A number that is a condition of an experiment is no result: "at N M", "N M threshold".
AT = re.compile(
    r"(?:^| )(?:(?:threshold|criterion|budget|level) of|at|under|within|below|per|than|given|when|by|if|least|without"
    r"|from|with respect to|compared (?:to|with))$"
)
SETTING = re.compile(
    r"(?:criteri|threshold|constraint|target|budget|limit|confidence|interval|guarantee|level\b|bound|requirement)"
)

_OWN_VERBS = "|".join(words for family, words in _VERBS.items() if family != "rival")
# A second verb ends what the first one speaks of.
_VERB = rf"(?:{_any(_VERBS)})"
_AGAIN = rf"(?:(?:and|to|can|could|also|,) {_VERB}|{_VERB}(?<=ed|ng|es|ts|ps|ds|ns))\b"
_GAP = rf"(?P<gap>(?: (?!(?:;|N|by|which|while|whereas|where)(?: |$)|{_AGAIN})\S+){{0,14}}?)"
_RATHER = r"(?: (?:compared (?:to|with)|over|against|relative to) \S+(?: [a-z]\S*)?)"
_THEN = rf"(?:(?: , respectively)?(?: ,)?{_RATHER}?(?= in(?: terms of)? (?:D )?M))?"
_PLAIN = (
    r"(?!(?:and|or|by|compar\w+|while|when|than|over|on|in|for|with|from|to|of|at|across|as|is|are|was|without|but|that"
    r"|using|through|via|relative|respectively|during|against|between|under|improve\w*|points?|whilst|where|which)\b)[a-z]\S*"
)
_FREE = rf"(?P<free>(?: {_PLAIN}){{1,3}})"
_ARROW = r"(?:→|->|-)"
_TO = r"(?:up |down )?to"

# By name, in the order in which numbers are given to them.
PATTERNS = {
    name: re.compile(pattern)
    for name, pattern in {
        "from": rf"(?:\bfrom (?=N {_TO})|\b(?=N {_ARROW}))(?P<old>N) (?:{_TO}|{_ARROW}) (?P<n>N)"
        rf"(?:(?: {_IN})?(?P<m> {_MS}))?",
        "versus": rf"(?P<n>N) (?:vs\.?|versus) (?P<old>N)(?P<m> {_MS})?",
        "than": rf"(?P<n>{_NS})(?: points?)? (?P<word>{_any(_COMPARATIVES)})\b(?:(?: in)?(?P<m> {_MS})|{_FREE})?",
        "by": rf"\b(?P<word>{_any(_VERBS)}){_GAP} by"
        r"(?: (?:\S+ )?(?P<factor>margins?|factors?|gaps?|improvements?)(?: of)?)?"
        rf" (?P<n>{_NS})(?! (?:points? )?(?:reduc|decreas|increas)\w*)(?: points?)?(?: improvements?| gains?)?{_THEN}"
        rf"(?P<m>(?: {_IN}| [(]| under)? {_MS})?",
        "of": rf"(?P<m>\b{_MS} )?\b(?P<word>{_any(_NOUNS)})\b(?: {_IN}(?: (?P<m2>{_MS})|{_FREE}))?"
        r"(?: (?:on|over|in|for|to|from|against) (?!N )\S+(?: [a-z]\S+)?)?(?: [(])?"
        rf"(?:(?<=M)| (?:of|by|is|was|averaging)) (?P<n>{_NS})(?: points?)?(?: improvements?| gains?)?{_THEN}"
        rf"(?P<m3>(?: (?:in terms of|in|on))? {_MS})?",
        "noun": r"\b(?P<word>improvements?|gains?|boosts?|reductions?|increases?|drops?)"
        rf" (?P<n>{_NS})(?: points?)?(?P<m> {_MS})",
        "gain": rf"(?P<n>{_NS})(?: points?)?(?:(?P<m> {_MS})|(?P<lead>(?: {_PLAIN}){{1,3}}?))? (?:points? )?"
        rf"(?P<word>{_any(_NOUNS)})\b(?: {_IN}(?:(?P<m2> {_MS})|{_FREE}))?",
        "saves": rf"\b(?P<word>{_OWN_VERBS}) (?P<n>{_NS})(?: of)?(?: [a-z]\S*)?(?P<m> {_MS})",
        "level of": rf"(?P<m>\b{_MS})(?: (?:of|is|was|as|=|:|reach\w*|achiev\w*|to|at))+ (?P<n>{_NS})(?! of\b| M\b)",
        "level in": rf"(?P<n>{_NS}) (?:in terms of|in|on|for)(?P<m> {_MS})",
        "level": rf"(?P<n>{_NS})(?: points?)?(?P<m> {_MS})",
        "bracket": rf"(?P<m>\b{_MS}) [(] (?P<n>{_NS}) [)]",
        "signed": rf"(?P<n>N)(?P<m> {_MS})?",
    }.items()
}


def find_family(word: str) -> str:
    """Return the family of a word: "up", "down", "gain" or "loss"."""
    family = next(family for family, words in _FAMILIES if words.fullmatch(word))
    if family == "rival":
        return "loss" if word.startswith("under") else "gain"
    return family


def is_rival(word: str) -> bool:
    """Return whether the object of a verb is what is outdone."""
    return bool(re.fullmatch(_RIVAL, word))
