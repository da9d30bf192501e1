"""Claims: what a sentence says of two names in it."""

from __future__ import annotations

from functools import cache

import pytest

from kg.extract import load_lexicon
from kg.extract.claims import find_claims
from kg.extract.hearst import find_kinds
from kg.model import Claim, ConceptType, Mention, Predicate
from kg.vocab import find_ontology
from tests.small_docs import to_doc

_METHOD, _DATASET, _TASK, _METRIC = ConceptType
_LEXICON = cache(lambda: load_lexicon(find_ontology()))


def mention(text: str, name: str, kind: ConceptType, score: float = 1.0) -> Mention:
    """Return the mention that a name is in a text."""
    start = text.index(name)
    return Mention(name, start, start + len(name), kind, Predicate.MENTIONS, score, "coined")


def read(rows: str, *names: tuple[str, ConceptType]) -> list[tuple[str, str, str]]:
    """Return what a sentence says of names, as subject, predicate and object."""
    doc = to_doc(rows)
    claims = find_claims(doc, [mention(doc.text, *name) for name in names], _LEXICON())
    return [to_words(doc.text, claim) for claim in claims]


def to_words(text: str, claim: Claim) -> tuple[str, str, str]:
    """Return a claim with the names that it is about."""
    subject = text[claim.subject_start : claim.subject_end]
    return subject, str(claim.predicate), text[claim.object_start : claim.object_end]


_OUTPERFORMS = "LoDA PROPN NNP nsubj 1\noutperforms VERB VBZ ROOT 1\nLoRA PROPN NNP dobj 1\n~. PUNCT . punct 1"


def test_what_outperforms_another_is_compared_with_it() -> None:
    assert read(_OUTPERFORMS, ("LoDA", _METHOD), ("LoRA", _METHOD)) == [("LoDA", "comparedWith", "LoRA")]


def test_methods_do_not_outperform_tasks() -> None:
    assert all(relation != "comparedWith" for _, relation, _ in read(_OUTPERFORMS, ("LoDA", _METHOD), ("LoRA", _TASK)))


@pytest.mark.parametrize(
    ("words", "kinds", "expected"),
    [
        ("for", (_METHOD, _TASK), ("A", "usedFor", "B")),
        ("in", (_METHOD, _METHOD), ("A", "partOf", "B")),
        ("via", (_TASK, _METHOD), ("B", "usedFor", "A")),
        ("for", (_DATASET, _TASK), ("A", "benchmarkFor", "B")),
    ],
)
def test_a_preposition_joins_two_names(
    words: str, kinds: tuple[ConceptType, ConceptType], expected: tuple[str, str, str]
) -> None:
    rows = f"A PROPN NNP ROOT 0\n{words} ADP IN prep 0\nB PROPN NNP pobj 1"

    assert read(rows, ("A", kinds[0]), ("B", kinds[1])) == [expected]


def test_a_method_is_trained_on_a_data_set() -> None:
    rows = (
        "BERT PROPN NNP ROOT 0\ntrained VERB VBN acl 0\non ADP IN prep 1\nC4 PROPN NNP pobj 2\nand CCONJ CC cc 3\n"
        "Books PROPN NNP conj 3"
    )

    found = read(rows, ("BERT", _METHOD), ("C4", _DATASET), ("Books", _DATASET))

    assert found == [("BERT", "trainedOn", "C4"), ("BERT", "trainedOn", "Books")]


def test_another_thought_between_two_names_keeps_them_apart() -> None:
    rows = (
        "LoDA PROPN NNP nsubj 1\nlearns VERB VBZ ROOT 1\nwhile SCONJ IN mark 3\nwaiting VERB VBG advcl 1\n"
        "for ADP IN prep 3\nparsing NOUN NN pobj 4"
    )

    assert read(rows, ("LoDA", _METHOD), ("parsing", _TASK)) == []


def test_a_claim_is_as_sure_as_its_rule_and_its_names() -> None:
    doc = to_doc("A PROPN NNP ROOT 0\nfor ADP IN prep 0\nB PROPN NNP pobj 1")
    names = [mention("A for B", "A", _METHOD, 0.5), mention("A for B", "B", _TASK, 0.9)]
    rules = _LEXICON().rules[_METHOD, _TASK]
    confidence = next(rule.confidence for rule in rules if rule.signs == {"gap=for"})

    (claim,) = find_claims(doc, names, _LEXICON())

    assert claim.score == pytest.approx(0.5 * confidence)
    assert claim.cue == "rule: gap=for"


def test_of_names_within_names_the_longest_counts() -> None:
    rows = "deep ADJ JJ amod 1\nA NOUN NN ROOT 1\nfor ADP IN prep 1\nB PROPN NNP pobj 2"

    assert read(rows, ("deep A", _METHOD), ("A", _METHOD), ("B", _TASK)) == [("deep A", "usedFor", "B")]


def test_one_name_says_nothing() -> None:
    assert read("BERT PROPN NNP ROOT 0", ("BERT", _METHOD)) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We use nets such as BERT, T5 (2020) and GPT.", {"BERT", "T5", "GPT"}),
        ("BERT, T5 and other nets are used.", {"BERT", "T5"}),
        ("Some nets, including the BERT or T5, learn.", {"BERT", "T5"}),
        ("We use nets and BERT such as they are.", set()),
        ("We use nets such as we like, and BERT.", set()),
    ],
)
def test_lists_are_read_as_far_as_they_go(sentence: str, expected: set[str]) -> None:
    names = [name for name in ("nets", "BERT", "T5", "GPT") if name in sentence]
    mentions = sorted((mention(sentence, name, _METHOD) for name in names), key=lambda one: one.start)

    found = list(find_kinds(sentence, mentions))

    assert {narrow.surface for narrow, _, _ in found} == expected
    assert {broad.surface for _, broad, _ in found} <= {"nets"}


def test_a_kind_that_is_told_has_the_type() -> None:
    sentence = "We use nets such as BERT."

    assert not list(find_kinds(sentence, [mention(sentence, "nets", _METHOD), mention(sentence, "BERT", _DATASET)]))


def test_the_rules_name_signs_of_known_forms() -> None:
    forms = ("gap=", "next=", "last=", "gap:", "path:", "top:", "front:", "first:", "second:", "first=", "second=")
    words = {"adjacent", "list", "list-first", "near", "plain", "subject", "above", "short", "together", "apart"}

    signs = {sign for rules in _LEXICON().rules.values() for rule in rules for sign in rule.signs}

    assert {sign for sign in signs if sign not in words and not sign.startswith(forms)} == set()
