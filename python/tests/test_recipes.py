"""The recipes of docs/recipes work, where their libraries are installed: script/test-peers installs them."""

import os
from pathlib import Path

import pytest
from conftest import Command
from test_documents import run_blocks

RECIPES = Path(__file__).resolve().parents[2] / "docs" / "recipes"


@pytest.mark.parametrize("name", ["usaddress", "udpipe", "cleanlab", "inception"])
def test_recipe(name: str, command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = RECIPES / f"{name}.md"
    if not page.exists():
        pytest.skip("skipped: docs/recipes is not beside this folder")
    monkeypatch.chdir(folder)
    if "VOUCH_COMMAND" in os.environ:  # a recipe that starts `vouch serve` needs the program that has it
        program = Path(os.environ["VOUCH_COMMAND"]).resolve()
        monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    done = run_blocks(page, command, all_or_none=True)
    if done.missing:
        pytest.skip(f"skipped: docs/recipes/{name}.md: expected {' and '.join(done.missing)}, found none")
    assert done.run > 0 and done.failures == 0
