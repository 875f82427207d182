"""Models: opening, pickling, training, evaluating, and being interrupted."""

import json
import os
import copy
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import Command, as_shares

import vouch


def test_properties(ner: vouch.Model, dep: vouch.Model) -> None:
    assert (ner.task, ner.parses, ner.columns, ner.takes_attributes) == ("ner", False, 2, False)
    assert (dep.task, dep.parses) == ("dep", True)
    assert {"O", "B-PER"} < set(ner.labels) and "root" in dep.labels
    assert ner.header["version"] == vouch.__version__


def test_bytes(ner: vouch.Model, ner_path: Path) -> None:
    data = ner_path.read_bytes()
    assert ner.to_bytes() == data
    assert vouch.load(data).header == ner.header == vouch.load(memoryview(data)).header


def test_pickle(ner_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(ner_path.read_bytes())
    model = vouch.load(path)
    assert model._path is None and copy.copy(model) is model is copy.deepcopy(model)
    by_bytes, by_path = pickle.dumps(model), pickle.dumps(vouch.load(path, pickle="path"))
    shipped = pickle.loads(by_path)
    assert len(by_path) < 1000 and shipped.header == model.header and len(pickle.dumps(shipped)) < 1000
    path.write_bytes(ner_path.read_bytes() + b"x")
    with pytest.raises(ValueError, match="expected the model that was pickled"):
        pickle.loads(by_path)
    with pytest.raises(ValueError, match="expected the model that was loaded"):
        pickle.dumps(shipped)
    path.unlink()
    assert pickle.loads(by_bytes).to_bytes() == model.to_bytes() == ner_path.read_bytes()
    with pytest.raises(FileNotFoundError):
        pickle.loads(by_path)
    for source, how in ((ner_path, "file"), (ner_path.read_bytes(), "path")):
        with pytest.raises(ValueError, match="pickle"):
            vouch.load(source, pickle=how)


@pytest.mark.parametrize("threads", [1, 2])
def test_training_is_that_of_the_program(
    ner_path: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.chdir(folder)
    events: list[dict[str, object]] = []
    model = vouch.train("ner.train", task="ner", passes=2, threads=threads, progress=events.append)
    assert {"read", "pass", "calibrated"} <= {event["kind"] for event in events}
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == model.to_bytes() == ner_path.read_bytes()


def test_evaluation_is_that_of_the_program(
    ner: vouch.Model, command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    expected = json.loads(command("eval", "-q", "--json", "-m", "ner.vouch", "ner.test"))
    assert ner.evaluate("ner.test", threads=2) == as_shares(expected)


def test_exception_in_progress_ends_training(ner_path: Path, folder: Path) -> None:
    def fail(event: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        vouch.train(folder / "ner.train", task="ner", progress=fail)


def test_threads_share_a_model(ner: vouch.Model) -> None:
    sentences = [[("Ada", "NNP"), ("left", "VBD")]] * 50
    expected = ner.tag(sentences).confidence
    with ThreadPoolExecutor(4) as pool:
        options = [{"threads": 1 + i % 2, "alternatives": i % 3} for i in range(12)]
        answers = list(pool.map(lambda more: ner.tag(sentences, **more), options))
    assert all(answer.confidence == expected for answer in answers)
    assert [len(answer[0][0].alternatives) for answer in answers] == [i % 3 for i in range(12)]


TAG = """
def sentences():
    for _ in range(20000):
        yield [("Ada", "NNP")] * 40
    print("begun", flush=True)
vouch.load("ner.vouch").tag(sentences(), confidence="all", threads=THREADS)
"""
TRAIN = """
import warnings
def progress(event):
    if event["kind"] == "pass" and event["done"] == 1:
        print("begun", flush=True)
warnings.simplefilter("error", UserWarning)
model = vouch.train(["ner.train"] * 50, task="ner", passes=1000, progress=progress)
model.save("interrupted.vouch")
print(model.interrupted, model.labels == vouch.load("ner.vouch").labels)
"""

FIT = """
import threading, time, vouch.sklearn
def begin():
    time.sleep(0.5)
    print("begun", flush=True)
tagger = vouch.sklearn.Tagger(task="ner", passes=10000, calibrate=False)
threading.Thread(target=begin, daemon=True).start()
try:
    tagger.fit([[{"w": "Ada"}, {"w": "left"}]] * 2000, [["B-PER", "O"]] * 2000)
except KeyboardInterrupt:
    print("ended")
"""


def interrupt(folder: Path, code: str) -> tuple[str, str, int]:
    """Runs code until it has printed "begun", sends it Ctrl-C, and returns what it prints and its status."""
    with subprocess.Popen(
        [sys.executable, "-c", f"import vouch\n{code}"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as child:
        assert child.stdout and child.stdout.readline() == "begun\n"
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=60)
        return out, err, child.returncode


@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupt_of_tagging(ner_path: Path, folder: Path, threads: str) -> None:
    _, err, status = interrupt(folder, TAG.replace("THREADS", threads))
    assert "KeyboardInterrupt" in err and status == -signal.SIGINT


def test_interrupt_of_a_fit_ends_what_called_it(folder: Path) -> None:
    out, _, status = interrupt(folder, FIT)
    assert (out, status) == ("ended\n", 0)


def test_interrupt_of_training_keeps_what_was_learned(ner_path: Path, folder: Path) -> None:
    out, err, status = interrupt(folder, TRAIN)
    assert (out, status) == ("True True\n", 0) and "RuntimeWarning: training was interrupted" in err
    assert len(vouch.load(folder / "interrupted.vouch").tag([[("Ada", "NNP")]])[0]) == 1
