"""Labels or parses JSON lines on Spark with the Python package: vouch.spark.

    spark-submit spark_frame.py MODEL INPUT OUTPUT [OPTION=VALUE ...]

    spark-submit spark_frame.py ner.vouch hdfs:///news.json hdfs:///labelled confidence=kd-fix draws=20

INPUT is JSON lines with the key "tokens": words, or lists of the columns of a word; further keys stay. OUTPUT is a
folder that is not there yet, of JSON lines with the keys that vouch.spark adds. Rows come in no order that Spark
promises, so give them a key by which you know them. OPTION is an option of `vouch tag` or `vouch parse`, with its long
name. MODEL is a file of the machine that this runs on; the package must be installed on the workers.
"""

import sys

from pyspark.sql import SparkSession

import vouch
import vouch.spark


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit("usage: spark-submit spark_frame.py MODEL INPUT OUTPUT [OPTION=VALUE ...]")
    name, source, output, *rest = sys.argv[1:]
    options = dict(option.split("=", 1) for option in rest)
    model = vouch.load(name)
    session = SparkSession.builder.appName("vouch").getOrCreate()
    answer = vouch.spark.parse if model.parses else vouch.spark.tag
    answer(session.read.json(source), model, **options).write.json(output)
    session.stop()


if __name__ == "__main__":
    main()
