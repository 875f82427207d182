/*
 * Answers one sentence, from words to parts to scores to choices, and from there to what is shown: see predictor.h.
 *
 * Labels or trees is decided by the model once. A parser finds the tree first, then the relation of each of its arcs.
 */
#include "answer/predictor.h"

#include "answer/layer_voices.h"
#include "answer/text_window.h"
#include "base/elementary.h"
#include "scores/score_files.h"
#include "task/arc_features.h"

struct predictor {
    const struct vouch_request *request;
    const struct vouch_model *model;
    struct text_lexicon *counted; /* where answers are counted instead of given; NULL: they are given */
    struct encoder *encoder;      /* of words to label; NULL: the model parses, or has no weights */
    struct score_sets outside;    /* the scores of another program, for a model without weights */
    struct score_work reading;
    struct workspace workspace[MAX_MODEL_LAYERS];
    struct scores scores;
    struct scratch encoding, decoding;
    struct label_work work;
    struct sentence tree; /* the caller's cells as a tree */
    struct text *label;   /* those of the answer that is being made */
    uint32_t *head;
    struct arc_word *word;
    uint32_t *choice;
    size_t word_capacity, choice_capacity;
};

void answer_release(struct vouch_answer *a)
{
    estimates_release(&a->estimates);
    changed_labels_release(&a->by_point);
    *a = (struct vouch_answer){0};
}

struct predictor *predictor_new(const struct vouch_request *request, struct vouch_error *err)
{
    const struct vouch_model *model = request->model;
    struct predictor *p = new_array(1, sizeof *p, err);
    if (!p)
        return NULL;
    *p = (struct predictor){.request = request, .model = model};
    if (model_lacks_weights(model)
            ? score_sets_init(&p->outside, model->layer[0].voice[0].sets, err)
            : model->trees || (p->encoder = encoder_new(&model->templates, &model->vocabulary, err)))
        return p;
    predictor_free(p);
    return NULL;
}

void predictor_free(struct predictor *p)
{
    if (!p)
        return;
    encoder_free(p->encoder);
    score_sets_release(&p->outside);
    score_work_release(&p->reading);
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        workspace_release(&p->workspace[l]);
    scores_release(&p->scores);
    scratch_release(&p->encoding);
    scratch_release(&p->decoding);
    label_work_release(&p->work);
    sentence_release(&p->tree);
    free(p->word);
    free(p->choice);
    free(p);
}

void predictor_use_text(struct predictor *p, const struct text_lexicon *text)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        p->workspace[l].text = &text->layer[l];
}

void predictor_count(struct predictor *p, struct text_lexicon *counted)
{
    p->counted = counted;
}

/* Finds the best choice of one layer in `choice`, counted, or judged if there is an estimator. */
static bool choose(struct predictor *p, uint32_t l, const struct parts *parts, uint32_t *choice,
                   struct vouch_answer *to, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[l];
    const struct model_voice *voice = &layer->voice[0];
    double score;
    if (!p->request->estimator || p->counted)
        return parts_score_steps(parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) &&
               layer_structure(p->model, l)->best(&p->scores, &p->decoding, choice, &score, err) &&
               (!p->counted || text_lexicon_add(p->counted, l, parts, choice, err));
    if (!estimator_estimate(p->request->estimator, l, parts, &p->workspace[l], &to->estimates, err))
        return false;
    memcpy(choice, p->workspace[l].choice, sizeof *choice * parts->N);
    return true;
}

/* Makes room for an answer to N words, in p->label and p->head; it has no labels yet. */
static bool begin(struct predictor *p, uint32_t N, struct vouch_answer *to, struct vouch_error *err)
{
    struct arena *arena = &to->estimates.arena;
    arena_reset(arena);
    to->model = p->model;
    to->N = N;
    to->label = NULL;
    to->head = NULL;
    to->confidences = p->request->estimator ? &to->estimates.confidences : NULL;
    to->expected = p->request->estimator ? &to->estimates.expected : NULL;
    to->doubtful = NULL;
    to->replaced = false;
    to->chunks = 0;
    if (!ARENA_ARRAY(p->label, N, arena, err) || !ARENA_ARRAY(p->head, N, arena, err) ||
        !RESERVE(p->choice, p->choice_capacity, (size_t)N + 1, err))
        return false;
    to->head = p->model->trees ? p->head : NULL;
    return true;
}

