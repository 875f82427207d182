/*
 * Implements vouch judge: answers with confidence by another program's scores, and calibrates them on gold.
 *
 * A model without weights is made of the options, or opened; the files of scores go beside it. From there on it answers
 * as any other model does, by the code of vouch tag and vouch parse.
 */
#include "base/json_read.h"
#include "cli/shared.h"

#include "base/buffer.h"
#include "base/input.h"
#include "base/watch.h"
#include "train/calibration.h"
#include "judge/judge.h"
#include "scores/score_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define OPTIONS struct answer_options

static const struct option_spec judge_specs[] = {
    TEXT("scores", 0, source.scores, "FILE", OPTION_INCIDENTAL | OPTION_READ,
         "the scores: .npy, .npz or safetensors of float16, bfloat16, float32 or float64, or JSON lines with the key "
         "\"scores\""),
    TEXT("labels", 'l', judge.labels, "FILE", OPTION_READ,
         "the labels, in the order of the scores: a label a line, or JSON such as a model's config.json with "
         "\"id2label\""),
    CHOICE_OR_NONE("arcs", 0, judge.arcs, "ORDER", "head-first or modifier-first", OPTION_MATTERS,
                   "instead of --labels: scores of arcs, head-first as [head][modifier], or modifier-first"),
    CHOICE(
        "root", 0, judge.root, "WHERE", "first or diagonal", OPTION_MATTERS,
        "with --arcs: first, the root is node 0 and words count from 1; or diagonal, a word's own arc is the root's"),
    TEXT("model", 'm', model, "FILE", OPTION_READ | OPTION_REPLACED,
         "instead of --labels and --arcs: a model that vouch judge made"),
    TEXT(
        "offsets", 0, source.offsets, "FILE", OPTION_INCIDENTAL | OPTION_READ,
        "where the sentences begin in one packed array, or how long they are: .npy; not needed if INPUT has the words"),
    FLAG("padded", 0, judge.padded, OPTION_MATTERS, "the scores of labels are [S, L, Y] or [K, S, L, Y], not packed"),
    TEXT("transitions", 0, source.transitions, "FILE", OPTION_INCIDENTAL | OPTION_READ,
         "scores [Y, Y] of a label (second) after another (first), or [T, Y, Y] for each word"),
    FLAG("constraints", 0, judge.constraints, OPTION_MATTERS,
         "labels follow each other only as their scheme allows: no I-X after O in IOB2"),
    TEXT("scheme", 0, judge.scheme, "NAME", OPTION_MATTERS,
         "IOB1, IOB2, BIOES or none; recognised by the labels if not given"),
    TEXT("gold", 'g', judge.gold, "FILE", OPTION_INCIDENTAL | OPTION_READ,
         "calibrate on the gold of this labelled file, which the other program has not learned from"),
    OPTION_OUTPUT_WITH(
        "with --gold: the model to write; else the answers, instead of to standard output; whole or not at all"),
    OPTION_CONFIDENCE_WITH("drawn scores for kd-fix; 0 is as many as the model was tuned with"),
    FLAG("plain-draws", 0, confidence.plain_draws, OPTION_MATTERS,
         "draw scores for kd-fix independently of each other; if not given, in pairs of opposite noise, and votes are "
         "moved towards their limit"),
    OPTION_DOUBT,
    FLAG("operating-point", 0, operating_point, OPTION_MATTERS,
         "leave out doubtful entities, or add words, by the threshold that 'vouch trade' kept in the model"),
    INTEGER("k-best", 'k', judge.k_best, "K", 0, 1000, OPTION_MATTERS,
            "answers that kb and wkb look at; 0 is 20; --gold finds the best"),
    REAL("scale", 0, judge.scale, "C", 0, 1e12, OPTION_MATTERS,
         "probabilities are proportional to exp(C * score); 0 is 1; --gold finds the best"),
    REAL("noise", 0, judge.noise, "S", 0, 1e12, OPTION_MATTERS,
         "variance of the noise that kd-fix adds to scores; 0 follows from --scale; --gold finds the best"),
    OPTION_FORMAT,
    OPTION_COLUMN,
    FLAG("header", 0, header, OPTION_OF_PROGRAM, "begin CoNLL columns with a comment that names the methods"),
    FLAG("colour", 0, colour, OPTION_OF_PROGRAM, "show sentences in colour, one a line; also --color"),
    CHOICE_OR_NONE("draw", 0, draw, "HOW", "text or svg", OPTION_OF_PROGRAM,
                   "with --arcs: draw the trees, doubtful arcs marked: text for a terminal, svg for a page (the first "
                   "sentence)"),
    FLAG("json", 0, judge.json, OPTION_OF_PROGRAM, "print the result as JSON"),
    OPTIONS_WORK,
    OPTIONS_END_VERBOSE,
};

