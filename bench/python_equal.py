#!/usr/bin/python3
"""Compares the Python package with the program, byte for byte, on three corpora and two treebanks.

usage: bench/python_equal.py PROGRAM [DATA]     with the package `vouch` in PYTHONPATH; DATA is ../shared/data

For each corpus: the model that vouch.train() learns and the one of `vouch train`; the output of `vouch tag` or `vouch
parse` for the test file, and the same file completed by the answers of Model.tag() or Model.parse() on two threads;
what Model.evaluate() returns, and what `vouch eval --json` prints. Of trees, the lines conf_min and conf_whole are left
out: they are not in vouch.h. Prints a line for each, and ends with status 1 if anything
differs. Corpora that are not there are skipped.
"""

import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

import vouch

CORPORA = {
    "NP chunking": ("np", "seq/conll2000/train.txt", "seq/conll2000/test.txt"),
    "English NER": ("ner", "seq/conll2003-en/eng.train", "seq/conll2003-en/eng.testb"),
    "Spanish NER": ("ner", "seq/conll2002-es/esp.train", "seq/conll2002-es/esp.testb"),
    "Danish trees": ("dep", "trees/da_ddt_cdt/train.conll", "trees/da_ddt_cdt/test.conll"),
    "Swedish trees": ("dep", "trees/sv_talbanken/train.conll", "trees/sv_talbanken/test.conll"),
}
PASSES = 3


def number(value: float) -> str:
    return "_" if value != value else f"{value:.6g}"


def blocks(text: str) -> list[list[str]]:
    return [block.split("\n") for block in text.strip("\n").split("\n\n")]


def tagged(model: vouch.Model, text: str) -> str:
    """The file as `vouch tag --alternatives 2` completes it."""
    given = blocks(text)
    marks = [lines[0].startswith("-DOCSTART-") for lines in given]
    kept = [lines for lines, mark in zip(given, marks) if not mark]
    sentences = [[tuple(line.split()[: model.columns]) for line in lines] for lines in kept]
    answers = model.tag(iter(sentences), alternatives=2, threads=2)
    words = (word for answer in answers for word in answer)
    out = []
    for line in text.split("\n"):
        if line.startswith("-DOCSTART-"):
            line += " O _ _"
        elif line:
            word = next(words)
            others = "|".join(f"{label}:{number(p)}" for label, p in word.alternatives)
            line += f" {word.label} {number(word.confidence)} {others}"
        out.append(line)
    return "\n".join(out)


def parsed(model: vouch.Model, text: str) -> str:
    """The file as `vouch parse` completes it, without two numbers of a sentence that vouch.h does not have."""
    given = [[line.split("\t") for line in lines] for lines in blocks(text)]
    answers = model.parse([[tuple(row[1:6]) for row in rows] for rows in given], threads=2)
    method = f"{answers.methods[0]} ({'calibrated' if answers.calibrated[0] else 'raw'})"
    out = []
    for rows, answer in zip(given, answers, strict=True):
        out.append(f"# conf = {number(answer.confidence)}\n# conf_method = {method}\n")
        for row, word in zip(rows, answer, strict=True):
            misc = f"HeadConf={number(word.confidence)}|RelConf={number(word.relation_confidence)}"
            out.append("\t".join([*row[:6], str(word.head), word.relation or "_", row[8], misc]) + "\n")
        out.append("\n")
    return "".join(out)


def same(what: str, ours: bytes, theirs: bytes) -> bool:
    print(f"    {what}: {'the same' if ours == theirs else 'DIFFERENT'}, {len(theirs)} bytes")
    if ours != theirs:
        for one, other in zip(ours.split(b"\n"), theirs.split(b"\n")):
            if one != other:
                print(f"        Python:  {one!r}\n        program: {other!r}")
                break
    return ours == theirs


def compare(program: str, task: str, train: Path, test: Path, folder: Path) -> bool:
    def run(*arguments: str) -> bytes:
        return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE).stdout

    files = []
    for path in (train, test):
        files.append(folder / path.name)
        files[-1].write_bytes(lzma.open(f"{path}.xz").read())
    learn, check = map(str, files)
    path = str(folder / "model.vouch")
    run("train", "-q", "-t", task, "-n", str(PASSES), "-j", "2", "-o", path, learn)
    model = vouch.train(learn, task=task, passes=PASSES, threads=2)
    ok = same("model", model.to_bytes(), Path(path).read_bytes())
    text = files[1].read_text(encoding="utf-8")
    if task == "dep":
        printed = run("parse", "-q", "-m", path, check).splitlines(keepends=True)
        kept = b"".join(line for line in printed if not line.startswith((b"# conf_min = ", b"# conf_whole = ")))
        ok &= same("answers", parsed(model, text).encode(), kept)
    else:
        ok &= same("answers", tagged(model, text).encode(), run("tag", "-q", "-m", path, "--alternatives", "2", check))
    printed = run("eval", "-q", "--json", "-m", path, check)
    return ok & same("evaluation", dumped(model.evaluate(check)), dumped(json.loads(printed)))


def dumped(value: object) -> bytes:
    return json.dumps(value).encode()


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    data = Path(sys.argv[2] if len(sys.argv) == 3 else Path(__file__).resolve().parents[2] / "shared/data")
    ok = True
    for name, (task, train, test) in CORPORA.items():
        if not (data / f"{train}.xz").exists():
            print(f"{name}: skipped: expected {data / train}.xz, found none")
            continue
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            ok &= compare(sys.argv[1], task, data / train, data / test, Path(folder))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
