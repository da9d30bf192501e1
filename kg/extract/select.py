"""Which candidates name a concept, and of which type.

A candidate is kept when what speaks for it adds up: a curated or coined name, an acronym
that the paper defines, a head noun that names methods or tasks, a rare word, a place in
the title, a cue such as "we propose". Words that are common to all papers speak against.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.extract.candidate import is_capitalised
from kg.model import ConceptType, Section
from kg.names import fold_name, is_coined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spacy.language import Language

    from kg.acronyms import Acronym
    from kg.extract.candidate import Candidate
    from kg.extract.lexicon import Lexicon
    from kg.extract.roles import Cue

__all__ = [
    "CALIBRATION",
    "KEPT_FROM",
    "KEPT_ODDS",
    "LONGEST",
    "Calibration",
    "Context",
    "find_evidence",
    "read_calibration",
    "score",
    "vote_type",
    "weigh",
]

_DATASET_SPELLING = re.compile(r"(?:[A-Za-z\d]-?(?:[Bb]ench|BENCH|Corpus)|[A-Za-z](?:QA|Set))(?:$|[-+ v\d])|-\d+[KM]$")
# What is added to the name of a model or data set for one of its versions.
_VARIANT = re.compile(
    r"[\d.]+[BMKkbm]?|[A-Z]|v\d+|[Bb]ase|[Ll]arge|[Ss]mall|[Tt]iny|[Mm]ini|XL|XXL|[Ii]nstruct|[Cc]hat|[Tt]urbo|[Cc]oder|[Mm]ath|hard|plus|\+"
)
_SURE = 0.85  # how surely a coined name and one from a list names a concept
CALIBRATION = "kg_calibration"  # key in a model's description
KEPT_FROM = 0.44  # what the rules must add up to, alone
KEPT_ODDS = -0.4  # what rules and recogniser must come to together
_NAMED = -3.0  # what a recogniser can say against a name by its spelling or from a list: it knows no new ones
_RULES, _WHOLE = 7.0, 0.6  # how much the rules count, and a name that reaches beyond, beside the recogniser's odds
_LEAST = 0.01  # what speaks for a candidate that no rule rules out
LONGEST = 80  # characters of a label
_WORD = re.compile(r"[^\W\d_]{2}")
_REST = ("aware ", "based ", "driven ")
_FORMULA = re.compile(r"[⁻⁺₋₊=≤≥≈‖]")
_TASK_ENDING = re.compile(r"(?:ing|tion|sion|sis|ment)$")
_TOO_WIDE = frozenset({"attention", "embedding", "learning", "optimization", "policy", "training"})
_METHOD_ENDING = re.compile(r"(?:er|or|net|former|ism|gan|bert)$")
_METRIC_ENDING = re.compile(r"(?:ity|ness|acy|ency|ancy)$")


@dataclass(frozen=True, slots=True)
class Context:
    """What a paper says about a folded form in all its passages."""

    counts: Mapping[str, int]  # how often each folded form comes up
    title: str  # the folded title, with a space at each end
    short_forms: Mapping[str, str]  # folded short form to the long form that the paper defines
    long_forms: frozenset[str]  # folded
    acronyms: tuple[Acronym, ...]
    candidates: list[list[Candidate]] = field(default_factory=list)  # of each passage
    calibration: Calibration | None = None  # where a trained recogniser has spoken


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a model's odds become probabilities: those with which annotators marked what it found (Platt's scaling)."""

    bias: float
    slope: float

    def to_chance(self, odds: float) -> float:
        """Return the probability that odds stand for."""
        return 0.5 + 0.5 * math.tanh((self.bias + self.slope * odds) / 2)

    @property
    def kept_from(self) -> float:
        """Return the score of the least sure candidate that is kept."""
        return self.to_chance(KEPT_ODDS)


def read_calibration(nlp: Language) -> Calibration | None:
    """Return the calibration that was fitted for a model, or None if it has no recogniser."""
    fitted = nlp.meta.get(CALIBRATION)
    return Calibration(*fitted) if fitted else None


