/*
 * A corpus is labelled files, read and encoded: for labels or for trees, to learn from them or to let a model answer
 * them. What differs between labels and trees stays behind this header; learning and review see one dataset and one set
 * of labels.
 *
 * With ranks (`own`), a process holds the sentences of its shards alone (core/examples.h). It passes over the
 * lines of the others' sentences without encoding them, in a tenth of the time, and so knows sizes, digests and raw
 * labels of the whole without asking. Strings, features and labels are numbered as one process would number them
 * (task/common_numbering.h), so that models are the same, byte for byte, and nothing after reading knows of ranks.
 *
 * A dataset is what a corpus shows to learning, whatever the task (judge/judge_gold.c makes one of another program's
 * answers): sentences to learn from and to measure on, in one or two layers, each a set of examples with a space of
 * weights of its own: labels; or arcs, and then the relations of chosen arcs.
 */
#ifndef VOUCH_TRAIN_CORPUS_H
#define VOUCH_TRAIN_CORPUS_H

#include "answer/measured_text.h"
#include "answer/model_input.h"
#include "confidence/noise.h"
#include "core/examples.h"
#include "core/answer_counts.h"
#include "core/scheme.h"
#include "model/model.h"
#include "options/rows.h"
#include "task/arc_set.h"
#include "task/tag_set.h"
#include "task/task.h"
#include "text/reader.h"

#include <jansson.h>

enum { MAX_LAYERS = 2 };

/* The scores of a layer's weights on some sentences, in percent. */
struct layer_score {
    double figure; /* by which models are compared */
    double precision, recall, f1, accuracy;
    bool chunks; /* precision, recall and F1 are defined */
};

/* The sentences of a dataset that a layer is measured on. */
struct test_set {
    uint32_t layer;
    bool dev;             /* all of the development sentences; the subset is ignored */
    struct subset subset; /* of those to learn from */
};

/* An answer to one example of a layer. */
struct example_answer {
    uint32_t layer;
    bool dev; /* whether the example is one of those read to measure on */
    uint32_t number;
    const uint32_t *choice; /* [N] */
};

struct dataset {
    bool trees; /* the first layer's choices are heads; else labels */
    uint32_t layers;
    struct {
        const char *name;
        struct examples examples; /* to learn from */
        struct examples dev;      /* read beside them to measure on; may be empty */
    } layer[MAX_LAYERS];
    const void *self;
    uint64_t words;                 /* of all sentences to learn from, on whatever rank they are */
    uint64_t decided;               /* those of them that are labelled: all, or some of a partly labelled corpus */
    const struct span_rules *rules; /* chunks of the first layer's answers; NULL: it has none */

    /* Answers the sentences of a test set with `weights`, and counts; ranks share them. */
    bool (*measure)(const void *self, const struct test_set *test, const float *weights, struct layer_score *score,
                    struct vouch_error *err);

    /* Finds which words of an answer are right, in the corpus's own spelling; open ones are not. */
    bool (*compare)(const void *self, const struct example_answer *answer, bool *right /* [N] */,
                    struct vouch_error *err);

    /*
     * Returns how many words come before those of example i; for i = count, the words of all examples. Only the
     * examples that are here count.
     */
    size_t (*words_before)(const void *self, bool dev, uint32_t i);

    /* Returns how many words example i has, which must be here. */
    uint32_t (*words_of)(const void *self, bool dev, uint32_t i);

    /*
     * Makes the examples of the second layer when heads are `head` (of all words, one sentence after the other) instead
     * of gold; NULL unless there are trees. A view; free *owned after it.
     */
    bool (*relations_for_heads)(const void *self, bool dev, const uint32_t *head, struct examples *examples,
                                void **owned, struct vouch_error *err);

    /* Returns what the features are (task/tag_features.h), to free(); NULL: their numbers are for good. */
    uint32_t *(*feature_names)(const void *self, uint32_t *count, struct vouch_error *err);
};

/* Returns the examples of a layer: to learn from, or those to measure on. */
static inline const struct examples *dataset_examples(const struct dataset *dataset, uint32_t layer, bool dev)
{
    return dev ? &dataset->layer[layer].dev : &dataset->layer[layer].examples;
}

/* Returns the words of all examples that are here. */
static inline size_t dataset_words(const struct dataset *dataset, bool dev)
{
    return dataset->words_before(dataset->self, dev, dataset_examples(dataset, 0, dev)->count);
}

