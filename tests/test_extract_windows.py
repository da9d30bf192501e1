"""Tests of the windows through which a transformer reads."""

from __future__ import annotations

import numpy as np
import pytest

tokenizers = pytest.importorskip("tokenizers", reason="transformers need the extra 'accurate'")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from tokenizers.models import WordPiece  # noqa: E402

from kg.errors import ModelError  # noqa: E402
from kg.extract.windows import find_edges, to_batches, to_input, to_windows  # noqa: E402

_PIECES = ["[UNK]", "[CLS]", "[SEP]", "a", "b", "##a", "##b"]
TOKENIZER = tokenizers.Tokenizer(
    WordPiece({piece: number for number, piece in enumerate(_PIECES)}, unk_token="[UNK]", max_input_chars_per_word=500)
)

_word = st.text("ab", min_size=1, max_size=6)
_sentences = st.lists(st.lists(_word, max_size=80), max_size=12)


@given(_sentences)
def test_each_word_stands_in_one_window_with_its_pieces(sentences: list[list[str]]) -> None:
    windows = list(to_windows(sentences, TOKENIZER))

    places = [(sentence, word) for window in windows for sentence, word, _ in window.places]
    assert places == [(at, word) for at, words in enumerate(sentences) for word in range(len(words))]
    for window in windows:
        assert 0 < len(window.pieces) == len(window.shapes) <= 250
        for sentence, word, piece in window.places:
            assert _PIECES[window.pieces[piece]] == sentences[sentence][word][0]


def test_what_goes_beyond_a_window_in_one_sentence_is_left_out() -> None:
    (window,) = to_windows([["a"] * 300], TOKENIZER)

    assert len(window.places) == 250


@given(_sentences)
def test_each_window_is_in_one_batch(sentences: list[list[str]]) -> None:
    windows = [window for words in sentences for window in to_windows([words], TOKENIZER)]

    batches = list(to_batches(windows, range(len(windows))))

    assert sorted(one for batch in batches for one in batch) == list(range(len(windows)))


def test_input_is_padded_and_masked() -> None:
    windows = [window for words in (["ab"], ["a", "A", "b"]) for window in to_windows([words], TOKENIZER)]

    arrays = to_input(windows, find_edges(TOKENIZER))

    assert arrays["pieces"].tolist() == [[1, 3, 6, 2, 0], [1, 3, 0, 4, 2]]
    assert arrays["mask"].tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert arrays["shapes"].tolist() == [[0, 1, 1, 0, 0], [0, 1, 3, 1, 0]]
    assert {one.dtype for one in arrays.values()} == {np.dtype(np.int64)}


def test_a_tokenizer_of_another_kind_is_refused() -> None:
    with pytest.raises(ModelError, match="BERT's kind"):
        find_edges(tokenizers.Tokenizer(WordPiece({"[UNK]": 0}, unk_token="[UNK]")))
