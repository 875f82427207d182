"""What models do, judges do: evaluate, trade, review, sets of choices, thresholds, texts; and relations beside arcs."""

import json
import math
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, as_shares
from test_judge import LABELS, made_up, write_files

import vouch


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> tuple[vouch.Judge, list[Any], list[list[str]], Path]:
    """A calibrated judge, other scores with their gold, and a folder that has them as files for the program."""
    folder = tmp_path_factory.mktemp("judge")
    scores, gold = made_up(31, 400, 2)
    judge = vouch.calibrate(scores, LABELS, gold, constraints=True)
    scores, gold = made_up(32, 300, 2)
    write_files(folder, scores, gold)
    judge.save(folder / "x.judge")
    return judge, scores, gold, folder


def same(found: Any, expected: Any) -> None:
    """Equal JSON, but for what tells how it was made."""
    for one in (found, expected):
        for key in ("command", "files", "file", "model"):
            one.pop(key, None)
    assert found == expected


def test_evaluate_is_the_programs(case: Any, command: Command) -> None:
    judge, scores, gold, folder = case
    arguments = ["-m", str(folder / "x.judge"), "--scores", str(folder / "x.jsonl"), str(folder / "x.txt")]
    same(judge.evaluate(scores, gold), as_shares(json.loads(command("eval", "-q", "--json", *arguments))))
    found = judge.evaluate(scores, gold, confidence="gamma", raw=True)
    same(found, as_shares(json.loads(command("eval", "-q", "--json", "-c", "gamma", "--raw", *arguments))))
    numbers = [[LABELS.index(label) for label in row] for row in gold]
    assert judge.evaluate(scores, numbers)["all"] == judge.evaluate(scores, gold)["all"]


def test_shapes_are_evaluated_alike(case: Any) -> None:
    numpy = pytest.importorskip("numpy")
    judge, scores, gold, _ = case
    expected = judge.evaluate(scores, gold)
    arrays = [numpy.array(s, dtype="float32") for s in scores]
    offsets = numpy.cumsum([0, *(a.shape[1] for a in arrays)])
    assert judge.evaluate(numpy.concatenate(arrays, axis=1), gold, offsets=offsets) == expected
    empty = [numpy.zeros((2, 0, 3), dtype="float32"), *arrays]
    assert judge.evaluate(empty, [[], *gold]) == expected


@pytest.mark.parametrize("sets", [1, 2])
def test_transitions_of_the_call(sets: int) -> None:
    scores, gold = made_up(33, 60, sets)
    judge = vouch.Judge(LABELS, sets=sets, confidence="gamma")
    never = [[0.0, 0.25, -math.inf], [0.1, 0.0, 0.5], [0.0, 0.3, 0.0]]
    each = [[[never for _ in one[1:]] for one in s] for s in scores]
    kept = vouch.Judge(LABELS, sets=sets, transitions=never, confidence="gamma").evaluate(scores, gold)
    assert kept != judge.evaluate(scores, gold)
    assert judge.evaluate(scores, gold, transitions=never) == kept
    found = judge.answer(scores, transitions=each)
    assert found.confidence == judge.answer(scores, transitions=never).confidence
    finite = [[[[[max(x, -9.0) for x in row] for row in block] for block in one] for one in s] for s in each]
    shared = [[max(x, -9.0) for x in row] for row in never]
    expected = judge.evaluate(scores, gold, transitions=shared)
    assert judge.evaluate(scores, gold, transitions=finite) == expected != kept


