"""What notebooks show, tables, and progress.

Tests that need pandas or matplotlib, and the one that runs a notebook (nbclient, ipykernel, scikit-learn), are skipped
without them; script/test-peers has them all.
"""

import copy
import io
import json
import math
import pickle
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, rows

import vouch
from vouch._drawing import Arc, _levels, number, tree
from vouch._evaluation import Evaluation, _points
from vouch._progress import Line, listening

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "notebook" / "five_minutes.ipynb"
VOID = {"path", "rect", "circle", "br"}
EVIL = '<script>alert("1")</script>'


class Elements(HTMLParser):
    """Elements that are closed in the order in which they were opened; text, and attributes by class."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.texts: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.found.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def of(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of elements of a class."""
        return [attrs for _, attrs in self.found if name in (attrs.get("class") or "").split()]


def shown(thing: Any) -> Elements:
    html = thing._repr_html_()
    assert html.startswith('<div class="vouch"><style>') and "<script" not in html and " style=" not in html
    assert "nan" not in Elements(html).text.lower().split()
    return Elements(html)


@pytest.fixture(scope="session")
def sentences(ner: vouch.Model, folder: Path) -> list[list[tuple[str, ...]]]:
    return vouch.read_conll(folder / "ner.test", use=(0, 1)).words


@pytest.fixture(scope="session")
def bank(dep: vouch.Model, folder: Path) -> vouch.Treebank:
    return vouch.read_conllu(folder / "dep.test")


def test_answers_are_shown(ner: vouch.Model, sentences) -> None:
    answers = ner.tag(sentences)
    assert answers.threshold == 0.9
    page = shown(answers)
    assert len(page.of("sentence")) == 10 and "10 of 30 sentences" in page.text
    marked = [span for sentence in answers[:10] for span in sentence.spans]
    assert len([m for m in page.of("span") if "none" not in m["class"].split()]) == len(marked)
    for span in marked:
        assert span.text in page.text and span.type in page.text
    doubtful = page.of("doubt")
    assert 0 < len(doubtful) == page.text.count("0.") - 1 - page.text.count(". 0.")  # a number each, and the threshold
    assert all("doubtful, " in m["title"] for m in doubtful)
    assert len(shown(answers[25:]).of("sentence")) == 5 and "29" in shown(answers[25:]).text and shown(answers[:0])


def test_a_sentence_is_shown(ner: vouch.Model, sentences) -> None:
    for threshold, all_of in ((0.0, False), (1.0, True)):
        answers = ner.tag(sentences, threshold=threshold)
        assert answers.threshold == threshold
        sentence = next(s for s in answers if s.spans)
        page = shown(sentence)
        assert [attrs["class"].endswith("doubt") for attrs in page.of("span")] == (
            [True] * len(page.of("span")) if all_of else [False] * len(sentence.spans)
        )
        assert sentence.text.split()[0] in page.text
    answers.threshold = 0.0
    assert shown(sentence).of("doubt") == [] and pickle.loads(pickle.dumps(answers)).threshold == 0.0


def test_numbers_that_only_rank_are_no_doubt(ner: vouch.Model, sentences) -> None:
    raw = ner.tag(sentences, confidence="delta", raw=True)
    assert raw.threshold is None and shown(raw).of("doubt") == [] and "only rank" in shown(raw).text
    assert "not computed" in shown(ner.tag(sentences, confidence=False)).text


def test_everything_is_escaped(ner: vouch.Model, dep: vouch.Model) -> None:
    words = [[(EVIL, "NNP"), ("&amp;", "NN"), ("'\"", "NNP")], [("שלום", "NNP"), ("עולם", "NN")], []]
    answers = ner.tag(words, threshold=1.0)
    page = shown(answers)
    assert EVIL in page.text and "&amp;" in page.text
    assert [attrs["dir"] for attrs in page.of("sentence")] == ["ltr", "rtl", "ltr"]
    assert EVIL in shown(dep.parse([[EVIL, "&amp;", "'\""]], threshold=1.0)).text
    assert EVIL in shown(vouch.Spans([vouch.Span(EVIL, 0, 1, 0.5, EVIL, 0, 9)])).text
    given = [[EVIL, "left"]] * 20
    model = vouch.train(given, task="ner", labels=[[f"B-{EVIL}", "O"]] * 20, passes=2, no_calibrate=True)
    assert EVIL in shown(model.tag(given)).text
    assert EVIL in shown(model.evaluate(given, labels=[[f"B-{EVIL}", "O"]] * 20)).text
    labels = [[f"B-{EVIL}", "O"]] * 59 + [["O", f"B-{EVIL}"]]
    suspects = vouch.review(given * 3, "ner", labels=labels, passes=1, inspect=3)
    assert EVIL in shown(suspects).text


