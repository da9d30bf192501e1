"""Tests of matching concepts to the terms of vocabularies."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.align import match_vocabulary
from kg.model import Concept, ConceptType, MatchKind, Term, Vocabulary, VocabularyMatch
from kg.model.vocabularies import check_matches
from kg.vocabularies import read_vocabulary

AIO = Path(__file__).parents[2] / "shared" / "bench" / "taxonomies" / "aio.tsv"
METHOD, TASK, METRIC = ConceptType.METHOD, ConceptType.TASK, ConceptType.METRIC
EXACT, CLOSE = MatchKind.EXACT, MatchKind.CLOSE


def concept(*names: str, kind: ConceptType = METHOD) -> Concept:
    """Return a concept that is called by some names, the first of which is its id too."""
    return Concept(f"concept:{names[0]}", names[0], kind, names[1:])


def term(*names: str, kind: ConceptType | None = None, local: str = "") -> Term:
    """Return a term that is called by some names."""
    return Term(f"https://example.org/{(local or names[0]).replace(' ', '_')}", names[:1], names[1:], kind)


def match(concepts: list[Concept], terms: list[Term]) -> list[tuple[str, str, MatchKind]]:
    """Return what matches what, by labels, and how; all that must hold of matches does."""
    found = match_vocabulary(concepts, Vocabulary("v.ttl", "", tuple(terms)))
    check_matches(found, {one.id: one for one in concepts})
    return [(one.concept.removeprefix("concept:"), one.label, one.predicate) for one in found]


@pytest.mark.parametrize(
    ("names", "kind", "expected"),
    [
        (("Low Rank Adaptations",), METHOD, EXACT),  # the label of both, folded
        (("low-rank adaptation", "something"), METHOD, EXACT),
        (("LoRA tuning", "low-rank adaptation"), METHOD, EXACT),  # another label of the term
        (("low-rank adapters",), METHOD, EXACT),  # another label of the concept
        (("something", "low-rank adapters"), METHOD, EXACT),
        (("low-rank adaptation",), TASK, CLOSE),  # the types differ
        (("LoRA",), METHOD, CLOSE),  # a short form alone
        (("LORA", "low-rank adaptation"), METHOD, EXACT),
        (("LoRA",), TASK, None),  # a short form of another type
        (("LORA", "long range radio"), METHOD, None),  # a short form that stands for something else
        (("LoRA module",), METHOD, None),
        (("LoRA module", "LoRA"), METHOD, CLOSE),  # no other long form than that of the concept
        (("rank",), METHOD, None),
    ],
)
def test_a_term_with_a_type_matches_by_its_names(
    names: tuple[str, ...], kind: ConceptType, expected: MatchKind | None
) -> None:
    lora = concept("low-rank adaptation", "LoRA", "low-rank adapters")

    found = match([lora], [term(*names, kind=kind)])

    assert found == ([("low-rank adaptation", names[0], expected)] if expected else [])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Low-rank adaptation",), EXACT),
        (("low-rank adaptation", "LoRA"), EXACT),
        (("LoRA tuning", "low-rank adaptation"), CLOSE),
        (("low-rank adapters",), CLOSE),
        (("low-rank adapters", "low-rank adaptation"), CLOSE),
        (("lora",), CLOSE),  # in small letters it is the same short form
    ],
)
def test_where_no_term_has_a_type_only_preferred_labels_match_exactly(
    names: tuple[str, ...], expected: MatchKind
) -> None:
    found = match([concept("low-rank adaptation", "LoRA", "low-rank adapters")], [term(*names)])

    assert found == [("low-rank adaptation", names[0], expected)]


def test_a_term_without_a_type_among_others_matches_closely() -> None:
    found = match([concept("boosting"), concept("bagging")], [term("Boosting"), term("Bagging", kind=METHOD)])

    assert found == [("bagging", "Bagging", EXACT), ("boosting", "Boosting", CLOSE)]


def test_a_short_label_of_both_needs_another_name_that_agrees() -> None:
    gan = concept("GAN", "generative adversarial network")

    assert match([gan], [term("GAN")]) == [("GAN", "GAN", CLOSE)]
    assert match([gan], [term("GAN", "generative adversarial networks")]) == [("GAN", "GAN", EXACT)]


@pytest.mark.parametrize(("count", "expected"), [(1, [EXACT]), (2, [CLOSE] * 2), (3, [CLOSE] * 3), (4, [])])
def test_homonyms_match_closely_if_they_are_few(count: int, expected: list[MatchKind]) -> None:
    terms = [term("attention", kind=METHOD, local=f"a{number}") for number in range(count)]
    concepts = [Concept(f"concept:{number}", f"c{number}", METHOD, ("attention",)) for number in range(count)]

    assert [kind for *_, kind in match([concept("attention")], terms)] == expected
    assert [kind for *_, kind in match(concepts, terms[:1])] == expected


def test_short_forms_of_several_match_nothing() -> None:
    mi = concept("mutual information", "MI")

    assert match([mi], [term("membership inference", "MI"), term("motor imagery", "MI")]) == []
    assert match([mi, concept("model inversion", "MI")], [term("MI")]) == []


def test_a_concept_is_the_same_as_one_term_only() -> None:
    net = concept("neural network", "artificial neural network")
    preferred = term("neural networks", kind=METHOD)
    other = term("artificial neural networks", kind=METHOD)

    assert match([net], [preferred, other]) == [
        ("neural network", "artificial neural networks", CLOSE),
        ("neural network", "neural networks", EXACT),
    ]
    assert {kind for *_, kind in match([concept("net", "neural network", "artificial neural network")],
                                       [preferred, other])} == {CLOSE}  # fmt: skip


def test_a_term_is_the_same_as_one_concept_only() -> None:
    found = match(
        [concept("neural network"), concept("artificial neural network")],
        [term("Neural Network", "Artificial Neural Network", kind=METHOD)],
    )

    assert found == [
        ("artificial neural network", "Neural Network", CLOSE),
        ("neural network", "Neural Network", EXACT),
    ]


def test_a_match_says_by_which_names_and_why_it_is_not_exact() -> None:
    vocabulary = Vocabulary("v.ttl", "", (term("MSE", "Mean-Squared Error", kind=METHOD),))

    (found,) = match_vocabulary([concept("mean squared error", "MSE", kind=METRIC)], vocabulary)

    assert found == VocabularyMatch(
        concept="concept:mean squared error",
        predicate=CLOSE,
        iri="https://example.org/MSE",
        label="MSE",
        source="v.ttl",
        name="mean squared error",
        name_field="skos:prefLabel",
        label_field="skos:altLabel",
        confidence=0.51,
        justification="semapv:LexicalMatching",
        comment="the types differ: Metric, Method",
    )


def test_the_surer_a_match_the_more_it_is_worth() -> None:
    concepts = [
        concept("alpha beta"), concept("gamma delta"), concept("epsilon zeta"), concept("ADAM", "a b"), concept("x y"),
    ]  # fmt: skip
    terms = (
        term("alpha beta", kind=METHOD), term("g", "gamma delta", kind=METHOD), term("epsilon zeta", kind=TASK),
        term("Adam", kind=METHOD), term("x y", kind=METHOD), term("X-Y", kind=METHOD),
    )  # fmt: skip

    worth = {one.label: one.confidence for one in match_vocabulary(concepts, Vocabulary("v", "", terms))}

    assert worth["alpha beta"] > worth["g"] > worth["epsilon zeta"] > worth["x y"] == worth["X-Y"] > 0
    assert worth["epsilon zeta"] == worth["Adam"]


WORDS = st.sampled_from(["net", "nets", "GAN", "GANs", "deep net", "Deep Nets", "LoRA", "a b", "A-B", "x", "C4"])
KINDS = st.sampled_from([METHOD, TASK])
CONCEPTS = st.lists(st.tuples(WORDS, KINDS, st.lists(WORDS, max_size=2)), max_size=5)
TERMS = st.lists(st.tuples(WORDS, st.none() | KINDS, st.lists(WORDS, max_size=2)), max_size=5)


@given(CONCEPTS, TERMS, st.randoms())
def test_whatever_the_names_matches_are_sound_and_in_no_order_of_the_input(
    some: list[tuple[str, ConceptType, list[str]]],
    others: list[tuple[str, ConceptType | None, list[str]]],
    random: object,
) -> None:
    concepts = [Concept(f"concept:{n}", label, kind, tuple(alt)) for n, (label, kind, alt) in enumerate(some)]
    terms = [Term(f"urn:v:{n}", (label,), tuple(alt), kind) for n, (label, kind, alt) in enumerate(others)]

    found = match_vocabulary(concepts, Vocabulary("v", "", tuple(terms)))

    check_matches(found, {one.id: one for one in concepts})
    random.shuffle(concepts)  # type: ignore[attr-defined]
    random.shuffle(terms)  # type: ignore[attr-defined]
    assert match_vocabulary(concepts, Vocabulary("v", "", tuple(terms))) == found
    for one in found:
        assert (one.comment == "") == (one.predicate is EXACT)


def test_the_ontology_of_artificial_intelligence_matches_what_it_has() -> None:
    if not AIO.is_file():
        pytest.skip(f"no {AIO}")
    concepts = [
        concept("Transformer", "transformers"),  # which it has as a network and in longer names only
        concept("transformer language models"),
        concept("large language models", "LLMs"),
        concept("long short-term memory", "LSTM"),
        concept("convolutional neural networks", "CNNs"),
        concept("GAN", "generative adversarial networks"),
        concept("graph convolutional network", "GCN"),
        concept("Bayesian inference"),
        concept("ImageNet", kind=ConceptType.DATASET),
        concept("domain name", "DN"),  # its DN is the deconvolutional network
    ]

    vocabulary = read_vocabulary(AIO)

    assert len(vocabulary.terms) == 442
    assert match(concepts, list(vocabulary.terms)) == [
        ("GAN", "Generative Adversarial Network", CLOSE),
        ("convolutional neural networks", "Deep Convolutional Network", CLOSE),
        ("graph convolutional network", "Graph Convolutional Network", EXACT),
        ("large language models", "Large Language Model", EXACT),
        ("long short-term memory", "Long Short Term Memory", EXACT),
        ("transformer language models", "Transformer Language Model", EXACT),
    ]
