/*
 * Describes a training: in the model's header, where it came from; in its checkpoint, what it is of, so that
 * another training does not go on with it. See training.h.
 *
 * What is learned is decided by the options, by what was read, and by the version of the program. The names of files
 * count as well, since the model has them in its header.
 */
#include "train/training.h"

#include "base/hash.h"
#include "base/watch.h"
#include "model/records.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Returns a digest as headers and plans have it. NULL: there was no memory. */
static json_t *digest_json(uint64_t digest)
{
    return json_sprintf("%016llx", (unsigned long long)digest);
}

/* ---- The header ---- */

/* Counts the sentences learned from until then, each as often as it was in a file. */
static json_int_t learned_in_all(const json_t *header)
{
    const json_t *training = json_object_get(header, "training");
    const json_t *in_all = json_object_get(training, "in_all");
    return json_integer_value(in_all ? in_all : json_object_get(training, "sentences"));
}

/* Returns the earlier trainings, the oldest first. NULL: there was no memory. */
static json_t *history(const json_t *header)
{
    static const char *const keys[] = {"command", "seed", "passes", "training"};
    const json_t *known = json_object_get(json_object_get(header, "from"), "history");
    json_t *list = json_array(), *last = json_object();
    bool ok = true;
    for (size_t i = 0; i < json_array_size(known); i++)
        ok = json_array_append(list, json_array_get(known, i)) == 0 && ok;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(header, keys[i]))
            ok = json_object_set(last, keys[i], json_object_get(header, keys[i])) == 0 && ok;
    if (json_array_append_new(list, last) == 0 && ok)
        return list;
    json_decref(list);
    return NULL;
}

/* Describes the model that learning went on from. */
static bool describe_from(const struct training_plan *plan, json_t *header)
{
    json_t *training = json_object_get(header, "training");
    json_int_t sentences = json_integer_value(json_object_get(training, "sentences"));
    json_t *from = json_pack("{s:o, s:o, s:o}", "file", header_text(plan->options.from), "digest",
                             digest_json(model_file_digest(&plan->from->file)), "history", history(plan->from->header));
    return json_object_set_new(header, "from", from) == 0 &&
           json_object_set_new(training, "in_all", json_integer(learned_in_all(plan->from->header) + sentences)) == 0;
}

/* Describes the options, the files, and the parameters of learning. */
static json_t *describe_run(const struct training_plan *plan, const struct training_result *result)
{
    const struct train_options *s = &plan->options;
    const struct dataset *dataset = &result->corpus.dataset;
    uint32_t sentences = dataset->layer[0].examples.count;
    char *line = options_provenance(s);
    json_t *header = json_pack("{s:s, s:s, s:o, s:I, s:I, s:{s:o, s:I, s:I, s:o}, s:O}", "program", "vouch", "version",
                               vouch_version(), "command", header_text(line), "seed", (json_int_t)s->common.work.seed,
                               "passes", (json_int_t)s->learner.passes, "training", "files",
                               header_files(s->common.argument, s->common.arguments), "sentences",
                               (json_int_t)sentences, "words", (json_int_t)dataset->words, "digest",
                               digest_json(result->corpus.digest), "parameters", result->voices.parameters);
    free(line);
    if (header && dataset->decided < dataset->words &&
        json_object_set_new(json_object_get(header, "training"), "labelled",
                            json_integer((json_int_t)dataset->decided)) != 0) {
        json_decref(header);
        return NULL;
    }
    return header;
}

/* Adds with what parameters the first stage was learned, now or in the model to go on from. */
static bool describe_first(const struct training_plan *plan, const struct training_result *result, json_t *parameters)
{
    json_t *known = plan->from ? json_object_get(plan->from->header, "parameters") : NULL;
    json_t *first = json_object_get(plan->from ? known : result->first.parameters, FIRST_STAGE);
    return !first || json_object_set(parameters, FIRST_STAGE, first) == 0;
}

bool training_describe(const struct training_plan *plan, struct training_result *result, struct vouch_error *err)
{
    json_t *header = result->header = describe_run(plan, result);
    bool ok = header != NULL;
    ok = ok && describe_first(plan, result, json_object_get(header, "parameters"));
    if (plan->options.dev)
        ok = ok && json_object_set(header, "dev", result->voices.dev_scores) == 0;
    ok = ok && corpus_describe(&result->corpus, &plan->learning.corpus.reading, header);
    if (result->voices.stopped)
        ok = ok && json_object_set_new(header, "interrupted", json_true()) == 0;
    if (plan->from)
        ok = ok && describe_from(plan, header);
    if (result->confidence)
        ok = ok && json_object_set(header, "confidence", result->confidence) == 0;
    return ok || fail_memory(err);
}

/* ---- The checkpoint ---- */

/* Whether the model goes into a file, beside which there can be a folder. */
static bool has_place(const char *output)
{
    struct stat about;
    return output && strcmp(output, "-") != 0 && (stat(output, &about) != 0 || S_ISREG(about.st_mode));
}

