"""Tests of how odds become probabilities, and how far these are from the truth."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest
import spacy

from kg.evaluate import Gold
from kg.extract import DEFAULT_MODEL
from kg.extract.select import KEPT_ODDS, Calibration
from kg.extract.tags import CHANCES
from kg.model import ConceptType
from kg.train.balance import balance
from kg.train.calibrate import fit, measure

if TYPE_CHECKING:
    from pathlib import Path


def draw(calibration: Calibration, count: int, seed: int) -> list[tuple[float, bool]]:
    """Return odds, each right as often as a calibration says."""
    rng = random.Random(seed)
    odds = [rng.uniform(KEPT_ODDS, 8) for _ in range(count)]
    return [(one, rng.random() < calibration.to_chance(one)) for one in odds]


@pytest.mark.parametrize("true", [Calibration(0.0, 1.0), Calibration(0.7, 0.4), Calibration(-1.0, 0.8)])
def test_a_calibration_is_found_again_from_what_it_draws(true: Calibration) -> None:
    fitted = fit(draw(true, 20_000, seed=0))

    assert fitted.bias == pytest.approx(true.bias, abs=0.1)
    assert fitted.slope == pytest.approx(true.slope, abs=0.05)
    assert measure(fitted, draw(true, 20_000, seed=1)) < 0.01


def test_what_is_seldom_right_is_fitted_too() -> None:
    found = [(odds / 10, False) for odds in range(80)] * 50 + [(0.0, True)]

    fitted = fit(found)

    assert 0 <= fitted.to_chance(8.0) < 0.01
    assert measure(fitted, found) < 0.01


def test_scores_that_promise_too_much_have_an_error() -> None:
    bold, true = Calibration(5.0, 1.0), Calibration(0.0, 0.0)  # always sure, and right every other time

    assert measure(bold, draw(true, 2_000, seed=0)) > 0.4


def test_without_anything_found_there_is_no_error_and_odds_stay_odds() -> None:
    assert measure(Calibration(0.0, 1.0), []) == 0
    assert fit([]) == Calibration(0.0, 1.0)


def test_the_least_sure_that_is_kept_has_the_odds_that_are_kept() -> None:
    calibration = Calibration(0.5, 0.5)

    assert calibration.kept_from == calibration.to_chance(KEPT_ODDS) < calibration.to_chance(KEPT_ODDS + 0.1)


def test_a_model_is_balanced_in_place_and_stays_as_it_is_but_for_one_number(tmp_path: Path) -> None:
    shutil.copytree(DEFAULT_MODEL, tmp_path / "model")
    gold = Gold("a", "We use BERT and tables.", ((7, 11, ConceptType.METHOD), (16, 22, ConceptType.METHOD)))
    files = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}

    factor = balance(tmp_path / "model", [gold])

    before, after = (spacy.load(one)("We use BERT and tables.") for one in (DEFAULT_MODEL, tmp_path / "model"))
    ratio = after.user_data[CHANCES] / before.user_data[CHANCES]
    assert factor <= 1
    assert ratio[:, 0] / ratio[:, 1] == pytest.approx([factor] * len(after), rel=0.01)
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} == files
