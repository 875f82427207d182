"""The examples in docstrings print what they say."""

import doctest
import importlib
from pathlib import Path

import pytest
from conftest import Command

import vouch


@pytest.mark.parametrize("name", ["vouch", "vouch._annotators", "vouch._calls", "vouch._evaluation", "vouch._judge",
                                  "vouch._model", "vouch._reading", "vouch._shares", "vouch.active", "vouch.answers",
                                  "vouch.metrics"])  # fmt: skip
def test_examples(
    command: Command, example_models: tuple[vouch.Model, vouch.Model], folder: Path, monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(folder / "examples")
    module = importlib.import_module(name)
    given = {"vouch": vouch, "model": example_models[0], "parser": example_models[1]}
    found = doctest.testmod(module, extraglobs=given)
    assert found.attempted > 0 and found.failed == 0
