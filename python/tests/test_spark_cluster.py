"""The programs of examples/cluster on a Spark of two workers, each a process of its own, one of which is killed.

Both label more than enough sentences for the kill to hit in the middle: some tasks have ended, others have not begun.
The result must be that of a plain run. It takes about two minutes, most of them for starting Spark.
"""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import NOTE_LOADS, Command, rows

pyspark = pytest.importorskip("pyspark", reason="skipped: PySpark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("skipped: Spark needs Java 17, and there is no java", allow_module_level=True)

EXAMPLES = Path(__file__).parents[2] / "examples" / "cluster"
if not EXAMPLES.is_dir():
    pytest.skip("skipped: this is no checkout, there is no examples/cluster", allow_module_level=True)

PARTITIONS = 16
REQUEST = {"confidence": "kd-fix,committee", "draws": "50"}  # draws, which take long enough
PLAIN = ["--confidence", REQUEST["confidence"], "--draws", REQUEST["draws"]]


@pytest.fixture(scope="module")
def text(command: Command, folder: Path, ner_path: Path) -> Path:
    """JSON lines of known ids, and what the plain run makes of them."""
    sample = rows(command("sample", "--kind", "ner", "-n", "6000", "--first", "120", "--unseen-names"))
    lines = [json.dumps({"id": i, "tokens": [row[:2] for row in s]}) for i, s in enumerate(sample)]
    (folder / "text.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command("tag", "-q", "-m", str(ner_path), *PLAIN, "-o", "plain.jsonl", "text.jsonl")
    return folder / "text.jsonl"


def processes() -> Iterator[tuple[int, int, str]]:
    """The number, the parent and the command of every process."""
    for entry in Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(entry.name), parent, (entry / "cmdline").read_text().replace("\0", " ")
        except (OSError, ValueError):
            continue  # no process, or one that has ended


def executors(driver: int) -> dict[int, str]:
    """The processes that compute for this driver, and what Spark calls them."""
    found = {number: (parent, line) for number, parent, line in processes()}

    def descends(number: int) -> bool:
        while number in found and number != driver:
            number = found[number][0]
        return number == driver

    backend = re.compile(r"CoarseGrainedExecutorBackend.* --executor-id (\d+)")
    names = {number: backend.search(line) for number, (_, line) in found.items()}
    return {number: name.group(1) for number, name in names.items() if name and descends(number)}


def finished_tasks(output: Path) -> int:
    """The tasks whose output has been committed, while the job is running."""
    return len(list(output.glob("_temporary/0/task_*")))


def is_working(executor: str, log: str) -> bool:
    """Whether a task of this executor has begun and has not ended."""
    begun = set(re.findall(rf"Starting task \S+ in stage \S+ \(TID (\d+)\) \(\S+?, ?executor {executor},", log))
    ended = set(re.findall(rf"Finished task \S+ in stage \S+ \(TID (\d+)\) .*\(executor {executor}\)", log))
    return len(begun - ended) > 0


def kill_one(driver: int, said: Path) -> bool:
    """Kills an executor while it computes: it is held, and killed once Spark knows no end of its task."""
    for number, name in executors(driver).items():
        os.kill(number, signal.SIGSTOP)
        time.sleep(0.5)  # what it has sent before that arrives
        if is_working(name, said.read_text()):
            os.kill(number, signal.SIGKILL)
            return True
        os.kill(number, signal.SIGCONT)
    return False


def label(program: str, output: Path, loads: Path, *arguments: str) -> str:
    """Runs the example on two workers, kills one in the middle, and returns what Spark said."""
    site = output.parent / "site"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(NOTE_LOADS)
    said = output.with_suffix(".log")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    home = environment["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    settings = {
        "spark.master": "local-cluster[2,1,1024]",
        "spark.ui.enabled": "false",
        "spark.executorEnv.PYTHONPATH": str(site),
        "spark.executorEnv.VOUCH_LOADS": str(loads),
        "spark.sql.files.maxPartitionBytes": str((output.parent / "text.jsonl").stat().st_size // PARTITIONS),
        "spark.sql.files.openCostInBytes": "1",
    }
    submit = [f"{home}/bin/spark-submit"]
    for name, value in settings.items():
        submit += ["--conf", f"{name}={value}"]
    with said.open("w") as log:
        run = subprocess.Popen(
            [*submit, str(EXAMPLES / program), *arguments], env=environment, stdout=log, stderr=log, cwd=output.parent
        )
    try:
        end = time.monotonic() + 240
        while finished_tasks(output) < 1 and run.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        while not kill_one(run.pid, said) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        done = finished_tasks(output)
        assert 1 <= done < PARTITIONS - 2, f"{done} of {PARTITIONS} tasks had ended: the kill was not in the middle"
        assert run.wait(240) == 0, said.read_text()[-4000:]
    finally:
        run.kill()  # its workers end with it
        run.wait()
    assert (output / "_SUCCESS").exists()
    return said.read_text()


def check_log(log: str) -> None:
    """Spark must have lost the worker, and with it a task that it was computing."""
    assert "Lost executor" in log, log[-4000:]
    assert "Lost task" in log, log[-4000:]


def parts(output: Path) -> str:
    return "".join(part.read_text(encoding="utf-8") for part in sorted(output.glob("part-*")))


def test_pipe(folder: Path, text: Path, ner_path: Path) -> None:
    program = os.environ.get("VOUCH_COMMAND", "vouch")
    tag = [program, "tag", "-q", "--format", "jsonl", *PLAIN]
    output = folder / "piped"
    partitions = ["--partitions", str(PARTITIONS)]
    check_log(
        label("spark_pipe.py", output, folder / "none", *partitions, str(ner_path), str(text), "piped", *tag)
    )
    assert parts(output) == (folder / "plain.jsonl").read_text(encoding="utf-8")


def test_frame(folder: Path, text: Path, ner_path: Path) -> None:
    if importlib.util.find_spec("pyarrow") is None:
        pytest.skip("skipped: pyarrow is not installed")
    output, loads = folder / "framed", folder / "loads"
    options = [f"{name}={value}" for name, value in REQUEST.items()]
    check_log(label("spark_frame.py", output, loads, str(ner_path), str(text), "framed", *options))
    found: list[dict[str, Any]] = sorted(map(json.loads, parts(output).splitlines()), key=lambda row: int(row["id"]))
    plain = [json.loads(line) for line in (folder / "plain.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(found) == len(plain)
    for row, line in zip(found, plain):
        confidence = line["confidence"]
        assert (row["id"], row["tokens"], row["labels"]) == (line["id"], line["tokens"], line["predicted"])
        assert [f"{p:.6g}" for p in row["confidence"]] == [f"{p:.6g}" for p in confidence["words"]]
        assert f"{row['sentence_confidence']:.6g}" == f"{confidence['sentence']:.6g}"
        spans = [(s["type"], s["start"], s["end"], f"{s['confidence']:.6g}") for s in row["spans"]]
        assert spans == [(s["label"], s["start"], s["end"], f"{s['confidence']:.6g}") for s in line["spans"]]
    # One process of each worker, and another one in the place of the one that was killed.
    opened = Counter(loads.read_text().split())
    assert max(opened.values()) == 1, opened
    assert len(opened) < PARTITIONS / 2, opened
