/* Implements vouch convert: annotated texts from one format to another. */
#include "cli/cli.h"

#include "convert/conversion.h"

#include <string.h>

/* Prints what was changed and lost; with --json what was read and written, too. */
static bool report(const struct convert_options *s, const struct annotated_texts *corpus, struct vouch_error *err)
{
    struct buffer said = {0};
    bool ok = conversion_say(&corpus->counts, annotation_format_named(s->to, err), &said, err);
    json_t *json = ok && s->json ? conversion_json(corpus, s, err) : NULL;
    if (json)
        show_json(json, 6);
    fflush(stdout);
    for (const char *line = ok && said.bytes && !s->common.quiet ? said.bytes : ""; *line;
         line = strchr(line, '\n') + 1)
        showf(stderr, "vouch: %.*s\n", (int)(strchr(line, '\n') - line), line);
    free(said.bytes);
    return ok && (json || !s->json);
}

static int convert(void *options, struct vouch_error *err)
{
    const struct convert_options *s = options;
    struct annotated_texts corpus;
    const struct annotation_format *to = annotation_format_named(s->to, err);
    if (!to) {
        fail_within(err, "--to");
        return EXIT_MISUSE;
    }
    bool folder = convert_to_folder(s);
    if (folder && !s->output) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected -o FOLDER: %s is files of their own for each document", to->title);
        return EXIT_MISUSE;
    }
    if (s->json && !s->output) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected -o FILE with --json: both would be written to standard output");
        return EXIT_MISUSE;
    }
    texts_init(&corpus);
    struct output *out = folder || !saving_possible(s, err) ? NULL : output_open(s->output, err);
    bool done = (folder || out) && convert_files(&corpus, s, out, err);
    if (!folder)
        done = output_close(out, done, err) && done;
    done = done && report(s, &corpus, err);
    texts_release(&corpus);
    return done_if(done);
}

const struct command convert_command = {
    .name = "convert",
    .arguments = "--to FORMAT FILE...",
    .summary = "read and write annotated texts of other tools: Label Studio, doccano, Prodigy, brat, ...",
    .about =
        "Writes the annotated texts of all files in another format. Offsets of characters are resolved against "
        "words, which are found by Unicode's rule where a file has none; a span that begins or ends inside of a "
        "word is refused, unless --edges says what to do. What the target cannot say is dropped, counted, and said "
        "on standard error.",
    .example = "  vouch convert --to jsonl export.json -o train.jsonl\n"
               "  vouch convert --to label-studio train.conll -o tasks.json\n"
               "  vouch convert --to conll --overlaps longest --edges widen brat/*.ann\n"
               "  vouch convert --from ner_tags --names O,B-PER,I-PER --to gliner data.jsonl\n",
    .table = &convert_options,
    .run = convert,
};
