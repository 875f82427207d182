/*
 * A shortlist holds the sentences of a stream that a model is least sure of, as
 * they are going to be written. None is there twice, and none is one of the
 * known sentences.
 *
 * Memory: the n best alone; if near-duplicates are to be passed over, all that
 * were offered, since any of them may come to be chosen.
 */
#ifndef VOUCH_ACTIVE_SHORTLIST_H
#define VOUCH_ACTIVE_SHORTLIST_H

#include "core/sentence.h"
#include "active/labelling_cost.h"
#include "active/selection.h"

struct shortlist;

/* Makes a list of the n least sure sentences; `diversity` as in struct variety, 0 for none. */
struct shortlist *shortlist_new(uint32_t n, double diversity, struct vouch_error *err);
void shortlist_free(struct shortlist *list);

/* Excludes sentences with these words. *new says whether the words were not known before. */
bool shortlist_know(struct shortlist *list, const struct sentence *sentence, bool *new, struct vouch_error *err);

/* Whether a sentence with this number would be kept. */
bool shortlist_wants(const struct shortlist *list, double number, uint32_t words);

/* A sentence that is offered to the list. */
struct offer {
    double number;  /* the smaller, the sooner */
    double changes; /* changes that labelling it takes: see labelling_cost.h */
    const char *text;
    size_t length; /* of what to write of it */
};

/* Keeps it, and a copy of its text. */
bool shortlist_add(struct shortlist *list, const struct sentence *sentence, const struct offer *offer,
                   struct vouch_error *err);

/* Ends the list. Entry i, least sure first, is then shortlist_text(i). */
bool shortlist_close(struct shortlist *list, uint32_t *count, struct vouch_error *err);
const char *shortlist_text(const struct shortlist *list, uint32_t i, size_t *length);

/* Returns how much there is to label in all that were chosen. */
struct labelling shortlist_labelling(const struct shortlist *list);

#endif
