/*
 * From files to examples: a corpus for labelling, read and encoded.
 */
#ifndef VOUCH_APPLY_TAG_CORPUS_H
#define VOUCH_APPLY_TAG_CORPUS_H

#include "corpus/reader.h"
#include "measure/tag_score.h"
#include "task/tag_set.h"
#include "task/tag_task.h"

/* What to learn, and how to read it. */
struct tag_plan {
    const struct tag_task *task;
    const char *template;      /* template text */
    const char *template_name; /* for messages */
    bool template_strict;      /* every column must be there; else lines without theirs are dropped */
    bool template_chosen;      /* asked for by the user: CRFsuite lines, which need none, are then an error */
    uint32_t cutoff;           /* features seen less often are left out */
    enum scheme inner;         /* scheme to learn in; SCHEME_NONE: as the corpus has it */
    struct reader_options reading;
};

struct tag_corpus {
    const struct tag_task *task;
    char *template; /* the lines in use */
    struct templates templates;
    struct vocabulary vocabulary;
    struct tag_labels labels;
    struct tag_set set;
    enum format format;
    uint64_t digest; /* of every line read */
};

/* Told now and then how many sentences have been read; false stops. May be NULL. */
struct reading_watch {
    bool (*tell)(void *context, uint64_t sentences);
    void *context;
};

/* Reads and encodes the files, growing the vocabulary. Release in any case. */
bool tag_corpus_read(struct tag_corpus *corpus, const struct tag_plan *plan, char *const *path, size_t paths,
                     const struct reading_watch *watch, struct vouch_error *err);

/* Reads another file with the same features: what is unknown is left out. The caller releases `set`. */
bool tag_corpus_read_other(struct tag_corpus *corpus, const struct tag_plan *plan, const char *path,
                           struct tag_set *set, struct vouch_error *err);

void tag_corpus_release(struct tag_corpus *corpus);

/* Labels `subset` of `set` with `weights` and counts what is right. */
bool tag_corpus_score(const struct tag_corpus *corpus, const struct tag_set *set, const uint32_t *subset,
                      uint32_t count, const float *weights, struct tag_score *score, struct vouch_error *err);

/* The figure by which models are compared: F1 of chunks, or word accuracy, in percent. */
double tag_score_figure(const struct tag_score *score);

/* The unit in which a corpus of that scheme is scored. */
static inline enum tag_unit tag_unit_of(enum scheme scheme)
{
    return scheme == SCHEME_NONE ? TAG_LABELS : TAG_CHUNKS;
}

#endif
