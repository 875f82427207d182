"""What a review found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, overload

from ._calls import shown
from ._needs import needed


@dataclass(frozen=True)
class Suspect:
    """A word, chunk or sentence whose label is probably wrong. What is not known is NaN.

    file, line          where it begins; for sentences of Python, `file` is "sentences", and `line` the sentence's
                        number, from 1
    word, words         its first word in the sentence, from 0, and how many it has
    text, given, proposed   its words, their labels, and what they should be; in trees HEAD:RELATION
    error               the probability that anything in it is wrong
    confidence, margin, votes, learned   what the models that judge it say of the given label
    layer, why, context, also   "label", "arc" or "relation"; reasons; the sentence; other arcs that change with it
    audit               how it was drawn by the option audit, as the table of decisions needs it; else ""
    """

    file: str
    line: int
    word: int
    words: int
    text: str
    given: str
    proposed: str
    error: float
    confidence: float
    margin: float
    votes: float
    learned: float
    layer: str
    why: str
    context: str
    also: str
    audit: str


class Suspects(Sequence[Suspect]):
    """Suspects, the most suspect first, and `totals`: how many were judged and are listed.

    Where a table of decisions about an audit is given by the option decided, `totals` has the number of errors among
    the `audited`, from the `decided` of those `drawn`: `errors`, and an interval that holds with probability 0.9,
    `errors_least` to `errors_most`. Without an audit these are NaN, and `errors` is NaN while decisions are missing.
    """

    def __init__(self, rows: list[dict[str, Any]], totals: dict[str, Any]) -> None:
        self._rows = tuple(Suspect(**{**row, "file": shown(row["file"])}) for row in rows)
        self.totals = totals

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Suspect: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Suspect, ...]: ...
    def __getitem__(self, at: int | slice) -> Suspect | tuple[Suspect, ...]:
        return self._rows[at]

    def to_pandas(self) -> Any:
        """A data frame of pandas with a row for each suspect."""
        columns = list(Suspect.__dataclass_fields__)
        return needed("pandas", "to_pandas()").DataFrame([asdict(row) for row in self._rows], columns=columns)

    def _repr_html_(self) -> str:
        from ._html import suspects

        return suspects(self)

    def __repr__(self) -> str:
        return f"<vouch.Suspects: {len(self)} of {self.totals['judged']}>"
