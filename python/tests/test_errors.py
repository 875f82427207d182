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


def test_files(ner: vouch.Model, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        vouch.load(tmp_path / "none")
    with pytest.raises(OSError):
        ner.save(tmp_path / "none" / "model")
    with pytest.raises(OSError):
        vouch.train(tmp_path / "none", task="ner")
    with pytest.raises(ValueError):
        vouch.train([], task="ner")
    with pytest.raises(vouch.Error) as caught:
        vouch.load(b"not a model")
    assert caught.value.status == 3


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
    assert len(model.tag([["a", ["b", "c"], {}, {"a": True, "b": 0}, []]])[0]) == 5
    loop: dict[str, object] = {}
    loop["again"] = loop
    for word, kind in [({3: "x"}, TypeError), ({"a": object()}, TypeError), ({"a": [3]}, TypeError),
                       ({"a": float("nan")}, ValueError), ({"a": 1e300}, ValueError), ({"a": "\ud800"}, ValueError),
                       ({"\ud800": 1}, ValueError), ({"a\0": 1}, ValueError), ({"": 1}, ValueError),
                       (loop, RecursionError)]:  # fmt: skip
        with pytest.raises(kind):
            model.tag([[word]])
    value = Spiteful(1)
    sentence: list[object] = [{"a": value, "b": "c"}, {"d": "e"}]
    value.owner = sentence
    assert len(model.tag([sentence])[0]) == 2
