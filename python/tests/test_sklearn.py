"""vouch.sklearn.Tagger: scikit-learn's conventions, and those of sklearn_crfsuite.CRF."""

import inspect
import pickle
from array import array
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, rows

import vouch
import vouch.cleanlab
from vouch.sklearn import CRF, NotFittedError, Tagger

Corpus = tuple[list[list[dict[str, Any]]], list[list[str]]]


def features(sentence: list[list[str]], i: int) -> dict[str, Any]:
    """Features of every kind that sklearn-crfsuite takes."""
    word, pos = sentence[i][:2]
    return {
        "bias": 1.0,
        "word": word.lower(),
        "title": word.istitle(),
        "length": len(word) / 10,
        "suffix": [word[-2:], word[-3:]],
        "before": {"pos": sentence[i - 1][1], "first": False} if i else {"first": True},
        f"pos:{pos}": 1,
    }


@pytest.fixture(scope="module")
def corpus(command: Command) -> Corpus:
    sentences = rows(command("sample", "--kind", "ner", "-n", "150"))
    X = [[features(sentence, i) for i in range(len(sentence))] for sentence in sentences]
    return X, [[row[-1] for row in sentence] for sentence in sentences]


@pytest.fixture(scope="module")
def tagger(corpus: Corpus) -> Tagger:
    return Tagger(passes=3).fit(*corpus)


def test_parameters_are_stored_unchanged() -> None:
    names = [name for name in inspect.signature(Tagger.__init__).parameters if name != "self"]
    given = {name: object() for name in names}
    tagger = Tagger(**given)  # type: ignore[arg-type]
    assert tagger.get_params(deep=False) == given
    assert vars(tagger) == given
    other = {name: object() for name in names}
    assert Tagger().set_params(**other).get_params(deep=False) == other
    with pytest.raises(ValueError, match="unheard_of"):
        Tagger().set_params(unheard_of=1)
    assert "passes=3" in repr(Tagger(passes=3))


def test_predictions(tagger: Tagger, corpus: Corpus) -> None:
    X, y = corpus
    labels = tagger.predict(X)
    assert [len(sentence) for sentence in labels] == [len(sentence) for sentence in X]
    assert tagger.classes_ == sorted({label for sentence in y for label in sentence})
    assert {label for sentence in labels for label in sentence} <= set(tagger.classes_)
    assert labels[3] == tagger.predict_single(X[3])
    right = sum(a == b for u, v in zip(labels, y) for a, b in zip(u, v))
    assert tagger.score(X, y) == right / sum(map(len, y)) > 0.9
    assert tagger.predict([[], X[0]]) == [[], labels[0]]


def test_predictions_are_those_of_the_model(tagger: Tagger, corpus: Corpus) -> None:
    X, _ = corpus
    answers = tagger.model_.tag(X)
    assert tagger.predict(X) == [sentence.labels for sentence in answers]
    assert [w.confidence for w in tagger.predict_answers(X)[5]] == [w.confidence for w in answers[5]]


def test_the_same_input_gives_the_same_bytes(corpus: Corpus) -> None:
    X, y = corpus
    tagger = Tagger(passes=1, calibrate=False)
    first = tagger.fit(X, y).model_.to_bytes()
    assert tagger.fit(iter(X), iter(y)).model_.to_bytes() == first  # type: ignore[arg-type]
    assert tagger.fit([[], *X], [[], *y]).model_.to_bytes() == first


def test_lists_of_features(corpus: Corpus) -> None:
    X, y = corpus
    names = [[[f"word:{word['word']}", "title"] for word in sentence] for sentence in X]
    dicts = [[{"word": word["word"], "title": True} for word in sentence] for sentence in X]
    one, other = (Tagger(passes=1, calibrate=False).fit(words, y) for words in (names, dicts))
    assert one.state_features_ == other.state_features_ and one.predict(names) == other.predict(dicts)


def test_marginals(tagger: Tagger, corpus: Corpus) -> None:
    X, _ = corpus
    labels, marginals = tagger.predict(X[:9]), tagger.predict_marginals(X[:9])
    for sentence, words in zip(labels, marginals):
        for label, word in zip(sentence, words):
            assert set(word) == set(tagger.classes_)
            assert sum(word.values()) == pytest.approx(1) and min(word.values()) >= 0
    assert marginals[2] == tagger.predict_marginals_single(X[2])
    confidence = [word.confidence for word in tagger.predict_answers(X[:9])[4]]
    assert [marginals[4][i][label] for i, label in enumerate(labels[4])] == pytest.approx(confidence, abs=1e-5)


