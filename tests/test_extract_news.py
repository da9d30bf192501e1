"""News: what a paper introduces, by signs of the whole paper."""

from __future__ import annotations

import pytest

from kg.extract.news import Kept, find_news, find_own
from kg.extract.roles import Cue
from kg.extract.select import Context
from kg.model import Passage, Section
from kg.names import fold_name
from tests.small_docs import find_one, to_lexicon, to_plain_doc

_NO_CUE = Cue("", "")
_NEW = Cue("introduce", "propose")


def keep(
    text: str, surface: str, *, source: str = "coined", cue: Cue = _NO_CUE, title: bool = False, own: bool = True
) -> Kept:
    """Return the kept candidate that `surface` is in a passage."""
    passage = Passage("paper:1", Section.TITLE if title else Section.ABSTRACT, 0, text)
    one = find_one(to_plain_doc(text), surface, source=source)
    return Kept(passage, one, cue, 0.9, own and not title, "", fold_name(surface))


def find(*kept: Kept, **short_forms: str) -> set[str]:
    """Return the surfaces of what is new."""
    context = Context(
        counts={},
        title="",
        short_forms={fold_name(short): long for short, long in short_forms.items()},
        long_forms=frozenset(map(fold_name, short_forms.values())),
        acronyms=(),
    )
    news = find_news([*kept], context, to_lexicon())
    assert all(cue.role == "introduce" and cue.text for cue in news.values())
    return {kept[number].candidate.surface for number in news}


def test_a_title_that_begins_with_a_name_and_a_colon_announces_it() -> None:
    assert find(keep("LoDA : Sparse Updates for Adapters", "LoDA", title=True)) == {"LoDA"}


@pytest.mark.parametrize("text", ["Sparse LoDA : Updates", "LoDA and Sparse Updates", "LoDA"])
def test_any_other_place_in_the_title_announces_nothing(text: str) -> None:
    assert find(keep(text, "LoDA", title=True)) == set()


def test_a_known_name_before_a_colon_is_no_news() -> None:
    assert find(keep("ImageNet : A Second Look", "ImageNet", source="name", title=True)) == set()
    assert find(keep("Mamba : A Second Look", "Mamba", title=True)) == set()


def test_a_long_form_in_capitals_that_the_paper_defines_is_its_coinage() -> None:
    one = keep("We take Torque Variation Score here", "Torque Variation Score", source="acronym")

    assert find(one, TVS="Torque Variation Score") == {"Torque Variation Score"}


@pytest.mark.parametrize("long", ["torque variation score", "Torque variation score"])
def test_a_long_form_in_small_letters_is_no_coinage(long: str) -> None:
    assert find(keep(f"We take {long} here", long, source="acronym"), TVS=long) == set()


def test_what_is_defined_before_the_paper_speaks_of_itself_is_old() -> None:
    old = keep("Torque Variation Score is known", "Torque Variation Score", source="acronym", own=False)
    new = keep("We take Spectral Copula Test here", "Spectral Copula Test", source="acronym")

    found = find(old, new, TVS="Torque Variation Score", SCT="Spectral Copula Test")

    assert found == {"Spectral Copula Test"}


def test_a_known_long_form_is_no_coinage_whatever_its_capitals() -> None:
    one = keep("We take Low-Rank Adaptation here", "Low-Rank Adaptation", source="acronym")

    assert find(one, LoRA="Low-Rank Adaptation") == set()


def test_parts_are_new_when_the_whole_that_they_are_named_after_is() -> None:
    whole = keep("We propose JBF here", "JBF", cue=_NEW)
    part = keep("It has JBF-Lib inside", "JBF-Lib")
    other = keep("It has GPT-4 inside", "GPT-4")

    assert find(whole, part, other) == {"JBF-Lib"}


def test_parts_of_what_others_made_are_old() -> None:
    assert find(keep("They use JBF here", "JBF"), keep("It has JBF-Lib inside", "JBF-Lib")) == set()


def test_a_paper_without_candidates_has_no_news() -> None:
    assert find() == set()


def test_sentences_with_what_is_new_speak_of_the_own_work_and_it_goes_on() -> None:
    kept = [
        keep("Nets like BERT are large", "BERT", own=False),
        keep("LoDA is smaller than BERT", "LoDA", cue=_NEW, own=False),
        keep("It beats BERT", "BERT", own=False),
        keep("Trees like CART are old", "CART", own=False),
        keep("It is known for CART", "CART", own=False),
    ]

    assert [one.text for one in sorted(find_own(kept, {}), key=lambda one: one.text)] == [
        "It beats BERT",
        "LoDA is smaller than BERT",
    ]


def test_a_common_word_that_is_introduced_makes_no_sentence_own_work() -> None:
    kept = [keep("We propose a metric here", "metric", source="chunk", cue=_NEW), keep("A metric is old", "metric")]
    kept = [kept[0], Kept(kept[1].passage, kept[1].candidate, _NO_CUE, 0.9, False, "", kept[1].key)]

    assert {one.text for one in find_own(kept, {})} == {"We propose a metric here"}
