/*
 * Makes examples of files: reads and encodes a treebank for parsing.
 */
#ifndef VOUCH_TRAIN_TREE_CORPUS_H
#define VOUCH_TRAIN_TREE_CORPUS_H

#include "options/rows.h"
#include "task/arc_set.h"
#include "train/dataset.h"
#include "train/tag_corpus.h"

struct tree_plan {
    const struct vouch_model *from; /* go on from it: relations, bits and layers are its own; NULL: start anew */
    bool unlabelled;                /* heads only */
    enum multi_root multi_root;
    uint32_t arc_bits, relation_bits;
    struct own_sentences own; /* which of the sentences to learn from this process holds */
    struct reader_options reading;
};

struct tree_corpus {
    const struct vouch_model *model; /* whose relations are borrowed; NULL: they are its own */
    struct tag_labels relations;     /* scheme none */
    struct arc_set set, dev;
    uint32_t dev_seen; /* sentences of dev that are among those to learn from */
    bool unlabelled;
    uint32_t multi_root; /* sentences with several roots, skipped or not */
    enum format format;
    uint64_t digest, dev_digest; /* of every line read to learn from, and to measure on */
    struct digest_set seen;      /* the sentences to learn from */
};

/* Reads and encodes the files. Relations of a model to go on from keep their numbers. Release in any case. */
bool tree_corpus_read(struct tree_corpus *corpus, const struct tree_plan *plan, char *const *path, size_t paths,
                      const struct vouch_watch *watch, struct vouch_error *err);
bool tree_corpus_read_dev(struct tree_corpus *corpus, const struct tree_plan *plan, const char *path,
                          struct vouch_error *err);
/* Makes, instead of tree_corpus_read(), a corpus for dev files as `model`, which must outlive it, sees them. */
void tree_corpus_borrow(struct tree_corpus *corpus, const struct vouch_model *model);

void tree_corpus_release(struct tree_corpus *corpus);

/* Returns the corpus as learning sees it: arcs, and unless unlabelled their relations. A view. */
struct dataset tree_dataset(const struct tree_corpus *corpus);

#endif
