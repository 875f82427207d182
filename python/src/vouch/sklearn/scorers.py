"""Scorers for cross_val_score, GridSearchCV and the like, by the names of sklearn_crfsuite.scorers: the share of words,
and that of sentences, that are right.
"""

from sklearn.metrics import make_scorer

from .metrics import flat_accuracy_score, sequence_accuracy_score

__all__ = ["flat_accuracy", "sequence_accuracy"]

flat_accuracy = make_scorer(flat_accuracy_score)
sequence_accuracy = make_scorer(sequence_accuracy_score)
