"""How a recogniser's odds become probabilities, fitted to annotated texts that it never saw."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np

from kg.extract import find_scored, load_lexicon, load_pipeline
from kg.extract.select import CALIBRATION, KEPT_ODDS, Calibration, weigh
from kg.model import Passage, Section
from kg.train.texts import to_sentences
from kg.vocab import find_ontology

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from spacy.language import Language

    from kg.evaluate import Gold
    from kg.extract import Lexicon

__all__ = ["calibrate", "fit", "measure"]

_OPENING = 12  # sentences of a text: its title and abstract, which is what papers are read as
_STEPS = 30
_PENALTY = 0.1  # keeps the curve finite where the annotation leaves no doubt
_CLOSE = 1e-6  # a step so small is none
_UNFITTED = (0.0, 1.0)  # bias and slope of odds that are taken at their word
_BINS = 10


def calibrate(model: Path, golds: Sequence[Gold]) -> float:
    """Fit the calibration of a model in a folder, add it to its description, and return what it errs by.

    It is fitted to every other text and measured on the rest.
    """
    lexicon = load_lexicon(find_ontology())
    nlp = load_pipeline(lexicon, model=str(model))
    found = [list(_find_odds(gold, nlp, lexicon)) for gold in golds]
    calibration = fit([one for some in found[::2] for one in some])
    path = model / "meta.json"
    meta = json.loads(path.read_text(encoding="utf-8"))
    meta[CALIBRATION] = [round(one, 4) for one in astuple(calibration)]
    path.write_text(json.dumps(meta, indent=2), encoding="utf-8")
    return measure(calibration, [one for some in found[1::2] for one in some])


def _find_odds(gold: Gold, nlp: Language, lexicon: Lexicon) -> Iterator[tuple[float, bool]]:
    """Yield the odds of what would be kept of a text, and whether it is right.

    Right is what shares a character with an annotated span; what meets only spans that are left
    open counts neither way. Boundaries and types don't count, so that scores mean the same to
    everyone, whatever the guideline.
    """
    sentences = to_sentences(gold)[:_OPENING]
    passages = [Passage(gold.id, Section.ABSTRACT, place, text) for place, (text, _) in enumerate(sentences)]
    marked = {passage.start: spans for passage, (_, spans) in zip(passages, sentences, strict=True)}
    docs = list(nlp.pipe(text for text, _ in sentences))
    for found in find_scored(passages, docs, lexicon):
        one = found.candidate
        met = [kind for start, end, kind in marked[found.passage.start] if start < one.end and one.start < end]
        odds = weigh(one, found.score)
        if odds >= KEPT_ODDS and (not met or any(met)):
            yield odds, bool(met)


def fit(found: Sequence[tuple[float, bool]]) -> Calibration:
    """Return the calibration with which what was found is right as often as it says (Newton's method)."""
    terms = np.array([[1.0, odds] for odds, _ in found]).reshape(-1, 2)
    right = np.array([float(is_right) for _, is_right in found])
    curve = np.array(_UNFITTED)
    for _ in range(_STEPS):
        chances = 0.5 + 0.5 * np.tanh(terms @ curve / 2)
        slope = terms.T @ (right - chances) - _PENALTY * (curve - _UNFITTED)
        bend = (terms * (chances * (1 - chances))[:, None]).T @ terms + _PENALTY * np.eye(2)
        step = np.linalg.solve(bend, slope)
        while _miss(curve + step, terms, right) > _miss(curve, terms, right) and np.abs(step).max() > _CLOSE:
            step /= 2  # it went too far
        curve += step
    return Calibration(*curve.tolist())


def _miss(curve: NDArray[np.float64], terms: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """Return how unlikely a curve makes what is right, with the penalty."""
    odds = np.where(right > 0, 1, -1) * (terms @ curve)
    return float(np.logaddexp(0, -odds).sum() + _PENALTY / 2 * ((curve - _UNFITTED) ** 2).sum())


def measure(calibration: Calibration, found: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error: how far scores are from how often they are right.

    That is the mean over ten bins of equal width, weighted by what they hold [1]_.

    References
    ----------
    .. [1] M. Naeini, G. Cooper and M. Hauskrecht. Obtaining well calibrated probabilities using
       Bayesian binning. AAAI, 2015.
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for odds, is_right in found:
        chance = calibration.to_chance(odds)
        bins.setdefault(min(int(chance * _BINS), _BINS - 1), []).append((chance, is_right))
    gaps = [abs(sum(chance - is_right for chance, is_right in some)) for some in bins.values()]
    return round(sum(gaps) / len(found), 4) if found else 0.0