def by_hand(answers: vouch.Answers, classes: list[str]) -> list[list[dict[str, float]]]:
    """Labels that alternatives leave out share what is left of 1."""
    found = []
    for sentence in answers:
        found.append([])
        for word in sentence:
            row = {name: 0.0 for name in classes} | {n: p for n, p in word.alternatives if n in classes}
            missing = [name for name, p in row.items() if p == 0]
            row |= {name: max(0.0, 1 - sum(row.values())) / len(missing) for name in missing}
            found[-1].append({name: p / sum(row.values()) for name, p in row.items()})
    return found


def test_marginals_of_some_alternatives(tagger: Tagger, corpus: Corpus) -> None:
    X = [*corpus[0][:5], []]
    known = tagger.classes_
    for count, classes in ((99, known), (2, known), (99, [*known[2:], "new"]), (0, ["x"])):
        answers = tagger.predict_answers(X, alternatives=count)
        found = vouch.cleanlab.marginals(answers, classes)
        assert [[list(word) for word in s] for s in found] == [[classes] * len(s) for s in X]
        for words, expected in zip(found, by_hand(answers, classes), strict=True):
            assert all(a == pytest.approx(b) for a, b in zip(words, expected, strict=True))
        assert found == vouch.cleanlab.marginals(pickle.loads(pickle.dumps(answers)), classes)
    with pytest.raises(ValueError, match="class"):
        vouch.cleanlab.marginals(answers, [])
    numpy = pytest.importorskip("numpy")
    assert [array.shape for array in tagger.predict_proba(X)] == [(len(s), len(tagger.classes_)) for s in X]
    assert numpy.concatenate(tagger.predict_proba(X)).tolist() == [
        list(word.values()) for s in tagger.predict_marginals(X) for word in s
    ]
    assert tagger.predict_proba([]) == [] and tagger.predict_proba([[]])[0].shape == (0, len(tagger.classes_))


def test_wrong_arrays_of_marginals() -> None:
    core, wide, narrow, real = vouch._core, array("q", [0, 1]), array("i", [0]), array("d", [0.5])
    assert array("d", bytes(core.probabilities(wide, narrow, real, narrow, 1))) == array("d", [1.0])
    for wrong in [(array("q"), narrow, real, narrow, 1), (array("q", [1, 1]), narrow, real, narrow, 1),
                  (array("q", [0, 9]), narrow, real, narrow, 1), (array("q", [0, 9, 1]), narrow, real, narrow, 1),
                  (wide, array("i", [1]), real, narrow, 1), (wide, array("i", [-2]), real, narrow, 1),
                  (wide, narrow, array("d"), narrow, 1), (wide, narrow, real, array("i", [1]), 1)]:  # fmt: skip
        with pytest.raises(ValueError, match="alternatives"):
            core.probabilities(*wrong)
    for offsets, given, classes in [(array("q"), real, ("a",)), (wide, real, ()), (array("q", [0, 2]), real, ("a",)),
                                    (wide, array("d"), ("a",)), (array("q", [0, 5, 1]), real, ("a",))]:  # fmt: skip
        with pytest.raises(ValueError, match="row"):
            core.marginals(given, offsets, classes)
    with pytest.raises(TypeError):
        core.marginals(real, wide, ([],))


def test_marginals_of_a_crf(corpus: Corpus) -> None:
    """The weights by name, scored by hand: p(label) of a sentence of one word is a softmax of sums of weights.

    Labels that continue a chunk cannot begin a sentence: nothing is left for them.
    """
    X, y = corpus
    tagger = Tagger(passes=3, calibrate=False, task="pos", confidence="gamma", raw=True).fit(X, y)
    import math

    state = tagger.state_features_
    word = {"word": "paris", "length": 0.5, "suffix": ["is"], "title": True}
    names = {"word:paris": 1.0, "length": 0.5, "suffix:is": 1.0, "title": 1.0}
    scores = {c: sum(v * state.get((n, c), 0.0) for n, v in names.items()) for c in tagger.classes_}
    share = {c: 0.0 if c.startswith("I-") else math.exp(score) for c, score in scores.items()}
    expected = {c: part / sum(share.values()) for c, part in share.items()}
    assert tagger.predict_marginals_single([word])[0] == pytest.approx(expected, abs=1e-5)
    pairs = tagger.transition_features_
    assert set(pairs) == {(a, b) for a in tagger.classes_ for b in tagger.classes_}
    assert pairs["B-PER", "I-PER"] > pairs["B-PER", "I-LOC"]


