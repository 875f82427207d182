"""Spans of another program, for measuring: CRFsuite learns from a file of columns and answers another one.

    python3 bench/crfsuite_spans.py TRAIN ANSWERED [--algorithm lbfgs|ap] [--passes N] [--sentences N]
        [--sample K] > spans.jsonl

The first column is the word, the last one the label (IOB1 or IOB2). Every line of the output is a text, with the spans
as Hugging Face's pipeline("ner", aggregation_strategy="simple") writes them (entity_group, score, word, start, end),
the score being the mean of the marginals of the words' labels, and with the right spans under "gold". With --sample K
it is up to K answers instead, under "votes", as those of a language model that was asked several times: each is a list
of strings with labels, without offsets, in any order. They come from K models, each of which has learned from sentences
that were drawn with replacement, and of which one in five does not answer. Needs python-crfsuite.
"""
import argparse
import json
import lzma
import os
import random
import tempfile

import pycrfsuite


def sentences(path):
    words, labels, document = [], [], 0
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
        for line in list(file) + ["\n"]:
            cells = line.split()
            if cells and cells[0] != "-DOCSTART-":
                words.append(cells[0])
                labels.append(cells[-1])
                continue
            if words:
                yield words, labels, document
                words, labels = [], []
            document += bool(cells)


def shape(word):
    return "".join("X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else c for c in word)[:8]


def features(words):
    rows = []
    for i, word in enumerate(words):
        row = ["b", "w=" + word.lower(), "s=" + shape(word), "3=" + word[-3:], "p=" + word[:2]]
        for name, j in (("-1", i - 1), ("+1", i + 1)):
            near = words[j] if 0 <= j < len(words) else "<>"
            row += [name + "w=" + near.lower(), name + "s=" + shape(near)]
        rows.append(row)
    return rows


def spans(labels):
    """Yields (from, to, type) of the chunks, in words."""
    start = None
    for i, label in enumerate(labels + ["O"]):
        before = labels[i - 1] if i else "O"
        if start is not None and (label == "O" or label[0] == "B" or label[2:] != before[2:]):
            yield start, i, before[2:]
            start = None
        if label != "O" and start is None:
            start = i


def learn(learned, given, path):
    trainer = pycrfsuite.Trainer(given.algorithm, verbose=False)
    trainer.set("max_iterations", given.passes)
    for words, labels in learned:
        trainer.append(features(words), labels)
    trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    return tagger


def main():
    options = argparse.ArgumentParser()
    options.add_argument("train")
    options.add_argument("answered")
    options.add_argument("--algorithm", default="lbfgs")
    options.add_argument("--passes", type=int, default=60)
    options.add_argument("--sentences", type=int, default=None)
    options.add_argument("--sample", type=int, default=0)
    given = options.parse_args()
    learned = [(words, labels) for words, labels, _ in sentences(given.train)][:given.sentences]
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        taggers = [learn(draw.choices(learned, k=len(learned)) if given.sample else learned, given,
                         os.path.join(folder, str(k))) for k in range(given.sample or 1)]
        answered = list(sentences(given.answered))
        for words, gold, document in answered:
            begin = [0]
            for word in words:
                begin.append(begin[-1] + len(word) + 1)
            text, answers, row = " ".join(words), [], features(words)
            for tagger in taggers:
                labels = tagger.tag(row)
                sure = [tagger.marginal(label, i) for i, label in enumerate(labels)]
                answers.append([{"entity_group": kind, "score": round(sum(sure[a:b]) / (b - a), 7),
                                 "word": text[begin[a]:begin[b] - 1], "start": begin[a], "end": begin[b] - 1}
                                for a, b, kind in spans(labels)])
            right = [{"start": begin[a], "end": begin[b] - 1, "label": kind} for a, b, kind in spans(gold)]
            said = [[{"label": s["entity_group"], "text": s["word"]} for s in draw.sample(a, len(a))]
                    for a in answers if a is answers[0] or draw.random() < 0.8]
            found = {"votes": said} if given.sample else {"entities": answers[0]}
            place = {"document": document} if answered[-1][2] else {}
            print(json.dumps({**place, "text": text, **found, "gold": right}, ensure_ascii=False))


main()
