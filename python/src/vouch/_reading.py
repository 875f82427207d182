"""Corpora in files as lists of sentences, by the rules by which the program reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from ._corpus import StrPath

_PACKED = ((b"\x1f\x8b", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\0", "lzma"))  # a small Python may lack some of these
_DOCUMENT_MARK = "-DOCSTART-"
_CONLLU_COLUMNS = 10

Row = list[str]


class Labelled(NamedTuple):
    """Sentences of words, and their labels: vouch.train(words, task, labels=labels)."""

    words: list[list[Any]]
    labels: list[list[str]]


class Treebank(NamedTuple):
    """Sentences of words, their heads and relations: vouch.train(words, "dep", heads=heads, labels=labels)."""

    words: list[list[tuple[str, ...]]]
    heads: list[list[int]]
    labels: list[list[str]]


def _lines(path: StrPath) -> Iterator[tuple[int, str]]:
    """The lines of a file, which may be packed by gzip, bzip2 or xz, with their numbers."""
    with open(path, "rb") as file:
        data = file.read()
    for magic, packing in _PACKED:
        if data.startswith(magic):
            data = import_module(packing).decompress(data)
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            yield number, line.rstrip(b"\r").decode()
        except UnicodeDecodeError:
            raise ValueError(f"{_where(path, number)}: expected UTF-8, found other bytes") from None


def _where(path: StrPath, line: int) -> str:
    return f"{os.fspath(path)}:{line}"


def _blocks(path: StrPath) -> Iterator[list[tuple[int, str]]]:
    """The lines between blank ones."""
    block: list[tuple[int, str]] = []
    for number, line in [*_lines(path), (0, "")]:
        if line.strip():
            block.append((number, line))
        elif block:
            yield block
            block = []


def _conll_rows(path: StrPath) -> Iterator[list[tuple[int, Row]]]:
    """The rows of every sentence, of which some are empty. The first line that is no comment tells separator and number
    of columns. A comment in front of a sentence has another number of them.
    """
    blocks = list(_blocks(path))
    first = next((line for block in blocks for _, line in block if not line.startswith("#")), "")
    separator = "\t" if "\t" in first else " "

    def split(line: str) -> Row:
        return line.split("\t") if separator == "\t" else [cell for cell in line.split(" ") if cell]

    columns = len(split(first))
    for block in blocks:
        rows: list[tuple[int, Row]] = []
        for number, line in block:
            row = split(line)
            if row[0] == _DOCUMENT_MARK:
                yield rows
                rows = []
            elif len(row) == columns:
                rows.append((number, row))
            elif rows or not line.startswith("#"):
                raise ValueError(f"{_where(path, number)}: expected {columns} columns, found {len(row)}")
        yield rows


def read_conll(path: StrPath, use: int | Sequence[int] = 0, label: int = -1) -> Labelled:
    """Reads a file of columns, a word on each line, with blank lines between sentences.

    `use` is the column of the words, from 0, which are then str; or several, and words are tuples of them. `label` is
    the column of the labels. The file may be packed by gzip, bzip2 or xz. Marks of documents are left out.

    >>> words, labels = vouch.read_conll("ner.train")
    >>> words[0], labels[0]
    (['Paris', '1', 'Łodorford', '2'], ['B-ORG', 'O', 'B-ORG', 'O'])
    >>> vouch.read_conll("ner.train", use=(0, 1)).words[0][:2]
    [('Paris', 'NNP'), ('1', 'CD')]
    """
    words: list[list[Any]] = []
    labels: list[list[str]] = []
    for rows in filter(None, _conll_rows(path)):
        number, row = rows[0]
        asked = [use, label] if isinstance(use, int) else [*use, label]
        for column in asked:
            if not -len(row) <= column < len(row):
                raise ValueError(f"{_where(path, number)}: expected a column {column}, found {len(row)} columns")
        words.append([row[use] if isinstance(use, int) else tuple(row[i] for i in use) for _, row in rows])
        labels.append([row[label] for _, row in rows])
    return Labelled(words, labels)


def _head(path: StrPath, number: int, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{_where(path, number)}: expected a number in column HEAD, found {text!r}")
    return int(text)


def read_conllu(path: StrPath) -> Treebank:
    """Reads a file of CoNLL-U: words as tuples of form, lemma, UPOS, XPOS and features, their heads and relations.

    Comments, tokens of several words (1-2) and empty words (1.1) are left out. The file may be packed as above.

    >>> bank = vouch.read_conllu("dep.train")
    >>> bank.words[0][0][:3], bank.heads[0][:3], bank.labels[0][:3]
    (('Åse', 'Åse', 'PROPN'), [3, 1, 0], ['nsubj', 'flat', 'root'])
    """
    bank = Treebank([], [], [])
    for block in _blocks(path):
        rows: list[tuple[int, Row]] = []
        for number, line in block:
            row = line.split("\t")
            if line.startswith("#") and not rows:
                continue
            if len(row) != _CONLLU_COLUMNS:
                expected = f"expected {_CONLLU_COLUMNS} columns between tabs"
                raise ValueError(f"{_where(path, number)}: {expected}, found {len(row)}")
            if row[0].isdecimal():
                rows.append((number, row))
        if rows:
            bank.words.append([tuple(row[1:6]) for _, row in rows])
            bank.heads.append([_head(path, number, row[6]) for number, row in rows])
            bank.labels.append([row[7] for _, row in rows])
    return bank
