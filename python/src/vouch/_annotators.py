"""Annotators: how far they agree, and the files of the tools that they work with; classes of words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple, Unpack

from . import _core
from ._calls import as_typed, shown, watched
from ._corpus import StrPath, file_of, files_of
from ._keywords import options_of
from ._model import Model
from ._needs import needed
from ._options import AgreeOptions, ClusterOptions, ConvertOptions
from ._reading import Labelled, Treebank

NAN = float("nan")


class Converted:
    """Annotated texts in another format, and what became of them.

    text                        what would be in the file; None if it was written to a path
    documents, sentences, words, spans, relations   how many were read
    written                     how many documents were written
    lost                        how many of each kind the format cannot hold: {"scores of spans": 12}
    notes                       sentences about what was changed and lost
    """

    def __init__(self, made: dict[str, Any], text: str | None) -> None:
        self.text = text
        self.documents: int = made["documents"]
        self.sentences: int = made["sentences"]
        self.words: int = made["words"]
        self.spans: int = made["spans"]
        self.relations: int = made["relations"]
        self.written: int = made["written"]
        self.lost: dict[str, int] = made["lost"]
        self.notes: list[str] = made["notes"]

    @property
    def rows(self) -> list[Any]:
        """The documents of a format of JSON, as Python's objects."""
        text = (self.text or "").strip()
        if not text.startswith(("[", "{")):
            raise AttributeError("rows: expected a format of JSON, whose text is here")
        if text.startswith("["):
            items: list[Any] = json.loads(text)
            return items
        return [json.loads(line) for line in text.splitlines() if line]

    def __str__(self) -> str:
        return self.text or repr(self)

    def __repr__(self) -> str:
        lost = f"; lost: {', '.join(f'{count} {kind}' for kind, count in self.lost.items())}" if self.lost else ""
        return f"<vouch.Converted: {self.written} of {self.documents} documents, {self.spans} spans{lost}>"


def _paths(source: StrPath | Iterable[StrPath] | bytes, stack: ExitStack) -> tuple[StrPath, ...]:
    if isinstance(source, bytes):
        return (stack.enter_context(file_of([source])),)
    return (source,) if isinstance(source, str) or not isinstance(source, Iterable) else tuple(source)


@options_of("convert", ConvertOptions)
def convert(
    source: StrPath | Iterable[StrPath] | bytes,
    to: str,
    path: StrPath | None = None,
    **options: Unpack[ConvertOptions],
) -> Converted:
    """Annotated texts of other tools in another format, with the options of `vouch convert`.

    `source` is the path of a file, several of them, or the bytes of one; formats are recognised, or named by `from_`.
    `path` is the file to write, or the folder, where every document is files of its own (brat, WebAnno TSV). Without
    it, the result has the text.

    >>> exported = b'{"text": "Ada left Paris.", "label": [[0, 3, "PER"], [9, 14, "LOC"]]}'
    >>> print(vouch.convert(exported, to="conll"), end="")
    Ada B-PER
    left O
    Paris B-LOC
    . O
    <BLANKLINE>
    >>> vouch.convert(b'{"text": "Ada", "label": [[0, 3, "PER"]], "Comments": ["sure"]}', to="jsonl").lost
    {}
    """
    with ExitStack() as stack:
        call = partial(_core.convert, path)
        made, text = watched(call, None, as_typed({"to": to, **options}), _paths(source, stack))
    return Converted(json.loads(shown(made)), text)


@options_of("cluster", ClusterOptions)
def cluster(*files: StrPath, progress: object = None, **options: Unpack[ClusterOptions]) -> str:
    """Classes of words as a lexicon, which is text, with the options of `vouch cluster`.

    Files are texts, whose words are put together that have the same neighbours. With `vectors`, a table of vectors,
    there are none. What is returned can be written to a file for train(lexicon={"name": path}).

    >>> with open("table.txt", "w") as table:
    ...     _ = table.write("Rome 1 0\\nParis 0.9 0.1\\nrun 0 1\\nwalk 0.1 0.9\\n")
    >>> print(vouch.cluster(vectors="table.txt", sizes="2").expandtabs(8), end="")
    # 2 classes by k-means
    Rome    0
    Paris   0
    run     1
    walk    1
    """
    return watched(_core.cluster, progress, as_typed(options), files)


class AgreementFigure(NamedTuple):
    """One figure: of all annotators (alpha), or of two (kappa, f1). It lies in low .. high with a probability of 0.95.

    `level` is words, spans (the same words), overlap (spans, tolerant of edges), heads or arcs; `units` are how many
    words or spans were compared. NaN: there is nothing to compare.
    """

    level: str
    measure: str
    between: tuple[str, str] | None
    value: float
    low: float
    high: float
    units: int


