"""Writes src/vouch/_options.py: the options of every function as types, from the tables of the library that is built.

script/keywords runs it; a test compares what it would write with the file.
"""

import textwrap

from vouch import _core
from vouch._keywords import keyword_of

# Options of what other programs have written, which functions over sentences do not take.
OF_OTHERS = "scores offsets columns rows log"
# The types, the commands whose options they are, and the options that the functions name themselves.
TYPES = {
    "TagOptions": ("tag", "confidence alternatives threads vectors"),
    "ParseOptions": ("parse", "confidence alternatives threads"),
    "TrainOptions": ("train", "task"),
    "CrossValidateOptions": ("eval", "task folds"),
    "EvaluateOptions": ("eval", ""),
    "TuneOptions": ("tune", ""),
    "ForecastOptions": ("forecast", ""),
    "TradeOptions": ("trade", ""),
    "ReviewOptions": ("review", "task"),
    "NextOptions": ("active", "pool"),
    "AgreeOptions": ("agree", "model"),
    "ConvertOptions": ("convert", "to"),
    "ClusterOptions": ("cluster", ""),
    "JudgeEvaluateOptions": ("eval", "vectors format column gold"),
    "JudgeTuneOptions": ("tune", "vectors format column gold"),
    "JudgeTradeOptions": ("trade", "vectors format column gold"),
    "JudgeReviewOptions": ("review", "vectors format column gold task"),
}
HEAD = '''"""The options of the functions as types. Made by script/keywords from the tables of options: do not edit."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

_Path = str | PathLike[str]
'''


def type_of(name: str, help_: str, kind: int, argument: str | None, choices: str | None) -> str:
    """What may be given for an option, besides None, which leaves it as it is."""
    if kind != 1:
        return {0: "bool", 2: "int", 3: "float"}[kind]
    if name == "vectors":
        return "Any"
    if choices:
        words = choices.replace(" or ", ", ").split(", ")
        return f"Literal[{', '.join(f'{word!r}' for word in words)}]".replace("'", '"')
    if argument in ("FILE", "FOLDER", "MODEL"):
        return "_Path | Sequence[_Path]" if "may be given once for" in help_ else "_Path"
    if argument == "NAME=FILE":
        return "Mapping[str, _Path] | str | Sequence[str]"
    if argument == "METHODS":
        return "str | Sequence[str]"
    return "str | int" if "a number" in help_ else "str"


def rows_of(command: str, named: list[str]) -> list[str]:
    named = named if command == "convert" else [*named, *OF_OTHERS.split()]
    rows = []
    for name, usual, help_, kind, argument, choices in _core.options(command):
        if name in named:
            continue
        value = type_of(name, help_, kind, argument, choices)
        rows.append(f"    {keyword_of(name)}: {value if value == 'Any' else value + ' | None'}")
        text = help_[0].upper() + help_[1:] + (f" [{usual}]" if usual not in ("", "false") else "")
        text = text.replace("\\", "\\\\")
        rows += textwrap.wrap(f'"""{text}."""', 114, initial_indent="    ", subsequent_indent="    ")
    return rows


def text() -> str:
    classes = []
    for name, (command, named) in TYPES.items():
        rows = rows_of(command, named.split())
        doc = f'    """Options of `vouch {command}`."""\n'
        classes.append("\n".join([f"\n\nclass {name}(TypedDict, total=False):", doc, *rows, ""]))
    return HEAD + "".join(classes)


if __name__ == "__main__":
    print(text(), end="")
