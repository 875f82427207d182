"""Labels JSON lines on Spark with the vouch program, where the Python package is not installed.

    spark-submit spark_pipe.py [--partitions N] MODEL INPUT OUTPUT COMMAND [ARGUMENT ...]

    spark-submit spark_pipe.py ner.vouch hdfs:///news.jsonl hdfs:///labelled vouch tag -q --format jsonl
    spark-submit spark_pipe.py en.vouch news.jsonl labelled /opt/vouch/bin/vouch parse -q --format jsonl

INPUT is a file, a folder or whatever else Spark reads as text; OUTPUT a folder that is not there yet. COMMAND is run
once for each partition, with -m MODEL added: lines go through it, and come out in their order, so that the parts of
OUTPUT, joined by their names, are the lines of a plain run. MODEL is a file of the machine that this runs on, from
where Spark copies it to each worker once. The program must be installed on the workers.

A command that fails fails its task, which Spark tries again, and in the end the job. Spark ends lines by a line feed:
the carriage returns of a file that has them get lost.
"""

import argparse
import os
import shlex

from pyspark import SparkContext, SparkFiles


def place_on_worker(context: SparkContext, model: str) -> str:
    """Has the model copied to every worker, and tells the path under which commands find it there."""
    context.addFile(model)
    name = os.path.basename(model)
    # Workers keep files in the folder that they work in, which is theirs alone; without workers there is none.
    in_driver = context.master == "local" or context.master.startswith("local[")
    return SparkFiles.get(name) if in_driver else os.path.join(".", name)


def main() -> None:
    parser = argparse.ArgumentParser(description="Labels JSON lines on Spark with the vouch program.")
    parser.add_argument("--partitions", type=int, default=None, help="at least so many partitions")
    for name in ("model", "input", "output"):
        parser.add_argument(name)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    if not chosen.command:
        parser.error("expected a command, found none")
    context = SparkContext(appName="vouch")
    model = place_on_worker(context, chosen.model)
    command = shlex.join([*chosen.command, "-m", model])
    lines = context.textFile(chosen.input, chosen.partitions)
    # checkCode: otherwise Spark takes what a command printed before it failed for all of its output. Commands get no
    # environment but the one that is given here.
    lines.pipe(command, env={"PATH": os.environ["PATH"]}, checkCode=True).saveAsTextFile(chosen.output)
    context.stop()


if __name__ == "__main__":
    main()
