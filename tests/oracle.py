"""What the manual defines of scores, confidence and measures, once more: by listing all labelings and all trees of
short sentences, and by plain sums. For tests/scores_oracle and tests/scores_promises, whose argument is the program.

Both end with 77, for "skipped", where Debian's python3-numpy is not installed.
"""
import functools
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print(f"skipped: {sys.executable} has no numpy (Debian: python3-numpy)")
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
random = np.random.default_rng(15)
failures = 0


def fail(what):
    global failures
    failures += 1
    if failures <= 30:
        print(what)


def equal(what, found, expected, tolerance=2e-5):
    """The program writes six digits and computes with floats; a tolerance is absolute and relative."""
    if found is None or expected is None or isinstance(found, (str, list)):
        if found != expected:
            fail(f"{what}: found {found}, expected {expected}")
    elif not abs(found - expected) <= tolerance * max(1, abs(expected)):
        fail(f"{what}: found {found}, expected {expected:.7g}")


def run(*arguments):
    """What the program prints; it must not fail."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"vouch {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def refused(what, word, *arguments):
    """The program must fail with status 1 and a message that has this word, and write no file."""
    done = subprocess.run([PROGRAM, *map(str, arguments), "-o", "refused.out"], capture_output=True, text=True)
    if done.returncode != 1 or word not in done.stderr or os.path.exists("refused.out"):
        fail(f"{what}: status {done.returncode}, expected 1 and '{word}': {done.stderr.strip()}")


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def write_words(name, lengths):
    """Sentences as JSON lines; the words count through the file."""
    number = itertools.count()
    write(name, "".join(json.dumps({"tokens": [f"w{next(number)}" for _ in range(n)]}) + "\n" for n in lengths))


def read(name):
    with open(name, "rb") as file:
        return file.read()


def same_bytes(what, first, second):
    if first != second:
        fail(f"{what}: {len(first)} and {len(second)} bytes differ")


def between_commas(answer):
    """The methods of one sentence by their names."""
    return {one["method"]: one for one in answer["confidences"]}


# Chains: all labelings of a sentence, one row each.

def chunks(labels):
    """(start, end, type) of every chunk that the labels spell; no sequence is illegal."""
    found, start = [], None
    for n, label in enumerate([*labels, "O"]):
        before = labels[n - 1] if n else "O"
        begins = label != "O" and (label[0] in "BS" or before == "O" or before[2:] != label[2:] or before[0] in "ES")
        if start is not None and (label == "O" or begins):
            found.append((start, n, before[2:]))
            start = None
        if begins:
            start = n
    return found


def may_follow(scheme, before, label):
    """Whether the scheme allows a label after another; None is the outside of the sentence."""
    if label is None:
        return scheme != "BIOES" or before[0] in "OES"
    same = before not in (None, "O") and before[2:] == label[2:]
    if scheme == "IOB2":
        return label[0] != "I" or same
    if scheme == "IOB1":
        return label[0] != "B" or same
    inside = before is not None and before[0] in "BI"
    return inside and same if label[0] in "IE" else not inside


@functools.lru_cache(maxsize=None)
def labelings(scheme, labels, n, constraints):
    """All rows of n numbers of labels; with constraints, those that the scheme allows."""
    rows = []
    for row in itertools.product(range(len(labels)), repeat=n):
        spelled = [None, *(labels[y] for y in row), None]
        if not constraints or all(may_follow(scheme, *spelled[i:i + 2]) for i in range(n + 1)):
            rows.append(row)
    return np.array(rows)


def chain_scores(rows, node, edge):
    """The score of every labeling; `edge` is None, [Y, Y] or [N, Y, Y], whose first block is not looked at."""
    words = np.arange(node.shape[0])
    scores = node[words, rows].sum(axis=1)
    if edge is not None and len(words) > 1:
        blocks = edge if edge.ndim == 3 else np.broadcast_to(edge, (len(words), *edge.shape))
        scores = scores + blocks[words[1:], rows[:, :-1], rows[:, 1:]].sum(axis=1)
    return scores


# Trees: all heads of a sentence, one row each; exactly one word has the head 0.

@functools.lru_cache(maxsize=None)
def trees(n):
    def is_tree(heads):
        for word in range(1, n + 1):
            steps = 0
            while word and steps <= n:
                word, steps = heads[word - 1], steps + 1
            if word:
                return False
        return heads.count(0) == 1
    return np.array([row for row in itertools.product(range(n + 1), repeat=n) if is_tree(row)])


def write_arcs(arcs, layout):
    """Writes the arcs [K, n, n] of all sentences, head first, in one of the layouts; returns the options."""
    first = layout.split()[0]
    if "diagonal" in layout:
        turned = []
        for arc in arcs:
            inner = arc[:, 1:, 1:].copy()
            word = np.arange(inner.shape[1])
            inner[:, word, word] = arc[:, 0, 1:]
            turned.append(inner)
        arcs = turned
    if "narrow" in layout:
        arcs = [arc[:, :, 1:] for arc in arcs]  # the root has no head
    if first == "modifier-first":
        arcs = [arc.transpose(0, 2, 1) for arc in arcs]
    if arcs[0].shape[0] == 1:
        arcs = [arc[0] for arc in arcs]
    options = ["--arcs", first, "--root", "diagonal" if "diagonal" in layout else "first"]
    if "packed" in layout:
        np.save("arcs.npy", np.concatenate([arc.reshape(*arc.shape[:-2], -1) for arc in arcs], axis=-1))
        return [*options, "--scores", "arcs.npy"]
    if "padded" in layout:
        longest = max(arc.shape[-1] for arc in arcs)
        pad = [[(0, 0)] * (arc.ndim - 2) + [(0, longest - arc.shape[-1])] * 2 for arc in arcs]
        np.save("arcs.npy", np.stack([np.pad(a, p, constant_values=np.nan) for a, p in zip(arcs, pad)], axis=-3))
        return [*options, "--scores", "arcs.npy"]
    np.savez("arcs.npz", *arcs)
    return [*options, "--scores", "arcs.npz"]


# What follows from a list of answers and their scores, of chains and trees alike.

def expected_confidence(rows, scores, sets, c, best, spans=None):
    """Every method's numbers by its definition. `scores` has those of each row, `sets` those of each set."""
    answer = rows[scores.argmax()]
    agrees = rows == answer
    possible = np.isfinite(scores)
    p = np.where(possible, np.exp(c * (scores - scores.max())), 0)
    p /= p.sum()
    delta = []
    for n in range(rows.shape[1]):
        other = scores[~agrees[:, n]]
        delta.append(float(scores.max() - other.max()) if len(other) and np.isfinite(other.max()) else math.inf)
    order = np.argsort(-scores, kind="stable")[:best]
    order = order[possible[order]]
    weights = np.maximum(scores[order], 0)
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(order), 1 / len(order))
    votes = np.array([one.argmax() for one in sets])
    shares = {"gamma": (np.arange(len(rows)), p), "kb": (order, np.full(len(order), 1 / len(order))),
              "wkb": (order, weights), "votes": (votes, np.full(len(votes), 1 / len(votes)))}
    found = {"answer": answer.tolist(), "p": p, "delta": {"words": delta, "whole": None}}
    for method, (which, weight) in shares.items():
        found[method] = {"words": [float(weight @ agrees[which, n]) for n in range(rows.shape[1])],
                         "whole": float(weight @ agrees[which].all(axis=1))}
        if spans is not None:
            found[method]["spans"] = [float(weight @ [chunk in spans[i] for i in which])
                                      for chunk in spans[scores.argmax()]]
    if spans is not None:
        found["delta"]["spans"] = [min(delta[start:end]) for start, end, _ in spans[scores.argmax()]]
    ranked = [(len(votes) * share + (m / (1 + m) if m < math.inf else 1)) / (len(votes) + 1)
              for share, m in zip(found["votes"]["words"], delta)]
    found["votes+delta"] = {"words": ranked, "whole": found["votes"]["whole"]}
    return found


