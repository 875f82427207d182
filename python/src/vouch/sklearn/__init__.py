"""A tagger for scikit-learn, in the place of sklearn_crfsuite.CRF.

>>> from vouch.sklearn import Tagger
>>> X = [[{"word": "Ada", "title": True}, {"word": "left"}], [{"word": "Bonn", "title": True}, {"word": "slept"}]] * 30
>>> y = [["B-PER", "O"], ["B-LOC", "O"]] * 30
>>> tagger = Tagger(passes=3, calibrate=False).fit(X, y)
>>> tagger.predict([[{"word": "Ada", "title": True}]])
[['B-PER']]
>>> tagger.classes_
['B-LOC', 'B-PER', 'O']
>>> tagger.score(X, y)
1.0

A script for sklearn-crfsuite runs if its imports are changed:

    import vouch.sklearn as sklearn_crfsuite
    from vouch.sklearn import metrics, scorers

scikit-learn is not needed but for these two. Where it is installed, Tagger inherits from its BaseEstimator: clone,
GridSearchCV, cross_val_score and pipelines work.
"""

from __future__ import annotations

import importlib
import os
import re
import warnings
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from .._answers import Answers
from .._corpus import files_of
from .._estimator import Estimator, NotFittedError
from .._model import Model, train
from .._weights import attributes, label_pairs
from ..cleanlab import marginals, probabilities, to_cleanlab
from . import metrics
from ._fitted import SentenceTagger, TrainingLog

if TYPE_CHECKING:
    import numpy

    from . import scorers as scorers

__all__ = ["CRF", "NotFittedError", "Tagger", "metrics", "scorers"]

Sentences = Sequence[Sequence[Any]]
Labels = Sequence[Sequence[str]]

# CRFsuite's algorithms, and the learner that is nearest to each.
_ALGORITHMS = {"lbfgs": "crf", "l2sgd": "crf", "ap": "perceptron", "averaged-perceptron": "perceptron", "arow": "cw"}

# Parameters of sklearn_crfsuite.CRF that have nothing to set here, and those of which this was said.
_WITHOUT_EFFECT = (
    "c1", "num_memories", "epsilon", "period", "delta", "linesearch", "max_linesearch", "calibration_eta",
    "calibration_rate", "calibration_samples", "calibration_candidates", "calibration_max_trials", "pa_type",
    "error_sensitive", "averaging", "gamma", "trainer_cls",
)  # fmt: skip
_said: set[str] = set()

_PASSES = 10
_IN_CHUNKS = re.compile(r"O|[BIESLU]-.+", re.DOTALL)


