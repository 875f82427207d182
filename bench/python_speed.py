#!/usr/bin/python3
"""Measures what a call from Python costs beside the library's own time, and what a second thread gains.

usage: bench/python_speed.py PROGRAM LIBRARY [CALLS]    with the package `vouch` in PYTHONPATH

A tagger is learned from sentences that PROGRAM, `vouch`, makes up. LIBRARY is libvouch.a: a C program over it answers
the same sentence of ten words again and again, by vouch_sentence_set_cells() and vouch_worker_answer(); its time is
taken off that of Model.tag(). Each figure is the best of nine runs, Python and C in turns. Then 20000 sentences are
tagged on one thread and on two, in turns. With CALLS, so many calls are made, and the memory at their beginning and
end is shown.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import vouch

WORDS = "Ada/NNP Byron/NNP lives/VBZ in/IN Paris/NNP and/CC works/VBZ for/IN Reuters/NNP ./.".split()
SENTENCE = [tuple(word.split("/")) for word in WORDS]
RUNS = 9

PEER = """
#include <stdio.h>
#include <time.h>
#include <vouch.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* peer MODEL CONFIDENCE CALLS: microseconds a sentence */
int main(int argc, char **argv)
{
    const char *cell[] = {CELLS};
    struct vouch_error err = {0};
    int calls = 0, ok = argc == 4 && sscanf(argv[3], "%d", &calls) == 1;
    vouch_model *model = ok ? vouch_model_open(argv[1], &err) : NULL;
    vouch_options *options = model ? vouch_options_new("tag", &err) : NULL;
    ok = options && (!*argv[2] || vouch_options_set(options, "confidence", argv[2], &err) == VOUCH_OK);
    vouch_request *request = ok ? vouch_request_new(model, options, &err) : NULL;
    vouch_worker *worker = request ? vouch_worker_new(request, &err) : NULL;
    vouch_sentence *sentence = vouch_sentence_new(&err);
    ok = worker && sentence;
    double begin = now();
    for (int i = 0; ok && i < calls; i++)
        ok = vouch_sentence_set_cells(sentence, cell, sizeof cell / sizeof *cell / 2, 2, &err) == VOUCH_OK &&
             vouch_worker_answer(worker, sentence, &err);
    if (ok)
        printf("%.4f\\n", 1e6 * (now() - begin) / calls);
    else
        fprintf(stderr, "peer: %s\\n", err.message);
    return ok ? 0 : 1;
}
"""


def build_peer(folder: Path, library: str) -> Path:
    cells = ", ".join(f'"{cell}"' for word in SENTENCE for cell in word)
    source = folder / "peer.c"
    source.write_text(PEER.replace("CELLS", cells), encoding="utf-8")
    header = Path(__file__).resolve().parents[1] / "include"
    link = [library, "-larchive", "-ljansson", "-lutf8proc", "-lm", "-pthread"]
    subprocess.run(["cc", "-O2", f"-I{header}", str(source), *link, "-o", str(folder / "peer")], check=True)
    return folder / "peer"


def timed(call, calls: int) -> float:
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return 1e6 * (time.perf_counter() - begin) / calls


def overhead(model: vouch.Model, peer: Path, path: Path) -> None:
    one = [SENTENCE]
    for name, typed, given in (("default", "", None), ("gamma", "gamma", "gamma"), ("none", "none", False)):
        python, library = [], []
        for _ in range(RUNS):
            done = subprocess.run([peer, path, typed, "3000"], check=True, stdout=subprocess.PIPE, text=True)
            library.append(float(done.stdout))
            python.append(timed(lambda: model.tag(one, confidence=given), 3000))
        ours, theirs = min(python), min(library)
        print(f"confidence {name:8} Python {ours:6.2f}  C {theirs:6.2f}  overhead {ours - theirs:5.2f} microseconds")
    called, read = (min(timed(call, 3000) for _ in range(RUNS)) for call in
                    (lambda: model.tag(one), lambda: model.tag(one)[0].labels))  # fmt: skip
    print(f"reading answers[0].labels takes {read - called:.2f} more")


def second_thread(model: vouch.Model, sentences: list[list[tuple[str, ...]]]) -> None:
    for name, given in (("default", None), ("kd-fix", "kd-fix"), ("none", False)):
        seconds: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(RUNS):
            for threads, all_runs in seconds.items():
                all_runs.append(timed(lambda: model.tag(sentences, confidence=given, threads=threads), 1) / 1e6)
        one, two = min(seconds[1]), min(seconds[2])
        print(f"confidence {name:8} one thread {one:.3f} s, two {two:.3f} s: {one / two:.2f} times as fast")


def resident() -> int:
    """Kilobytes of memory that the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def many_calls(model: vouch.Model, calls: int) -> None:
    one = [SENTENCE]
    for _ in range(1000):
        model.tag(one)[0].spans
    begin = resident()
    for _ in range(calls):
        model.tag(one)[0].spans
    print(f"{calls} calls: {begin} KB at the beginning, {resident()} KB at the end")


def main() -> int:
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    print(f"load {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peer = build_peer(folder, str(Path(sys.argv[2]).resolve()))
        for part, first in (("train", "0"), ("test", "2000")):
            command = [sys.argv[1], "sample", "--kind", "ner", "-n", "2000", "--first", first, "-o", folder / part]
            subprocess.run(command, check=True)
        model = vouch.train(folder / "train", task="ner", threads=2)
        model.save(folder / "model")
        model = vouch.load(folder / "model")  # as the C program does
        overhead(model, peer, folder / "model")
        text = (folder / "test").read_text(encoding="utf-8")
        blocks = [block.split("\n") for block in text.strip("\n").split("\n\n")]
        second_thread(model, [[tuple(line.split(" ")[:2]) for line in lines] for lines in blocks] * 10)
        if len(sys.argv) == 4:
            many_calls(model, int(sys.argv[3]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
