/*
 * Settles how files are read, by --format, --column, --gold, --vectors and --on-error.
 */
#include "options/rows.h"

#include <stdlib.h>

/* Applies --column: a number is a column of any file that has columns, a name one of CoNLL-U. */
static bool choose_column(const struct reading_values *values, struct reader_options *reading, struct vouch_error *err)
{
    enum { MOST = 65536 };
    const char *name = values->column;
    char *end;
    if (!name) {
        reading->column = values->gold > 0 ? (uint32_t)values->gold : 0;
        return true;
    }
    if (values->gold)
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

bool reading_options(const struct reading_values *values, struct reader_options *reading, struct vouch_error *err)
{
    *reading = (struct reader_options){.format = values->format, .gold = values->gold};
    reading->vectors = values->vectors;
    return choose_column(values, reading, err);
}

bool reading_options_to_answer(const struct reading_values *values, struct reader_options *reading,
                               struct vouch_error *err)
{
    if (!reading_options(values, reading, err))
        return false;
    reading->gold = GOLD_NONE;
    reading->report = values->on_error == ON_ERROR_REPORT;
    return true;
}