def test_labels_without_chunks_and_features_without_words(command: Command) -> None:
    given = [[("Ada", "NNP"), ("left", "VBD")]] * 20
    model = vouch.train(given, task="pos", passes=2)
    page = shown(model.tag([["Ada", "left"]]))
    assert len(page.of("span")) == 2 and "NNP" in page.text
    by_features = vouch.train([[{"w": "a"}, {"w": "b"}]] * 20, task="ner", labels=[["B-X", "O"]] * 20, passes=2)
    answers = by_features.tag([[{"w": "a"}, {"w": "b"}]])
    assert "·1" in shown(answers).text and shown(answers.spans).of("chip")
    assert repr(answers[0]).startswith("<vouch.Sentence: _/B-X _/O")


def test_trees_are_drawn(dep: vouch.Model, bank: vouch.Treebank) -> None:
    answers = dep.parse(bank.words, threshold=0.95)
    page = shown(answers)
    assert len([tag for tag, _ in page.found if tag == "svg"]) == 3 and "3 of 30 sentences" in page.text
    sentence = answers[0]
    page = shown(sentence)
    least = [min(word.confidence, word.relation_confidence) for word in sentence]
    assert len(page.of("arc")) + len(page.of("root")) == len(sentence)
    assert len(page.of("doubt")) == sum(c < 0.95 for c in least)
    for word, confidence in zip(sentence, least):
        assert (f"{word.relation} {number(confidence)}" in page.text) == (confidence < 0.95) or confidence > 0.945
    assert shown(dep.parse([[]])) and shown(dep.parse([["one"]]))


def test_arcs_do_not_run_into_each_other() -> None:
    heads = [2, 0, 8, 8, 4, 5, 6, 2, 12, 11, 12, 8, 2]
    arcs = [Arc(head - 1, at, "x", False, "") for at, head in enumerate(heads) if head]
    arcs.sort(key=lambda arc: arc.right - arc.left)
    placed = list(zip(arcs, _levels(arcs)))
    for arc, level in placed:
        for other, above in placed:
            inside = arc.left <= other.left and other.right <= arc.right
            assert other is arc or not inside or above < level
            overlap = other.left < arc.right and arc.left < other.right
            assert other is arc or not overlap or above != level


def test_words_of_a_tree_are_in_order() -> None:
    def middles(forms: list[str]) -> list[float]:
        arcs = [Arc(at - 1, at, "a long name", at == 1, "said") for at in range(len(forms))]
        return [float(x) for x in re.findall(r'class="word" x="([0-9.]+)"', tree(forms, arcs))]

    latin, hebrew = middles(["one", "two", "three"]), middles(["אחד", "שתיים", "שלוש"])
    assert latin == sorted(latin) and hebrew == sorted(hebrew, reverse=True) and len(latin) == len(hebrew) == 3


def test_evaluation(ner: vouch.Model, dep: vouch.Model, folder: Path) -> None:
    found = ner.evaluate(folder / "ner.test")
    assert found.f1 == found["all"]["f1"] and found.precision == found["all"]["precision"] <= 1
    assert found.recall == found["all"]["recall"] and found.accuracy == found["accuracy"]
    assert found.sentence_accuracy == found["sentence_accuracy"] and math.isnan(found.uas) and math.isnan(found.las)
    by = {row.unit: row for row in found.table}
    assert list(by) == ["words", "inside", "spans", "sentences"]
    assert by["words"].ece == found.ece == found["confidence"]["words"]["methods"][0]["reliability"]["ece"]
    assert by["words"].accuracy == pytest.approx(found.accuracy, abs=1e-6) and by["spans"].answers > 0
    assert by["words"].brier == found.brier and by["words"].average_precision == found.average_precision
    for again in (json.loads(json.dumps(found)), pickle.loads(pickle.dumps(found)), copy.deepcopy(found), dict(found)):
        assert again == found
    assert repr(found).startswith("<vouch.Evaluation: F1 0.") and f"{found.f1:.4f}" in str(found)
    page = shown(found)
    assert f"{found.f1:.3f}" in page.text and len(page.of("chart")) == 3 and len(page.of("point")) > 3
    trees = dep.evaluate(folder / "dep.test")
    assert 0 < trees.las <= trees.uas <= 1 and math.isnan(trees.f1) and f"{trees.uas:.3f}" in shown(trees).text
    without = ner.evaluate(folder / "ner.test", confidence="none")
    assert without.table == [] and math.isnan(without.ece) and not shown(without).of("chart")
    ranked = ner.evaluate(folder / "ner.test", confidence=["delta", "gamma"], raw=True)
    assert math.isnan(ranked.ece) and ranked.average_precision > 0 and "delta" in shown(ranked).text