/* Changes labels by their confidences. */
static bool change_by_point(const struct vouch_request *request, const struct sentence *sentence,
                            struct vouch_answer *to, struct vouch_error *err)
{
    double *least;
    if (!ARENA_ARRAY(least, to->N, &to->estimates.arena, err))
        return false;
    confidence_to_stand(to->confidences, to->N, request->point.by_words, least);
    struct rated_labels rated = {.N = to->N, .label = to->label, .least = least,
                                 .other = to->confidences->by_method->other};
    if (sentence)
        rated.group = column_group(sentence, request->point.column);
    if (!operating_point_apply(&request->point, to->model->labels.outer, &rated, &to->by_point, err))
        return false;
    to->label = to->by_point.label;
    return true;
}

/*
 * Finds the chunks of the labels, and each among those that were judged: labels may have been changed since. Both lists
 * are in the order of words.
 */
static bool find_chunks(struct vouch_answer *a, struct vouch_error *err)
{
    static const struct text outside = {"O", 1};
    const struct confidences *c = a->confidences;
    const struct text *label = a->head ? NULL : a->label;
    struct answer_chunk *chunk;
    uint32_t from = 0, next = 0;
    if (!ARENA_ARRAY(chunk, a->N, &a->estimates.arena, err))
        return false;
    a->chunk = chunk;
    for (uint32_t i = 0; label && i < a->N; i++) {
        if (scheme_starts(i > 0 ? label[i - 1] : outside, label[i]))
            from = i;
        if (!scheme_ends(label[i], i + 1 < a->N ? label[i + 1] : outside))
            continue;
        while (c && next < c->spans && c->span[next].from < from)
            next++;
        bool judged = c && next < c->spans && c->span[next].from == from && c->span[next].to == i + 1;
        chunk[a->chunks++] = (struct answer_chunk){from, i + 1, judged ? next : NO_CHUNK};
    }
    return true;
}

/* Does what the request asks for after the model has answered; `sentence` is NULL if there are scores alone. */
static bool finish(const struct vouch_request *request, const struct sentence *sentence, struct vouch_answer *to,
                   struct vouch_error *err)
{
    return (!request->pointed || !to->label || change_by_point(request, sentence, to, err)) &&
           doubt_mark(&request->doubt, to, err) && (!request->chunks || find_chunks(to, err));
}

static bool find_labels(struct predictor *p, const struct parts *parts, struct vouch_answer *to,
                        struct vouch_error *err)
{
    to->label = p->label;
    return choose(p, 0, parts, p->choice, to, err) &&
           labels_write(&p->model->labels, p->choice, to->N, &p->work, p->label, err);
}

/* Finds the tree first, then the relation of each of its arcs, if the model knows any. */
static bool find_tree(struct predictor *p, const struct sentence *sentence, struct vouch_answer *to,
                      struct vouch_error *err)
{
    struct parts parts;
    uint32_t N = sentence->N;
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_FORMAT, "expected CoNLL-X or CoNLL-U");
    if (!RESERVE(p->word, p->word_capacity, (size_t)N + 1, err))
        return false;
    arc_observe(sentence, p->word);
    if (!arc_parts(p->word, N, p->model->bits[0], &p->encoding, &parts, err) || !choose(p, 0, &parts, p->head, to, err))
        return false;
    if (p->model->layers < 2)
        return true;
    to->label = p->label;
    if (!relation_parts(p->word, p->head, N, p->model->bits[1], &p->encoding, &parts, err) ||
        !choose(p, 1, &parts, p->choice, to, err))
        return false;
    for (uint32_t i = 0; i < N; i++)
        p->label[i] = labels_name(&p->model->labels, p->choice[i]);
    return true;
}

static bool find_by_scores(struct predictor *p, const struct score_sets *scores, struct vouch_answer *to,
                           struct vouch_error *err)
{
    struct parts parts = parts_from_scores(scores);
    return p->model->trees ? choose(p, 0, &parts, p->head, to, err) : find_labels(p, &parts, to, err);
}

/* Reads the scores of the sentence, for a model without weights. */
static bool read_scores(struct predictor *p, const struct sentence *sentence, struct vouch_error *err)
{
    if (!p->request->scores)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model has no weights, and judges the scores of another program: expected these scores",
                    p->model->file.name);
    return score_files_take(p->request->scores, sentence, &p->reading, &p->outside, err);
}

