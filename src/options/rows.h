/*
 * Rows of the tables of options, and those that several jobs have, with the structs of their values.
 *
 * A table is written where OPTIONS is the job's struct:
 *
 *     #define OPTIONS struct review_options
 *     static const struct option_spec review[] = {
 *         TEXT("inspect", 0, inspect, "N", OPTION_MATTERS, "how many of them to list: ..."),
 *         OPTIONS_READING,
 *         ...
 *         OPTIONS_END,
 *     };
 */
#ifndef VOUCH_OPTIONS_ROWS_H
#define VOUCH_OPTIONS_ROWS_H

#include "core/dense.h"
#include "core/lanes.h"
#include "learn/learn.h"
#include "options/options.h"
#include "text/reader.h"

/* clang-format off */
#define OPTION_ROW(kind_of, name_of, letter_of, field, argument_of, choices_of, from, to, role_of, help_of) \
    {.name = name_of, .letter = letter_of, .kind = kind_of, .offset = offsetof(OPTIONS, field), \
     .size = sizeof(((OPTIONS *)0)->field), .argument = argument_of, .choices = choices_of, .least = from, .most = to, \
     .role = role_of, .help = help_of}
#define FLAG(name, letter, field, role, help) OPTION_ROW(OPTION_FLAG, name, letter, field, NULL, NULL, 0, 0, role, help)
#define TEXT(name, letter, field, argument, role, help) \
    OPTION_ROW(OPTION_TEXT, name, letter, field, argument, NULL, 0, 0, role, help)
/* A text that must be one of some words. */
#define WORD(name, letter, field, argument, words, role, help) \
    OPTION_ROW(OPTION_TEXT, name, letter, field, argument, words, 0, 0, role, help)
#define INTEGER(name, letter, field, argument, from, to, role, help) \
    OPTION_ROW(OPTION_INTEGER, name, letter, field, argument, NULL, from, to, role, help)
#define REAL(name, letter, field, argument, from, to, role, help) \
    OPTION_ROW(OPTION_REAL, name, letter, field, argument, NULL, from, to, role, help)
/* The first of the choices is 0 of the enum; with CHOICE_OR_NONE it is 1, and 0 stands for none. */
#define CHOICE(name, letter, field, argument, choices, role, help) \
    OPTION_ROW(OPTION_CHOICE, name, letter, field, argument, choices, 0, 0, role, help)
#define CHOICE_OR_NONE(name, letter, field, argument, choices, role, help) \
    OPTION_ROW(OPTION_CHOICE, name, letter, field, argument, choices, 1, 0, role, help)

/* How files are read: `reading` in the job's struct. */
struct reading_values {
    enum format format;
    const char *column, *vectors;
    int gold;
    enum on_error { ON_ERROR_STOP, ON_ERROR_REPORT } on_error;
};

/* What is learned, and how: `learner`. */
struct learner_values {
    const char *task, *algorithm, *features, *template;
    struct text_list lexicons; /* NAME=FILE */
    enum learn_as { LEARN_AS_IOB2, LEARN_AS_BIOES, LEARN_AS_KEEP } learn_as;
    enum covariance covariance;
    /* What to do with training sentences that have several roots. Predicted trees have one. */
    enum multi_root {
        MULTI_ROOT_SKIP,
        MULTI_ROOT_KEEP,  /* learn from them as they are, though no predicted tree can be right */
        MULTI_ROOT_ATTACH /* the other roots become children of the first; they keep their relation */
    } multi_root;
    double C, phi, variance, rate, l2, vector_length;
    uint32_t passes, cutoff, k_best, vector_window, bits, use;
    bool unlabelled, tune, no_constraints;
};

/* Which methods of confidence: `confidence`. */
struct confidence_values {
    const char *methods;
    uint32_t draws;
    bool raw, consistency, plain_draws;
};

/* What is written of doubtful answers: `doubt`. */
struct doubt_values {
    double threshold;
    const char *replace;
    uint32_t alternatives;
    bool sets;
};

/* Scores of another program: `source`. */
struct score_values {
    const char *scores, *offsets, *transitions;
};