def test_points_have_enough_answers() -> None:
    counts = [(0, 0), (3, 1), (30, 10), (4, 1), (15, 6), (2, 2), (0, 0)]
    bins = [{"count": n, "right": right, "confidence": at / 10} for at, (n, right) in enumerate(counts)]
    points = _points(bins)
    assert [point.answers for point in points] == [33, 21] and sum(p.accuracy * p.answers for p in points) == 20
    assert all(0 <= p.low <= p.accuracy <= p.high <= 1 for p in points)
    assert points[0].confidence == pytest.approx((3 * 0.1 + 30 * 0.2) / 33)
    assert [point.answers for point in _points(bins[:2])] == [3] and _points([]) == []
    # Wilson's interval of 10 in 33, by the formula in its quadratic form: (s - p)^2 = z^2 p (1 - p) / n at both ends
    for p in (points[0].low, points[0].high):
        assert (points[0].accuracy - p) ** 2 == pytest.approx(1.96**2 * p * (1 - p) / 33)


def test_suspects_are_shown(ner: vouch.Model, dep: vouch.Model, folder: Path) -> None:
    suspects = ner.review(folder / "ner.test", inspect=25)
    page = shown(suspects)
    assert "20 of 25 suspects" in page.text and suspects[0].text in page.text and " %" in page.text
    assert len(page.of("context")) == 20 and suspects[0].given in page.text and suspects[0].proposed in page.text
    trees = dep.review(folder / "dep.test", inspect=2)
    assert trees[0].given in shown(trees).text


def test_spans_of_all_sentences(ner: vouch.Model, sentences) -> None:
    answers = ner.tag(sentences)
    spans = answers.spans
    assert list(spans) == [span for sentence in answers for span in sentence.spans] and len(spans) > 20
    assert all(answers[span.sentence].spans.count(span) == 1 for span in spans)
    assert f"20 of {len(spans)} spans" in shown(spans).text
    assert len(shown(spans[3:5]).of("chip")) == 2 and spans[-1] == spans[-1:][0]
    assert ner.tag([]).spans == [] and shown(ner.tag([]).spans) and shown(ner.tag([]))


def test_words_are_in_the_repr(ner: vouch.Model, dep: vouch.Model) -> None:
    sentence = ner.tag([[("Ada", "NNP"), ("left", "VBD")]])[0]
    label = sentence[0].label
    assert repr(sentence).startswith(f"<vouch.Sentence: Ada/{label} left/") and "; confidence 0." in repr(sentence)
    assert repr(sentence[0]).startswith(f"Word('Ada', label={label!r}, confidence=0.")
    tree = dep.parse([["Ada", "left"]], confidence=False)[0]
    assert repr(tree) == f"<vouch.Sentence: Ada/{tree.heads[0]}:{tree.labels[0]} left/{tree.heads[1]}:{tree.labels[1]}>"


def test_pandas(ner: vouch.Model, dep: vouch.Model, sentences, bank: vouch.Treebank, folder: Path) -> None:
    pytest.importorskip("pandas", reason="skipped: pandas is not installed")
    answers = ner.tag(sentences, confidence=["gamma", "kd-fix"])
    frame = answers.to_pandas()
    assert list(frame) == ["sentence", "word", "form", "label", "confidence", "gamma", "kd-fix"]
    assert len(frame) == len(answers.labels) and list(frame["confidence"]) == list(frame["gamma"])
    for i in (0, len(answers) - 1):
        mine = frame[frame["sentence"] == i]
        assert list(mine["label"]) == answers[i].labels and list(mine["form"]) == answers[i].forms
        assert list(mine["word"]) == list(range(len(answers[i])))
    trees = dep.parse(bank.words).to_pandas()
    assert list(trees) == ["sentence", "word", "form", "head", "relation", "confidence", "relation_confidence"]
    spans = answers.spans.to_pandas()
    assert list(spans["text"]) == [span.text for span in answers.spans] and spans.columns[0] == "sentence"
    assert list(ner.evaluate(folder / "ner.test").to_pandas()["unit"]) == ["words", "inside", "spans", "sentences"]
    suspects = ner.review(folder / "ner.test", inspect=3)
    assert list(suspects.to_pandas()["error"]) == [suspect.error for suspect in suspects]