static const struct option_group judge_groups[] = {
    {"scores", "scores offsets padded transitions labels scheme constraints arcs root model"},
    {"calibrating", "gold output json"},
    {"answering", "confidence raw draws plain-draws alternatives sets threshold replace operating-point k-best scale "
                  "noise header colour draw"},
    {"reading and reporting", "format column seed threads quiet verbose help usage"},
    {0},
};

#define ONE_OF_THREE "expected --labels FILE for labels, --arcs ORDER for trees, or -m MODEL: one of them"
static const struct option_rule judge_rules[] = {
    {"root padded constraints scheme k-best scale noise plain-draws", NULL, "model",
     "--%s is kept in the model: expected none with -m"},
    {"raw alternatives sets threshold replace operating-point header colour draw", NULL, "gold",
     "--%s is for answering, not for --gold"},
    {"json", "gold", NULL, "--%s is for calibrating: expected --gold"},
    {"root", "arcs", NULL, "--%s is of trees: expected --arcs with it"},
    {"scheme constraints transitions", NULL, "arcs",
     "--scheme, --constraints and --transitions are of labels: expected none with --arcs"},
    {NULL, "scores", NULL, "expected --scores FILE"},
    {NULL, "labels arcs model", NULL, ONE_OF_THREE},
    {"labels", NULL, "arcs model", ONE_OF_THREE},
    {"arcs", NULL, "model", ONE_OF_THREE},
    {NULL, NULL, "files", "expected one input file, found %s"},
    {"gold", NULL, "file", "--gold has the words as well: expected no INPUT with it"},
    {"gold", NULL, "output=-", "expected a file to write the model to, found '-'"},
    {0},
};

static const struct answer_options usual = {USUAL_ANSWERING};
static const struct option_table judge_table = {"judge", judge_specs, &usual, sizeof usual, judge_groups, judge_rules};

/*
 * The names of labels, in the order in which scores have them: a label on each line; or JSON, an array of names, an
 * object from numbers to names, or one that has such an object under "id2label", as the configuration of a model of the
 * Transformers library does.
 */
struct label_list {
    char **name; /* [count] */
    size_t count, capacity;
    struct dictionary seen; /* the same names */
    uint64_t line;          /* that was refused; 0: none, or JSON */
};

enum { MOST_LABELS = 65535 };

static void label_list_release(struct label_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->name[i]);
    free(list->name);
    dictionary_release(&list->seen);
    *list = (struct label_list){0};
}

static bool add(struct label_list *list, struct text name, struct vouch_error *err)
{
    if (list->count == MOST_LABELS)
        return fail(err, VOUCH_ERR_FORMAT, "expected at most %d labels, found more", MOST_LABELS);
    uint32_t number = dictionary_add(&list->seen, name, err);
    if (!number || !RESERVE(list->name, list->capacity, list->count + 1, err))
        return false;
    if (number <= list->count)
        return fail(err, VOUCH_ERR_FORMAT, "label %zu: expected a new name, found '%.*s' again", list->count + 1,
                    excerpt(name), name.at);
    if (!(list->name[list->count] = new_string(name.at, name.length, err)))
        return false;
    list->count++;
    return true;
}

static bool take_value(struct label_list *list, const json_t *value, struct vouch_error *err)
{
    const char *name = json_string_value(value);
    return name ? add(list, text_of(name), err)
                : fail(err, VOUCH_ERR_FORMAT, "label %zu: expected a string, found %s", list->count + 1,
                       value ? "something else" : "nothing under its number");
}

/* Takes an array of names, or an object with the keys "0", "1", ... */
static bool take_json(struct label_list *list, const json_t *json, struct vouch_error *err)
{
    const json_t *named = json_object_get(json, "id2label");
    json = named ? named : json;
    size_t count = json_is_array(json) ? json_array_size(json) : json_object_size(json);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        ok = take_value(list, json_is_array(json) ? json_array_get(json, i) : json_object_get(json, key), err);
    }
    return ok;
}

/* Adds the label of a line, which has no white space in it. */
static bool add_line(struct label_list *list, struct text line, struct vouch_error *err)
{
    for (uint32_t i = 0; i < line.length; i++)
        if ((unsigned char)line.at[i] <= ' ')
            return fail(err, VOUCH_ERR_FORMAT, "expected a label without white space, found '%.*s'", excerpt(line),
                        line.at);
    return add(list, line, err);
}

/* Reads all lines: as labels, or into `text` if the first begins JSON. */
static bool read_lines(struct label_list *list, struct input *input, struct buffer *text, struct vouch_error *err)
{
    struct text line;
    int got;
    bool json = false, first = true;
    for (uint64_t number = 1; (got = input_line(input, &line, err)) == 1; number++) {
        if (first)
            json = line.length > 0 && (line.at[0] == '{' || line.at[0] == '[');
        first = false;
        if (json ? !buffer_add(text, line, err) || !buffer_put(text, '\n', err)
                 : line.length > 0 && !add_line(list, line, err)) {
            list->line = number;
            return false;
        }
    }
    return got == 0;
}

