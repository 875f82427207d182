/* Calibrates another program's scores: see judge_gold.h. */
#include "cli/judge_gold.h"

#include "base/watch.h"
#include "answer/model_input.h"
#include "scores/score_files.h"
#include "answer/seen_before.h"

#include <string.h>

/* The state of reading the gold. */
struct gathering {
    const struct vouch_model *model;
    struct vouch_judge_gold *gold;
    struct score_work work;
    struct score_files *turned; /* the same arcs in the other order; NULL: labels */
    struct score_work turned_work;
    uint64_t best[2];       /* words whose gold head has the best score, in the order that was given and in the other */
    uint64_t as_spelled[2]; /* words whose gold label has the best score: as the model spells it, and as the file does;
                               counted where these differ */
    struct text *label;
    const char **name; /* [N] */
    size_t *head;      /* [N] */
    struct buffer bytes;
    struct label_work respelling;
    uint64_t known;
    size_t label_capacity, name_capacity, head_capacity;
};

static void gathering_release(struct gathering *g)
{
    vouch_judge_gold_free(g->gold);
    score_work_release(&g->work);
    score_work_release(&g->turned_work);
    score_files_free(g->turned);
    label_work_release(&g->respelling);
    free(g->label);
    free(g->name);
    free(g->head);
    free(g->bytes.bytes);
}

/* Makes strings of the gold labels, as the model spells them. */
static bool spell_gold(struct gathering *g, const struct sentence *sentence, struct vouch_error *err)
{
    uint32_t N = sentence->N;
    if (!RESERVE(g->label, g->label_capacity, (size_t)N + 1, err) ||
        !RESERVE(g->name, g->name_capacity, (size_t)N + 1, err))
        return false;
    memcpy(g->label, sentence->gold, sizeof *g->label * N);
    if (!labels_respell(&g->model->labels, g->label, N, &g->respelling, err))
        return false;
    g->bytes.length = 0;
    for (uint32_t n = 0; n < N; n++) {
        g->known += dictionary_find(&g->model->labels.names, g->label[n]) != 0;
        if (!buffer_add(&g->bytes, g->label[n], err) || !buffer_put(&g->bytes, '\0', err))
            return false;
    }
    const char *at = g->bytes.bytes;
    for (uint32_t n = 0; n < N; n++, at += strlen(at) + 1)
        g->name[n] = at;
    return true;
}

/* Returns the label of word n that scores best, in the first set. */
static struct text best_label(const struct vouch_model *model, const struct vouch_chain_scores *scores, uint32_t n)
{
    const float *score = scores->node + (size_t)n * scores->labels;
    uint32_t best = 0;
    for (uint32_t y = 1; y < scores->labels; y++)
        best = score[y] > score[best] ? y : best;
    return labels_name(&model->labels, best);
}

/* Counts which spelling of gold the scores follow. */
static void compare_spellings(struct gathering *g, const struct sentence *sentence,
                              const struct vouch_chain_scores *scores)
{
    for (uint32_t n = 0; n < sentence->N; n++)
        if (!text_equal(sentence->gold[n], g->label[n])) {
            struct text best = best_label(g->model, scores, n);
            g->as_spelled[0] += text_equal(best, g->label[n]);
            g->as_spelled[1] += text_equal(best, sentence->gold[n]);
        }
}

static bool add_labels(struct gathering *g, const struct sentence *sentence, struct vouch_error *err)
{
    struct vouch_chain_scores scores;
    if (!spell_gold(g, sentence, err) ||
        !score_files_chain(g->model->given, &sentence->place, sentence->N, &g->work, &scores, err))
        return false;
    compare_spellings(g, sentence, &scores);
    return vouch_judge_gold_chain(g->gold, &scores, g->name, err) == VOUCH_OK;
}

/* Returns the number of words whose gold head scores best. */
static uint64_t count_best(const struct vouch_tree_scores *scores, const uint32_t *head)
{
    size_t N = scores->words, nodes = N + 1;
    uint64_t count = 0;
    for (size_t m = 1; m <= N; m++) {
        size_t best = m == 1 ? 2 : 1;
        for (size_t h = 0; h <= N; h++)
            if (h != m && (best > N || scores->arc[h * nodes + m] > scores->arc[best * nodes + m]))
                best = h;
        count += best == head[m - 1];
    }
    return count;
}

static bool add_heads(struct gathering *g, const struct sentence *sentence, struct vouch_error *err)
{
    struct vouch_tree_scores scores, turned;
    uint32_t N = sentence->N;
    if (!RESERVE(g->head, g->head_capacity, (size_t)N + 1, err) ||
        !score_files_tree(g->model->given, &sentence->place, N, &g->work, &scores, err))
        return false;
    for (uint32_t n = 0; n < N; n++)
        g->head[n] = sentence->head[n];
    g->best[0] += count_best(&scores, sentence->head);
    if (score_files_tree(g->turned, &sentence->place, N, &g->turned_work, &turned, NULL))
        g->best[1] += count_best(&turned, sentence->head);
    return vouch_judge_gold_tree(g->gold, &scores, g->head, err) == VOUCH_OK;
}