/* Their defaults, for the `usual` struct of a job. */
#define USUAL_COMMON {.work = {.seed = 1, .threads = 1}}
#define USUAL_LEARNER(algorithms, number_of_passes) \
    .algorithm = algorithms, .passes = number_of_passes, .bits = 21, .C = 0.05, .variance = 1, .l2 = 0.05, \
    .vector_window = 1, .vector_length = 2, .cutoff = 1
#define USUAL_DOUBT {.threshold = -1}

/* Settle how to read files; the fields of `reading` that no option decides about are zero. */
bool reading_options(const struct reading_values *values, struct reader_options *reading, struct vouch_error *err);

/* Does the same for commands that answer: there are no gold labels, every column describes the word. */
bool reading_options_to_answer(const struct reading_values *values, struct reader_options *reading,
                               struct vouch_error *err);

/* The values that 0 stands for, chosen on dev files (docs/MEASUREMENTS.md): labels and trees need different steps. */
#define PHI_OF_LABELS 2
#define PHI_OF_TREES 0.3
#define RATE_OF_LABELS 0.25
#define RATE_OF_TREES 0.1

#define OPTION_QUIET \
    FLAG("quiet", 'q', common.quiet, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "say nothing but errors")
#define OPTION_VERBOSE \
    FLAG("verbose", 'v', common.verbose, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, "say more")
#define OPTION_HELP \
    FLAG("help", 0, common.help, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "print this help and exit"), \
    FLAG("usage", 'h', common.short_help, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, \
     "print the usage line and exit")
#define OPTION_OUTPUT_WITH(help) \
    TEXT("output", 'o', output, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN, help)
#define OPTION_OUTPUT \
    OPTION_OUTPUT_WITH("write here instead of standard output; appears whole or not at all")
#define OPTION_IN_PLACE(help) \
    FLAG("in-place", 0, in_place, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, help)
#define OPTION_MODEL \
    TEXT("model", 'm', model, "FILE", OPTION_OF_PROGRAM | OPTION_READ, "the model to use")
#define OPTION_THREADS \
    INTEGER("threads", 'j', common.work.threads, "N", 1, 256, OPTION_INCIDENTAL, \
     "work on N threads; the output is the same")
#define OPTION_SEED \
    INTEGER("seed", 0, common.work.seed, "N", 0, 9e15, OPTION_MATTERS, "seed of all random choices")
#define OPTION_FORMAT \
    CHOICE("format", 0, reading.format, "NAME", "auto, conll, crfsuite, plain, jsonl or conllu", OPTION_MATTERS, \
     "input format: conll, crfsuite, plain, jsonl, conllu; auto recognises it")
#define OPTION_COLUMN \
    TEXT("column", 0, reading.column, "NAME", OPTION_MATTERS, \
     "column of the labels in CoNLL-U: upos, xpos, feats, lemma, deprel, ..., or a number from 1")
#define OPTION_GOLD \
    OPTION_COLUMN, \
    INTEGER("gold", 0, reading.gold, "N", 0, 65536, OPTION_MATTERS, \
     "column of the gold label, from 1 (CoNLL columns); 0 is the last")
#define OPTION_VECTORS \
    TEXT("vectors", 0, reading.vectors, "FILE", OPTION_READ, \
     "vectors of the words: a table of words as text, or .npy, .npz or safetensors with a row for each word of the " \
     "input; % stands for the name of the input")
/* What many tables have in a row: how labelled files are read, how the work is done, and the end. */
#define OPTIONS_READING OPTION_VECTORS, OPTION_FORMAT, OPTION_GOLD
#define OPTIONS_WORK OPTION_SEED, OPTION_THREADS
#define OPTIONS_END OPTION_QUIET, OPTION_HELP, {0}
#define OPTIONS_END_VERBOSE OPTION_QUIET, OPTION_VERBOSE, OPTION_HELP, {0}
#define OPTION_JSON \
    FLAG("json", 0, json, OPTION_OF_PROGRAM, "print the result as JSON")

/* Which models are drawn; it is part of what a model keeps. */
#define OPTION_PLAIN_DRAWS(field) \
    FLAG("plain-draws", 0, field, OPTION_MATTERS, \
     "draw models for kd-fix and kd-pc independently of each other, the same for all sentences, as in the paper; if " \
     "not given, in pairs of opposite noise, for every sentence anew, and votes are moved towards their limit")