static bool read_all(struct label_list *list, struct input *input, struct vouch_error *err)
{
    struct buffer text = {0};
    json_error_t problem;
    bool ok = read_lines(list, input, &text, err);
    json_t *json = ok && text.length ? json_read(text.bytes, text.length, JSON_REJECT_DUPLICATES, &problem) : NULL;
    if (ok && text.length && !json && json_lacked_memory(&problem))
        ok = fail_memory(err);
    else if (ok && text.length)
        ok = json ? take_json(list, json, err)
                  : fail(err, VOUCH_ERR_FORMAT, "expected a label a line, or JSON: line %d: %s", problem.line,
                         problem.text);
    json_decref(json);
    free(text.bytes);
    return ok && (list->count > 0 || fail(err, VOUCH_ERR_FORMAT, "expected labels, found none"));
}

/* Reads the file; release the list in any case. */
static bool label_list_read(struct label_list *list, const char *path, struct vouch_error *err)
{
    *list = (struct label_list){0};
    struct input *input = input_open(path, err);
    if (!input)
        return false;
    bool ok = read_all(list, input, err) ||
              (list->line ? fail_within(err, "%s:%" PRIu64, path, list->line) : fail_within(err, "%s", path));
    input_close(input);
    return ok;
}

/* Lets the judge draw scores independently of each other: the only parameter that vouch.h does not have. */
static bool draw_plainly(json_t *header, struct vouch_error *err)
{
    const char *name;
    json_t *layer;
    json_object_foreach(json_object_get(json_object_get(header, "confidence"), "layers"), name, layer)
    {
        json_t *own = json_object_get(json_object_get(layer, "parameters"), "scores");
        if (json_object_set_new(own, "paired", json_false()) != 0)
            return fail_memory(err);
    }
    return true;
}

/*
 * Returns the header of a judge of the labels or the order of arcs that the options name, with how its scores are laid
 * out, so that later commands need not be told. A judge has a method in any case; --confidence none is
 * handled when the question is asked, by request_new().
 */
static json_t *describe(const struct answer_options *s, const struct label_list *labels,
                        const struct score_files *files, struct vouch_error *err)
{
    bool none = s->confidence.methods && strcmp(s->confidence.methods, "none") == 0;
    struct vouch_judge_options options = {.size = sizeof(struct vouch_judge_options),
                                          .methods = none ? NULL : s->confidence.methods,
                                          .sets = files->sets,
                                          .best = (size_t)s->judge.k_best,
                                          .draws = (size_t)s->confidence.draws,
                                          .c = s->judge.scale,
                                          .s = s->judge.noise,
                                          .seed = (uint64_t)s->common.work.seed,
                                          .scheme = s->judge.scheme,
                                          .constraints = s->judge.constraints,
                                          .raw = s->confidence.raw};
    json_t *edges = score_files_edges(files);
    json_t *header =
        judge_header(s->judge.arcs ? NULL : (const char *const *)labels->name, labels->count, &options, err);
    if (header && s->judge.arcs)
        json_object_set_new(header, "arcs",
                            json_pack("{s:s, s:s}", "order",
                                      s->judge.arcs == HEAD_FIRST ? "head-first" : "modifier-first", "root",
                                      s->judge.root == ROOT_FIRST ? "first" : "diagonal"));
    if (header && s->judge.padded)
        json_object_set_new(header, "padded", json_true());
    if (header && edges)
        json_object_set(header, "transitions", edges);
    json_decref(edges);
    if (header && s->confidence.plain_draws && !draw_plainly(header, err)) {
        json_decref(header);
        header = NULL;
    }
    if (!header)
        return NULL;
    char *command = options_provenance(s);
    json_object_set_new(header, "version", json_string(vouch_version()));
    json_object_set_new(header, "command", saving_text(command ? command : ""));
    free(command);
    return header;
}

/* Makes a model of the labels or the order of arcs that the options name, and opens its scores. */
static vouch_model *make_model(const struct answer_options *s, struct score_files **files, struct vouch_error *err)
{
    struct label_list labels = {0};
    struct score_layout layout = {.trees = s->judge.arcs != NO_ARCS,
                                  .modifier_first = s->judge.arcs == MODIFIER_FIRST,
                                  .diagonal = s->judge.root == ROOT_DIAGONAL,
                                  .padded = s->judge.padded};
    vouch_model *model = NULL;
    if (s->judge.arcs || label_list_read(&labels, s->judge.labels, err)) {
        layout.labels = (uint32_t)labels.count;
        *files = score_files_open(&layout, &s->source, err);
    }
    json_t *header = *files ? describe(s, &labels, *files, err) : NULL;
    if (header && saving_whole(err))
        model = judge_model(json_incref(header), err);
    json_decref(header);
    label_list_release(&labels);
    if (model && !score_files_suit(*files, model, err)) {
        vouch_model_close(model);
        model = NULL;
    }
    return model;
}

