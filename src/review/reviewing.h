/*
 * Reviews labelled files: from options, and a model or none, to a list of what is probably mislabelled.
 *
 *     reviewing_prepare() -> reviewing_read() -> reviewing_judge() -> suspects with their words, most suspect first
 */
#ifndef VOUCH_REVIEW_REVIEWING_H
#define VOUCH_REVIEW_REVIEWING_H

#include "review/listing.h"

/* Set the first three fields, and zero the rest. Must not be moved once it is prepared. Release in any case. */
struct reviewing {
    const struct settings *settings; /* of vouch review */
    const struct vouch_model *model; /* the model that judges; NULL: models are learned from the files themselves */
    const struct vouch_watch *watch; /* may be NULL */

    enum review_level level;
    struct reader_options reading;
    struct learned_corpus corpus;
    struct suspects suspects; /* everything in the files; as many are listed as the options ask for */
    struct listing listing;
    struct expected_errors among, all; /* errors among those listed, and in all of the files */

    struct learning learning;
    struct method_params params[MAX_LAYERS][MAX_VOICE_VIEWS]; /* of the model's layers, */
    bool tuned[MAX_LAYERS];                                   /* if it was calibrated */
    struct trial trial[MAX_LAYERS][MAX_VOICES];
    struct held_out_plan lessons;
    struct step_watch lesson;
    struct held_out held;
    struct review review;
    struct decided decided; /* in earlier rounds */
    struct listing_source source;
};

extern const char *const review_level_names[]; /* "word", "chunk", "sentence" */

/* Checks the options. */
bool reviewing_prepare(struct reviewing *reviewing, struct vouch_error *err);

/* Reads the files, and warns if the model has learned from them. Fails if chunks are to be listed, and there are none.
 */
bool reviewing_read(struct reviewing *reviewing, struct vouch_error *err);

/* Returns the labels that the files give, or the relations of their trees. */
const struct dictionary *reviewing_names(const struct reviewing *reviewing);

/* Judges every label, and lists the most suspect. The watch may stop it: VOUCH_ERR_STOPPED. */
bool reviewing_judge(struct reviewing *reviewing, struct vouch_error *err);
void reviewing_release(struct reviewing *reviewing);

#endif