bool predictor_abstain(struct predictor *p, uint32_t N, struct vouch_answer *to, struct vouch_error *err)
{
    return begin(p, N, to, err) &&
           (!p->request->estimator || estimator_abstain(p->request->estimator, N, &to->estimates, err)) &&
           finish(p->request, NULL, to, err);
}

bool predictor_answer(struct predictor *p, const struct sentence *sentence, struct vouch_answer *to,
                      struct vouch_error *err)
{
    struct parts parts;
    if (sentence->boundary || sentence->rest)
        return predictor_abstain(p, sentence->N, to, err);
    if (!begin(p, sentence->N, to, err))
        return false;
    if (!(model_lacks_weights(p->model) ? read_scores(p, sentence, err) && find_by_scores(p, &p->outside, to, err)
          : p->encoder ? encoder_run(p->encoder, sentence, &parts, err) && find_labels(p, &parts, to, err)
                       : find_tree(p, sentence, to, err)))
        return false;
    return p->counted || finish(p->request, sentence, to, err);
}

bool predictor_answer_scores(struct predictor *p, const struct score_sets *scores, struct vouch_answer *to,
                             struct vouch_error *err)
{
    return begin(p, scores->mean.N, to, err) && find_by_scores(p, scores, to, err) &&
           finish(p->request, NULL, to, err);
}

/* Fails with an argument error if the model cannot answer such a sentence. */
static bool fits(const struct vouch_model *model, const vouch_sentence *sentence, struct vouch_error *err)
{
    const struct sentence *s = sentence->view;
    uint32_t columns = model->templates.columns;
    if (model->trees ? s->attributes || (!s->tree && !sentence->cells) : s->tree)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a sentence read for a model that %s",
                    model->trees ? "parses" : "labels");
    if (s->attributes != model->templates.attributes)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a sentence of %s, from which the model was learned",
                    model->templates.attributes ? "ready-made attributes" : "cells");
    for (uint32_t i = 0; sentence->cells && !s->attributes && i < s->N; i++)
        if (sentence_cells(s, i) < columns)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u columns, found %u", columns,
                        sentence_cells(s, i));
    return true;
}

/*
 * Makes a tree, without heads, of a sentence of cells: FORM, LEMMA, UPOS, XPOS and FEATS as far as there are columns,
 * "_" for the rest of ten columns from ID to MISC. The cells stay where they are.
 */
static bool make_tree(const struct sentence *cells, struct sentence *tree, struct vouch_error *err)
{
    enum { COLUMNS = 10, FIRST = 1, MOST = 5 };
    size_t N = cells->N;
    if (!RESERVE(tree->first, tree->first_capacity, N + 1, err) ||
        !RESERVE(tree->cell, tree->cell_capacity, N * COLUMNS + 1, err))
        return false;
    for (uint32_t i = 0; i <= N; i++)
        tree->first[i] = i * COLUMNS;
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t c = 0; c < COLUMNS; c++) {
            uint32_t from = c - FIRST; /* wraps for the column in front of FORM */
            tree->cell[tree->first[i] + c] =
                from < MOST && from < sentence_cells(cells, i) ? sentence_cell(cells, i, from) : text_of("_");
        }
    tree->N = cells->N;
    tree->tree = true;
    tree->form = FIRST;
    return true;
}

bool predictor_answer_caller(struct predictor *p, const vouch_sentence *sentence, struct vouch_answer *to,
                             struct vouch_error *err)
{
    const struct sentence *s = sentence->view;
    if (s->boundary || s->faulty || (s->N == 0 && sentence->cells))
        return predictor_abstain(p, s->N, to, err);
    if (!fits(p->model, sentence, err))
        return false;
    if (!p->model->trees || s->tree)
        return predictor_answer(p, s, to, err);
    return make_tree(s, &p->tree, err) && predictor_answer(p, &p->tree, to, err);
}

/* ---- The K best answers ---- */

void best_answers_release(struct best_answers *best)
{
    arena_release(&best->arena);
    *best = (struct best_answers){0};
}