static vouch_model *open_model(const struct answer_options *s, struct score_files **files, struct vouch_error *err)
{
    return s->model ? open_with_scores(s->model, &s->source, files, err) : make_model(s, files, err);
}

static int answer(struct answer_options *s, struct vouch_error *err)
{
    struct reader_options reading;
    struct score_files *files = NULL;
    if (!request_options_agree(s, err) || !reading_options_to_answer(&s->reading, &reading, err))
        return EXIT_MISUSE;
    vouch_model *model = saving_possible(s, err) ? open_model(s, &files, err) : NULL;
    bool ok = model && answer_with(s, model, files, &reading, err);
    vouch_model_close(model);
    score_files_free(files);
    return done_if(ok);
}

/* Prints what was found, warns of answers that are mostly wrong and of too few wrong ones, and says how to go on. */
static void report(const struct answer_options *s, const struct judge_calibration *c)
{
    const struct vouch_model *model = c->calibrated->model;
    const struct confidence_model *found = &c->calibrated->asked->estimator->layer[0].confidence_model;
    const double *figure = found->count ? found->method_model[0].figure[UNIT_WORD] : NULL;
    if (s->judge.json)
        calibration_print_json(json_object_get(model->header, "confidence"), (uint32_t)c->sentences, (size_t)c->words);
    else
        calibration_print(&model->layer[0], found, c->words);
    fflush(stdout);
    if (figure && 2 * figure[FIGURE_ERRORS] > figure[FIGURE_COUNT])
        watch_say(s->common.work.watch, VOUCH_EVENT_WARNING, "warning: more than half of the answers are wrong: %s",
                  model->trees ? "is the order of the arcs that of --arcs?"
                               : "are the labels in the order of the scores?");
    warn_of_few_errors(s->common.work.watch, model->layer[0].name, found);
    if (!s->common.quiet && s->output)
        showf(stderr, "wrote %s: 'vouch judge -m %s --scores FILE INPUT' answers with it\n", s->output, s->output);
    else if (!s->common.quiet)
        showf(stderr, "nothing was written: -o MODEL keeps the calibration\n");
}

static int calibrate(struct answer_options *s, struct vouch_error *err)
{
    struct judge_calibration calibration = {.options = s};
    struct score_files *files = NULL;
    if (!reading_options(&s->reading, &calibration.reading, err))
        return EXIT_MISUSE;
    vouch_model *model = saving_model_possible(s->output, s, err) ? open_model(s, &files, err) : NULL;
    interrupt_catch();
    bool ok = model && judge_calibration_run(&calibration, model, files, err);
    progress_clear(&s->common);
    if (ok && s->output) {
        struct output *out = saving_whole(err) ? output_open(s->output, err) : NULL;
        ok = output_close(out, out && model_write_scores(out, calibration.header, err), err);
    }
    if (ok)
        report(s, &calibration);
    judge_calibration_release(&calibration);
    vouch_model_close(model);
    score_files_free(files);
    return done_if(ok);
}

static int judge(void *options, struct vouch_error *err)
{
    struct answer_options *s = options;
    return s->judge.gold ? calibrate(s, err) : answer(s, err);
}

const struct command judge_command = {
    .name = "judge",
    .arguments = "--scores FILE [INPUT]",
    .summary = "answer with confidence by another program's scores",
    .about = "Finds the best labels or trees by scores that another program gave, and tells how far they can be "
             "trusted. INPUT has the words, in any format, and is written with the answers as 'vouch tag' or 'vouch "
             "parse' would; '-' is standard input; without INPUT, words are nameless. With --gold, the confidence is "
             "calibrated on a labelled file instead, and kept as a model without weights, which 'vouch judge', 'tag', "
             "'parse', 'eval', 'review', 'trade' and 'active next' then take with --scores.",
    .example = "  vouch judge --scores dev.npy --labels config.json --gold dev.txt -o ner.judge\n"
               "  vouch judge -m ner.judge --scores test.npy --threshold 0.9 test.txt > judged.txt\n"
               "  vouch eval -m ner.judge --scores test.npy test.txt\n"
               "  vouch judge --scores logits.npz --labels labels.txt --constraints --confidence gamma,votes\n"
               "  vouch judge --scores arcs.npy --arcs head-first dev.conllu\n",
    .table = &judge_table,
    .run = judge,
};
