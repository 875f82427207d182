/*
 * Reads and encodes a corpus of either kind, for labels or for trees: code that learns from it, or lets a model answer
 * it, sees one dataset and one set of labels, and does not depend on the kind.
 */
#ifndef VOUCH_TRAIN_LEARNED_CORPUS_H
#define VOUCH_TRAIN_LEARNED_CORPUS_H

#include "train/learning.h"

#include <jansson.h>

/* Zero it before first use. What the pointers point to is the corpus's own, so it must not be moved. */
struct learned_corpus {
    struct tag_corpus tags; /* one of these two is read */
    struct tree_corpus trees;

    struct dataset dataset;              /* as learning sees it */
    const struct tag_labels *labels;     /* of words, or of arcs */
    const struct vocabulary *vocabulary; /* NULL: features of arcs are hashed */
    const char *template;                /* NULL likewise */
    const struct digest_set *seen;       /* the sentences to learn from */
    uint64_t digest, dev_digest;         /* of every line read to learn from, and to measure on */
    uint32_t dev_seen;                   /* sentences of dev that are among those to learn from */
};

/* Labelled files to learn from, and one to measure on or NULL. */
struct labelled_files {
    char *const *path;
    size_t paths;
    const char *dev;
};

/* Reads the files as the options say. Release in any case. */
bool learned_corpus_read(struct learned_corpus *corpus, const struct learning *learning,
                         const struct labelled_files *files, const struct vouch_watch *watch, struct vouch_error *err);

/*
 * Does the same for labelled files as `model`, which must outlive the corpus, sees them: all go to the dataset's dev.
 * Settles `reading`, and tells what was read.
 */
bool learned_corpus_borrow(struct learned_corpus *corpus, const struct vouch_model *model,
                           struct reader_options *reading, const struct labelled_files *files,
                           const struct vouch_watch *watch, struct vouch_error *err);
void learned_corpus_release(struct learned_corpus *corpus);

/* Sends the first rank those of some sentences to learn from that other ranks have; all ranks have the same list. */
bool learned_corpus_send(struct learned_corpus *corpus, const uint32_t *sentence, uint32_t count,
                         struct vouch_error *err);

/* Tells the watch what was read to learn from, and warns of likely mistakes. */
void learned_corpus_tell(const struct learned_corpus *corpus, const struct learning *learning,
                         const struct vouch_watch *watch);

/* Tells the watch what is new to the model that is called `name`, and how many labels are. */
void learned_corpus_tell_new(const struct learned_corpus *corpus, const struct vouch_model *model, const char *name,
                             const struct vouch_watch *watch);
uint32_t learned_corpus_new_labels(const struct learned_corpus *corpus, const struct vouch_model *model);

/* Adds to a model's header where the labels were, and what the columns held. False: there was no memory. */
bool learned_corpus_describe(const struct learned_corpus *corpus, const struct learning *learning, json_t *header);

#endif
