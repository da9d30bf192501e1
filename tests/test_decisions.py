"""Decisions about names: their file, and what they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.canonicalise import Form, Known, canonicalise
from kg.decisions import read_decisions, write_decisions
from kg.errors import InputError
from kg.model import Concept, ConceptType, Decision, DecisionKind

if TYPE_CHECKING:
    from pathlib import Path

_SAME, _DIFFERENT, _DROP = DecisionKind.SAME, DecisionKind.DIFFERENT, DecisionKind.DROP
_METHOD, _DATASET = ConceptType.METHOD, ConceptType.DATASET
_KNOWN = Known(lambda _: None)
_cells = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1).map(lambda one: f"a{one}")


def form(surface: str, long: str = "", *, kind: ConceptType = _METHOD, papers: int = 1) -> Form:
    """Return a form with as many mentions as papers."""
    return Form(surface, long, kind, papers, papers, 0)


def decide(forms: list[Form], *decisions: Decision) -> dict[str, Concept]:
    """Return the concepts of forms by id."""
    return {one.id: one for one in canonicalise(forms, _KNOWN, decisions)[0]}


@given(st.lists(st.builds(Decision, st.sampled_from([_SAME, _DIFFERENT]), _cells, _cells, st.just("why"))))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, decisions: list[Decision]) -> None:
    path = tmp_path_factory.mktemp("decisions") / "decisions.tsv"
    write_decisions(decisions, path)

    assert read_decisions(path) == decisions


def test_columns_of_sssom_and_comments_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_bytes(
        b"\xef\xbb\xbf# ours\r\nsubject_label\tauthor_id\tdecision\tobject_label\r\n"
        b"GAN\torcid:1\tSame\tgenerative net\r\n\r\n"
    )

    assert read_decisions(path) == [Decision(_SAME, "GAN", "generative net")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("decision\tobject_label\n", "mine.tsv:1: there is no column 'subject_label'"),
        ("decision\tsubject_label\nmerge\tGAN\n", "mine.tsv:2: decision 'merge' is none of same, different"),
        (
            "decision\tsubject_label\tobject_label\nsame\tGAN\t\n",
            "mine.tsv:2: decision 'same' about 'GAN' has no object",
        ),
        ("decision\tsubject_label\tobject_label\ntype\tGAN\tTool\n", "mine.tsv:2: type 'Tool' of 'GAN' is none of"),
        ("decision\tsubject_label\tobject_label\ndrop\tGAN\tnet\n", "takes no object"),
        ("decision\tsubject_label\tobject_label\ndrop\t \t\n", "about no name"),
    ],
)
def test_a_line_that_decides_nothing_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.tsv").write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read_decisions(tmp_path / "mine.tsv")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_bytes(b"\xff\xfe")

    with pytest.raises(InputError, match=r"mine\.tsv: can't be read"):
        read_decisions(tmp_path / "mine.tsv")


def test_same_joins_two_concepts_under_the_second_and_the_first_id_still_leads_there() -> None:
    forms = [form("adapter tuning", papers=9), form("adapters")]

    assert decide(forms, Decision(_SAME, "Adapter Tuning", "adapters")) == {
        "concept:adapter": Concept(
            "concept:adapter", "adapters", _METHOD, ("adapter tuning",), 0, ("concept:adapter-tuning",)
        )
    }


def test_different_takes_an_alias_out_of_its_concept() -> None:
    forms = [form("LoRA", "low-rank adaptation"), form("LoRA"), form("low-rank adaptation")]

    assert set(decide(forms, Decision(_DIFFERENT, "LoRA", "low-rank adaptation"))) == {
        "concept:lora",
        "concept:low-rank-adaptation",
    }
    assert set(decide(forms, Decision(_DIFFERENT, "low-rank adaptation", "LoRA"))) == {
        "concept:lora",
        "concept:low-rank-adaptation",
    }


def test_different_tells_apart_what_is_equal_but_for_capitals() -> None:
    concepts = decide([form("COCO", kind=_DATASET), form("coco")], Decision(_DIFFERENT, "coco", "COCO"))

    assert {one.label for one in concepts.values()} == {"COCO", "coco"}


def test_of_two_decisions_about_the_same_names_the_later_counts() -> None:
    forms, both = [form("adapter tuning"), form("adapters")], ("adapter tuning", "adapters")

    assert len(decide(forms, Decision(_SAME, *both), Decision(_DIFFERENT, *both))) == 2
    assert len(decide(forms, Decision(_DIFFERENT, *both), Decision(_SAME, *both))) == 1


def test_type_and_label_are_set_for_the_concept_of_any_of_its_names() -> None:
    forms = [form("ImageNets"), form("ImageNet")]

    (concept,) = decide(
        forms,
        Decision(DecisionKind.TYPE, "concept:imagenet", "Dataset"),
        Decision(DecisionKind.PREFER, "ImageNets", "ImageNet (ILSVRC)"),
    ).values()

    assert (concept.type, concept.label, concept.alt_labels) == (
        _DATASET,
        "ImageNet (ILSVRC)",
        ("ImageNet", "ImageNets"),
    )


def test_what_is_dropped_is_no_concept_and_its_forms_say_so() -> None:
    concepts, matches = canonicalise([form("framework"), form("GAN")], _KNOWN, [Decision(_DROP, "Frameworks")])

    assert [one.id for one in concepts] == ["concept:gan"]
    assert {one.surface: one.concept for one in matches} == {"GAN": "concept:gan", "framework": ""}


def test_a_short_form_with_several_meanings_is_decided_by_id_only() -> None:
    forms = [form("RL", "reinforcement learning"), form("RL", "reading level"), form("levels of reading")]

    assert len(decide(forms, Decision(_SAME, "RL", "levels of reading"))) == 3
    assert len(decide(forms, Decision(_SAME, "concept:reading-level", "levels of reading"))) == 2


def test_a_decision_about_names_that_are_not_there_does_nothing() -> None:
    forms = [form("GAN"), form("VAE")]

    assert decide(forms, Decision(_SAME, "GAN", "nobody"), Decision(_DROP, "nobody")) == decide(forms)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.tsv: can't be read \(No such file"):
        read_decisions(tmp_path / "mine.tsv")
