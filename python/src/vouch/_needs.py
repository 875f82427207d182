"""Libraries that a function needs and the package does not."""

from __future__ import annotations

import importlib
from typing import Any


def needed(module: str, what: str, instead: str = "") -> Any:
    """The module, or an ImportError that says what needs it and how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise ImportError(f"{what} needs {name}: pip install {name}{instead}", name=name) from error
