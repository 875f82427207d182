"""Wrong input is an exception that says what was expected, never a crash."""

import gc
from pathlib import Path

import pytest

import vouch


class Spiteful(float):
    """Empties the list that it is in while it is read."""

    def __init__(self, value: float) -> None:
        self.owner: list[object] = []

    def __float__(self) -> float:
        self.owner.clear()
        gc.collect()
        return 1.0


@pytest.mark.parametrize("sentences", ["Ada", b"Ada", {"Ada": 1}, None, 3, ["Ada"], [b"Ada"], [3], [[3]], [[None]],
                                       [[("Ada", 3)]], [[{"word": "Ada"}]], [[b"Ada"]]])  # fmt: skip
def test_wrong_types(ner: vouch.Model, sentences: object) -> None:
    with pytest.raises(TypeError):
        ner.tag(sentences)


@pytest.mark.parametrize("sentence", [["Ada"], [("Ada",)], [()], [("Ada", "NNP"), ("Ada",)], [("", "NNP")],
                                      [("Ada", "\ud800")], [("A\0da", "NNP")]])  # fmt: skip
def test_wrong_shapes_and_texts(ner: vouch.Model, sentence: list[object]) -> None:
    with pytest.raises(ValueError):
        ner.tag([[("Ada", "NNP")], sentence])


def test_exceptions_of_iterators_pass(ner: vouch.Model) -> None:
    def sentences():
        yield [("Ada", "NNP")]
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ner.tag(sentences())


@pytest.mark.parametrize("options", [{"confidence": "unheard-of"}, {"threads": 0},
                                     {"alternatives": -1}, {"draws": 2.5}, {"threshold": float("nan")},
                                     {"replace": "a\0b"}, {"replace": "\ud800"}])  # fmt: skip
def test_wrong_options(ner: vouch.Model, options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        ner.tag([[("Ada", "NNP")]], **options)


def test_wrong_kind_of_model(ner: vouch.Model, dep: vouch.Model) -> None:
    with pytest.raises(ValueError, match="parses"):
        ner.parse([["Ada"]])
    with pytest.raises(ValueError, match="labels"):
        dep.tag([["Ada"]])


def test_files(ner: vouch.Model, dep: vouch.Model, tmp_path: Path) -> None:
    none, words, labels = tmp_path / "none", [[("Ada", "NNP")]], [["B-PER"]]
    for call in (
        lambda: vouch.load(none), lambda: vouch.load_judge(none), lambda: vouch.import_model(none),
        lambda: vouch.import_model(none, from_="crfpp"), lambda: vouch.train(none, task="ner"),
        lambda: vouch.train(words, task="ner", labels=labels, template=none),
        lambda: vouch.train(words, task="ner", labels=labels, dev=none),
        lambda: vouch.train(words, task="ner", labels=labels, vectors=none),
        lambda: vouch.train(words, labels=labels, from_=none), lambda: vouch.review(none, task="ner"),
        lambda: vouch.cross_validate(none, task="ner"), lambda: ner.evaluate(none), lambda: ner.tune(none),
        lambda: ner.forecast(none), lambda: ner.trade(none), lambda: ner.review(none), lambda: dep.evaluate(none),
        lambda: ner.review(words, labels=labels, decided=[none]), lambda: vouch.active.next(ner, none),
        lambda: vouch.active.next(ner, words, labelled=[none]), lambda: ner.save(none / "model"),
        lambda: vouch.Judge(["O"]).save(none / "judge"),
    ):  # fmt: skip
        with pytest.raises(FileNotFoundError) as missing:
            call()
        assert str(none) in str(missing.value.filename)
    for call in (lambda: vouch.train([], task="ner"), lambda: vouch.train([], labels=[]), lambda: ner.evaluate([])):
        with pytest.raises(ValueError, match="expected sentences, or the paths of files, found none"):
            call()
    with pytest.raises(vouch.Error, match="^sentences:1: "):
        vouch.train([[("a", "")]], task="ner")
    with pytest.raises(vouch.Error) as caught:
        vouch.load(b"not a model")
    assert caught.value.status == 3


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    for call in (vouch.load, vouch.load_judge, vouch.import_model, vouch.read_conll):
        with pytest.raises(IsADirectoryError):
            call(tmp_path)


def test_a_model_cut_short(ner_path: Path) -> None:
    data = ner_path.read_bytes()
    for length in range(0, len(data), len(data) // 20):
        with pytest.raises(vouch.Error):
            vouch.load(data[:length])


def test_wrong_features(command, folder: Path) -> None:
    (folder / "tiny").write_text("O\ta\n\nB-X\tb\n\nO\ta\tc\n\nB-X\tb\tc\n", encoding="utf-8")
    command("train", "-q", "-t", "ner", "-n", "2", "--no-calibrate", "--format", "crfsuite", "-o", "tiny.vouch",
            "tiny")  # fmt: skip
    model = vouch.load(folder / "tiny.vouch")
    assert len(model.tag([[["a"], ["b", "c"], {}, {"a": True, "b": 0}, []]])[0]) == 5
    loop: dict[str, object] = {}
    loop["again"] = loop
    for word, kind in [("a", TypeError), ({3: "x"}, TypeError), ({"a": object()}, TypeError), ({"a": [3]}, TypeError),
                       ({"a": float("nan")}, ValueError), ({"a": 1e300}, ValueError), ({"a": "\ud800"}, ValueError),
                       ({"\ud800": 1}, ValueError), ({"a\0": 1}, ValueError), ({"": 1}, ValueError),
                       (loop, RecursionError)]:  # fmt: skip
        with pytest.raises(kind):
            model.tag([[word]])
    value = Spiteful(1)
    sentence: list[object] = [{"a": value, "b": "c"}, {"d": "e"}]
    value.owner = sentence
    assert len(model.tag([sentence])[0]) == 2
