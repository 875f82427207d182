"""Pictures as SVG elements: dependency trees, and reliability diagrams. Colours come from the style of _html.py.

Trees: arcs are taken shortest first, and each gets the lowest level above all that lie within it, other than those of
arcs it would run into. So nothing is drawn over anything else but where arcs cross. At a word arcs stand side by side
in the order that keeps them nested. Words are set from left to right, each as far left as its neighbour and the names
on the arcs that end at it allow. Widths are estimated, since no font is known here. A text that is written from the
right has its first word there. O(N^2) for N words.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple
from unicodedata import bidirectional, combining, east_asian_width

from ._evaluation import Point

_MARGIN, _GAP, _FOOT, _STEP, _RISE, _TIP, _ROUND = 14, 16, 8, 28, 26, 7, 6
_LETTER = 7.2  # the width of one in a name


class Arc(NamedTuple):
    """From a head to a dependent, both from 0, and what is written on it; head -1 is the root."""

    head: int
    dependent: int
    name: str
    doubtful: bool
    said: str  # the whole of it in words

    @property
    def left(self) -> int:
        return min(self.head, self.dependent)

    @property
    def right(self) -> int:
        return max(self.head, self.dependent)


def number(probability: float) -> str:
    """Two decimals; nothing is 0 or 1."""
    if probability != probability:
        return "–"
    return "below 0.01" if probability < 0.005 else "above 0.99" if probability >= 0.995 else f"{probability:.2f}"


def _columns(text: str) -> int:
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def from_the_right(forms: Sequence[str]) -> bool:
    """Whether the first letter that tells is one of a script from right to left."""
    ways = (bidirectional(c) for form in forms for c in form)
    return next((way in ("R", "AL") for way in ways if way in ("L", "R", "AL")), False)


def _levels(arcs: Sequence[Arc]) -> list[int]:
    """The level of each arc, from 1; arcs are in the order of their length."""
    levels: list[int] = []
    for arc in arcs:
        before = list(zip(arcs, levels))
        level = max((at for a, at in before if arc.left <= a.left and a.right <= arc.right), default=0) + 1
        taken = {at for a, at in before if a.left < arc.right and arc.left < a.right}
        while level in taken:
            level += 1
        levels.append(level)
    return levels


class _Tree:
    """Where everything of a tree is."""

    def __init__(self, forms: Sequence[str], arcs: Sequence[Arc]) -> None:
        self.forms = forms
        self.roots = [arc for arc in arcs if arc.head < 0]
        self.arcs = sorted((arc for arc in arcs if arc.head >= 0), key=lambda arc: (arc.right - arc.left, arc.left))
        self.levels = _levels(self.arcs)
        self.ground = _MARGIN + max(self.levels, default=0) * _STEP + _RISE
        self.legs = [self._legs_at(word) for word in range(len(forms))]
        self.middle: list[float] = []
        for word in range(len(forms)):
            self._place(word)
        self.width = self.middle[-1] + self._half(len(forms) - 1) + _MARGIN if forms else 0.0
        self.mirrored = from_the_right(forms)

    def _legs_at(self, word: int) -> dict[int, float]:
        """Where arcs stand at a word, from its middle: those from the left, outer ones further in, then the others."""
        numbered = list(enumerate(self.arcs))
        order = [i for i, arc in numbered if arc.right == word] + [i for i, arc in numbered[::-1] if arc.left == word]
        return {i: (at - (len(order) - 1) / 2) * _FOOT for at, i in enumerate(order)}

    def _half(self, word: int) -> float:
        names = [_columns(arc.name) * _LETTER + 14 for arc in self.roots if arc.dependent == word]
        return max(_columns(self.forms[word]) * 9, len(self.legs[word]) * _FOOT, 20, *names) / 2 + 1

    def _place(self, word: int) -> None:
        before = self.middle[-1] + self._half(word - 1) + _GAP if self.middle else float(_MARGIN)
        least = [before + self._half(word)]
        for i, arc in enumerate(self.arcs):
            if arc.right == word:
                parts = 1 + min(3, len(self._cuts(i)))
                room = parts * (_columns(arc.name) * _LETTER + 26)
                least.append(self.middle[arc.left] + self.legs[arc.left][i] + room - self.legs[word][i])
        self.middle.append(max(least))

    def _cuts(self, which: int) -> list[tuple[int, int]]:
        """The legs (word, arc) of higher arcs that go through the top of this one."""
        arc, level = self.arcs[which], self.levels[which]
        inside = range(arc.left + 1, arc.right)
        return [(word, i) for word in inside for i in self.legs[word] if self.levels[i] > level]

    def at(self, word: int, arc: int | None = None) -> float:
        x = self.middle[word] + (0.0 if arc is None else self.legs[word][arc])
        return self.width - x if self.mirrored else x

    def name_at(self, which: int) -> float:
        """The middle of the widest part of an arc's top that no leg goes through."""
        arc = self.arcs[which]
        stops = [self.at(word, i) for word, i in self._cuts(which)]
        ends = sorted([self.at(arc.left, which), *stops, self.at(arc.right, which)])
        low, high = max(zip(ends, ends[1:]), key=lambda part: part[1] - part[0])
        return (low + high) / 2


def _class(name: str, doubtful: bool) -> str:
    return f'{name} doubt' if doubtful else name


