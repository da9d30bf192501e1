"""Roles: what the words around a name say of the paper's stand towards it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.extract.roles import Cue, find_cue, is_listed, is_own_work, to_role
from kg.extract.words import find_words
from kg.model import ConceptType, Predicate
from tests.small_docs import find_one, to_doc, to_plain_doc

_WE = "We PRON PRP nsubj 1"
_NONE = Cue("", "")


def say(verb: str, name: str = "LoDA", *, subject: str = _WE) -> Cue:
    """Return the cue of a name that is the object of a verb."""
    doc = to_doc(f"{subject}\n{verb} VERB VBP ROOT 1\n{name} PROPN NNP dobj 1\n~. PUNCT . punct 1")
    return find_cue(doc, find_words(doc), find_one(doc, name))


@pytest.mark.parametrize("verb", ["propose", "introduce", "present", "develop", "build", "curate", "release"])
def test_what_we_propose_is_introduced(verb: str) -> None:
    assert say(verb).role == "introduce"


@pytest.mark.parametrize("subject", ["They PRON PRP nsubj 1", "Lee PROPN NNP nsubj 1"])
def test_what_others_propose_is_not_introduced_here(subject: str) -> None:
    assert say("propose", subject=subject).role != "introduce"


@pytest.mark.parametrize("verb", ["outperform", "surpass", "beat"])
def test_what_is_outperformed_is_compared_with(verb: str) -> None:
    assert say(verb).role == "compare"


@pytest.mark.parametrize("verb", ["use", "adopt", "leverage", "employ", "fine-tune"])
def test_what_we_use_is_used(verb: str) -> None:
    doc = to_doc(f"{_WE}\n{verb} VERB VBP ROOT 1\nAdam PROPN NNP dobj 1")

    assert find_cue(doc, find_words(doc), find_one(doc, "Adam")).role == "use"


@pytest.mark.parametrize("verb", ["address", "tackle", "solve"])
def test_what_we_tackle_is_addressed(verb: str) -> None:
    assert say(verb, "parsing").role == "address"


def test_the_passive_introduces_its_subject() -> None:
    doc = to_doc("LoDA PROPN NNP nsubjpass 2\nis AUX VBZ auxpass 2\nproposed VERB VBN ROOT 2")

    assert find_cue(doc, find_words(doc), find_one(doc, "LoDA")).role == "introduce"


@pytest.mark.parametrize(
    ("before", "role"),
    [
        ("evaluate VERB VBP ROOT 0\non ADP IN prep 0", "evaluate"),
        ("better ADJ JJR ROOT 0\nthan ADP IN prep 0", "compare"),
        ("compared VERB VBN ROOT 0\nto ADP IN prep 0", "compare"),
        ("gains NOUN NNS ROOT 0\nover ADP IN prep 0", "compare"),
        ("trained VERB VBN ROOT 0\nwith ADP IN prep 0", "use"),
        ("based VERB VBN ROOT 0\non ADP IN prep 0", "use"),
        ("applied VERB VBN ROOT 0\nto ADP IN prep 0", "address"),
        ("method NOUN NN ROOT 0\nfor ADP IN prep 0", "address"),
    ],
)
def test_a_preposition_says_how_what_follows_is_meant(before: str, role: str) -> None:
    doc = to_doc(f"{before}\nSQuAD PROPN NNP pobj 1")

    assert find_cue(doc, find_words(doc), find_one(doc, "SQuAD")).role == role


def test_what_is_done_without_a_name_does_not_use_it() -> None:
    doc = to_doc("works VERB VBZ ROOT 0\nwithout ADP IN prep 0\nany DET DT det 3\nLoRA PROPN NNP pobj 1")

    cue = find_cue(doc, find_words(doc), find_one(doc, "LoRA"))

    assert cue.role in {"negate", ""}
    assert to_role(replace(cue, role="negate"), ConceptType.METHOD, own=True, salient=True)[0] is Predicate.MENTIONS


def test_our_marks_what_is_new_and_existing_what_is_old() -> None:
    doc = to_plain_doc("our network")
    one = find_one(doc, "network")

    new, old = (find_cue(doc, find_words(doc), replace(one, determiner=word)) for word in ("our", "existing"))

    assert (new.role, old.role) == ("introduce", "compare")


def test_a_modifier_in_a_longer_name_is_used_whatever_is_said_of_the_whole() -> None:
    doc = to_doc(f"{_WE}\npropose VERB VBP ROOT 1\nMamba PROPN NNP compound 3\nnetwork NOUN NN dobj 1")
    one = replace(find_one(doc, "Mamba"), outer="Mamba network")

    assert find_cue(doc, find_words(doc), one).role == "use"


def test_a_name_without_a_cue_has_none() -> None:
    doc = to_doc("LoDA PROPN NNP nsubj 1\nruns VERB VBZ ROOT 1")

    assert find_cue(doc, find_words(doc), find_one(doc, "LoDA")) == _NONE


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("We test it", True),
        ("Our method wins", True),
        ("In this paper it is shown", True),
        ("This work shows it", True),
        ("Prior work shows it", False),
        ("They test this", False),
        ("", False),
    ],
)
def test_own_work_is_spoken_of_in_the_first_person_or_as_this_paper(text: str, own: bool) -> None:
    assert is_own_work(to_plain_doc(text)) is own


@pytest.mark.parametrize(
    ("text", "listed"),
    [("MNIST , SQuAD", True), ("MNIST and SQuAD", True), ("MNIST , and SQuAD", True), ("MNIST with SQuAD", False)],
)
def test_names_are_listed_when_only_commas_and_conjunctions_stand_between(text: str, listed: bool) -> None:
    doc = to_plain_doc(text)
    one, other = (find_one(doc, name, source="coined") for name in ("MNIST", "SQuAD"))

    assert is_listed(find_words(doc), one, other) is listed


@pytest.mark.parametrize(
    ("role", "kind", "predicate"),
    [
        ("introduce", ConceptType.METHOD, Predicate.INTRODUCES),
        ("introduce", ConceptType.DATASET, Predicate.INTRODUCES),
        ("introduce", ConceptType.TASK, Predicate.INTRODUCES),
        ("compare", ConceptType.METHOD, Predicate.COMPARES_WITH),
        ("compare", ConceptType.DATASET, Predicate.USES_DATASET),
        ("use", ConceptType.METHOD, Predicate.USES_METHOD),
        ("evaluate", ConceptType.DATASET, Predicate.USES_DATASET),
        ("address", ConceptType.TASK, Predicate.ADDRESSES_TASK),
        ("report", ConceptType.METRIC, Predicate.REPORTS_METRIC),
        ("negate", ConceptType.DATASET, Predicate.MENTIONS),
        ("", ConceptType.METHOD, Predicate.MENTIONS),
        ("", ConceptType.TASK, Predicate.MENTIONS),
    ],
)
def test_cue_and_type_together_give_the_role(role: str, kind: ConceptType, predicate: Predicate) -> None:
    cue = Cue(role, role)

    found, score = to_role(cue, kind, own=False, salient=False)

    assert found is predicate
    assert 0 <= score <= 1


@pytest.mark.parametrize(
    ("kind", "predicate"),
    [(ConceptType.METHOD, Predicate.USES_METHOD), (ConceptType.TASK, Predicate.ADDRESSES_TASK)],
)
@pytest.mark.parametrize(("own", "salient"), [(True, False), (False, True)])
def test_without_a_cue_the_papers_own_words_or_its_title_give_the_role_of_the_type(
    kind: ConceptType, predicate: Predicate, own: bool, salient: bool
) -> None:
    assert to_role(_NONE, kind, own=own, salient=salient)[0] is predicate


@pytest.mark.parametrize(
    ("rows", "role"),
    [
        ("compare VERB VBP ROOT 1\nADAM PROPN NNP dobj 1\nto ADP IN prep 2\nSGD PROPN NNP pobj 3", "compare"),
        ("outperforms VERB VBZ ROOT 1\nbaselines NOUN NNS dobj 1\nlike ADP IN prep 1\nSGD PROPN NNP pobj 3", "compare"),
        ("propose VERB VBP ROOT 1\nkinds NOUN NNS dobj 1\nof ADP IN prep 2\nSGD PROPN NNP pobj 3", "use"),
        ("propose VERB VBP ROOT 1\na DET DT det 4\nSGD PROPN NNP compound 4\nframework NOUN NN dobj 1", "use"),
        ("propose VERB VBP ROOT 1\nSGD PROPN NNP dobj 1", "introduce"),
    ],
)
def test_what_is_said_of_the_phrase_is_said_of_the_name_as_far_as_it_goes(rows: str, role: str) -> None:
    doc = to_doc(f"{_WE}\n{rows}")

    assert find_cue(doc, find_words(doc), find_one(doc, "SGD", source="name")).role == role


def test_what_a_part_of_ours_is_is_used() -> None:
    doc = to_doc(
        "The DET DT det 1\nbranch NOUN NN nsubj 2\nis AUX VBZ ROOT 2\na DET DT det 5\ngraph NOUN NN compound 5\n"
        "network NOUN NN attr 2"
    )

    assert find_cue(doc, find_words(doc), find_one(doc, "graph network")).role == "use"
