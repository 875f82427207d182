"""Percentages of the library's JSON as numbers from 0 to 1, the one scale of this package."""

from __future__ import annotations

from typing import Any

# The keys of percentages, wherever they stand in what eval, trade and forecast write and training tells.
_PERCENTAGES = {
    "accuracy", "complete", "complete_labelled", "coverage", "covered", "deviation", "difference", "f1", "forecast",
    "high", "interval", "kept", "labelled_alone", "las", "las_universal", "low", "mean", "mean_over_sentences",
    "mean_probability", "most", "of_one", "one_root", "precision", "recall", "root", "score", "scores",
    "sentence_accuracy", "uas",
}  # fmt: skip
# What is below these is from 0 to 1 as it is, or no share at all.
_OTHERWISE = {"confidence", "likeness"}


def _share(percentage: Any) -> Any:
    """Of numbers and lists of them; what else has the same key stays."""
    if isinstance(percentage, list):
        return [_share(item) for item in percentage]
    return round(percentage / 100, 12) if isinstance(percentage, (int, float)) else shares(percentage)


def shares(found: Any) -> Any:
    """The same JSON, with shares for percentages.

    >>> shares({"all": {"f1": 94.4, "gold": 1200}, "confidence": {"words": {"accuracy": 0.97}}})
    {'all': {'f1': 0.944, 'gold': 1200}, 'confidence': {'words': {'accuracy': 0.97}}}
    """
    if isinstance(found, list):
        return [shares(item) for item in found]
    if not isinstance(found, dict):
        return found
    return {
        key: value if key in _OTHERWISE else _share(value) if key in _PERCENTAGES else shares(value)
        for key, value in found.items()
    }
