"""Canonicalisation: which surface forms mean the same concept, which stay apart, and why."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.canonicalise import Form, Known, canonicalise
from kg.canonicalise.forms import to_id
from kg.model import Concept, ConceptType
from kg.names import Name, fold_name

if TYPE_CHECKING:
    import random

_METHOD, _DATASET, _TASK = ConceptType.METHOD, ConceptType.DATASET, ConceptType.TASK
_CURATED = {
    "low rank adaptation": Name("low-rank adaptation", _METHOD, ("LoRA",), "core"),
    "lora": Name("low-rank adaptation", _METHOD, ("LoRA",), "core"),
    "imagenet": Name("ImageNet", _DATASET, (), "core"),
}

_surfaces = st.sampled_from(
    [
        "GAN",
        "GANs",
        "gan",
        "generative adversarial network",
        "Generative adversarial networks",
        "RL",
        "LoRA",
        "ImageNet",
    ]
)
_longs = st.sampled_from(["", "", "reinforcement learning", "reading level", "generative adversarial network"])
_forms = st.lists(
    st.builds(
        Form,
        _surfaces,
        _longs,
        st.sampled_from(list(ConceptType)),
        st.integers(1, 9),
        st.integers(1, 9),
        st.integers(0, 1),
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda form: (*form.key, form.type),
)


def find_name(surface: str) -> Name | None:
    """Return one of three curated names."""
    return _CURATED.get(fold_name(surface))


KNOWN = Known(find_name, {("dataset", "Dataset"): "coined", ("method", "Method"): "words", ("task", "Task"): "any"})


def form(surface: str, long: str = "", *, kind: ConceptType = _METHOD, papers: int = 1, new: int = 0) -> Form:
    """Return a form with as many mentions as papers."""
    return Form(surface, long, kind, papers, papers, new, new > 0)


def join(*forms: Form) -> dict[str, Concept]:
    """Return the concepts of forms by label."""
    return {one.label: one for one in canonicalise(forms, KNOWN)[0]}


def test_case_plural_and_hyphens_give_one_concept_with_the_spellings_as_alt_labels() -> None:
    concepts = join(form("graph networks"), form("Graph Network"), form("graph-network", papers=2))

    assert set(concepts) == {"graph-network"}
    assert concepts["graph-network"].alt_labels == ("Graph Network", "graph networks")


def test_a_short_form_means_what_its_own_paper_defines() -> None:
    concepts = join(form("RL", "reinforcement learning"), form("RL", "reading level"))

    assert {label: one.alt_labels for label, one in concepts.items()} == {
        "reading level": ("RL",),
        "reinforcement learning": ("RL",),
    }


def test_a_bare_short_form_means_the_one_thing_that_papers_define_for_it() -> None:
    concepts, matches = canonicalise([form("GAN", "generative adversarial network", papers=3), form("GANs")], KNOWN)

    assert [one.id for one in concepts] == ["concept:generative-adversarial-network"]
    (bare,) = [one for one in matches if one.surface == "GANs"]
    assert "short form" in bare.reason


def test_a_bare_short_form_with_several_meanings_stays_on_its_own_and_says_so() -> None:
    forms = [form("RL", "reinforcement learning"), form("RL", "reading level"), form("RL")]

    concepts, matches = canonicalise(forms, KNOWN)

    assert len(concepts) == 3
    (bare,) = [one for one in matches if not one.long]
    assert bare.concept == "concept:rl"
    assert "2 meanings" in bare.reason


def test_a_definition_counts_before_a_curated_name() -> None:
    concepts, matches = canonicalise([form("LoRA", "long range attention"), form("LoRA", kind=_METHOD)], KNOWN)

    by_long = {one.long: one.concept for one in matches}
    assert by_long["long range attention"] == "concept:long-range-attention"
    assert len({one.id for one in concepts}) == len(concepts)


def test_curated_aliases_are_one_concept_under_the_curated_name() -> None:
    concepts, matches = canonicalise([form("LoRA"), form("low-rank adaptation")], KNOWN)

    assert [(one.id, one.label) for one in concepts] == [("concept:low-rank-adaptation", "low-rank adaptation")]
    assert all("curated name" in one.reason for one in matches)


def test_where_papers_write_the_short_form_only_the_curated_name_is_the_label() -> None:
    assert join(form("LoRA"))["low-rank adaptation"].alt_labels == ("LoRA",)


def test_a_coined_name_that_papers_introduce_is_the_label_and_not_its_long_form() -> None:
    forms = [form("LoDA", "low-dimensional adaptation", new=1, papers=2), form("low-dimensional adaptation")]

    assert join(*forms)["LoDA"].alt_labels == ("low-dimensional adaptation",)


def test_the_long_form_is_the_label_of_a_common_acronym() -> None:
    forms = [form("LLMs", "large language models", papers=9), form("large language models", papers=3)]

    assert join(*forms)["large language models"].alt_labels == ("LLMs",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPT-3", "GPT-4"),
        ("SQuAD 1.1", "SQuAD 2.0"),
        ("ResNet-50", "ResNet-101"),
        ("supervised learning", "unsupervised learning"),
        ("C", "C++"),
        ("graph network", "graph networks for code"),
    ],
)
def test_look_alikes_stay_apart(one: str, other: str) -> None:
    assert len(join(form(one), form(other))) == 2


def test_most_mentions_decide_the_type() -> None:
    concepts = join(form("X-Set", kind=_DATASET, papers=3), form("X-Set", kind=_TASK, papers=2))

    assert concepts["X-Set"].type is _DATASET


def test_no_forms_make_no_concepts() -> None:
    assert canonicalise([], KNOWN) == ([], [])


@given(_forms, st.randoms(use_true_random=False))
def test_the_order_of_forms_does_not_count(forms: list[Form], order: random.Random) -> None:
    shuffled = forms.copy()
    order.shuffle(shuffled)

    assert canonicalise(shuffled, KNOWN) == canonicalise(iter(forms), KNOWN)


@given(_forms)
def test_every_form_has_a_match_with_a_reason_and_every_concept_a_form(forms: list[Form]) -> None:
    concepts, matches = canonicalise(forms, KNOWN)

    assert {(one.surface, one.long, one.own) for one in matches} == {one.key for one in forms}
    assert all(one.reason for one in matches)
    assert {one.concept for one in matches} == {one.id for one in concepts}
    assert [one.id for one in concepts] == sorted({one.id for one in concepts})


@given(_forms)
def test_what_is_merged_is_a_label_of_the_concept(forms: list[Form]) -> None:
    concepts, matches = canonicalise(forms, KNOWN)

    labels = {one.id: {one.label, *one.alt_labels} for one in concepts}
    assert all(one.surface in labels[one.concept] for one in matches)
    assert all(one.label not in one.alt_labels for one in concepts)


@given(st.sets(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=6), min_size=1, max_size=6))
def test_ids_are_one_to_one_for_names_in_any_script(surfaces: set[str]) -> None:
    concepts, _ = canonicalise(map(form, surfaces), Known(lambda _: None))

    assert len({one.id for one in concepts}) == len(concepts) == len(set(map(fold_name, surfaces)))


@pytest.mark.parametrize(
    ("one", "other"), [("注意力机制", "知识图谱"), ("set_山", "set_川"), ("C++", "C#"), ("a b", "ab"), ("β-VAE", "VAE")]
)
def test_names_that_differ_in_letters_of_one_script_have_different_ids(one: str, other: str) -> None:
    concepts, _ = canonicalise([form(one), form(other)], KNOWN)

    assert len({concept.id for concept in concepts}) == 2


def reason_of(surface: str, *forms: Form) -> str:
    """Return why the bare form of a surface means its concept."""
    return next(one.reason for one in canonicalise(forms, KNOWN)[1] if one.surface == surface and not one.long)


def test_votes_for_and_against_a_meaning_are_kept() -> None:
    forms = [form("RL", "reinforcement learning", papers=9), form("RL", "reading level"), form("RL")]

    assert reason_of("RL", *forms) == "short form that 9 of 10 papers define so; others: reading level (1)"


def test_a_curated_name_says_so_where_papers_define_it_otherwise() -> None:
    assert "but papers here define it as long range attention (1)" in reason_of(
        "LoRA", form("LoRA", "long range attention"), form("LoRA")
    )


def test_long_forms_of_one_short_form_join_if_only_the_endings_of_words_differ() -> None:
    forms = [form("LRA", "low-rate adaptation", papers=3), form("LRA", "low-rate adaption"), form("LRA")]

    assert set(join(*forms)) == {"low-rate adaptation"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("recurrent neural network", "recursive neural network"), ("Markov decision process", "Markov decision problem")],
)
def test_long_forms_with_other_words_stay_apart(one: str, other: str) -> None:
    assert len(join(form("XYZ", one, papers=3), form("XYZ", other))) == 2


def test_a_task_and_a_method_of_like_words_stay_apart() -> None:
    forms = [form("LM", "language model"), form("LM", "language modeling", kind=_TASK)]

    assert len(join(*forms, form("language model"), form("language modeling", kind=_TASK))) == 2


def test_a_data_set_is_not_the_method_that_papers_define_its_name_as() -> None:
    forms = [form("CHAI", "chained attention", papers=4), form("CHAI", kind=_DATASET)]

    assert set(join(*forms)) == {"chained attention", "CHAI"}
    assert "a Dataset, and not the Method" in reason_of("CHAI", *forms)


def test_a_version_in_one_paper_is_not_what_the_name_means_in_others() -> None:
    assert len(join(form("Llama", "Llama 2"), form("Llama"))) == 2


def test_names_that_are_equal_but_for_spaces_are_one() -> None:
    concepts, matches = canonicalise([form("Wiki Text"), form("WikiText", papers=3)], KNOWN)

    assert [(one.id, one.replaces) for one in concepts] == [("concept:wikitext", ("concept:wiki-text",))]
    assert {one.reason for one in matches} == {"folded form", "folded form; wikitext, but for spaces"}


@pytest.mark.parametrize(
    ("padded", "name", "kind"),
    [
        ("MNIST dataset", "MNIST", _DATASET),
        ("policy gradient methods", "policy gradient", _METHOD),
        ("tagging task", "tagging", _TASK),
    ],
)
def test_a_noun_that_adds_nothing_makes_no_other_concept(padded: str, name: str, kind: ConceptType) -> None:
    (concept,) = join(form(padded, kind=kind, papers=2), form(name, kind=kind)).values()

    assert (concept.label, concept.alt_labels) == (name, (padded,))


@pytest.mark.parametrize(
    ("padded", "name", "kinds"),
    [
        ("kernel method", "kernel", (_METHOD, _METHOD)),
        ("text dataset", "text", (_DATASET, _DATASET)),
        ("kernel task", "kernel", (_TASK, _METHOD)),
        ("gradient-based method", "gradient-based", (_METHOD, _METHOD)),
    ],
)
def test_a_noun_that_says_something_makes_another(padded: str, name: str, kinds: tuple[ConceptType, ...]) -> None:
    assert len(join(form(padded, kind=kinds[0]), form(name, kind=kinds[1]))) == 2


def test_a_word_is_not_the_name_of_another_type_that_is_written_like_it() -> None:
    forms = [form("REST", kind=_DATASET, papers=4), form("rest", kind=_TASK, papers=4)]

    assert {one.id: one.label for one in join(*forms).values()} == {"concept:rest": "REST", "concept:rest~task": "rest"}


def test_few_mentions_make_no_second_concept_of_a_word() -> None:
    assert len(join(form("REST", kind=_DATASET, papers=4), form("rest", kind=_TASK))) == 1


def test_ids_of_other_names_lead_to_the_concept_unless_they_could_mean_another() -> None:
    forms = [
        form("RL", "reinforcement learning"),
        form("RL", "reading level"),
        form("GAN", "generative adversarial net"),
    ]

    assert {one.id: one.replaces for one in join(*forms).values()} == {
        "concept:generative-adversarial-net": ("concept:gan",),
        "concept:reading-level": (),
        "concept:reinforcement-learning": (),
    }


def test_short_forms_inside_a_name_are_written_out_where_they_mean_one_thing() -> None:
    long = "continual learning"
    forms = [form("LoRA-based CL"), form(f"LoRA-based {long}", papers=2), form("CL", long, papers=3), form("CL")]

    assert set(join(*forms)) == {long, f"LoRA-based {long}"}
    assert len(join(*forms, form("CL", "contrastive loss", papers=3))) == 5


@pytest.mark.parametrize("papers", [1, 2])
def test_few_papers_that_define_a_short_form_say_nothing_of_others(papers: int) -> None:
    forms = [form("CARE", "content-aware restoration", papers=papers), form("CARE")]

    assert set(join(*forms)) == {"content-aware restoration", "CARE"}
    assert "too few papers" in reason_of("CARE", *forms)


def test_two_papers_are_enough_for_what_many_write_out() -> None:
    forms = [form("VIN", "value iteration network", papers=2), form("VIN"), form("value iteration networks", papers=5)]

    assert len(join(*forms)) == 1


def test_a_paper_that_introduces_a_name_does_not_mean_the_short_form_of_others() -> None:
    forms = [form("MG", "Markov game", papers=8), form("MG", new=1), form("MG", papers=2)]

    assert {one.concept for one in canonicalise(forms, KNOWN)[1]} == {"concept:markov-game", "concept:mg"}
    assert {one.concept for one in canonicalise([*forms, form("MG", "Markov games", papers=2)], KNOWN)[1]} == {
        "concept:markov-game"
    }


def test_a_short_form_is_written_as_papers_define_it() -> None:
    assert len(join(form("MI", "mutual information", papers=9), form("mI"))) == 2


def test_mean_average_precision_is_not_the_maximum_a_posteriori() -> None:
    forms = [form("mAP", kind=ConceptType.METRIC, papers=9), form("MAP", papers=5)]

    assert {one.id for one in join(*forms).values()} == {"concept:map", "concept:map~method"}


@given(_forms, _forms)
def test_an_id_still_leads_somewhere_when_papers_come(some: list[Form], more: list[Form]) -> None:
    grown = list({(*one.key, one.type): one for one in (*more, *some)}.values())
    before, (after, matches) = canonicalise(some, KNOWN)[0], canonicalise(grown, KNOWN)

    known = {one.id for one in after} | {old for one in after for old in one.replaces}
    concepts = {(one.surface, one.long, one.own): one.concept for one in matches}
    names = {(to_id(fold_name(name)), concepts[one.key]) for one in grown for name in (one.surface, one.long) if name}
    several = Counter(own for own, _ in names)
    # What tells a word from a name that is written like it ("rest~task") goes if they are one after all.
    assert all(one.id in known or several[one.id] > 1 or "~" in one.id for one in before)


def test_a_method_for_a_curated_task_is_not_the_task_but_tasks_of_a_curated_method_are_the_method() -> None:
    names = {"tagging": Name("tagging", _TASK, (), "mine"), "deep learning": Name("deep learning", _METHOD, (), "mine")}
    known = Known(
        lambda surface: names.get(fold_name(surface)), {("method", "Method"): "words", ("task", "Task"): "any"}
    )
    forms = [
        form("tagging", kind=_TASK),
        form("tagging methods"),
        form("deep learning"),
        form("deep learning tasks", kind=_TASK),
    ]

    assert {one.label for one in canonicalise(forms, known)[0]} == {"tagging", "tagging methods", "deep learning"}


@pytest.mark.parametrize(
    ("one", "other", "variant"),
    [
        ("distributional shift", "distribution shift", "the ending of an adjective"),
        ("optic flow", "optical flow", "the ending of an adjective"),
        ("Bayesian neural net", "Bayesian neural networks", "net for network"),
        ("2-layer networks", "two-layer network", "a number in words"),
        ("three-dimensional convolution", "3D convolution", "D for dimensional and a number in words"),
        ("deep generative modeling", "deep generative models", "a word in -ing"),
    ],
)
def test_spellings_of_one_type_are_one_and_say_in_what_they_differ(one: str, other: str, variant: str) -> None:
    forms = [form(one), form(other, papers=3)]

    assert set(join(*forms)) == {other}
    assert f"but for {variant}" in reason_of(one, *forms)


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("distributional shift", "distribution shift", (_METHOD, _TASK)),
        ("generative modeling", "generative model", (_TASK, _METHOD)),
        ("functional space", "function space", (_METHOD, _METHOD)),
        ("rational choice", "ration choice", (_METHOD, _METHOD)),
        ("critical value", "critic value", (_METHOD, _METHOD)),
        ("adversarial sampling", "adversarial sample", (_METHOD, _METHOD)),
        ("shift distributional", "shift distribution", (_METHOD, _METHOD)),
        ("type two", "type 2", (_METHOD, _METHOD)),
    ],
)
def test_words_that_are_only_alike_make_other_concepts(
    one: str, other: str, kinds: tuple[ConceptType, ConceptType]
) -> None:
    assert len(join(form(one, kind=kinds[0]), form(other, kind=kinds[1]))) == 2


def test_a_curated_net_is_no_network() -> None:
    name = Name("elastic net", _METHOD, (), "mine")
    known = Known(lambda surface: name if fold_name(surface) == "elastic net" else None)

    assert len(canonicalise([form("elastic net"), form("elastic network", papers=3)], known)[0]) == 2


def test_a_species_by_the_initial_of_its_genus_is_the_one_that_is_written_out() -> None:
    forms = [form("E. coli", papers=3), form("Escherichia coli"), form("S. aureus")]

    assert {"Escherichia coli", "S. aureus"} <= {
        label for one in join(*forms).values() for label in (one.label, *one.alt_labels)
    }
    assert len(join(*forms)) == 2
    assert len(join(*forms, form("Entamoeba coli"))) == 4
    assert "by its initial" in reason_of("E. coli", *forms)


def test_a_noun_adds_nothing_after_any_name_of_a_concept() -> None:
    forms = [form("SwiftNav", "swift navigation", papers=2), form("SwiftNav method")]

    assert len(join(*forms)) == 1
    assert len(join(form("TRUST", "tractable uncertainty"), form("trust model"))) == 2


def test_problems_and_tasks_are_the_same_with_and_without_the_name_alone() -> None:
    names = Known(lambda _: None, {("problem", "Task"): "any", ("task", "Task"): "any"})
    forms = [form("regression problems", kind=_TASK, papers=3), form("regression tasks", kind=_TASK)]

    assert [one.label for one in canonicalise(forms, names)[0]] == ["regression problems"]
    assert [one.label for one in canonicalise([*forms, form("regression")], names)[0]] == ["regression"]


def test_a_new_name_that_is_a_curated_one_but_for_capitals_is_another_concept() -> None:
    known = Known({"Adam": Name("Adam", _METHOD, (), "core")}.get)
    new = canonicalise([form("Adam", papers=9), form("AdaM", new=1)], known)[0]
    odd = canonicalise([form("Adam", papers=9), form("AdaM")], known)[0]

    assert {one.label for one in new} == {"Adam", "AdaM"}
    assert {one.label for one in odd} == {"Adam"}


def test_no_two_concepts_of_one_type_have_one_label() -> None:
    forms = [
        form("HiPPO", papers=3, new=1),
        form("HiPPO", "hierarchical proximal policy optimization", new=1),
        form("hierarchical proximal policy optimization"),
    ]
    concepts = canonicalise([*forms, form("HiPPO", "high-order polynomial projection", new=1)], KNOWN)[0]

    assert len(concepts) == 3
    assert len({(one.type, one.label) for one in concepts}) == 3
    assert all("HiPPO" in (one.label, *one.alt_labels) for one in concepts)


def test_tasks_of_a_way_of_doing_something_are_that_and_tasks_of_a_thing_are_not() -> None:
    forms = [form("regression", papers=3), form("regression tasks", kind=_TASK)]
    others = [form("robot", papers=3), form("robot tasks", kind=_TASK)]

    assert set(join(*forms)) == {"regression"}
    assert set(join(*others)) == {"robot", "robot tasks"}


def test_a_curated_name_that_ends_in_an_empty_noun_is_a_concept() -> None:
    names = {"ReLU networks": Name("ReLU network", _METHOD, (), "core")}
    forms = [form("ReLU", papers=5), form("ReLU networks"), form("BERT", papers=5), form("BERT networks")]
    known = Known(names.get, {("network", "Method"): "coined"})

    assert {one.label for one in canonicalise(forms, known)[0]} == {"ReLU", "ReLU networks", "BERT"}


def test_a_short_form_in_a_name_is_what_it_is_alone_whatever_one_paper_defines() -> None:
    forms = [
        form("COCO", kind=_DATASET, papers=9),
        form("COCO", "controllable counterfactuals", kind=_DATASET),
        form("COCO dataset", kind=_DATASET),
    ]

    assert set(join(*forms)) == {"COCO", "controllable counterfactuals"}


def test_an_adjective_that_one_paper_writes_as_a_name_leaves_models_alone() -> None:
    known = Known(find_name, {("model", "Method"): "coined"})
    forms = [form("inTerpretable"), form("interpretable models", papers=9), form("BERT"), form("BERT models", papers=9)]

    assert {one.label for one in canonicalise(forms, known)[0]} == {"inTerpretable", "interpretable models", "BERT"}
