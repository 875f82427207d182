"""Scores from elsewhere: as arrays and lists, of labels and of trees, calibrated and kept."""

import pickle
import random
from array import array
from pathlib import Path

import pytest

import vouch

LABELS = ["O", "B-PER", "I-PER"]


def made_up(seed: int, count: int, sets: int = 1) -> tuple[list[list[list[list[float]]]], list[list[str]]]:
    """Scores [K, N, Y] of a model that is mostly right and too sure, and what is right."""
    chance = random.Random(seed)
    scores, gold = [], []
    for _ in range(count):
        length = chance.randint(1, 7)
        right = [0]
        while len(right) < length:
            right.append(chance.choice([0, 1, 2] if right[-1] else [0, 1]))
        shared = [[(4 if y == r else 0) + chance.uniform(-4, 4) for y in range(3)] for r in right]
        scores.append([[[2 * s + chance.uniform(-2, 2) for s in row] for row in shared] for _ in range(sets)])
        gold.append([LABELS[r] for r in right])
    return scores, gold


def flat(sentence: list[list[list[float]]], code: str = "f") -> memoryview:
    """The scores of a sentence as an array [K, N, Y]."""
    numbers = array(code, [x for one in sentence for row in one for x in row])
    return memoryview(numbers).cast("B").cast(code, (len(sentence), len(sentence[0]), len(sentence[0][0])))


def test_one_set_by_hand() -> None:
    answers = vouch.judge([[[0.0, 1.0, 5.0], [0.0, 0.0, 9.0]]], LABELS, constraints=True, alternatives=3)
    assert answers[0].labels == ["B-PER", "I-PER"] and answers.methods == ("gamma",) and answers.calibrated == (False,)
    assert [(s.type, s.start, s.end, s.text) for s in answers[0].spans] == [("PER", 0, 2, None)]
    assert abs(sum(p for _, p in answers[0][0].alternatives) - 1) < 1e-6
    assert vouch.judge([[[0.0, 1.0, 5.0], [0.0, 0.0, 9.0]]], LABELS)[0].labels == ["I-PER", "I-PER"]


def test_transitions() -> None:
    scores = [[[1.0, 0.0, 0.0], [0.9, 0.0, 1.0]]]
    never = [[0.0, 0.0, -100.0], [0.0] * 3, [0.0] * 3]
    assert vouch.judge(scores, LABELS)[0].labels == ["O", "I-PER"]
    assert vouch.judge(scores, LABELS, transitions=never)[0].labels == ["O", "O"]
    judge = vouch.Judge(LABELS, transitions=never)
    assert judge(scores)[0].labels == pickle.loads(pickle.dumps(judge))(scores)[0].labels == ["O", "O"]
    assert judge(scores, transitions=[[[0.0] * 3] * 3])[0].labels == ["O", "I-PER"]
    own = [memoryview(array("f", [x for row in never for x in row])).cast("B").cast("f", (1, 3, 3))]
    assert vouch.Judge(LABELS)(scores, transitions=own)[0].labels == ["O", "O"]


@pytest.mark.parametrize("sets", [1, 3])
def test_shapes_are_the_same_scores(sets: int) -> None:
    numpy = pytest.importorskip("numpy")
    lists, _ = made_up(1, 30, sets)
    arrays = [numpy.array(s, dtype="float32") for s in lists]
    judge = vouch.Judge(LABELS, sets=sets, confidence="all")
    expected = judge.answer(arrays)
    lengths = [s.shape[1] for s in arrays]
    offsets = numpy.cumsum([0, *lengths])
    packed = numpy.concatenate(arrays, axis=1)
    padded = numpy.full((sets, len(arrays), max(lengths), 3), numpy.nan, dtype="float32")
    for i, s in enumerate(arrays):
        padded[:, i, : lengths[i]] = s
    if sets == 1:
        packed, padded = packed[0], padded[0]
    for found in (
        judge.answer(list(map(flat, lists))),
        judge.answer(packed, offsets=offsets),
        judge.answer(numpy.asfortranarray(packed), offsets=offsets),
        judge.answer(packed.astype("float64"), offsets=offsets),
        judge.answer(padded, lengths=lengths),
        judge.answer(padded[..., ::-1][..., ::-1], lengths=lengths),
    ):
        assert found.labels == expected.labels
        assert all(found.confidences[m] == expected.confidences[m] for m in expected.methods)
    halves = [s.astype("float16") for s in arrays]
    half = judge.answer(halves)
    assert half.confidence == judge.answer([s.astype("float32") for s in halves]).confidence
    assert half.confidence != expected.confidence


