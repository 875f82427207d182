"""Options of the command line as keywords: what signatures, help and misspelled names have to do with them.

Names, defaults and help come from the library, types from _options.py, which is generated from the same tables.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from keyword import iskeyword
from typing import Any, TypeVar, cast

from . import _core

Function = TypeVar("Function", bound=Callable[..., Any])

# The kinds of enum vouch_option_kind, in its order: how a value is read that was typed.
_READ: tuple[Callable[[str], object], ...] = (lambda text: text == "true", str, int, float)


def keyword_of(option: str) -> str:
    """The keyword of an option.

    >>> keyword_of("no-calibrate"), keyword_of("from")
    ('no_calibrate', 'from_')
    """
    name = option.replace("-", "_")
    return name + "_" if iskeyword(name) else name


def option_of(keyword: str) -> str:
    """The option of a keyword."""
    return keyword.rstrip("_").replace("_", "-")


def _default(usual: str, kind: int) -> object:
    return _READ[kind](usual) if usual else None


def _nearest(name: str, known: Iterable[str]) -> str:
    """Names the option that was probably meant, but never the opposite of what was written."""
    from difflib import get_close_matches

    alike = [other for other in known if other.startswith("no_") == name.startswith("no")]
    found = get_close_matches(name, alike, 1, 0.7)
    return f". Did you mean {found[0]!r}?" if found else ""


def refuse_unknown(function: str, keywords: Iterable[str], known: Collection[str]) -> None:
    """A keyword that is none of the known ones is a TypeError that names the nearest."""
    for name in keywords:
        if name not in known and keyword_of(option_of(name)) not in known:
            hint = _nearest(name, known)
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def _described(command: str, names: Iterable[str]) -> str:
    """The options as a list for help()."""
    lines = [f"Options, as of `vouch {command}`:", ""]
    described = {keyword_of(name): (usual, help_) for name, usual, help_, *_ in _core.options(command)}
    for name in names:
        usual, text = described.get(name, ("", ""))
        lines.append(name + (f" = {usual}" if usual not in ("", "false") else ""))
        lines.append(f"    {text}")
    return "\n".join(lines)


def options_of(command: str, types: type) -> Callable[[Function], Function]:
    """For functions that take the options of a command as `**options: Unpack[types]`.

    Their signatures and help then show every option, and a keyword that is none is a TypeError that names the nearest.
    """

    def decorate(function: Function) -> Function:
        usual = {keyword_of(name): _default(text, kind) for name, text, _, kind, *_ in _core.options(command)}
        signature = inspect.signature(function)
        named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=usual.get(name), annotation=annotation)
            for name, annotation in types.__annotations__.items()
        ]
        known = {parameter.name for parameter in [*named, *options]}

        @wraps(function)
        def checked(*arguments: Any, **keywords: Any) -> Any:
            if not keywords.keys() <= known:
                refuse_unknown(function.__name__, keywords, known)
            return function(*arguments, **keywords)

        cast(Any, checked).__signature__ = signature.replace(parameters=[*named, *options])
        if function.__doc__:
            names = [option.name for option in options]
            checked.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{_described(command, names)}"
        return cast(Function, checked)

    return decorate