class Disagreement(NamedTuple):
    """Words start .. end - 1 of a sentence, from 0, in which annotators differ, and what each says.

    `probabilities` are what a model thinks of each answer, and `lead` by how much the likeliest leads; NaN without one.
    """

    sentence: int
    start: int
    end: int
    answers: tuple[str | None, ...]
    probabilities: tuple[float, ...]
    lead: float


def _number(value: float | None) -> float:
    return NAN if value is None else value


class Agreement:
    """How far annotators agree, and where they differ.

    annotators, sentences, words   whom it is about, and how much of them
    figures                        all of them, a list of AgreementFigure; alpha has those of all annotators by level
    differ                         in how many places they differ; disagreements has the first of them
    """

    def __init__(self, made: dict[str, Any]) -> None:
        self.annotators: tuple[str, ...] = tuple(made["annotators"])
        self.sentences: int = made["sentences"]
        self.words: int = made["words"]
        self.differ: int = made["differ"]
        self.figures = [
            AgreementFigure(
                row["level"], row["measure"], tuple(row["between"]) if row["between"] else None,
                _number(row["value"]), _number(row["low"]), _number(row["high"]), row["units"],
            )
            for row in made["figures"]
        ]  # fmt: skip
        self.disagreements = [
            Disagreement(
                row["sentence"], row["from"], row["to"], tuple(row["answers"]),
                tuple(map(_number, row["probabilities"])), _number(row["lead"]),
            )
            for row in made["disagreements"]
        ]  # fmt: skip

    @property
    def alpha(self) -> dict[str, AgreementFigure]:
        """Krippendorff's alpha of all annotators, by level."""
        return {figure.level: figure for figure in self.figures if figure.measure == "alpha"}

    def to_pandas(self) -> Any:
        """A data frame of pandas with a row for each figure."""
        return needed("pandas", "to_pandas()").DataFrame(self.figures, columns=AgreementFigure._fields)

    def _repr_html_(self) -> str:
        from ._html import agreement

        return agreement(self)

    def __repr__(self) -> str:
        alphas = ", ".join(f"{level} {figure.value:.3f}" for level, figure in self.alpha.items())
        return f"<vouch.Agreement: {len(self.annotators)} annotators, alpha: {alphas}; {self.differ} places differ>"


def _named(made: dict[str, Any], count: int) -> dict[str, Any]:
    """Files that are in memory are called by their numbers."""
    names = [f"annotator {i + 1}" if shown(name) != name else name for i, name in enumerate(made["annotators"])]
    number = {name: names[i] for i, name in enumerate(made["annotators"])}
    for row in made["figures"]:
        row["between"] = row["between"] and [number[name] for name in row["between"]]
    return {**made, "annotators": names}


@options_of("agree", AgreeOptions)
def agree(
    *sources: StrPath | Labelled | Treebank,
    model: Model | None = None,
    progress: object = None,
    **options: Unpack[AgreeOptions],
) -> Agreement:
    """How far several annotators of the same text agree, with the options of `vouch agree`.

    Sources are a file of each, or what read_conll() and read_conllu() give: Labelled(words, labels), in which None is
    no label. With a model, every place in which they differ has the probabilities of what each says, and those come
    first of which the model is surest.

    >>> words = [["Ada", "left", "Paris"], ["so", "did", "Ben"]]
    >>> ann = vouch.Labelled(words, [["B-PER", "O", "B-LOC"], ["O", "O", "B-PER"]])
    >>> ben = vouch.Labelled(words, [["B-PER", "O", "B-ORG"], ["O", "O", "B-PER"]])
    >>> found = vouch.agree(ann, ben)
    >>> [(place.sentence, place.start, place.answers) for place in found.disagreements]
    [(0, 2, ('B-LOC', 'B-ORG'))]
    >>> round(found.alpha["words"].value, 2)
    0.76
    """
    with ExitStack() as stack:
        files: list[StrPath] = []
        for source in sources:
            if isinstance(source, (Labelled, Treebank)):
                heads = source.heads if isinstance(source, Treebank) else None
                trees = heads is not None
                if trees:
                    options["trees"] = True
                made = files_of(source.words, source.labels, heads, attributes=False, trees=trees, gold=True)
                files += stack.enter_context(made)[0]
            else:
                files.append(source)
        call = partial(_core.agree, None if model is None else model._core)
        text = watched(call, progress, as_typed(options), tuple(files))
    return Agreement(_named(json.loads(text), len(sources)))
