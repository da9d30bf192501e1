"""What a trained recogniser found, beside what the rules find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from spacy.tokens import Span

from kg.extract.candidates import find_candidates
from kg.extract.tags import CHANCES, TAGS, to_tags
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
    """Return the sentence with spans that a recogniser is sure of."""
    doc = to_doc(_SENTENCE)
    doc.spans[RECOGNISED] = [Span(doc, start, end, label=label) for start, end, label in spans]
    tags = to_tags([(start, end, ConceptType(label)) for start, end, label in spans], len(doc))
    doc.user_data[CHANCES] = np.eye(len(TAGS), dtype=np.float32)[tags]
    return doc


def find(doc: Doc) -> dict[str, Candidate]:
    """Return the candidates of a document by surface."""
    return {one.surface: one for one in find_candidates(doc, find_words(doc), to_lexicon())}


def test_what_both_find_is_one_candidate_of_which_the_recogniser_is_sure() -> None:
    found = find(recognise((2, 4, "Method")))

    assert found["graph network"].source == "chunk"
    assert (found["graph network"].inside, found["graph network"].whole) == (1, 1)
    assert found["graph network"].kinds[ConceptType.METHOD] == 1
    assert found["graph network"].determiner == "our novel"


def test_of_a_common_head_the_chunk_decides_what_stands_before() -> None:
    found = find(recognise((3, 4, "Method")))

    assert "network" not in found
    assert (found["graph network"].source, found["graph network"].inside) == ("chunk", 0.5)


def test_elsewhere_the_boundaries_of_the_recogniser_hold() -> None:
    found = find(recognise((1, 3, "Method")))

    assert "graph network" not in found
    assert (found["graph"].source, found["graph"].determiner) == ("model", "our novel")


def test_a_candidate_that_a_name_reaches_beyond_is_not_whole() -> None:
    found = find(recognise((2, 5, "Method")))

    assert found["graph network"].whole == 0


@pytest.mark.parametrize("span", [(7, 10, "Task"), (7, 9, "Task")])
def test_brackets_are_no_part_of_a_recognised_name(span: tuple[int, int, str]) -> None:
    assert find(recognise(span))["IC"].kinds[ConceptType.TASK] == 1


@pytest.mark.parametrize("span", [(7, 8, "Task"), (10, 11, "Method"), (4, 5, "Method"), (3, 5, "Method")])
def test_punctuation_and_verbs_are_no_names(span: tuple[int, int, str]) -> None:
    assert set(find(recognise(span))) == set(find(to_doc(_SENTENCE)))


def test_without_a_recogniser_nothing_is_heard() -> None:
    assert not any(one.kinds for one in find(to_doc(_SENTENCE)).values())