def test_trade_and_the_operating_point(case: Any, command: Command) -> None:
    judge, scores, gold, folder = case
    arguments = ["--scores", str(folder / "x.jsonl"), str(folder / "x.txt")]
    found, chosen = judge.trade(scores, gold, precision=0.9)
    printed = command("trade", "-q", "--json", "--precision", "0.9", "-m", str(folder / "x.judge"), "-o",
                      str(folder / "point.judge"), *arguments)  # fmt: skip
    expected = as_shares(json.loads(printed))
    same(found["operating_point"], expected["operating_point"])
    assert "/proc" not in json.dumps(found) and "/proc" not in chosen.to_json()
    assert judge.trade(scores, gold)[1] is None
    text = command("tag", "-q", "-m", str(folder / "point.judge"), "--operating-point", *arguments)
    labels = [[row.split()[2] for row in block.split("\n")] for block in text.strip().split("\n\n")]
    answers = chosen.answer(scores, operating_point=True)
    assert [sentence.labels for sentence in answers] == labels != [s.labels for s in judge.answer(scores)]
    assert pickle.loads(pickle.dumps(chosen)).answer(scores, operating_point=True).labels == answers.labels
    with pytest.raises(ValueError, match="operating point"):
        judge.answer(scores, operating_point=True)
    with pytest.raises(ValueError, match="operating point"):  # one of other numbers
        chosen.calibrate(scores, gold).answer(scores, operating_point=True)


def test_review_is_the_programs(case: Any, command: Command) -> None:
    judge, scores, gold, folder = case
    wrong = [["O" if i % 40 == 0 else label for label in row] for i, row in enumerate(gold)]
    write_files(folder, scores, wrong)
    words = [[f"w{i}" for i in range(len(row))] for row in wrong]
    suspects = judge.review(scores, wrong, words=words, inspect=20)
    text = command("review", "-q", "--as", "jsonl", "--inspect", "20", "-m", str(folder / "x.judge"), "--scores",
                   str(folder / "x.jsonl"), str(folder / "x.txt"))  # fmt: skip
    lines = [json.loads(line) for line in text.splitlines()]
    write_files(folder, scores, gold)
    assert [(s.text, s.given, s.proposed) for s in suspects] == [(x["text"], x["given"], x["proposed"]) for x in lines]
    assert [s.error for s in suspects] == pytest.approx([x["error"] for x in lines], abs=1e-4)
    assert {s.file for s in suspects} == {"sentences"}


def test_sets_of_choices(case: Any) -> None:
    judge, scores, gold, _ = case
    with pytest.raises(ValueError, match="how large sets must be"):
        judge.answer(scores, sets=True)
    covering = judge.tune(scores, gold, coverage=0.95)
    test, right = made_up(34, 300, 2)
    answers = covering.answer(test, sets=True)
    held = [r in [label for label, _ in w.set] for s, row in zip(answers, right) for w, r in zip(s, row)]
    assert 0.92 < sum(held) / len(held) and answers.confidence == judge.answer(test).confidence
    assert sum(len(w.set) for s in answers for w in s) < 2.5 * len(held)
    again = pickle.loads(pickle.dumps(covering)).answer(test, sets=True)
    assert list(again.sets.labels) == list(answers.sets.labels)
    with pytest.raises(TypeError):
        judge.tune(scores, gold)


def test_threshold_and_replacement(case: Any) -> None:
    judge, scores, _, _ = case
    plain, answers = judge.answer(scores), judge.answer(scores, threshold=0.8)
    assert not any(plain.doubtful) and any(answers.doubtful) and answers.confidence == plain.confidence
    outside = [(w.confidence < 0.8, w.doubtful) for s in answers for w in s if w.label == "O"]
    assert all(low == doubtful for low, doubtful in outside) and len(set(outside)) == 2
    replaced = judge.answer(scores, threshold=0.8, replace="?")
    labels = [w.label for s in replaced for w in s]
    assert labels == ["?" if w.doubtful else w.label for s in answers for w in s]
    assert any(vouch.judge(scores, LABELS, threshold=0.9).doubtful)
    assert len(judge.answer(scores[:1], alternatives=2)[0][0].alternatives) == 2
    for wrong in ({"threshold": 2}, {"replace": "?"}, {"threshold": float("nan")}, {"confidence": "none"}):
        with pytest.raises(ValueError):
            judge.answer(scores, **wrong)
    with pytest.raises(TypeError, match="treshold"):
        judge.answer(scores, treshold=0.5)