def test_every_half_precision_number() -> None:
    numpy = pytest.importorskip("numpy")
    numbers = numpy.arange(65536, dtype="uint16").view("float16")
    numbers = numbers[numpy.isfinite(numbers)]
    zeros = numpy.zeros_like(numbers)
    narrow = numpy.stack([numbers, zeros], axis=1)
    half = vouch.judge([narrow], ["a", "b"], c=0.001)
    assert half.confidence == vouch.judge([narrow.astype("float32")], ["a", "b"], c=0.001).confidence


def test_calibration_and_keeping(tmp_path: Path) -> None:
    scores, gold = made_up(2, 400, 2)
    judge = vouch.judge(scores, LABELS, gold=gold, alternatives=2, constraints=True)
    assert isinstance(judge, vouch.Judge) and judge.calibrated and judge.sets == 2
    assert vouch.judge(scores, LABELS, gold, threads=2, constraints=True).to_json() == judge.to_json()
    test, right = made_up(3, 200, 2)
    answers = judge.answer(test)
    hits = [w.label == r for s, row in zip(answers, right) for w, r in zip(s, row)]
    raw = vouch.judge(test, LABELS, constraints=True, confidence="gamma")
    assert vouch.metrics.ece(answers.confidence, hits) < vouch.metrics.ece(raw.confidence, hits)
    judge.save(tmp_path / "judge.json")
    assert [p.name for p in tmp_path.iterdir()] == ["judge.json"]
    for again in (pickle.loads(pickle.dumps(judge)), vouch.load_judge(tmp_path / "judge.json", alternatives=2)):
        found = again.answer(test)
        assert found.confidence == answers.confidence and found[0][0].alternatives == answers[0][0].alternatives
    numbers = [[LABELS.index(label) for label in row] for row in gold]
    assert vouch.judge(scores, LABELS, numbers, constraints=True).to_json() == judge.to_json()


def test_trees() -> None:
    chance = random.Random(4)
    scores, gold = [], []
    for _ in range(150):
        n = chance.randint(1, 6)
        heads = [0] + [chance.randint(1, w) for w in range(1, n)]
        arcs = [[chance.uniform(-2, 2) + (4 if m > 0 and heads[m - 1] == h else 0) for m in range(n + 1)]
                for h in range(n + 1)]  # fmt: skip
        scores.append(arcs)
        gold.append(heads)
    judge = vouch.judge(scores, gold=gold, trees=True)
    answers = judge.answer(scores)
    assert judge.calibrated and judge.trees and answers.trees and answers[0].heads is not None
    assert sum(a.heads == g for a, g in zip(answers, gold)) > 50
    turned = [[list(column) for column in zip(*arcs)] for arcs in scores]
    assert vouch.Judge(trees=True, heads_first=False).answer(turned).heads == answers.heads
    assert pickle.loads(pickle.dumps(judge)).answer(scores).confidence == answers.confidence
    numpy = pytest.importorskip("numpy")
    padded = numpy.full((len(scores), 9, 9), 77, dtype="float32")
    for i, arcs in enumerate(scores):
        padded[i, : len(arcs), : len(arcs)] = arcs
    lengths = [len(arcs) - 1 for arcs in scores]
    assert judge.answer(padded, lengths=lengths).confidence == answers.confidence
    other = vouch.Judge(trees=True, heads_first=False).answer(padded.transpose(0, 2, 1), lengths=lengths)
    assert other.heads == answers.heads


