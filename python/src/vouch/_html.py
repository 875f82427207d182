"""What a notebook shows of answers, trees, evaluations and suspects: fragments of HTML that need nothing else.

Every fragment is a <div class="vouch"> with its own <style>, which touches nothing outside of it. Its ground and ink
are its own, so that it can be read on any page. The theme is that of Jupyter, VS Code or Colab where they tell, else
the system's. No colour stands alone: names are written, what is doubtful is striped or dashed, and has its number. All
text is escaped. Colours and type are those of the other pages of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from ._drawing import Arc, from_the_right, number, reliability, tree

if TYPE_CHECKING:
    from ._annotators import Agreement
    from ._answers import Answers, Sentence, Span
    from ._evaluation import Evaluation
    from ._suspects import Suspect, Suspects

_MOST_SENTENCES, _MOST_TREES, _MOST_ROWS = 10, 3, 20

# Grounds and edges of labels, each on light pages and on dark ones.
_LABELS = [
    "#e1f1fd #133144 #026a9d #6db3e4", "#f0dcb3 #4d3801 #7e5d02 #c9a65d", "#9adbc1 #055842 #097558 #65bf9f",
    "#d2c0f5 #523e74 #6e519d #b49ce1", "#8cb8ea #2b5b8f #2765a5 #7cafe8", "#f7baa9 #733626 #9b462f #e2947f",
    "#b9b977 #5f5d01 #696708 #b1b062", "#de9ebe #814063 #93436f #da91b6", "#7cad7b #3b773c #317433 #84bc82",
    "#4b4185 #bab4fb #2e1d65 #e6e5fe", "#525ba6 #919eec #333881 #e2e7fd", "#034239 #a0e8d9 #01201b #99feea",
    "#025d35 #87d1a3 #01381e #b0fccc", "#047745 #62ba86 #04502d #b0fccc", "#634800 #dcb970 #3c2b02 #fee5b3",
    "#844989 #c88bcd #602766 #fcdbfe", "#696708 #acaa4e #474501 #eeee9e", "#433701 #e6d89f #211a00 #fce89a",
    "#763058 #eea3c9 #540538 #fedeed", "#402b5f #decefd #250047 #ebe3fe",
]  # fmt: skip
_DARK_INK = 9  # so many of them take dark ink on light pages

_STYLE = """
.vouch{color-scheme:light dark;
--surface:light-dark(#fff,#1b1f25);--ink:light-dark(#1a1d22,#e9eae6);--muted:light-dark(#565c66,#a7adb7);
--line:light-dark(#dcdcd4,#323943);--line-strong:light-dark(#858b93,#737b87);--accent:light-dark(#0a5a78,#7fc8e4);
--doubt:light-dark(#7d4e00,#ecbd68);--hatch:light-dark(rgb(20 24 29/.17),rgb(255 255 255/.17));
box-sizing:border-box;width:fit-content;max-width:min(100%,1120px);padding:12px 16px;
border:1px solid var(--line);border-radius:12px;
background:var(--surface);color:var(--ink);font:400 15px/1.5 -apple-system,"Segoe UI",Roboto,Inter,"Noto Sans",
"Liberation Sans","DejaVu Sans Condensed",system-ui,sans-serif;font-variant-numeric:tabular-nums}
[data-jp-theme-light="true"] .vouch,.vscode-light .vouch,[theme="light"] .vouch,[data-theme="light"] .vouch
{color-scheme:light}
[data-jp-theme-light="false"] .vouch,.vscode-dark .vouch,.vscode-high-contrast:not(.vscode-high-contrast-light) .vouch,
[theme="dark"] .vouch,[data-theme="dark"] .vouch{color-scheme:dark}
.vouch .note{margin:8px 0 0;font-size:13px;color:var(--muted)}
.vouch .sentence{max-width:850px;margin:0;padding:2px 0;font-size:17px;line-height:2.1;overflow-wrap:anywhere}
.vouch .item{display:grid;grid-template-columns:minmax(24px,max-content) minmax(0,1fr);gap:12px}
.vouch .item+.item{border-top:1px solid var(--line)}
.vouch .item>.no{padding-top:10px;font-size:12px;color:var(--muted);text-align:end}
.vouch .span{padding:.2em .3em .22em .36em;border-radius:.32em;background-color:var(--fill);color:var(--on);
-webkit-box-decoration-break:clone;box-decoration-break:clone;
box-shadow:inset 0 0 0 1px color-mix(in oklab,var(--edge) 35%,transparent)}
.vouch .tag{unicode-bidi:isolate;margin-inline-start:.5em;font-size:12px;font-weight:650;letter-spacing:.02em;
white-space:nowrap}
.vouch [dir="rtl"] .tag{margin-inline:0 .5em}
.vouch .tag .p{font-weight:500;margin-inline-start:.35em}
.vouch .span.doubt{background-image:repeating-linear-gradient(135deg,transparent 0 5px,var(--hatch) 5px 6.5px);
box-shadow:none;outline:2px dashed var(--edge);outline-offset:-1px}
.vouch .span.word{padding:0 0 .1em;border-radius:0;background:none;color:inherit;
box-shadow:inset 0 -2px 0 var(--edge)}
.vouch .span.word .tag{margin-inline-start:.3em;font-weight:500;color:var(--muted)}
.vouch .span.none{--edge:var(--line-strong);background-color:transparent;color:var(--ink);box-shadow:none}
.vouch .chip{display:inline-block;line-height:1.45;padding:0 .5em;border-radius:4px;background:var(--fill);
color:var(--on);font-size:12px;font-weight:650;white-space:nowrap;
box-shadow:inset 0 0 0 1px color-mix(in oklab,var(--edge) 35%,transparent)}
.vouch .chip.none{background:none;color:var(--muted);box-shadow:inset 0 0 0 1px var(--line-strong);font-weight:500}
.vouch .wide{overflow-x:auto;scrollbar-width:thin}
.vouch svg{display:block;font-family:inherit;max-width:none}
.vouch svg .word{font-size:17px;text-anchor:middle;fill:var(--ink)}
.vouch svg .sub{font-size:12px;text-anchor:middle;fill:var(--muted)}
.vouch svg .rel{font-size:12px;text-anchor:middle;fill:var(--ink)}
.vouch svg .ground{fill:var(--surface)}
.vouch svg .arc path,.vouch svg .root rect{fill:none;stroke:var(--line-strong);stroke-width:1.4}
.vouch svg .arc .tip{fill:var(--line-strong);stroke:none}
.vouch svg .doubt path,.vouch svg .root.doubt rect{stroke:var(--doubt);stroke-width:2;stroke-dasharray:6 4}
.vouch svg .doubt .tip{fill:var(--doubt);stroke:none}
.vouch svg .doubt .rel{fill:var(--doubt);font-weight:650}
.vouch .figures{display:flex;flex-wrap:wrap;gap:4px 28px;margin:0 0 12px}
.vouch .figures div{display:flex;flex-direction:column-reverse}
.vouch .figures dt,.vouch .figures dd{float:none;display:block;width:auto;white-space:nowrap}
.vouch .figures dt{font-size:13px;font-weight:400;color:var(--muted)}
.vouch .figures dd{margin:0;font-size:20px;font-weight:650;line-height:1.25}
.vouch .figures div:first-child dd{font-size:32px;line-height:1.1}
.vouch table.rows{width:auto;margin:0;border:0;border-collapse:collapse;font-size:13px;color:inherit}
.vouch table.rows tr,.vouch table.rows tbody tr{background:none}
.vouch table.rows thead{border:0}
.vouch table.rows th,.vouch table.rows td{padding:5px 12px 5px 0;border:0;text-align:start;vertical-align:baseline;
max-width:none;color:inherit}
.vouch table.rows thead th{font-weight:400;color:var(--muted);white-space:nowrap;vertical-align:bottom}
.vouch table.rows tbody th{font-weight:500}
.vouch table.rows tbody tr{border-top:1px solid var(--line)}
.vouch table.rows .r{text-align:end;white-space:nowrap}
.vouch table.rows .off{color:var(--doubt);font-weight:650}
.vouch table.rows .context{min-width:220px;max-width:480px;overflow-wrap:anywhere}
.vouch table.rows mark{padding:1px 3px;border-radius:3px;background:none;color:inherit;
outline:2px solid var(--line-strong);outline-offset:-1px}
.vouch table.rows .why{min-width:140px;color:var(--muted)}
.vouch .charts{display:flex;flex-wrap:wrap;gap:12px;margin:16px 0 0}
.vouch figure{margin:0}
.vouch figcaption{font-size:13px;font-weight:500}
.vouch .chart text{font-size:12px;fill:var(--muted)}
.vouch .chart path{fill:none;stroke:var(--line-strong)}
.vouch .chart .gridline{stroke:var(--line)}
.vouch .chart .ideal{stroke-dasharray:2 4}
.vouch .chart .point path{stroke:var(--accent);stroke-width:1.6;stroke-dasharray:none}
.vouch .chart .point circle,.vouch .chart .point rect{fill:var(--accent)}
.vouch .chart .doubt path{stroke:var(--doubt)}
.vouch .chart .doubt rect{fill:var(--doubt)}
.vouch .chart .point .bar{fill:var(--line-strong)}
"""

# These have the same colours in all fragments, the calm ones, whichever of them are there; others go by the alphabet.
_USUAL = (("PER", "ORG", "LOC", "MISC"), ("NP", "VP", "PP", "ADVP", "SBAR", "ADJP", "PRT"))


class _Colours:
    """A number for every label, and the style of those that were asked for."""

    def __init__(self, labels: Iterable[str] = ()) -> None:
        given = set(labels)
        usual = next((labels for labels in _USUAL if given & {*labels}), ())
        self._number = {label: at for at, label in enumerate([*usual, *sorted(given - {*usual})])}
        self._used: set[int] = set()

    def of(self, label: str) -> str:
        """The class of a label."""
        at = self._number.setdefault(label, len(self._number)) % len(_LABELS)
        self._used.add(at)
        return f"l{at + 1}"

    def style(self) -> str:
        rules = []
        for at in sorted(self._used):
            fill, dark_fill, edge, dark_edge = _LABELS[at].split()
            on = "light-dark(#15181d,#f3f4f2)"
            if at >= _DARK_INK:
                on = "light-dark(#fff,#101318);--hatch:light-dark(#fff5,#0005)"
            rules.append(
                f".vouch .l{at + 1}{{--fill:light-dark({fill},{dark_fill});--edge:light-dark({edge},{dark_edge});"
                f"--on:{on}}}\n"
            )
        return "".join(rules)


def _fragment(body: str, colours: _Colours | None = None) -> str:
    return f'<div class="vouch"><style>{_STYLE}{colours.style() if colours else ""}</style>{body}</div>'


def _counted(shown: int, count: int, what: str) -> str:
    """How many there are, and how many of them are shown."""
    return f"{f'{shown} of ' if shown < count else ''}{count:,} {what}{'s' if count != 1 else ''}."


def _note(*said: str) -> str:
    return f'<p class="note">{" ".join(filter(None, said))}</p>' if any(said) else ""


def _chip(label: str | None, colours: _Colours) -> str:
    if label in (None, "", "O"):
        return f'<span class="chip none" dir="ltr">{escape(label or "–")}</span>'
    return f'<span class="chip {colours.of(_type(label))}" dir="ltr">{escape(label)}</span>'


def _type(label: str) -> str:
    """The type in a label: PER of B-PER."""
    return label[2:] if label[1:2] == "-" and label[0] in "BIESLU" else label


# Sentences.


class _Mark:
    """Some words of a sentence under one label, and the confidence that counts: the least of theirs and the chunk's."""

    def __init__(self, start: int, end: int, label: str, confidence: float, threshold: float | None) -> None:
        self.start = start
        self.end = end
        self.label = label
        self.confidence = confidence
        self.doubtful = threshold is not None and confidence < threshold
        self.shown = _shown(confidence, threshold)


def _shown(confidence: float, threshold: float | None) -> str:
    """The number of a confidence; one that is just below the threshold looks it."""
    if threshold is not None and confidence < threshold <= round(confidence, 2) < 0.995:
        return f"{int(confidence * 1000) / 1000:.3f}"
    return number(confidence)


def _least(*confidences: float) -> float:
    """The least that is a number."""
    return min((c for c in confidences if c == c), default=float("nan"))


def _marks(sentence: Sentence, spans: Sequence[Span], has_spans: bool) -> list[_Mark]:
    """Chunks, and words outside of them that are doubtful; without chunks every word that has a label."""
    words, threshold = [word.confidence for word in sentence], sentence._answers.threshold
    marks = [
        _Mark(s.start, s.end, s.type, _least(s.confidence, *words[s.start : s.end]), threshold) for s in spans
    ]
    inside = {at for span in spans for at in range(span.start, span.end)}
    for at, (label, confidence) in enumerate(zip(sentence.labels, words)):
        if at not in inside and label is not None:
            mark = _Mark(at, at + 1, label, confidence, threshold)
            if mark.doubtful or not (has_spans or label == "O"):
                marks.append(mark)
    return sorted(marks, key=lambda mark: mark.start)


def _pieces(sentence: Sentence) -> tuple[str, list[tuple[int, int]]]:
    """The sentence's text and where its words are; words that were given as features are their numbers."""
    text, places = sentence._places()
    if text is not None:
        return text, places
    numbers = [form or f"·{i}" for i, form in enumerate(sentence.forms, 1)]
    ends = [sum(len(word) + 1 for word in numbers[: i + 1]) - 1 for i in range(len(numbers))]
    return " ".join(numbers), [(end - len(word), end) for word, end in zip(numbers, ends)]


def _marked(sentence: Sentence, marks: Sequence[_Mark], has_spans: bool, colours: _Colours) -> str:
    text, places = _pieces(sentence)
    html, at = [], 0
    for mark in marks:
        start, end = places[mark.start][0], places[mark.end - 1][1]
        colour = "none" if mark.label == "O" else colours.of(mark.label)
        kind = " doubt" if mark.doubtful else "" if has_spans else " word"
        shown = f'<span class="p">{mark.shown}</span>' if mark.doubtful else ""
        html.append(
            f'{escape(text[at:start])}<span class="span {colour}{kind}" '
            f'title="{escape(mark.label)}, {"doubtful, " * mark.doubtful}{mark.shown}">'
            f'{escape(text[start:end])}<span class="tag" dir="ltr">{escape(mark.label)}{shown}</span></span>'
        )
        at = end
    way = "rtl" if from_the_right([text]) else "ltr"
    return f'<p class="sentence" dir="{way}">{"".join(html)}{escape(text[at:])}</p>'


def _arcs(sentence: Sentence, forms: Sequence[str]) -> list[Arc]:
    """The arcs of a tree. The lesser of the confidences in head and relation counts."""
    threshold, arcs = sentence._answers.threshold, []
    for at, word in enumerate(sentence):
        head, relation = word.head or 0, word.relation or ("root" if word.head == 0 else "")
        least = _least(word.confidence, word.relation_confidence)
        doubtful = threshold is not None and least < threshold
        on = f"is the {relation}" if head == 0 else f"depends on {forms[head - 1]} as {relation or 'word'}"
        said = f"{forms[at]}, word {at + 1}, {on}, {_shown(least, threshold)}"
        name = f"{relation} {_shown(least, threshold)}".strip() if doubtful else relation
        arcs.append(Arc(head - 1, at, name, doubtful, said))
    return arcs


def _tree(sentence: Sentence) -> tuple[str, bool]:
    forms = [form or f"·{i}" for i, form in enumerate(sentence.forms, 1)]
    arcs = _arcs(sentence, forms)
    return f'<div class="wide">{tree(forms, arcs)}</div>', any(arc.doubtful for arc in arcs)


def _sentences(some: Sequence[Sentence], colours: _Colours) -> tuple[list[str], bool]:
    """The sentences, and whether anything in them is doubtful."""
    html, doubtful = [], False
    for sentence in some:
        of = sentence._answers
        if of.trees:
            body, doubts = _tree(sentence)
        else:
            has_spans = len(of.span_types) > 0
            marks = _marks(sentence, sentence.spans, has_spans)
            body, doubts = _marked(sentence, marks, has_spans, colours), any(mark.doubtful for mark in marks)
        html.append(body)
        doubtful = doubtful or doubts
    return html, doubtful


def _how_sure(of: Answers, doubtful: bool) -> str:
    """What marks of doubt mean."""
    if not of.methods:
        return "Confidence was not computed."
    if of.threshold is None:
        return f"Confidence by {escape(of.methods[0])} is not calibrated: its numbers only rank."
    how = "Dashed arcs" if of.trees else "Striped"
    marks = f"{how}: confidence below {of.threshold:g}." if doubtful else f"No confidence is below {of.threshold:g}."
    return marks + ("" if of.calibrated[0] else f" It is that of {escape(of.methods[0])}, not calibrated.")


def _types(of: Answers) -> _Colours:
    return _Colours(_type(name) for name in of.names if name != "O")


def sentence(one: Sentence) -> str:
    """One sentence: chunks in colour, or its tree."""
    colours = _types(one._answers)
    html, doubtful = _sentences([one], colours)
    return _fragment(html[0] + _note(_how_sure(one._answers, doubtful)), colours)


def sentences(some: Sequence[Sentence]) -> str:
    """The first of some sentences, with their places in the answers."""
    if not some:
        return _fragment(_note("No sentences."))
    of = some[0]._answers
    first = some[: _MOST_TREES if of.trees else _MOST_SENTENCES]
    colours = _types(of)
    html, doubtful = _sentences(first, colours)
    items = "".join(
        f'<div class="item"><span class="no">{one._index}</span>{body}</div>' for one, body in zip(first, html)
    )
    shown = _counted(len(html), len(some), "sentence")
    return _fragment(items + _note(shown, _how_sure(of, doubtful)), colours)


# Tables.

_RATES = ("precision", "recall", "f1")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], right: int | None = None) -> str:
    """Cells are HTML; the first of a row names it. Columns from `right` on are numbers."""

    def kind(at: int) -> str:
        return ' class="r"' if right is not None and at >= right else ""

    top = "".join(f'<th scope="col"{kind(i)}>{cell}</th>' for i, cell in enumerate(head))
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(
            cell if cell.startswith("<td") else f"<td{kind(i)}>{cell}</td>" for i, cell in enumerate(row[1:], 1)
        )
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table class="rows"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def spans(some: Sequence[Span]) -> str:
    """Chunks as a table."""
    colours = _Colours(span.type for span in some)
    rows = [
        (escape(span.text) if span.text is not None else "–", _chip(span.type, colours), number(span.confidence),
         str(span.sentence), f"{span.start}–{span.end}")
        for span in some[:_MOST_ROWS]
    ]  # fmt: skip
    head = ("text", "type", "confidence", "sentence", "words")
    return _fragment(_table(head, rows, 2) + _note(_counted(len(rows), len(some), "span")), colours)


def _figure(figure: float) -> str:
    return "–" if figure != figure else f"{figure:.3f}"


def _types_of(found: Evaluation) -> dict[str, dict[str, float]]:
    types: dict[str, dict[str, float]] = found.get("types") or found.get("labels") or {}
    return types


def _grid(found: Evaluation) -> str:
    """Words, chunks and sentences, and how good the confidence in them is."""
    several = len({row.method for row in found.table}) > 1
    rows = []
    for row in found.table:
        ece = _figure(row.ece)
        if row.ece > row.ece_limit:
            ece = f'<td class="r off" title="more than by chance">{ece} ▲</td>'
        name = f"{row.unit}, {escape(row.method)}" if several else row.unit
        counts, ranking = (f"{row.answers:,}", f"{row.wrong:,}"), (_figure(row.average_precision), _figure(row.auroc))
        rows.append((name, *counts, *ranking, ece, _figure(row.ece_limit), _figure(row.brier)))
    if not rows:
        return ""
    return _table(("", "answers", "wrong", "AP", "AUROC", "ECE", "limit", "Brier"), rows, 1) + _note(
        "AP: how well confidence finds wrong answers. ECE: how far it is from being a probability; exact probabilities",
        "stay below the limit 95 times in 100, ▲ is above it.",
    )


def _charts(found: Evaluation) -> str:
    units = dict.fromkeys(row.unit for row in found.table if row.unit != "inside")
    figures = [
        f"<figure><figcaption>{unit}</figcaption>{reliability(points, f'Reliability of {unit}')}</figure>"
        for unit in units
        if (points := found.reliability(unit))
    ]
    if not figures:
        return ""
    return f'<div class="charts">{"".join(figures)}</div>' + _note(
        "Across: confidence. Up: the share that is right, with its 95 % interval; squares are off the dotted line, on",
        "which a 0.8 is right eight times in ten. Below: how many answers.",
    )


def _by_type(found: Evaluation, colours: _Colours) -> str:
    types = _types_of(found)
    rows = [
        (_chip(name, colours), f"{of['gold']:,}", f"{of['guessed']:,}", *(_figure(of[key]) for key in _RATES))
        for name, of in sorted(types.items(), key=lambda item: -item[1]["gold"])[:_MOST_ROWS]
    ]
    if not rows:
        return ""
    more = _note(_counted(len(rows), len(types), "type")) if len(types) > _MOST_ROWS else ""
    return f'<div class="charts">{_table(("", "gold", "answered", "precision", "recall", "F1"), rows, 1)}</div>{more}'


def evaluation(found: Evaluation) -> str:
    """The figures, a grid of words x spans x sentences, and reliability diagrams."""
    colours = _Colours(map(_type, _types_of(found)))
    top = "".join(f"<div><dt>{name}</dt><dd>{_figure(figure)}</dd></div>" for name, figure in found._said())
    body = f'<dl class="figures">{top}</dl>{_grid(found)}{_charts(found)}{_by_type(found, colours)}'
    return _fragment(body, colours)


def _context(suspect: Suspect) -> str:
    """The sentence, in which brackets are around the words."""
    before, opened, rest = suspect.context.partition(f"[{suspect.text}]")
    if not opened:
        return escape(suspect.context)
    return f"{escape(before)}<mark>{escape(suspect.text)}</mark>{escape(rest)}"


def _given(suspect: Suspect, colours: _Colours) -> tuple[str, str]:
    """The given label and the proposed one; of trees, HEAD:RELATION."""
    if suspect.layer == "label":
        return _chip(suspect.given, colours), _chip(suspect.proposed, colours)
    return escape(suspect.given), escape(suspect.proposed)


def _chance(error: float) -> str:
    return "–" if error != error else "below 1 %" if error < 0.005 else f"{100 * error:.0f} %"


def suspects(found: Suspects) -> str:
    """Suspects as a table: the chance that it is wrong, what is given, and what is proposed."""
    colours = _Colours(_type(label) for s in found for label in (s.given, s.proposed) if label != "O")
    several = len({s.file for s in found}) > 1
    rows = [
        (_chance(s.error), *_given(s, colours), f'<td class="context" dir="auto">{_context(s)}</td>',
         f'<td class="why">{escape(s.why)}</td>', escape(f"{s.file}:{s.line}" if several else f"{s.line}"))
        for s in found[:_MOST_ROWS]
    ]  # fmt: skip
    head = ("wrong", "given", "proposed", "in", "why", "where" if several else "line")
    shown = _counted(len(rows), len(found), "suspect")
    return _fragment(_table(head, rows) + _note(shown, f"{found.totals['judged']:,} were judged."), colours)


def agreement(found: Agreement) -> str:
    """Figures of agreement as a table, and the first places in which annotators differ."""
    rows = [
        (f.level, f.measure, escape(", ".join(f.between) if f.between else "all"), number(f.value),
         f"{number(f.low)}–{number(f.high)}", f"{f.units:,}")
        for f in found.figures[:_MOST_ROWS]
    ]  # fmt: skip
    head = ("level", "measure", "annotators", "value", "95 % interval", "units")
    places = [
        (f"{d.sentence + 1}:{d.start + 1}", *(escape(answer or "–") for answer in d.answers))
        for d in found.disagreements[:_MOST_ROWS]
    ]
    shown = _counted(len(places), found.differ, "disagreement")
    listed = _table(("place", *map(escape, found.annotators)), places) + _note(shown) if places else ""
    return _fragment(_table(head, rows, 3) + listed)
