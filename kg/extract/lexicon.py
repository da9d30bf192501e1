"""Word lists that extraction goes by; people edit them in ``ontology/lexicon/``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import ConceptType, Predicate
from kg.names import Name, fold_name, is_coined, read_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Head", "Lexicon", "Measure", "Rule", "load_lexicon"]


@dataclass(frozen=True, slots=True)
class Head:
    """What a head noun says of a noun chunk."""

    type: ConceptType
    weight: float  # how often such a chunk names a concept, in [0, 1]


@dataclass(frozen=True, slots=True)
class Rule:
    """Which signs between two names of a sentence say how they stand to each other."""

    predicate: Predicate
    subject: str  # which of them it goes from: "first" or "second" in the text, or "both"
    signs: frozenset[str]
    confidence: float  # how often annotators agree with it, in [0, 1]


@dataclass(frozen=True, slots=True)
class Measure:
    """What results are measured in."""

    better: str  # which way is better: "higher", "lower" or "none"
    use: str  # "level" if a value of it alone is a result, "change" if only a change is, "setting" if it is chosen


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Head nouns, words to cut off or leave out, common words, curated names, measures, rules for relations."""

    heads: Mapping[str, Head]
    generic: Mapping[str, ConceptType | None]  # the type that the word gives a name before it
    evaluative: frozenset[str]
    boilerplate: frozenset[str]
    common: Mapping[str, float]  # share of abstracts that have the word
    proper: frozenset[str]  # words that have a capital inside a sentence, in lower case
    names: Mapping[str, tuple[Name, ...]]  # by folded form
    starts: frozenset[str]  # first words of folded names
    empty_heads: Mapping[tuple[str, str], str]  # by noun and type: after which names it adds nothing
    rules: Mapping[tuple[ConceptType, ConceptType], tuple[Rule, ...]]  # by the types of two names, in order
    measures: Mapping[str, Measure]  # by what they are called

    @property
    def nothing(self) -> frozenset[str]:
        """Return what names no concept by itself, folded."""
        return self.boilerplate | self.generic.keys()

    def find_name(self, surface: str) -> Name | None:
        """Return the curated name that is written `surface`, if there is one.

        A data set or single word must have the capitals of the name, since "Set" and
        "Adam" are names and "set" is not; tasks and metrics of one word need not.
        """
        for name in self.names.get(fold_name(surface), ()):
            for form in (name.label, *name.aliases):
                if fold_name(form) == fold_name(surface) and _is_written_as(surface, form, name.type):
                    return name
        return None

    def find_measure(self, words: str) -> Measure | None:
        """Return the measure that words name, be it in the plural; capitals count where it has some."""
        for form in (words, words.removesuffix("s"), words.removesuffix("ies") + "y", words.partition("_")[0]):
            if found := self.measures.get(form) or self.measures.get(form[:1].lower() + form[1:]):
                return found
        return None

    def share(self, word: str) -> float:
        """Return the share of abstracts that have a word; the parts of a hyphenated one count alone."""
        return min(self.common.get(part, 0.0) for part in word.lower().split("-"))


def load_lexicon(ontology: Path) -> Lexicon:
    """Return the word lists and curated names of an ontology folder."""
    folder = ontology / "lexicon"
    names: dict[str, list[Name]] = {}
    # The list written for this project goes before those of others.
    for name in sorted(read_names(ontology / "names"), key=lambda name: name.source != "core"):
        for form in (name.label, *name.aliases):
            names.setdefault(fold_name(form), []).append(name)
    return Lexicon(
        heads={head: Head(ConceptType(kind), float(weight)) for head, kind, weight in _rows(folder / "heads.tsv")},
        generic={word: ConceptType(kind[0]) if kind else None for word, *kind in _rows(folder / "generic.txt")},
        evaluative=frozenset(word for word, *_ in _rows(folder / "evaluative.txt")),
        boilerplate=frozenset(fold_name(phrase) for phrase, *_ in _rows(folder / "boilerplate.txt")),
        common={word: int(share) / 1000 for word, share in _rows(folder / "common_words.tsv")},
        proper=frozenset(word for word, *_ in _rows(folder / "proper_words.txt")),
        names={form: tuple(found) for form, found in names.items()},
        starts=_starts(names),
        empty_heads={(head, kind): after for head, kind, after in _rows(folder / "empty_heads.tsv")},
        rules=_read_rules(folder / "relations.tsv"),
        measures={words: Measure(better, use) for words, better, use in _rows(folder / "measures.tsv")},
    )


def _read_rules(path: Path) -> dict[tuple[ConceptType, ConceptType], tuple[Rule, ...]]:
    """Return the rules of relations by the types of the two names, in the order of the table."""
    rules: dict[tuple[ConceptType, ConceptType], tuple[Rule, ...]] = {}
    for predicate, first, second, subject, signs, confidence in _rows(path):
        rule = Rule(Predicate(predicate), subject, frozenset(signs.split("; ")), float(confidence))
        pair = ConceptType(first), ConceptType(second)
        rules[pair] = (*rules.get(pair, ()), rule)
    return rules


def _rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a list, without comments and the header of a table."""
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    if path.suffix == ".tsv":
        next(lines)
    for line in lines:
        yield line.split("\t")


def _starts(forms: Iterable[str]) -> frozenset[str]:
    """Return the first words of folded names, also as some write them apart ("pre training")."""
    firsts = {form.split(" ", 1)[0] for form in forms}
    return frozenset(firsts | {"pre", "post", "multi", "non", "semi", "co", "sub", "anti", "auto", "hyper", "fine"})


def _is_written_as(surface: str, form: str, kind: ConceptType) -> bool:
    """Return whether capitals let `surface` stand for `form`."""
    coined = any(is_coined(word) for word in form.split())
    by_case = (
        kind is ConceptType.DATASET or coined or (form[0].isupper() and " " not in form and kind is ConceptType.METHOD)
    )
    if not by_case:
        return True
    return [char for char in surface if char.isupper()] == [char for char in form if char.isupper()]