def test_words_and_columns(command: Command) -> None:
    sentences = rows(command("sample", "--kind", "ner", "-n", "100"))
    y = [[row[-1] for row in sentence] for sentence in sentences]
    for X in ([[row[0] for row in s] for s in sentences], [[tuple(row[:2]) for row in s] for s in sentences]):
        tagger = Tagger(passes=2, calibrate=False).fit(X, y)
        assert tagger.score(X, y) > 0.9
    with pytest.raises(AttributeError, match="learned from features"):
        tagger.state_features_
    assert not hasattr(tagger, "attributes_") and not hasattr(Tagger(), "size_")
    pos = [[row[1] for row in sentence] for sentence in sentences]
    assert Tagger(passes=2, calibrate=False).fit(X, pos).model_.task == "pos"


def test_arguments_of_crfsuite(corpus: Corpus) -> None:
    X, y = corpus
    vouch.sklearn._said.clear()
    with pytest.warns(UserWarning, match="c1, epsilon"):
        tagger = CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=2, all_possible_transitions=True,
                     epsilon=1e-3, min_freq=2, calibrate=False).fit(X, y)  # fmt: skip
    header = tagger.model_.header
    assert header["passes"] == 2 and "--l2 0.2 " in header["command"] and "--cutoff 2 " in header["command"]
    assert "crf" in header["parameters"]["label"]
    for algorithm, learner in {"arow": "cw", "ap": "perceptron", "pa": "pa", "l2sgd": "crf"}.items():
        fitted = CRF(algorithm=algorithm, max_iterations=1000, calibrate=False).fit(X[:20], y[:20])
        assert fitted.model_.header["passes"] == 10 and learner in fitted.model_.header["parameters"]["label"]


def test_what_has_no_effect_is_said_once(corpus: Corpus, recwarn: pytest.WarningsRecorder) -> None:
    X, y = corpus[0][:20], corpus[1][:20]
    vouch.sklearn._said.clear()
    for c1 in (0.1, 0.2, 0.3):
        Tagger(c1=c1, passes=1, calibrate=False).fit(X, y)
    Tagger(c1=0.1, gamma=2.0, passes=1, calibrate=False).fit(X, y)
    assert [str(w.message).split(";")[0] for w in recwarn] == ["without effect here: c1", "without effect here: gamma"]


def test_what_a_fitted_tagger_shows(corpus: Corpus, tmp_path: Path) -> None:
    X, y = corpus
    tagger = Tagger(passes=3, calibrate=False).fit(X, y, X[:9], y[:9])
    tagger.model_.save(tmp_path / "model")
    assert tagger.size_ == (tmp_path / "model").stat().st_size
    names = {name for name, _ in tagger.state_features_}
    assert set(tagger.attributes_) == names and len(tagger.attributes_) == len(names) == tagger.num_attributes_
    log = tagger.training_log_
    assert [row["num"] for row in log.iterations] == [1, 2, 3] and log.last_iteration is log.iterations[-1]
    losses = [row["loss"] for row in log.iterations]
    assert losses == sorted(losses, reverse=True) and any("3/3" in line for line in log.log)
    assert pickle.loads(pickle.dumps(tagger)).training_log_.iterations == log.iterations
    one = tagger.tagger_
    assert one.labels() == tagger.classes_ and one.tag(X[0]) == tagger.predict_single(X[0])
    assert one.marginal(y[0][0], 0) == tagger.predict_marginals_single(X[0])[0][y[0][0]]
    with pytest.raises(ValueError, match="set"):
        tagger.tagger_.tag()


