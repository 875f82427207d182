"""Options are keywords: in signatures, in help, for type checkers and editors, and when they are misspelled."""

import importlib.util
import inspect
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vouch
from vouch import _core, _options
from vouch._keywords import keyword_of

FUNCTIONS: list[tuple[Callable[..., Any], str]] = [
    (vouch.Model.tag, "tag"), (vouch.Model.parse, "parse"), (vouch.Model.stream, "tag"),
    (vouch.Model.evaluate, "eval"), (vouch.Model.tune, "tune"), (vouch.Model.forecast, "forecast"),
    (vouch.Model.trade, "trade"), (vouch.Model.review, "review"), (vouch.train, "train"),
    (vouch.cross_validate, "eval"), (vouch.review, "review"), (vouch.active.next, "active"),
]  # fmt: skip
OF_OTHERS = {"scores", "offsets", "columns", "rows", "log"}
RIGHT = """
import vouch
model = vouch.train("x", task="ner", passes=3, learn_as="bioes", no_calibrate=True, from_="y", C=1, vectors=[[[1.0]]])
model.tag([["a"]], threshold=0.5, replace="O", confidence=["gamma"], raw=None)
model.review("x", decided=["a", "b"], inspect=3)
model.evaluate("x", confidence=("gamma", "delta"))
vouch.review("x", task="ner", inspect="5%")
judge = vouch.calibrate([[[1.0, 2.0]]], ["O", "B-X"], [["O"]])
judge.evaluate([[[1.0, 2.0]]], [["O"]], confidence="gamma").f1
judge.tune([[[1.0, 2.0]]], [["O"]], coverage=0.9).review([[[1.0, 2.0]]], [["O"]], inspect=3)
places: list[int] = vouch.active.next(model, [["a"]], number=3)
"""
WRONG = [
    'vouch.load_judge("x").trade([[[1.0, 2.0]]], [["O"]], precison=0.9)',
    'vouch.train("x", task="ner", treshold=1)', 'vouch.train("x", task="ner", passes="ten")',
    'vouch.train("x", task="ner", learn_as="bilou")', 'model.tag([["a"]], treshold=0.5)',
    'model.tag([["a"]], threshold="high")', 'model.tag([["a"]], passes=3)', 'model.tune("x", grid="big")',
    'vouch.active.next(model, "x", nmber=3)', 'vouch.review("x", task="ner", decided=3)',
]  # fmt: skip


def test_types_are_those_of_the_tables() -> None:
    maker = Path(__file__).resolve().parents[1] / "make_options.py"
    spec = importlib.util.spec_from_file_location("make_options", maker)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    there = Path(str(_options.__file__)).read_text(encoding="utf-8")
    assert module.text() == there, "the tables of options have changed: run script/keywords"


@pytest.mark.parametrize(("function", "command"), FUNCTIONS)
def test_signatures_show_every_option(function: Callable[..., Any], command: str) -> None:
    parameters = inspect.signature(function).parameters
    for name, usual, help_, kind, _, _ in _core.options(command):
        if (function is vouch.Model.review and name == "task") or name in OF_OTHERS:
            continue  # its model has one; these are for scores and answers of other programs
        parameter = parameters[keyword_of(name)]
        if parameter.kind is parameter.KEYWORD_ONLY:
            assert parameter.default == ({"true": True, "false": False}[usual] if kind == 0 else
                                         None if not usual else usual if kind == 1 else float(usual))
            assert parameter.annotation is not parameter.empty
            assert " ".join(help_.split()) in " ".join(str(inspect.getdoc(function)).split())
    assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())


def test_misspelled_keywords(ner: vouch.Model) -> None:
    for call, message in [
        (lambda: vouch.train([], treshold=1), r"train\(\) got an unexpected keyword argument 'treshold'$"),
        (lambda: vouch.train([], pases=1), r"train\(\) got .* 'pases'. Did you mean 'passes'\?"),
        (lambda: vouch.train([], tsk="ner"), "Did you mean 'task'"),
        (lambda: ner.tag([["a"]], treshold=1), r"tag\(\) got .* 'treshold'. Did you mean 'threshold'\?"),
        (lambda: ner.stream([["a"]], treshold=1), "Did you mean 'threshold'"),  # before the first sentence
        (lambda: vouch.active.next(ner, [["a"]], nubmer=1), "Did you mean 'number'"),
        (lambda: vouch.train([], calibrate=True), "'calibrate'$"),  # no_calibrate would be the opposite
    ]:
        with pytest.raises(TypeError, match=message):
            call()  # type: ignore[no-untyped-call]
    answers = ner.tag([[("Ada", "NNP")]], **{"operating-point": False})  # type: ignore[arg-type]
    assert len(answers) == 1


def test_wrong_values(ner: vouch.Model) -> None:
    with pytest.raises(ValueError, match="passes"):
        vouch.train([[("a", "O")]], task="ner", passes="ten")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threshold"):
        ner.tag([[("a", "NN")]], threshold=7)


def checker(name: str) -> str:
    found = shutil.which(name)
    if not found or subprocess.run([found, "--version"], capture_output=True).returncode != 0:
        pytest.skip(f"skipped: {name} is not installed")
    return found


def lines_of(text: str) -> set[int]:
    return set(range(1, text.count("\n") + 1))


def test_pyright_refuses(tmp_path: Path) -> None:
    program = checker("pyright")
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(f"import vouch\nmodel = vouch.load('x')\n{chr(10).join(WRONG)}\n")
    package = str(Path(vouch.__file__).parents[1])
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [package]}))
    done = subprocess.run([program, "--outputjson"], cwd=tmp_path, capture_output=True, encoding="utf-8")
    found = [(Path(d["file"]).name, d["range"]["start"]["line"]) for d in json.loads(done.stdout)["generalDiagnostics"]]
    assert sorted(found) == [("wrong.py", number + 2) for number in range(len(WRONG))], done.stdout


def test_mypy_refuses(tmp_path: Path) -> None:
    if not importlib.util.find_spec("mypy"):
        pytest.skip("skipped: mypy is not installed")
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(f"import vouch\nmodel = vouch.load('x')\n{chr(10).join(WRONG)}\n")
    package = Path(vouch.__file__).parents[1]
    path = "" if package.name == "site-packages" else f"mypy_path = {package}\n"  # mypy finds what is installed
    (tmp_path / "mypy.ini").write_text(f"[mypy]\n{path}cache_dir = /dev/null\n")
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "right.py", "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    found = {line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line}
    assert "right.py" not in done.stdout, done.stdout
    wrong = {str(number + 3) for number, line in enumerate(WRONG) if "active.next" not in line}
    assert wrong <= found, done.stdout
