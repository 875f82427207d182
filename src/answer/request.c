/*
 * Makes requests of options, and checks what the model can serve of them: see request.h.
 *
 * An operating point and sets of choices were found for certain numbers of confidence, which the model keeps with their
 * thresholds. A point asks for its own numbers; sets by other numbers than theirs are refused, as thresholds would mean
 * something else.
 */
#include "answer/request.h"

#define OPTIONS struct answer_options

static const struct answer_options usual = {USUAL_ANSWERING};

static const struct option_spec tag[] = {
    OPTION_MODEL,
    TEXT("answers", 0, answers, "FILE", OPTION_OF_PROGRAM | OPTION_READ,
         "instead: complete another program's answers by probabilities, made of its numbers by what 'vouch tune "
         "--answers' "
         "wrote"),
    OPTION_COLUMNS,
    OPTION_LOG,
    OPTION_SCORES_OF_PROGRAM,
    OPTION_OUTPUT,
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_COLUMN,
    OPTION_ON_ERROR,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    OPTION_DOUBT,
    FLAG("operating-point", 0, operating_point, OPTION_MATTERS,
         "leave out doubtful entities, or add words, by the threshold that 'vouch trade' kept in the model"),
    FLAG("header", 0, header, OPTION_OF_PROGRAM, "begin CoNLL columns with a comment that names the methods"),
    FLAG("colour", 0, colour, OPTION_OF_PROGRAM,
         "show sentences in colour, one a line, instead of completing the input; also --color"),
    OPTION_THREADS,
    OPTIONS_END_VERBOSE,
};

static const struct option_rule rules[] = {
    {"answers", NULL, "ranks", "--%s is not for ranks: run 'vouch tag', without mpirun"},
    {"scores offsets vectors column on-error confidence raw draws consistency alternatives sets replace header "
     "colour",
     NULL, "answers", "--%s is for labelling INPUT, not for --answers"},
    {"answers", "model", NULL, "expected -m CALIBRATION, which 'vouch tune --answers' writes"},
    {"answers", NULL, "file", "expected --answers FILE or INPUT, not both"},
    {"format=crfsuite format=plain", NULL, "answers",
     "--format: expected conll, jsonl or conllu for a file of answers, found '%s'"},
    {"columns log", "answers", NULL, "--%s is about a file of answers: expected --answers FILE"},
    {NULL, "model", NULL, "expected -m MODEL"},
    {NULL, NULL, "files", "expected one input file, found %s"},
    {"ranks", "file scores", NULL, "expected a file that all ranks can read, found standard input"},
    {"on-error=report", NULL, "scores", "--scores belong to sentences in order: expected no --on-error report"},
    {"on-error=report", NULL, "colour draw", "--on-error report writes JSON lines: expected no --colour and no --draw"},
    {0},
};

const struct option_table tag_options = {"tag", tag, &usual, sizeof usual, NULL, rules};

static const struct option_spec parse[] = {
    OPTION_MODEL,
    OPTION_SCORES_OF_PROGRAM,
    OPTION_OUTPUT,
    OPTION_FORMAT,
    OPTION_ON_ERROR,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    OPTION_DOUBT,
    FLAG("colour", 0, colour, OPTION_OF_PROGRAM,
         "show sentences in colour, one a line, words with doubtful heads marked; also --color"),
    CHOICE_OR_NONE("draw", 0, draw, "HOW", "text or svg", OPTION_OF_PROGRAM,
                   "draw the trees instead, doubtful arcs marked: text for a terminal, svg for a page (the first "
                   "sentence)"),
    OPTION_THREADS,
    OPTIONS_END_VERBOSE,
};

const struct option_table parse_options = {"parse", parse, &usual, sizeof usual, NULL, rules};

static bool asks_for_nothing(const struct answer_options *options)
{
    return options->confidence.methods && strcmp(options->confidence.methods, "none") == 0;
}

bool request_options_agree(const struct answer_options *s, struct vouch_error *err)
{
    if (asks_for_nothing(s) &&
        (s->doubt.threshold >= 0 || s->doubt.alternatives || s->doubt.sets || s->confidence.consistency))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--threshold, --alternatives, --sets and --consistency need a method of confidence, found 'none'");
    if (s->doubt.replace && s->doubt.threshold < 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--replace says what to write below a threshold: expected --threshold");
    if (s->operating_point && (s->confidence.methods || s->confidence.raw || s->confidence.draws ||
                               s->doubt.threshold >= 0 || s->doubt.replace))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--operating-point has a method and a threshold of its own: expected no --confidence, --raw, "
                    "--draws, --threshold or --replace");
    return true;
}

const struct option_table *request_options(const struct vouch_model *model)
{
    return model->trees ? &parse_options : &tag_options;
}