/* With another help of --draws. */
#define OPTION_CONFIDENCE_WITH(help_of_draws) \
    TEXT("confidence", 'c', confidence.methods, "METHODS", OPTION_MATTERS, \
     "methods of confidence, separated by commas; all, or none: see 'vouch help confidence'; if not given, the " \
     "one that was found best when the model was calibrated"), \
    FLAG("raw", 0, confidence.raw, OPTION_MATTERS, \
     "the methods' own numbers, not calibrated probabilities"), \
    INTEGER("draws", 0, confidence.draws, "K", 0, MAX_DRAWS, OPTION_MATTERS, \
     help_of_draws)
#define OPTION_CONFIDENCE \
    OPTION_CONFIDENCE_WITH("models to draw for kd-fix and kd-pc; 0 is as many as the model was tuned with")
/* Of jobs on files; whoever answers sentences from memory gives their scores to a judge of vouch.h. */
#define OPTION_SCORES OPTION_SCORES_WITH(OPTION_READ)
#define OPTION_SCORES_OF_PROGRAM OPTION_SCORES_WITH(OPTION_OF_PROGRAM | OPTION_READ)
#define OPTION_SCORES_WITH(role) \
    TEXT("scores", 0, source.scores, "FILE", role, \
     "with a model that 'vouch judge' made: the scores to judge, of the sentences of the input: .npy, .npz, " \
     "safetensors or JSON lines"), \
    TEXT("offsets", 0, source.offsets, "FILE", role, \
     "where the sentences begin in --scores, or how long they are: .npy; not needed if the input has the words")
#define OPTION_CONSISTENCY \
    FLAG("consistency", 0, confidence.consistency, OPTION_MATTERS, \
     "estimate confidence also by what the same words are called in the sentences around, some hundreds of them; the " \
     "same as --confidence committee+text")
#define OPTION_DOUBT \
    INTEGER("alternatives", 0, doubt.alternatives, "N", 0, 1000, OPTION_MATTERS, \
     "the N likeliest choices of every word, with their probabilities"), \
    FLAG("sets", 0, doubt.sets, OPTION_MATTERS, \
     "for every word, and every chunk, a set that holds the right choice as often as 'vouch tune --coverage' saw to"), \
    REAL("threshold", 0, doubt.threshold, "T", -1, 1, OPTION_MATTERS, \
     "flag answers whose confidence is below T, or see --replace; -1 is no threshold"), \
    TEXT("replace", 0, doubt.replace, "LABEL", OPTION_MATTERS, \
     "with --threshold: write LABEL instead of labels whose confidence is below it")
#define OPTION_ON_ERROR \
    CHOICE("on-error", 0, reading.on_error, "WHAT", "stop or report", OPTION_MATTERS, \
     "what to do about a bad line of JSON lines: stop, or report it in its place and go on")

#define AS_TEXT(number) #number
#define LABELS_AND_TREES(labels, trees) "0: " AS_TEXT(labels) " for labels, " AS_TEXT(trees) " for trees"

