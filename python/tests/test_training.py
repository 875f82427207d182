"""Training, tuning, reviewing and choosing, on files as the program does, and on sentences as on files."""

import json
import math
from pathlib import Path

import pytest
from conftest import Command, as_shares, rows

import vouch
from vouch import active


@pytest.fixture(scope="session")
def labelled(ner_path: Path, folder: Path) -> list[list[list[str]]]:
    """Form, part of speech and label of the words that the models learn from."""
    return [[[*row[:2], row[-1]] for row in sentence] for sentence in rows((folder / "ner.train").read_text("utf-8"))]


@pytest.fixture(scope="session")
def test_set(ner_path: Path, folder: Path) -> list[list[list[str]]]:
    return [[[*row[:2], row[-1]] for row in sentence] for sentence in rows((folder / "ner.test").read_text("utf-8"))]


def split(sentences: list[list[list[str]]]) -> tuple[list[list[tuple[str, ...]]], list[list[str]]]:
    return [[tuple(w[:-1]) for w in s] for s in sentences], [[w[-1] for w in s] for s in sentences]


def test_sentences_are_learned_as_files(ner: vouch.Model, labelled, test_set) -> None:
    words, labels = split(labelled)
    by_labels = vouch.train(iter(words), task="ner", labels=labels, passes=2)
    by_columns = vouch.train([[tuple(w) for w in s] for s in labelled], task="ner", passes=2)
    assert by_labels.to_bytes() == by_columns.to_bytes()
    assert by_labels.to_bytes() == vouch.train(words, task="ner", labels=labels, passes=2, threads=2).to_bytes()
    given = split(test_set)[0]
    expected, found = ner.tag(given), by_labels.tag(given)
    assert found.labels == expected.labels and found.confidence == expected.confidence


def test_features_are_learned_as_files(command: Command, folder: Path, labelled) -> None:
    def features(word: list[str]) -> dict[str, object]:
        return {"w": word[0], "p\\:": word[1], "n": len(word[0]) / 3, "end": [word[0][-1:], word[0][-2:]]}

    words, labels = [[features(w) for w in s] for s in labelled], [[w[-1] for w in s] for s in labelled]
    labels[0][0] = "O:\\"  # is spelled with backslashes in CRFsuite's lines
    model = vouch.train(words, task="ner", labels=labels, passes=2, no_calibrate=True)
    assert model.takes_attributes and "O:\\" in model.labels
    scores = model.evaluate(words, labels=labels)
    assert 0.8 < scores.f1 == scores["all"]["f1"] <= 1 and scores["sentences"] == len(words)


def test_trees_are_learned_as_files(dep: vouch.Model, command: Command, folder: Path) -> None:
    given = rows((folder / "dep.train").read_text(encoding="utf-8"))
    words = [[tuple(row[1:6]) for row in s] for s in given]
    heads, relations = [[int(row[6]) for row in s] for s in given], [[row[7] for row in s] for s in given]
    model = vouch.train(words, task="dep", heads=heads, labels=relations, passes=2, bits=14)
    expected, found = dep.parse(words), model.parse(words)
    assert (found.heads, found.labels) == (expected.heads, expected.labels)
    assert model.evaluate(words, heads=heads, labels=relations) == dep.evaluate(words, heads=heads, labels=relations)


def test_open_labels_are_none(labelled, test_set) -> None:
    words, labels = split(labelled)
    part = [[None if n % 3 == 0 else label for n, label in enumerate(s)] for s in labels]
    with pytest.raises((ValueError, vouch.Error), match="null is an open one"):
        vouch.train(words, task="ner", labels=part, passes=2)
    model = vouch.train(words, task="ner", labels=part, passes=2, partial=True, no_calibrate=True)
    given, gold = split(test_set)
    assert 0.3 < model.evaluate(given, labels=gold).f1 < 1
    heads = [[None, 0] if n % 2 else [2, 0] for n in range(40)]
    trees = vouch.train([["she", "left"]] * 40, task="dep", heads=heads, passes=1, bits=10, partial=True,
                        unlabelled=True, no_calibrate=True)
    assert trees.parse([["she", "left"]]).heads.tolist() == [2, 0]


