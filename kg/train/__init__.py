"""Training of a recogniser on annotated texts, for ``kg build --model``.

`train` makes a small spaCy pipeline in which one embedding serves tagger, parser and
recogniser: tagger and parser learn from a pipeline that is there, the recogniser from the
annotations and, where one is named, from a recogniser that is better and slower.
`train_encoder` makes such a one out of a pretrained transformer.
"""

from __future__ import annotations

import sys
from pathlib import Path

from kg.extract import DEFAULT_MODEL
from kg.train.balance import balance
from kg.train.calibrate import calibrate
from kg.train.pipeline import fit_pipeline, load_parser, write_docs
from kg.train.run import describe_model, finish, prepare
from kg.train.sources import Sources, read_plain, thin

__all__ = ["DEFAULT_MODEL", "Sources", "train", "train_encoder"]


def train(
    sources: Sources, out: Path, *, parser: str = DEFAULT_MODEL, labeller: str | None = None, steps: int = 20_000
) -> dict[str, float]:
    """Train a pipeline and write it to a folder; return its scores on held-out texts.

    A run that was stopped goes on where it last saved, if files and settings are the same. What
    it was trained on stands in ``training.json`` beside the model, with hashes.

    Parameters
    ----------
    sources : Sources
        From the plain papers tagger and parser learn too, and with a labeller the recogniser.
    out : Path
        A new folder, or one that this function wrote.
    parser : str
        A spaCy pipeline with tagger, parser and attribute ruler.
    labeller : str, optional
        A model with a recogniser, such as `train_encoder` makes.
    steps : int
        Updates of the weights.

    Raises
    ------
    InputError
        If a file can't be read or there are too few texts to hold one out.
    ModelError
        If the parser or the labeller can't be loaded.
    ExportError
        If `out` holds something else.
    """
    work = prepare(
        out, {**sources.describe(), "parser": Path(parser).name, "labeller": describe_model(labeller), "steps": steps}
    )
    teachers = load_parser(parser), load_parser(labeller) if labeller else None
    if not (work / "dev.spacy").is_file():
        kept, held = sources.read()
        write_docs(work / "train.spacy", [one for some in kept for one in some], read_plain(sources.plain), *teachers)
        write_docs(work / "dev.spacy", thin(held), (), teachers[0], None)
    scores = fit_pipeline(teachers[0], work, steps, sys.stderr)
    held = sources.read()[1]
    scores["outside"] = balance(work / "model-best", thin(held))
    scores["calibration_error"] = calibrate(work / "model-best", held)
    finish(work, work / "model-best", out, scores)
    return scores


def train_encoder(
    sources: Sources, out: Path, *, encoder: Path, parser: str = DEFAULT_MODEL, epochs: int = 2
) -> dict[str, float]:
    """Fine-tune a pretrained transformer as recogniser; write it with the parser to a folder; return its scores.

    It goes on like `train`, and raises the same.

    Parameters
    ----------
    sources : Sources
        Each annotated file may follow a guideline of its own; the model predicts as of the first.
    out : Path
        A new folder, or one that this function wrote.
    encoder : Path
        A BERT in the form of the Transformers library, with its tokenizer.
    parser : str
        A spaCy pipeline with tagger, parser and attribute ruler.
    epochs : int
        How often each text is read.
    """
    from kg.train.encoder import fit_encoder

    work = prepare(out, {**sources.describe(), "parser": Path(parser).name, "encoder": encoder.name, "epochs": epochs})
    nlp = load_parser(parser)
    kept, held = sources.read()
    scores = fit_encoder(nlp, encoder, kept, thin(held), work, epochs=epochs)
    scores["calibration_error"] = calibrate(work / "model", held)
    finish(work, work / "model", out, scores)
    return scores
