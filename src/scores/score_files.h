/*
 * Another program's scores in files: what a model without weights reads in place of features.
 *
 * The scores of a sentence are found by its place in the file of words (struct sentence_place), so that sentences may
 * be asked for in any order and by several threads. Y labels, K sets; S sentences of N words, T words in all, L the
 * longest; a dimension of K in front of all others if there are several sets:
 *
 *                 labels      arcs
 *     packed      [T, Y]      [P]          one after the other; P is the sum of n*n, the numbers of all sentences
 *     padded      [S, L, Y]   [S, L, L]    a sentence as long as the longest
 *     by name     [N, Y]      [n, n]       an array for each sentence: .npz, safetensors, or the key "scores" of a
 *                                          line of JSON lines
 *
 * A file of several arrays, one of which is called "scores" (or "logits", "emissions", "arcs"), holds that one; its
 * "lengths", "offsets" and "transitions" are used if they are there. Lengths need not be given if the words are.
 *
 * An arc's numbers are read as [head][modifier] or [modifier][head]. The root is node 0 (n = N + 1), or its arcs are on
 * the diagonal (n = N). A block of N + 1 heads and N words has no row for the heads of the root; its shape then tells
 * the order. Orders are checked: by the shape; by a root that no word could have; by log-probabilities that add up to
 * 1 in the other direction.
 */
#ifndef VOUCH_SCORES_SCORE_FILES_H
#define VOUCH_SCORES_SCORE_FILES_H

#include "arrays/array_file.h"
#include "arrays/number_lines.h"
#include "base/buffer.h"
#include "core/parts.h"
#include "core/sentence.h"
#include "model/model.h"
#include "options/rows.h"

/* ---- Scores are checked, and laid out as the decoders read them: all after it works as with a model's own ---- */

/* The shape that scores must have. It never changes once made, and threads share it. */
struct score_rules {
    uint32_t sets;                         /* K */
    const struct tag_labels *labels;       /* of chains; NULL: trees */
    const struct transitions *transitions; /* the model's, if its constraints hold; else NULL */
};

/* Returns the rules of a model of scores, which must outlive them. */
struct score_rules score_rules_of(const struct vouch_model *model);

/* Take one sentence in; `to` was made for as many sets. Every fault is an argument error that tells its place. */
bool score_input_chain(struct score_sets *to, const struct vouch_chain_scores *from, const struct score_rules *rules,
                       struct vouch_error *err);
bool score_input_tree(struct score_sets *to, const struct vouch_tree_scores *from, const struct score_rules *rules,
                      struct vouch_error *err);

/* ---- Files of them ---- */

/* The meaning of the numbers, and the order in which they are in the file. */
struct score_layout {
    bool trees;          /* arcs, else labels */
    uint32_t labels;     /* Y; 0 of arcs */
    bool modifier_first; /* of arcs: [modifier][head] */
    bool diagonal;       /* of arcs: the root's are on the diagonal */
    bool padded;         /* of labels: [S, L, Y] */
    const json_t *edge;  /* transitions that a model keeps, see score_files_edges(); NULL: it keeps none */
};

/*
 * All that differs between labels and arcs in files. A packed array is counted in units: a word with its Y scores, or
 * one number of the square of a sentence.
 */
struct score_kind {
    bool square;              /* the numbers of a sentence are [n, n], without transitions; else [N, Y] */
    uint32_t packed_rank;     /* dimensions of a packed array of one set */
    uint32_t packed_most;     /* dimensions beyond which an array is padded, told or not */
    const char *units;        /* what they are called */
    const char *line[2];      /* the shape of a line of one set, and of several */
    const char *sentence;     /* the shapes of an array of one sentence, */
    const char *all, *padded; /* of an array of all, and of one that is padded, as was told */
    const char *many_sets;    /* a question where there are too many sets */
    const char *cells;        /* what a nameless word has behind its number */
};

