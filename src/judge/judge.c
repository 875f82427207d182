/*
 * Makes judges of scores from elsewhere, lets them judge, and keeps them in files: see vouch.h.
 *
 * A judge is a model without weights, whose header is all that there is of it. The model is made of the header's text,
 * with as many digits as a file has, so that a judge cannot differ from one that was saved.
 */
#include "judge/judge.h"

#include "base/json_read.h"
#include "base/output.h"
#include "base/error.h"

#include <strings.h>

enum { MOST_BEST = 1000, MOST_ALTERNATIVES = 1000 };
#define LARGEST_PARAMETER 1e12

bool take_sized(void *to, size_t known, const void *from, size_t least, struct vouch_error *err)
{
    size_t size;
    if (!is_given(from, "a structure", err))
        return false;
    memcpy(&size, from, sizeof size);
    if (size < least || size > 1 << 16)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a structure's own size as its first member, found %zu", size);
    for (size_t i = known; i < size; i++)
        if (((const char *)from)[i])
            return fail(err, VOUCH_ERR_ARGUMENT, "expected a structure of this version, %s, found a later one's",
                        vouch_version());
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    return true;
}

/* Takes the options as they are given; defaults are filled in where they are used. */
static bool take_options(struct vouch_judge_options *to, const struct vouch_judge_options *from,
                         struct vouch_error *err)
{
    *to = (struct vouch_judge_options){.size = sizeof *to};
    if (from && !take_sized(to, sizeof *to, from, offsetof(struct vouch_judge_options, threshold), err))
        return false;
    if (to->sets > MAX_SETS || to->best > MOST_BEST || to->draws > MAX_DRAWS || to->alternatives > MOST_ALTERNATIVES)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "expected at most %d sets, %d best answers, %d draws and %d alternatives, found %zu, %zu, %zu and "
                    "%zu",
                    MAX_SETS, MOST_BEST, MAX_DRAWS, MOST_ALTERNATIVES, to->sets, to->best, to->draws, to->alternatives);
    if (!(to->c >= 0 && to->c <= LARGEST_PARAMETER))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a scale c from 0 to 1e12, found %g", to->c);
    if (!(to->s >= 0 && to->s <= LARGEST_PARAMETER))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a variance s from 0 to 1e12, found %g", to->s);
    return (to->threshold >= 0 && to->threshold <= 1) ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected a threshold from 0 to 1, found %g", to->threshold);
}

/* Returns the same as options of vouch tag. */
static struct answer_options answering(const struct vouch_judge_options *from)
{
    struct answer_options to;
    options_init(&tag_options, &to);
    to.confidence.methods = from->methods;
    to.confidence.raw = from->raw != 0;
    to.confidence.draws = (uint32_t)from->draws;
    to.doubt.alternatives = (uint32_t)from->alternatives;
    to.doubt.sets = from->choices != 0;
    to.doubt.threshold = from->threshold > 0 ? from->threshold : to.doubt.threshold;
    to.doubt.replace = from->replace;
    to.operating_point = from->operating_point != 0;
    return to;
}

/* Describes the parameters, with nothing calibrated. */
static json_t *describe_confidence(const struct vouch_judge_options *o, const char *layer)
{
    struct method_params params = default_method_params;
    params.fix = o->s;
    params.best = o->best ? (uint32_t)o->best : params.best;
    params.draws = o->draws ? (uint32_t)o->draws : params.draws;
    params.c = o->c > 0 ? o->c : params.c;
    return json_pack("{s:i, s:I, s:{s:{s:{s:o}, s:{}}}}", "form", CONFIDENCE_MODEL_FORM, "seed",
                     (json_int_t)(o->seed ? o->seed : 1), "layers", layer, "parameters", "scores",
                     method_params_json(&params), "methods");
}

static json_t *describe(const struct vouch_judge_options *o, const char *layer, const char *task, size_t width)
{
    json_t *layers = json_pack("[{s:s, s:I, s:i, s:i, s:[{s:s, s:b, s:I}]}]", "name", layer, "width", (json_int_t)width,
                               "nodes", 0, "edges", 0, "voices", "algorithm", "scores", "variance", 0, "sets",
                               (json_int_t)(o->sets ? o->sets : 1));
    return json_pack("{s:s, s:s, s:o, s:b, s:o}", "program", "vouch", "task", task, "layers", layers, "constraints",
                     o->constraints != 0, "confidence", describe_confidence(o, layer));
}

