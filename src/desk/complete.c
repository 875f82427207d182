/*
 * The best tree in which some words have given heads, and the best relations on its arcs: what an annotator gets to see
 * when one head was changed. A given head that leaves no tree (two roots, a cycle) was refused before. Confidence and
 * alternatives are those beside what is given: of all trees that have these heads.
 */
#include "desk/desk_room.h"

/* Answers with the heads that are fixed; relations that are fixed stay, known to the model or not. */
static bool complete(struct answerer *answerer, const struct sentence *s, const struct store_answer *fixed,
                     struct arena *arena, struct store_answer *made, struct vouch_error *err)
{
    uint32_t *known;
    struct text *relation;
    if (!ARENA_ARRAY(known, (size_t)s->N + 1, arena, err) || !ARENA_ARRAY(relation, (size_t)s->N + 1, arena, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        known[i] = fixed->head[i] == HEAD_OPEN ? OPEN_CHOICE : fixed->head[i];
    struct vouch_sentence asked = {.view = s, .known.head = known};
    const struct vouch_answer *answer = &answerer->answer;
    if (!predictor_answer_caller(answerer->predictor, &asked, &answerer->answer, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        relation[i] = fixed->label[i].at || !answer->label ? fixed->label[i] : answer->label[i];
    *made = (struct store_answer){.words = s->N, .label = relation, .head = answer->head};
    return true;
}

static json_t *complete_json(struct desk *desk, const json_t *body, struct arena *arena, struct sentence *s,
                             struct vouch_error *err)
{
    struct store_answer fixed, made;
    uint32_t place;
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
        !complete(desk->answerer, s, &fixed, arena, &made, err))
        return NULL;
    json_t *result = store_answer_json(&made), *rated = model_answer_json(desk, &desk->answerer->answer);
    json_object_update_missing(result, rated);
    json_decref(rated);
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
