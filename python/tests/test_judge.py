"""Scores from elsewhere: as arrays and lists, of labels and of trees, calibrated and kept."""

import json
import math
import pickle
import random
from array import array
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, rows

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
    judge = vouch.calibrate(scores, LABELS, gold=gold, alternatives=2, constraints=True)
    assert isinstance(judge, vouch.Judge) and judge.calibrated and judge.sets == 2
    assert vouch.calibrate(scores, LABELS, gold, threads=2, constraints=True).to_json() == judge.to_json()
    test, right = made_up(3, 200, 2)
    answers = judge.answer(test)
    hits = [w.label == r for s, row in zip(answers, right) for w, r in zip(s, row)]
    raw = vouch.judge(test, LABELS, constraints=True, confidence="gamma")
    assert vouch.metrics.ece(answers.confidence, hits) < vouch.metrics.ece(raw.confidence, hits)
    judge.save(tmp_path / "ner.judge")
    assert [p.name for p in tmp_path.iterdir()] == ["ner.judge"]
    for again in (pickle.loads(pickle.dumps(judge)), vouch.load_judge(tmp_path / "ner.judge", alternatives=2)):
        found = again.answer(test)
        assert found.confidence == answers.confidence and found[0][0].alternatives == answers[0][0].alternatives
    numbers = [[LABELS.index(label) for label in row] for row in gold]
    assert vouch.calibrate(scores, LABELS, numbers, constraints=True).to_json() == judge.to_json()


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
    judge = vouch.calibrate(scores, gold=gold, trees=True)
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