static bool find_scheme(const char *asked, const struct text *label, size_t count, enum scheme *scheme,
                        struct vouch_error *err)
{
    *scheme = scheme_of_labels(label, (uint32_t)count);
    return !asked || scheme_named(asked, scheme) ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected a scheme, " SCHEME_NAMES ", found '%.60s'", asked);
}

/* Fails if a chunk of the type cannot be written in the scheme by the labels that it has: those of `letters`. */
static bool check_type(enum scheme scheme, struct text type, unsigned letters, struct vouch_error *err)
{
    enum { B = 1, I = 2, E = 4, S = 8 };
    int length = excerpt(type);
    if (scheme == SCHEME_IOB1 && !(letters & I))
        return fail(err, VOUCH_ERR_ARGUMENT, "scheme IOB1: expected a label I-%.*s, which begins a chunk, found none",
                    length, type.at);
    if (scheme == SCHEME_IOB2 && !(letters & B))
        return fail(err, VOUCH_ERR_ARGUMENT, "scheme IOB2: expected a label B-%.*s, which begins a chunk, found none",
                    length, type.at);
    if (scheme == SCHEME_BIOES && !(letters & S) && (letters & (B | E)) != (B | E))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "scheme BIOES: expected labels B-%.*s and E-%.*s, or S-%.*s, which begin and end a chunk, found "
                    "neither",
                    length, type.at, length, type.at, length, type.at);
    return true;
}

/* Fails if the scheme has no labels that make a chunk of one of the types. */
static bool check_types(enum scheme scheme, const struct text *label, size_t count, struct vouch_error *err)
{
    static const char letters[] = "BIES";
    struct dictionary types = {0};
    unsigned char *seen = new_array(count + 1, sizeof *seen, err); /* by type: a bit for each letter */
    bool ok = seen != NULL;
    for (size_t y = 0; ok && y < count; y++) {
        struct text type;
        char prefix = scheme_split(label[y], &type);
        uint32_t number = prefix && prefix != 'O' ? dictionary_add(&types, type, err) : 0;
        if (number)
            seen[number] |= (unsigned char)(1u << (strchr(letters, prefix) - letters));
        ok = number || !prefix || prefix == 'O';
    }
    for (uint32_t t = 1; ok && t <= types.table.count; t++)
        ok = check_type(scheme, dictionary_text(&types, t), seen[t], err);
    dictionary_release(&types);
    free(seen);
    return ok;
}

/* Fails if the scheme, asked for or with constraints, is none of these labels'. */
static bool check_scheme(const struct vouch_judge_options *o, enum scheme scheme, const struct text *label,
                         size_t count, struct vouch_error *err)
{
    if (o->constraints && scheme == SCHEME_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "constraints are those of a scheme of labels, IOB1, IOB2 or BIOES: expected one, found none");
    return (!o->constraints && !o->scheme) || check_types(scheme, label, count, err);
}

/* Checks the labels, and adds them and their scheme to the header. */
static bool add_labels(json_t *header, const char *const *labels, size_t count, const struct vouch_judge_options *o,
                       struct vouch_error *err)
{
    struct text *label = new_array(count, sizeof *label, err);
    json_t *names = json_array();
    enum scheme scheme = SCHEME_NONE;
    bool ok = label != NULL;
    for (size_t y = 0; ok && y < count; y++) {
        size_t length = labels[y] ? strlen(labels[y]) : 0;
        if (length == 0 || length > 1 << 16 || utf8_check(labels[y], length) != length)
            ok = fail(err, VOUCH_ERR_ARGUMENT, "label %zu: expected a name in UTF-8 that is not empty", y + 1);
        else {
            label[y] = (struct text){labels[y], (uint32_t)length};
            ok = json_array_append_new(names, json_stringn(labels[y], length)) == 0 || fail_memory(err);
        }
    }
    ok = ok && find_scheme(o->scheme, label, count, &scheme, err) && check_scheme(o, scheme, label, count, err);
    const char *spelled = scheme_name(scheme);
    ok = ok &&
         ((json_object_set(header, "labels", names) == 0 &&
           json_object_set_new(header, "scheme", json_pack("{s:s, s:s}", "inner", spelled, "outer", spelled)) == 0) ||
          fail_memory(err));
    json_decref(names);
    free(label);
    return ok;
}

/* Fails if two labels have the same name. */
static bool check_different(const char *const *labels, size_t count, struct vouch_error *err)
{
    struct dictionary seen = {0};
    bool ok = true;
    for (size_t y = 0; ok && y < count; y++) {
        uint32_t number = dictionary_add(&seen, text_of(labels[y]), err);
        ok = number == y + 1 ||
             (number &&
              fail(err, VOUCH_ERR_ARGUMENT, "label %zu: expected a new name, found '%.60s' again", y + 1, labels[y]));
    }
    dictionary_release(&seen);
    return ok;
}

