"""A small network over the vectors of encode.py: dropout, a bidirectional LSTM, dropout, a linear layer to the labels.

    tagger.py WORK [--seed N]     learns from WORK/train.*, stops at the best F1 on WORK/stop.*, writes

    WORK/labels.txt               the Y labels, in the order of the columns
    WORK/PART.lengths.npy         int64 [S], the words of each sentence         PART: calibrate, test
    WORK/PART.scores.npy          float32 [T, Y], the logits
    WORK/PART.passes.npy          float32 [K, T, Y], the logits of K passes with dropout left on

The encoder knows no capitals, so the shape of each word (all lower case, first letter a capital, ...) is given beside
its vector.
"""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

import corpus

BATCH = 32  # sentences
SHAPES = 7


def shape(word):
    """0 to SHAPES - 1: how the word is written."""
    if not any(c.isalnum() for c in word):
        return 0
    if not any(c.isalpha() for c in word):
        return 1
    if word.islower():
        return 2
    if word.isupper():
        return 3 if len(word) > 1 else 4
    return 5 if word[0].isupper() and word[1:].islower() else 6


class Tagger(nn.Module):
    def __init__(self, width, labels, hidden, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(width, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, labels)

    def forward(self, vectors, lengths):
        """Logits [B, N, Y] of vectors [B, N, D]."""
        packed = nn.utils.rnn.pack_padded_sequence(self.dropout(vectors), lengths, batch_first=True,
                                                   enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.out(self.dropout(states))


class Part:
    """Vectors and labels of one file, as tensors of each sentence."""

    def __init__(self, work, name, suffix):
        self.sentences = corpus.sentences(work / f"{name}.txt")
        self.lengths = [len(words) for words, _ in self.sentences]
        vectors = torch.from_numpy(np.load(work / f"{name}.txt{suffix}.npy").astype(np.float32))
        if len(vectors) != sum(self.lengths):
            raise SystemExit(f"{name}: expected a vector for each of {sum(self.lengths)} words, found {len(vectors)}")
        written = torch.tensor([shape(word) for words, _ in self.sentences for word in words])
        vectors = torch.cat([vectors, nn.functional.one_hot(written, SHAPES).float()], 1)
        self.vectors = torch.split(vectors, self.lengths)

    def batches(self, order):
        """Yields (which sentences, padded vectors, lengths), BATCH sentences at a time."""
        for first in range(0, len(order), BATCH):
            which = order[first:first + BATCH]
            yield (which, nn.utils.rnn.pad_sequence([self.vectors[i] for i in which], batch_first=True),
                   torch.tensor([self.lengths[i] for i in which]))


def scores(model, part):
    """float32 [T, Y], in the order of the words."""
    rows = [None] * len(part.lengths)
    by_length = sorted(range(len(rows)), key=part.lengths.__getitem__)
    with torch.inference_mode():
        for which, vectors, lengths in part.batches(by_length):
            for i, logits, length in zip(which, model(vectors, lengths), lengths):
                rows[i] = logits[:length].numpy()
    return np.concatenate(rows)


def f1_of(model, part, labels):
    """F1 of the largest score of each word."""
    best = iter(scores(model, part).argmax(1))
    answers = [[labels[next(best)] for _ in words] for words, _ in part.sentences]
    return corpus.f1([gold for _, gold in part.sentences], answers)


def one_epoch(model, optimizer, part, number):
    """A step for each batch, in random order."""
    gold = [torch.tensor([number[label] for label in labels]) for _, labels in part.sentences]
    model.train()
    for which, vectors, lengths in part.batches(torch.randperm(len(gold)).tolist()):
        logits = model(vectors, lengths)
        inside = torch.arange(logits.shape[1])[None, :] < lengths[:, None]
        loss = nn.functional.cross_entropy(logits[inside], torch.cat([gold[i] for i in which]))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
    model.eval()


def learn(options, labels):
    """The network after the epoch with the best F1 on the part `stop`."""
    train, stop = (Part(options.work, name, options.suffix) for name in ("train", "stop"))
    model = Tagger(train.vectors[0].shape[1], len(labels), options.hidden, options.dropout)
    optimizer = torch.optim.Adam(model.parameters(), options.rate)
    number = {label: i for i, label in enumerate(labels)}
    best, kept, since = -1, None, 0
    for epoch in range(1, options.epochs + 1):
        one_epoch(model, optimizer, train, number)
        f1 = f1_of(model, stop, labels)
        print(f"epoch {epoch}: F1 {100 * f1:.2f}", flush=True)
        since = 0 if f1 > best else since + 1
        if f1 > best:
            best, kept = f1, {name: value.clone() for name, value in model.state_dict().items()}
        if since == options.patience:
            break
    model.load_state_dict(kept)
    return model


def write_scores(model, options, name):
    """Logits of one part, with dropout off and, K times, on."""
    part = Part(options.work, name, options.suffix)
    np.save(options.work / f"{name}.lengths.npy", np.array(part.lengths, np.int64))
    np.save(options.work / f"{name}.scores.npy", scores(model.eval(), part))
    model.train()
    np.save(options.work / f"{name}.passes.npy", np.stack([scores(model, part) for _ in range(options.passes)]))
    model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--dropout", type=float, default=0.4)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--patience", type=int, default=2)
    parser.add_argument("--suffix", default="", help="of the files with vectors, as encode.py was given")
    parser.add_argument("--dry", action="store_true", help="learn, and write nothing")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    labels = sorted({label for _, found in corpus.sentences(options.work / "train.txt") for label in found})
    model = learn(options, labels)
    if not options.dry:
        (options.work / "labels.txt").write_text("".join(label + "\n" for label in labels))
        for name in "calibrate", "test":
            write_scores(model, options, name)


if __name__ == "__main__":
    main()
