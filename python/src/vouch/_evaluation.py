"""What evaluate() returns: the JSON of `vouch eval`, with shares for percentages, and what one looks for in it."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from typing import Any, NamedTuple

from ._needs import needed
from ._shares import shares

# A bin of fewer answers tells nothing of probabilities: neighbours are taken together.
_LEAST_ANSWERS = 20


class Figures(NamedTuple):
    """How good the confidence in words, chunks or sentences is, by one method. What does not apply is NaN.

    unit                "words", "inside" (words of chunks), "spans", "sentences"; of trees also "relations"
    accuracy, confidence    the share of right answers, and the mean probability
    average_precision, auroc, aurc      how well wrong answers are found: see vouch.metrics
    ece, ece_limit      expected calibration error, and what exact probabilities would stay below 95 times in 100
    brier, log_loss     of the probability that each answer is right
    """

    unit: str
    method: str
    calibrated: bool
    answers: int
    wrong: int
    accuracy: float
    confidence: float
    average_precision: float
    auroc: float
    aurc: float
    ece: float
    ece_limit: float
    brier: float
    log_loss: float


class Point(NamedTuple):
    """A point of a reliability diagram: so many answers of this mean confidence, and the share of right ones.

    `low` to `high` holds the true share with a probability of about 0.95 (Wilson's interval).
    """

    confidence: float
    accuracy: float
    low: float
    high: float
    answers: int


def _point(right: float, answers: int, confidence: float) -> Point:
    share, z = right / answers, 1.96
    middle = (share + z * z / (2 * answers)) / (1 + z * z / answers)
    half = z / (1 + z * z / answers) * (share * (1 - share) / answers + z * z / (4 * answers * answers)) ** 0.5
    low, high = min(share, middle - half), max(share, middle + half)  # rounding must not leave the share outside
    return Point(confidence, share, max(0.0, low), min(1.0, high), answers)


def _points(bins: Iterable[dict[str, Any]]) -> list[Point]:
    """Bins of few answers are joined with the next; the last, if it is such a one, with that before."""
    groups: list[list[dict[str, Any]]] = [[]]
    for one in bins:
        if one["count"]:
            groups[-1].append(one)
            if sum(bin["count"] for bin in groups[-1]) >= _LEAST_ANSWERS:
                groups.append([])
    if len(groups) > 1:
        last = groups.pop()
        groups[-1] += last
    points = []
    for group in filter(None, groups):
        answers = sum(bin["count"] for bin in group)
        mean = sum(bin["count"] * bin["confidence"] for bin in group) / answers
        points.append(_point(sum(bin["right"] for bin in group), answers, mean))
    return points


class Evaluation(dict[str, Any]):
    """Answers compared with the right ones: a dict of all figures, the important ones as attributes too.

    Every share is a number from 0 to 1. Figures that do not apply, such as the F1 of trees, are NaN.

    >>> words = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]
    >>> found = model.evaluate([words], labels=[["B-PER", "O", "O", "B-LOC"]])
    >>> found.f1, found["all"]["f1"], found.table[0].unit
    (1.0, 1.0, 'words')
    """

    @property
    def precision(self) -> float:
        """The share of right ones among the chunks, or words, that were answered."""
        return self._number("all", "precision")

    @property
    def recall(self) -> float:
        """The share of the right chunks, or words, that were found."""
        return self._number("all", "recall")

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self._number("all", "f1")

    @property
    def accuracy(self) -> float:
        """The share of words with the right label."""
        return self._number("accuracy")

    @property
    def sentence_accuracy(self) -> float:
        """The share of sentences without an error: all labels right, or all heads."""
        return self._number("sentence_accuracy" if "sentence_accuracy" in self else "complete")

    @property
    def uas(self) -> float:
        """The share of words with the right head."""
        return self._number("all", "uas")

    @property
    def las(self) -> float:
        """The share of words with the right head and relation."""
        return self._number("all", "las")

    @property
    def ece(self) -> float:
        """The expected calibration error of words, by the first method; of others, see `table`."""
        return self.table[0].ece if self.table else nan

    @property
    def brier(self) -> float:
        """The Brier score of words, by the first method."""
        return self.table[0].brier if self.table else nan

    @property
    def average_precision(self) -> float:
        """How well confidence finds wrong words, by the first method."""
        return self.table[0].average_precision if self.table else nan

    def _number(self, *keys: str) -> float:
        found: Any = self
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return nan if found is None else float(found)

    def _methods(self) -> Iterable[tuple[str, dict[str, Any], dict[str, Any]]]:
        """Every unit and its counts, with every method."""
        for unit, counts in self.get("confidence", {}).items():
            if isinstance(counts, dict):
                for method in counts["methods"]:
                    yield unit, counts, method

    @property
    def table(self) -> list[Figures]:
        """A row for words, chunks and sentences each, and for every method of confidence."""
        rows = []
        for unit, counts, by in self._methods():
            of = by.get("reliability") or {}
            figures = [of.get(key) for key in ("ece", "ece_limit", "brier", "log_loss")]
            ranking = [by.get(key) for key in ("average_precision", "area_under_roc", "area_under_risk_coverage")]
            numbers = [nan if figure is None else figure for figure in (of.get("confidence"), *ranking, *figures)]
            accuracy = 1 - counts["wrong"] / counts["count"] if counts["count"] else nan
            rows.append(
                Figures(unit, by["method"], by["calibrated"], counts["count"], counts["wrong"], accuracy, *numbers)
            )
        return rows

    def reliability(self, unit: str = "words") -> list[Point]:
        """How often answers are right, by their confidence, by the first method; bins of few answers are joined."""
        for found, _, by in self._methods():
            if found == unit:
                return _points((by.get("reliability") or {}).get("bins", ()))
        return []

    def to_pandas(self) -> Any:
        """`table` as a data frame of pandas."""
        return needed("pandas", "to_pandas()").DataFrame(self.table, columns=Figures._fields)

    def plot(self, ax: Any = None, units: Iterable[str] = ("words", "spans", "sentences")) -> Any:
        """Draws how often answers are right, by their confidence, with matplotlib: the axes that it was drawn on."""
        pyplot = needed("matplotlib.pyplot", "plot()", "; a notebook shows the same picture without it")
        axes = pyplot.subplots(figsize=(4.5, 4.5), layout="constrained")[1] if ax is None else ax
        axes.plot([0, 1], [0, 1], color="0.5", linestyle=":", linewidth=1)
        for unit, marker in zip(units, "osD^v"):
            points = self.reliability(unit)
            if points:
                x, y, low, high, _ = zip(*points)
                spread = [[b - a for a, b in zip(low, y)], [b - a for a, b in zip(y, high)]]
                axes.errorbar(x, y, yerr=spread, marker=marker, markersize=5, linewidth=1, label=unit)
        axes.set(xlabel="confidence", ylabel="share that is right", xlim=(0, 1.02), ylim=(0, 1.02), aspect="equal")
        if axes.get_legend_handles_labels()[1]:
            axes.legend(frameon=False, loc="upper left")
        return axes

    def _said(self) -> list[tuple[str, float]]:
        """The figures that come first, as they are called."""
        chunks = {"F1": self.f1, "precision": self.precision, "recall": self.recall}
        names = {**(chunks if self.get("unit") in ("chunk", "span") else {}), "UAS": self.uas, "LAS": self.las,
                 "accuracy": self.accuracy, "whole sentences": self.sentence_accuracy}  # fmt: skip
        return [(name, figure) for name, figure in names.items() if figure == figure]

    def _repr_html_(self) -> str:
        from ._html import evaluation

        return evaluation(self)

    def __repr__(self) -> str:
        figures = [*self._said()[:3], ("ECE", self.ece)]
        said = ", ".join(f"{name} {figure:.4g}" for name, figure in figures if figure == figure)
        return f"<vouch.Evaluation: {said}>"

    def __str__(self) -> str:
        lines = ["  ".join(f"{name} {figure:.4f}" for name, figure in self._said())]
        if self.table:
            head = "".join(f" {name:>7}" for name in ("answers", "wrong", "AP", "ECE", "limit", "Brier"))
            lines.append(f"{'':10} {'method':14}{head}")
        for row in self.table:
            figures = (row.average_precision, row.ece, row.ece_limit, row.brier)
            numbers = "".join(f" {figure:7.4f}" for figure in figures)
            lines.append(f"{row.unit:10} {row.method:14} {row.answers:7} {row.wrong:7}{numbers}")
        return "\n".join(lines)


def evaluation_of(found: dict[str, Any]) -> Evaluation:
    """An evaluation of the library's JSON."""
    return Evaluation(shares(found))