class Tagger(Estimator):
    """Labels sequences, with scikit-learn's conventions.

    X is a list of sentences, each a list of words. A word is a dict of features, as sklearn_crfsuite has them (values
    are str, bool, numbers, lists of str, or such dicts), or a list of str, features without values; or it is a str or
    a tuple of columns, such as form and part of speech, of which vouch makes features. y is a list of lists of labels.

    Parameters of vouch:

    algorithm       "crf" (if None), "cw", "pa", "perceptron", or several voices as in "cw+crf". CRFsuite's names stand
                    for the nearest: "lbfgs" and "l2sgd" for "crf", "ap" for "perceptron", "arow" for "cw"
    task            "ner" or "chunk" for labels such as B-PER, "pos" for others; None looks at the labels
    passes          over the training data; 10 if None
    calibrate       whether fit also calibrates confidence, which takes one to three times as long again; if not,
                    probabilities are the marginals of the model, and too sure. If None, fit calibrates, but that of a
                    clone does not: a search or a cross-validation fits clones, dozens of them, to compare labels.
                    search.best_estimator_ is a clone, too: .set_params(calibrate=True).fit(X, y) calibrates it
    confidence, raw the method of confidence that probabilities come from, and whether they are its own numbers instead
                    of calibrated ones: confidence="gamma", raw=True are the marginals of a CRF, as CRFsuite's
    random_state    the seed: an int, or a numpy.random.RandomState to draw one from
    n_jobs          threads; -1 is one for each processor
    options         a dict of all other options of `vouch train`, with "_" for "-": {"template": "features.txt"}

    Parameters of sklearn_crfsuite.CRF:

    c2              the strength of the Gaussian prior, in CRFsuite's units: `vouch train --l2` is twice that
    max_iterations  an upper bound of `passes`. An online learner needs about ten passes over the data where L-BFGS
                    needs a hundred iterations, so larger values change nothing
    min_freq        features seen less often are left out
    c, variance     the largest step of "pa", the first variance of "cw"
    all_possible_transitions, all_possible_states
                    without effect: vouch always has weights for all pairs of labels, and for all labels of a feature
    verbose         prints what is told of training
    model_filename  fit also writes the model to this file
    keep_tempfiles  without effect
    c1 and all others are without effect: there is no L1 prior, and values of c1 that a search tries all give the same
    model. The first fit with one of them says so, in a warning.

    Attributes after fit: `model_`, the vouch.Model; `classes_`, the labels in alphabetical order; `training_log_`, what
    was told of learning; `size_`, the bytes of the model; `tagger_`, which labels one sentence at a time. Of models
    that learned from features `attributes_`, those that have a weight, `num_attributes_`, and `state_features_`; of
    those whose label pairs do not depend on words `transition_features_`.
    """

    _is_clone = False

    def __init__(
        self,
        algorithm: str | None = None,
        min_freq: float | None = None,
        all_possible_states: bool | None = None,
        all_possible_transitions: bool | None = None,
        c1: float | None = None,
        c2: float | None = None,
        max_iterations: int | None = None,
        num_memories: int | None = None,
        epsilon: float | None = None,
        period: int | None = None,
        delta: float | None = None,
        linesearch: str | None = None,
        max_linesearch: int | None = None,
        calibration_eta: float | None = None,
        calibration_rate: float | None = None,
        calibration_samples: int | None = None,
        calibration_candidates: int | None = None,
        calibration_max_trials: int | None = None,
        pa_type: int | None = None,
        c: float | None = None,
        error_sensitive: bool | None = None,
        averaging: bool | None = None,
        variance: float | None = None,
        gamma: float | None = None,
        verbose: bool = False,
        model_filename: str | None = None,
        keep_tempfiles: bool | None = False,
        trainer_cls: object = None,
        *,
        task: str | None = None,
        passes: int | None = None,
        calibrate: bool | None = None,
        confidence: str | None = None,
        raw: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        options: dict[str, object] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.min_freq = min_freq
        self.all_possible_states = all_possible_states
        self.all_possible_transitions = all_possible_transitions
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.num_memories = num_memories
        self.epsilon = epsilon
        self.period = period
        self.delta = delta
        self.linesearch = linesearch
        self.max_linesearch = max_linesearch
        self.calibration_eta = calibration_eta
        self.calibration_rate = calibration_rate
        self.calibration_samples = calibration_samples
        self.calibration_candidates = calibration_candidates
        self.calibration_max_trials = calibration_max_trials
        self.pa_type = pa_type
        self.c = c
        self.error_sensitive = error_sensitive
        self.averaging = averaging
        self.variance = variance
        self.gamma = gamma
        self.verbose = verbose
        self.model_filename = model_filename
        self.keep_tempfiles = keep_tempfiles
        self.trainer_cls = trainer_cls
        self.task = task
        self.passes = passes
        self.calibrate = calibrate
        self.confidence = confidence
        self.raw = raw
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.options = options

    def fit(self, X: Sentences, y: Labels, X_dev: Sentences | None = None, y_dev: Labels | None = None) -> Self:
        """Learns from sentences and their labels. Those of X_dev are only measured, after every pass.

        Ctrl-C ends it with KeyboardInterrupt, so that a search ends as well; model_ is then what was learned so far.
        """
        sentences, labels = _with_words(X, y)
        self._warn()
        options: dict[str, Any] = {**self._options(labels), **(self.options or {})}
        log = TrainingLog()

        def listen(event: dict[str, Any]) -> None:
            log.take(event)
            if self.verbose:
                print(event["text"] or "", end="\n" if event["text"] else "", flush=True)

        with _file_of(X_dev, y_dev) as dev:
            self.model_: Model = train(_features(sentences), labels=labels, progress=listen, dev=dev, **options)
        self.training_log_ = log
        self.classes_: list[str] = sorted({label for given in labels for label in given})
        if self.model_.interrupted:
            raise KeyboardInterrupt
        if self.model_filename is not None:
            self.model_.save(self.model_filename)
        return self

    def predict(self, X: Sentences) -> list[list[str]]:
        """The labels of every word."""
        return _labels(self._tag(X, confidence=False))

    def predict_single(self, xseq: Any) -> list[str]:
        """The labels of one sentence."""
        return self.predict([xseq])[0]

    def predict_marginals(self, X: Sentences) -> list[list[dict[str, float]]]:
        """For every word a dict of labels and their probabilities, which add up to 1."""
        return marginals(self._alternatives(X), self.classes_)

    def predict_marginals_single(self, xseq: Any) -> list[dict[str, float]]:
        """The same for one sentence."""
        return self.predict_marginals([xseq])[0]

    def predict_proba(self, X: Sentences) -> list[numpy.ndarray[Any, Any]]:
        """For every sentence an array of probabilities: a row for each word, a column for each of classes_."""
        return probabilities(self._alternatives(X), self.classes_)

    def predict_answers(self, X: Sentences, **options: Any) -> Answers:
        """The answers of Model.tag(), with confidences of words, chunks and sentences."""
        confidence = self.confidence
        if confidence is None and "confidence" not in self._fitted().model_.header:
            confidence = "gamma"  # not calibrated: the marginals
        return self._tag(X, **{"confidence": confidence, "raw": self.raw or None, **options})

    def score(self, X: Sentences, y: Labels) -> float:
        """The share of words whose label is right."""
        given = [label for labels in y for label in labels]
        found = [label for labels in self.predict(X) for label in labels]
        if len(given) != len(found):
            raise ValueError(f"expected {len(found)} labels, found {len(given)}")
        return sum(map(str.__eq__, given, found)) / len(found) if found else float("nan")

    def to_cleanlab(
        self, X: Sentences, y: Labels, cv: int | None = None
    ) -> tuple[list[list[int]], list[numpy.ndarray[Any, Any]]]:
        """Labels as numbers of classes_, and probabilities, as cleanlab.token_classification takes them.

        A model is too sure of sentences that it learned from. With `cv`, every sentence is answered by one of `cv`
        models that have not seen it, learned with the same parameters; without, X must be other than that of fit().
        """
        if cv is None:
            return to_cleanlab(self._alternatives(X), y, self._fitted().classes_)
        sentences, gold = _lists(X), _lists(y)
        classes = sorted({label for given in gold for label in given})
        if not 2 <= cv <= len(sentences):
            raise ValueError(f"expected cv from 2 to {len(sentences)}, the number of sentences, found {cv}")
        labels: list[list[int]] = [[]] * len(sentences)
        arrays: list[Any] = [None] * len(sentences)
        for part in range(cv):
            held_out, others = range(part, len(sentences), cv), [i for i in range(len(sentences)) if i % cv != part]
            tagger = type(self)(**{**self.get_params(deep=False), "model_filename": None})
            tagger.fit([sentences[i] for i in others], [gold[i] for i in others])
            answers = tagger._alternatives([sentences[i] for i in held_out])
            numbers, rows = to_cleanlab(answers, [gold[i] for i in held_out], classes)
            for i, number, row in zip(held_out, numbers, rows):
                labels[i], arrays[i] = number, row
        return labels, arrays

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """The weight of each pair of neighbouring labels, if no feature looks at words as well."""
        return label_pairs(self._fitted().model_)

    @property
    def state_features_(self) -> dict[tuple[str, str], float]:
        """The weight of each feature for each label; of models that learned from features."""
        return attributes(self._fitted().model_)

    @property
    def attributes_(self) -> list[str]:
        """The features that have a weight for some label; of models that learned from features."""
        return list(dict.fromkeys(name for name, _ in self.state_features_))

    @property
    def num_attributes_(self) -> int:
        """How many these are."""
        return len(self.attributes_)

    @property
    def size_(self) -> int:
        """How many bytes the model takes in a file."""
        return len(self._fitted().model_.to_bytes())

    @property
    def tagger_(self) -> SentenceTagger:
        """Labels one sentence at a time, as pycrfsuite.Tagger does."""
        return SentenceTagger(self._fitted())

    def __sklearn_clone__(self) -> Self:
        """What clone() calls: a search and a cross-validation fit clones, which calibrate only if they are told to."""
        made: Self = super().__sklearn_clone__()  # type: ignore[misc]
        made._is_clone = True
        return made

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _fitted(self) -> Self:
        if not hasattr(self, "model_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit() first")
        return self

    def _tag(self, X: Sentences, **options: Any) -> Answers:
        return self._fitted().model_.tag(_features(X), threads=self._threads(), **options)

    def _alternatives(self, X: Sentences) -> Answers:
        return self.predict_answers(X, alternatives=len(self._fitted().model_.labels))

    def _threads(self) -> int:
        if self.n_jobs is None:
            return 1
        return self.n_jobs if self.n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + self.n_jobs)

    def _options(self, y: Labels) -> dict[str, Any]:
        algorithm = self.algorithm or "crf"
        passes = self.passes
        calibrate = not self._is_clone if self.calibrate is None else self.calibrate
        if passes is None and self.max_iterations is not None:
            passes = min(self.max_iterations, _PASSES)
        return {
            "task": self.task or _task(y),
            "algorithm": _ALGORITHMS.get(algorithm, algorithm),
            "passes": passes,
            "l2": None if self.c2 is None else 2 * self.c2,
            "cutoff": None if self.min_freq is None else max(1, round(self.min_freq)),
            "C": self.c,
            "variance": self.variance,
            "no_calibrate": None if calibrate else True,
            "seed": _seed(self.random_state),
            "threads": self._threads(),
        }

    def _warn(self) -> None:
        names = [name for name in _WITHOUT_EFFECT if getattr(self, name) and name not in _said]
        if names:
            _said.update(names)
            warnings.warn(
                f"without effect here: {', '.join(names)}; any value gives the same model: see vouch.sklearn.Tagger",
                stacklevel=3,
            )


