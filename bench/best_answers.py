"""How far the probabilities of the best whole answers can be trusted, and confidence beside a word that is known.

    PYTHONPATH=... python3 bench/best_answers.py TASK TRAIN TEST [SENTENCES]

learns from the first SENTENCES (3000 if not given) of TRAIN, a file of columns, or of CoNLL-U for the task dep, and
answers TEST. It prints, for each rank, the mean probability and the share of answers that are right; the calibration
error of all ranks after the first, in ten bins of equally many answers; the same for the probabilities that the best
answer's would have if it were shared out by the scores as they are; and then, with the right label of the least sure
word of each sentence known, how many of the other words are right, and the calibration error of their confidence.
"""

import sys

import vouch

RANKS, BINS = 5, 10


def calibration_error(pairs):
    pairs = sorted(pairs)
    bins = [pairs[b * len(pairs) // BINS : (b + 1) * len(pairs) // BINS] for b in range(BINS)]
    return sum(abs(sum(p for p, _ in part) - sum(right for _, right in part)) for part in bins) / len(pairs)


def show(name, ranked):
    ranks = [list(zip(*[row[k] for row in ranked if len(row) > k])) for k in range(RANKS)]
    print(name, *(f"{sum(p) / len(p):.4f}/{sum(right) / len(right):.4f}" for p, right in ranks))
    print(f"    error after the first {calibration_error([pair for row in ranked for pair in row[1:]]):.4f}")


task, train, test, *more = sys.argv[1:]
size = int(more[0]) if more else 3000
read = vouch.read_conllu if task == "dep" else lambda path: vouch.read_conll(path, use=tuple(range(len(columns) - 1)))
with open(train, encoding="utf-8") as file:
    columns = next(line for line in file if line.strip() and not line.startswith("-DOCSTART-")).split()
learned, asked = read(train), read(test)
parts = {key: value[:size] for key, value in learned._asdict().items() if key != "words"}
model = vouch.train(learned.words[:size], task=task, threads=2, **parts)
gold = asked.heads if task == "dep" else asked.labels
answer = model.parse if task == "dep" else model.tag

for method, name in ((None, "shared out by confidence"), ("gamma", "by the scores alone")):
    best = model.k_best(asked.words, k=RANKS, confidence=method, raw=method is not None)
    rows = [
        [(b.probability, (b.heads if task == "dep" else b.labels) == right) for b in answers]
        for answers, right in zip(best, gold)
        if answers
    ]
    show(name, rows)

free = answer(asked.words)
least = [min(range(len(s)), key=lambda i: s[i].confidence) for s in free]
known = [{i: right[i]} for i, right in zip(least, gold)]
told = answer(asked.words, known=known)
for name, answers in (("nothing known", free), ("the least sure word known", told)):
    others = [
        (word.confidence, (word.head if task == "dep" else word.label) == right[n])
        for sentence, right, i in zip(answers, gold, least)
        for n, word in enumerate(sentence)
        if n != i
    ]
    right = sum(good for _, good in others) / len(others)
    print(f"{name}: other words right {right:.4f}, error {calibration_error(others):.4f}")
