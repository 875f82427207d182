"""The linear models of vouch over the encoder's vectors, beside the network that learned from the same vectors.

    vectors.py VOUCH WORK [--part PART]     prints a table as Markdown, with the columns of measure.py

Each model learns from WORK/train.txt and is calibrated on WORK/calibrate.txt, as the network is; its confidence is the
method that vouch tune found best there. The encoder is never trained: this is a last layer, learned online.
"""
import argparse
import subprocess
from pathlib import Path

import measure

ALONE = "U0:%brief[-1,0]\nU1:%brief[0,0]\nU2:%brief[1,0]\nB\n"  # shapes of three words, and which label follows which


def train(vouch, work, algorithm, arguments, given):
    """A model of these arguments, learned from train and calibrated on calibrate, as the network is."""
    model = work / "vectors.vouch"
    subprocess.run([vouch, "train", "--quiet", "--task", "ner", "--algorithm", algorithm, "--no-calibrate", "-o", model,
                    *arguments, *given, work / "train.txt"], check=True)
    subprocess.run([vouch, "tune", "--quiet", "--in-place", "--grid", "quick", "-m", model, *given,
                    work / "calibrate.txt"], check=True, stdout=subprocess.DEVNULL)
    return model


def rows(vouch, work, name):
    """Yields the rows of the table."""
    vectors = "--vectors", "%.npy"
    (work / "alone.template").write_text(ALONE)
    for algorithm in "crf", "cw":
        for what, arguments, given in (("usual features", (), ()),
                                       ("vectors and shapes", ("--template", work / "alone.template"), vectors),
                                       ("usual features and vectors", (), vectors)):
            model = train(vouch, work, algorithm, arguments, given)
            measured = measure.evaluate(vouch, "-m", model, *given, work / f"{name}.txt")
            method = measured["confidence"]["words"]["methods"][0]["method"]
            yield measure.row(f"{algorithm}, {what}: {method}", measured, method)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vouch")
    parser.add_argument("work", type=Path)
    parser.add_argument("--part", default="test")
    options = parser.parse_args()
    measure.print_table(rows(options.vouch, options.work, options.part))


if __name__ == "__main__":
    main()
