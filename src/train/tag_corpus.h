/*
 * Makes examples of files: reads and encodes a corpus for labelling.
 */
#ifndef VOUCH_TRAIN_TAG_CORPUS_H
#define VOUCH_TRAIN_TAG_CORPUS_H

#include "text/reader.h"
#include "measure/tag_score.h"
#include "model/model.h"
#include "answer/column_values.h"
#include "task/tag_set.h"
#include "task/task.h"
#include "train/dataset.h"

/* What to learn, and how to read it. */
struct tag_plan {
    const struct vouch_model *from; /* go on from it: task, template and labels are its own; NULL: start anew */
    const struct task *task;
    const char *template;      /* template text */
    const char *template_name; /* for messages */
    bool template_strict;      /* every column must be there; else lines without theirs are dropped */
    bool template_chosen;      /* chosen by the user: CRFsuite lines, which need none, are then an error */
    uint32_t cutoff;           /* features seen less often are left out */
    uint32_t vector_window;    /* neighbours whose vectors are features of a word, too */
    double vector_length;      /* the root of the mean square length that vectors are scaled to */
    enum scheme inner;         /* scheme to learn in; SCHEME_NONE: as the corpus has it */
    struct own_sentences own;  /* which of the sentences to learn from this process holds */
    struct reader_options reading;
};

struct tag_corpus {
    const struct task *task;
    const struct vouch_model *model; /* whose templates, vocabulary and labels are borrowed; NULL: they are its own */
    char *template;                  /* the lines in use */
    struct templates templates;
    struct vocabulary vocabulary;
    struct tag_labels labels;
    struct span_rules rules; /* of the labels learned, if they spell chunks */
    struct tag_set set;
    struct tag_set dev; /* sentences to measure on, if any */
    uint32_t dev_seen;  /* of them, those that are among the sentences to learn from */
    enum format format;
    uint32_t columns;            /* of its files */
    uint64_t digest;             /* of every line read to learn from, */
    uint64_t dev_digest;         /* and of those to measure on */
    struct digest_set seen;      /* the sentences to learn from */
    struct column_survey survey; /* what their columns hold */
};

/* Folds the lines of a sentence into a running digest. */
uint64_t sentence_digest(uint64_t digest, const struct sentence *sentence);

/*
 * Reads and encodes the files, growing the vocabulary. It starts empty, or, going on from a model, as a copy of that
 * model's: its strings, features and labels keep their numbers, and what is new comes behind. The watch, which may be
 * NULL, is told now and then how many sentences were read. Release in any case.
 */
bool tag_corpus_read(struct tag_corpus *corpus, const struct tag_plan *plan, char *const *path, size_t paths,
                     const struct vouch_watch *watch, struct vouch_error *err);

/* Reads a file to measure on, with the same features: unknown ones are left out. */
bool tag_corpus_read_dev(struct tag_corpus *corpus, const struct tag_plan *plan, const char *path,
                         struct vouch_error *err);

/*
 * Makes, instead of tag_corpus_read(), a corpus for the files that tag_corpus_read_dev() will read, one after the
 * other, as `model` sees them. The model must outlive it; of the plan only how to read is looked at.
 */
bool tag_corpus_borrow(struct tag_corpus *corpus, const struct vouch_model *model, struct vouch_error *err);

void tag_corpus_release(struct tag_corpus *corpus);

/* Returns the corpus as learning sees it: a view that must not outlive the corpus. */
struct dataset tag_dataset(const struct tag_corpus *corpus);

/* Returns the unit in which a corpus of that scheme is scored. */
static inline enum tag_unit tag_unit_of(enum scheme scheme)
{
    return scheme == SCHEME_NONE ? TAG_LABELS : TAG_CHUNKS;
}

#endif
