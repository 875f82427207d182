/* Turns options into reader options: see reading_options.h. */
#include "options/reading_options.h"


#include <stdlib.h>
#include <string.h>

/* Applies --column: a number is a column of any file that has columns, a name one of CoNLL-U. */
static bool choose_column(const struct settings *settings, struct reader_options *reading, struct vouch_error *err)
{
    enum { MOST = 65536 };
    const char *name = settings->column;
    char *end;
    if (!name) {
        reading->column = settings->gold > 0 ? (uint32_t)settings->gold : 0;
        return true;
    }
    if (settings->gold)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected --column or --gold, not both");
    unsigned long number = strtoul(name, &end, 10);
    bool digits = name[0] >= '0' && name[0] <= '9' && !*end;
    reading->named = !digits;
    reading->column = digits && number <= MOST ? (uint32_t)number : digits ? 0 : column_parse(name);
    if (reading->column == 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--column: expected form, lemma, upos, xpos, feats, deprel, deps, or a number from 1, found '%s'",
                    name);
    reading->gold = digits ? (int)number : reading->gold;
    return true;
}

bool reading_options(const struct settings *settings, struct reader_options *reading, struct vouch_error *err)
{
    int format = format_parse(settings->format);
    if (format < 0)
        return fail_value(err, "format", "auto, conll, crfsuite, plain, jsonl or conllu", settings->format);
    *reading = (struct reader_options){.format = (enum format)format, .gold = (int)settings->gold};
    reading->vectors = settings->vectors;
    return choose_column(settings, reading, err);
}

bool reading_options_to_answer(const struct settings *settings, struct reader_options *reading, struct vouch_error *err)
{
    bool report = strcmp(settings->on_error, "report") == 0;
    if (!report && strcmp(settings->on_error, "stop") != 0)
        return fail_value(err, "on-error", "stop or report", settings->on_error);
    if (!reading_options(settings, reading, err))
        return false;
    reading->gold = GOLD_NONE;
    reading->report = report;
    return true;
}
