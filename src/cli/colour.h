/*
 * Sentences in colour, one a line, for people at a terminal.
 *
 *     Ada Lovelace/PER lives in London/LOC .
 *
 * Chunks are bold and in the colour of their type. With confidences, words of doubt
 * stand out: trusted least, in reverse red; trusted little, underlined, and
 * yellow outside of chunks. A word of a tree that stands out is followed by the
 * word that it depends on: "with<saw".
 *
 * Least is below 0.5 and little below 0.8, which calibrated numbers are made
 * for; raw ones are compared likewise, but for margins, whose limits are 0.3
 * and 1. The legend says so.
 */
#ifndef VOUCH_CLI_COLOUR_H
#define VOUCH_CLI_COLOUR_H

#include "base/output.h"
#include "core/confidences.h"
#include "corpus/writer.h"
#include "model/model.h"

struct colouring {
    struct output *out;
    const struct vouch_model *model; /* whose labels choose the colours of chunks; trees do not need it */

    double *least; /* [N] how far each word is trusted */
    size_t least_capacity;
};

void colouring_release(struct colouring *c);

/* `confidences` is NULL if nobody asked. */
bool colour_labels(struct colouring *c, const struct sentence *sentence, const struct text *label,
                   const struct confidences *confidences, struct vouch_error *err);
bool colour_tree(struct colouring *c, const struct sentence *sentence, const struct tree_answer *answer,
                 const struct confidences *confidences, struct vouch_error *err);

/* What the marks mean: a line for the end, about the by_method that was shown. */
void colour_legend(struct colouring *c, const struct method_confidence *shown);

#endif