/* Finds the K best choices of labels or heads, [K][N], and their scores. */
static bool best_choices(struct predictor *p, const struct parts *parts, uint32_t K, uint32_t *choice, double *score,
                         uint32_t *found, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[0];
    const struct model_voice *voice = &layer->voice[0];
    return parts_score_steps(parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) &&
           layer_structure(p->model, 0)->kbest(&p->scores, K, &p->decoding, choice, score, found, err);
}

/* Whether answer `k` is written as one before it is: schemes may spell two choices alike. */
static bool is_repeated(const struct best_answers *best, uint32_t k)
{
    const struct text *own = best->label + (size_t)k * best->N;
    for (uint32_t other = 0; other < k; other++) {
        uint32_t same = 0;
        while (same < best->N && text_equal(own[same], best->label[(size_t)other * best->N + same]))
            same++;
        if (same == best->N)
            return true;
    }
    return false;
}

static bool best_labels(struct predictor *p, const uint32_t *choice, uint32_t found, struct best_answers *best,
                        struct vouch_error *err)
{
    for (uint32_t k = 0; k < found; k++) {
        best->relative[best->count] = best->relative[k];
        if (!labels_write(&p->model->labels, choice + (size_t)k * best->N, best->N, &p->work,
                          best->label + (size_t)best->count * best->N, err))
            return false;
        best->count += !is_repeated(best, best->count);
    }
    return true;
}

static bool best_relations(struct predictor *p, uint32_t found, struct best_answers *best, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[1];
    const struct model_voice *voice = &layer->voice[0];
    double score;
    for (best->count = 0; best->count < found; best->count++) {
        size_t at = (size_t)best->count * best->N;
        struct parts parts;
        if (!relation_parts(p->word, best->head + at, best->N, p->model->bits[1], &p->encoding, &parts, err) ||
            !parts_score_steps(&parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) ||
            !layer_structure(p->model, 1)->best(&p->scores, &p->decoding, p->choice, &score, err))
            return false;
        for (uint32_t i = 0; i < best->N; i++)
            best->label[at + i] = labels_name(&p->model->labels, p->choice[i]);
    }
    return true;
}

/* Makes the parts of labels or arcs, of a sentence that fits the model. */
static bool first_parts(struct predictor *p, const struct sentence *s, struct parts *parts, struct vouch_error *err)
{
    if (!p->model->trees)
        return encoder_run(p->encoder, s, parts, err);
    if ((!s->tree && !make_tree(s, &p->tree, err)) || !RESERVE(p->word, p->word_capacity, (size_t)s->N + 1, err))
        return false;
    arc_observe(s->tree ? s : &p->tree, p->word);
    return arc_parts(p->word, s->N, p->model->bits[0], &p->encoding, parts, err);
}

/* Makes probabilities of the scores, up to a factor, by the scale that calibration has found. */
static void relate_scores(const struct vouch_request *request, double *score, uint32_t count)
{
    double c = request->estimator ? request->estimator->layer[0].confidence_model.params[0].c : default_method_params.c;
    for (uint32_t k = count; k-- > 0;)
        score[k] = exp_of(c * (score[k] - score[0]));
}

bool predictor_best(struct predictor *p, const vouch_sentence *sentence, uint32_t K, struct best_answers *best,
                    struct vouch_error *err)
{
    const struct sentence *s = sentence->view;
    bool trees = p->model->trees, labels = !trees || p->model->layers > 1;
    struct parts parts;
    uint32_t *choice, found = 0;
    size_t room = size_times(K, s->N);
    arena_reset(&best->arena);
    *best = (struct best_answers){.N = s->N, .arena = best->arena};
    if (model_lacks_weights(p->model))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model with weights", p->model->file.name);
    if (s->N == 0 || s->boundary)
        return true;
    if (!fits(p->model, sentence, err) || !ARENA_ARRAY(choice, room, &best->arena, err) ||
        !ARENA_ARRAY(best->relative, K, &best->arena, err) ||
        (labels && !ARENA_ARRAY(best->label, room, &best->arena, err)) ||
        !RESERVE(p->choice, p->choice_capacity, (size_t)s->N + 1, err) || !first_parts(p, s, &parts, err) ||
        !best_choices(p, &parts, K, choice, best->relative, &found, err))
        return false;
    relate_scores(p->request, best->relative, found);
    if (!trees)
        return best_labels(p, choice, found, best, err);
    best->head = choice;
    best->count = labels ? 0 : found;
    return !labels || best_relations(p, found, best, err);
}
