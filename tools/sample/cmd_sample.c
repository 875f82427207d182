/* Implements vouch sample: a synthetic corpus, to try things on. */
#include "cli/cli.h"

#include "base/output.h"
#include "options/rows.h"
#include "sample/sample.h"

struct sample_values {
    struct options common;
    const char *kind, *output;
    int64_t sentences;
    struct sample_options sampling;
};
#define OPTIONS struct sample_values

static const struct option_spec rows[] = {
    WORD("kind", 0, kind, "KIND", "ner, chunk, np, pos or dep", OPTION_MATTERS,
         "what is to be learned: ner, chunk, np, pos or dep (trees)"),
    INTEGER("sentences", 'n', sentences, "N", 0, 1e9, OPTION_MATTERS, "how many sentences"),
    INTEGER("first", 0, sampling.first, "N", 0, 1e15, OPTION_MATTERS,
            "number of the first sentence; let a test set begin where the training set ends"),
    FLAG("unseen-names", 0, sampling.held_out_names, OPTION_MATTERS,
         "make about half of the names new: they never occur without this option"),
    REAL("noise", 0, sampling.noise, "X", 0, 1, OPTION_MATTERS, "share of labels, or heads, to replace by wrong ones"),
    OPTION_SEED,
    OPTION_OUTPUT,
    OPTION_HELP,
    {0},
};

static bool write_all(struct output *out, const struct sample_options *sampling, uint64_t count,
                      struct vouch_error *err)
{
    struct sample_sentence sentence = {0};
    struct buffer text = {0};
    bool ok = true;
    for (uint64_t i = 0; ok && i < count; i++) {
        text.length = 0;
        ok = sample_sentence(sampling, i, &sentence, err) && sample_write(&sentence, sampling->kind, &text, err);
        if (ok)
            output_write(out, text.bytes, text.length);
    }
    sample_release(&sentence);
    free(text.bytes);
    return ok;
}

static int sample(void *options, struct vouch_error *err)
{
    struct sample_values *s = options;
    s->sampling.kind = (enum sample_kind)sample_kind_parse(s->kind);
    s->sampling.seed = s->common.work.seed;
    struct output *out = output_open(s->output, err);
    bool ok = out && write_all(out, &s->sampling, (uint64_t)s->sentences, err);
    ok = output_close(out, ok, err);
    return done_if(ok);
}

static const struct sample_values usual = {.common = USUAL_COMMON, .kind = "ner", .sentences = 1000};
static const struct option_rule rules[] = {{.excludes = "file", .message = "expected no arguments, found '%s'"}, {0}};
static const struct option_table sample_table = {"sample", rows, &usual, sizeof usual, NULL, rules};

const struct command sample_command = {
    .name = "sample",
    .arguments = "",
    .summary = "write a synthetic corpus to try things on",
    .about =
        "Writes sentences from a seeded grammar of news-like English as CoNLL columns: form, part of speech, "
        "chunk, entity; or, for dep, as CoNLL-U with dependency trees, some of whose arcs cross. Names are people, "
        "places or firms by context, and some phrases can depend on one word or another, so that models "
        "make realistic errors. Sentence i of a seed is always the same.",
    .example = "  vouch sample --kind ner -n 2000 > train.txt\n"
               "  vouch sample --kind ner -n 500 --first 2000 --unseen-names > test.txt\n"
               "  vouch sample --kind dep -n 2000 > train.conllu\n",
    .table = &sample_table,
    .run = sample,
};