def test_words_and_texts() -> None:
    scores = [[[0.0, 5.0, 0.0], [0.0, 0.0, 9.0], [5.0, 0.0, 0.0]], [[5.0, 0.0, 0.0]]]
    words = [["Ada", "King", "left"], ["No"]]
    answers = vouch.judge(scores, LABELS, words=words)
    assert [(s.text, s.start_char, s.end_char) for s in answers[0].spans] == [("Ada King", 0, 8)]
    assert answers[0].forms == words[0] and answers[1][0].form == "No"
    answers = vouch.judge(scores, LABELS, words=words, texts=["Ada  King left", "No"])
    assert [(s.text, s.start_char) for s in answers[0].spans] == [("Ada  King", 0)]
    again = pickle.loads(pickle.dumps(answers))
    assert again[0].spans == answers[0].spans and again[1].forms == ["No"]
    assert vouch.judge(scores, LABELS)[0].spans[0].text is None
    with pytest.raises(ValueError, match="words of sentence 1: expected 3"):
        vouch.judge(scores, LABELS, words=[["Ada"], ["No"]])
    with pytest.raises(ValueError, match="2 sentences"):
        vouch.judge(scores, LABELS, words=words[:1])
    with pytest.raises(ValueError, match="sentence 1, word 2"):
        vouch.judge(scores, LABELS, words=words, texts=["Ada left", "No"])
    with pytest.raises(TypeError, match="words="):
        vouch.judge(scores, LABELS, texts=["Ada King left", "No"])


def test_several_sentences_need_offsets() -> None:
    numpy = pytest.importorskip("numpy")
    scores = numpy.zeros((5, 3), dtype="float32")
    for call in (lambda: vouch.judge(scores, LABELS), lambda: vouch.calibrate(scores, LABELS, [["O"] * 5])):
        with pytest.raises(ValueError, match="expected offsets"):
            call()
    assert len(vouch.judge(scores, LABELS, offsets=[0, 2, 5])) == 2
    assert len(vouch.judge([scores], LABELS)) == 1
    with pytest.raises(TypeError, match="vouch.calibrate"):
        vouch.judge([scores], LABELS, gold=[["O"] * 5])


RELATIONS = ["nsubj", "obj", "root"]


def made_up_trees(seed: int, count: int, sets: int) -> tuple[list[Any], list[Any], list[list[int]], list[list[str]]]:
    """Arcs [K, N+1, N+1], relations [K, N+1, N+1, R], heads and relations that are right."""
    chance = random.Random(seed)
    arcs, relations, heads, names = [], [], [], []
    for _ in range(count):
        n = chance.randint(1, 5)
        right = [0] + [chance.randint(1, w) for w in range(1, n)]
        named = [2 if head == 0 else chance.randint(0, 1) for head in right]
        nodes = range(n + 1)
        arcs.append([[[chance.gauss(0, 1.5) + 4 * (m > 0 and right[m - 1] == h) for m in nodes] for h in nodes]
                     for _ in range(sets)])  # fmt: skip
        relations.append([[[[chance.gauss(0, 1.5) + 3 * (m > 0 and right[m - 1] == h and named[m - 1] == r)
                             for r in range(3)] for m in nodes] for h in nodes] for _ in range(sets)])  # fmt: skip
        heads.append(right)
        names.append([RELATIONS[r] for r in named])
    return arcs, relations, heads, names


@pytest.mark.parametrize("sets", [1, 2])
def test_relations_by_hand(sets: int) -> None:
    arcs, relations, _, _ = made_up_trees(41, 30, sets)
    judge = vouch.Judge(trees=True, relations=RELATIONS, sets=sets)
    answers = judge.answer(arcs, relations=relations)
    plain = vouch.Judge(trees=True, sets=sets).answer(arcs)
    assert answers.heads == plain.heads and answers.confidence == plain.confidence and answers.trees
    for i, sentence in enumerate(answers):
        for n, word in enumerate(sentence, 1):
            assert word.head is not None
            mean = [sum(relations[i][k][word.head][n][r] for k in range(sets)) / sets for r in range(3)]
            assert word.relation == RELATIONS[mean.index(max(mean))]
            total = sum(math.exp(x) for x in mean)
            assert word.relation_confidence == pytest.approx(math.exp(max(mean)) / total, rel=1e-4)
    assert pickle.loads(pickle.dumps(answers))[3].labels == answers[3].labels


