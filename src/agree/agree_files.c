/*
 * Reads the files of several annotators side by side, and asks a model about what they differ in: see agree.h.
 *
 * All files have the same words in the same sentences, in any format that has labels or trees. A label "_" or "?" is
 * none. A sentence that is labelled nowhere is left out; document marks are passed over.
 */
#include "agree/agree.h"

#include "answer/answer_stream.h"
#include "answer/model_input.h"
#include "answer/request.h"
#include "model/records.h"
#include "text/reader.h"

#include <math.h>
#include <string.h>

#define OPTIONS struct agree_options
/* clang-format off */
static const struct option_spec option[] = {
    TEXT("model", 'm', model, "FILE", OPTION_OF_PROGRAM | OPTION_READ,
     "ask this model about what annotators differ in, and list first what it is surest of"),
    INTEGER("list", 0, list, "N", 0, 1e9, OPTION_MATTERS, "list N of the places in which annotators differ"),
    INTEGER("resamples", 0, resamples, "N", 10, 1e6, OPTION_MATTERS, "of sentences, for the intervals"),
    FLAG("trees", 0, trees, OPTION_MATTERS, "compare trees; CoNLL-U is read so unless --column names labels"),
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTIONS_WORK,
    OPTIONS_END,
};

static const struct option_rule rule[] = {
    {.needs = "files", .message = "expected at least two files, one of each annotator"},
    {.with = "threads", .needs = "model", .message = "--%s is for asking a model: expected -m MODEL"},
    {0},
};
/* clang-format on */

static const struct agree_options usual = {.common = USUAL_COMMON, .resamples = 1000, .list = 20};
const struct option_table agree_options = {"agree", option, &usual, sizeof usual, NULL, rule};

/* The files, open side by side. */
struct side_by_side {
    struct reader *reader[MOST_ANNOTATORS];
    struct sentence sentence[MOST_ANNOTATORS];
    struct text *label[MOST_ANNOTATORS]; /* [N] without those that are none */
    size_t label_capacity[MOST_ANNOTATORS];
    uint32_t count;
};

static void release(struct side_by_side *f)
{
    for (uint32_t a = 0; a < f->count; a++) {
        reader_close(f->reader[a]);
        sentence_release(&f->sentence[a]);
        free(f->label[a]);
    }
}

/* Reads the next sentence of a file, without document marks. */
static enum reading next_of(struct side_by_side *f, uint32_t a, struct vouch_error *err)
{
    enum reading state;
    do
        state = reader_next(f->reader[a], &f->sentence[a], err);
    while (state == READ_SENTENCE && (f->sentence[a].boundary || f->sentence[a].rest));
    return state;
}

/* Fails unless all files have the same words here. */
static bool same_words(const struct side_by_side *f, uint32_t a, struct vouch_error *err)
{
    const struct sentence *one = &f->sentence[0], *other = &f->sentence[a];
    const struct text end = text_of("the end of the sentence");
    for (uint32_t i = 0; i < one->N || i < other->N; i++) {
        struct text x = i < one->N ? sentence_form(one, i) : end, y = i < other->N ? sentence_form(other, i) : end;
        if (i >= one->N || i >= other->N || !text_equal(x, y))
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:%llu and %s:%llu: expected the same words, found \"%.*s\" and \"%.*s\"",
                        reader_path(f->reader[0]),
                        (unsigned long long)(i < one->N ? reader_line(f->reader[0], one, i) : one->number),
                        reader_path(f->reader[a]),
                        (unsigned long long)(i < other->N ? reader_line(f->reader[a], other, i) : other->number),
                        excerpt(x), x.at, excerpt(y), y.at);
    }
    return true;
}

/* Reads the next sentence of all files. */
static enum reading next_of_all(struct side_by_side *f, struct vouch_error *err)
{
    enum reading first = next_of(f, 0, err);
    for (uint32_t a = 1; a < f->count && first != READ_FAILED; a++) {
        enum reading state = next_of(f, a, err);
        if (state == READ_FAILED)
            return READ_FAILED;
        if (state != first) {
            uint32_t longer = state == READ_SENTENCE ? a : 0;
            fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected no more sentences: %s has no more",
                 reader_path(f->reader[longer]), (unsigned long long)f->sentence[longer].number,
                 reader_path(f->reader[longer ? 0 : a]));
            return READ_FAILED;
        }
        if (state == READ_SENTENCE && !same_words(f, a, err))
            return READ_FAILED;
    }
    return first;
}

