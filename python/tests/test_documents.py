"""The docstrings are true, and so are the blocks of docs/PYTHON.md."""

import doctest
import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
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


@dataclass
class Done:
    """What running a page came to: blocks that were run, failures, and the modules that were missing."""

    run: int
    failures: int
    missing: list[str]
    skipped: int


def modules_of(block: str) -> list[str]:
    found = []
    for names in re.findall(r"^>>> (?:import (.*)|from (\w+))", block, re.MULTILINE):
        found += [name.strip() for name in ",".join(names).split(",") if name.strip()]
    return found


def run_blocks(page: Path, command: Command, all_or_none: bool = False) -> Done:
    """Runs the blocks of a page in order, but those that import what is missing; with `all_or_none` none, then."""
    done = Done(0, 0, [], 0)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    text = page.read_text(encoding="utf-8")
    if all_or_none:
        done.missing = [module for module in modules_of(text) if not importlib.util.find_spec(module)]
    for found in re.finditer(r"^```(console|python)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        kind, block = found.groups()
        if done.missing and all_or_none:
            break
        line = text.count("\n", 0, found.start()) + 1
        if kind == "console":
            for arguments in re.findall(r"^\$ vouch (.*)$", block, re.MULTILINE):
                assert command(*arguments.split()) == ""
            continue
        lacking = [module for module in modules_of(block) if not importlib.util.find_spec(module)]
        if lacking:
            done.missing += lacking
            done.skipped += 1
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
        runner.run(test, clear_globs=False)
        names = test.globs
        done.run += 1
    done.failures = runner.failures
    return done


def test_page(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not PAGE.exists():
        pytest.skip("skipped: docs/PYTHON.md is not beside this folder")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    done = run_blocks(PAGE, command)
    assert done.run >= 6 and done.failures == 0
    if done.skipped:
        pytest.skip(f"skipped: {done.skipped} of {done.run + done.skipped} blocks, whose libraries are not installed")
