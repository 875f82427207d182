/* Implements vouch import: another program's model becomes one of vouch. */
#include "cli/cli.h"

#include "import/import.h"
#include "options/rows.h"

#include <string.h>

struct import_options {
    struct options common;
    const char *from, *output, *scheme;
};
#define OPTIONS struct import_options

static const struct option_spec import_rows[] = {
    TEXT("from", 0, from, "PROGRAM", OPTION_READ, "the program that made the model: " IMPORT_PROGRAMS),
    TEXT("output", 'o', output, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
         "the model file to write"),
    TEXT("scheme", 0, scheme, "NAME", OPTION_MATTERS,
         "how the labels spell chunks: " SCHEME_NAMES "; if not given, as they look: IOB2 if IOB1 is possible, too"),
    OPTION_HELP,
    {0},
};

static int import(const struct command *command, void *options)
{
    const struct import_options *o = options;
    struct vouch_error err = {0};
    enum scheme scheme;
    if (!o->from)
        return misuse(command, "expected --from PROGRAM: " IMPORT_PROGRAMS);
    if (!import_known(o->from))
        return misuse_value(command, "from", IMPORT_PROGRAMS, o->from);
    if (o->scheme && !scheme_named(o->scheme, &scheme))
        return misuse_value(command, "scheme", SCHEME_NAMES, o->scheme);
    if (!o->output)
        return misuse(command, "expected -o FILE, the model to write");
    if (o->common.arguments != 1)
        return misuse(command, "expected one model, found %zu", o->common.arguments);
    struct output *out = saving_possible(o->output, o, &err) ? output_open(o->output, &err) : NULL;
    struct foreign_kind kind = {o->from, o->scheme};
    bool ok = out && import_write(&kind, o->common.argument[0], out, &err);
    ok = output_close(out, ok, &err);
    return ok ? EXIT_DONE : failed(command, &err);
}

static const struct import_options usual = {.common = USUAL_COMMON};
static const struct option_table import_table = {"import", import_rows, &usual, sizeof usual, NULL, NULL};

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
