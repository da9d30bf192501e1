"""Memory does not follow the number of texts that are read. Case RB3."""

from __future__ import annotations

import os
import random
import string
from typing import TYPE_CHECKING

import pytest

from kg.build.executor import read_batches
from kg.build.texts import Text, to_batches
from kg.extract import DEFAULT_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
SENTENCES = (
    "We propose {}, a method for continual learning.",
    "It is compared with {} on the {} data set.",
    "Results on ImageNet improve by 3.5 points over {}.",
)


def iter_texts(count: int) -> Iterator[Text]:
    """Yield texts, each with words that no other has."""
    draw = random.Random(0)
    for at in range(count):
        words = ("".join(draw.choices(string.ascii_lowercase, k=9)).capitalize() for _ in range(99))
        yield Text(f"{at:06}", f"Paper {at}", " ".join(one.format(next(words), next(words)) for one in SENTENCES))


def find_resident() -> float:
    """Return the resident memory of this process, in MB."""
    with open("/proc/self/statm") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def test_memory_stays_flat_while_texts_are_read() -> None:
    resident = {}
    for number, said in enumerate(read_batches(list(to_batches(iter_texts(5_000))), model=DEFAULT_MODEL, workers=1), 1):
        assert said.texts.num_rows
        if number in {16, 78}:
            resident[number] = find_resident()

    assert resident[78] - resident[16] < 40, resident
