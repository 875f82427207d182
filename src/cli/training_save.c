/*
 * What was learned, and where it came from, as a model file.
 */
#include "cli/saving.h"
#include "cli/training.h"

#include "base/output.h"

#include <stdio.h>

/* Where the model comes from. */
static bool describe(struct training_run *run)
{
    const struct settings *s = run->settings;
    const struct learned_corpus *c = &run->corpus;
    bool parses = run->learning.parses;
    char digest[24];
    char *line = settings_provenance(s, run->command->table);
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)(parses ? c->trees.digest : c->tags.digest));
    run->header = json_pack(
        "{s:s, s:s, s:o, s:I, s:I, s:{s:o, s:I, s:I, s:s}, s:O}", "program", "vouch", "version", vouch_version(),
        "command", saving_text(line), "seed", (json_int_t)s->seed, "passes", (json_int_t)s->passes, "training", "files",
        saving_files(s), "sentences", (json_int_t)c->dataset.layer[0].examples.count, "words",
        (json_int_t)(parses ? c->trees.set.words : c->tags.set.words), "digest", digest, "parameters", run->parameters);
    free(line);
    if (!run->header)
        return fail_memory(&run->err);
    if (s->dev)
        json_object_set(run->header, "dev", run->dev_scores);
    uint32_t column = run->learning.plan.reading.column;
    if (!parses && c->tags.format == FORMAT_CONLLU)
        json_object_set_new(run->header, "column", json_string(column_name(column)));
    else if (run->learning.plan.reading.gold)
        json_object_set_new(run->header, "gold", json_integer(run->learning.plan.reading.gold));
    json_t *columns = parses ? NULL : column_survey_json(&c->tags.survey);
    if (columns)
        json_object_set_new(run->header, "columns", columns);
    if (!run->learned)
        json_object_set_new(run->header, "interrupted", json_true());
    if (run->from && !training_describe_from(run, run->header))
        return fail_memory(&run->err);
    if (run->confidence)
        json_object_set(run->header, "confidence", run->confidence);
    return saving_whole(&run->err);
}

bool training_save(struct training_run *run)
{
    const struct learned_corpus *c = &run->corpus;
    bool parses = run->learning.parses;
    struct output *out = describe(run) ? output_open(run->settings->output, &run->err) : NULL;
    struct model_content content = {.header = run->header,
                                    .task = run->settings->task,
                                    .template = c->tags.template,
                                    .labels = parses ? &c->trees.relations : &c->tags.labels,
                                    .vocabulary = parses ? NULL : &c->tags.vocabulary,
                                    .layer = run->layer,
                                    .layers = run->layers,
                                    .seen = parses ? &c->trees.seen : &c->tags.seen};
    if (!out || !model_write(out, &content, &run->err)) {
        output_discard(out);
        return false;
    }
    return output_commit(out, &run->err);
}