def test_layouts_of_relations() -> None:
    numpy = pytest.importorskip("numpy")
    arcs, relations, _, _ = ([numpy.array(x)[0] for x in part] if i < 2 else part
                             for i, part in enumerate(made_up_trees(42, 20, 1)))  # fmt: skip
    names = [s.labels for s in vouch.Judge(trees=True, relations=RELATIONS).answer(arcs, relations=relations)]
    turned = vouch.Judge(trees=True, relations=RELATIONS, heads_first=False)
    found = turned.answer([a.T for a in arcs], relations=[r.transpose(1, 0, 2) for r in relations])
    assert [s.labels for s in found] == names
    diagonal, named = [], []
    for a, r in zip(arcs, relations):
        inner, labels = a[1:, 1:].copy(), r[1:, 1:].copy()
        for m in range(len(inner)):
            inner[m, m], labels[m, m] = a[0, m + 1], r[0, m + 1]
        diagonal.append(inner)
        named.append(labels)
    on_diagonal = vouch.Judge(trees=True, relations=RELATIONS, root="diagonal")
    assert [s.labels for s in on_diagonal.answer(diagonal, relations=named)] == names
    padded = numpy.full((20, 8, 8), 5, dtype="float32")
    wide = numpy.full((20, 8, 8, 3), 7, dtype="float32")
    for i, (a, r) in enumerate(zip(arcs, relations)):
        padded[i, : len(a), : len(a)], wide[i, : len(a), : len(a)] = a, r
    lengths = [len(a) - 1 for a in arcs]
    both = vouch.Judge(trees=True, relations=RELATIONS)
    assert [s.labels for s in both.answer(padded, lengths=lengths, relations=wide)] == names


def test_relations_are_calibrated_and_kept(tmp_path: Path, command: Command) -> None:
    arcs, relations, heads, names = made_up_trees(43, 400, 1)
    plain = vouch.Judge(trees=True, relations=RELATIONS)
    judge = plain.calibrate(arcs, heads, relations=relations, labels=names)
    assert judge.calibrated and judge.relations is not None and judge.relations.calibrated
    assert plain.relations is not None and not plain.relations.calibrated
    arcs, relations, heads, names = made_up_trees(44, 300, 1)
    answers = judge.answer(arcs, relations=relations, threshold=0.5)
    right = [(w.relation_confidence, w.relation == r) for s, row, head in zip(answers, names, heads)
             for w, r, h in zip(s, row, head) if w.head == h]  # fmt: skip
    raw = plain.answer(arcs, relations=relations)
    raw_right = [(w.relation_confidence, w.relation == r) for s, row, head in zip(raw, names, heads)
                 for w, r, h in zip(s, row, head) if w.head == h]  # fmt: skip
    assert vouch.metrics.log_loss(*zip(*right)) < vouch.metrics.log_loss(*zip(*raw_right))
    doubtful = [w.doubtful for s in answers for w in s]
    assert doubtful == [w.confidence < 0.5 or w.relation_confidence < 0.5 for s in answers for w in s] != raw.doubtful
    judge.save(tmp_path / "dep.judge")
    for again in (pickle.loads(pickle.dumps(judge)), vouch.load_judge(tmp_path / "dep.judge")):
        found = again.answer(arcs, relations=relations)
        assert found[0].labels == answers[0].labels
        assert found[0][0].relation_confidence == answers[0][0].relation_confidence
    assert command("info", "-m", str(tmp_path / "dep.judge"))
    evaluated = judge.evaluate(arcs, heads)
    hits = [a == b for row, right in zip(answers, heads) for a, b in zip(row.heads or [], right)]
    assert evaluated["all"]["uas"] == pytest.approx(sum(hits) / len(hits), abs=1e-5)
    for wrong in ({}, {"relations": relations[:-1]}, {"relations": [[[0.0]]] * len(arcs)}):
        with pytest.raises((TypeError, ValueError), match="relations"):
            judge.answer(arcs, **wrong)
    with pytest.raises(TypeError, match="relations"):
        vouch.Judge(LABELS, relations=RELATIONS)
