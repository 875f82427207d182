/*
 * The best tree in which some words have given heads, and the best relations on its arcs: what an annotator gets to see
 * when one head was changed. The arcs that contradict a given head are impossible (-inf), and the decoder finds the
 * best one-root tree of the others: O(N^2). A given head that leaves no tree (two roots, a cycle) was refused before.
 */
#include "desk/desk_room.h"

#include "answer/layer_voices.h"
#include "task/arc_features.h"
#include "tree/tree.h"

#include <math.h>

struct completing {
    const struct vouch_model *model;
    const struct sentence *sentence;
    struct arc_word *word;
    struct scores scores;
    struct scratch encoding, decoding;
};

static void forbid(struct scores *scores, const uint32_t *fixed)
{
    for (uint32_t m = 0; m < scores->N; m++)
        for (uint32_t h = 0; fixed[m] != HEAD_OPEN && h <= scores->N; h++)
            if (h != fixed[m])
                scores->node[tree_group(scores->N, m, h)] = -INFINITY;
}

static bool score_layer(struct completing *c, uint32_t l, const struct parts *parts, struct vouch_error *err)
{
    const struct model_layer *layer = &c->model->layer[l];
    const struct model_voice *voice = &layer->voice[0];
    return parts_score_steps(parts, &layer->space, voice->mean, &voice->steps, &c->scores, err);
}

static bool find_heads(struct completing *c, const uint32_t *fixed, uint32_t *head, struct vouch_error *err)
{
    struct parts parts;
    double score;
    uint32_t N = c->sentence->N;
    if (!arc_parts(c->word, N, c->model->bits[0], &c->encoding, &parts, err) || !score_layer(c, 0, &parts, err))
        return false;
    forbid(&c->scores, fixed);
    return tree_best(&c->scores, &c->decoding, head, &score, err);
}

static bool find_relations(struct completing *c, const uint32_t *head, struct text *relation, struct vouch_error *err)
{
    struct parts parts;
    uint32_t N = c->sentence->N;
    if (c->model->layers < 2)
        return true;
    if (!relation_parts(c->word, head, N, c->model->bits[1], &c->encoding, &parts, err) ||
        !score_layer(c, 1, &parts, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        const float *score = c->scores.node + (size_t)i * c->scores.width;
        uint32_t best = 0;
        for (uint32_t r = 1; r < c->scores.width; r++)
            best = score[r] > score[best] ? r : best;
        if (!relation[i].at)
            relation[i] = labels_name(&c->model->labels, best);
    }
    return true;
}

static bool complete(struct completing *c, const struct store_answer *fixed, uint32_t *head, struct text *relation,
                     struct vouch_error *err)
{
    if (!(c->word = new_array((size_t)c->sentence->N + 1, sizeof *c->word, err)))
        return false;
    memcpy(relation, fixed->label, sizeof *relation * fixed->words);
    arc_observe(c->sentence, c->word);
    bool ok = find_heads(c, fixed->head, head, err) && find_relations(c, head, relation, err);
    free(c->word);
    scores_release(&c->scores);
    scratch_release(&c->encoding);
    scratch_release(&c->decoding);
    return ok;
}

static json_t *complete_json(struct desk *desk, const json_t *body, struct arena *arena, struct sentence *s,
                             struct vouch_error *err)
{
    struct store_answer fixed;
    uint32_t *head, place;
    struct text *relation;
    if (!desk->trees || !desk->answerer) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected a desk of trees, with a model");
        return NULL;
    }
    if (!desk_find(desk, json_integer_value(json_object_get(body, "sentence")), &place, err) ||
        !store_read_sentence(desk->store, desk->place[place].id, s, NULL, err))
        return NULL;
    if (desk->place[place].blind) {
        fail(err, VOUCH_ERR_ARGUMENT, "a blind sentence measures: nothing is suggested for it");
        return NULL;
    }
    if (!client_answer(desk, body, NULL, s->N, true, arena, &fixed, err) ||
        !ARENA_ARRAY(head, (size_t)s->N + 1, arena, err) || !ARENA_ARRAY(relation, (size_t)s->N + 1, arena, err))
        return NULL;
    struct completing c = {.model = desk->answerer->model, .sentence = s};
    if (!complete(&c, &fixed, head, relation, err))
        return NULL;
    struct store_answer made = {.words = s->N, .label = relation, .head = head};
    json_t *result = answer_values(&made);
    json_object_set_new(result, "sentence", json_integer(desk->place[place].id));
    json_object_set_new(result, "model", json_string(desk->answerer->digest));
    return result;
}

json_t *desk_complete(struct desk *desk, const json_t *body, struct vouch_error *err)
{
    struct arena arena = {0};
    struct sentence s = {0};
    desk_enter(desk);
    json_t *result = complete_json(desk, body, &arena, &s, err);
    desk_leave(desk);
    sentence_release(&s);
    arena_release(&arena);
    return result;
}