# Measures of confidence, by the definitions in vouch-eval(1). `right` is 0 or 1, in the order of the answers.

def expected_order(numbers, right):
    """AP, AURC and AUROC as expectations over all orders of equal numbers, by sums over their groups."""
    errors, n = int((1 - right).sum()), len(right)
    ap = aurc = roc = 0.0
    before, found = 0, 0
    for value in np.unique(numbers):
        group = right[numbers == value]
        g, w = len(group), int((1 - group).sum())
        for j in range(1, g + 1):
            others = (j - 1) * (w - 1) / (g - 1) if g > 1 else 0
            ap += w / g * (found + 1 + others) / (before + j)
            aurc += (errors - found - w * (j - 1) / g) / (n - before - j + 1)
        roc += (g - w) * (found + w / 2)
        before, found = before + g, found + w
    return {"average_precision": ap / errors, "area_under_risk_coverage": aurc / n,
            "area_under_roc": roc / (errors * (n - errors))}


def check_probabilities(p, right, found, what, tolerance=1e-4):
    """RMSE, its floor, ECE, Brier score and log loss, with 20 bins of equal width."""
    bins = np.minimum((p * 20).astype(int), 19)
    count = np.bincount(bins, minlength=20)
    some = count > 0
    share = count[some] / len(p)
    accuracy = np.bincount(bins, right, 20)[some] / count[some]
    mean = np.bincount(bins, p, 20)[some] / count[some]
    centre = (np.arange(20)[some] + 0.5) / 20
    equal(f"{what}, RMSE", found["rmse"], math.sqrt(share @ (accuracy - centre) ** 2), tolerance)
    equal(f"{what}, floor", found["rmse_floor"], math.sqrt(share @ (mean - centre) ** 2), tolerance)
    equal(f"{what}, ECE", found["ece"], share @ np.abs(accuracy - mean), tolerance)
    equal(f"{what}, Brier", found["brier"], np.mean((p - right) ** 2), tolerance)
    equal(f"{what}, log loss", found["log_loss"], -np.mean(np.log(np.where(right == 1, p, 1 - p))), tolerance)
    equal(f"{what}, accuracy", found["accuracy"], right.mean(), tolerance)
    equal(f"{what}, mean", found["confidence"], p.mean(), tolerance)
    equal(f"{what}, counts of bins", [one["count"] for one in found["bins"]], count.tolist())
    return bins


def make_trees(name, count):
    """Writes NAME.jsonl with gold heads, and NAME.npz of arcs, head first."""
    lines, arcs = [], []
    for _ in range(count):
        n = int(random.integers(1, 7))
        heads, order = [0] * n, random.permutation(n) + 1
        for i in range(1, n):
            heads[order[i] - 1] = int(order[random.integers(i)])
        arc = random.normal(scale=2.5, size=(n + 1, n + 1))
        arc[heads, np.arange(1, n + 1)] += 4.5
        arcs.append(arc.astype(np.float32))
        tokens = [[f"w{random.integers(50)}"] for _ in heads]
        lines.append({"tokens": tokens, "heads": heads})
    write(f"{name}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    np.savez(f"{name}.npz", *arcs)
    return lines, arcs


def finish(*checks):
    """Runs the checks in a folder of their own, and ends with what they found."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in checks:
            check()
        os.chdir("/")
    if failures > 30:
        print(f"and {failures - 30} more")
    sys.exit(1 if failures else 0)
