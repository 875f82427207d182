"""`python -m vouch` is the program, and building the package says what it needs."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import vouch
from vouch.__main__ import program

SETUP = Path(__file__).resolve().parents[1] / "setup.py"
AS_MODULE = [sys.executable, "-m", "vouch"]


@pytest.fixture(scope="module")
def plain() -> list[str]:
    """The program itself."""
    if program() is None:
        pytest.skip("skipped: the program is not installed with the package")
    return [os.environ.get("VOUCH_COMMAND", "vouch")]


@pytest.mark.parametrize("arguments", [
    ["version"], ["help"], ["tag", "--help"], [], ["tga"], ["tag"], ["tag", "-m", "no such file"],
    ["sample", "-n", "3"], ["train", "--passes", "ten"], ["eval", "--json", "-m", "ner.vouch", "ner.test"],
    ["tag", "-m", "ner.vouch", "--threshold", ".9", "-"],
])  # fmt: skip
def test_the_same_program(plain: list[str], ner_path: Path, arguments: list[str]) -> None:
    """Output, messages and exit status are the same with the same input, but for commands a package leaves out."""
    given = (ner_path.parent / "ner.test").read_bytes()
    theirs, ours = (
        subprocess.run([*start, *arguments], input=given, capture_output=True, cwd=ner_path.parent)
        for start in (plain, AS_MODULE)
    )
    assert ours.returncode == theirs.returncode
    assert without_server(ours.stdout) == without_server(theirs.stdout)
    assert without_server(ours.stderr) == without_server(theirs.stderr)


def without_server(printed: bytes) -> bytes:
    """What was printed without the summaries of `vouch serve` and `vouch store`."""
    return re.sub(rb"^  (serve|store) .*\n", b"", printed, flags=re.MULTILINE)


def test_a_reader_that_goes_away(plain: list[str]) -> None:
    """The signal of a closed pipe ends both, though Python ignores it for itself."""
    statuses = []
    for start in (plain, AS_MODULE):
        running = subprocess.Popen([*start, "sample", "-n", "20000"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert running.stdout
        running.stdout.readline()
        running.stdout.close()
        statuses.append(running.wait(60))
    assert statuses[0] == statuses[1] == -signal.SIGPIPE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_it(plain: list[str], ner_path: Path, number: signal.Signals) -> None:
    statuses = []
    for start in (plain, AS_MODULE):
        command = [*start, "tag", "-q", "-m", str(ner_path)]
        running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        executable = Path(f"/proc/{running.pid}/exe")
        while executable.resolve().name != "vouch" and time.monotonic() < deadline:
            time.sleep(0.01)
        running.send_signal(number)
        statuses.append(running.wait(60))
    assert statuses[0] == statuses[1] != 0


def test_where_pip_puts_it() -> None:
    found = program()
    if found is None:
        pytest.skip("skipped: the program is not installed with the package")
    version = subprocess.run([found, "version"], capture_output=True, encoding="utf-8").stdout
    assert version.split()[:2] == ["vouch", vouch.__version__]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    """One line, the last, has the packages to install."""
    if not SETUP.exists():
        pytest.skip("skipped: setup.py is not beside this folder")
    environment = {name: value for name, value in os.environ.items() if name != "VOUCH_LIBRARY"}
    command = [sys.executable, str(SETUP), "-q", "build_scripts", "--build-dir", str(tmp_path)]

    def last_line(**changed: str) -> str:
        found = {**environment, **changed}
        done = subprocess.run(command, cwd=SETUP.parent, env=found, capture_output=True, encoding="utf-8")
        assert done.returncode != 0 and "Traceback" not in done.stderr
        return done.stderr.splitlines()[-1]

    said = "vouch: something is missing to build it: apt install "
    libraries = "libarchive-dev libjansson-dev libutf8proc-dev libxxhash-dev"
    assert last_line(PKG_CONFIG_LIBDIR=str(tmp_path), PKG_CONFIG_PATH="") == said + libraries
    assert last_line(PATH=str(tmp_path), CC="no-such-compiler").startswith(said + "cmake ninja-build gcc libc6-dev ")
    assert not list(tmp_path.iterdir())
