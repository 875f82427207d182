"""Answers of other programs: as files and as rows, with the figures and the bytes of the program."""

import copy
import gzip
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, as_shares, rows

import vouch
from vouch import answers

RECORDED = Path(__file__).resolve().parents[2] / "examples" / "answers"
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def words(command: Command) -> tuple[Rows, Rows]:
    """Sentences that a program has labelled with margins, with gold: to calibrate on, and others."""
    chance = random.Random(8)
    made: Rows = []
    for sentence in rows(command("sample", "--kind", "ner", "-n", "600")):
        gold = [row[-1] for row in sentence]
        margins = [chance.gauss(2, 2) for _ in gold]
        guess = [label if m > 0.3 else "O" if label != "O" else "B-PER" for label, m in zip(gold, margins)]
        numbers = [abs(m) for m in margins]
        made.append({"word": [row[0] for row in sentence], "gold": gold, "guess": guess, "confidence": numbers})
    return made[:300], made[300:]


def write(path: Path, lines: Rows) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def test_words(words: tuple[Rows, Rows], tmp_path: Path, command: Command) -> None:
    dev, test = words
    path, other = write(tmp_path / "dev.jsonl", dev), write(tmp_path / "test.jsonl", test)
    calibration = answers.tune(dev)
    assert answers.tune(path).record["words"] == calibration.record["words"]
    assert "/proc" not in calibration.text
    command("tune", "-q", "--answers", str(path), "-o", str(tmp_path / "theirs.json"))
    theirs = answers.load(tmp_path / "theirs.json")
    assert theirs.record["words"] == calibration.record["words"]
    calibration.save(tmp_path / "ours.json")
    for ours in (calibration, tmp_path / "ours.json", str(tmp_path / "ours.json"), theirs):
        found = answers.measure(test, calibration=ours)
        printed = json.loads(
            command("eval", "-q", "--json", "--answers", str(other), "-m", str(tmp_path / "theirs.json"))
        )
        printed.pop("answers")
        assert found == as_shares(printed) and found == answers.measure(other, calibration=ours)
    text = command("tag", "-q", "--answers", str(other), "-m", str(tmp_path / "theirs.json"))
    assert answers.apply(other, calibration) == text
    completed = answers.apply(test, calibration)
    assert completed == [json.loads(line) for line in text.splitlines()]
    right = [g == h for row in test for g, h in zip(row["gold"], row["guess"])]
    probabilities = [p for row in completed for p in row["calibrated"]]
    assert vouch.metrics.ece(probabilities, right) < 0.05
    for again in (pickle.loads(pickle.dumps(calibration)), copy.copy(calibration), copy.deepcopy(calibration)):
        assert again == calibration and again != theirs and repr(again) == "<vouch.answers.Calibration: labels>"


def test_other_keys_and_gold_apart(words: tuple[Rows, Rows], tmp_path: Path) -> None:
    dev = words[0]
    named = [{"right": row["gold"], "found": row["guess"], "p": row["confidence"]} for row in dev]
    plain = [{key: row[key] for key in ("gold", "guess", "confidence")} for row in dev]
    assert answers.measure(named, columns="right,found,p") == answers.measure(plain)
    with pytest.raises(vouch.Error):
        answers.measure(named)
    numpy = pytest.importorskip("numpy")
    arrays = [{**row, "confidence": numpy.array(row["confidence"])} for row in plain]
    assert answers.measure(arrays) == answers.measure(plain)
    single = [{"gold": g, "guess": h, "confidence": numpy.float32(p)}
              for row in dev[:20] for g, h, p in zip(row["gold"], row["guess"], row["confidence"])]  # fmt: skip
    assert answers.measure(single, rows="together")["sentences"] == 1


@pytest.fixture(scope="module")
def spans() -> tuple[Rows, Rows]:
    """Recorded output of a pipeline of Hugging Face."""
    if not RECORDED.exists():
        pytest.skip("skipped: examples/answers is not beside this folder")
    parts = []
    for part in ("dev", "test"):
        with gzip.open(RECORDED / f"huggingface-{part}.jsonl.gz", "rt", encoding="utf-8") as file:
            parts.append([json.loads(line) for line in file])
    return parts[0], parts[1]