/* Makes the noise of models drawn around what learns from a dataset, as it will be around the saved model. */
struct noise *dataset_noise(const struct dataset *dataset, uint64_t seed, struct vouch_error *err);

/*
 * Adds what words are called by the gold answers of `count` sentences of a layer, those of `subset` (NULL: the first
 * ones).
 */
bool count_words(const struct dataset *dataset, uint32_t layer, const uint32_t *subset, uint32_t count,
                 struct answer_counts *counts, struct vouch_error *err);

/* Does so with all examples. If ranks have them, the first one gets the counts of all; the others get nothing. */
bool count_all_words(const struct dataset *dataset, uint32_t layer, struct answer_counts *counts,
                     struct vouch_error *err);

/* Returns a layer's scores: precision, recall and F1 where there are chunks, and accuracy. */
json_t *layer_score_json(const struct layer_score *score);

/* How to read a corpus; with reading.trees as a treebank. */
struct corpus_plan {
    const struct vouch_model *from; /* go on from it: task, features and labels are its own; NULL: start anew */
    struct own_sentences own;       /* which of the sentences to learn from this process holds */
    struct reader_options reading;

    /* Of labels. */
    const struct task *task;
    const char *template;            /* template text */
    const char *template_name;       /* for messages */
    const struct lexicons *lexicons; /* that it may name; NULL: there are none */
    bool template_strict;            /* every column must be there; else lines without theirs are dropped */
    uint32_t columns_used;           /* by a built-in template: the first of them; 0: all */
    bool template_chosen;            /* chosen by the user: CRFsuite lines, which need none, are then an error */
    uint32_t cutoff;                 /* features seen less often are left out */
    uint32_t vector_window;          /* neighbours whose vectors are features of a word, too */
    double vector_length;            /* the root of the mean square length that vectors are scaled to */
    enum scheme inner;               /* scheme to learn in; SCHEME_NONE: as the corpus has it */
    bool constrained;                /* answers have transitions of that scheme alone; with `from`, if its answers do */

    /* Of trees. */
    bool unlabelled; /* heads only */
    enum multi_root multi_root;
    uint32_t arc_bits, relation_bits, second_bits;
};

struct score_files;
struct held_out;

/* Zero it before first use. It must not be moved: the dataset points into it. */
struct corpus {
    struct dataset dataset;           /* as learning sees it */
    const struct vouch_model *model;  /* whose templates, vocabulary and labels are borrowed; NULL: they are its own */
    const struct score_files *scores; /* of the words, for a model without weights; NULL: it has weights */
    struct tag_labels labels;         /* of words, or of arcs */
    enum format format;
    uint32_t undecided;          /* sentences in which no word is labelled: passed over */
    uint64_t digest, dev_digest; /* of every line read to learn from, and to measure on */
    struct digest_set seen;      /* the sentences to learn from, eight bytes each: a model remembers them */
    struct digest_set dev_words; /* the sentences to measure on, */
    uint32_t dev_seen;           /* and how many were learned from */
    struct file_overlap overlap; /* of the files to learn from, or of those that a model is to answer */

    /* Of labels. */
    struct tag_set tags, dev_tags;
    const struct task *task;
    char *template; /* the lines in use; NULL: features of arcs are hashed, or the model's template is used */
    struct templates templates;
    const struct lexicons *lexicons; /* of the templates; NULL: there are none */
    struct vocabulary vocabulary;
    struct span_rules rules;         /* of the labels learned, if they spell chunks */
    struct transitions transitions;  /* that answers may have */
    struct document_count documents; /* that were read */
    struct label_context context;    /* features of a first stage's answers; a model's are borrowed */
    uint32_t columns;                /* of its files */
    struct column_survey survey;     /* what their columns hold */

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

/* Returns the first stage of a treebank as learning sees it: its arcs alone, before corpus_stack(). */
struct dataset corpus_first_stage(const struct corpus *corpus);

/*
 * Has every sentence answered by a first stage, and shows the dataset the arcs of the second: those to learn from by
 * the models of `held` (train/cross_fitting.h), those to measure on by `first`, the layer that has learned from all.
 */
bool corpus_stack(struct corpus *corpus, const struct held_out *held, const struct model_layer *first, uint32_t threads,
                  struct vouch_error *err);

/* Shows the dataset the sets as they are now. Part of reading and sending. */
void corpus_show(struct corpus *corpus);

#endif