/* Returns what a file says of its sentence. */
static bool annotation_of(struct side_by_side *f, uint32_t a, struct annotation *into, struct vouch_error *err)
{
    const struct sentence *s = &f->sentence[a];
    *into = (struct annotation){0};
    if (!s->labelled)
        return true;
    if (!RESERVE(f->label[a], f->label_capacity[a], (size_t)s->N + 1, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        bool open = text_is(s->gold[i], "_") || text_is(s->gold[i], "?");
        f->label[a][i] = open ? (struct text){NULL, 0} : s->gold[i];
    }
    *into = (struct annotation){.label = f->label[a], .head = s->tree ? s->head : NULL};
    return true;
}

static bool add_all(struct agreement *g, struct side_by_side *f, struct vouch_error *err)
{
    struct annotation by[MOST_ANNOTATORS];
    enum reading state;
    while ((state = next_of_all(f, err)) == READ_SENTENCE) {
        for (uint32_t a = 0; a < f->count; a++)
            if (!annotation_of(f, a, &by[a], err))
                return false;
        if (!agreement_add(g, f->sentence[0].N, by, err))
            return false;
    }
    return state == READ_END;
}

static bool open_all(struct side_by_side *f, const struct agree_options *options, struct vouch_error *err)
{
    struct reader_options reading;
    if (options->common.arguments > MOST_ANNOTATORS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d files, found %zu", MOST_ANNOTATORS,
                    options->common.arguments);
    if (!reading_options(&options->reading, &reading, err))
        return false;
    reading.trees = options->trees;
    reading.answered = true;
    for (size_t i = 0; i < options->common.arguments; i++) {
        struct reader *reader = reader_open(options->common.argument[i], &reading, err);
        if (!reader)
            return false;
        f->reader[f->count++] = reader;
        if (reader->trees != f->reader[0]->trees)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected %s, as in %s, found %s", options->common.argument[i],
                        f->reader[0]->trees ? "trees" : "labels", options->common.argument[0],
                        f->reader[0]->trees ? "labels" : "trees");
    }
    return true;
}

/* ---- The model ---- */

struct asking {
    struct agreement *g;
    uint32_t sentence;
};

static bool take_answer(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                        struct vouch_error *err)
{
    struct asking *asking = context;
    (void)err;
    if (!sentence->boundary && !sentence->rest)
        agreement_think(asking->g, asking->sentence++, answer);
    return true;
}

/* Asks a model about the text of the first file, for all choices of every word. */
static bool ask(struct agreement *g, const struct agree_options *options, const struct vouch_model *model,
                struct vouch_error *err)
{
    struct answer_options asked = {USUAL_ANSWERING};
    struct reader_options reading;
    asked.common.work.threads = options->common.work.threads;
    asked.common.table = request_options(model);
    asked.doubt.alternatives = 1000;
    struct estimate_request marginals = {.otherwise = "gamma"}; /* of a model that was not calibrated */
    struct vouch_request *request = NULL;
    struct asking asking = {.g = g};
    struct answer_sink sink = {.take = take_answer, .context = &asking, .watch = options->common.work.watch};
    bool ok = reading_options(&options->reading, &reading, err);
    reading.trees = model->trees;
    model_input_settle(model, &reading);
    ok = ok && (request = request_new(model, &asked, &marginals, err)) &&
         answer_files(request, &reading, options->common.argument, 1, &sink, err);
    vouch_request_free(request);
    return ok;
}

bool agree_files(struct agreement *g, const struct agree_options *options, const struct vouch_model *model,
                 struct vouch_error *err)
{
    struct side_by_side f = {0};
    bool ok = open_all(&f, options, err);
    g->annotators = f.count;
    g->trees = ok && f.reader[0]->trees;
    if (ok && model && model->trees != g->trees)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "-m: expected a model of %s, found one of %s", g->trees ? "trees" : "labels",
                  g->trees ? "labels" : "trees");
    ok = ok && add_all(g, &f, err);
    release(&f);
    ok = ok && agreement_measure(g, options->resamples, options->common.work.seed, err);
    if (ok && model)
        ok = ask(g, options, model, err);
    if (ok)
        agreement_sort(g);
    return ok;
}

/* ---- JSON ---- */

static json_t *describe_figure(const struct agreement_figure *f, const char *const *name)
{
    json_t *between = f->measure == MEASURE_ALPHA ? json_null() : json_pack("[s, s]", name[f->a], name[f->b]);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:I}", "level", agreement_level_names[f->level], "measure",
                     agreement_measure_names[f->measure], "between", between, "value", figure_json(f->value), "low",
                     figure_json(f->interval.low), "high", figure_json(f->interval.high), "units",
                     (json_int_t)f->units);
}

static json_t *describe_disagreement(const struct agreement *g, const struct disagreement *d)
{
    json_t *answers = json_array(), *probabilities = json_array();
    for (uint32_t a = 0; a < g->annotators; a++) {
        const char *reading = g->reading[d->readings + a];
        json_array_append_new(answers, reading ? json_string(reading) : json_null());
        json_array_append_new(probabilities, figure_json(g->probability[d->readings + a]));
    }
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "sentence", (json_int_t)d->sentence, "from",
                     (json_int_t)d->from, "to", (json_int_t)d->to, "answers", answers, "probabilities", probabilities,
                     "lead", figure_json(d->lead));
}

json_t *agreement_json(const struct agreement *g, const char *const *name, size_t list, struct vouch_error *err)
{
    json_t *names = json_array(), *figures = json_array(), *differ = json_array();
    bool ok = true;
    for (uint32_t a = 0; a < g->annotators; a++)
        ok = json_array_append_new(names, json_string(name[a])) == 0 && ok;
    for (size_t f = 0; f < g->figures; f++)
        ok = json_array_append_new(figures, describe_figure(&g->figure[f], name)) == 0 && ok;
    for (size_t i = 0; i < g->disagreements && i < list; i++)
        ok = json_array_append_new(differ, describe_disagreement(g, &g->disagreement[i])) == 0 && ok;
    json_t *result = json_pack("{s:o, s:I, s:I, s:o, s:I, s:o}", "annotators", names, "sentences",
                               (json_int_t)g->sentences, "words",
                               (json_int_t)(g->sentences ? g->first[g->sentences] : 0), "figures", figures,
                               "differ", (json_int_t)g->disagreements, "disagreements", differ);
    if (result && ok)
        return result;
    json_decref(result);
    fail_memory(err);
    return NULL;
}
