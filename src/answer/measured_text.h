/*
 * The labelled text that a model is measured on, or that thresholds and guarantees are found on, while its sentences
 * pass: whether it can be evidence of how other text is answered, and by what units it counts.
 *
 * Text that the model knows is answered better than other text. A sentence is known if the model learned from its
 * words, or if its confidence was tuned on them; both are told by digests that the model keeps, whatever a file is
 * called. Text is known if half of its sentences are (is_most()); a similar rule tells text that was read before
 * (core/file_overlap.h).
 * Either is a warning where figures are measured, and an error where something is guaranteed.
 *
 * Units are documents where marks divide the files. A file without marks beside one that has them counts as one
 * document, which is said.
 */
#ifndef VOUCH_ANSWER_MEASURED_TEXT_H
#define VOUCH_ANSWER_MEASURED_TEXT_H

#include "core/file_overlap.h"
#include "model/model.h"

/* Release it in any case. */
struct measured_text {
    const struct vouch_model *model; /* NULL: answers of another program */
    uint64_t sentences;
    uint64_t learned; /* sentences that the model learned from, */
    uint64_t tuned;   /* and others that its confidence was tuned on */
    struct digest_set fitted;
    struct file_overlap overlap;
    bool begun; /* a file whose sentences are still to come */
    const char *path;
    size_t files;

    struct document_count documents;
    uint32_t marks;       /* in front of the file at hand */
    bool unmarked_file;   /* a file had no marks: */
    const char *unmarked; /* its name */
};

bool measured_text_init(struct measured_text *text, const struct vouch_model *model, struct vouch_error *err);
void measured_text_release(struct measured_text *text);

/* Begins a file; the path is borrowed. */
void measured_text_begin(struct measured_text *text, const char *path);

/* Takes a sentence, or a document mark. */
bool measured_text_take(struct measured_text *text, const struct sentence *sentence, struct vouch_error *err);
bool measured_text_end(struct measured_text *text, struct vouch_error *err);

/* Warns of text that is known, with the consequence `then`; and of repeated text. */
void measured_text_warn(const struct measured_text *text, const struct vouch_watch *watch, const char *then);

/* Fails if the text is known or repeated: a guarantee found on it would not hold. */
bool measured_text_proves(const struct measured_text *text, struct vouch_error *err);

/* Warns of files that count as one document each, for lack of marks, beside others that have marks. */
void warn_of_unmarked(const struct measured_text *text, const struct vouch_watch *watch);

/* Warns if half of the sentences (of file `where`, if not NULL) were learned from; `then` tells the consequence. */
void warn_of_seen(const struct vouch_watch *watch, uint64_t seen, uint64_t sentences, const char *where,
                  const char *then);

/* Warns of a file that was read before. */
void warn_of_overlap(const struct vouch_watch *watch, const struct file_overlap *overlap);

#endif
