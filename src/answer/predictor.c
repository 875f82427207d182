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

#include <math.h>

struct predictor {
    const struct vouch_request *request;
    const struct vouch_model *model;
    struct text_counts *counted; /* where answers are counted instead of given; NULL: they are given */
    struct encoder *encoder;      /* of words to label; NULL: the model parses, or has no weights */
    struct score_sets outside;    /* the scores of another program, for a model without weights */
    struct score_work reading;
    struct workspace workspace[MAX_MODEL_LAYERS];
    struct scores scores, marginal;
    struct scratch encoding, decoding;
    struct label_work work;
    struct sentence tree;                    /* the caller's cells as a tree */
    const uint32_t *known[MAX_MODEL_LAYERS]; /* [N] choices of the sentence that are known: struct parts; or NULL */
    const struct transitions *transitions;   /* that its labels may have; NULL: any */
    uint32_t *known_label;
    const struct further_rows *given; /* features of what is around it; NULL: those that it was read with */
    struct joined_rows joined;
    struct text *label; /* those of the answer that is being made */
    uint32_t *head;
    struct arc_word *word;
    struct first_work first; /* of a parser's first stage */
    struct first_tree *said; /* by it */
    uint32_t *choice;
    size_t word_capacity, choice_capacity, known_capacity;
};

void answer_release(struct vouch_answer *a)
{
    estimates_release(&a->estimates);
    changed_labels_release(&a->by_point);
    *a = (struct vouch_answer){0};
}

/* Returns the transitions that answers may have; scores from elsewhere come with theirs. */
static const struct transitions *own_transitions(const struct vouch_model *model)
{
    return model->transitions.allowed && !model_lacks_weights(model) ? &model->transitions : NULL;
}

struct predictor *predictor_new(const struct vouch_request *request, struct vouch_error *err)
{
    const struct vouch_model *model = request->model;
    struct predictor *p = new_array(1, sizeof *p, err);
    if (!p)
        return NULL;
    *p = (struct predictor){.request = request, .model = model};
    p->transitions = own_transitions(model);
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
    scores_release(&p->marginal);
    scratch_release(&p->encoding);
    scratch_release(&p->decoding);
    joined_rows_release(&p->joined);
    label_work_release(&p->work);
    sentence_release(&p->tree);
    first_work_release(&p->first);
    free(p->said);
    free(p->word);
    free(p->choice);
    free(p->known_label);
    free(p);
}

void predictor_use_text(struct predictor *p, const struct text_counts *text)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        p->workspace[l].text = &text->layer[l];
}

void predictor_count(struct predictor *p, struct text_counts *counted)
{
    p->counted = counted;
}

void predictor_give(struct predictor *p, const struct further_rows *further)
{
    p->given = further;
}

/* Makes the parts of a sentence to label, with the features of what is around it, if these are known. */
static bool label_parts(struct predictor *p, const struct sentence *sentence, struct parts *parts,
                        struct vouch_error *err)
{
    const struct further_rows *further = p->given ? p->given : &sentence->further;
    if (!encoder_run(p->encoder, sentence, parts, err))
        return false;
    bool known = p->model->context.sentences && further->N > 0 && further->N == sentence->N;
    return !known || join_rows(&p->joined, further, &parts->node, err);
}

/* Finds the best choice of one layer in `choice`, counted, or judged if there is an estimator. */
static bool choose(struct predictor *p, uint32_t l, struct parts *parts, uint32_t *choice, struct vouch_answer *to,
                   struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[l];
    parts->known = p->known[l];
    parts_restrict(parts, p->transitions);
    const struct model_voice *voice = &layer->voice[0];
    double score;
    if (!p->request->estimator || p->counted)
        return parts_score_steps(parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) &&
               layer_structure(p->model, l)->best(&p->scores, &p->decoding, choice, &score, err) &&
               (!p->counted || text_counts_add(p->counted, l, parts, choice, err));
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
    struct rated_labels rated = {
        .N = to->N, .label = to->label, .least = least, .other = to->confidences->by_method->other};
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

static bool find_labels(struct predictor *p, struct parts *parts, struct vouch_answer *to, struct vouch_error *err)
{
    to->label = p->label;
    return choose(p, 0, parts, p->choice, to, err) &&
           labels_write(&p->model->labels, p->choice, to->N, &p->work, p->label, err);
}

/* Makes the parts of arcs, of words that were observed: those of the second stage if the model has two. */
static bool make_arcs(struct predictor *p, uint32_t N, struct parts *parts, struct vouch_error *err)
{
    if (!model_has_first(p->model))
        return arc_parts(p->word, N, p->model->bits[0], &p->encoding, parts, err);
    struct first_stage stage = model_first_stage(p->model);
    free(p->said);
    p->said = first_tree_find(&stage, p->word, N, &p->first, err);
    return p->said && stacked_parts(p->word, p->said, p->model->bits[0], &p->encoding, parts, err);
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
    if (!make_arcs(p, N, &parts, err) || !choose(p, 0, &parts, p->head, to, err))
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
          : p->encoder                  ? label_parts(p, sentence, &parts, err) && find_labels(p, &parts, to, err)
                                        : find_tree(p, sentence, to, err)))
        return false;
    return p->counted || finish(p->request, sentence, to, err);
}