@pytest.mark.parametrize("scores, more, kind, message", [
    ([[[1.0, 2.0]]], {}, ValueError, "labels"),
    ([[[1.0, 2.0, float("nan")]]], {}, ValueError, "sentence 1"),
    ([[[1.0, 2.0, float("inf")]]], {}, ValueError, "sentence 1"),
    ([[[1.0, 2.0, 1e300]]], {}, ValueError, "sentence 1"),
    ([[[1.0, 2.0, 3.0], [1.0, 2.0]]], {}, ValueError, "same length"),
    ([[1.0, 2.0, 3.0]], {}, ValueError, r"\[N, Y\]"),
    ([[["a", "b", "c"]]], {}, TypeError, "numbers"),
    ("abc", {}, TypeError, "scores"),
    (None, {}, TypeError, "scores"),
    ([array("i", [1, 2, 3])], {}, TypeError, "float16, float32 or float64"),
    (array("f", [1, 2, 3]), {}, ValueError, "one a sentence"),
    (array("f", [1, 2, 3]), {"offsets": [0, 1]}, ValueError, "offsets"),
    (flat([[[1.0, 2.0, 3.0]]]), {"offsets": [0, 2]}, ValueError, "offsets"),
    (flat([[[1.0, 2.0, 3.0]]]), {"offsets": [0, 1, 0, 1]}, ValueError, "offsets"),
    (flat([[[1.0, 2.0, 3.0]]]), {"lengths": [2]}, ValueError, "lengths"),
    (flat([[[1.0, 2.0, 3.0]]]), {"lengths": [1, 1]}, ValueError, "lengths"),
    ([[[1.0, 2.0, 3.0]]], {"transitions": [[1.0, 2.0]]}, ValueError, "transitions"),
    ([[[1.0, 2.0, 3.0]]], {"offsets": [0], "lengths": [1]}, ValueError, "both"),
])  # fmt: skip
def test_wrong_scores(scores: object, more: dict[str, object], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        vouch.judge(scores, LABELS, **more)


def test_wrong_judges_and_gold(tmp_path: Path) -> None:
    for labels, options, kind in [
        (None, {}, TypeError), (LABELS, {"trees": True}, TypeError), ("OBI", {}, TypeError), ([], {}, ValueError),
        (["O", "O"], {}, ValueError), (["O", ""], {}, ValueError), (["\ud800"], {}, ValueError), ([3], {}, TypeError),
        (["a\0"], {}, ValueError), (LABELS, {"confidence": "unheard-of"}, ValueError),
        (LABELS, {"scheme": "unheard-of"}, ValueError), (LABELS, {"sets": -1}, ValueError),
        (LABELS, {"c": float("nan")}, ValueError), (LABELS, {"draws": 10**6}, ValueError),
    ]:  # fmt: skip
        with pytest.raises(kind):
            vouch.Judge(labels, **options)
    scores, gold = made_up(5, 20)
    for wrong in (gold[:-1], [*gold[:-1], ["O"] * 20], [*gold[:-1], [99] * len(gold[-1])], [[None]] * 20):
        with pytest.raises((ValueError, TypeError)):
            vouch.judge(scores, LABELS, gold=wrong)
    with pytest.raises(ValueError):
        vouch.judge([[[0.0, 1.0], [0.0, 1.0]]], gold=[[7]], trees=True)
    with pytest.raises(ValueError):
        vouch.Judge(LABELS, sets=2).answer(scores)
    for text in ("", "{}", "[]", "3", '{"labels": 3}', vouch.Judge(LABELS).to_json()[:-9]):
        (tmp_path / "judge").write_text(text, encoding="utf-8")
        with pytest.raises((vouch.Error, ValueError)):
            vouch.load_judge(tmp_path / "judge")
    assert len(vouch.Judge(LABELS).answer([])) == 0