def score(one: Candidate, cue: Cue, section: Section, context: Context, lexicon: Lexicon) -> float:
    """Return how surely a candidate names a concept, in [0, 1].

    With a trained recogniser it is the probability that people who annotate would mark a name
    there; without one, what the rules add up to.
    """
    evidence = find_evidence(one, cue, section, context, lexicon)
    if context.calibration is None or evidence == 0:
        return evidence
    return context.calibration.to_chance(weigh(one, evidence))


def weigh(one: Candidate, evidence: float) -> float:
    """Return the odds that rules and recogniser together give a candidate, as a logarithm.

    The recogniser knows what annotators mark, the rules what a reader would look up: a name
    that is a name of its own.
    """
    least = _NAMED if evidence >= _SURE else -math.inf
    inside = max(_to_odds(one.inside), least)
    return _RULES * (evidence - KEPT_FROM) + inside + _WHOLE * min(0.0, _to_odds(one.whole))


def _to_odds(chance: float) -> float:
    """Return the logarithm of the odds of a probability, at most 5 either way."""
    kept = min(max(chance, 0.0067), 0.9933)
    return math.log(kept / (1 - kept))


def find_evidence(one: Candidate, cue: Cue, section: Section, context: Context, lexicon: Lexicon) -> float:
    """Return what speaks for a candidate by the rules, in [0, 1]; 0 if they rule it out."""
    folded = fold_name(one.surface)
    if _is_no_name(one, folded, lexicon):
        return 0.0
    if folded in context.short_forms or folded in context.long_forms:
        return 0.9
    if one.source == "coined":
        return _SURE
    if _is_part(one, section) or _is_generic(one, lexicon):
        return 0.0
    words = one.surface.split()
    if one.source == "name" and (len(words) > 1 or not one.surface.islower()):
        return _SURE
    evidence = 0.12 * min(context.counts[folded] - 1, 3)
    evidence += 0.15 * (f" {folded} " in context.title)
    evidence += 0.3 * (cue.role == "introduce")
    evidence += 0.25 * (one.source == "name")
    evidence += _several_words(one, section, lexicon) if len(words) > 1 else _single_word(one, section, lexicon)
    return max(_LEAST, min(1.0, evidence))


def _is_no_name(one: Candidate, folded: str, lexicon: Lexicon) -> bool:
    """Return whether a candidate is boilerplate, overlong, two words with a slash, a formula, or has no word in it.

    Nor is "based methods" a name, what is left of "(DL)-based methods".
    """
    slashed = "/" in one.surface and one.surface.islower()
    formal = slashed or folded.startswith(_REST) or _FORMULA.search(one.surface) or not _WORD.search(one.surface)
    return folded in lexicon.boilerplate or len(one.surface) > LONGEST or bool(formal)


def _is_part(one: Candidate, section: Section) -> bool:
    """Return whether a candidate is only a part of a longer name.

    "Motion Detection" in "Flawed Motion Detection" is no name of its own, nor are the head
    "transformer" in "equivariant transformer" and the modifier in "precision medicine".
    """
    if not one.outer:
        return False
    plain = one.surface.islower() and " " not in one.surface
    return plain or (is_capitalised(one.outer) and section is Section.ABSTRACT)


def _is_generic(one: Candidate, lexicon: Lexicon) -> bool:
    """Return whether each word only judges or says what kind of thing is meant.

    Of the names made of such words, those in the project's own list are names: "topic model".
    """
    words = one.surface.lower().split()
    name = lexicon.find_name(one.surface) if one.source == "name" and len(words) > 1 else None
    if name and name.source == "core":
        return False
    return all(word in lexicon.evaluative or fold_name(word) in lexicon.generic for word in words)


