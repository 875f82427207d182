/*
 * Answers sentences one by one: what a thread needs for it, and where an answer is kept.
 */
#ifndef VOUCH_API_WORKERS_H
#define VOUCH_API_WORKERS_H

#include "api/requests.h"
#include "api/sentences.h"

/* One thread's working memory over a request. Zero it before first use. */
struct answerer {
    const struct vouch_request *request;
    struct predictor *predictor;
    struct sentence tree; /* the caller's cells as a tree */
};
bool answerer_init(struct answerer *answerer, const struct vouch_request *request, struct vouch_error *err);
void answerer_release(struct answerer *answerer);

/* One answer and all that it points to. Zero it before first use; it is used again for the next sentence. */
struct kept_answer {
    struct vouch_answer answer;
    struct prediction prediction;
    struct changing changing;
};
void kept_answer_release(struct kept_answer *kept);

bool answerer_answer(struct answerer *answerer, const vouch_sentence *sentence, struct kept_answer *kept,
                     struct vouch_error *err);

#endif
