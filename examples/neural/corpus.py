"""Sentences of CoNLL columns: words, labels as IOB2, documents. Everything here needs Python and numpy alone.

The files of the shared task have document marks, which are no sentences, and labels in IOB1. `prepare` writes a copy
without marks and with labels in IOB2, so that row i of an array is word i of the copy.
"""
import lzma
from pathlib import Path

MARK = "-DOCSTART-"


def as_iob2(labels):
    """IOB1 or IOB2 as IOB2: every chunk begins with B."""
    result, before = [], "O"
    for label in labels:
        if label.startswith("I-") and before[2:] != label[2:]:
            label = "B-" + label[2:]
        result.append(label)
        before = label
    return result


def read(path):
    """Yields (document, columns of each word) for each sentence; the first column is the word, the last its label."""
    opened = lzma.open if str(path).endswith(".xz") else open
    document, rows = 0, []
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            cells = line.split()
            if cells and cells[0] != MARK:
                rows.append(cells)
                continue
            if rows:
                yield document, rows
                rows = []
            document += bool(cells)
    if rows:
        yield document, rows


def sentences(path):
    """(words, labels) for each sentence."""
    return [([r[0] for r in rows], [r[-1] for r in rows]) for _, rows in read(path)]


def write(path, sentences_of_rows):
    """Writes sentences, each a list of rows of cells."""
    with open(path, "w", encoding="utf-8") as out:
        for rows in sentences_of_rows:
            out.writelines(" ".join(row) + "\n" for row in rows)
            out.write("\n")


def spans(labels):
    """The set of (first word, word after the last, type) that labels in IOB2 spell; I of another type begins one."""
    found, first = set(), None
    for i, label in enumerate([*labels, "O"]):
        inside = first is not None and label == "I-" + labels[first][2:]
        if first is not None and not inside:
            found.add((first, i, labels[first][2:]))
            first = None
        if label != "O" and not inside:
            first = i
    return found


def f1(gold, answers):
    """F1 of chunks, of sentences of labels."""
    pairs = [(spans(a), spans(b)) for a, b in zip(gold, answers)]
    right = sum(len(a & b) for a, b in pairs)
    return 2 * right / max(1, sum(len(a) + len(b) for a, b in pairs))


def prepare(data, work):
    """Copies the three files to `work`; testa in halves, document by document: one to stop at, one to calibrate on."""
    parts = {"train": [], "stop": [], "calibrate": [], "test": []}
    for name in "train", "testa", "testb":
        for document, rows in read(Path(data) / f"eng.{name}.xz"):
            part = {"train": "train", "testb": "test", "testa": ("stop", "calibrate")[document % 2]}[name]
            labels = as_iob2([row[-1] for row in rows])
            parts[part].append([row[:-1] + [label] for row, label in zip(rows, labels)])
    for part, found in parts.items():
        write(Path(work) / f"{part}.txt", found)
        print(f"{part}: {len(found)} sentences, {sum(map(len, found))} words")


if __name__ == "__main__":
    import sys

    if len(sys.argv) != 3:
        sys.exit("usage: corpus.py DATA WORK      DATA holds eng.train.xz, eng.testa.xz, eng.testb.xz")
    prepare(*sys.argv[1:])
