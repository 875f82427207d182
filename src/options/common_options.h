/*
 * Defines options that several commands have, for their tables. A row is: name, letter, kind, field, what to call the
 * value, the range of a number, role, help.
 */
#ifndef VOUCH_OPTIONS_COMMON_OPTIONS_H
#define VOUCH_OPTIONS_COMMON_OPTIONS_H

#include "core/dense.h"
#include "core/lanes.h"
#include "options/settings.h"

/* clang-format off */
#define AT(field) offsetof(struct settings, field)
#define OPTION_QUIET \
    {"quiet", 'q', OPTION_FLAG, AT(quiet), NULL, 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "say nothing but errors"}
#define OPTION_VERBOSE \
    {"verbose", 'v', OPTION_FLAG, AT(verbose), NULL, 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, "say more"}
#define OPTION_HELP \
    {"help", 0, OPTION_FLAG, AT(help), NULL, 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "print this help and exit"}, \
    {"usage", 'h', OPTION_FLAG, AT(short_help), NULL, 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "print the usage line and exit"}
#define OPTION_OUTPUT \
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "write here instead of standard output; appears whole or not at all"}
#define OPTION_MODEL \
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, OPTION_OF_PROGRAM, "the model to use"}
#define OPTION_THREADS \
    {"threads", 'j', OPTION_INTEGER, AT(threads), "N", 1, 256, OPTION_INCIDENTAL, \
     "work on N threads; the output is the same"}
#define OPTION_SEED \
    {"seed", 0, OPTION_INTEGER, AT(seed), "N", 0, 9e15, OPTION_MATTERS, "seed of all random choices"}
#define OPTION_FORMAT \
    {"format", 0, OPTION_TEXT, AT(format), "NAME", 0, 0, OPTION_MATTERS, \
     "input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it"}
#define OPTION_COLUMN \
    {"column", 0, OPTION_TEXT, AT(column), "NAME", 0, 0, OPTION_MATTERS, \
     "column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1"}
#define OPTION_GOLD \
    OPTION_COLUMN, \
    {"gold", 0, OPTION_INTEGER, AT(gold), "N", 0, 65536, OPTION_MATTERS, \
     "column of the gold label, from 1 (CoNLL columns); 0 is the last"}
#define OPTION_VECTORS \
    {"vectors", 0, OPTION_TEXT, AT(vectors), "FILE", 0, 0, OPTION_MATTERS, \
     "vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of the " \
     "input; % stands for the name of the input"}
#define OPTION_JSON \
    {"json", 0, OPTION_FLAG, AT(json), NULL, 0, 0, OPTION_OF_PROGRAM, "print the result as JSON"}

/* With another help of --draws. */
#define OPTION_CONFIDENCE_WITH(help_of_draws) \
    {"confidence", 'c', OPTION_TEXT, AT(confidence), "METHODS", 0, 0, OPTION_MATTERS, \
     "methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the " \
     "one that was found best when the model was calibrated"}, \
    {"raw", 0, OPTION_FLAG, AT(raw), NULL, 0, 0, OPTION_MATTERS, \
     "the methods' own numbers, not calibrated probabilities"}, \
    {"draws", 0, OPTION_INTEGER, AT(draws), "K", 0, MAX_DRAWS, OPTION_MATTERS, \
     help_of_draws}
#define OPTION_CONFIDENCE \
    OPTION_CONFIDENCE_WITH("models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with")
#define OPTION_SCORES \
    {"scores", 0, OPTION_TEXT, AT(scores), "FILE", 0, 0, OPTION_OF_PROGRAM, \
     "with a model that 'vouch judge' made: the scores to judge, of the sentences of the input: .npy, .npz, " \
     "safetensors or JSON lines"}, \
    {"offsets", 0, OPTION_TEXT, AT(offsets), "FILE", 0, 0, OPTION_OF_PROGRAM, \
     "where the sentences begin in --scores, or how long they are: .npy; not needed if the input has the words"}
#define OPTION_CONSISTENCY \
    {"consistency", 0, OPTION_FLAG, AT(consistency), NULL, 0, 0, OPTION_MATTERS, \
     "estimate confidence also by what the same words are called in the sentences around, some hundreds of them; the " \
     "same as --confidence committee+text"}
#define OPTION_DOUBT \
    {"alternatives", 0, OPTION_INTEGER, AT(alternatives), "N", 0, 1000, OPTION_MATTERS, \
     "the N likeliest choices of every word, with their probabilities"}, \
    {"sets", 0, OPTION_FLAG, AT(sets), NULL, 0, 0, OPTION_MATTERS, \
     "for every word, and every chunk, a set that holds the right choice as often as 'vouch tune --coverage' saw to"}, \
    {"threshold", 0, OPTION_REAL, AT(threshold), "T", -1, 1, OPTION_MATTERS, \
     "flag answers whose confidence is below T, or see --replace; -1 is no threshold"}, \
    {"replace", 0, OPTION_TEXT, AT(replace), "LABEL", 0, 0, OPTION_MATTERS, \
     "with --threshold: write LABEL instead of labels whose confidence is below it"}