bool predictor_answer_scores(struct predictor *p, const struct score_sets *scores, struct vouch_answer *to,
                             struct vouch_error *err)
{
    return begin(p, scores->mean.N, to, err) && find_by_scores(p, scores, to, err) && finish(p->request, NULL, to, err);
}

bool sentence_fits(const struct vouch_model *model, const vouch_sentence *sentence, struct vouch_error *err)
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

/* Finds the choices of the labels, or relations, that are known. */
static bool know_labels(struct predictor *p, const struct known_answer *known, uint32_t N, struct vouch_error *err)
{
    const struct tag_labels *labels = &p->model->labels;
    if (!RESERVE(p->known_label, p->known_capacity, (size_t)N + 1, err))
        return false;
    if (!p->model->trees && !labels_choose(labels, NULL, known->label, N, &p->work, p->known_label, err)) {
        err->status = err->status == VOUCH_ERR_FORMAT ? VOUCH_ERR_ARGUMENT : err->status;
        return false;
    }
    for (uint32_t i = 0; i < N; i++) {
        struct text label = known->label[i];
        uint32_t number = p->model->trees ? dictionary_find(&labels->names, label) : 0;
        if (p->model->trees)
            p->known_label[i] = label.length == 0 ? OPEN_CHOICE : number ? number - 1 : NO_LABEL;
        if (p->known_label[i] == NO_LABEL)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a %s that the model knows, found '%.*s'", i + 1,
                        p->model->trees ? "relation" : "label", excerpt(label), label.at);
    }
    p->known[p->model->trees ? 1 : 0] = p->known_label;
    bool allowed = true;
    if (p->transitions && !transitions_allow(p->transitions, p->known_label, N, &allowed, err))
        return false;
    p->transitions = allowed ? p->transitions : NULL;
    return true;
}

/*
 * Takes what the caller knows of the answer, until forget(). Labels that no answer within the scheme has are kept, and
 * the sentence is then answered without the scheme.
 */
static bool know(struct predictor *p, const vouch_sentence *sentence, struct vouch_error *err)
{
    const struct known_answer *known = &sentence->known;
    if (known->head && !p->model->trees)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected labels that are known, found heads: the model does not parse");
    if (known->label && p->model->trees && p->model->layers < 2)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected heads that are known, found relations: the model has none");
    p->known[0] = known->head;
    return !known->label || know_labels(p, known, sentence->view->N, err);
}

static void forget(struct predictor *p)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        p->known[l] = NULL;
    p->transitions = own_transitions(p->model);
}

/* Answers a sentence of the caller that fits the model. */
static bool answer_fitting(struct predictor *p, const vouch_sentence *sentence, struct vouch_answer *to,
                           struct vouch_error *err)
{
    const struct sentence *s = sentence->view;
    if (!know(p, sentence, err))
        return false;
    if (!p->model->trees || s->tree)
        return predictor_answer(p, s, to, err);
    return make_tree(s, &p->tree, err) && predictor_answer(p, &p->tree, to, err);
}

bool predictor_answer_caller(struct predictor *p, const vouch_sentence *sentence, struct vouch_answer *to,
                             struct vouch_error *err)
{
    const struct sentence *s = sentence->view;
    if (s->boundary || s->faulty || (s->N == 0 && sentence->cells))
        return predictor_abstain(p, s->N, to, err);
    bool ok = sentence_fits(p->model, sentence, err) && answer_fitting(p, sentence, to, err);
    forget(p);
    return ok;
}

/* ---- The K best answers ---- */

void best_release(struct vouch_best *best)
{
    answer_release(&best->answer);
    arena_release(&best->arena);
    *best = (struct vouch_best){0};
}

/* Finds the K best choices of labels or heads, [K][N], and their scores. */
static bool best_choices(struct predictor *p, struct parts *parts, uint32_t K, uint32_t *choice, double *score,
                         uint32_t *found, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[0];
    const struct model_voice *voice = &layer->voice[0];
    parts->known = p->known[0];
    parts_restrict(parts, p->transitions);
    return parts_score_steps(parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) &&
           layer_structure(p->model, 0)->kbest(&p->scores, K, &p->decoding, choice, score, found, err);
}

/* Finds the probability of an answer of that score where scores are scaled so. */
static bool probability_at(struct predictor *p, double scale, double score, double *probability,
                           struct vouch_error *err)
{
    double log_z;
    if (!layer_structure(p->model, 0)->marginals(&p->scores, scale, &p->decoding, &p->marginal, &log_z, err))
        return false;
    *probability = exp_of(scale * score - log_z);
    return true;
}

