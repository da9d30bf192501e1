"""Which form a client gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="starlette is not installed")

from kg.serve.negotiate import ROWS, TRIPLES, choose

TYPES = ["text/html", "text/turtle", "application/ld+json"]


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "text/html"),
        ("   ", "text/html"),
        ("nonsense", "text/html"),
        ("text/turtle", "text/turtle"),
        ("TEXT/Turtle", "text/turtle"),
        ("text/turtle;q=0.9, application/ld+json", "application/ld+json"),
        ("text/turtle; charset=utf-8 ; q=0.9, application/ld+json;q=0.8", "text/turtle"),
        ("*/*", "text/html"),
        ("application/*, */*;q=0.1", "application/ld+json"),
        ("text/*;q=0.5, text/turtle;q=0, */*;q=0.1", "text/html"),
        ("text/html;q=0, */*", "text/turtle"),
        ("*/*, application/ld+json", "application/ld+json"),
        ("image/png", None),
        ("*/*;q=0", None),
        ("text/turtle;q=2, image/png", None),
        ("text/turtle;q=1.000", "text/turtle"),
    ],
)
def test_the_best_liked_offer_is_chosen(accept: str, chosen: str | None) -> None:
    assert choose(accept, TYPES) == chosen


@given(st.text(), st.sampled_from([ROWS, TRIPLES]))
def test_any_header_can_be_read(accept: str, offers: dict[str, str]) -> None:
    chosen = choose(accept, offers)

    assert chosen is None or chosen in offers


@given(st.permutations(["text/turtle;q=0.3", "application/ld+json;q=0.7", "*/*;q=0.1"]))
def test_the_order_in_a_header_does_not_matter(parts: list[str]) -> None:
    assert choose(", ".join(parts), TYPES) == "application/ld+json"
