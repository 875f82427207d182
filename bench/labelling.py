"""What labelling at scale costs: words a second and memory of a plain run, of GNU parallel, and of Spark.

    python3 bench/labelling.py PROGRAM MODEL COLUMNS [COPIES]

COLUMNS is a file of CoNLL columns, of which the text is so many COPIES (40 if not given), as JSON lines. Spark's two
programs of examples/cluster run if this Python has PySpark and the vouch package, and Java is there. Each program runs
on the text and on a quarter of it: a rate is that of the three quarters between, so that what a start costs is left out
of it, and told beside it. Times are the best of two runs, but Spark has one. Memory is that of `vouch tag`, at its
peak; it is not told of programs that start others.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples" / "cluster"


def peak(process: int) -> float:
    """The most memory that a process has had so far, in megabytes; 0 when it has ended.

    What wait4() tells is no use: it counts what the process was forked from.
    """
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return max((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), default=0)


def run(command: list[str], folder: Path) -> tuple[float, float]:
    """The seconds that a command took, and its memory in megabytes."""
    began, memory = time.monotonic(), 0.0
    with open(folder / "log", "w") as log:
        child = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    while child.poll() is None:
        memory = max(memory, peak(child.pid))
        time.sleep(0.02)
    if child.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{(folder / 'log').read_text()[-2000:]}")
    return time.monotonic() - began, memory


def best(command: list[str], output: Path, times: int) -> tuple[float, float]:
    """The same by the fastest of some runs."""
    runs = []
    for _ in range(times):
        if output.is_dir():
            shutil.rmtree(output)
        runs.append(run(command, output.parent))
    return min(runs)


def joined(output: Path) -> list[str]:
    """The lines of a file, or of a folder's parts."""
    parts = sorted(output.glob("part-*")) if output.is_dir() else [output]
    return [line for part in parts for line in part.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    program, model, columns = (os.path.abspath(name) for name in sys.argv[1:4])
    copies = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    folder = Path(tempfile.mkdtemp(prefix="vouch-labelling-"))
    sentences = [
        [line.split()[:-1] for line in block.split("\n")]
        for block in Path(columns).read_text(encoding="utf-8").strip("\n").split("\n\n")
        if not block.startswith("-DOCSTART-")
    ]
    words = sum(map(len, sentences))
    text = "".join(json.dumps({"tokens": sentence}) + "\n" for sentence in sentences)
    (folder / "text").write_text(text * copies, encoding="utf-8")
    (folder / "quarter").write_text(text * (copies // 4), encoding="utf-8")
    tag = [program, "tag", "-q", "--format", "jsonl", "-m", model]
    spark = [sys.executable]
    os.environ.update({"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"})
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--conf spark.ui.enabled=false --master local[2] pyspark-shell"

    programs = {
        "vouch tag, labels alone": lambda source, to: [*tag, "-c", "none", "-o", to, source],
        "vouch tag": lambda source, to: [*tag, "-o", to, source],
        "vouch tag -j 2": lambda source, to: [*tag, "-j", "2", "-o", to, source],
    }
    if shutil.which("parallel"):
        script = str(EXAMPLES / "label_parallel")
        programs["label_parallel -j 2 -B 1M"] = lambda source, to: [script, "-j", "2", "-B", "1M", source, to, *tag]
    if shutil.which("java") and importlib.util.find_spec("pyspark"):
        pipe = [*spark, str(EXAMPLES / "spark_pipe.py"), "--partitions", "4", model]
        programs["spark_pipe.py, 2 cores"] = lambda source, to: [*pipe, source, to, *tag[:-2]]
        if importlib.util.find_spec("vouch"):
            frame = [*spark, str(EXAMPLES / "spark_frame.py"), model]
            programs["spark_frame.py, 2 cores"] = lambda source, to: [*frame, source, to]

    print(f"{words * copies} words in {len(sentences) * copies} sentences\n")
    print("| program | seconds | start, s | words a second | ratio | MB | lines equal |")
    print("|---|---|---|---|---|---|---|")
    plain, rate_of_plain = [""], 0.0
    for number, (name, command) in enumerate(programs.items()):
        times = 1 if "spark" in name else 2
        less, _ = best(command("quarter", f"{number}-quarter"), folder / f"{number}-quarter", times)
        seconds, memory = best(command("text", str(number)), folder / str(number), times)
        taken = (seconds - less) * 4 / 3
        rate = words * copies / taken
        lines = joined(folder / str(number))
        if name == "vouch tag":
            plain, rate_of_plain = lines, rate
        if "frame" in name:  # which has other keys
            equal = [json.loads(a)["labels"] for a in lines] == [json.loads(b)["predicted"] for b in plain]
        else:
            equal = lines == plain
        ratio = f"{rate / rate_of_plain:.2f}" if rate_of_plain else ""
        told = f"{memory:.0f}" if name.startswith("vouch") else ""
        same = ("yes" if equal else "no") if rate_of_plain else ""
        speed = f"{seconds:.1f} | {seconds - taken:.1f} | {rate:.0f}"
        print(f"| {name} | {speed} | {ratio} | {told} | {same} |", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
