"""Texts, words and characters of chunks; streams."""

from itertools import count, islice

import pytest

import vouch

ADA = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("São", "NNP"), ("Paulo", "NNP"), (".", ".")]


def test_words_and_joined_text(ner: vouch.Model) -> None:
    answers = ner.tag([ADA, [], [("x", "NN")]])
    assert answers[0].forms == [word[0] for word in ADA] and answers[1].forms == []
    assert [word.form for word in answers[0]] == answers[0].forms
    assert answers[0].text == "Ada lives in São Paulo ." and answers[1].text == "" and answers.texts is None
    spans = answers[0].spans
    assert spans and all(s.text == answers[0].text[s.start_char : s.end_char] for s in spans)
    assert all(s.text == " ".join(answers[0].forms[s.start : s.end]) for s in spans)


def test_given_text(ner: vouch.Model) -> None:
    text = "»Ada« lives in\n\tSão   Paulo."
    answers = ner.tag([ADA], texts=[text])
    assert answers[0].text == text
    for span in answers[0].spans:
        first, last = answers[0].forms[span.start], answers[0].forms[span.end - 1]
        assert span.text == text[span.start_char : span.end_char]
        assert span.text.startswith(first) and span.text.endswith(last)


def test_texts_that_do_not_fit(ner: vouch.Model) -> None:
    with pytest.raises(ValueError, match="texts"):
        ner.tag([ADA], texts=[])
    with pytest.raises(ValueError, match="texts"):
        ner.tag([ADA], texts=[3])
    with pytest.raises(ValueError, match="sentence 1, word 4"):
        ner.tag([ADA], texts=["Ada lives in Paris."])[0].text


def test_stream(ner: vouch.Model) -> None:
    endless = ([("Ada", "NNP")] * (1 + i % 3) for i in count())
    found = list(islice(ner.stream(endless, block=4, alternatives=1), 10))
    assert [len(sentence) for sentence in found] == [1 + i % 3 for i in range(10)]
    expected = ner.tag([[("Ada", "NNP")] * (1 + i % 3) for i in range(10)])
    assert [s.confidence for s in found] == [s.confidence for s in expected]
    with pytest.raises(ValueError):
        list(ner.stream([], block=0))
    with pytest.raises(TypeError):
        list(ner.stream([3]))
