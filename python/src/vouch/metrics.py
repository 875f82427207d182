"""How good confidences are, whichever program gave them: the figures of `vouch eval`, on arrays.

`confidence` is an array or list of numbers, none of them NaN; `right` one of the same length that is true where the
answer is right. Measures of ranking (average_precision, auroc, aurc, augrc) take any numbers, the others
probabilities: they are NaN if a number is not from 0 to 1. Answers of the same confidence count as in random order.

>>> from vouch import metrics
>>> confidence, right = [0.9, 0.1, 0.5, 0.3], [True, False, False, True]
>>> round(metrics.average_precision(confidence, right), 4), metrics.aurc(confidence, right)
(0.8333, 0.3333333333333333)
>>> round(metrics.ece(confidence, right), 4)
0.35
>>> [(b.low, b.answers, b.accuracy) for b in metrics.reliability(confidence, right) if b.answers]
[(0.1, 1, 0.0), (0.3, 1, 1.0), (0.5, 1, 0.0), (0.9, 1, 1.0)]
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import _core

__all__ = [
    "Bin", "CalibrationTest", "Measures", "augrc", "auroc", "aurc", "average_precision", "brier", "calibration_test",
    "ece", "log_loss", "measure", "reliability",
]  # fmt: skip


class Bin(NamedTuple):
    """Answers with a confidence from `low` up to `high`: how many, how many of them right, and means."""

    low: float
    high: float
    answers: int
    right: int
    confidence: float
    accuracy: float


@dataclass(frozen=True)
class Measures:
    """All figures at once. What does not apply is NaN.

    average_precision       wrong answers ranked, least confident first: 1 if all come before the right ones
    roc_area                the probability that a wrong answer is less confident than a right one
    risk_coverage           mean share of wrong answers among the most confident, less is better
    calibration_error       expected calibration error, by the 20 bins
    calibration_error_mass  the same, by 20 bins of equally many answers
    rmse, rmse_floor        root mean square distance of accuracy from the bins' centres, and what it is at best
    brier, log_loss         of the probability that each answer is right
    generalised_risk        mean number of wrong answers among the most confident, as a share of all answers
    """

    answers: int
    wrong: int
    average_precision: float
    roc_area: float
    risk_coverage: float
    calibration_error: float
    calibration_error_mass: float
    rmse: float
    rmse_floor: float
    brier: float
    log_loss: float
    bins: tuple[Bin, ...]
    generalised_risk: float


class CalibrationTest(NamedTuple):
    """A calibration error, and whether it is more than chance gives.

    ece     as ece() has it
    limit   probabilities that are exactly right have less in 95 of 100 samples of such answers
    p       the share of samples of exact probabilities that have as much: below 0.05, confidence is not calibrated
    """

    ece: float
    limit: float
    p: float


def _numbers(given: Any) -> Any:
    """A buffer of float64: the array itself if it is one."""
    try:
        view = memoryview(given)
    except TypeError:
        return array("d", given)
    if view.ndim != 1:
        raise ValueError(f"confidence: expected one dimension, found {view.ndim}")
    return view if view.format == "d" and view.c_contiguous else array("d", given)


def _flags(given: Any) -> Any:
    """A buffer of bytes that are 0 for false."""
    try:
        view = memoryview(given)
    except TypeError:
        return bytes(map(bool, given))
    if view.ndim != 1:
        raise ValueError(f"right: expected one dimension, found {view.ndim}")
    return view if view.format in ("?", "B", "b") and view.c_contiguous else bytes(map(bool, given))


def measure(confidence: Iterable[float], right: Iterable[object]) -> Measures:
    """All figures at once.

    >>> measure([0.9, 0.2], [True, False]).average_precision
    1.0
    """
    found = _core.measure(_numbers(confidence), _flags(right))
    return Measures(**{**found, "bins": tuple(Bin(*row) for row in found["bins"])})


def average_precision(confidence: Iterable[float], right: Iterable[object]) -> float:
    """How well confidence finds the wrong answers: the mean, over these, of the share of wrong ones up to each."""
    return measure(confidence, right).average_precision


def auroc(confidence: Iterable[float], right: Iterable[object]) -> float:
    """The probability that a wrong answer is less confident than a right one."""
    return measure(confidence, right).roc_area


def aurc(confidence: Iterable[float], right: Iterable[object]) -> float:
    """The area under the risk-coverage curve: the mean, over all i, of the share of wrong ones among the i surest."""
    return measure(confidence, right).risk_coverage


def augrc(confidence: Iterable[float], right: Iterable[object]) -> float:
    """The area under the generalised risk-coverage curve: as aurc(), with wrong ones as a share of all answers."""
    return measure(confidence, right).generalised_risk


def ece(confidence: Iterable[float], right: Iterable[object], equal_mass: bool = False) -> float:
    """The expected calibration error over 20 bins, of equal width or of equally many answers."""
    found = measure(confidence, right)
    return found.calibration_error_mass if equal_mass else found.calibration_error


def calibration_test(
    confidence: Iterable[float],
    right: Iterable[object],
    sentence: Iterable[int] | None = None,
    samples: int = 200,
    seed: int = 1,
) -> CalibrationTest:
    """Tests whether the expected calibration error is more than chance gives, as `vouch eval` does.

    `sentence` has a number for every answer, the same for all of a sentence, whose answers are not independent of each
    other; without it every answer counts by itself, and the test refuses too often if they are not.

    >>> test = calibration_test([0.8] * 100, [True] * 83 + [False] * 17)
    >>> round(test.ece, 4), test.ece < test.limit, test.p > 0.05
    (0.03, True, True)
    """
    if samples < 1:
        raise ValueError(f"samples: expected at least 1, found {samples}")
    numbers = array("I", sentence if sentence is not None else ())
    return CalibrationTest(*_core.test_calibration(_numbers(confidence), _flags(right), numbers, samples, seed))


def brier(confidence: Iterable[float], right: Iterable[object]) -> float:
    """The mean of (confidence - right) squared."""
    return measure(confidence, right).brier


def log_loss(confidence: Iterable[float], right: Iterable[object]) -> float:
    """The mean log loss of the probability that an answer is right."""
    return measure(confidence, right).log_loss


def reliability(confidence: Iterable[float], right: Iterable[object]) -> tuple[Bin, ...]:
    """The bins of a reliability diagram."""
    return measure(confidence, right).bins
