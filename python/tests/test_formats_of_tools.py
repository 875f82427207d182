"""Files that other tools write, through `vouch convert` and back; each where the tool is installed."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from conftest import Command

NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
WORDS = ["Ada", "Bo", "Zoë", "left", "in", "New", "York", "\N{GRINNING FACE}", ".", ",", "San", "José", "it's", "3.5"]
WAYS = ["jsonl", "label-studio", "doccano", "prodigy", "conll", "conllu", "gliner"]
FILES = 20


def tagged(chance: random.Random) -> tuple[list[str], list[int]]:
    """Words, and numbers of labels in IOB2."""
    words = [chance.choice(WORDS) for _ in range(chance.randint(1, 12))]
    tags: list[int] = []
    for _ in words:
        last = tags[-1] if tags else 0
        tags.append(chance.choice([0, 1, 3] + ([last + last % 2] if last else [])))
    return words, tags


def test_data_sets_of_hugging_face(tmp_path: Path, command: Command) -> None:
    datasets = pytest.importorskip("datasets")
    chance = random.Random(1)
    label = datasets.ClassLabel(names=NAMES)
    features = datasets.Features(
        {"tokens": datasets.Sequence(datasets.Value("string")), "ner_tags": datasets.Sequence(label)}
    )
    for number in range(FILES):
        rows = [dict(zip(("tokens", "ner_tags"), tagged(chance), strict=True)) for _ in range(5)]
        file, there, back = (str(tmp_path / f"{number}.{name}") for name in ("jsonl", "there", "back"))
        datasets.Dataset.from_list(rows, features=features).to_json(file)
        for way in WAYS:
            command("convert", "--from", "ner_tags", "--names", ",".join(NAMES), "--to", way, file, "-o", there)
            command("convert", "--from", way, "--names", ",".join(NAMES), "--to", "ner_tags", there, "-o", back)
            again = [json.loads(line) for line in Path(back).read_text(encoding="utf-8").splitlines()]
            assert [{key: row[key] for key in ("tokens", "ner_tags")} for row in again] == rows, way
        loaded = datasets.load_dataset("json", data_files=back, split="train", cache_dir=str(tmp_path / "cache"))
        assert [row["ner_tags"] for row in loaded] == [row["ner_tags"] for row in rows]


def test_regions_of_label_studio(tmp_path: Path, command: Command) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface")
    chance = random.Random(2)
    view = interface.LabelInterface(
        '<View><Labels name="label" toName="text"><Label value="PER"/><Label value="LOC"/></Labels>'
        '<Text name="text" value="$text"/></View>'
    )
    for number in range(FILES):
        tasks = [task(chance, view) for _ in range(4)]
        file, there, back = (str(tmp_path / f"{number}.{name}") for name in ("json", "there", "back"))
        Path(file).write_text(json.dumps(tasks), encoding="utf-8")
        for way in ["jsonl", "doccano", "prodigy", "conllu", "gliner"]:
            command("convert", "--from", "label-studio", "--to", way, file, "-o", there)
            command("convert", "--from", way, "--to", "label-studio", there, "-o", back)
            again = json.loads(Path(back).read_text(encoding="utf-8"))
            assert [places(one) for one in again] == [places(one) for one in tasks], way
            for one in again:
                assert all(view.validate_region(region) for region in one["annotations"][0]["result"])


def task(chance: random.Random, view: Any) -> dict[str, Any]:
    """A task whose regions the tool's own objects make."""
    words = [chance.choice(WORDS[:8]) for _ in range(8)]
    result = []
    for word in sorted(chance.sample(range(8), 2)):
        start = len(" ".join(words[:word])) + (word > 0)
        region = view.get_control("label").label(
            label=[chance.choice(["PER", "LOC"])], start=start, end=start + len(words[word]), text=words[word]
        )
        result.append({"id": region.id, "from_name": "label", "to_name": "text", "type": "labels", **value(region)})
    return {"data": {"text": " ".join(words)}, "annotations": [{"completed_by": 1, "result": result}]}


def value(region: Any) -> dict[str, Any]:
    return {"value": json.loads(region.value.model_dump_json(exclude_none=True))}


def places(one: dict[str, Any]) -> list[tuple[int, int, list[str]]]:
    values = [region["value"] for region in one["annotations"][0]["result"]]
    return [(found["start"], found["end"], found["labels"]) for found in values]
