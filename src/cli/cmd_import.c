/* Implements vouch import: another program's model becomes one of vouch. */
#include "cli/cli.h"

#include "import/import.h"
#include "options/rows.h"

struct import_options {
    struct options common;
    const char *from, *output, *scheme;
};
#define OPTIONS struct import_options

static const struct option_spec import_rows[] = {
    WORD("from", 0, from, "PROGRAM", IMPORT_PROGRAMS, OPTION_MATTERS,
         "the program that made the model: " IMPORT_PROGRAMS),
    OPTION_OUTPUT_WITH("the model file to write"),
    WORD("scheme", 0, scheme, "NAME", SCHEME_NAMES, OPTION_MATTERS,
         "how the labels spell chunks: " SCHEME_NAMES "; if not given, as they look: IOB2 if IOB1 is possible, too"),
    OPTION_HELP,
    {0},
};

static const struct option_rule import_rules[] = {
    {NULL, "from", NULL, "expected --from PROGRAM: " IMPORT_PROGRAMS},
    {NULL, "output", NULL, "expected -o FILE, the model to write"},
    {NULL, "file", "files", "expected one model, found %s"},
    {0},
};

static int import(void *options, struct vouch_error *err)
{
    const struct import_options *o = options;
    struct output *out = saving_possible(o, err) ? output_open(o->output, err) : NULL;
    struct foreign_kind kind = {o->from, o->scheme};
    bool ok = out && import_write(&kind, o->common.argument[0], out, err);
    ok = output_close(out, ok, err);
    return done_if(ok);
}

static const struct import_options usual = {.common = USUAL_COMMON};
static const struct option_table import_table = {"import", import_rows, &usual, sizeof usual, NULL, import_rules};

const struct command import_command = {
    .name = "import",
    .arguments = "--from PROGRAM -o FILE MODEL",
    .summary = "make a model from that of another program",
    .about = "Makes a vouch model of a linear-chain CRF which another program learned. It gives the same labels, and "
             "'vouch tag -c gamma --raw' the same marginals. Calibrate it with 'vouch tune'.",
    .example = "  vouch import --from crfsuite -o ner.vouch ner.crfsuite\n"
               "  vouch tag -m ner.vouch -c gamma --raw attributes.txt\n",
    .table = &import_table,
    .run = import,
};
