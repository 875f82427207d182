/*
 * Chooses the sentences of a file to label next: those that a model is least sure of, none of which it has learned
 * from. A model remembers these as sorted digests of their words, eight bytes a sentence, so that no list
 * of labelled sentences has to be kept. It takes one pass over the file; candidates are kept as the text that will be
 * written. selection.c scores and ranks them.
 */
#ifndef VOUCH_ACTIVE_NEXT_SENTENCES_H
#define VOUCH_ACTIVE_NEXT_SENTENCES_H

#include "text/writer.h"
#include "options/rows.h"
#include "answer/answer_stream.h"
#include "active/selection.h"

/* The options of vouch active: of choosing, of its simulation, and of vouch active next alone. */
struct active_options {
    struct options common;
    struct reading_values reading;
    struct learner_values learner;
    struct confidence_values confidence;
    struct score_values source;
    const char *pool, *cost;
    double diversity; /* pass over sentences that overlap more with one that is chosen; 0: never */

    const char *test, *csv, *plot;
    uint32_t initial, candidates, choose, every, most; /* sentences */
    uint32_t repeats; /* each with other random choices, which are the same for all ways of choosing */
    bool scratch;     /* true: retrain in every round; false: retrain only before measuring, learn on in between */
    bool json;

    const char *model, *output;
    uint32_t number;
    bool predict;
};
extern const struct option_table active_options;

/* Set the first four fields and zero the rest. Release in any case. */
struct next_sentences {
    const struct active_options *options;
    const struct vouch_model *model;
    const struct score_files *scores; /* of a model without weights; else NULL */
    struct reader_options reading;    /* of the file to choose from */

    struct shortlist *list;
    uint32_t count;              /* how many were chosen */
    uint64_t seen, known;        /* how many there were; how many of them are labelled or repeated */
    struct estimator *estimator; /* NULL: at random */
    char name[METHOD_NAME + 16]; /* the method that they were chosen by, such as "gamma/mean" */
    struct labelling labelling;  /* how much there is to label in those that were chosen */
    double seconds;              /* how long that takes, by the option "cost" */

    enum sentence_score score;
    bool chunks; /* the model's labels spell chunks */
    struct writer_options writing;
    struct output *text; /* of the sentence at hand */
};

/* Chooses from the file `pool`, without what is in the `labelled` files. Sentence i is then shortlist_text(list, i). */
bool next_sentences_choose(struct next_sentences *next, const char *pool, char *const *labelled, size_t files,
                           struct vouch_error *err);
void next_sentences_release(struct next_sentences *next);

#endif
