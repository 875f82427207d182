"""Measures of confidence are those of the program, whatever the arrays."""

import json
import math
import random
from array import array
from pathlib import Path

import pytest
from conftest import Command, rows

import vouch
from vouch import metrics


def test_measures_are_those_of_the_program(ner: vouch.Model, command: Command, folder: Path) -> None:
    given = rows((folder / "ner.test").read_text(encoding="utf-8"))
    answers = ner.tag([[tuple(row[:2]) for row in s] for s in given])
    right = [w.label == row[-1] for s, gold in zip(answers, given) for w, row in zip(s, gold)]
    found = metrics.measure(answers.confidence, right)
    expected = json.loads(command("eval", "-q", "--json", "-m", "ner.vouch", "ner.test"))["confidence"]
    figures = json.dumps(expected)
    for number in (found.average_precision, found.risk_coverage, found.calibration_error, found.brier):
        assert f"{number:.6g}"[:6] in figures


def test_of_calibration_is_that_of_the_program(ner: vouch.Model, command: Command, folder: Path) -> None:
    given = rows((folder / "ner.test").read_text(encoding="utf-8"))
    answers = ner.tag([[tuple(row[:2]) for row in s] for s in given])
    right = [w.label == row[-1] for s, gold in zip(answers, given) for w, row in zip(s, gold)]
    sentence = [i for i, s in enumerate(given) for _ in s]
    found = metrics.calibration_test(answers.confidence, right, sentence)
    expected = json.loads(command("eval", "-q", "--json", "-m", "ner.vouch", "ner.test"))["confidence"]
    of_words = expected["words"]["methods"][0]["reliability"]
    assert found.ece == pytest.approx(of_words["ece"], rel=1e-4)
    assert found.limit == pytest.approx(of_words["ece_limit"], rel=1e-4)
    assert found.p == pytest.approx(of_words["ece_p"], rel=1e-4)
    assert found == metrics.calibration_test(answers.confidence, right, sentence, 200, 1)
    assert metrics.calibration_test([0.95] * 50, [False] * 50).p < 0.05
    assert math.isnan(metrics.calibration_test([2.0], [True]).p) and math.isnan(metrics.calibration_test([], []).p)
    for more in ([1, 2], [-1], ["a"]):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            metrics.calibration_test([0.5], [True], more)
    with pytest.raises(ValueError, match="samples"):
        metrics.calibration_test([0.5], [True], samples=0)


def test_by_definition() -> None:
    chance = random.Random(7)
    confidence = [chance.random() for _ in range(500)]
    right = [chance.random() < c for c in confidence]
    order = sorted(range(500), key=confidence.__getitem__)
    wrong, precision = 0, []
    for seen, i in enumerate(order, 1):
        if not right[i]:
            wrong += 1
            precision.append(wrong / seen)
    found = metrics.measure(confidence, right)
    assert abs(found.average_precision - sum(precision) / len(precision)) < 1e-12
    risk, joint, wrong = 0.0, 0.0, 0
    for seen, i in enumerate(reversed(order), 1):
        wrong += not right[i]
        risk += wrong / seen / 500
        joint += wrong / 500 / 500
    assert abs(found.risk_coverage - risk) < 1e-12 and found.risk_coverage == metrics.aurc(confidence, right)
    assert abs(found.generalised_risk - joint) < 1e-12 and found.generalised_risk == metrics.augrc(confidence, right)
    assert abs(found.brier - sum((c - r) ** 2 for c, r in zip(confidence, right)) / 500) < 1e-12
    error = sum(abs(b.confidence - b.accuracy) * b.answers for b in found.bins if b.answers) / 500
    assert abs(found.calibration_error - error) < 1e-12 and sum(b.answers for b in found.bins) == 500
    assert metrics.reliability(confidence, right) == found.bins and metrics.ece(confidence, right, equal_mass=True) > 0
    assert 0.5 < metrics.auroc(confidence, right) < 1 and metrics.log_loss(confidence, right) < 0.7


def test_arrays() -> None:
    confidence, right = [0.25, 0.5, 0.75, 1.0], [False, True, False, True]
    numpy = pytest.importorskip("numpy")
    both = numpy.array([confidence, right]).T
    expected = repr(metrics.measure(confidence, right))
    for given in (
        (array("d", confidence), bytes(right)),
        (tuple(confidence), iter(right)),
        (array("f", confidence), array("i", right)),
        (both[:, 0], both[:, 1]),
        (numpy.array(confidence, "float16"), numpy.array(right)),
    ):
        assert repr(metrics.measure(*given)) == expected


def test_wrong_arrays() -> None:
    for confidence, right, kind in [
        ([0.5], [], ValueError), ([], [True], ValueError), ([float("nan")], [True], ValueError),
        (["a"], [True], TypeError), (None, [True], TypeError), ([0.5], None, TypeError),
        ("ab", [True, False], TypeError),
    ]:  # fmt: skip
        with pytest.raises(kind):
            metrics.measure(confidence, right)
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match="one dimension"):
        metrics.measure(numpy.ones((2, 2)), [True, False])
    assert math.isnan(metrics.average_precision([], [])) and math.isnan(metrics.ece([2.0], [True]))