json_t *judge_header(const char *const *labels, size_t count, const struct vouch_judge_options *from,
                     struct vouch_error *err)
{
    struct vouch_judge_options options;
    if (!take_options(&options, from, err))
        return NULL;
    json_t *header = describe(&options, labels ? "label" : "arc", labels ? "label" : "dep", labels ? count : 1);
    bool ok = header || fail_memory(err);
    if (ok && labels)
        ok = add_labels(header, labels, count, &options, err) && check_different(labels, count, err);
    if (ok)
        return header;
    json_decref(header);
    return NULL;
}

vouch_model *judge_model(json_t *header, struct vouch_error *err)
{
    char *text = header ? json_dumps(header, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    vouch_model *model = text ? model_of_scores(text, "judge", err) : NULL;
    if (header && !text)
        fail_memory(err);
    free(text);
    json_decref(header);
    return model;
}

/* Copies the options, and the texts in them. */
static bool keep_options(struct vouch_judge *judge, const struct answer_options *options, struct vouch_error *err)
{
    const char **text[] = {&judge->options.confidence.methods, &judge->options.doubt.replace};
    judge->options = *options;
    for (size_t i = 0; i < 2; i++)
        if (*text[i] && !(*text[i] = judge->text[i] = new_string(*text[i], strlen(*text[i]), err)))
            return false;
    return true;
}

/* Asks the model; it has no preferred method before it is calibrated. */
static struct vouch_request *ask(const struct vouch_judge *judge, struct vouch_error *err)
{
    struct estimate_request more = {.otherwise = gamma_method.name};
    struct vouch_request *asked =
        request_options_agree(&judge->options, err) ? request_new(judge->model, &judge->options, &more, err) : NULL;
    if (!asked || asked->estimator) {
        if (asked)
            asked->chunks = true;
        return asked;
    }
    fail(err, VOUCH_ERR_ARGUMENT, "expected methods of confidence, found 'none'");
    vouch_request_free(asked);
    return NULL;
}

vouch_judge *judge_make(json_t *header, const struct answer_options *options, struct vouch_error *err)
{
    struct vouch_judge *judge = new_array(1, sizeof *judge, err);
    if (!judge || !(judge->model = judge_model(header, err))) {
        if (!judge)
            json_decref(header);
        vouch_judge_free(judge);
        return NULL;
    }
    judge->rules = score_rules_of(judge->model);
    if (keep_options(judge, options, err) && (judge->asked = ask(judge, err)))
        return judge;
    vouch_judge_free(judge);
    return NULL;
}

/* Makes a judge of these labels, or of trees if there are none. */
static vouch_judge *make_of_options(const char *const *labels, size_t count, const struct vouch_judge_options *from,
                                    struct vouch_error *err)
{
    struct vouch_judge_options options;
    json_t *header = judge_header(labels, count, from, err);
    if (!header || !take_options(&options, from, err))
        return NULL;
    struct answer_options as_tagged = answering(&options);
    return judge_make(header, &as_tagged, err);
}

vouch_judge *vouch_judge_new(const char *const *labels, size_t count, const struct vouch_judge_options *options,
                             struct vouch_error *err)
{
    if (!labels || count == 0 || count > MAX_WIDTH) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected 1 to %d labels, found %zu", MAX_WIDTH, labels ? count : 0);
        return NULL;
    }
    return make_of_options(labels, count, options, err);
}

vouch_judge *vouch_judge_new_tree(const struct vouch_judge_options *options, struct vouch_error *err)
{
    return make_of_options(NULL, 0, options, err);
}

void vouch_judge_free(vouch_judge *judge)
{
    if (!judge)
        return;
    vouch_request_free(judge->asked);
    vouch_model_close(judge->model);
    for (size_t i = 0; i < 2; i++)
        free(judge->text[i]);
    free(judge);
}

const char *vouch_judge_json(const vouch_judge *judge)
{
    return judge->model->header_text;
}

