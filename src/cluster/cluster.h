/*
 * vouch cluster: classes of words, as a lexicon for vouch train --lexicon (task/lexicon.h).
 *
 *     kmeans.c     from vectors of words, in tables of word2vec, GloVe or fastText: words whose vectors are near each
 *                  other are in one class
 *     exchange_classes.c  from text: words with the same neighbours are in one class
 *
 * A lexicon has a column for each of --sizes, since coarse classes have been seen with every label and fine ones tell
 * more. Classes are numbered by their first words, in the order of the words: the same words in the same classes give
 * the same file. The same seed gives the same file on any number of threads.
 *
 * Words with digits share classes when digits are folded: a word such as 0000, which stands for all that look like it,
 * is added with the classes of the commonest of them, unless the table or the text has it.
 */
#ifndef VOUCH_CLUSTER_CLUSTER_H
#define VOUCH_CLUSTER_CLUSTER_H

#include "base/output.h"
#include "options/rows.h"
#include "task/lexicon.h"

enum { MOST_CLASSES = 4096 };

struct cluster_options {
    struct options common; /* the arguments are files of text */
    struct reading_values reading;
    const char *output, *vectors, *sizes, *source, *licence;
    uint32_t words, rounds;
};
extern const struct option_table cluster_options;

/* Finds the classes, and writes the lexicon. */
bool clusters_write(const struct cluster_options *options, struct output *out, struct vouch_error *err);

/* A step of the work, which may be stopped: tells `step` of `steps`; false, with the error set, to stop. */
struct cluster_progress {
    const struct vouch_watch *watch;
    uint32_t step, steps;
};
bool cluster_step(struct cluster_progress *progress, struct vouch_error *err);

/* ---- kmeans.c ---- */

/* Words and their vectors, the commonest first. Zero it before first use. */
struct word_points {
    struct dictionary words;
    float *vector; /* [words][D], each of length 1 unless it is zero */
    uint32_t D;
    size_t vector_capacity;
};

/* Reads a table of vectors; of a word that is there twice, the first. Release in any case. */
bool word_points_read(struct word_points *points, const char *path, struct vouch_error *err);
void word_points_release(struct word_points *points);

/*
 * Puts every word into one of K classes: class [words]. The first `fitted` words decide what the classes are. Time for
 * each round: fitted words * K * D, shared by the threads.
 */
struct kmeans_plan {
    uint32_t K, fitted, rounds;
    const struct work *work;
};
bool kmeans(const struct word_points *points, const struct kmeans_plan *plan, struct cluster_progress *progress,
            uint32_t *class, struct vouch_error *err);

/* ---- exchange_classes.c ---- */

/* The words of a text and their neighbours. Zero it before first use. */
struct neighbours {
    struct dictionary words; /* the commonest first; then come what is no word: the rest of the words, and the ends */
    uint64_t *times;         /* [words + 3] how often each occurs */
    struct neighbour {
        uint32_t word, times;
    } *next, *before;                  /* pairs of neighbours, by the first word, and by the second */
    size_t *next_start, *before_start; /* [words + 4] */
};

/* Counts the words of files, of which the commonest `most` stay. Release in any case. */
bool neighbours_read(struct neighbours *neighbours, const struct cluster_options *options, struct vouch_error *err);
void neighbours_release(struct neighbours *neighbours);

/*
 * Puts every word into one of K classes: class [words + 1], from number 1 on. Time for each round: words * K * distinct
 * neighbours of a word, in one thread.
 */
struct exchange_plan {
    uint32_t K, rounds;
    struct cluster_progress *progress; /* NULL: it is not told */
};
bool exchange(const struct neighbours *neighbours, const struct exchange_plan *plan, uint32_t *class,
              struct vouch_error *err);

#endif
