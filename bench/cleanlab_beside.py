"""Label errors of CoNLL-2003's testa: `vouch review` beside cleanlab, on what is known to be wrong.

    bench/cleanlab_beside.py DATA [--corrections FILE] [--rate R] [--seed N]

DATA has seq/conll2003-en/eng.testa.xz. Without --corrections, errors are planted in a share R of the entities of a copy
(another type, a boundary moved by a word, dropped, or invented; a quarter each). With it, the labels are as they are,
and what people found wrong in them is FILE: all_conll_corrections_combined.csv of github.com/CODAIT,
"Identifying-Incorrect-Labels-In-CoNLL-2003" (Reiss et al., 2020); errors of tokens and sentences are left out.

Three lists of all words, most suspect first, each from models of the other four fifths of the same sentences:

    review              vouch.review(), as it comes
    cleanlab, vouch     cleanlab's ranking, with marginals of vouch's CRF
    cleanlab, crfsuite  cleanlab's ranking, with marginals of CRFsuite and the features of sklearn-crfsuite's tutorial

and how many of the words that are wrong are among the first n, with the average precision.
"""

import argparse
import csv
import lzma
import random
import re
from pathlib import Path

import numpy
import sklearn_crfsuite
from cleanlab.token_classification.rank import get_label_quality_scores

import vouch
from vouch.cleanlab import to_cleanlab

FOLDS = 5
TYPES = ["PER", "LOC", "ORG", "MISC"]


def read(path):
    """Documents as lists of sentences, which are lists of rows; a document ends with its -DOCSTART-."""
    documents = [[]]
    for block in lzma.open(path, "rt", encoding="utf-8").read().strip().split("\n\n"):
        rows = [line.split() for line in block.split("\n")]
        if rows[0][0] == "-DOCSTART-":
            documents.append([])
        else:
            documents[-1].append(rows)
    return documents


def spans_of(labels):
    """Chunks of IOB1 labels as (start, end, type)."""
    spans, start = [], None
    for i, label in enumerate([*labels, "O"]):
        before = labels[i - 1] if i else "O"
        if start is not None and (label[0] != "I" or label[2:] != before[2:]):
            spans.append((start, i, before[2:]))
            start = None
        if label != "O" and start is None:
            start = i
    return spans


def labels_of(spans, length):
    """IOB2 labels of chunks that do not overlap."""
    labels = ["O"] * length
    for start, end, kind in spans:
        labels[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - start - 1)
    return labels


def planted(sentences, rate, seed):
    """The labels with errors in a share of the chunks."""
    chance = random.Random(seed)
    result = []
    for labels in sentences:
        spans, length = spans_of(labels), len(labels)
        for place in range(len(spans)):
            if chance.random() >= rate:
                continue
            start, end, kind = spans[place]
            others = [span for i, span in enumerate(spans) if i != place and span]
            taken = {i for s, e, _ in others for i in range(s, e)}
            how = chance.choice(["type", "boundary", "drop", "invent"])
            free = [i for i in range(length) if i not in taken and not start <= i < end]
            if how == "boundary":
                moves = [(start - 1, end), (start, end + 1), (start + 1, end), (start, end - 1)]
                moves = [(s, e) for s, e in moves if 0 <= s < e <= length and not taken & set(range(s, e))]
                spans[place] = (*chance.choice(moves), kind) if moves else spans[place]
            elif how == "drop":
                spans[place] = None
            elif how == "invent" and free:
                spans.append((at := chance.choice(free), at + 1, chance.choice(TYPES)))
            else:
                spans[place] = (start, end, chance.choice([other for other in TYPES if other != kind]))
        result.append(labels_of([span for span in spans if span], length))
    return result


def text_offsets(document):
    """Where the words of a document begin in the text that the corrections count characters of."""
    joined = re.compile(r"[!#%)*+,\-./:;=>?@\]^_`|}~]|--|''|'s|'d|'ll|n't")
    at, offsets = len("-DOCSTART-") + 1, []
    for sentence in document:
        row = []
        for i, (form, *_) in enumerate(sentence):
            before = sentence[i - 1][0] if i else ""
            if i and not joined.fullmatch(form) and not re.fullmatch(r"[(<\[{]+", before):
                at += 1
            row.append(at)
            at += len(form)
        offsets.append(row)
        at += 1
    return offsets


def found_wrong(documents, path):
    """The words, as places among all words, whose label people found wrong; and how many rows were not found."""
    wrong, lost = set(), 0
    first = numpy.cumsum([0] + [sum(map(len, document)) for document in documents])

    def words(number, span):
        """The places of the words of a span: the nearest that reads the same."""
        parts = re.match(r"\[(\d+),\s*\d+\):?\s*['\"]?(.*?)['\"]?\s*$", span, re.DOTALL)
        if not parts or not parts[2]:
            return None
        begin, text = parts.groups()
        document, plain = documents[number], "".join(text.split())
        forms = [row[0] for sentence in document for row in sentence]
        starts = [start for row in text_offsets(document) for start in row]
        for near in sorted(range(len(forms)), key=lambda i: abs(starts[i] - int(begin)))[:40]:
            end, joined = near, ""
            while end < len(forms) and len(joined) < len(plain):
                joined += forms[end]
                end += 1
            if joined == plain:
                return {int(first[number]) + i: forms[i] for i in range(near, end)}
        return None

    labels = [label for document in documents for sentence in document for label in labels_of(
        spans_of([row[3] for row in sentence]), len(sentence))]
    for row in csv.DictReader(open(path, encoding="utf-8")):
        if row["fold"] != "dev" or row["error_type"] not in ("Tag", "Wrong", "Missing", "Span", "Both"):
            continue
        number = int(row["doc_offset"])
        old = row["corpus_span"] and words(number, row["corpus_span"])
        new = row["correct_span"] and words(number, row["correct_span"])
        if old is None or new is None or not (old or new):
            lost += 1
            continue
        kind = row["correct_ent_type"] or row["corpus_ent_type"]
        right = {place: "O" for place in old or {}}
        if row["error_type"] != "Wrong":
            for i, place in enumerate(sorted(new or old)):
                right[place] = f"{'I' if i else 'B'}-{kind}"
        wrong |= {place for place, label in right.items() if labels[place] != label}
    return wrong, lost


