"""Answers are those of the program, as it prints them."""

import json
import math
import pickle
from pathlib import Path

import pytest
from conftest import Command, rows

import vouch


def printed(number: float) -> str:
    return f"{number:.6g}"


@pytest.fixture(scope="session")
def sentences(ner: vouch.Model, folder: Path) -> list[list[tuple[str, ...]]]:
    text = (folder / "ner.test").read_text(encoding="utf-8")
    return [[tuple(row[: ner.columns]) for row in sentence] for sentence in rows(text)]


@pytest.mark.parametrize("threads", [1, 2])
def test_labels_are_those_of_the_program(ner, sentences, command: Command, threads: int) -> None:
    answers = ner.tag(sentences, alternatives=2, threads=threads)
    found = [
        [
            [w.label, printed(w.confidence), "|".join(f"{label}:{printed(p)}" for label, p in w.alternatives)]
            for w in sentence
        ]
        for sentence in answers
    ]
    expected = rows(command("tag", "-q", "-m", "ner.vouch", "--alternatives", "2", "ner.test"))
    assert found == [[row[-3:] for row in sentence] for sentence in expected]


def test_several_methods(ner, sentences, command: Command) -> None:
    answers = ner.tag(sentences, confidence=["gamma", "kd-fix"], raw=True)
    assert answers.methods == ("gamma", "kd-fix") and answers.calibrated == (False, False)
    found = [[[w.label, *map(printed, w.confidences.values())] for w in sentence] for sentence in answers]
    expected = rows(command("tag", "-q", "-m", "ner.vouch", "--raw", "-c", "gamma,kd-fix", "ner.test"))
    assert found == [[row[-3:] for row in sentence] for sentence in expected]