/* With another letter for --passes, or 0, where -n means something else. */
#define OPTIONS_LEARNER_WITH(letter_of_passes) \
    TEXT("algorithm", 'a', learner.algorithm, "NAME", OPTION_MATTERS, \
     "cw, pa, perceptron or crf; several as cw+crf (eval: cw,pa)"), \
    INTEGER("passes", letter_of_passes, learner.passes, "N", 1, 10000, OPTION_MATTERS, \
     "passes over the training data"), \
    TEXT("features", 0, learner.features, "SET", OPTION_MATTERS, \
     "built-in features: np, chunk, ner, pos, or attributes for ready-made ones; the task's own if not given"), \
    TEXT("template", 0, learner.template, "FILE", OPTION_READ, "features from a CRF++ template file"), \
    TEXT("lexicon", 0, learner.lexicons, "NAME=FILE", OPTION_READ | OPTION_REPEATS, \
     "classes of words, such as clusters or types of names, as features; a template sees them by the view NAME"), \
    INTEGER("use", 0, learner.use, "N", 0, 65536, OPTION_MATTERS, \
     "built-in features see the first N columns alone; with 1, the words, the model labels plain words; 0 is all"), \
    INTEGER("cutoff", 0, learner.cutoff, "N", 1, 1000000, OPTION_MATTERS, \
     "leave out features seen fewer than N times"), \
    CHOICE("learn-as", 0, learner.learn_as, "SCHEME", "iob2, bioes or keep", OPTION_MATTERS, \
     "scheme to learn in: iob2 (which leaves BIOES as it is), bioes, or keep; answers are in the corpus's own"), \
    FLAG("no-constraints", 0, learner.no_constraints, OPTION_MATTERS, \
     "answer with labels in any order; else, where labels spell chunks, as their scheme has it: no I-X after O"), \
    INTEGER("k-best", 'k', learner.k_best, "K", 0, 1000, OPTION_MATTERS, \
     "learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1"), \
    REAL("C", 'C', learner.C, "X", 1e-9, 1e9, OPTION_MATTERS, "pa: the largest step"), \
    REAL("phi", 0, learner.phi, "X", 0, 1e9, OPTION_MATTERS, \
     "cw: how sure the margin must be; " LABELS_AND_TREES(PHI_OF_LABELS, PHI_OF_TREES)), \
    CHOICE("covariance", 0, learner.covariance, "KIND", "full, inverse or exact", OPTION_MATTERS, \
     "cw: how variances follow: full, inverse or exact"), \
    REAL("variance", 0, learner.variance, "X", 1e-9, 1e9, OPTION_MATTERS, "cw: initial variance"), \
    REAL("rate", 0, learner.rate, "X", 0, 1e9, OPTION_MATTERS, \
     "crf: first step; " LABELS_AND_TREES(RATE_OF_LABELS, RATE_OF_TREES)), \
    REAL("l2", 0, learner.l2, "X", 0, 1e9, OPTION_MATTERS, "crf: strength of the Gaussian prior"), \
    INTEGER("vector-window", 0, learner.vector_window, "N", 0, MAX_VECTOR_WINDOW, OPTION_MATTERS, \
     "with --vectors: those of N words on either side are features of a word, too"), \
    REAL("vector-length", 0, learner.vector_length, "X", 1e-6, 1e6, OPTION_MATTERS, \
     "with --vectors: scale them to this length, in the mean square over the words learned from"), \
    FLAG("unlabelled", 0, learner.unlabelled, OPTION_MATTERS, \
     "dep: learn heads only, no relations"), \
    INTEGER("bits", 0, learner.bits, "N", 10, 28, OPTION_MATTERS, \
     "dep: hash the features of arcs into 2^N weights")

#define OPTIONS_LEARNER OPTIONS_LEARNER_WITH('n')

#define OPTION_MULTI_ROOT \
    CHOICE("multi-root", 0, learner.multi_root, "WHAT", "skip, keep or attach", OPTION_MATTERS, \
     "dep: skip training sentences with several roots, keep them, or attach the others to the first root")

#define OPTIONS_LEARNING \
    OPTIONS_LEARNER, \
    OPTION_MULTI_ROOT, \
    FLAG("tune", 0, learner.tune, OPTION_MATTERS, \
     "first choose C, phi or rate on a held-out quarter of the data")
/* clang-format on */

/* The columns of a file of --answers. */
#define OPTION_COLUMNS                                                                                                 \
    TEXT(                                                                                                              \
        "columns", 0, columns, "NAMES", OPTION_MATTERS,                                                                \
        "with --answers: GOLD,GUESS,CONFIDENCE[,SENTENCE[,WORD]] as headings, keys, or numbers from 1; if not given: " \
        "gold,guess,confidence,sentence,word, or the last three columns")
enum row_sentences { ROWS_APART, ROWS_TOGETHER };
#define OPTION_ROWS                                                                                                    \
    CHOICE("rows", 0, rows, "WHAT", "apart or together", OPTION_MATTERS,                                               \
           "with --answers: what rows without a blank line, sentence or array among them are: apart, a sentence "      \
           "each, or "                                                                                                 \
           "together, one sentence")
#define OPTION_LOG FLAG("log", 0, log, OPTION_MATTERS, "with --answers: the numbers are log-probabilities")

#endif
