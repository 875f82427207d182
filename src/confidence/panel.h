/*
 * A panel: the voices of a layer, ready to be asked about an answer.
 *
 * The first voice gives the answer; all of them may be asked about it. What
 * is asked decides what is looked at, so a panel is opened on a sentence, then
 * looked at, then asked: panel_open(), panel_look(), method->words() and the
 * like on seat[v], or committee.h.
 */
#ifndef VOUCH_CONFIDENCE_PANEL_H
#define VOUCH_CONFIDENCE_PANEL_H

#include "confidence/method.h"

enum { MAX_SEATS = 8 };

struct panel {
    struct witness witness[MAX_SEATS];
    uint32_t witnesses;
    const struct span_rules *rules; /* NULL: answers have no chunks */
};

/* One thread's working memory; zero it before first use. */
struct sitting {
    const struct panel *panel;
    uint32_t N;
    struct evidence seat[MAX_SEATS];
    struct looking looking;
    const uint32_t *choice; /* [N] the answer: the first voice's best */
};

/* Scores the parts by every voice that will be looked at (looks[v] != 0), and answers by the first. */
bool panel_open(const struct panel *panel, struct sitting *sitting, const struct parts *parts,
                const unsigned *looks /* [witnesses] */, struct vouch_error *err);
bool panel_look(struct sitting *sitting, const struct parts *parts, const unsigned *looks, struct vouch_error *err);
void sitting_release(struct sitting *sitting);

#endif
