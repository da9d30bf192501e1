"""The small pipeline: documents to train it on, and the run."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kg.errors import ModelError
from kg.extract.tags import CHANCES, OPEN, TAGS
from kg.train.corpus import write_corpus
from kg.train.progress import add_logger, tell
from kg.train.texts import to_docs
from kg.train.vectors import WordMeans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO, TypeAlias

    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc

    from kg.evaluate import Gold

    Group: TypeAlias = list[tuple[Doc, NDArray[np.float32]]]  # sentences of a text, with the chances of tags
    Tagless: TypeAlias = list[tuple[Doc, NDArray[np.int64] | None]]  # the same with tags, or none

__all__ = ["fit_pipeline", "load_parser", "write_docs"]

_CONFIG = Path(__file__).with_name("config.cfg")
_STEP, _VECTORS = "step", "vectors"  # in the work folder
_TRUST = 0.5  # in an annotation, where a labeller speaks too
_BATCH = 50  # texts that are parsed and labelled at once
_LEAST = 0.005  # chances below this are none
_RATE, _WARM_UP = 0.002, 250  # of learning, which falls to none in the end; updates until it is reached
_PARSED = 60_000  # sentences that tagger and parser learn from, if there are so many
_RECOGNISERS = ("kg_encoder", "kg_recogniser")


def load_parser(name: str) -> Language:
    """Return a pipeline that tags and parses, and perhaps recognises."""
    import spacy

    try:
        return spacy.load(name, exclude=["lemmatizer", "ner", "senter"])
    except (OSError, ValueError) as error:
        raise ModelError(f"spaCy model {name!r} can't be loaded: {error}; install it, or name another") from error


def write_docs(
    path: Path, golds: Sequence[Gold], plain: Iterable[list[str]], parser: Language, labeller: Language | None
) -> None:
    """Write the sentences of texts with tags, parse, and the chances of names, to a corpus.

    Beside it come the vectors of words, where the labeller is a transformer.

    In plain texts names are the labeller's; without one they are open. Where there are plain
    texts, only they are parsed, and no more than tagger and parser have use for.
    """
    texts, means = list(plain), WordMeans()
    marked: Iterator[Tagless] = ([*group] for group in to_docs(tell(golds, "annotated texts", sys.stderr), parser))
    plainly = tell(texts, "plain papers", sys.stderr)
    unmarked: Iterator[Tagless] = ([(parser.make_doc(text), None) for text in some] for some in plainly)
    groups = [
        *_label(marked, parser, labeller, means, parsed=0 if texts else _PARSED),
        *_label(unmarked, parser, labeller, means, parsed=_PARSED),
    ]
    if labeller:
        means.write(path.with_name(_VECTORS))
    write_corpus((one for group in groups for one in group), path)


def _label(
    groups: Iterable[Tagless], parser: Language, labeller: Language | None, means: WordMeans, *, parsed: int
) -> Iterator[Group]:
    """Yield documents with the chances that annotation and labeller give together, the first of them parsed."""
    stream = iter(groups)
    while batch := list(islice(stream, _BATCH)):
        docs = [doc for group in batch for doc, _ in group]
        known = [tags for group in batch for _, tags in group]
        heard = _hear(docs, labeller, means) if labeller else [None] * len(docs)
        with parser.select_pipes(disable=[one for one in _RECOGNISERS if one in parser.pipe_names]):
            ready = list(parser.pipe(docs)) if parsed > 0 else docs
        parsed -= len(docs)
        pairs = iter(list(zip(ready, map(_to_chances, docs, known, heard), strict=True)))
        for group in batch:
            yield list(islice(pairs, len(group)))


def _hear(docs: list[Doc], labeller: Language, means: WordMeans) -> list[NDArray[np.float32]]:
    """Return the chances of tags that a labeller gives, and take in what it makes of words.

    It is given copies with its own vocabulary, where its vectors of words are.
    """
    from spacy.tokens import Doc

    copies = [
        Doc(labeller.vocab, words=[one.text for one in doc], spaces=[bool(one.whitespace_) for one in doc])
        for doc in docs
    ]
    needed = {"kg_encoder"} if "kg_encoder" in labeller.pipe_names else {"tok2vec", "kg_recogniser"}
    with labeller.select_pipes(disable=[one for one in labeller.pipe_names if one not in needed]):
        heard = list(labeller.pipe(copies))
    means.add(heard)
    return [doc.user_data[CHANCES] for doc in heard]


def _to_chances(doc: Doc, tags: NDArray[np.int64] | None, heard: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Return the chances of tags, of which annotation and labeller speak; zero where neither does."""
    chances = np.zeros((len(doc), len(TAGS)), dtype=np.float32)
    if heard is not None:
        chances = np.where(heard < _LEAST, 0, heard)
        chances /= chances.sum(axis=1, keepdims=True)
    if tags is not None:
        trust = 1.0 if heard is None else _TRUST
        known = np.flatnonzero(tags != OPEN)
        chances[known] *= 1 - trust
        chances[known, tags[known]] += trust
    return chances


def fit_pipeline(parser: Language, work: Path, steps: int, log: TextIO) -> dict[str, float]:
    """Train, or go on training, in a work folder; return the best scores on the held-out texts."""
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as run
    from thinc.api import Config

    done = int((work / _STEP).read_text(encoding="utf-8")) if (work / _STEP).is_file() else 0
    left = steps - done
    if left > 0:
        config = Config().from_disk(_CONFIG, interpolate=False)
        config["paths"].update(train=str(work / "train.spacy"), dev=str(work / "dev.spacy"))
        config["training"].update(max_steps=left, eval_frequency=max(1, min(500, steps // 4)))
        config["training"]["optimizer"]["learn_rate"].update(
            initial_rate=_RATE * left / steps, warmup_steps=min(_WARM_UP, left // 10 + 1), total_steps=left
        )
        config["training"]["logger"] = {"@loggers": add_logger(work / _STEP, done, steps)}
        if (work / _VECTORS).is_dir():
            config["components"]["tok2vec"]["model"]["embed"]["include_static_vectors"] = True
            config["initialize"] = {"vectors": str(work / _VECTORS)}
        nlp = init_nlp(config)
        rules = parser.get_pipe("attribute_ruler").patterns  # type: ignore[attr-defined]
        nlp.get_pipe("attribute_ruler").add_patterns(rules)  # type: ignore[attr-defined]
        if done:
            nlp.from_disk(work / "model-last")
        run(nlp, work, stdout=log, stderr=log)
        (work / _STEP).write_text(str(steps), encoding="utf-8")
    _clear(work / "model-best")
    best = json.loads((work / "model-best" / "meta.json").read_text(encoding="utf-8"))["performance"]
    return {name: round(best[name], 4) for name in ("ents_p", "ents_r", "ents_f", "tag_acc", "dep_uas", "dep_las")}


def _clear(model: Path) -> None:
    """Take out of a model what is not part of it: where it was made, and the words of the texts."""
    import spacy
    from thinc.api import Config

    config = Config().from_disk(model / "config.cfg", interpolate=False)
    config["paths"].update(train=None, dev=None)
    config["training"].pop("logger", None)
    config["initialize"]["vectors"] = None
    config.to_disk(model / "config.cfg")
    nlp = spacy.load(model)
    known = {nlp.vocab.strings[key] for key in nlp.vocab.vectors.keys()}  # noqa: SIM118
    known |= {label for labels in nlp.pipe_labels.values() for label in labels} | {*spacy.blank("en").vocab.strings}
    path = model / "vocab" / "strings.json"
    kept = sorted(known & {*json.loads(path.read_text(encoding="utf-8"))})
    path.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
