"""What the tests of Label Studio's protocol share: the program as a server, requests, and what Label Studio checks.

The rules of predictions are those of label_studio_sdk (label_interface/interface.py), written anew: Label Studio drops
all predictions of a request if one of them breaks a rule.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree

PATIENCE = 240  # seconds; machines are slow, and a test waits for what happens


def request(method, url, body=None, headers=None):
    """Status and JSON of the answer; its text if it is no JSON."""
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **(headers or {})}
    asked = urllib.request.Request(url, method=method, data=data, headers=headers)
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text.decode("utf-8", "replace")


def wait_until(condition, what):
    """What the condition returns once it is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited too long until {what}")


@contextlib.contextmanager
def server(vouch, *arguments, token=None):
    """Runs vouch serve on a free port; gives the address of its backend for Label Studio."""
    environment = {**os.environ}
    environment.pop("VOUCH_LABEL_STUDIO_TOKEN", None)
    if token:
        environment["VOUCH_LABEL_STUDIO_TOKEN"] = token
    process = subprocess.Popen([vouch, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, env=environment,
                               text=True)
    try:
        line = process.stdout.readline()
        assert line.startswith("http://"), f"expected an address, found {line!r}"
        yield line.split()[0].rstrip("/") + "/label-studio"
        process.send_signal(signal.SIGINT)
        status = process.wait(PATIENCE)
        assert status in (0, 3), f"vouch serve ended with status {status}"
    finally:
        process.kill()
        process.wait()


class Configuration:
    """The names and labels that predictions may have."""

    def __init__(self, text):
        root = xml.etree.ElementTree.fromstring(text)
        control = root.find(".//Labels")
        self.from_name, self.to_name = control.get("name"), control.get("toName")
        self.labels = {label.get("value") for label in control.iter("Label")}
        self.relations = {relation.get("value") for relation in root.iter("Relation")}
        self.key = next(t.get("value") for t in root.iter("Text") if t.get("name") == self.to_name)[1:]


def check_score(score):
    assert score is None or (isinstance(score, float) and 0 <= score <= 1), f"expected a score, found {score!r}"


def check_prediction(configuration, text, prediction):
    """Fails if Label Studio would not take the prediction for the text."""
    assert set(prediction) == {"model_version", "score", "result"}, prediction
    assert isinstance(prediction["model_version"], str) and prediction["model_version"]
    check_score(prediction["score"])
    regions = [item for item in prediction["result"] if item["type"] != "relation"]
    ids = [region["id"] for region in regions]
    assert len(set(ids)) == len(ids), "expected ids of their own"
    for region in regions:
        value = region["value"]
        assert region["from_name"] == configuration.from_name, region
        assert region["to_name"] == configuration.to_name, region
        assert region["type"] == "labels", region
        assert value["labels"] and set(value["labels"]) <= configuration.labels, region
        assert 0 <= value["start"] < value["end"] <= len(text), region
        assert text[value["start"] : value["end"]] == value["text"], region
        check_score(region["score"])
    for item in prediction["result"]:
        if item["type"] == "relation":
            assert item["direction"] in ("left", "right", "bi"), item
            assert item["from_id"] in ids and item["to_id"] in ids, item
            assert set(item.get("labels", [])) <= configuration.relations, item


def check_results(body, answer, predictions=1):
    """Fails unless the answer has what every task of the request was to get; returns the predictions of each.

    The best of them is the last: Label Studio shows that one.
    """
    configuration = Configuration(body["label_config"])
    assert len(answer["results"]) == len(body["tasks"]), "expected an entry for each task"
    found = []
    for task, entry in zip(body["tasks"], answer["results"]):
        entry = entry if isinstance(entry, list) else [entry]
        assert 1 <= len(entry) <= predictions, f"expected up to {predictions} predictions, found {len(entry)}"
        for prediction in entry:
            check_prediction(configuration, task["data"][configuration.key], prediction)
        scores = [prediction["score"] for prediction in entry]
        assert None in scores or scores[:-1] == sorted(scores[:-1]), f"expected the best last: {scores}"
        results = [json.dumps([{**item, "score": None} for item in prediction["result"]]) for prediction in entry]
        assert len(set(results)) == len(results), "expected different predictions"
        found.append(entry)
    return found


def spans(prediction):
    """The regions of a prediction, as text and label."""
    return [(r["value"]["text"], r["value"]["labels"][0]) for r in prediction["result"] if r["type"] == "labels"]


def learn(vouch, folder):
    """Learns small models of names, trees and parts of speech from made-up sentences; returns their paths."""

    def run(*arguments):
        return subprocess.run([vouch, *arguments], check=True, cwd=folder, stdout=subprocess.PIPE, text=True).stdout

    (folder / "ner.txt").write_text(run("sample", "--kind", "ner", "-n", "200"), encoding="utf-8")
    trees = run("sample", "--kind", "dep", "-n", "120")
    (folder / "dep.conllu").write_text(trees, encoding="utf-8")
    rows = [line.split("\t") for line in trees.splitlines() if not line.startswith("#")]
    tags = "".join(f"{row[1]} {row[3]}\n" if len(row) > 1 else "\n" for row in rows)
    (folder / "pos.txt").write_text(tags, encoding="utf-8")
    run("train", "-q", "--task", "ner", "--use", "1", "-n", "3", "-o", "ner.vouch", "ner.txt")
    run("train", "-q", "--task", "dep", "--bits", "14", "-n", "2", "-o", "dep.vouch", "dep.conllu")
    run("train", "-q", "--task", "pos", "-n", "2", "--no-calibrate", "-o", "pos.vouch", "pos.txt")
    return [str(folder / f"{name}.vouch") for name in ("ner", "dep", "pos")]