@pytest.mark.parametrize("source, more, kind", [
    ([["Ada"]], {}, TypeError),
    ([[("Ada", "O")]], {"labels": []}, ValueError),
    ([[("Ada", "O")]], {"labels": [["O"], ["O"]]}, ValueError),
    ([["Ada"]], {"labels": [["O", "O"]]}, ValueError),
    ([["Ada"]], {"labels": [[3]]}, (TypeError, ValueError, vouch.Error)),
    ([[3]], {"labels": [["O"]]}, TypeError),
    ([[{"w": "Ada"}]], {}, TypeError),
    ([[{"w": "A\tda"}]], {"labels": [["O"]]}, ValueError),
    ([[{"w": "Ada"}]], {"labels": [["\ud800"]]}, ValueError),
    ([["\ud800"]], {"labels": [["O"]]}, ValueError),
    ([[""]], {"labels": [["O"]]}, vouch.Error),
    ([["Ada"]], {"heads": [[0, 1]]}, ValueError),
    (b"train", {}, TypeError),
    (["ner.train"], {"labels": [["O"]]}, TypeError),
    ([], {}, ValueError),
    ([[("Ada", "O")]], {"no_such": 1}, TypeError),
    ([[("Ada", "O")]], {"progress": 3}, TypeError),
])  # fmt: skip
def test_wrong_corpora(source: object, more: dict[str, object], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        vouch.train(source, **{"task": "ner", **more})


def test_every_option_of_the_program(command: Command) -> None:
    """Options are those that --help lists, but for those of the program alone."""
    from vouch import _core

    own = {"help", "usage", "quiet", "output", "log-json", "colour", "json", "model", "verbose"}
    for name in ("tag", "parse", "train", "tune", "eval", "forecast", "review", "trade"):
        listed = {
            word[2:].rstrip(",")
            for line in command(name, "--help").splitlines()
            for word in line[:34].split()
            if word.startswith("--")
        }
        known = {option[0] for option in _core.options(name)}
        assert len(known) > 1 and known <= listed | {option.removeprefix("no-") for option in listed}
        assert not (own & known) - {"model", "json"}


def test_stop_by_progress(labelled) -> None:
    def two_passes(event: dict[str, object]) -> None:
        if event["kind"] == "pass" and event["done"] == 2:
            raise StopIteration

    with pytest.warns(RuntimeWarning, match="interrupted"):
        model = vouch.train([[tuple(w) for w in s] for s in labelled], task="ner", passes=500, progress=two_passes)
    assert model.interrupted and model.tag([[("Ada", "NNP")]]).methods == ()


def test_bar_of_tqdm(labelled) -> None:
    class Bar:
        total: int | None = None
        n = 0
        seen: set[str] = set()

        def set_description_str(self, text: str, refresh: bool) -> None:
            self.seen.add(text)

        def set_postfix_str(self, text: str, refresh: bool) -> None:
            assert not refresh

        def refresh(self) -> None:
            assert self.total is None or self.n <= self.total

    bar = Bar()
    vouch.train([[tuple(w) for w in s] for s in labelled], task="ner", passes=2, no_calibrate=True, progress=bar)
    assert any("pass" in text for text in bar.seen)


def test_tuning_is_that_of_the_program(
    ner: vouch.Model, command: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    command("tune", "-q", "-m", "ner.vouch", "-o", "tuned.vouch", "ner.test")
    tuned = ner.tune("ner.test")
    assert tuned.to_bytes() == (folder / "tuned.vouch").read_bytes() != ner.to_bytes()


def test_forecast_is_that_of_the_program(
    ner: vouch.Model, command: Command, folder: Path, test_set, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    expected = json.loads(command("forecast", "-q", "--json", "-m", "ner.vouch", "ner.test"))
    assert ner.forecast("ner.test") == as_shares(expected)
    assert ner.forecast(split(test_set)[0])["sentences"] == len(test_set)
    labelled = ("--labelled", "ner.test")
    expected = json.loads(command("forecast", "-q", "--json", "-m", "ner.vouch", *labelled, "ner.test"))
    assert ner.forecast("ner.test", labelled="ner.test") == as_shares(expected) and "labelled_sentences" in expected


def test_trade(ner: vouch.Model, command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    curves, none = ner.trade("ner.test")
    printed = json.loads(command("trade", "-q", "--json", "-m", "ner.vouch", "ner.test"))
    assert none is None and curves == as_shares(printed)
    found, chosen = ner.trade("ner.test", precision=0.9)
    assert chosen is not None and chosen.header != ner.header
    assert found["operating_point"]["wanted"]["precision"] == 0.9 <= found["operating_point"]["precision"] <= 1
    assert chosen.header["operating_point"]["precision"] == found["operating_point"]["precision"]
    found, by_type = ner.trade("ner.test", precision=0.3, by="type")
    assert by_type is not None and found["operating_point"]["by"] == "type"
    assert set(found["operating_point"]["groups"]) == set(by_type.header["operating_point"]["groups"])


def test_review_is_that_of_the_program(
    ner: vouch.Model, command: Command, folder: Path, test_set, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    out = command("review", "-q", "-m", "ner.vouch", "--inspect", "5", "ner.test").splitlines()
    head, *expected = [line.split("\t") for line in out if not line.startswith("#")]
    suspects = ner.review("ner.test", inspect=5)
    assert len(suspects) == len(expected) == suspects.totals["listed"] == 5
    for found, row in zip(suspects, (dict(zip(head, row)) for row in expected)):
        assert (found.line, found.text, found.given) == (int(row["line"]), row["text"], row["given"])
        assert f"{found.error:.4g}" == row["error"]
    again = ner.review(*split(test_set), inspect=5)
    assert [(s.text, s.given, s.proposed, s.error) for s in again] == [
        (s.text, s.given, s.proposed, s.error) for s in suspects
    ]
    assert all(test_set[s.line - 1][s.word][0] == s.text for s in again)


def test_review_by_other_parts_and_decisions(folder: Path, ner_path: Path, tmp_path: Path) -> None:
    suspects = vouch.review(folder / "ner.train", task="ner", passes=2, inspect=4)
    assert len(suspects) == 4 and not math.isnan(suspects[0].error) and suspects[:2] == suspects[0:2]
    with pytest.raises((OSError, vouch.Error, ValueError)):
        vouch.review(folder / "ner.train", task="ner", decided=[str(tmp_path / "a"), str(tmp_path / "b")])


def test_an_audit_counts_errors(folder: Path, tmp_path: Path) -> None:
    corpus = folder / "ner.train"
    drawn = vouch.review(corpus, task="ner", passes=2, audit=12)
    assert len(drawn) == 12 and all(s.audit.endswith(f"/{drawn.totals['judged']}") for s in drawn)
    assert drawn.totals["audited"] == 0 and math.isnan(drawn.totals["errors_most"])
    table = tmp_path / "audit.tsv"
    head = "file\tline\tword\twords\tgiven\tproposed\tdecision\taudit"
    rows = [f"{s.file}\t{s.line}\t{s.word + 1}\t{s.words}\t{s.given}\t{s.proposed}\t-\t{s.audit}" for s in drawn]
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    totals = vouch.review(corpus, task="ner", passes=2, decided=str(table)).totals
    assert totals["audited"] == drawn.totals["judged"] and totals["drawn"] == totals["decided"] == 12
    assert totals["errors"] == totals["errors_least"] == 0 < totals["errors_most"] < totals["audited"]


def test_cross_validation(folder: Path, ner_path: Path) -> None:
    result = vouch.cross_validate(folder / "ner.train", "ner", folds=2, passes=1, algorithm=["perceptron", "pa"])
    assert "perceptron" in json.dumps(result)
    assert all(0 < fold["score"] < 1 for one in result["algorithms"] for fold in one["folds"])


def test_what_to_label_next_is_that_of_the_program(
    ner: vouch.Model, command: Command, folder: Path, test_set, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    expected = command("active", "next", "-q", "-m", "ner.vouch", "--pool", "ner.test", "--number", "5")
    assert active.next(ner, "ner.test", number=5) == expected
    words = split(test_set)[0]
    chosen = active.next(ner, words, number=5)
    assert [[w[0] for w in words[i]] for i in chosen] == [[row[0] for row in s] for s in rows(expected)]
    assert not set(chosen) & set(active.next(ner, words, labelled=[words[i] for i in chosen], number=5))
    assert active.next(ner, [], number=5) == []


def test_what_to_label_next_of_features(labelled, test_set) -> None:
    labels = [[w[-1] for w in s] for s in labelled]
    model = vouch.train([[{"w": w[0]} for w in s] for s in labelled], task="ner", labels=labels, passes=2)
    pool = [[{"w": w[0]} for w in s] for s in test_set]
    chosen = active.next(model, pool, number=3)
    assert len(chosen) == len(set(chosen)) == 3 and set(chosen) <= set(range(len(pool)))


def test_a_model_of_the_other_task(ner: vouch.Model, dep: vouch.Model, folder: Path) -> None:
    with pytest.raises((ValueError, vouch.Error)):
        dep.evaluate(folder / "ner.test")
    with pytest.raises((ValueError, vouch.Error)):
        ner.tune(folder / "dep.test")
    with pytest.raises(TypeError):
        ner.evaluate([[("Ada", "NNP")]], heads=[[0]])


def test_lexicons_are_learned_with(command: Command, folder: Path, ner_path: Path, labelled) -> None:
    words, labels = split(labelled)
    forms = [[row[0] for row in sentence] for sentence in words]
    lexicon = folder / "places.tsv"
    lexicon.write_text("# licence: none\nParis\tcity\nNew York\tcity\nthe\tword\n", "utf-8")
    model = vouch.train(forms, task="ner", labels=labels, passes=1, no_calibrate=True, lexicon={"places": lexicon})
    listed = vouch.train(forms, task="ner", labels=labels, passes=1, no_calibrate=True, lexicon=[f"places={lexicon}"])
    assert model.to_bytes() == listed.to_bytes()
    assert model.header["lexicons"][0]["licence"] == "none" and "%places.1[0,0]" in model.header["template"]
    table = folder / "table.txt"
    table.write_text("a 1 0\nb 0 1\nc 0.9 0\n", "utf-8")
    assert vouch.cluster(vectors=table, sizes="2") == command("cluster", "--vectors", str(table), "--sizes", "2")
