"""How far the network's answers can be trusted: by its own softmax, and by vouch judge. Needs numpy and the program.

    measure.py VOUCH WORK [--part PART]     prints a table of all methods on PART (test), as Markdown

Everything is fitted on WORK/calibrate.*: the temperatures here, the judges by `vouch judge --gold`. All numbers are
measured by `vouch eval`: the network's own are written as JSON lines with confidence, as vouch tag writes them.
"""
import argparse
import itertools
import json
import subprocess
from pathlib import Path

import numpy as np

import corpus

LEVELS = {"words": "words", "spans": "chunks", "sentences": "sentences"}  # as vouch eval calls them: as we do


def softmax(scores):
    """Probabilities along the last axis."""
    p = np.exp(scores - scores.max(-1, keepdims=True), dtype=np.float64)
    return p / p.sum(-1, keepdims=True)


def log_loss(scores, gold, temperature):
    """The mean of -log p of the gold label."""
    return -np.log(softmax(scores / temperature)[np.arange(len(gold)), gold] + 1e-300).mean()


def fit_temperature(scores, gold):
    """The temperature of the least log loss, by golden sections of its logarithm between 1/20 and 20."""
    low, high, ratio = -np.log(20), np.log(20), (5 ** 0.5 - 1) / 2
    for _ in range(40):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if log_loss(scores, gold, np.exp(a)) < log_loss(scores, gold, np.exp(b)):
            high = b
        else:
            low = a
    return float(np.exp((low + high) / 2))


class Part:
    """Gold, scores [T, Y] and passes [K, T, Y] of one file."""

    def __init__(self, work, name):
        self.sentences = corpus.sentences(work / f"{name}.txt")
        self.labels = (work / "labels.txt").read_text().split()
        number = {label: i for i, label in enumerate(self.labels)}
        self.gold = np.array([number[label] for _, labels in self.sentences for label in labels])
        self.scores = np.load(work / f"{name}.scores.npy").astype(np.float64)
        self.passes = np.load(work / f"{name}.passes.npy")

    def mean_of_passes(self):
        """The logarithm of the mean probability of the passes, [T, Y]: what is usual with dropout left on."""
        return np.log(np.maximum(softmax(self.passes).mean(0), 1e-12))


def write_answers(path, part, scores, answers, method):
    """Writes answers [T] with their probabilities; a chunk and a sentence have the least of their words'."""
    number, at = softmax(scores)[np.arange(len(answers)), answers], 0
    with open(path, "w", encoding="utf-8") as out:
        for words, gold in part.sentences:
            answer = [part.labels[i] for i in answers[at:at + len(words)]]
            mine = number[at:at + len(words)]
            spans = [{"start": a, "end": b, "label": kind, "confidence": mine[a:b].min()}
                     for a, b, kind in sorted(corpus.spans(answer))]
            confidence = {"method": method, "calibrated": False, "words": mine.tolist(), "sentence": mine.min()}
            print(json.dumps({"tokens": words, "labels": gold, "predicted": answer, "spans": spans,
                              "confidence": confidence}), file=out)
            at += len(words)


def constrained(vouch, work, part, name):
    """The best answers [T] in which labels follow each other as IOB2 allows, as vouch judge finds them."""
    command = [vouch, "judge", "--quiet", "--constraints", "--confidence", "gamma", "--labels", work / "labels.txt",
               "--scores", work / f"{name}.scores.npy", work / f"{name}.txt"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return np.array([part.labels.index(line.split()[-2]) for line in lines if line])


def evaluate(vouch, *arguments):
    """The measures of vouch eval, as it prints them."""
    command = [vouch, "eval", "--quiet", "--json", *map(str, arguments)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def row(name, measured, method):
    """A row of the table: F1, then AP, AURC and ECE of words, chunks and sentences."""
    cells = [name, f"{measured['all']['f1']:.2f}"]
    for level in LEVELS:
        found, = (m for m in measured["confidence"][level]["methods"] if m["method"] == method)
        cells += [f"{found['average_precision']:.3f}", f"{1000 * found['area_under_risk_coverage']:.2f}",
                  f"{100 * found['reliability']['ece']:.2f}"]
    return "| " + " | ".join(cells) + " |"


def own_rows(vouch, work, known, part, name):
    """The network's own numbers: one pass or the mean of several, plain and with a temperature."""
    chosen = constrained(vouch, work, part, name)
    for title, of, answers in (("softmax", lambda p: p.scores, None),
                               ("mean of {} passes", Part.mean_of_passes, None),
                               ("softmax of constrained answers", lambda p: p.scores, chosen)):
        temperature = fit_temperature(of(known), known.gold)
        for suffix, divisor in (("", 1), (f", temperature {temperature:.2f}", temperature)):
            write_answers(work / "own.jsonl", part, of(part) / divisor,
                          of(part).argmax(1) if answers is None else answers, "softmax")
            yield row(title.format(len(part.passes)) + suffix, evaluate(vouch, work / "own.jsonl"), "softmax")


def judge_rows(vouch, work, name):
    """vouch judge, calibrated on the part calibrate: one set of scores or the passes, free or constrained."""
    for constraints, scores in itertools.product(((), ("--constraints",)), ("scores", "passes")):
        model = work / "judge.vouch"
        methods = ("gamma", "committee") if scores == "scores" else ("gamma", "votes", "committee")
        subprocess.run([vouch, "judge", "--quiet", *constraints, "--labels", work / "labels.txt", "--scores",
                        work / f"calibrate.{scores}.npy", "--gold", work / "calibrate.txt", "-o", model], check=True,
                       stdout=subprocess.DEVNULL)
        measured = evaluate(vouch, "-m", model, "--scores", work / f"{name}.{scores}.npy", "-c", ",".join(methods),
                            work / f"{name}.txt")
        for method in methods:
            yield row(f"judge: {method}, {scores}{', constraints' if constraints else ''}", measured, method)


def print_table(rows):
    """Prints a Markdown table: AURC in thousandths, ECE in percent."""
    print("| | F1 |" + "".join(f" {title}: AP | AURC | ECE |" for title in LEVELS.values()))
    print("|---" + "|--:" * (1 + 3 * len(LEVELS)) + "|")
    for line in rows:
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vouch")
    parser.add_argument("work", type=Path)
    parser.add_argument("--part", default="test")
    options = parser.parse_args()
    known, part = Part(options.work, "calibrate"), Part(options.work, options.part)
    print_table(itertools.chain(own_rows(options.vouch, options.work, known, part, options.part),
                                judge_rows(options.vouch, options.work, options.part)))


if __name__ == "__main__":
    main()