CRF = Tagger


def __getattr__(name: str) -> Any:
    """vouch.sklearn.scorers, which needs scikit-learn, is imported when it is asked for."""
    if name != "scorers":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(".scorers", __name__)


def _lists(values: Any) -> list[Any]:
    return values if isinstance(values, list) else list(values)


def _with_words(X: Sentences, y: Labels) -> tuple[list[Any], list[Any]]:
    """Both without the sentences that have no words: there is nothing to learn from them."""
    sentences, labels = _lists(X), _lists(y)
    if len(sentences) != len(labels):
        raise ValueError(f"expected labels of {len(sentences)} sentences, found those of {len(labels)}")
    kept = [i for i in range(len(sentences)) if len(sentences[i]) or len(labels[i])]
    if not kept:
        raise ValueError("expected at least one sentence with words, found none")
    return [sentences[i] for i in kept], [_lists(labels[i]) for i in kept]


def _features(X: Sentences) -> Sentences:
    """Words that are lists of features become dicts."""
    first = next((word for sentence in X for word in sentence), None)
    if not isinstance(first, (list, set, frozenset)):
        return X
    return [[dict.fromkeys(word, 1) for word in sentence] for sentence in X]


@contextmanager
def _file_of(X: Sentences | None, y: Labels | None) -> Generator[str | os.PathLike[str] | None]:
    """A file with these sentences for as long as it is needed, or None."""
    if X is None or y is None:
        yield None
        return
    sentences, labels = _with_words(X, y)
    with files_of(_features(sentences), labels, None, attributes=None, trees=False, gold=True) as (files, _):
        yield files[0]


def _labels(answers: Answers) -> list[list[str]]:
    return [[label or "" for label in sentence.labels] for sentence in answers]


def _task(y: Labels) -> str:
    labels = {label for sentence in y for label in sentence}
    chunks = labels != {"O"} and all(_IN_CHUNKS.fullmatch(label) for label in labels)
    return "ner" if chunks else "pos"


def _seed(random_state: Any) -> int | None:
    if random_state is None:
        return None
    return int(random_state.randint(1, 2**31 - 1) if hasattr(random_state, "randint") else random_state)
