/*
 * Finds which labels occur in a corpus, and how they spell chunks.
 */
#ifndef VOUCH_REVIEW_LABEL_SURVEY_H
#define VOUCH_REVIEW_LABEL_SURVEY_H

#include "base/buffer.h"
#include "core/digest_set.h"
#include "core/scheme.h"
#include "text/reader.h"

struct label_survey {
    struct digest_set labels, types; /* of relations in trees; types of chunks without their prefix */
    size_t labels_most, types_most;  /* sizes at which repetitions are removed */
    struct scheme_watch watch;
    enum scheme scheme;  /* SCHEME_NONE for trees */
    bool lasts, middles; /* BIOES as BILOU (L- and U-), and as BMES (M-) */
    char *prefix;        /* [N] of the sentence at hand */
    size_t prefix_capacity;
};

/* Reads the file from end to end. Zero the survey before, release it in any case. */
bool label_survey_read(struct label_survey *survey, const char *path, const struct reader_options *reading,
                       struct vouch_error *err);
void label_survey_release(struct label_survey *survey);

/* Whether the corpus has the label, or could have it by its scheme, as the type occurs; and whether it has the type. */
bool label_survey_knows(const struct label_survey *survey, struct text label);
bool label_survey_has_type(const struct label_survey *survey, struct text type);

/* Appends the labels of a chunk of so many words, separated by blanks; `before` is the label before it. */
bool label_survey_spell(const struct label_survey *survey, struct text type, uint32_t words, struct text before,
                        struct buffer *into, struct vouch_error *err);

/*
 * Counts the labels of a sentence that do not spell chunks as the corpus's
 * scheme does; in IOB2, each I- that begins a chunk.
 */
bool label_survey_faults(struct label_survey *survey, const struct text *label, uint32_t N, uint32_t *faults,
                         struct vouch_error *err);

#endif
