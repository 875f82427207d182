/*
 * A voice set is the voices of a layer, ready to judge an answer.
 *
 * The first voice gives the answer; all of them may judge it. The methods decide what evidence is needed, so a voice
 * set is opened on a sentence, then looks, then methods are applied: voice_set_open(), voice_set_look(),
 * method->words() and the like on evidence[v], or committee.h.
 */
#ifndef VOUCH_CONFIDENCE_VOICE_SET_H
#define VOUCH_CONFIDENCE_VOICE_SET_H

#include "confidence/method.h"
#include "core/lexicon.h"

enum { MAX_VOICE_VIEWS = 8 };

struct voice_set {
    struct voice_view voice[MAX_VOICE_VIEWS];
    uint32_t voices;
    const struct span_rules *rules; /* NULL: answers have no chunks */
    const struct lexicon *lexicon;  /* of the words learned from; NULL or without slots: they were not counted */
    bool heads;                     /* choices are heads, and answers trees */
    bool draws; /* the committee uses drawn models: no voice was learned by its likelihood, so none has probabilities */
};

/* One thread's working memory; zero it before first use. */
struct workspace {
    const struct voice_set *voice_set;
    uint32_t N;
    struct evidence evidence[MAX_VOICE_VIEWS];
    struct looking looking;
    struct word_names names;    /* of the words of the sentence */
    const uint32_t *choice;     /* [N] the answer: the first voice's best */
    const struct lexicon *text; /* what the text calls its words, this sentence's too, for committee_text(); or NULL */
    struct lexicon sentence;    /* what this sentence calls them, which is left out */
};

/* Scores the parts by every voice that will be looked at (looks[v] != 0), and answers by the first. */
bool voice_set_open(const struct voice_set *voice_set, struct workspace *workspace, const struct parts *parts,
                    const unsigned *looks /* [voices] */, struct vouch_error *err);
bool voice_set_look(struct workspace *workspace, const struct parts *parts, const unsigned *looks,
                    struct vouch_error *err);
void workspace_release(struct workspace *workspace);

#endif