def test_spans_are_those_of_the_program(ner, sentences, command: Command, folder: Path) -> None:
    lines = [json.dumps({"tokens": s}) for s in sentences]
    (folder / "ner.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected = [json.loads(line) for line in command("tag", "-q", "-m", "ner.vouch", "ner.jsonl").splitlines()]
    for sentence, line in zip(ner.tag(sentences), expected, strict=True):
        assert sentence.labels == line["predicted"]
        assert [(s.type, s.start, s.end, printed(s.confidence)) for s in sentence.spans] == [
            (s["label"], s["start"], s["end"], printed(s["confidence"])) for s in line["spans"]
        ]


def test_trees_are_those_of_the_program(dep: vouch.Model, command: Command, folder: Path) -> None:
    given = rows((folder / "dep.test").read_text(encoding="utf-8"))
    answers = dep.parse([[tuple(row[1:6]) for row in sentence] for sentence in given], threads=2)
    found = [
        [
            [str(w.head), w.relation, printed(w.confidence), printed(w.relation_confidence)]
            for w in sentence
        ]
        for sentence in answers
    ]
    expected = []
    for sentence in rows(command("parse", "-q", "-m", "dep.vouch", "dep.test")):
        misc = [dict(pair.split("=") for pair in row[9].split("|") if "=" in pair) for row in sentence]
        expected.append([[row[6], row[7], m["HeadConf"], m["RelConf"]] for row, m in zip(sentence, misc)])
    assert found == expected


def test_sets_of_relations_are_those_of_the_program(dep: vouch.Model, command: Command, folder: Path) -> None:
    (folder / "dep.dev").write_text(command("sample", "--kind", "dep", "-n", "150", "--first", "200"), encoding="utf-8")
    tuned = dep.tune(str(folder / "dep.dev"), coverage=0.9)
    tuned.save(folder / "covers.vouch")
    given = rows((folder / "dep.test").read_text(encoding="utf-8"))
    answers = tuned.parse([[tuple(row[1:6]) for row in sentence] for sentence in given], sets=True, threads=2)
    expected = []
    for sentence in rows(command("parse", "-q", "-m", "covers.vouch", "--sets", "dep.test")):
        misc = [dict(pair.split("=") for pair in row[9].split("|") if "=" in pair) for row in sentence]
        expected.append([(m["HeadSet"], m["RelSet"]) for m in misc])
    for again in (answers, pickle.loads(pickle.dumps(answers))):
        found = [[(",".join(str(h) for h, _ in w.set), ",".join(str(r) for r, _ in w.relation_set)) for w in s]
                 for s in again]  # fmt: skip
        assert found == expected
    assert any(len(w.relation_set) > 1 for s in answers for w in s)
    for word in answers[0]:
        assert all(0 < p <= 1 for _, p in word.relation_set) and word.relation in dict(word.relation_set)
    assert len(answers.relation_sets.offsets) == len(answers.labels) + 1
    assert all(w.relation_set == [] for s in dep.parse([[tuple(r[1:6]) for r in given[0]]]) for w in s)


def test_features_are_those_of_crfsuite(command: Command, folder: Path) -> None:
    def features(word: str, pos: str) -> dict[str, object]:
        return {"w": word, "title": word.istitle(), "length": len(word) / 4, "end": [word[-1:], word[-2:]],
                "is": {"pos": pos}}  # fmt: skip

    def line(word: str, pos: str, label: str) -> str:
        def name(text: str) -> str:
            return text.replace("\\", "\\\\").replace(":", "\\:")

        cells = [name(f"w:{word}"), f"title:{int(word.istitle())}", f"length:{len(word) / 4}",
                 name(f"end:{word[-1:]}"), name(f"end:{word[-2:]}"), name(f"is:pos:{pos}")]  # fmt: skip
        return "\t".join([label, *cells])

    given = {}
    for part in ("train", "test"):
        given[part] = rows(command("sample", "--kind", "ner", "-n", "60", "--first", "0" if part == "train" else "60"))
        text = "\n".join("".join(line(r[0], r[1], r[-1]) + "\n" for r in sentence) for sentence in given[part])
        (folder / f"attributes.{part}").write_text(text, encoding="utf-8")
    command("train", "-q", "-t", "ner", "-n", "2", "--format", "crfsuite", "-o", "attributes.vouch", "attributes.train")
    model = vouch.load(folder / "attributes.vouch")
    assert model.takes_attributes
    answers = model.tag([[features(r[0], r[1]) for r in sentence] for sentence in given["test"]])
    out = command("tag", "-q", "-m", "attributes.vouch", "--format", "crfsuite", "attributes.test")
    expected = [[row.split("\t") for row in block.split("\n")] for block in out.strip("\n").split("\n\n")]
    found = [[f"{w.label}:{printed(w.confidence)}" for w in sentence] for sentence in answers]
    assert found == [[row[0] for row in sentence] for sentence in expected]


def test_arrays(ner: vouch.Model, sentences) -> None:
    answers = ner.tag(iter(sentences))
    assert len(answers) == len(sentences) and answers.offsets[-1] == len(answers.labels) == sum(map(len, sentences))
    assert answers.confidence.readonly and answers.confidence.format == "d"
    assert (answers.labels.format, answers.labels.itemsize) == ("i", 4)
    assert [answers.names[i] for i in answers.labels] == [label for s in answers for label in s.labels]
    assert answers[-1].labels == answers[len(answers) - 1].labels == answers[-1:][0].labels
    with pytest.raises(IndexError):
        answers[len(answers)]
    again = pickle.loads(pickle.dumps(answers))
    assert again.confidence == answers.confidence and again.labels == answers.labels


def test_numpy_copies_nothing(ner: vouch.Model, sentences) -> None:
    numpy = pytest.importorskip("numpy")
    answers = ner.tag(sentences)
    array = numpy.asarray(answers.confidence)
    assert array.dtype == numpy.float64 and not array.flags.writeable
    assert numpy.shares_memory(array, numpy.asarray(answers.confidence))
    assert numpy.asarray(answers.labels).dtype == numpy.int32
    assert numpy.asarray(answers.offsets).dtype == numpy.int64


def test_without_confidence(ner: vouch.Model, sentences) -> None:
    answers = ner.tag(sentences, confidence=False)
    assert answers.methods == () and all(map(math.isnan, answers.confidence))
    assert len(answers.confidence) == len(answers.labels)
    assert math.isnan(answers[0].confidence) and answers[0][0].alternatives == []
    assert answers.labels == ner.tag(sentences).labels


def test_threshold(ner: vouch.Model, sentences) -> None:
    answers = ner.tag(sentences, threshold=1.0)
    assert any(word.doubtful for sentence in answers for word in sentence)
    assert not any(word.doubtful for sentence in ner.tag(sentences) for word in sentence)


def test_nothing_to_answer(ner: vouch.Model, dep: vouch.Model) -> None:
    assert len(ner.tag([])) == 0 and list(ner.tag([[]])[0]) == []
    assert len(dep.parse([])) == 0 and list(dep.parse([[]])[0]) == []