def write_files(folder: Path, scores: list[Any], gold: list[Any]) -> None:
    """x.jsonl and x.txt, for the program."""
    lines = [json.dumps({"scores": sentence}).replace("-Infinity", "null") for sentence in scores]
    (folder / "x.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = [[f"w{i} {label}" for i, label in enumerate(row)] for row in gold]
    (folder / "x.txt").write_text("\n\n".join("\n".join(row) for row in words) + "\n", encoding="utf-8")


def printed(text: str, column: int) -> list[list[str]]:
    return [[row[column] for row in sentence] for sentence in rows(text)]


def test_the_program_takes_what_python_saves(command: Command, folder: Path) -> None:
    scores, gold = made_up(6, 300, 2)
    never = [[0.0, 0.25, -math.inf], [0.1, 0.0, 0.5], [0.0, 0.3, 0.0]]
    write_files(folder, scores, gold)
    judge = vouch.calibrate(scores, LABELS, gold, transitions=never, constraints=True)
    judge.save(folder / "python.judge")
    answers = judge.answer(scores)
    assert any(map(list.__ne__, (a.labels for a in answers), (a.labels for a in vouch.judge(scores, LABELS))))
    confidences = [[f"{word.confidence:.6f}" for word in sentence] for sentence in answers]
    for name in ("judge", "tag"):
        text = command(name, "-q", "-m", "python.judge", "--scores", "x.jsonl", "x.txt")
        assert printed(text, 2) == [a.labels for a in answers]
        assert [[f"{float(x):.6f}" for x in row] for row in printed(text, 3)] == confidences
    assert "transitions are kept" in command("info", "-m", "python.judge")


def test_python_takes_what_the_program_saves(command: Command, folder: Path) -> None:
    numpy = pytest.importorskip("numpy")
    scores, gold = made_up(7, 300, 2)
    transitions = numpy.array([[0, 0.25, -3], [0.1, 0, 0.5], [0, 0.3, 0]], dtype="float32")
    write_files(folder, scores, gold)
    numpy.save(folder / "edges.npy", transitions)
    (folder / "labels.txt").write_text("\n".join(LABELS), encoding="utf-8")
    command("judge", "-q", "--scores", "x.jsonl", "--labels", "labels.txt", "--transitions", "edges.npy", "--gold",
            "x.txt", "-o", "program.judge")  # fmt: skip
    judge = vouch.load_judge(folder / "program.judge")
    assert judge.calibrated and judge.sets == 2 and judge.labels == tuple(LABELS)
    assert judge.transitions == transitions.tolist()
    text = command("judge", "-q", "-m", "program.judge", "--scores", "x.jsonl", "x.txt")
    answers = judge.answer(scores)
    assert printed(text, 2) == [a.labels for a in answers]
    for row, sentence in zip(printed(text, 3), answers, strict=True):  # the program prints six digits
        assert [float(x) for x in row] == pytest.approx([word.confidence for word in sentence], rel=6e-6)
    ours = vouch.calibrate(scores, LABELS, gold, transitions=transitions)
    kept = json.loads(judge.to_json())["confidence"]
    assert kept.pop("sentences")  # the program has the words of the sentences, and remembers them
    assert json.loads(ours.to_json())["confidence"] == kept
    other = vouch.load_judge(folder / "program.judge", transitions=-transitions)
    assert other.transitions == (-transitions).tolist() and other.answer(scores).confidence != answers.confidence
    with pytest.raises(ValueError, match="weights"):
        vouch.train([[("a", "O")]] * 9, task="ner", passes=1, no_calibrate=True).save(folder / "weights.vouch")
        vouch.load_judge(folder / "weights.vouch")
    with pytest.raises(FileNotFoundError):
        vouch.load_judge(folder / "absent.judge")


@pytest.mark.parametrize("heads_first, root", [(True, "first"), (False, "first"), (True, "diagonal"),
                                               (False, "diagonal")])  # fmt: skip
def test_arcs_in_files(command: Command, folder: Path, heads_first: bool, root: str) -> None:
    chance = random.Random(8)
    (folder / "a.conllu").write_text(command("sample", "--kind", "dep", "-n", "60"), encoding="utf-8")
    gold = [[int(row[6]) for row in sentence] for sentence in rows((folder / "a.conllu").read_text(encoding="utf-8"))]
    plain, given = [], []
    for heads in gold:
        nodes = range(len(heads) + 1)
        arcs = [[(4 if m and heads[m - 1] == h else 0) + chance.uniform(-2, 2) for m in nodes] for h in nodes]
        plain.append(arcs)
        turned = arcs if root == "first" else [[arcs[0 if h == m else h][m] for m in nodes[1:]] for h in nodes[1:]]
        given.append(turned if heads_first else [list(column) for column in zip(*turned)])
    expected = vouch.calibrate(plain, gold=gold, trees=True).answer(plain)
    judge = vouch.calibrate(given, gold=gold, trees=True, heads_first=heads_first, root=root)
    assert judge.answer(given).heads == expected.heads and judge.answer(given).confidence == expected.confidence
    judge.save(folder / "python.judge")
    (folder / "a.jsonl").write_text("".join(json.dumps({"scores": s}) + "\n" for s in given), encoding="utf-8")
    text = command("parse", "-q", "-m", "python.judge", "--scores", "a.jsonl", "a.conllu")
    assert [int(head) for row in printed(text, 6) for head in row] == list(expected.heads)
    order = ["--arcs", "head-first" if heads_first else "modifier-first", "--root", root]
    command("judge", "-q", "--scores", "a.jsonl", *order, "--gold", "a.conllu", "-o", "program.judge")
    again = vouch.load_judge(folder / "program.judge")
    assert (again.heads_first, again.root, again.trees) == (heads_first, root, True)
    assert again.answer(given).confidence == expected.confidence


def test_threads_and_names() -> None:
    scores, _ = made_up(9, 600)
    judge = vouch.Judge(LABELS, alternatives=3, confidence="all")
    answers = judge.answer(scores)
    assert answers.names == (*LABELS, "PER")
    for threads in (2, 5):
        found = judge.answer(scores, threads=threads)
        assert found.names == answers.names and found.labels == answers.labels
        assert all(found.confidences[m] == answers.confidences[m] for m in answers.methods)
        assert found.offsets == answers.offsets and found.alternatives.labels == answers.alternatives.labels
    scores[400][0][0][0] = scores[500][0][0][0] = math.nan
    for threads in (1, 3):
        with pytest.raises(ValueError, match="sentence 401"):
            judge.answer(scores, threads=threads)
    some = judge.answer(scores[:400], threads=2)
    assert some.confidence == answers.confidence[: len(some.labels)]
    for threads in (0, -1, 10**9):
        with pytest.raises(ValueError, match="threads"):
            judge.answer(scores[:9], threads=threads)


def test_transitions_of_each_set(tmp_path: Path) -> None:
    scores, gold = made_up(10, 50, 2)
    each = [[[0.0, 0.0, 0.5 + k]] * 3 for k in range(2)]
    judge = vouch.Judge(LABELS, sets=2, transitions=each)
    assert judge.transitions == each
    assert pickle.loads(pickle.dumps(judge)).answer(scores).confidence == judge.answer(scores).confidence
    judge.save(tmp_path / "x.judge")
    again = vouch.load_judge(tmp_path / "x.judge")
    assert again.transitions == each
    assert again.answer(scores).confidence == judge.answer(scores).confidence
    same = vouch.Judge(LABELS, sets=2, transitions=[each[0], each[0]])
    assert same.transitions == each[0]
    same.save(tmp_path / "x.judge")
    assert vouch.load_judge(tmp_path / "x.judge").answer(scores).confidence == same.answer(scores).confidence


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
    ([[[1.0, 2.0, 3.0]]], {"transitions": [[math.nan] * 3] * 3}, ValueError, "transitions"),
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
        (None, {"trees": True, "root": "last"}, ValueError), (None, {"trees": True, "transitions": [[0.0]]}, TypeError),
    ]:  # fmt: skip
        with pytest.raises(kind):
            vouch.Judge(labels, **options)
    scores, gold = made_up(5, 20)
    for wrong in (gold[:-1], [*gold[:-1], ["O"] * 20], [*gold[:-1], [99] * len(gold[-1])], [[None]] * 20):
        with pytest.raises((ValueError, TypeError)):
            vouch.calibrate(scores, LABELS, gold=wrong)
    with pytest.raises(ValueError, match=rf"gold: expected labels such as '{LABELS[0]}', .* found 'X'"):
        vouch.calibrate(scores, LABELS, gold=[["X"] * len(row) for row in gold])
    with pytest.raises(TypeError, match=r"^answer\(\) got .* 'treshold'. Did you mean 'threshold'"):
        vouch.Judge(LABELS).answer(scores, treshold=0.9)
    with pytest.raises(TypeError, match=r"^judge\(\) got .* 'constrains'. Did you mean 'constraints'"):
        vouch.judge(scores, LABELS, constrains=True)
    with pytest.raises(TypeError, match=r"^calibrate\(\) got .* 'constrains'. Did you mean 'constraints'"):
        vouch.calibrate(scores, LABELS, gold=gold, constrains=True)
    with pytest.raises(ValueError):
        vouch.calibrate([[[0.0, 1.0], [0.0, 1.0]]], gold=[[7]], trees=True)
    with pytest.raises(ValueError):
        vouch.Judge(LABELS, sets=2).answer(scores)
    for text in ("", "{}", "[]", "3", '{"labels": 3}', vouch.Judge(LABELS).to_json()[:-9]):
        (tmp_path / "judge").write_text(text, encoding="utf-8")
        with pytest.raises((vouch.Error, ValueError)):
            vouch.load_judge(tmp_path / "judge")
    assert len(vouch.Judge(LABELS).answer([])) == 0
