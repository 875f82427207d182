"""Many calls take no more memory than one, hold no references, and leave other threads running."""

import gc
import os
import resource
import sys
import threading
import time
import tracemalloc
from array import array

import pytest

import vouch

SENTENCE = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]


def everything(ner: vouch.Model, dep: vouch.Model, judge: vouch.Judge, wrong: list[object]) -> None:
    ner.tag([SENTENCE], alternatives=2)[0].spans
    ner.tag([SENTENCE] * 100, threads=2).confidence.tolist()
    ner.tag([SENTENCE], confidence=["gamma", "delta"])[0][0].alternatives
    dep.parse([["Ada", "left"]])[0].heads
    judge.answer([[[1.0, 2.0], [2.0, 1.0]]])[0].labels
    judge.answer(memoryview(array("d", [1, 2, 3, 4])).cast("B").cast("d", (2, 2)), offsets=[0, 1, 2])
    vouch.metrics.measure([0.5, 0.25], [True, False])
    for call in (ner.tag, dep.parse, judge.answer):
        for bad in wrong:
            try:
                call(bad)
            except (TypeError, ValueError):
                continue
            raise AssertionError(f"{call} took {bad!r}")


def test_constant_memory(ner: vouch.Model, dep: vouch.Model) -> None:
    judge = vouch.Judge(["a", "b"])
    wrong: list[object] = [3, [3], [[3]], ["Ada"], [[("", "\0")]], [[("\ud800", "x")]], {"a": 1}]
    for _ in range(20):
        everything(ner, dep, judge, wrong)
    gc.collect()
    tracemalloc.start()
    everything(ner, dep, judge, wrong)
    gc.collect()
    before, peak = tracemalloc.get_traced_memory()[0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(300):
        everything(ner, dep, judge, wrong)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20_000
    if "VOUCH_SANITIZED" not in os.environ:  # AddressSanitizer keeps what is freed
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 4_000  # kilobytes


def test_reference_counts(ner: vouch.Model) -> None:
    words = [(f"word{i}", "NNP") for i in range(5)]
    sentences = [words]
    objects = [sentences, words, words[0], words[0][0], ner, ner._core, type(ner._core), vouch._core]
    for options in ({}, {"threads": 2}, {"confidence": False}):
        ner.tag(sentences, **options)  # makes a request, which refers to the model
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(50):
        ner.tag(sentences, threads=2)
        ner.tag(iter(sentences), confidence=False)[0].spans
        ner.stream(sentences)
        try:
            ner.tag([words, 3])
        except TypeError:
            pass
    gc.collect()
    assert [sys.getrefcount(o) for o in objects] == before


def test_views_keep_their_memory(ner: vouch.Model) -> None:
    view = ner.tag([SENTENCE] * 200).confidence
    expected = view.tolist()
    for _ in range(20):
        ner.tag([SENTENCE] * 200, confidence="delta")
    assert view.tolist() == expected
    with pytest.raises(TypeError):
        view[0] = 1.0


def test_another_thread_runs_meanwhile(ner: vouch.Model) -> None:
    """While the library answers, another thread of Python is not kept waiting for longer than between two switches."""
    sentences = [SENTENCE * 10] * 3000
    running, gaps = threading.Event(), []

    def watch() -> None:
        last = time.perf_counter()
        while not running.is_set():
            time.sleep(0.0005)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    thread = threading.Thread(target=watch)
    thread.start()
    begin = time.perf_counter()
    for _ in range(3):
        ner.tag(sentences, confidence="kd-fix")
    taken = time.perf_counter() - begin
    running.set()
    thread.join()
    assert taken > 0.3 and len(gaps) > 20 and max(gaps) < taken / 2


def test_calls_within_calls(ner: vouch.Model) -> None:
    def nested():
        yield SENTENCE
        assert len(ner.tag([SENTENCE] * 3)) == 3
        yield SENTENCE

    answers = ner.tag(nested())
    assert len(answers) == 2 and answers[0].labels == answers[1].labels


def test_threads_give_the_same_arrays(ner: vouch.Model, dep: vouch.Model) -> None:
    sentences = [[(f"w{i % 7}", "NNP")] * (i % 23) for i in range(400)]
    expected = ner.tag(sentences, alternatives=3, replace="?", threshold=0.9)
    for threads in (2, 3, 8):
        found = ner.tag(sentences, alternatives=3, replace="?", threshold=0.9, threads=threads)
        assert found.names == expected.names
        for name in ("offsets", "labels", "doubtful", "confidence", "span_offsets", "span_types", "span_starts"):
            assert getattr(found, name) == getattr(expected, name)
        assert found.alternatives.labels == expected.alternatives.labels
        assert [s.forms for s in found] == [s.forms for s in expected]
    trees = [[f"w{i % 5}"] * (i % 11) for i in range(300)]
    assert dep.parse(trees, threads=3).heads == dep.parse(trees).heads


def test_the_first_error_counts(ner: vouch.Model) -> None:
    good, bad = [("Ada", "NNP")] * 10, [("Ada", "NNP"), ("", "NNP")]
    for threads in (1, 2, 5):
        sentences = [good] * 300
        sentences[170], sentences[250], sentences[251] = bad, bad, [("Ada",)]
        with pytest.raises(ValueError, match="sentence 171, word 2"):
            ner.tag(sentences, threads=threads)
