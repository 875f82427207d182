/* Describes in the header where a trained model came from: see training.h. */
#include "train/training.h"

#include "model/records.h"

#include <stdio.h>

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
    char digest[24];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)model_file_digest(&plan->from->file));
    json_t *from = json_pack("{s:o, s:s, s:o}", "file", header_text(plan->settings.from), "digest", digest, "history",
                             history(plan->from->header));
    return json_object_set_new(header, "from", from) == 0 &&
           json_object_set_new(training, "in_all", json_integer(learned_in_all(plan->from->header) + sentences)) == 0;
}

/* Describes the options, the files, and the parameters of learning. */
static json_t *describe_run(const struct training_plan *plan, const struct training_result *result)
{
    const struct settings *s = &plan->settings;
    const struct dataset *dataset = &result->corpus.dataset;
    uint32_t sentences = dataset->layer[0].examples.count;
    char digest[24];
    char *line = options_provenance(s);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)result->corpus.digest);
    json_t *header = json_pack(
        "{s:s, s:s, s:o, s:I, s:I, s:{s:o, s:I, s:I, s:s}, s:O}", "program", "vouch", "version", vouch_version(),
        "command", header_text(line), "seed", (json_int_t)s->common.work.seed, "passes", (json_int_t)s->learner.passes,
        "training", "files", header_files(s->common.argument, s->common.arguments), "sentences", (json_int_t)sentences,
        "words", (json_int_t)dataset->words, "digest", digest, "parameters", result->voices.parameters);
    free(line);
    return header;
}

bool training_describe(const struct training_plan *plan, struct training_result *result, struct vouch_error *err)
{
    json_t *header = result->header = describe_run(plan, result);
    bool ok = header != NULL;
    if (plan->settings.dev)
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