bool consistency_ask(const struct confidence_values *values, struct estimate_request *request, struct vouch_error *err)
{
    size_t length = strlen(COMMITTEE_TEXT);
    if (!values->consistency)
        return true;
    if (!request->methods)
        request->methods = COMMITTEE_TEXT;
    for (const char *at = request->methods; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, COMMITTEE_TEXT, length) == 0)
            return true;
    return fail(err, VOUCH_ERR_ARGUMENT, "--consistency needs " COMMITTEE_TEXT " among the methods: found '%.60s'",
                request->methods);
}

/* Fails if sets are wanted for other numbers than those that their thresholds were found for. */
static bool sets_fit(const struct vouch_request *r, const struct coverage_model *coverage, struct vouch_error *err)
{
    const struct estimator *e = r->estimator;
    if (!e || (strcmp(e->layer[0].chosen[0].name, coverage->method) == 0 && !e->raw && !r->draws))
        return true;
    return fail(err, VOUCH_ERR_ARGUMENT,
                "%s: sets go by the calibrated probabilities of %s: expected this method first, and no --raw or "
                "--draws",
                r->model->file.name, coverage->method);
}

/* Reads the model's coverage, for sets. */
static bool read_coverage(const struct vouch_request *r, struct coverage_model *coverage, struct vouch_error *err)
{
    const char *name = r->model->file.name;
    if (!coverage_model_read(coverage, r->model->header, name, err))
        return false;
    return coverage->known || fail(err, VOUCH_ERR_ARGUMENT,
                                   "%s: this model does not know how large sets must be: run 'vouch tune --in-place "
                                   "--coverage C' on labelled sentences that it has not learned from",
                                   name);
}

/* Reads the model's operating point, and asks for the numbers that it goes by. */
static bool ask_by_point(struct vouch_request *r, struct estimate_request *asked, struct vouch_error *err)
{
    const char *name = r->model->file.name;
    if (!operating_point_read(r->model->header, &r->point, &r->pointed, name, err))
        return false;
    asked->methods = r->point.method;
    asked->draws = r->point.draws;
    asked->raw = r->point.raw;
    asked->others = operating_point_adds(&r->point);
    asked->words_only = false;
    return (r->pointed && r->model->labels.outer != SCHEME_NONE) ||
           fail(err, VOUCH_ERR_ARGUMENT, "%s: this model has no operating point: expected one chosen by vouch trade",
                name);
}

static bool ask(struct vouch_request *r, const struct answer_options *s, const struct estimate_request *more,
                struct vouch_error *err)
{
    struct coverage_model coverage;
    struct estimate_request asked = {.methods = s->confidence.methods,
                                     .alternatives = (uint32_t)s->doubt.alternatives,
                                     .draws = (uint32_t)s->confidence.draws,
                                     .sets = s->doubt.sets ? &coverage.least
                                             : more       ? more->sets
                                                          : NULL,
                                     .raw = s->confidence.raw,
                                     .words_only = more && more->words_only,
                                     .otherwise = more ? more->otherwise : NULL};
    if ((s->doubt.sets && !read_coverage(r, &coverage, err)) || (s->operating_point && !ask_by_point(r, &asked, err)))
        return false;
    r->draws = asked.draws;
    if (asks_for_nothing(s))
        return true;
    if (!consistency_ask(&s->confidence, &asked, err) || !estimator_make(r->model, &asked, &r->estimator, err))
        return false;
    warn_of_old_draws(s->common.work.watch, r->estimator);
    if (!r->estimator && (s->doubt.threshold >= 0 || s->doubt.alternatives || s->doubt.sets || s->confidence.raw))
        return fail_uncalibrated(r->model, err);
    return !s->doubt.sets || sets_fit(r, &coverage, err);
}

struct vouch_request *request_new(const struct vouch_model *model, const struct answer_options *options,
                                  const struct estimate_request *more, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    struct vouch_request *request = new_array(1, sizeof *request, err);
    if (!request)
        return NULL;
    request->model = model;
    request->threads = (uint32_t)options->common.work.threads;
    bool replaces = options->doubt.replace && *options->doubt.replace;
    if (replaces)
        request->replacement = new_string(options->doubt.replace, strlen(options->doubt.replace), err);
    request->doubt = (struct doubt_rule){options->doubt.threshold >= 0, options->doubt.threshold, request->replacement};
    if ((!replaces || request->replacement) && ask(request, options, more, err))
        return request;
    vouch_request_free(request);
    return NULL;
}

void vouch_request_free(vouch_request *request)
{
    if (!request)
        return;
    estimator_free(request->estimator);
    free(request->replacement);
    free(request);
}
