"""How far annotators agree, and the files of their tools, beside what the program prints."""

import json
import math
from pathlib import Path

import pytest
from conftest import Command

import vouch

EXPORT = (
    '{"text": "Ada left Paris.", "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}, '
    '{"id": 2, "label": "LOC", "start_offset": 9, "end_offset": 14}], '
    '"relations": [{"id": 3, "type": "left", "from_id": 1, "to_id": 2}]}\n'
)


@pytest.fixture(scope="module")
def second(command: Command, folder: Path, ner: vouch.Model) -> Path:
    """Another annotator of ner.test, who calls the first place an organisation."""
    path = folder / "second.test"
    path.write_text((folder / "ner.test").read_text(encoding="utf-8").replace(" B-LOC\n", " B-ORG\n", 1), "utf-8")
    return path


def test_agreement_is_the_programs(command: Command, folder: Path, ner: vouch.Model, second: Path) -> None:
    printed = json.loads(command("agree", "--json", "-m", "ner.vouch", "ner.test", "second.test"))
    found = vouch.agree(folder / "ner.test", second, model=ner)
    assert found.annotators == (str(folder / "ner.test"), str(second))
    assert (found.sentences, found.words, found.differ) == (printed["sentences"], printed["words"], printed["differ"])
    assert [f.value for f in found.figures] == [f["value"] for f in printed["figures"]]
    assert [(f.low, f.high, f.units) for f in found.figures] == [
        (f["low"], f["high"], f["units"]) for f in printed["figures"]
    ]
    (place,) = found.disagreements
    assert place.answers[0].replace("LOC", "ORG") == place.answers[1] and place.end > place.start
    assert place.probabilities == tuple(printed["disagreements"][0]["probabilities"])
    assert found.alpha["words"].low <= found.alpha["words"].value <= found.alpha["words"].high
    assert "places differ" in repr(found) and "B-ORG" in found._repr_html_()


def test_sentences_of_python_are_compared() -> None:
    words = [["Ada", "saw", "Ben"], ["so", "did", "he"]]
    one = vouch.Labelled(words, [["B-PER", "O", "B-PER"], ["O", "O", "O"]])
    two = vouch.Labelled(words, [["B-PER", "O", "O"], ["O", "O", "O"]])
    found = vouch.agree(one, two, list=0)
    assert found.annotators == ("annotator 1", "annotator 2") and found.differ == 1 and not found.disagreements
    f1 = next(f for f in found.figures if (f.level, f.measure) == ("spans", "f1"))
    assert f1.value == pytest.approx(2 / 3) and f1.between == found.annotators
    same = vouch.agree(one, one)
    assert same.alpha["words"].value == 1 and same.differ == 0


def test_trees_of_python_are_compared(dep: vouch.Model, folder: Path) -> None:
    bank = vouch.read_conllu(folder / "dep.test")
    found = vouch.agree(bank, bank, model=dep)
    assert found.alpha["arcs"].value == 1 and found.differ == 0
    assert math.isnan(found.alpha.get("words", found.alpha["heads"]).value) is False


def test_one_annotator_is_refused(folder: Path, ner: vouch.Model) -> None:
    with pytest.raises(ValueError, match="at least two, found 1"):
        vouch.agree(folder / "ner.test")


def test_other_words_are_refused() -> None:
    with pytest.raises(vouch.Error, match=r'expected the same words, found "a" and "b"'):
        vouch.agree(vouch.Labelled([["a"]], [["O"]]), vouch.Labelled([["b"]], [["O"]]))


def test_conversion_is_the_programs(command: Command, folder: Path) -> None:
    (folder / "export.jsonl").write_text(EXPORT, encoding="utf-8")
    for to in ("conll", "jsonl", "prodigy", "label-studio", "gliner", "conllu"):
        made = vouch.convert(folder / "export.jsonl", to=to)
        assert made.text == command("convert", "-q", "--to", to, "export.jsonl")
        assert (made.documents, made.written, made.spans) == (1, 1, 2)
        assert vouch.convert(EXPORT.encode(), to=to, from_="doccano").text == made.text


def test_what_was_lost_is_a_value() -> None:
    made = vouch.convert(EXPORT.encode(), to="conll")
    assert made.lost == {"texts' white space": 1, "relations": 1} or made.lost["relations"] == 1
    assert any("1 relation" in note for note in made.notes) and "relations" in repr(made)
    assert vouch.convert(EXPORT.encode(), to="doccano").lost == {}
    (row,) = vouch.convert(EXPORT.encode(), to="jsonl").rows
    assert row["tokens"] == ["Ada", "left", "Paris", "."]


def test_documents_go_to_a_folder_and_come_back(tmp_path: Path) -> None:
    made = vouch.convert(EXPORT.encode(), to="brat", path=tmp_path / "brat")
    assert made.text is None and made.written == 1
    again = vouch.convert(sorted((tmp_path / "brat").glob("*.ann")), to="doccano")
    assert json.loads(str(again))["text"] == "Ada left Paris."
    with pytest.raises(ValueError, match="expected the path of a folder"):
        vouch.convert(EXPORT.encode(), to="brat")


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    bad = b'{"text": "Ada", "label": [[0, 9, "PER"]]}\n'
    with pytest.raises(vouch.Error, match="sentences:1: "):
        vouch.convert(bad, to="conll", path=tmp_path / "made")
    assert not (tmp_path / "made").exists()
    vouch.convert(EXPORT.encode(), to="conll", path=tmp_path / "made")
    assert vouch.read_conll(tmp_path / "made").labels == [["B-PER", "O", "B-LOC", "O"]]


def test_edges_are_decided_by_options() -> None:
    cut = b'{"text": "Adas", "label": [[0, 3, "PER"]]}\n'
    with pytest.raises(vouch.Error, match="--edges"):
        vouch.convert(cut, to="conll")
    assert str(vouch.convert(cut, to="conll", edges="widen")) == "Adas B-PER\n\n"
    with pytest.raises(TypeError, match="Did you mean 'edges'"):
        vouch.convert(cut, to="conll", edge="widen")
