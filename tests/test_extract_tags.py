"""Tests of tags and of the names that chances of tags show."""

from __future__ import annotations

import numpy as np
import spacy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kg.extract.tags import CHANCES, OPEN, TAGS, find_spans, mark_spans, to_tags
from kg.model import ConceptType

METHOD, TASK = ConceptType.METHOD, ConceptType.TASK


@st.composite
def spans(draw: st.DrawFn) -> tuple[list[tuple[int, int, ConceptType]], int]:
    """Return spans that don't overlap, and how many tokens there are."""
    at, found = 0, []
    for gap, length, kind in draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(ConceptType)), max_size=6)
    ):
        found.append((at + gap, at + gap + length, kind))
        at += gap + length
    return found, at + draw(st.integers(0, 3))


def to_certain(tags: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return chances that leave no doubt."""
    return np.eye(len(TAGS), dtype=np.float32)[tags]


@given(spans())
def test_what_is_tagged_is_found_again(marked: tuple[list[tuple[int, int, ConceptType]], int]) -> None:
    found = find_spans(to_certain(to_tags(*marked)))

    assert [one[:3] for one in found] == marked[0]
    assert all(sure == 1 for *_, sure in found)


@given(arrays(np.float32, st.tuples(st.integers(0, 8), st.just(len(TAGS))), elements=st.floats(0, 1, width=32)))
def test_any_chances_give_names_that_are_whole_and_apart(
    chances: np.ndarray[tuple[int, int], np.dtype[np.float32]],
) -> None:
    found = find_spans(chances)

    ends = [0, *(at for first, last, *_ in found for at in (first, last))]
    assert ends == sorted(ends)
    assert all(first < last <= len(chances) and 0 <= sure <= 1 for first, last, _, sure in found)


def test_a_name_without_a_type_leaves_its_tokens_open() -> None:
    assert to_tags([(1, 3, None)], 4).tolist() == [0, OPEN, OPEN, 0]


def test_a_doubtful_beginning_is_kept_for_a_sure_end() -> None:
    chances = np.zeros((2, len(TAGS)), dtype=np.float32)
    chances[0, [TAGS.index("O"), TAGS.index("B-Task")]] = 0.6, 0.4
    chances[1, [TAGS.index("O"), TAGS.index("L-Task")]] = 0.1, 0.9

    ((first, last, kind, sure),) = find_spans(chances)

    assert (first, last, kind) == (0, 2, TASK)
    assert sure == np.float32(0.4)


def test_names_become_entities_and_the_chances_stay() -> None:
    doc = spacy.blank("en")("We train BERT .")
    chances = to_certain(to_tags([(2, 3, METHOD)], 4))

    mark_spans(doc, chances)

    assert [(one.text, one.label_) for one in doc.ents] == [("BERT", "Method")]
    assert doc.user_data[CHANCES] is chances