def by_review(words, labels):
    flat = numpy.cumsum([0] + list(map(len, words)))
    found = vouch.review(words, task="ner", labels=labels, inspect="all", threads=2)
    return [int(flat[suspect.line - 1]) + suspect.word for suspect in found]


def by_cleanlab(words, labels, answer):
    """cleanlab's order of the words, with probabilities from models that have not seen the sentence."""
    classes = sorted({label for sentence in labels for label in sentence})
    numbers, arrays = [None] * len(words), [None] * len(words)
    for part in range(FOLDS):
        ours = [i for i in range(len(words)) if i % FOLDS == part]
        others = [i for i in range(len(words)) if i % FOLDS != part]
        given = [[words[i] for i in others], [labels[i] for i in others], [words[i] for i in ours]]
        for i, rows in zip(ours, answer(*given, classes)):
            arrays[i], numbers[i] = rows, [classes.index(label) for label in labels[i]]
    _, tokens = get_label_quality_scores(numbers, arrays)
    return numpy.argsort(numpy.concatenate(list(tokens)), kind="stable").tolist()


def by_vouch(words, labels, asked, classes):
    model = vouch.train(words, task="ner", labels=labels, no_calibrate=True, threads=2)
    answers = model.tag(asked, confidence="gamma", alternatives=len(classes), threads=2)
    return to_cleanlab(answers, [[classes[0]] * len(sentence) for sentence in asked], classes)[1]


def tutorial_features(sentence, i):
    def of(word, tag, start):
        return {start + "lower": word.lower(), start + "istitle": word.istitle(), start + "isupper": word.isupper(),
                start + "postag": tag, start + "postag[:2]": tag[:2]}  # fmt: skip

    word, tag = sentence[i]
    found = {"bias": 1.0, **of(word, tag, ""), "word[-3:]": word[-3:], "word[-2:]": word[-2:], "digit": word.isdigit()}
    found |= of(*sentence[i - 1], "-1:") if i else {"BOS": True}
    return found | (of(*sentence[i + 1], "+1:") if i + 1 < len(sentence) else {"EOS": True})


def by_crfsuite(words, labels, asked, classes):
    def features(sentences):
        return [[tutorial_features(sentence, i) for i in range(len(sentence))] for sentence in sentences]

    crf = sklearn_crfsuite.CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=100, all_possible_transitions=True)
    crf.fit(features(words), labels)
    return [numpy.array([[word.get(name, 0.0) for name in classes] for word in sentence])
            for sentence in crf.predict_marginals(features(asked))]  # fmt: skip


def average_precision(order, wrong):
    hits, total = 0, 0.0
    for rank, place in enumerate(order, 1):
        if place in wrong:
            hits += 1
            total += hits / rank
    return total / len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--corrections", type=Path)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    documents = read(asked.data / "seq/conll2003-en/eng.testa.xz")
    rows = [sentence for document in documents for sentence in document]
    words = [[(form, tag) for form, tag, *_ in sentence] for sentence in rows]
    iob1 = [[row[3] for row in sentence] for sentence in rows]
    gold = [labels_of(spans_of(sentence), len(sentence)) for sentence in iob1]
    if asked.corrections:
        labels, (wrong, lost) = gold, found_wrong(documents, asked.corrections)
        print(f"{len(wrong)} words that people found wrong; {lost} rows of theirs were not found in the file")
    else:
        labels = planted(iob1, asked.rate, asked.seed)
        pairs = [(a, b) for s, t in zip(gold, labels) for a, b in zip(s, t)]
        wrong = {place for place, (right, given) in enumerate(pairs) if right != given}
        print(f"{len(wrong)} words changed by errors in {asked.rate:.1%} of the entities, seed {asked.seed}")
    total = sum(map(len, words))
    depths = [len(wrong), total // 100, total // 20]
    print(f"{'found among the first':24}", *(f"{depth:>6}" for depth in depths), "    AP")
    for name, order in [
        ("review", by_review(words, labels)),
        ("cleanlab, vouch", by_cleanlab(words, labels, by_vouch)),
        ("cleanlab, crfsuite", by_cleanlab(words, labels, by_crfsuite)),
    ]:
        hits = [sum(place in wrong for place in order[:depth]) for depth in depths]
        print(f"{name:24}", *(f"{hit:>6}" for hit in hits), f"{average_precision(order, wrong):6.3f}")


if __name__ == "__main__":
    main()
