/*
 * A corpus is labelled files, read and encoded: for labels or for trees, to learn from them or to let a model answer
 * them. What differs between labels and trees stays behind this header; learning and review see one dataset and one set
 * of labels.
 *
 * With ranks (`own`), a process holds the sentences of its shards alone (core/examples.h). It passes over the
 * lines of the others' sentences without encoding them, in a tenth of the time, and so knows sizes, digests and raw
 * labels of the whole without asking. Strings, features and labels are numbered as one process would number them
 * (task/common_numbering.h), so that models are the same, byte for byte, and nothing after reading knows of ranks.
 */
#ifndef VOUCH_TRAIN_CORPUS_H
#define VOUCH_TRAIN_CORPUS_H

#include "answer/model_input.h"
#include "model/model.h"
#include "options/rows.h"
#include "task/arc_set.h"
#include "task/tag_set.h"
#include "task/task.h"
#include "text/reader.h"
#include "train/dataset.h"

/* How to read a corpus; with reading.trees as a treebank. */
struct corpus_plan {
    const struct vouch_model *from; /* go on from it: task, features and labels are its own; NULL: start anew */
    struct own_sentences own;       /* which of the sentences to learn from this process holds */
    struct reader_options reading;

    /* Of labels. */
    const struct task *task;
    const char *template;      /* template text */
    const char *template_name; /* for messages */
    bool template_strict;      /* every column must be there; else lines without theirs are dropped */
    bool template_chosen;      /* chosen by the user: CRFsuite lines, which need none, are then an error */
    uint32_t cutoff;           /* features seen less often are left out */
    uint32_t vector_window;    /* neighbours whose vectors are features of a word, too */
    double vector_length;      /* the root of the mean square length that vectors are scaled to */
    enum scheme inner;         /* scheme to learn in; SCHEME_NONE: as the corpus has it */

    /* Of trees. */
    bool unlabelled; /* heads only */
    enum multi_root multi_root;
    uint32_t arc_bits, relation_bits;
};

struct score_files;

/* Zero it before first use. It must not be moved: the dataset points into it. */
struct corpus {
    struct dataset dataset;           /* as learning sees it */
    const struct vouch_model *model;  /* whose templates, vocabulary and labels are borrowed; NULL: they are its own */
    const struct score_files *scores; /* of the words, for a model without weights; NULL: it has weights */
    struct tag_labels labels;         /* of words, or of arcs */
    enum format format;
    uint64_t digest, dev_digest; /* of every line read to learn from, and to measure on */
    struct digest_set seen;      /* the sentences to learn from, eight bytes each: a model remembers them */
    uint32_t dev_seen;           /* sentences to measure on that are among them */

    /* Of labels. */
    struct tag_set tags, dev_tags;
    const struct task *task;
    char *template; /* the lines in use; NULL: features of arcs are hashed, or the model's template is used */
    struct templates templates;
    struct vocabulary vocabulary;
    struct span_rules rules;     /* of the labels learned, if they spell chunks */
    uint32_t columns;            /* of its files */
    struct column_survey survey; /* what their columns hold */

    /* Of trees. */
    struct arc_set arcs, dev_arcs;
    bool unlabelled;
    uint32_t multi_root; /* sentences with several roots, skipped or not */
};

/*
 * Reads and encodes files to learn from. Vocabulary and labels start empty, or, going on from a model, as copies of the
 * model's: what it knows keeps its number, and what is new comes behind. The watch, which may be NULL, is told now and
 * then how many sentences were read. Release in any case.
 */
bool corpus_read(struct corpus *corpus, const struct corpus_plan *plan, char *const *path, size_t paths,
                 const struct vouch_watch *watch, struct vouch_error *err);

/* Reads a file to measure on, with the same features: unknown ones are left out. */
bool corpus_read_dev(struct corpus *corpus, const struct corpus_plan *plan, const char *path, struct vouch_error *err);

/*
 * Makes, instead of corpus_read(), a corpus for the files that corpus_read_dev() will read, one after the other, as
 * `model` sees them. The model must outlive it; of the plan only how to read is looked at.
 */
bool corpus_borrow(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err);

/* Does so, settles `reading`, reads the files and tells what was read. */
bool corpus_read_for(struct corpus *corpus, const struct vouch_model *model, const struct score_files *scores,
                     struct reader_options *reading, char *const *path, size_t paths, const struct vouch_watch *watch,
                     struct vouch_error *err);
void corpus_release(struct corpus *corpus);

/* Sends the first rank those of some sentences to learn from that other ranks have; all ranks have the same list. */
bool corpus_send(struct corpus *corpus, const uint32_t *sentence, uint32_t count, struct vouch_error *err);

/* Returns the names of gold labels as the files spell them, or of relations; empty if heads have none. */
const struct dictionary *corpus_names(const struct corpus *corpus, bool dev);

/* Tells the watch what was read to learn from, and warns of likely mistakes. */
void corpus_tell(const struct corpus *corpus, const struct corpus_plan *plan, const struct vouch_watch *watch);

/* Returns how many labels are new to the model that learning goes on from. */
uint32_t corpus_new_labels(const struct corpus *corpus, const struct vouch_model *model);

/* Adds to a model's header where the labels were, and what the columns held. False: there was no memory. */
bool corpus_describe(const struct corpus *corpus, const struct reader_options *reading, json_t *header);

/* Shows the dataset the sets as they are now. Part of reading and sending. */
void corpus_show(struct corpus *corpus);

#endif
