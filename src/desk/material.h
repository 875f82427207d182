/*
 * What a model is learned from: labelled texts, and how. What is learned is a function of the material alone: the same
 * material gives the same bytes, whatever was learned before.
 */
#ifndef VOUCH_DESK_MATERIAL_H
#define VOUCH_DESK_MATERIAL_H

#include "base/buffer.h"
#include "base/output.h"

/* Zero it before it is filled in. */
struct material {
    struct buffer text;      /* labelled sentences, in any format of the program; with "partial", in parts perhaps */
    struct buffer more;      /* others, in another format perhaps; or empty */
    struct buffer calibrate; /* wholly labelled sentences that are not learned from, to calibrate on; or empty */
    const char *base;        /* the file of a model to go on from; NULL: learn anew */
    struct buffer options;   /* of vouch train, as "task=ner&partial=true&" */
};

/*
 * Learns: returns the model, which the caller closes, or NULL. With a stem, the texts stay in the files STEM.learn,
 * STEM.learn2 and STEM.calibrate, so that they can be looked at, and learned from by hand; NULL: they have no names.
 */
vouch_model *material_learn(const struct material *material, const char *stem, const struct vouch_watch *watch,
                            struct vouch_error *err);
void material_release(struct material *material);

/* A text as a file: one of that name, which stays, or with NULL one that only this process can open, and see. */
struct text_file {
    struct buffer path;
    struct output *nameless; /* what holds one without a name */
};
bool text_file_init(struct text_file *file, const char *bytes, size_t length, const char *name,
                    struct vouch_error *err);
void text_file_release(struct text_file *file); /* in any case */

#endif