def test_seeds_and_files(corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    X, y = corpus
    path = tmp_path / "model"
    tagger = Tagger(passes=1, calibrate=False, random_state=7, model_filename=str(path), verbose=True)
    tagger.fit(X, y, X[:9], y[:9])
    assert vouch.load(path).header["seed"] == 7
    assert capsys.readouterr().out
    assert pickle.loads(pickle.dumps(tagger)).predict(X) == tagger.predict(X)


def test_threads_make_no_difference(tagger: Tagger, corpus: Corpus) -> None:
    assert Tagger(passes=3, n_jobs=-1).fit(*corpus).predict_marginals(corpus[0]) == tagger.predict_marginals(corpus[0])


def test_wrong_input(corpus: Corpus, tagger: Tagger) -> None:
    X, y = corpus
    with pytest.raises(NotFittedError):
        Tagger().predict(X)
    for wrong_X, wrong_y, kind in [
        (X[1:], y, ValueError),
        ([X[0][1:], *X[1:]], y, ValueError),
        (X, [[1] * len(labels) for labels in y], TypeError),
        ([[{"a": object()}]], [["O"]], TypeError),
        ([[{"a": float("nan")}]], [["O"]], ValueError),
        ([[{"a\tb": 1}]], [["O"]], ValueError),
        ([[{3: 1}]], [["O"]], TypeError),
        ([[{"a": "\ud800"}]], [["O"]], ValueError),
        ([], [], ValueError),
        ([[]], [[]], ValueError),
    ]:
        with pytest.raises((kind, vouch.Error)):
            Tagger(passes=1).fit(wrong_X, wrong_y)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        tagger.score(X, y[1:])


def test_to_cleanlab(tagger: Tagger, corpus: Corpus) -> None:
    numpy = pytest.importorskip("numpy")
    X, y = corpus
    labels, probabilities = tagger.to_cleanlab(X, y)
    assert [[tagger.classes_[i] for i in sentence] for sentence in labels] == y
    assert [array.shape for array in probabilities] == [(len(s), len(tagger.classes_)) for s in X]
    assert all(numpy.allclose(array.sum(axis=1), 1) for array in probabilities)
    found = [[tagger.classes_[i] for i in array.argmax(axis=1)] for array in probabilities]
    assert sum(a == b for u, v in zip(found, tagger.predict(X)) for a, b in zip(u, v)) > 0.98 * sum(map(len, X))
    with pytest.raises(ValueError, match="X-X"):
        tagger.to_cleanlab(X[:1], [["X-X"] * len(X[0])])
    with pytest.raises(ValueError, match="cv"):
        tagger.to_cleanlab(X, y, cv=1)


def test_scikit_learn(corpus: Corpus) -> None:
    pytest.importorskip("sklearn", reason="skipped: scikit-learn is not installed")
    import numpy
    from sklearn.base import BaseEstimator, clone
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import FunctionTransformer
    from sklearn.utils.validation import check_is_fitted

    X, y = corpus
    tagger = Tagger(passes=2, calibrate=False)
    assert isinstance(tagger, BaseEstimator)
    assert clone(tagger).get_params() == tagger.get_params()
    scores = cross_val_score(tagger, X, y, cv=3)
    assert len(scores) == 3 and min(scores) > 0.7
    grid = {"c2": numpy.array([0.01, 10.0]), "passes": numpy.array([1, 2])}
    search = GridSearchCV(tagger, grid, cv=2, n_jobs=2).fit(X, y)
    assert search.best_params_["passes"] in (1, 2)
    assert search.predict(X[:3]) == search.best_estimator_.predict(X[:3])
    check_is_fitted(search.best_estimator_)
    free = Tagger(passes=1)
    assert "confidence" in free.fit(X, y).model_.header  # calibrated
    assert "confidence" not in clone(free).fit(X, y).model_.header
    assert "confidence" not in clone(clone(free)).fit(X, y).model_.header
    best = GridSearchCV(free, {"c2": [0.1]}, cv=2, n_jobs=2).fit(X, y).best_estimator_
    assert "confidence" not in best.model_.header and sum(best.predict_marginals(X[:1])[0][0].values()) > 0.999
    assert "confidence" in best.set_params(calibrate=True).fit(X, y).model_.header
    assert "confidence" in clone(Tagger(passes=1, calibrate=True)).fit(X, y).model_.header
    drop = FunctionTransformer(lambda X: [[{**word, "before": {}} for word in sentence] for sentence in X])
    pipeline = Pipeline([("drop", drop), ("tag", tagger)]).fit(X, y)
    assert pipeline.set_params(tag__passes=3).get_params()["tag__passes"] == 3
    assert pipeline.predict(X)[0] and pipeline.score(X, y) > 0.8


def test_measures_and_scorers(corpus: Corpus) -> None:
    pytest.importorskip("sklearn", reason="skipped: scikit-learn is not installed")
    from sklearn.model_selection import cross_val_score

    from vouch.sklearn import metrics, scorers
    from vouch.sklearn.metrics import flat_f1_score

    X, y = corpus
    found = Tagger(passes=1, calibrate=False).fit(X[:30], y[:30]).predict(X)
    for name in ("accuracy", "sequence_accuracy"):
        scorer = getattr(scorers, name if name.startswith("sequence") else f"flat_{name}")
        assert len(cross_val_score(Tagger(passes=1), X, y, cv=2, scoring=scorer)) == 2
    theirs = pytest.importorskip("sklearn_crfsuite.metrics", reason="skipped: sklearn-crfsuite is not installed")
    assert set(metrics.__all__) == {name for name in dir(theirs) if name.startswith(("flat_", "sequence_"))}
    for name in metrics.__all__:
        options: dict[str, Any] = {"average": "weighted"} if name[5:7] in ("pr", "re", "f1", "fb") else {}
        options |= {"beta": 2} if "fbeta" in name else {}
        assert getattr(metrics, name)(y, found, **options) == getattr(theirs, name)(y, found, **options)
    assert flat_f1_score is metrics.flat_f1_score


def test_the_same_interface_as_sklearn_crfsuite(corpus: Corpus) -> None:
    sklearn_crfsuite = pytest.importorskip("sklearn_crfsuite", reason="skipped: sklearn-crfsuite is not installed")
    theirs = inspect.signature(sklearn_crfsuite.CRF.__init__).parameters
    ours = inspect.signature(Tagger.__init__).parameters
    assert list(theirs) == list(ours)[: len(theirs)]
    assert {n: p.default for n, p in theirs.items()} == {n: p.default for n, p in ours.items() if n in theirs}
    X, y = corpus
    options: dict[str, Any] = {"algorithm": "lbfgs", "c2": 0.1, "max_iterations": 50}
    one, other = sklearn_crfsuite.CRF(**options).fit(X, y), Tagger(**options, calibrate=False).fit(X, y)
    assert sorted(one.classes_) == other.classes_
    public = {name for name in dir(one) if name.endswith("_") and not name.startswith("_")}
    assert len(public) > 6 and not [name for name in public if not hasattr(other, name)]
    assert abs(one.score(X, y) - other.score(X, y)) < 0.02
    for method in ("predict", "predict_marginals"):
        a, b = getattr(one, method)(X[:5]), getattr(other, method)(X[:5])
        assert [len(s) for s in a] == [len(s) for s in b] and type(a[0][0]) is type(b[0][0])
    assert set(one.transition_features_) <= set(other.transition_features_)
    ours_named, theirs_named = ({name for name, _ in fitted.state_features_} for fitted in (other, one))
    assert ours_named <= theirs_named and len(ours_named) > 100


def test_cleanlab_finds_planted_errors(command: Command) -> None:
    pytest.importorskip("cleanlab", reason="skipped: cleanlab is not installed")
    from cleanlab.token_classification.filter import find_label_issues
    from cleanlab.token_classification.rank import get_label_quality_scores

    def read(*options: str) -> Corpus:
        sentences = rows(command("sample", "--kind", "ner", "-n", "300", *options))
        X = [[features(sentence, i) for i in range(len(sentence))] for sentence in sentences]
        return X, [[row[-1] for row in sentence] for sentence in sentences]

    X, noisy = read("--noise", "0.02")
    _, clean = read()
    planted = {(i, j) for i, s in enumerate(clean) for j, label in enumerate(s) if label != noisy[i][j]}
    labels, probabilities = Tagger(passes=5, n_jobs=2).to_cleanlab(X, noisy, cv=3)
    issues = find_label_issues(labels, probabilities)
    found = {(int(i), int(j)) for i, j in issues}
    assert len(planted) > 20 and len(found & planted) > 0.6 * len(planted)
    scores, _ = get_label_quality_scores(labels, probabilities)
    assert len(scores) == len(X)
