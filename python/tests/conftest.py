"""Small models and texts, made by the program: VOUCH_COMMAND names it, else it is the one in PATH."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vouch

Command = Callable[..., str]

# sitecustomize.py for Spark's workers: notes the process of each opening of a model. Python runs it at its start,
# before it is forked for the first task.
NOTE_LOADS = """
import os, sys
if "pyspark.daemon" in sys.orig_argv:
    import vouch._model, vouch.spark
    load = vouch._model.load
    def noted(source):
        with open(os.environ["VOUCH_LOADS"], "a") as file:
            file.write(f"{os.getpid()}\\n")
        return load(source)
    vouch._model.load = vouch.spark.load = noted
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vouch")


@pytest.fixture(scope="session")
def command(folder: Path) -> Command:
    """Runs the program in the folder of the files, and returns what it prints."""
    program = os.environ.get("VOUCH_COMMAND", "vouch")

    def run(*arguments: str) -> str:
        done = subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, encoding="utf-8")
        return done.stdout

    return run


def make(command: Command, folder: Path, kind: str, count: str, *options: str) -> Path:
    """Learns KIND.vouch from KIND.train, and writes other sentences to KIND.test."""
    (folder / f"{kind}.train").write_text(command("sample", "--kind", kind, "-n", count), encoding="utf-8")
    (folder / f"{kind}.test").write_text(
        command("sample", "--kind", kind, "-n", "30", "--first", "120"), encoding="utf-8"
    )
    command("train", "-q", "-t", kind, "-n", "2", *options, "-o", f"{kind}.vouch", f"{kind}.train")
    return folder / f"{kind}.vouch"


@pytest.fixture(scope="session")
def ner_path(command: Command, folder: Path) -> Path:
    return make(command, folder, "ner", "120")


@pytest.fixture(scope="session")
def ner(ner_path: Path) -> vouch.Model:
    return vouch.load(ner_path)


@pytest.fixture(scope="session")
def dep(command: Command, folder: Path) -> vouch.Model:
    return vouch.load(make(command, folder, "dep", "60", "--bits", "14"))


def rows(text: str) -> list[list[list[str]]]:
    """The sentences of a file in columns, as rows of cells; comments are left out."""
    separator = "\t" if "\t" in text else " "
    blocks = [block.split("\n") for block in text.strip("\n").split("\n\n")]
    return [[line.split(separator) for line in block if not line.startswith("#")] for block in blocks]


@pytest.fixture(scope="session")
def example_models(command: Command, folder: Path) -> tuple[vouch.Model, vouch.Model]:
    """A tagger and a parser that have learned enough for the examples, in a folder of their own."""
    here = folder / "examples"
    here.mkdir()
    for kind, count, more in (("ner", "400", []), ("dep", "150", ["--bits", "14"])):
        command("sample", "--kind", kind, "-n", count, "-o", f"examples/{kind}.train")
        command("train", "-q", "-t", kind, "-n", "4", *more, "-o", f"examples/{kind}.vouch", f"examples/{kind}.train")
    return vouch.load(here / "ner.vouch"), vouch.load(here / "dep.vouch")


# Numbers of the program's JSON that are no percentages although they are no counts, and parts that have none.
NO_PERCENTAGES = {"threshold", "mean_size", "t", "p", "confidence", "likeness", "unknown_words"}


def as_shares(printed: Any) -> Any:
    """What the program prints as JSON, with numbers from 0 to 1 for percentages: counts are whole numbers there."""
    if isinstance(printed, dict):
        return {k: v if k in NO_PERCENTAGES else as_shares(v) for k, v in printed.items()}
    if isinstance(printed, list):
        return [as_shares(item) for item in printed]
    return pytest.approx(printed / 100, abs=1e-11) if isinstance(printed, float) else printed