struct score_files {
    struct score_layout layout; /* without its `edge` */
    const struct score_kind *kind;
    uint64_t root; /* rows that the root takes: 1, or 0 */
    char *name;    /* of the scores, for messages */
    struct array_file *file, *offsets_file, *edge_file;
    struct number_lines *lines; /* JSON lines; else NULL */
    const struct array *array;  /* packed or padded; else NULL */
    const struct array **each;  /* [sentences] by name; else NULL */
    bool padded;
    uint32_t sets;
    uint64_t *start;                  /* [sentences + 1] words before each sentence; NULL: lengths are not given */
    uint64_t sentences;               /* S, of a packed array 0 unless lengths are given */
    float *edge;                      /* [K][Y][Y] transitions of all words; NULL: none, or some for each word */
    const struct array *edge_of_word; /* [T][Y][Y], or of K sets; NULL: none */
    bool edge_of_line;                /* lines have transitions of their own */
    bool edge_expected;               /* lines must have some: those that the model was made for had */
    struct score_rules rules;         /* of the model that the files suit */
};

/* Opens the files of --scores, --offsets and --transitions. */
struct score_files *score_files_open(const struct score_layout *layout, const struct score_values *paths,
                                     struct vouch_error *err);
void score_files_free(struct score_files *files); /* NULL is allowed */

/*
 * Returns what a model keeps of the transitions, as JSON to json_decref(): [Y][Y] for all sets, or [K][Y][Y]; the
 * string "words" if they come with the scores of each word or sentence, and cannot be kept. NULL: there are none.
 */
json_t *score_files_edges(const struct score_files *files);

/* Checks that the files are for a model without weights, and makes the rules that their scores must keep to. */
bool score_files_suit(struct score_files *files, const struct vouch_model *model, struct vouch_error *err);

/*
 * Opens the files of --scores for a model without weights; *files becomes NULL for any other. Fails if a model without
 * weights has no --scores, and if there is --scores for any other.
 */
bool score_files_open_for(const struct vouch_model *model, const struct score_values *paths, struct score_files **files,
                          struct vouch_error *err);

/* Finds the order of arcs that a model without weights keeps. */
struct score_layout score_layout_of(const struct vouch_model *model);

/* One thread's working memory. Zero it before first use. */
struct score_work {
    struct number_block block, edges;
    struct arena arena; /* of the arrays that were read last */
};
void score_work_release(struct score_work *work);

/* Read the scores of N words at that place; they are valid until the next call with the same memory. */
bool score_files_chain(const struct score_files *files, const struct sentence_place *at, uint32_t N,
                       struct score_work *work, struct vouch_chain_scores *scores, struct vouch_error *err);
bool score_files_tree(const struct score_files *files, const struct sentence_place *at, uint32_t N,
                      struct score_work *work, struct vouch_tree_scores *scores, struct vouch_error *err);

/* Reads the scores of a sentence, for the model that the files suit. */
bool score_files_take(const struct score_files *files, const struct sentence *sentence, struct score_work *work,
                      struct score_sets *to, struct vouch_error *err);

/* Does the same, and appends the scores to a list; nothing if there are no files. */
bool score_files_append(const struct score_files *files, const struct sentence *sentence, struct score_work *work,
                        struct score_list *list, struct vouch_error *err);

/* Fails unless the files end at this place, behind the last sentence. */
bool score_files_end(const struct score_files *files, const struct sentence_place *at, struct vouch_error *err);

/* Finds how many sentences there are; fails if the files do not tell. */
bool score_files_count(const struct score_files *files, uint64_t *count, struct vouch_error *err);

/* Returns how many units the sentences in front of a place take. */
uint64_t score_files_units(const struct score_files *files, const struct sentence_place *at);

/* Returns how many words a block of numbers is large enough for. */
uint64_t score_files_fit(const struct score_files *files, uint64_t rows, uint64_t columns);

/* Finds how many words the sentence at that place has. */
bool score_files_length(const struct score_files *files, const struct sentence_place *at, struct score_work *work,
                        uint32_t *length, struct vouch_error *err);

/*
 * Appends sentences of nameless words, as many as the files have scores for: columns with the number of each word, or
 * CoNLL-U for trees. Fails if the files do not tell how long sentences are.
 */
bool score_files_words(const struct score_files *files, struct buffer *text, struct vouch_error *err);

#endif
