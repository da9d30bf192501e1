"""spaCy documents and word lists made by hand, so that tests of extraction need no trained model."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import spacy
from spacy.tokens import Doc

from kg.extract.candidate import Candidate
from kg.extract.lexicon import load_lexicon
from kg.extract.words import find_words
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from spacy.vocab import Vocab

    from kg.extract.lexicon import Lexicon
    from kg.model import ConceptType

__all__ = ["find_one", "to_doc", "to_lexicon", "to_plain_doc"]

_LISTS = {
    "names/core.tsv": """type\tname\taliases
Dataset\tImageNet\tILSVRC
Dataset\tSQuAD\t
Method\tAdam\t
Method\tMamba\t
Method\ttask model\t
Method\tlow-rank adaptation\tLoRA
Task\timage classification\t
Metric\tF1 score\tF1
""",
    "names/other.tsv": "type\tname\taliases\nDataset\tSet\t\nTask\tImageNet\t\n",
    "lexicon/heads.tsv": """head\ttype\tweight
accuracy\tMetric\t0.90
captioning\tTask\t0.90
classification\tTask\t0.90
corpus\tDataset\t0.80
network\tMethod\t0.80
segmentation\tTask\t0.90
""",
    "lexicon/generic.txt": """# A comment.
approach
benchmark\tDataset
dataset\tDataset
method\tMethod
model\tMethod
result
task\tTask
""",
    "lexicon/evaluative.txt": "existing\nlarge\nnew\nnovel\nour\nproposed\nseveral\n",
    "lexicon/boilerplate.txt": "anonymous repository\nlarge margins\n",
    "lexicon/common_words.tsv": "word\tshare\nlearning\t500\nhigh\t400\ndeep\t300\nimage\t300\nmargin\t100\n",
}


@cache
def _vocab() -> Vocab:
    """Return a vocabulary of English without a model; it knows what noun chunks are."""
    return spacy.blank("en").vocab


def to_doc(rows: str) -> Doc:
    """Return a parsed sentence: a row for each token with text, part of speech, tag, relation and head's number.

    A text that begins with ``~`` touches the token before it.
    """
    split = [row.split() for row in rows.strip().splitlines()]
    texts, pos, tags, deps, heads = (list(column) for column in zip(*split, strict=True))
    spaces = [not after.startswith("~") for after in [*texts[1:], "~"]]
    words = [text.removeprefix("~") for text in texts]
    return Doc(_vocab(), words, spaces, pos=pos, tags=tags, deps=deps, heads=[int(head) for head in heads])


def to_plain_doc(text: str) -> Doc:
    """Return a text cut at spaces, all of it nouns that hang together in no way."""
    words = text.split(" ") if text else []
    size = len(words)
    spaces = [True] * (size - 1) + [False] * (size > 0)
    pos, tags, deps = (["NOUN"] * size, ["NN"] * size, ["dep"] * size)
    return Doc(_vocab(), words, spaces, pos=pos, tags=tags, deps=deps, heads=[*range(size)])


@cache
def to_lexicon() -> Lexicon:
    """Return word lists of a few words; lists that are not named here are the product's."""
    with TemporaryDirectory() as folder:
        shutil.copytree(find_ontology() / "lexicon", Path(folder, "lexicon"))
        Path(folder, "names").mkdir()
        for path, text in _LISTS.items():
            Path(folder, path).write_text(text, encoding="utf-8")
        return load_lexicon(Path(folder))


def find_one(doc: Doc, surface: str, *, source: str = "chunk", kind: ConceptType | None = None) -> Candidate:
    """Return the candidate that the words of `surface` are in a document."""
    words = find_words(doc)
    start = doc.text.index(surface)
    end = start + len(surface)
    first = next(at for at, word in enumerate(words) if word.start == start)
    last = next(at for at, word in enumerate(words) if word.end == end) + 1
    head = doc[words[first].first : words[last - 1].last].root.i
    return Candidate(first, last, start, end, surface, source, kind, head)
