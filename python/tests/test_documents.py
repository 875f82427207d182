"""The docstrings are true, and so are the blocks of docs/PYTHON.md."""

import doctest
import importlib
import importlib.util
import re
import sys
from pathlib import Path

import pytest
from conftest import Command

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.REPORT_NDIFF
PAGE = Path(__file__).resolve().parents[2] / "docs" / "PYTHON.md"


@pytest.mark.parametrize("name", ["sklearn", "sklearn.metrics", "huggingface"])
def test_docstrings(name: str) -> None:
    if name == "sklearn.metrics":
        pytest.importorskip("sklearn", reason="skipped: scikit-learn is not installed")
    result = doctest.testmod(importlib.import_module(f"vouch.{name}"), optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 0


def test_page(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not PAGE.exists():
        pytest.skip("skipped: docs/PYTHON.md is not beside this folder")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    run = missing = 0
    text = PAGE.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(console|python)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        kind, block = found.groups()
        line = text.count("\n", 0, found.start()) + 1
        if kind == "console":
            for arguments in re.findall(r"^\$ vouch (.*)$", block, re.MULTILINE):
                assert command(*arguments.split()) == ""
            continue
        needed = re.findall(r"^>>> (?:import|from) (\w+)", block, re.MULTILINE)
        lacking = [module for module in needed if not importlib.util.find_spec(module)]
        if lacking:
            missing += 1
            continue
        test = doctest.DocTestParser().get_doctest(block, names, PAGE.name, str(PAGE), line)
        runner.run(test, clear_globs=False)
        names = test.globs
        run += 1
    assert run >= 6 and runner.failures == 0
    if missing:
        pytest.skip(f"skipped: {missing} of {run + missing} blocks, whose libraries are not installed")