/* Returns the folder to keep checkpoints in, to free(); NULL without an error if there is none. */
static char *folder_of(const struct train_options *s, struct vouch_error *err)
{
    if (s->checkpoint)
        return new_string(s->checkpoint, strlen(s->checkpoint), err);
    if (!(s->resume || s->common.work.ranks) || !has_place(s->output))
        return NULL;
    size_t room = strlen(s->output) + sizeof ".checkpoint";
    char *folder = new_array(room, 1, err);
    if (folder)
        snprintf(folder, room, "%s.checkpoint", s->output);
    return folder;
}

bool training_checkpoint_open(const struct training_plan *plan, struct training_result *result, struct vouch_error *err)
{
    const struct train_options *s = &plan->options;
    struct vouch_error own = {0};
    char *folder = folder_of(s, &own);
    if (own.status != VOUCH_OK)
        return fail_memory(err);
    if (!folder)
        return !s->resume || fail(err, VOUCH_ERR_ARGUMENT, "--resume: expected --checkpoint FOLDER to go on from");
    result->checkpoint = checkpoint_open(folder, s->resume, s->common.work.ranks, err);
    free(folder);
    return result->checkpoint != NULL;
}

static bool describe(json_t *what, const char *key, const char *value)
{
    return json_object_set_new(what, key, header_text(value)) == 0;
}

static bool describe_number(json_t *what, const char *key, uint64_t number)
{
    return json_object_set_new(what, key, digest_json(number)) == 0;
}

/* Adds the options that matter, with the values that they have. */
static bool describe_options(json_t *what, const struct train_options *s)
{
    bool ok = true;
    for (const struct option_spec *spec = train_options.option; ok && spec->name; spec++) {
        const void *at = (const char *)s + spec->offset;
        char key[40], value[64] = "true";
        if ((spec->role & OPTION_INCIDENTAL) || (spec->kind == OPTION_FLAG && !*(const bool *)at))
            continue;
        snprintf(key, sizeof key, "--%s", spec->name);
        if (spec->kind == OPTION_TEXT) {
            const char *text = *(const char *const *)at;
            ok = !text || describe(what, key, text);
            continue;
        }
        if (spec->kind != OPTION_FLAG)
            option_text(s, spec, value, sizeof value);
        ok = describe(what, key, value);
    }
    return ok;
}

static bool describe_files(json_t *what, const struct train_options *s)
{
    char key[40];
    bool ok = true;
    for (size_t i = 0; ok && i < s->common.arguments; i++) {
        snprintf(key, sizeof key, "file %zu", i + 1);
        ok = describe(what, key, s->common.argument[i]);
    }
    return ok;
}

/* Adds how vectors of words were read; those of an array show in the factor that they are scaled by. */
static bool describe_vectors(json_t *what, const struct vector_shape *shape)
{
    char scale[40];
    snprintf(scale, sizeof scale, "%a", (double)shape->scale);
    return !shape->D ||
           (describe_number(what, "the table of vectors", shape->digest) && describe(what, "vectors times", scale));
}

static bool describe_corpus(json_t *what, const struct corpus *corpus, const struct train_options *s)
{
    bool ok = describe_number(what, "a corpus of the digest", corpus->digest) &&
              (!s->dev || describe_number(what, "a dev file of the digest", corpus->dev_digest)) &&
              (!corpus->template || describe_number(what, "features of the digest",
                                                    hash_bytes(corpus->template, strlen(corpus->template)))) &&
              (!corpus->lexicons || !corpus->lexicons->count ||
               describe_number(what, "lexicons of the digest", lexicons_digest(corpus->lexicons))) &&
              describe_vectors(what, &corpus->templates.vectors);
    for (uint32_t l = 0; ok && l < corpus->dataset.layers; l++) {
        char key[64], weights[24];
        snprintf(key, sizeof key, "weights of the %s:", corpus->dataset.layer[l].name);
        snprintf(weights, sizeof weights, "%zu", space_size(&corpus->dataset.layer[l].examples.space));
        ok = describe(what, key, weights);
    }
    return ok;
}

bool training_checkpoint_begin(const struct training_plan *plan, struct training_result *result,
                               struct vouch_error *err)
{
    const struct train_options *s = &plan->options;
    if (!result->checkpoint)
        return true;
    json_t *what = json_object();
    bool ok =
        (what && describe(what, "vouch", vouch_version()) && describe_options(what, s) && describe_files(what, s) &&
         (!plan->from ||
          describe_number(what, "a model to go on from of the digest", model_file_digest(&plan->from->file))) &&
         describe_corpus(what, &result->corpus, s)) ||
        fail_memory(err);
    result->learning.checkpoint = result->checkpoint;
    ok = ok && checkpoint_begin(result->checkpoint, what, err);
    json_decref(what);
    checkpoint_warn(result->checkpoint, result->learning.work.watch);
    if (ok && s->resume)
        watch_say(result->learning.work.watch, VOUCH_EVENT_NOTE,
                  result->checkpoint->goes_on ? "going on with what %s has"
                                              : "%s has nothing yet: beginning from the start",
                  result->checkpoint->folder);
    return ok;
}

void training_saved(struct training_result *result)
{
    if (result->checkpoint && !result->stopped)
        checkpoint_remove(result->checkpoint);
}
