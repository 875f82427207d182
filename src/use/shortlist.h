/*
 * A shortlist: the sentences of a stream that a model is least sure of, as
 * they are going to be written. None twice, none of those that are known.
 *
 * Memory: the n best alone; if near-duplicates are to be passed over, all that
 * were offered, since any of them may come to be chosen.
 */
#ifndef VOUCH_USE_SHORTLIST_H
#define VOUCH_USE_SHORTLIST_H

#include "core/sentence.h"
#include "use/labelling_cost.h"
#include "use/selection.h"

struct shortlist;

/* Of the n least sure; `diversity` as in struct variety, 0 for none. */
struct shortlist *shortlist_new(uint32_t n, double diversity, struct vouch_error *err);
void shortlist_free(struct shortlist *list);

/* Sentences with these words are not wanted. *new says whether the words were not known before. */
bool shortlist_know(struct shortlist *list, const struct sentence *sentence, bool *new, struct vouch_error *err);

/* Whether a sentence that is this sure would be kept. */
bool shortlist_wants(const struct shortlist *list, double number, uint32_t words);

/* What is known of a sentence. */
struct offer {
    double number;  /* the smaller, the sooner */
    double changes; /* to be made by whoever labels it: see labelling_cost.h */
    const char *text;
    size_t length; /* of what to write of it */
};

/* Keeps it, and a copy of its text. */
bool shortlist_add(struct shortlist *list, const struct sentence *sentence, const struct offer *offer,
                   struct vouch_error *err);

/* Ends the list. Then entry i, least sure first, is shortlist_text(i). */
bool shortlist_close(struct shortlist *list, uint32_t *count, struct vouch_error *err);
const char *shortlist_text(const struct shortlist *list, uint32_t i, size_t *length);

/* How much there is to label in all that were chosen. */
struct labelling shortlist_labelling(const struct shortlist *list);

#endif
