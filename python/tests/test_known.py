"""What is known of answers, and the best whole answers."""

from itertools import count
from typing import Any

import pytest

import vouch

WORDS = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]
TREE = [("Ada", "Ada", "PROPN"), ("saw", "see", "VERB"), ("Paris", "Paris", "PROPN")]


@pytest.mark.parametrize("known", [["B-ORG", None, None, None], {0: "B-ORG"}])
def test_labels_that_are_known_stay(ner: vouch.Model, known: Any) -> None:
    answers = ner.tag([WORDS, WORDS, WORDS], known=[None, known, {}])
    free, asked, same = answers
    assert asked.labels[0] == "B-ORG" and asked[0].confidence == 1
    assert all(0 < word.confidence < 1 for word in asked[1:])
    assert free.labels == same.labels == ner.tag([WORDS])[0].labels
    assert free.confidence == same.confidence == ner.tag([WORDS])[0].confidence


def test_threads_know_the_same(ner: vouch.Model) -> None:
    known = [{i % 4: label} for i, label in zip(range(60), ["B-PER", "O", "B-LOC"] * 20)]
    one, three = (ner.tag([WORDS] * 60, known=known, threads=threads) for threads in (1, 3))
    assert [s.labels for s in one] == [s.labels for s in three]
    assert all(s.labels[i] == label for s, known_ in zip(one, known) for i, label in known_.items())
    assert bytes(one.confidence) == bytes(three.confidence)


def test_methods_that_look_at_the_text_know_it_too(ner: vouch.Model) -> None:
    answers = ner.tag([WORDS, WORDS], known=[{3: "O"}, None], consistency=True)
    assert answers[0].labels[3] == "O"


def test_heads_and_relations_that_are_known_stay(dep: vouch.Model) -> None:
    relation = dep.labels[0]
    free, head, named, both = dep.parse([TREE] * 4, known=[None, {0: 3}, {0: relation}, [None, (0, relation), None]])
    assert head[0].head == 3 and head[0].confidence == 1
    assert named[0].relation == relation and named.heads == free.heads
    assert (both[1].head, both[1].relation) == (0, relation)


@pytest.mark.parametrize(
    ("known", "wrong"),
    [
        ([{0: "B-XXX"}], "word 1: expected a label that the model knows, found 'B-XXX'"),
        ([["O"]], "sentence 1: expected what is known of 4 words"),
        ([{4: "O"}], "sentence 1: expected words from 0 to 3 that are known, found 4"),
        ([], "expected what is known of 1 sentences, found 0"),
    ],
)
def test_what_cannot_be_known_is_refused(ner: vouch.Model, known: Any, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        ner.tag([WORDS], known=known)


def test_a_cycle_is_refused(dep: vouch.Model) -> None:
    with pytest.raises(ValueError, match="found a cycle"):
        dep.parse([TREE], known=[[2, 1, None]])


def test_the_best_answers_begin_with_the_answer(ner: vouch.Model, dep: vouch.Model) -> None:
    for model, sentence in ((ner, WORDS), (dep, TREE)):
        answer = (dep.parse if model is dep else ner.tag)([sentence])[0]
        (best,) = model.k_best([sentence], k=4)
        assert len(best) == 4 and len({(tuple(b.labels), tuple(b.heads or ())) for b in best}) == 4
        assert best[0].labels == answer.labels and best[0].heads == answer.heads
        assert best[0].probability == answer.confidence
        probabilities = [b.probability for b in best]
        assert probabilities == sorted(probabilities, reverse=True) and sum(probabilities) <= 1


def test_the_best_answers_agree_with_what_is_known(ner: vouch.Model) -> None:
    (all_,) = ner.k_best([WORDS[:2]], k=1000)
    (agreeing,) = ner.k_best([WORDS[:2]], k=1000, known=[{1: "B-LOC"}])
    assert [b.labels for b in agreeing] == [b.labels for b in all_ if b.labels[1] == "B-LOC"]


def test_the_number_of_best_answers_is_checked(ner: vouch.Model) -> None:
    for k in (0, 1001):
        with pytest.raises(ValueError, match=f"found {k}"):
            ner.k_best([WORDS], k=k)
    assert ner.k_best([], k=2) == []
    assert ner.k_best([[]], k=2) == [[]]


def test_training_takes_labels_that_are_open() -> None:
    words = [[f"w{i % 7}", "saw", f"x{i % 5}"] for i in range(60)]
    numbers = count()
    labels = [["A" if word[0] == "w" else "B" if word[0] == "x" else "O" for word in sentence] for sentence in words]
    parts = [[label if next(numbers) % 4 else None for label in sentence] for sentence in labels]
    model = vouch.train(words, task="pos", labels=parts, partial=True, passes=3, no_calibrate=True)
    assert [s.labels for s in model.tag(words[:7])] == labels[:7]
    with pytest.raises(vouch.Error, match="null is an open one, for train --partial"):
        vouch.train(words, task="pos", labels=parts, passes=3, no_calibrate=True)
