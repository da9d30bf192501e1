"""Kinds that a sentence tells in the ways that Hearst collected [1]_.

"Datasets such as ImageNet and MNIST", "MNIST and other datasets".

References
----------
.. [1] M. A. Hearst. Automatic acquisition of hyponyms from large text corpora. COLING, 1992.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kg.model import Mention

__all__ = ["find_kinds"]

_SUCH_AS = re.compile(r",? ?(?:such as|including|like|e\.g\.,?|especially|for example,?|for instance,?) (?:the )?")
_AND_OTHER = re.compile(r",? (?:and|or) (?:many |most |several |various )?other ")
_LIST = re.compile(r"(?: \([^()]*\))?(?:, (?:and |or )?| and | or )(?:the )?")


def find_kinds(sentence: str, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention, str]]:
    """Yield mentions with that of a wider concept of the same type, and the words between them that say so.

    Parameters
    ----------
    sentence : str
    mentions : sequence of Mention
        In the order of the text.
    """
    between = [sentence[left.end : right.start] for left, right in pairwise(mentions)]
    found: list[tuple[int, int, str]] = []
    for at, words in enumerate(between):
        if _SUCH_AS.fullmatch(words):
            stop = at + 1
            while stop < len(between) and _LIST.fullmatch(between[stop]):
                stop += 1
            found += [(one, at, words.strip(" ,")) for one in range(at + 1, stop + 1)]
        elif _AND_OTHER.fullmatch(words):
            start = at
            while start and _LIST.fullmatch(between[start - 1]):
                start -= 1
            found += [(one, at + 1, words.strip(" ,")) for one in range(start, at + 1)]
    for narrow, broad, words in found:
        if mentions[narrow].type is mentions[broad].type:
            yield mentions[narrow], mentions[broad], words