#define OPTION_ON_ERROR \
    {"on-error", 0, OPTION_TEXT, AT(on_error), "WHAT", 0, 0, OPTION_MATTERS, \
     "what to do about a bad line of JSON lines: stop, or report it in its place and go on"}

#define AS_TEXT(number) #number
#define LABELS_AND_TREES(labels, trees) "0: " AS_TEXT(labels) " for labels, " AS_TEXT(trees) " for trees"

#define OPTION_OUTPUT_MODEL \
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "the model file to write; appears whole or not at all"}

/* With another letter for --passes, or 0, where -n means something else. */
#define OPTIONS_LEARNER_WITH(letter_of_passes) \
    {"algorithm", 'a', OPTION_TEXT, AT(algorithm), "NAME", 0, 0, OPTION_MATTERS, \
     "cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa)"}, \
    {"passes", letter_of_passes, OPTION_INTEGER, AT(passes), "N", 1, 10000, OPTION_MATTERS, \
     "passes over the training data"}, \
    {"features", 0, OPTION_TEXT, AT(features), "SET", 0, 0, OPTION_MATTERS, \
     "built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given"}, \
    {"template", 0, OPTION_TEXT, AT(template), "FILE", 0, 0, OPTION_MATTERS, "features from a CRF++ template file"}, \
    {"cutoff", 0, OPTION_INTEGER, AT(cutoff), "N", 1, 1000000, OPTION_MATTERS, \
     "leave out features seen fewer than N times"}, \
    {"learn-as", 0, OPTION_TEXT, AT(learn_as), "SCHEME", 0, 0, OPTION_MATTERS, \
     "scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own"}, \
    {"k-best", 'k', OPTION_INTEGER, AT(k_best), "K", 0, 1000, OPTION_MATTERS, \
     "learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1"}, \
    {"C", 'C', OPTION_REAL, AT(C), "X", 1e-9, 1e9, OPTION_MATTERS, "pa: the largest step"}, \
    {"phi", 0, OPTION_REAL, AT(phi), "X", 0, 1e9, OPTION_MATTERS, \
     "cw: how sure the margin must be; " LABELS_AND_TREES(PHI_OF_LABELS, PHI_OF_TREES)}, \
    {"covariance", 0, OPTION_TEXT, AT(covariance), "KIND", 0, 0, OPTION_MATTERS, \
     "cw: how variances follow: full, inverse or exact"}, \
    {"variance", 0, OPTION_REAL, AT(variance), "X", 1e-9, 1e9, OPTION_MATTERS, "cw: initial variance"}, \
    {"rate", 0, OPTION_REAL, AT(rate), "X", 0, 1e9, OPTION_MATTERS, \
     "crf: first step; " LABELS_AND_TREES(RATE_OF_LABELS, RATE_OF_TREES)}, \
    {"l2", 0, OPTION_REAL, AT(l2), "X", 0, 1e9, OPTION_MATTERS, "crf: strength of the Gaussian prior"}, \
    {"vector-window", 0, OPTION_INTEGER, AT(vector_window), "N", 0, MAX_VECTOR_WINDOW, OPTION_MATTERS, \
     "with --vectors: those of N words on either side are features of a word, too"}, \
    {"vector-length", 0, OPTION_REAL, AT(vector_length), "X", 1e-6, 1e6, OPTION_MATTERS, \
     "with --vectors: scale them to this length, in the mean square over the words learned from"}, \
    {"unlabelled", 0, OPTION_FLAG, AT(unlabelled), NULL, 0, 0, OPTION_MATTERS, \
     "dep: learn heads only, no relations"}, \
    {"bits", 0, OPTION_INTEGER, AT(bits), "N", 10, 28, OPTION_MATTERS, \
     "dep: hash the features of arcs into 2^N weights"}

#define OPTIONS_LEARNER OPTIONS_LEARNER_WITH('n')

#define OPTION_MULTI_ROOT \
    {"multi-root", 0, OPTION_TEXT, AT(multi_root), "WHAT", 0, 0, OPTION_MATTERS, \
     "dep: skip training sentences with several roots, keep them, or attach the others to the first root"}

#define OPTIONS_LEARNING \
    OPTIONS_LEARNER, \
    OPTION_MULTI_ROOT, \
    {"tune", 0, OPTION_FLAG, AT(tune), NULL, 0, 0, OPTION_MATTERS, \
     "first choose C, phi or rate on a held-out quarter of the data"}
/* clang-format on */

/* The columns of a file of --answers. */
#define OPTION_COLUMNS                                                                                                 \
    {"columns", 0, OPTION_TEXT, AT(columns), "NAMES", 0, 0, OPTION_OF_PROGRAM,                                         \
     "with --answers: GOLD,GUESS,CONFIDENCE[,SENTENCE[,WORD]] as headings, keys, or numbers from 1; if not given: "    \
     "gold,guess,confidence,sentence,word, or the last three columns"}
#define OPTION_ROWS                                                                                                    \
    {"rows", 0, OPTION_TEXT, AT(rows), "WHAT", 0, 0, OPTION_OF_PROGRAM,                                                \
     "with --answers: what rows without a blank line, sentence or array among them are: apart, a sentence each, or "   \
     "together, one sentence"}

#endif
