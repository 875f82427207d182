"""vouch labels and parses text, and tells how far each answer can be trusted.

>>> import vouch
>>> model = vouch.load("ner.vouch")
>>> for sentence in model.tag([[("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]]):
...     print(sentence.labels, [span.text for span in sentence.spans if span.confidence > 0.1])
['B-PER', 'O', 'O', 'B-LOC'] ['Ada', 'Paris']

Errors of the library are exceptions: OSError for files that cannot be read or written, ValueError for wrong arguments,
MemoryError, and Error, whose `status` is the kind of error in vouch.h, for all others.
"""

from . import active, answers, metrics
from ._annotators import Agreement, AgreementFigure, Converted, Disagreement, agree, cluster, convert
from ._answers import Answers, Best, Choices, Sentence, Span, Spans, Word
from ._core import Error, version as _version
from ._evaluation import Evaluation, Figures
from ._judge import Judge, calibrate, judge, load_judge
from ._model import Model, cross_validate, import_model, load, review, train
from ._reading import Labelled, Treebank, read_conll, read_conllu
from ._suspects import Suspect, Suspects

__all__ = [
    "Agreement", "AgreementFigure", "Answers", "Best", "Choices", "Converted", "Disagreement", "Error", "Evaluation",
    "Figures", "Judge", "Labelled", "Model", "Sentence", "Span", "Spans", "Suspect", "Suspects", "Treebank", "Word",
    "active", "agree", "answers", "calibrate", "cluster", "convert", "cross_validate", "import_model", "judge", "load",
    "load_judge", "metrics", "read_conll", "read_conllu", "review", "train",
]  # fmt: skip
__version__ = _version()
