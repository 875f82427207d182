/*
 * Writes sentences in colour, one on each line, for people at a terminal.
 *
 *     Ada Lovelace/PER lives in London/LOC .
 *
 * Chunks are bold and in the colour of their type. With confidences, doubtful
 * words stand out: those of very low confidence in reverse red, those of low
 * confidence underlined, and in yellow outside of chunks. A doubtful word of a
 * tree is followed by the word that it depends on: "with<saw".
 *
 * Very low is below 0.5 and low is below 0.8. These limits are meant for
 * calibrated numbers, and raw ones have the same, except for margins, whose
 * limits are 0.3 and 1. The legend shows them.
 */
#ifndef VOUCH_CLI_COLOUR_H
#define VOUCH_CLI_COLOUR_H

#include "answer/answer.h"
#include "base/output.h"

struct colouring {
    struct output *out;
    const struct vouch_model *model; /* its labels determine the colours of chunks; not needed for trees */

    double *least; /* [N] the confidence of each word */
    size_t least_capacity;
};

void colouring_release(struct colouring *c);

/* Writes a sentence with these labels (of trees: any), and the heads and confidences of its answer, if there are any.
 */
bool colour_sentence(struct colouring *c, const struct sentence *sentence, const struct text *label,
                     const struct vouch_answer *answer, struct vouch_error *err);

/* Returns the confidence below which a word is doubtful, if no threshold is given. */
double colour_limit(const struct method_confidence *by_method);

/* Writes a last line that explains the marks, for the method whose numbers were shown. */
void colour_legend(struct colouring *c, const struct method_confidence *shown);

#endif
