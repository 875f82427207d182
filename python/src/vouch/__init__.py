"""vouch labels and parses text, and tells how far each answer can be trusted.

>>> import vouch
>>> model = vouch.load("ner.vouch")                                     # doctest: +SKIP
>>> for sentence in model.tag([["Ada", "lives", "in", "Paris"]]):       # doctest: +SKIP
...     print([(word.label, round(word.confidence, 3)) for word in sentence], sentence.spans)

Errors of the library are exceptions: OSError for files that cannot be read or written, ValueError for wrong arguments,
MemoryError, and Error, whose `status` is the kind of error in vouch.h, for all others.
"""

from ._answers import Answers, Sentence, Span, Word
from ._core import Error, version as _version
from ._model import Model, load, train

__all__ = ["Answers", "Error", "Model", "Sentence", "Span", "Word", "load", "train"]
__version__ = _version()
