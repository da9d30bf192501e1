"""What a trained recogniser found, beside what the rules find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from spacy.tokens import Span

from kg.extract.candidates import find_candidates
from kg.extract.words import RECOGNISED, find_words
from kg.model import ConceptType
from tests.small_docs import to_doc, to_lexicon

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from kg.extract.candidate import Candidate

_SENTENCE = """
    Our         PRON  PRP$ poss     3
    novel       ADJ   JJ   amod     3
    graph       NOUN  NN   compound 3
    network     NOUN  NN   nsubj    4
    learns      VERB  VBZ  ROOT     4
    image       NOUN  NN   compound 6
    captioning  NOUN  NN   dobj     4
    ~(          PUNCT -LRB- punct   6
    ~IC         PROPN NNP  appos    6
    ~)          PUNCT -RRB- punct   6
    ~.          PUNCT .    punct    4
"""


def recognise(*spans: tuple[int, int, str]) -> Doc:
    """Return the sentence with spans that a recogniser found."""
    doc = to_doc(_SENTENCE)
    doc.spans[RECOGNISED] = [Span(doc, start, end, label=label) for start, end, label in spans]
    return doc


def find(doc: Doc) -> dict[str, Candidate]:
    """Return the candidates of a document by surface."""
    return {one.surface: one for one in find_candidates(doc, find_words(doc), to_lexicon())}


def test_what_both_find_is_one_candidate_with_the_recognisers_type_as_a_guess() -> None:
    found = find(recognise((2, 4, "Method")))

    assert found["graph network"].source == "chunk"
    assert found["graph network"].guess is ConceptType.METHOD
    assert found["graph network"].determiner == "our novel"


def test_the_boundaries_of_the_recogniser_hold() -> None:
    found = find(recognise((3, 4, "Method")))

    assert "graph network" not in found
    assert (found["network"].source, found["network"].guess) == ("model", ConceptType.METHOD)


def test_what_stands_before_a_recognised_name_is_known() -> None:
    found = find(recognise((1, 4, "Method"), (2, 4, "Task")))

    assert found["novel graph network"].determiner == "our"
    assert found["graph network"].determiner == "our novel"


def test_brackets_are_no_part_of_a_recognised_name() -> None:
    found = find(recognise((7, 10, "Task")))

    assert found["IC"].guess is ConceptType.TASK


@pytest.mark.parametrize("span", [(7, 8, "Task"), (10, 11, "Method")])
def test_punctuation_alone_is_no_name(span: tuple[int, int, str]) -> None:
    assert set(find(recognise(span))) == set(find(to_doc(_SENTENCE)))


def test_without_a_recogniser_nothing_is_guessed() -> None:
    assert {one.guess for one in find(to_doc(_SENTENCE)).values()} == {None}
