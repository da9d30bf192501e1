"""Tests of cleaning and of sentences."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.clean import clean_paper, clean_text, find_passages, find_sentences
from kg.model import Paper, Section

SHARED = Path(__file__).parents[2] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the corpora are not beside the checkout")

_SIGNS = "ab1 \\${}<>&*_`^~'\"-[]()#;.,:@|=é²\n\u200b\ufffe\ud800ﬁ\x85"
_PIECES = [
    "\\textbf{",
    "\\alpha",
    '\\"u',
    "$x^2$",
    "&amp;",
    "<b>",
    "**",
    "``",
    "\\cite{",
    "\\frac{",
    "--",
    "Ã©",
    "\x1b[31m",
]
MARKUP = st.lists(
    st.sampled_from([*_SIGNS, *_PIECES, "https://a.b/c_d"]),
    max_size=40,
).map("".join)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("4DPC$^2$hat", "4DPC²hat"),
        (r"presents \textbf{SoMA}, a", "presents SoMA, a"),
        (r"(median compatibility $\approx 0$)", "(median compatibility ≈ 0)"),
        ("the $1$-hop and $m$-hop", "the 1-hop and m-hop"),
        ('these ``null bases" of', 'these "null bases" of'),
        ("``quoted''", '"quoted"'),
        (r"$\mathcal{O}(n \log n)$ time", "O(n log n) time"),
        (r"$\widetilde{\mathcal{O}}(\sqrt{dT\log T})$", "Õ(√(dT log T))"),
        ("the {persistent state} of", "the persistent state of"),
        ("at $k=7$", "at k=7"),
        (r"\ensuremath{\epsilon^2}", "ϵ²"),
        ("F$_1$ and $L_2$-norm", "F1 and L2-norm"),
        (r"$10^{-5}$ on 256$\times$256", "10⁻⁵ on 256×256"),
        (r"$\frac{1}{n+1}$ and $\frac{n}{k}$", "1/(n+1) and n/k"),
        (r"{0,1} and $\{0,1\}^n$", "{0,1} and {0,1}^n"),
        (r"Erd\H{o}s--R\'enyi", "Erdős–Rényi"),
        (r"{\L}ukasz M{\"u}ller, Ren\'e \O rsted", "Łukasz Müller, René Ørsted"),
        (r"{$\omega$}-regular languages and {B\"uchi} automata", "ω-regular languages and Büchi automata"),
        (r"in time~\cite{foo2019}. So", "in time. So"),
        (r"by \citet[p. 3]{foo} 50\% and 20% \& more", "by 50% and 20% & more"),
        (r"see \url{https://example.org/a_b}.", "see https://example.org/a_b."),
        (r"{\em very} \emph{long} words", "very long words"),
        (r"WMT14 En\rightarrowDe", "WMT14 En→De"),
        ("~50% of match~(SM), vs.~87", "~50% of match (SM), vs. 87"),
    ],
)
def test_latex_becomes_text(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("the *first* MLLM", "the first MLLM"),
        ("**Project Page: https://a.b**", "Project Page: https://a.b"),
        ("***a priori***, _all_ of `testing`", "a priori, all of testing"),
        ("[code](https://github.com/a/b) is", "code is"),
        ("# Aim\n- one\n- two", "Aim one two"),
        ("Bold <b>claims</b>, H<sub>2</sub>O, 10<sup>-3</sup>", "Bold claims, H2O, 10⁻³"),
        ("<jats:title>Abstract</jats:title><jats:p>We test.</jats:p>", "Abstract We test."),
        ("Q&amp;A, $2&lt;p$ and &amp;amp; &lt;i&gt;n&lt;/i&gt;", "Q&A, 2<p and & n"),
        ("ﬁne-tun\u00ading of\u200b \u202ea", "fine-tuning of a"),
        ("cafÃ© and â€œquotesâ€\x9d", "café and “quotes”"),
        ("hard-\nwrapped  lines\r\nand\ttabs", "hard-wrapped lines and tabs"),
        ("label smoothing\u2028and distillation\x85for", "label smoothing and distillation for"),
        ("Attention\x0bheads and \x01pruning\x00", "Attention heads and pruning"),
        ("a vision\x1b[31m transformer\ufffe with \x07pruning", "a vision transformer with pruning"),
        ("Zoe\u0308", "Zoë"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
    ],
)
def test_other_markup_and_odd_characters_go(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    "text",
    [
        "Questions & Answers: p < 0.05 > chance",
        "a<b, A&B testing, R&D; the <mask> and <think> tokens",
        '<img src=x onerror="window.KG_PWNED=4">',
        "snake_case_name, k*n*m, A* and D* search, p* < 0.05",
        "costs $5 and $10, or $100K; ($394 vs ~ $750,000)",
        r"a path C:\temp\new, a backslash-n \n, a fake escape \u0041 and a last \ ".strip(),
        "2², β-VAE, “curly” 'single', ½ and 手書き認識",
        "https://github.com/a_b/c~d and pub.ist.ac.at/~vnk/",
        "the sets {husky, wolf} and Vicuna-{7B,13B}",
        "5 ~ 20 points, <20M examples",
    ],
)
def test_what_only_looks_like_markup_stays(text: str) -> None:
    assert clean_text(text) == text


@given(MARKUP)
def test_cleaning_again_changes_nothing(text: str) -> None:
    once = clean_text(text)

    assert clean_text(once) == once


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "Zs"), include_characters=".,;:?!()'\"/%+=")))
def test_plain_prose_keeps_every_character(text: str) -> None:
    assert clean_text(text) == " ".join(text.split()).replace("''", '"') or "''" in text


@given(st.text())
def test_clean_text_is_printable_and_on_one_line(text: str) -> None:
    clean = clean_text(text)

    assert clean == " ".join(clean.split())
    assert not any(char < " " or "\ud800" <= char <= "\udfff" for char in clean)


_MARKS = [
    "{}",
    "\\textbf{",
    "\\frac{",
    "$a ",
    "*a",
    "* ",
    "_a ",
    "&amp;",
    "<p ",
    "`a ",
    "[a](",
    "x^{",
    "a~",
    "\\uparrowD",
]


@pytest.mark.parametrize(
    "piece", [*"a{\\$<-Ã\u200b", *_MARKS, "\x1b]", "A. ", ".!?", "Background: ", "© ", "The end. "]
)
def test_long_input_takes_bounded_time(piece: str) -> None:
    start = time.process_time()
    text = clean_text(piece * (200_000 // len(piece)))
    clean_paper(Paper(abstract=text))
    spans = [*find_sentences(text)]

    assert time.process_time() - start < 10  # a second or less unless the machine is busy
    assert all(end - start <= 2_000 for start, end in spans)


def test_an_abstract_of_a_million_characters_is_cleaned_whole() -> None:
    text = "We train *LoRA* on ImageNet. " * 45_000

    assert clean_text(text).count("LoRA on") == 45_000


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Abstract: We test.", "We test."),
        ("Abstract—We test.", "We test."),
        ("Abstract reasoning is hard.", "Abstract reasoning is hard."),
        (
            "Background: It is hard. Methods: We try. Results: It works. © 2021 Example B.V. All rights reserved.",
            "It is hard. We try. It works.",
        ),
        ("BACKGROUND AND AIM: A study. MATERIALS & METHODS: Two.", "A study. Two."),
        ("It holds. © Springer Science+Business Media B.V. 2009.", "It holds."),
        ("It holds. Copyright 2023 Barker et al.", "It holds."),
        ("It holds. 2018 Elsevier Inc. All rights reserved.", "It holds."),
        ("We compare two methods: one. The results: fine.", "We compare two methods: one. The results: fine."),
        ("For (c) 20 samples of copyright law we test.", "For (c) 20 samples of copyright law we test."),
        ("[No abstract available]", ""),
    ],
)
def test_labels_and_copyright_lines_go_from_abstracts(raw: str, clean: str) -> None:
    assert clean_paper(Paper(id="1", abstract=raw)).abstract == clean


def test_a_clean_paper_keeps_its_id_and_gets_a_clean_label() -> None:
    paper = Paper(title="*A* $k$-NN", authors=(r"M\"uller", "  "), venue="<i>ICML</i>", keywords=("a\nb",))
    clean = clean_paper(paper)

    assert (clean.id, clean.title, clean.label) == (paper.id, "A k-NN", "A k-NN")
    assert (clean.authors, clean.venue, clean.keywords) == (("Müller",), "ICML", ("a b",))


@given(MARKUP)
def test_cleaning_a_paper_again_changes_nothing(text: str) -> None:
    once = clean_paper(Paper(id="1", title=text, abstract=f"Abstract: {text} Methods: {text} © 2021 {text}"))

    assert clean_paper(once) == once


@pytest.mark.parametrize(
    "sentences",
    [
        ["We use LoRA, e.g. on ViT (cf. Fig. 3), i.e. Smith et al. (2019) vs. GPT.", "It wins 3.5 points."],
        ["In this work, we present FakeWorld 1.0, an omni-modal benchmark.", "Along the axis, it spans text."],
        ["They (i) overlook directions, and (ii) fail.", "To address this, we propose LoDA."],
        ["We found that:1) It is preferable given a budget.", "2) Selecting slices is not superior."],
        ["Samples are i.i.d. Gaussian w.r.t. X.", "However, it holds!", "Does it?", "“Yes.”", "(No.)"],
        ["It is by J. Smith and R. A. Fisher.", "GPT-4 and word2vec.", "Code: https://a.b/c.d."],
        ["It beats CNNs, RNNs, etc. in U.S. English.", "We evaluate on VQA 2.0."],
        ["我们提出新方法。", "它很好。"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    text = ("" if sentences[0].endswith("。") else " ").join(sentences)

    assert [text[start:end] for start, end in find_sentences(text)] == sentences


def test_a_full_stop_without_a_space_ends_a_sentence_before_a_common_start() -> None:
    text = "It is robust.We propose torch.Tensor views (Lee, 2023).This works."

    assert [text[start:end] for start, end in find_sentences(text)] == [
        "It is robust.",
        "We propose torch.Tensor views (Lee, 2023).",
        "This works.",
    ]


@given(st.text(st.sampled_from("ab .!?A1)\"'。"), max_size=80))
def test_sentences_cover_all_but_the_spaces(text: str) -> None:
    spans = [*find_sentences(text)]
    covered = {at for start, end in spans for at in range(start, end)}

    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
    assert spans == sorted(spans)
    assert all(at in covered for at, char in enumerate(text) if not char.isspace())


def test_a_very_long_sentence_is_cut_between_words() -> None:
    text = "word " * 1_000 + "x" * 5_000
    pieces = [text[start:end] for start, end in find_sentences(text)]

    assert "".join(pieces) == text.replace(" ", "") or " ".join(pieces).split()[:1000] == ["word"] * 1_000
    assert max(map(len, pieces)) <= 2_000
    assert all(piece.split()[0] in {"word", piece} for piece in pieces)


@given(st.text(), st.text())
def test_passages_stand_where_they_say(title: str, abstract: str) -> None:
    paper = clean_paper(Paper(title=title, abstract=abstract))

    for passage in find_passages(paper):
        text = paper.text(passage.section)
        assert passage.text
        assert text[passage.start : passage.start + len(passage.text)] == passage.text


def test_the_title_is_one_passage() -> None:
    first, *rest = find_passages(Paper(id="7", title="Does it work? It does. ", abstract=" "))

    assert (first.paper, first.section, first.text, rest) == ("paper:7", Section.TITLE, "Does it work? It does.", [])


@needs_shared
def test_sentences_are_those_of_people_nearly_always() -> None:
    found = gold = both = 0
    for name in ("dev", "test"):
        for line in (SHARED / f"bench/scierc/{name}.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            ends = {end for _, end in find_sentences(record["text"])}
            people = {span[1] for span in record["sents"]}
            found, gold, both = found + len(ends), gold + len(people), both + len(ends & people)

    assert both / found > 0.99
    assert both / gold > 0.99


@needs_shared
@pytest.mark.parametrize("name", ["icml2026_with_abstract", "colm2025_keywords"])
def test_markup_is_gone_from_real_abstracts(name: str) -> None:
    with gzip.open(SHARED / f"corpora/load/{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [clean_text(json.loads(line)["abstract"]) for line in file]

    assert not [text for text in texts if any(mark in text for mark in ("\\", "`", "**", "\n", "&amp;", "{\\"))]
    assert all(clean_text(text) == text for text in texts)


@needs_shared
@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("gr3_control_chars", ["Attention heads and pruning", "Tabs and newlines stay readable"]),
        (
            "hv2_tooltip",
            [
                "Questions & Answers: p < 0.05 > chance",
                '<img src=x onerror="window.KG_PWNED=4">',
                "Bold claims and O'Neil's \"rule\"",
                "' onmouseover='window.KG_PWNED=5",
                "Already escaped & entity",
            ],
        ),
        ("rd2_literals", ['Ends with a quote "', "'single' and “curly”"]),
    ],
)
def test_titles_of_the_cases_read_well(name: str, titles: list[str]) -> None:
    lines = (SHARED / f"cases/inputs/{name}.jsonl").read_text("utf-8").split("\n")

    assert [clean_text(json.loads(line)["title"]) for line in lines if line] == titles
