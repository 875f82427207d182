/*
 * Asks a model: see desk_room.h. A model that was not calibrated is asked for its marginal probabilities, which rank as
 * well but need not be right as often as they say.
 */
#include "desk/desk_room.h"

#include "measure/tag_score.h"

#include <stdio.h>

enum { ALTERNATIVES = 5 };

/* Relations that are less likely are not told; of heads and labels the sets are not asked for, only alternatives. */
static const struct set_thresholds likely_relations = {.of = {2, 2, 0.001}};

void answerer_free(struct answerer *a)
{
    if (!a)
        return;
    answer_release(&a->answer);
    predictor_free(a->predictor);
    vouch_request_free(a->request);
    vouch_model_close(a->model);
    free(a);
}

struct answerer *answerer_new(vouch_model *model, double threshold, struct vouch_error *err)
{
    struct answerer *a = new_array(1, sizeof *a, err);
    if (!a) {
        vouch_model_close(model);
        return NULL;
    }
    a->model = model;
    snprintf(a->digest, sizeof a->digest, "%016llx", (unsigned long long)model_file_digest(&model->file));
    struct answer_options options = *(const struct answer_options *)request_options(model)->usual;
    options.doubt.alternatives = ALTERNATIVES;
    options.doubt.threshold = threshold;
    struct estimate_request more = {.otherwise = "gamma", .sets = model->trees ? &likely_relations : NULL};
    a->request = request_new(model, &options, &more, err);
    if (a->request) {
        a->request->chunks = true;
        a->predictor = predictor_new(a->request, err);
    }
    if (a->predictor)
        return a;
    answerer_free(a);
    return NULL;
}

const vouch_answer *answerer_ask(struct answerer *a, const struct sentence *sentence, struct vouch_error *err)
{
    return predictor_answer(a->predictor, sentence, &a->answer, err) ? &a->answer : NULL;
}

/* ---- What is right ---- */

static bool count_labels(const struct desk *desk, const struct store_answer *known, const struct store_answer *answer,
                         struct blind_counts *to, struct vouch_error *err)
{
    struct tag_score score;
    tag_score_init(&score, tag_unit_of(desk->scheme));
    bool ok = tag_score_add(&score, known->label, answer->label, known->words, err);
    if (desk->scheme == SCHEME_NONE)
        *to = (struct blind_counts){(double)score.right_words, (double)score.words};
    else
        *to = (struct blind_counts){2 * (double)score.all.correct, (double)(score.all.gold + score.all.guessed)};
    tag_score_release(&score);
    return ok;
}

bool count_right(const struct desk *desk, const struct store_answer *known, const struct store_answer *answer,
                 struct blind_counts to[2], struct vouch_error *err)
{
    to[0] = to[1] = (struct blind_counts){0};
    if (known->words != answer->words)
        return fail(err, VOUCH_ERR_FORMAT, "expected an answer to %u words, found %u", known->words, answer->words);
    if (!desk->trees)
        return known->label && answer->label && count_labels(desk, known, answer, &to[0], err);
    for (uint32_t i = 0; i < known->words; i++) {
        bool head = known->head[i] == answer->head[i];
        bool relation = known->label && answer->label && text_equal(known->label[i], answer->label[i]);
        to[0].right += head;
        to[1].right += head && relation;
        to[0].of++;
        to[1].of++;
    }
    return true;
}