def vote_type(one: Candidate, cue: Cue, context: Context, lexicon: Lexicon) -> tuple[ConceptType, float]:
    """Return the type that a candidate speaks for, and how loudly.

    What stands beside the name counts most, then the curated list, then the spelling, then
    the head noun; the votes of all mentions in the paper decide.
    """
    if one.type is not None and one.source != "name":
        return one.type, 3.0
    long = context.short_forms.get(fold_name(one.surface), "")
    name = (lexicon.find_name(long) if long else None) or lexicon.find_name(one.surface)
    sure = name.type if name else None if long else _type_by_spelling(one.surface, lexicon)
    if sure:
        return sure, 2.0
    kind = _type_by_head(long or one.surface, lexicon)
    if one.source == "coined" and kind is None and cue.role == "evaluate" and cue.text.endswith(" on"):
        return ConceptType.DATASET, 1.5
    named = one.source == "coined" or is_capitalised(one.surface) or bool(long)
    new = cue.role == "introduce"  # papers propose ways to do a task, seldom the task
    if kind is None or (kind is ConceptType.TASK and (named or new)):
        return ConceptType.METHOD, 1.0 if new else 0.5 if named else 0.2
    return kind, 1.0


def _type_by_spelling(surface: str, lexicon: Lexicon) -> ConceptType | None:
    """Return the type that a coined name gives away: hits@10, MMBench, TriviaQA, CC3M-500K, Llama-3-Instruct."""
    if re.search(r"\w@\d", surface):
        return ConceptType.METRIC
    parts = surface.split("-")
    for stop in range(len(parts) - 1, 0, -1):
        name = lexicon.find_name("-".join(parts[:stop]))
        if name and all(_VARIANT.fullmatch(part) for part in parts[stop:]):
            return name.type
    return ConceptType.DATASET if _DATASET_SPELLING.search(surface) else None


def _type_by_head(surface: str, lexicon: Lexicon) -> ConceptType | None:
    """Return the type that the head noun of a name suggests, or the ending of the noun."""
    for word in reversed(fold_name(surface).split()):
        known = lexicon.heads.get(word)
        if known:
            return known.type
        if word not in lexicon.generic:
            return None if is_coined(surface) else _type_by_ending(word)
        if lexicon.generic[word]:
            return lexicon.generic[word]
    return None


def _type_by_ending(head: str) -> ConceptType:
    """Return the type that the ending of a noun suggests."""
    if _TASK_ENDING.search(head):
        return ConceptType.TASK
    if _METRIC_ENDING.search(head):
        return ConceptType.METRIC
    return ConceptType.METHOD


def _single_word(one: Candidate, section: Section, lexicon: Lexicon) -> float:
    """Return what speaks for a single word that is not coined."""
    word = fold_name(one.surface)
    share = max(lexicon.share(one.surface), lexicon.share(word))
    known = lexicon.heads.get(word)
    if one.surface[0].isupper() and one.start > 0 and section is Section.ABSTRACT and share < 0.003:
        return 0.4
    if known and known.weight >= 0.85:
        return 0.5 if known.type is ConceptType.METHOD and word not in _TOO_WIDE else 0.4 if share < 0.03 else 0.3
    abstract = _TASK_ENDING.search(word) or _METRIC_ENDING.search(word)
    return (0.35 if abstract else 0.1) if share < 0.004 else 0.1 if abstract and share < 0.02 else 0.0


def _several_words(one: Candidate, section: Section, lexicon: Lexicon) -> float:
    """Return what speaks for a noun chunk of several words."""
    words = one.surface.split()
    head = fold_name(words[-1])
    known = lexicon.heads.get(head)
    weight = known.weight if known else 0.3 if _TASK_ENDING.search(head) or _METHOD_ENDING.search(head) else 0.15
    if head in lexicon.generic:
        weight = min(weight, 0.3) if lexicon.generic[head] else 0.05
    if len(words) == 2 and is_coined(words[0]) and known is None:
        weight = 0.0  # "SoMA couples": a verb taken for a noun
    shares = [lexicon.share(word) for word in words[:-1]]
    rare = 0.25 if min(shares) < 0.003 else 0.15 if min(shares) < 0.02 else 0.05 if min(shares) < 0.06 else -0.1
    if head in lexicon.generic and not lexicon.generic[head]:
        rare = min(rare, 0.1)  # "high-stakes domains": what modifies a word that names nothing makes no name of it
    capitals = 0.3 if section is Section.ABSTRACT and is_capitalised(one.surface) else 0.0
    return 0.15 + 0.4 * weight + rare + capitals - 0.1 * bool(one.outer) - 0.1 * (len(words) > 5)
