"""Every object can be looked at, copied and kept: what notebooks, debuggers, joblib and multiprocessing do to them."""

import copy
import inspect
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_judge import LABELS, made_up
from test_judge_jobs import RELATIONS, made_up_trees

import vouch
from vouch.sklearn import Tagger

WORDS = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]
GOLD = ["B-PER", "O", "O", "B-LOC"]


def parts(name: str, answers: vouch.Answers) -> Iterator[tuple[str, Any]]:
    """Answers, and all that is in them."""
    yield f"answers of {name}", answers
    yield f"a sentence of {name}", answers[0]
    yield from ((f"a word of {name}", word) for word in answers[0][:1])
    yield f"alternatives of {name}", answers.alternatives
    yield f"sets of {name}", answers.sets
    yield from ((f"a span of {name}", span) for span in answers[0].spans[:1])
    yield f"all spans of {name}", answers.spans
    yield f"some sentences of {name}", answers[:1]


def all_objects(ner: vouch.Model, dep: vouch.Model, folder: Path) -> Iterator[tuple[str, Any]]:
    plain = vouch.train([[("Ada", "B-PER"), ("left", "O")]] * 9, task="ner", passes=1, no_calibrate=True)
    X, y = [[{"word": "Ada"}, {"word": "left"}]] * 20, [["B-PER", "O"]] * 20
    for name, model, sentence in (("a tagger", ner, WORDS), ("a parser", dep, ["Ada", "slept"]),
                                  ("a model without calibration", plain, ["Ada"])):  # fmt: skip
        yield name, model
        answer = model.parse if model.parses else model.tag
        yield from parts(name, answer([sentence]))
        yield from parts(f"{name}, none at all", answer([[]]))
    yield from parts("texts", ner.tag([WORDS], texts=["Ada  lives in Paris"], confidence=["gamma", "delta"]))
    yield from parts("much", ner.tag([WORDS], alternatives=3, confidence="all"))
    yield "labelled sentences", vouch.read_conll(folder / "ner.test")
    yield "a treebank", vouch.read_conllu(folder / "dep.test")
    evaluation = ner.evaluate([WORDS] * 9, labels=[GOLD] * 9)
    yield "an evaluation", evaluation
    yield "figures", evaluation.table[0]
    yield "an evaluation of trees", dep.evaluate(folder / "dep.test")
    suspects = ner.review([WORDS] * 9, labels=[GOLD[::-1]] * 9)
    yield "suspects", suspects
    yield "a suspect", suspects[0]
    yield "one of the best answers", ner.k_best([WORDS])[0][0]
    annotator = vouch.Labelled([["Ada", "left"]], [["B-PER", "O"]])
    agreement = vouch.agree(annotator, annotator._replace(labels=[["O", "O"]]))
    yield "an agreement", agreement
    yield "a figure of agreement", agreement.figures[0]
    yield "a disagreement", agreement.disagreements[0]
    for to in ("conll", "jsonl"):
        yield f"a text as {to}", vouch.convert(b'{"text": "Ada left", "label": [[0, 3, "PER"]]}', to=to)
    scores, gold = made_up(51, 200)
    judge = vouch.calibrate(scores, LABELS, gold)
    yield "a judge", judge
    yield from parts("a judge", judge.answer(scores))
    arcs, relations, _, _ = made_up_trees(52, 5, 1)
    trees = vouch.Judge(trees=True, relations=RELATIONS)
    yield "a judge of trees", trees
    yield from parts("trees with relations", trees.answer(arcs, relations=relations))
    numbers = [{"gold": "O", "guess": "O", "confidence": 2.0}, {"gold": "O", "guess": "A", "confidence": 1.0}] * 20
    yield "a calibration", vouch.answers.tune(numbers)
    measures = vouch.metrics.measure([0.9, 0.2], [True, False])
    yield "measures", measures
    yield "a bin", measures.bins[0]
    yield "a tagger that is not fitted", Tagger()
    yield "a tagger of features", Tagger(passes=1, calibrate=False).fit(X, y)
    yield "a tagger of words", Tagger(passes=1, calibrate=False).fit([["Ada", "left"]] * 20, y)
    yield "a tagger of parts of speech", Tagger(passes=1, calibrate=True).fit([["Ada", "left"]] * 20, [["N", "V"]] * 20)


def look_at(given: Any) -> str:
    """Everything that shows an object; properties that do not apply are missing, and nothing else fails."""
    for name in dir(given):
        if not name.startswith("__"):
            hasattr(given, name)
    inspect.getmembers(given)
    assert inspect.getdoc(type(given))
    for name in ("_repr_html_", "_repr_mimebundle_"):
        if hasattr(given, name):
            assert getattr(given, name)() is not None
    assert str(given)
    return repr(given)


def test_all_objects_can_be_looked_at_copied_and_kept(ner: vouch.Model, dep: vouch.Model, folder: Path) -> None:
    seen = set()
    for name, given in all_objects(ner, dep, folder):
        try:
            shown = look_at(given)
            for again in (copy.copy(given), copy.deepcopy(given), pickle.loads(pickle.dumps(given))):
                assert type(again) is type(given) and look_at(again) == shown
        except Exception as error:
            pytest.fail(f"{name}: {type(error).__name__}: {error}")
        seen.add(type(given))
    public = {one for one in vars(vouch).values() if isinstance(one, type) and not issubclass(one, Exception)}
    assert public <= seen, f"not looked at: {[one.__name__ for one in public - seen]}"
