"""Words: what a reader sees as one word is one, whatever tokens it is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.words import Word, find_words, is_link
from tests.small_docs import to_doc, to_plain_doc

_characters = st.characters(categories=["L", "N", "P", "S"], include_characters="-'’.()")
_texts = st.lists(st.text(_characters, min_size=1, max_size=12), min_size=1, max_size=8).map(" ".join)


def to_texts(text: str) -> list[str]:
    """Return the words of a text, as strings."""
    return [word.text for word in find_words(to_plain_doc(text))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("low-rank adaptation", ["low-rank", "adaptation"]),
        ("4DPC²hat-200K wins.", ["4DPC²hat-200K", "wins", "."]),
        ("SQuAD 2.0 (hard)", ["SQuAD", "2.0", "(", "hard", ")"]),
        ("MNIST, CIFAR-10; k-NN", ["MNIST", ",", "CIFAR-10", ";", "k-NN"]),
        ("the GAN's loss", ["the", "GAN", "'s", "loss"]),
        ("networks’ depth", ["networks", "’", "depth"]),
        ("C++ and C", ["C++", "and", "C"]),
        ("“quoted” words", ["“", "quoted", "”", "words"]),
        ("see https://x.org/a(b) now", ["see", "https://x.org/a", "(", "b", ")", "now"]),
        ("a β-VAE… 漢字認識 🚀", ["a", "β-VAE", "…", "漢字認識", "🚀"]),
        ("(1-α)-pinball SGD[5]/Adam", ["(", "1-α", ")", "-", "pinball", "SGD", "[", "5", "]", "/", "Adam"]),
        ("a 3% gain e.g. here", ["a", "3%", "gain", "e.g.", "here"]),
    ],
)
def test_what_touches_is_one_word_and_punctuation_stands_apart(text: str, words: list[str]) -> None:
    assert to_texts(text) == words


def test_a_word_has_all_its_tokens_and_the_part_of_speech_of_its_head() -> None:
    doc = to_doc(
        """
        low         ADJ   JJ   amod      3
        ~-          PUNCT HYPH punct     3
        ~rank       NOUN  NN   compound  3
        adaptation  NOUN  NN   ROOT      3
        ~.          PUNCT .    punct     3
        """
    )

    assert find_words(doc) == [
        Word("low-rank", "low-rank", 0, 8, 0, 3, "NOUN", "NN"),
        Word("adaptation", "adaptation", 9, 19, 3, 4, "NOUN", "NN"),
        Word(".", ".", 19, 20, 4, 5, "PUNCT", "."),
    ]


@pytest.mark.parametrize("text", ["(", ",", ".", "'s", "…", "—", "e.g.", "https://x.org", "a@b.org", "~"])
def test_no_name_goes_across_punctuation_links_and_abbreviations(text: str) -> None:
    assert find_words(to_plain_doc(text))[0].is_break


@pytest.mark.parametrize("text", ["LoDA", "β-VAE", "2.0", "C++", "漢字"])
def test_a_name_may_go_across_other_words(text: str) -> None:
    assert not find_words(to_plain_doc(text))[0].is_break


@given(_texts)
def test_every_character_but_spaces_is_in_exactly_one_word(text: str) -> None:
    words = find_words(to_plain_doc(text))

    covered = [at for word in words for at in range(word.start, word.end)]
    assert covered == [at for at, char in enumerate(text) if not char.isspace()]


@given(_texts)
def test_offsets_and_tokens_of_a_word_are_right(text: str) -> None:
    doc = to_plain_doc(text)

    for word in find_words(doc):
        assert text[word.start : word.end] == word.text != ""
        tokens = doc[word.first : word.last]
        assert tokens.start_char <= word.start < word.end <= tokens.end_char


@pytest.mark.parametrize("text", ["www.x.org", "http://a.b", "me@uni.edu", "project.github.io/page"])
def test_addresses_are_links(text: str) -> None:
    assert is_link(text)


@pytest.mark.parametrize("text", ["v1.0", "SQuAD", "e.g.", "hits@10", "MOSEI/MELD", "and/or"])
def test_names_with_dots_signs_and_slashes_are_no_links(text: str) -> None:
    assert not is_link(text)