vouch_judge *vouch_judge_from_json(const char *json, const struct vouch_judge_options *from, struct vouch_error *err)
{
    struct vouch_judge_options options;
    json_error_t problem;
    if (!take_options(&options, from, err))
        return NULL;
    if (options.sets || options.best || options.c > 0 || options.s > 0 || options.seed || options.scheme ||
        options.constraints) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected options of answers alone, such as methods: the JSON says the rest");
        return NULL;
    }
    json_t *header = json ? json_read_string(json, JSON_REJECT_DUPLICATES, &problem) : NULL;
    if (!json_is_object(header)) {
        json_decref(header);
        if (json && !header && json_lacked_memory(&problem))
            fail_memory(err);
        else
            fail(err, VOUCH_ERR_FORMAT, "expected a judge as JSON: %s", json && !header ? problem.text : "no object");
        return NULL;
    }
    struct answer_options as_tagged = answering(&options);
    return judge_make(header, &as_tagged, err);
}

vouch_judge *vouch_judge_open(const char *path, const struct vouch_judge_options *options, struct vouch_error *err)
{
    vouch_model *model = vouch_model_open(path, err);
    vouch_judge *judge = NULL;
    if (model && !model_lacks_weights(model))
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a judge's file, found a model with weights", path);
    else if (model)
        judge = vouch_judge_from_json(model->header_text, options, err);
    vouch_model_close(model);
    return judge;
}

static bool save(const vouch_judge *judge, const char *path, struct vouch_error *err)
{
    if (!is_given(judge, "a judge", err) || !is_given(path, "the path of a file", err))
        return false;
    if (strcmp(path, "-") == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected the path of a file, found '-'");
    struct output *out = output_open(path, err);
    return output_close(out, out && model_write_scores(out, judge->model->header, err), err);
}

enum vouch_status vouch_judge_save(const vouch_judge *judge, const char *path, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    return status_of(save(judge, path, err), err);
}

int vouch_judge_is_calibrated(const vouch_judge *judge)
{
    for (uint32_t j = 0; j < judge->asked->estimator->methods; j++)
        if (!chosen_is_calibrated(judge->asked->estimator, j))
            return 0;
    return 1;
}

bool judge_take_chain(const struct score_rules *rules, const struct vouch_chain_scores *from, struct score_sets *to,
                      struct vouch_error *err)
{
    struct vouch_chain_scores scores;
    if (!rules->labels)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected scores of trees: this judge is one of trees");
    return take_sized(&scores, sizeof scores, from, sizeof scores, err) && score_input_chain(to, &scores, rules, err);
}

bool judge_take_tree(const struct score_rules *rules, const struct vouch_tree_scores *from, struct score_sets *to,
                     struct vouch_error *err)
{
    struct vouch_tree_scores scores;
    if (rules->labels)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected scores of labels: this judge is one of chains");
    return take_sized(&scores, sizeof scores, from, sizeof scores, err) && score_input_tree(to, &scores, rules, err);
}

struct vouch_judge_worker {
    const vouch_judge *judge;
    struct score_sets scores;
    struct predictor *predictor;
    vouch_answer answer;
};

vouch_judge_worker *vouch_judge_worker_new(const vouch_judge *judge, struct vouch_error *err)
{
    struct vouch_judge_worker *worker = is_given(judge, "a judge", err) ? new_array(1, sizeof *worker, err) : NULL;
    if (!worker)
        return NULL;
    worker->judge = judge;
    if (score_sets_init(&worker->scores, judge->rules.sets, err) &&
        (worker->predictor = predictor_new(judge->asked, err)))
        return worker;
    vouch_judge_worker_free(worker);
    return NULL;
}

void vouch_judge_worker_free(vouch_judge_worker *worker)
{
    if (!worker)
        return;
    score_sets_release(&worker->scores);
    predictor_free(worker->predictor);
    answer_release(&worker->answer);
    free(worker);
}

/* Returns the answer to the scores, if they were taken in. */
static const vouch_answer *answer_taken(vouch_judge_worker *w, bool taken, struct vouch_error *err)
{
    return taken && predictor_answer_scores(w->predictor, &w->scores, &w->answer, err) ? &w->answer : NULL;
}

const vouch_answer *vouch_judge_chain(vouch_judge_worker *worker, const struct vouch_chain_scores *scores,
                                      struct vouch_error *err)
{
    bool taken =
        is_given(worker, "a worker", err) && judge_take_chain(&worker->judge->rules, scores, &worker->scores, err);
    return answer_taken(worker, taken, err);
}

const vouch_answer *vouch_judge_tree(vouch_judge_worker *worker, const struct vouch_tree_scores *scores,
                                     struct vouch_error *err)
{
    bool taken =
        is_given(worker, "a worker", err) && judge_take_tree(&worker->judge->rules, scores, &worker->scores, err);
    return answer_taken(worker, taken, err);
}
