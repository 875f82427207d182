"""What vouch.sklearn inherits from: scikit-learn's own classes where it is installed, else the same in small.

The second is enough for everything but scikit-learn itself: parameters can be read, set and printed.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Self


class Estimator:
    """Parameters as scikit-learn has them: the arguments of __init__, each an attribute of the same name."""

    @classmethod
    def _names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters, and returns itself."""
        names = self._names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(f"expected one of {names} as a parameter of {type(self).__name__}, found {name!r}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = {name: value for name, value in self.get_params().items() if value is not defaults[name].default}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"


class NotFittedError(ValueError, AttributeError):
    """A method that needs a fitted estimator was called before fit()."""


if not TYPE_CHECKING:
    try:
        from sklearn.base import BaseEstimator as Estimator
        from sklearn.exceptions import NotFittedError
    except ImportError:
        pass