static bool add(struct judge_gold *j, struct gathering *g, struct reader *reader, const struct sentence *sentence,
                struct vouch_error *err)
{
    if (!sentence->labelled)
        return fail_without_gold(reader, sentence, err);
    j->sentences++;
    j->words += sentence->N;
    if (watch_stops(j->watch))
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    return (g->model->trees ? add_heads : add_labels)(g, sentence, err);
}

static bool read_gold(struct judge_gold *j, struct gathering *g, struct reader *reader, struct vouch_error *err)
{
    struct sentence sentence = {0};
    enum reading state;
    bool ok = true;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        if (!sentence.boundary && sentence.N > 0)
            ok = add(j, g, reader, &sentence, err) || reader_blame(reader, &sentence, err);
    sentence_release(&sentence);
    struct sentence_place end = reader->place;
    return ok && state == READ_END && score_files_end(g->model->given, &end, err);
}

/* Fails if the gold heads tell that the order of the arcs is the other one. */
static bool check_order(const struct judge_gold *j, const struct gathering *g, struct vouch_error *err)
{
    const json_t *arcs = json_object_get(g->model->header, "arcs");
    const char *order = json_string_value(json_object_get(arcs, "order"));
    if (!g->model->trees || g->best[1] <= g->best[0] + j->words / 20)
        return true;
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: with --arcs %s, %.1f %% of the gold heads score best, but %.1f %% in the other order: expected "
                "the other order",
                j->settings->source.scores, order ? order : "?", 100 * (double)g->best[0] / (double)j->words,
                100 * (double)g->best[1] / (double)j->words);
}

/* Fails if the scores spell chunks as the gold does, and not as the model is said to. */
static bool check_scheme(const struct judge_gold *j, const struct gathering *g, struct vouch_error *err)
{
    if (g->as_spelled[1] <= g->as_spelled[0])
        return true;
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: the best labels follow the gold as it is spelled, not as %s spells it: expected --scheme with the "
                "scheme of %s",
                j->settings->source.scores, scheme_name(g->model->labels.outer), j->settings->gold_file);
}

/* Puts what calibrating found into the header, and where the gold is, so that later commands find it. */
static bool keep(struct judge_gold *j, const struct gathering *g, const struct reader *reader, struct vouch_error *err)
{
    json_error_t problem;
    j->header_text = vouch_judge_json(j->calibrated);
    j->header = json_loads(j->header_text, 0, &problem);
    if (!j->header)
        return fail_memory(err);
    if (!g->model->trees && reader_column(reader))
        json_object_set_new(j->header, "column", json_string(column_name(reader_column(reader))));
    else if (j->reading.gold > 0)
        json_object_set_new(j->header, "gold", json_integer(j->reading.gold));
    return true;
}

static bool run(struct judge_gold *j, struct gathering *g, const vouch_judge *judge, struct reader *reader,
                struct vouch_error *err)
{
    if (!(g->gold = vouch_judge_gold_new(judge, err)) || !read_gold(j, g, reader, err))
        return false;
    if (j->words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", reader_path(reader));
    if (!g->model->trees && !g->known)
        warn_of_unknown_labels(j->watch);
    if (!check_order(j, g, err) || !check_scheme(j, g, err))
        return false;
    j->calibrated = vouch_judge_calibrate(judge, g->gold, (unsigned)j->settings->common.work.threads, j->watch, err);
    return j->calibrated && keep(j, g, reader, err);
}

bool judge_gold_run(struct judge_gold *j, const struct vouch_model *model, struct vouch_error *err)
{
    struct gathering g = {.model = model};
    model_input_settle(model, &j->reading);
    struct reader *reader = reader_open(j->settings->gold_file, &j->reading, err);
    vouch_judge *judge = reader ? vouch_judge_from_json(model->header_text, NULL, err) : NULL;
    bool ok = judge != NULL;
    if (ok && model->trees) {
        struct score_layout other = score_layout_of(model);
        other.modifier_first = !other.modifier_first;
        ok = (g.turned = score_files_open(&other, &j->settings->source, err)) != NULL;
    }
    ok = ok && run(j, &g, judge, reader, err);
    vouch_judge_free(judge);
    reader_close(reader);
    gathering_release(&g);
    return ok;
}

void judge_gold_release(struct judge_gold *j)
{
    json_decref(j->header);
    vouch_judge_free(j->calibrated);
}