def test_spans(spans: tuple[Rows, Rows], tmp_path: Path, command: Command) -> None:
    dev, test = spans
    path = write(tmp_path / "dev.jsonl", dev)
    calibration = answers.tune(dev)
    assert repr(calibration) == "<vouch.answers.Calibration: spans>"
    calibration.save(tmp_path / "spans.json")
    other = write(tmp_path / "test.jsonl", test)
    text = command("tag", "-q", "--answers", str(other), "-m", str(tmp_path / "spans.json"), "--threshold", "0.5")
    found = answers.apply(test, calibration, threshold=0.5)
    assert found == [json.loads(line) for line in text.splitlines()]
    printed = json.loads(command("eval", "-q", "--json", "--answers", str(other), "-m", str(tmp_path / "spans.json")))
    printed.pop("answers", None)
    measured = answers.measure(test, calibration=calibration)
    assert measured == as_shares(printed) and printed["unit"] == "span"
    assert repr(measured).startswith(f"<vouch.Evaluation: F1 {measured.f1:.4g}, precision")
    assert str(measured).startswith(f"F1 {measured.f1:.4f}  precision {measured.precision:.4f}")
    figures, chosen = answers.trade(test, calibration=calibration, precision=0.9)
    assert chosen is not None and figures["operating_point"]
    count = sum(len(row["entities"]) for row in test)
    assert sum(len(row["entities"]) for row in answers.apply(test, chosen, operating_point=True)) < count
    assert answers.trade(path)[1] is None


def test_votes(tmp_path: Path, command: Command) -> None:
    def sample(*found: tuple[int, int, str]) -> Rows:
        return [{"text": "Ada met Bo", "spans": [{"start": a, "end": b, "label": c} for a, b, c in found]}]

    samples = [sample((0, 3, "PER"), (8, 10, "PER")), sample((0, 3, "PER")), sample((0, 3, "LOC"))]
    files = [str(write(tmp_path / f"{i}.jsonl", one)) for i, one in enumerate(samples)]
    counted = answers.vote(*samples)
    assert counted == [json.loads(line) for line in command("vote", *files).splitlines()]
    assert answers.vote(*files) == command("vote", *files)
    with pytest.raises(TypeError):
        answers.vote()


def test_wrong_answers(words: tuple[Rows, Rows], tmp_path: Path, ner: vouch.Model) -> None:
    calibration = answers.tune(words[0])
    for call in (lambda: answers.measure(tmp_path / "none"), lambda: answers.tune(tmp_path / "none"),
                 lambda: answers.apply(tmp_path / "none", calibration), lambda: answers.load(tmp_path / "none"),
                 lambda: answers.measure(words[0], calibration=tmp_path / "none")):  # fmt: skip
        with pytest.raises(FileNotFoundError):
            call()
    for wrong in ("x", 3, None, b"x"):
        with pytest.raises(TypeError):
            answers.measure([wrong])
    for wrong in ({}, b"x"):
        with pytest.raises(TypeError):
            answers.measure(wrong)
    with pytest.raises(TypeError, match="row 2"):
        answers.measure([words[0][0], {"gold": object()}])
    for wrong in ([], [{"gold": "O"}], [{"guess": 3}]):
        with pytest.raises(vouch.Error) as caught:
            answers.measure(wrong)
        assert "/proc" not in str(caught.value)
    (tmp_path / "no.json").write_text("no", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a calibration"):
        answers.load(tmp_path / "no.json")
    with pytest.raises((vouch.Error, ValueError), match="calibration"):
        answers.apply(words[0], answers.Calibration("{}"))
    calls = {"measure": (words[0],), "tune": (words[0],), "apply": (words[0], calibration), "trade": (words[0],),
             "vote": (words[0],)}  # fmt: skip
    for name, given in calls.items():
        with pytest.raises(TypeError, match=rf"^{name}\(\) got .* 'colums'. Did you mean 'columns'"):
            getattr(answers, name)(*given, colums="a,b,c")
    with pytest.raises(TypeError, match=r"trade\(\): expected a calibration as calibration="):
        answers.trade(words[0], calibration)
    with pytest.raises((TypeError, ValueError), match="columns"):
        ner.evaluate([[("Ada", "NNP")]], labels=[["B-PER"]], columns="a,b,c")
    with pytest.raises((TypeError, ValueError), match="columns"):
        ner.tag([[("Ada", "NNP")]], columns="a,b,c")