def test_bands_hold_the_share() -> None:
    for answers in range(1, 200):
        for right in (0, 1, answers // 2, answers - 1, answers):
            (point,) = _points([{"count": answers, "right": right, "confidence": 0.5}])
            assert 0 <= point.low <= point.accuracy <= point.high <= 1 and point.low < point.high


def test_plot(ner: vouch.Model, folder: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="skipped: matplotlib is not installed")
    matplotlib.use("agg")
    axes = ner.evaluate(folder / "ner.test").plot()
    assert axes.get_xlabel() == "confidence" and len(axes.get_legend().get_texts()) == 3
    assert Evaluation().plot(ax=axes) is axes


@pytest.mark.parametrize("library, call", [("pandas", lambda e: e.to_pandas()), ("matplotlib", lambda e: e.plot())])
def test_libraries_that_are_missing(monkeypatch: pytest.MonkeyPatch, library: str, call: Any) -> None:
    for name in [library, *(name for name in sys.modules if name.startswith(f"{library}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"needs {library}: pip install {library}"):
        call(Evaluation())


def test_corpora_are_read_as_the_program_reads_them(folder: Path, ner: vouch.Model, tmp_path: Path) -> None:
    given = rows((folder / "ner.test").read_text(encoding="utf-8"))
    words, labels = vouch.read_conll(folder / "ner.test", use=(0, 1))
    assert words == [[tuple(row[:2]) for row in s] for s in given] and labels == [[row[-1] for row in s] for s in given]
    text = "# comment\n\n-DOCSTART- - O\n\n# another\na  A B-X\n# B O\r\n\n\nb\u00a0c C O\n-DOCSTART- - O\n# D O\n"
    for pack in ("plain", "gzip", "bz2", "lzma"):
        data = text.encode()
        (tmp_path / pack).write_bytes(data if pack == "plain" else __import__(pack).compress(data))
        words, labels = vouch.read_conll(tmp_path / pack)
        assert words == [["a", "#"], ["b\u00a0c"], ["#"]] and labels == [["B-X", "O"], ["O"], ["O"]]
        found = ner.evaluate(tmp_path / pack)
        assert found["sentences"] == len(words) and found["words"] == sum(map(len, words))
    (tmp_path / "tabs").write_text("New York\tLOC\n\tO\n", encoding="utf-8")
    assert vouch.read_conll(tmp_path / "tabs", use=[1], label=0) == ([[("LOC",), ("O",)]], [["New York", ""]])


@pytest.mark.parametrize("read, data, line, said", [
    (vouch.read_conll, b"a O\nb\n", 2, "expected 2 columns, found 1"),
    (vouch.read_conll, b"a O\n\xff O\n", 2, "expected UTF-8"),
    (lambda path: vouch.read_conll(path, use=4), b"\na O\n", 2, "expected a column 4, found 2 columns"),
    (vouch.read_conllu, b"# x\n1\ta\n", 2, "expected 10 columns between tabs, found 2"),
    (vouch.read_conllu, b"1" + b"\t_" * 9 + b"\n", 1, "expected a number in column HEAD, found '_'"),
])  # fmt: skip
def test_wrong_corpora(tmp_path: Path, read: Any, data: bytes, line: int, said: str) -> None:
    (tmp_path / "given").write_bytes(data)
    with pytest.raises(ValueError, match=rf"given:{line}: {re.escape(said)}"):
        read(tmp_path / "given")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")


def test_trees_are_read(tmp_path: Path, bank: vouch.Treebank, folder: Path) -> None:
    given = rows((folder / "dep.test").read_text(encoding="utf-8"))
    assert bank.words == [[tuple(row[1:6]) for row in s] for s in given]
    assert bank.heads == [[int(row[6]) for row in s] for s in given]
    lines = ["# text = du b", "1-2\tdu" + "\t_" * 8, "1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_", "1.1\tx" + "\t_" * 8,
             "2\tb\tb\tNOUN\t_\t_\t0\troot\t_\t_"]  # fmt: skip
    (tmp_path / "words").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = [("de", "de", "ADP", "_", "_"), ("b", "b", "NOUN", "_", "_")]
    assert vouch.read_conllu(tmp_path / "words") == ([words], [[2, 0]], [["case", "root"]])


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def event(what: str, done: int, of: int, note: str = "", kind: str = "reading") -> dict[str, Any]:
    return {"kind": kind, "what": what, "done": done, "of": of, "note": note, "number": math.nan, "text": None,
            "record": None}  # fmt: skip


def test_a_line_of_progress() -> None:
    terminal, log = Terminal(), io.StringIO()
    for stream in (terminal, log):
        line = Line(stream)
        for done in range(1, 5):
            line(event("learning", done, 4, " loss 0.5"))
        line(event("learning", 4, 4))
        line(event("a note", 1, 1, kind="note"))
        for done in (10, 1200):
            line(event("reading", done, 0, "sentences"))
        line.close()
        line.close()
    lines = log.getvalue().splitlines()
    assert lines[0].startswith("learning 100% ####") and "4/4 loss 0.5 [00:0" in lines[0]
    assert lines[1].startswith("reading 1,200 sentences [00:0") and len(lines) == 2
    drawn = terminal.getvalue()
    assert drawn.count("\n") == 1 and drawn.endswith("]\n") and "\rlearning  25% ██████░" in drawn
    assert "a note" not in drawn and "reading 1,200 sentences" in drawn


def test_progress_of_everything(
    ner: vouch.Model, sentences, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vouch._model._LEAST_BLOCK", 7)
    for call, said in [
        (lambda: ner.tag(sentences, progress=True), "answering 100%"),
        (lambda: ner.evaluate(sentences * 5, labels=[["O"] * len(s) for s in sentences] * 5, progress=True), "reading"),
        (lambda: ner.review(folder / "ner.test", inspect=2, progress=True), "judging 100%"),
        (lambda: vouch.train(folder / "ner.train", "ner", passes=2, progress=True), "calibrating 100%"),
    ]:
        call()
        printed = capsys.readouterr()
        assert said in printed.err and printed.out == ""
    ner.tag(sentences, progress=False)
    assert capsys.readouterr().err == ""
    with pytest.raises(TypeError, match="expected True, a function"):
        ner.tag(sentences, progress=3)
    with listening(None) as listener:
        assert listener is None


def test_answers_with_progress_are_the_same(
    ner: vouch.Model, dep: vouch.Model, sentences, bank: vouch.Treebank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vouch._model._LEAST_BLOCK", 4)
    asked: dict[str, Any] = {"alternatives": 3, "confidence": ["kd-fix", "gamma"], "threads": 2}
    for call, given in ((ner.tag, sentences), (dep.parse, bank.words)):
        events: list[dict[str, Any]] = []
        expected, found = call(given, **asked), call(iter(given), **asked, progress=events.append)
        assert [e["done"] for e in events] == [*range(4, 30, 4), 30] and events[0]["of"] == 30
        assert pickle.dumps(found) == pickle.dumps(expected)
        assert [s.labels for s in found] == [s.labels for s in expected]
        assert [s.forms for s in found] == [s.forms for s in expected]
        assert [s.spans for s in found] == [s.spans for s in expected]
        assert [w.alternatives for s in found for w in s] == [w.alternatives for s in expected for w in s]
    # A method that looks at all sentences gets them at once; words that are replaced have names of their own.
    for more in ({"confidence": "committee+text"}, {"threshold": 0.9, "replace": "X"}):
        same = ner.tag(sentences, **more)
        assert pickle.dumps(ner.tag(sentences, progress=events.append, **more)) == pickle.dumps(same)
    with pytest.raises(Exception, match="sentence 6"):
        ner.tag([*sentences[:5], [3]], progress=events.append)
    assert len(ner.tag([], progress=events.append)) == 0


def test_the_first_five_minutes() -> None:
    """The example runs in a kernel, and ends with a threshold, a table and coloured sentences."""
    for library in ("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib", "sklearn"):
        pytest.importorskip(library, reason=f"skipped: {library} is not installed")
    if not EXAMPLE.exists():
        pytest.skip("skipped: examples/notebook is not beside this folder")
    import nbclient
    import nbformat

    notebook = nbformat.read(EXAMPLE, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    results = [output.data for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    threshold, table, sentences = results[-3:]
    assert 0 < float(threshold["text/plain"]) < 1 and "dataframe" in table["text/html"]
    assert sum('class="vouch"' in data.get("text/html", "") for data in results) == 3
    page = Elements(sentences["text/html"])
    assert page.of("span") and page.of("doubt") and len(page.of("sentence")) == 5