/* Finds the scale at which the best answer is as probable as `wanted`, by halving what lies around *scale. */
static bool find_scale(struct predictor *p, double score, double wanted, double *scale, struct vouch_error *err)
{
    double low = *scale / 1024, high = *scale * 1024, found;
    for (int i = 0; i < 20; i++) {
        *scale = sqrt(low * high);
        if (!probability_at(p, *scale, score, &found, err))
            return false;
        *(found < wanted ? &low : &high) = *scale;
    }
    return true;
}

/* Makes probabilities of the scores of the best answers: see predictor.h. */
static bool relate_scores(struct predictor *p, const struct vouch_answer *answer, double *score, uint32_t count,
                          struct vouch_error *err)
{
    const struct estimator *e = p->request->estimator;
    double scale = e ? e->layer[0].confidence_model.params[0].c : default_method_params.c, first;
    bool calibrated = e && e->sentences && chosen_is_calibrated_for(e, 0, 0, UNIT_SENTENCE);
    if (calibrated)
        first = answer->confidences->by_method[0].sentence;
    if (!(calibrated ? count == 1 || find_scale(p, score[0], first, &scale, err)
                     : probability_at(p, scale, score[0], &first, err)))
        return false;
    double rest = 1 - first, best = score[0];
    score[0] = first;
    for (uint32_t k = 1; k < count; k++) {
        score[k] = fmin(first * exp_of(scale * (score[k] - best)), rest);
        rest -= score[k];
    }
    return true;
}

/* Whether answer `k` is written as one before it is: schemes may spell two choices alike. */
static bool is_repeated(const struct vouch_best *best, uint32_t k)
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

static bool best_labels(struct predictor *p, const uint32_t *choice, uint32_t found, struct vouch_best *best,
                        struct vouch_error *err)
{
    for (uint32_t k = 0; k < found; k++) {
        best->probability[best->count] = best->probability[k];
        if (!labels_write(&p->model->labels, choice + (size_t)k * best->N, best->N, &p->work,
                          best->label + (size_t)best->count * best->N, err))
            return false;
        best->count += !is_repeated(best, best->count);
    }
    return true;
}

static bool best_relations(struct predictor *p, uint32_t found, struct vouch_best *best, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[1];
    const struct model_voice *voice = &layer->voice[0];
    double score;
    for (best->count = 0; best->count < found; best->count++) {
        size_t at = (size_t)best->count * best->N;
        struct parts parts;
        if (!relation_parts(p->word, best->head + at, best->N, p->model->bits[1], &p->encoding, &parts, err))
            return false;
        parts.known = p->known[1];
        if (!parts_score_steps(&parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) ||
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
        return label_parts(p, s, parts, err);
    if ((!s->tree && !make_tree(s, &p->tree, err)) || !RESERVE(p->word, p->word_capacity, (size_t)s->N + 1, err))
        return false;
    arc_observe(s->tree ? s : &p->tree, p->word);
    return make_arcs(p, s->N, parts, err);
}

/* Does what predictor_best() does for a sentence with words, whose best answer has been judged. */
static bool find_best(struct predictor *p, const vouch_sentence *sentence, uint32_t K, struct vouch_best *best,
                      struct vouch_error *err)
{
    bool trees = p->model->trees, labels = !trees || p->model->layers > 1;
    struct parts parts;
    uint32_t *choice, found = 0;
    size_t room = size_times(K, best->N);
    if (!know(p, sentence, err) || !ARENA_ARRAY(choice, room, &best->arena, err) ||
        !ARENA_ARRAY(best->probability, K, &best->arena, err) ||
        (labels && !ARENA_ARRAY(best->label, room, &best->arena, err)) ||
        !RESERVE(p->choice, p->choice_capacity, (size_t)best->N + 1, err) ||
        !first_parts(p, sentence->view, &parts, err) ||
        !best_choices(p, &parts, K, choice, best->probability, &found, err) ||
        !relate_scores(p, &best->answer, best->probability, found, err))
        return false;
    if (!trees)
        return best_labels(p, choice, found, best, err);
    best->head = choice;
    best->count = labels ? 0 : found;
    return !labels || best_relations(p, found, best, err);
}

bool predictor_best(struct predictor *p, const vouch_sentence *sentence, uint32_t K, struct vouch_best *best,
                    struct vouch_error *err)
{
    arena_reset(&best->arena);
    best->model = p->model;
    best->count = 0;
    best->label = NULL;
    best->head = NULL;
    if (model_lacks_weights(p->model))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model with weights", p->model->file.name);
    if (!predictor_answer_caller(p, sentence, &best->answer, err))
        return false;
    best->N = best->answer.N;
    bool ok = best->N == 0 || sentence->view->boundary || find_best(p, sentence, K, best, err);
    forget(p);
    return ok;
}