def _named(x: float, y: float, name: str) -> str:
    """A name on a line, which it interrupts."""
    width = _columns(name) * _LETTER + 8
    return (
        f'<rect class="ground" x="{x - width / 2:.1f}" y="{y - 9:.1f}" width="{width:.1f}" height="18"/>'
        f'<text class="rel" x="{x:.1f}" y="{y + 4:.1f}">{escape(name)}</text>'
    )


def _arc(tree: _Tree, which: int) -> str:
    arc, top, ground = tree.arcs[which], tree.ground - _RISE - tree.levels[which] * _STEP + _STEP / 2, tree.ground
    x, to = sorted((tree.at(arc.head, which), tree.at(arc.dependent, which)))
    tip = tree.at(arc.dependent, which)
    line = f"M{x:.1f} {ground}V{top + _ROUND}q0 -{_ROUND} {_ROUND} -{_ROUND}H{to - _ROUND:.1f}"
    return (
        f'<g class="{_class("arc", arc.doubtful)}"><title>{escape(arc.said)}</title>'
        f'<path d="{line}q{_ROUND} 0 {_ROUND} {_ROUND}V{ground}"/>'
        f'<path class="tip" d="M{tip:.1f} {ground + 1}l-4 -{_TIP}h8z"/>'
        f"{_named(tree.name_at(which), top, arc.name) if arc.name else ''}</g>"
    )


def _root(tree: _Tree, arc: Arc) -> str:
    x, y, width = tree.at(arc.dependent), tree.ground + 52, _columns(arc.name) * _LETTER + 14
    return (
        f'<g class="{_class("root", arc.doubtful)}"><title>{escape(arc.said)}</title>'
        f'<rect x="{x - width / 2:.1f}" y="{y - 13}" width="{width:.1f}" height="19" rx="9.5"/>'
        f'<text class="rel" x="{x:.1f}" y="{y + 1}">{escape(arc.name)}</text></g>'
    )


def tree(forms: Sequence[str], arcs: Sequence[Arc]) -> str:
    """A dependency tree: doubtful arcs are dashed."""
    drawn = _Tree(forms, arcs)
    height = drawn.ground + 64
    words = "".join(
        f'<text class="word" x="{drawn.at(i):.1f}" y="{drawn.ground + 18}">{escape(form)}</text>'
        f'<text class="sub" x="{drawn.at(i):.1f}" y="{drawn.ground + 33}">{i + 1}</text>'
        for i, form in enumerate(forms)
    )
    lines = "".join(_arc(drawn, i) for i in reversed(range(len(drawn.arcs))))
    roots = "".join(_root(drawn, arc) for arc in drawn.roots)
    said = f"Dependency tree of {len(forms)} words"
    return (
        f'<svg role="img" aria-label="{said}" width="{drawn.width:.0f}" height="{height}" '
        f'viewBox="0 0 {drawn.width:.0f} {height}">{lines}{words}{roots}</svg>'
    )


_SIDE, _LEFT, _BELOW, _BARS = 158, 30, 34, 20


def reliability(points: Sequence[Point], title: str) -> str:
    """A reliability diagram: points with intervals, and below them how many answers each has.

    Points whose interval does not hold their own confidence are squares.
    """

    def x(share: float) -> float:
        return _LEFT + share * _SIDE

    def y(share: float) -> float:
        return 8 + (1 - share) * _SIDE

    base = y(0) + _BELOW + _BARS
    grid = "".join(f'<path class="gridline" d="M{x(0)} {y(at):.1f}h{_SIDE}"/>' for at in (0.25, 0.5, 0.75, 1))
    texts = "".join(
        f'<text x="{x(at):.1f}" y="{y(0) + 14:.1f}" text-anchor="middle">{at:g}</text>'
        f'<text x="{x(0) - 5}" y="{y(at) + 4:.1f}" text-anchor="end">{at:g}</text>'
        for at in (0, 0.5, 1)
    )
    most = max((point.answers for point in points), default=1)
    marks = []
    for point in points:
        at, up, size = x(point.confidence), y(point.accuracy), point.answers / most * _BARS
        off = not point.low <= point.confidence <= point.high
        mark = f'<rect x="{at - 4:.1f}" y="{up - 4:.1f}" width="8" height="8"/>' if off else (
            f'<circle cx="{at:.1f}" cy="{up:.1f}" r="4"/>'
        )
        said = f"{point.answers} answers of {number(point.confidence)} on average: {point.accuracy:.1%} right"
        marks.append(
            f'<g class="{_class("point", off)}"><title>{said}</title>'
            f'<path d="M{at:.1f} {y(point.low):.1f}V{y(point.high):.1f}"/>{mark}'
            f'<rect class="bar" x="{at - 3:.1f}" y="{base - size:.1f}" width="6" height="{max(size, 0.8):.1f}"/></g>'
        )
    return (
        f'<svg class="chart" role="img" aria-label="{escape(title)}" width="{_LEFT + _SIDE + 14}" height="{base + 4}" '
        f'viewBox="0 0 {_LEFT + _SIDE + 14} {base + 4}">{grid}'
        f'<path class="axis" d="M{x(0)} {y(1):.1f}V{y(0):.1f}H{x(1)}"/><path class="axis" d="M{x(0)} {base}H{x(1)}"/>'
        f'<path class="ideal" d="M{x(0)} {y(0):.1f}L{x(1)} {y(1):.1f}"/>{texts}{"".join(marks)}</svg>'
    )
