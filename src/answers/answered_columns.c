/*
 * Reads answered CoNLL columns: finds out which is gold, which the answer, and which are numbers. See answered.h.
 *
 * From the last column on, to the left:
 *
 *   flag           "?" or "_" in every row
 *   sets           "{label|label2}" or "_" in every row, at least one of them no "_"; up to two columns
 *   alternatives   "label:0.93|label2:0.05" or "_", at least one of them no "_"
 *   confidence     numbers or "_", at least one of them a number: as many columns as "# conf_method=" names at the
 *                  beginning of the file, else all that there are
 *   answer, gold
 *
 * Columns count as a flag, sets and alternatives only if numbers are in front of them. Labels may be numbers, too:
 * without that comment, columns of whole numbers alone are confidence only if there is one such column, and all of them
 * are 0 or 1.
 */
#include "base/real.h"
#include "answers/answered_parts.h"

#include <inttypes.h>
#include <stdio.h>

/* Reads "# conf_method=kd-fix:calibrated,delta:raw". */
bool answered_columns_header(struct answered_file *file, struct vouch_error *err)
{
    struct text names;
    if (!conllu_comment(file->sentence->before, text_of("conf_method"), &names))
        return true;
    for (const char *at = names.at, *end = names.at + names.length; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *to = comma ? comma : end;
        const char *colon = memchr(at, ':', (size_t)(to - at)), *name_end = colon ? colon : to;
        struct text name = {at, (uint32_t)(name_end - at)}, state = {name_end, (uint32_t)(to - name_end)};
        if (!answered_add_method(file, name, text_is(state, ":calibrated"), err))
            return false;
        at = comma ? comma + 1 : end;
    }
    return true;
}

/* What the cells of a column look like in the sentences ahead. */
struct column_look {
    bool flags, numbers, alternatives, sets;   /* all of them are such, or "_" */
    bool any_number, any_alternative, any_set; /* and some are no "_" */
    bool whole, binary;                        /* the numbers are whole; are 0 or 1 */
};

/* Whether the cell ends with a colon and a number. */
static bool is_alternatives(struct text cell)
{
    double number;
    uint32_t colon = cell.length;
    while (colon > 0 && cell.at[colon - 1] != ':')
        colon--;
    return colon > 1 && parse_number((struct text){cell.at + colon, cell.length - colon}, &number);
}

static bool is_set(struct text cell)
{
    return cell.length > 1 && cell.at[0] == '{' && cell.at[cell.length - 1] == '}';
}

static void look_at_cell(struct column_look *look, struct text cell)
{
    double number = NAN;
    bool is_number = read_number(cell, &number), nothing = text_is(cell, "_");
    bool alternatives = !nothing && is_alternatives(cell);
    look->flags = look->flags && (nothing || text_is(cell, "?"));
    look->numbers = look->numbers && is_number;
    look->any_number = look->any_number || (is_number && !nothing);
    look->alternatives = look->alternatives && (nothing || alternatives);
    look->any_alternative = look->any_alternative || alternatives;
    look->sets = look->sets && (nothing || is_set(cell));
    look->any_set = look->any_set || is_set(cell);
    look->whole = look->whole && (isnan(number) || (isfinite(number) && number == floor(number)));
    look->binary = look->binary && (isnan(number) || number == 0 || number == 1);
}

static struct column_look look_at(const struct answered_file *file, uint32_t column)
{
    struct column_look look = {
        .flags = true, .numbers = true, .alternatives = true, .sets = true, .whole = true, .binary = true};
    for (uint32_t s = 0; s < file->held; s++)
        for (uint32_t i = 0; i < file->ahead[s].N; i++)
            look_at_cell(&look, sentence_cell(&file->ahead[s], i, column));
    look.numbers = look.numbers && look.any_number;
    look.alternatives = look.alternatives && look.any_alternative;
    look.sets = look.sets && look.any_set;
    return look;
}

/* Returns how many columns in front of `end` are confidence. */
static uint32_t count_numbers(const struct answered_file *file, uint32_t end)
{
    uint32_t count = 0;
    bool whole = true, binary = true;
    while (count < end) {
        struct column_look look = look_at(file, end - count - 1);
        if (!look.numbers)
            break;
        whole = whole && look.whole;
        binary = binary && look.binary;
        count++;
    }
    if (file->methods > 0 && count > file->methods)
        return file->methods;
    return whole && file->methods == 0 && !(count == 1 && binary) ? 0 : count;
}

/* Puts the columns of confidence in place; returns where they begin. */
static uint32_t find_numbers(struct answered_file *file, uint32_t columns, uint32_t *count)
{
    uint32_t end = columns;
    end -= end > 0 && look_at(file, end - 1).flags;
    for (int column = 0; column < 2; column++) /* of words, and of chunks */
        end -= end > 0 && look_at(file, end - 1).sets;
    end -= end > 0 && look_at(file, end - 1).alternatives;
    *count = count_numbers(file, end);
    return *count > 0 ? end - *count : columns;
}

/* Refuses a column of numbers, which cannot be compared with labels. */
static bool refuse_numbers(const struct answered_file *file, uint32_t column, struct vouch_error *err)
{
    struct text cell = sentence_cell(file->sentence, 0, column);
    return answered_refuse(
        file, 0, err, "column %" PRIu32 " is numbers (\"%.*s\"): expected %s", column + 1, excerpt(cell), cell.at,
        column == file->gold_column ? "gold labels, whose column --gold N names" : "answers behind the gold labels");
}

static bool place_gold(struct answered_file *file, uint32_t columns, struct vouch_error *err)
{
    bool alone = file->options.part == GOLD_ALONE;
    uint32_t before = alone ? columns : file->answer_column; /* gold is in front of it */
    if (file->options.gold > (int)before)
        return answered_refuse(file, 0, err, "expected gold labels in column %d, found %s%" PRIu32, file->options.gold,
                               alone ? "columns up to " : "the answers in column ", alone ? columns : before + 1);
    if (before == 0)
        return answered_refuse(file, 0, err, "expected gold labels in front of the answers, found no column there");
    file->gold_column = file->options.gold > 0 ? (uint32_t)file->options.gold - 1 : before - 1;
    snprintf(file->place[1], sizeof file->place[1], "column %" PRIu32, file->gold_column + 1);
    bool numbers = look_at(file, file->gold_column).numbers;
    if (!alone && numbers == look_at(file, file->answer_column).numbers)
        return true;
    return (alone && !numbers) || refuse_numbers(file, numbers ? file->gold_column : file->answer_column, err);
}

bool answered_columns_settle(struct answered_file *file, struct vouch_error *err)
{
    uint32_t columns = reader_columns(file->reader), named = file->methods, count;
    if (file->options.part == GOLD_ALONE) {
        file->methods = 0;
        return place_gold(file, columns, err);
    }
    file->first_number = find_numbers(file, columns, &count);
    if (count < named)
        return answered_refuse(file, 0, err,
                               "expected %" PRIu32 " columns of confidence, as the file says at its beginning, found "
                               "%" PRIu32,
                               named, count);
    while (file->methods < count)
        if (!answered_add_method(file, (struct text){0}, false, err))
            return false;
    if (file->first_number == 0)
        return answered_refuse(file, 0, err, "expected answers in front of the columns of numbers, found none");
    file->answer_column = file->first_number - 1;
    snprintf(file->place[0], sizeof file->place[0], "column %" PRIu32, file->answer_column + 1);
    return file->options.part == ANSWERS_ALONE || place_gold(file, columns, err);
}

static struct text *column(struct answered_file *file, uint32_t which, uint32_t column, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    if (!RESERVE(file->label[which], file->label_capacity[which], (size_t)s->N + 1, err))
        return NULL;
    for (uint32_t i = 0; i < s->N; i++)
        file->label[which][i] = sentence_cell(s, i, column);
    return file->label[which];
}

bool answered_columns_read(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    bool gold = file->options.part != ANSWERS_ALONE, answers = file->options.part != GOLD_ALONE;
    if ((gold && !(into->gold = column(file, 1, file->gold_column, err))) ||
        (answers && !(into->label = column(file, 0, file->answer_column, err))) || !answered_abstain(file, 0, err))
        return false;
    for (uint32_t m = 0; m < file->methods; m++)
        for (uint32_t i = 0; i < s->N; i++) {
            struct text cell = sentence_cell(s, i, file->first_number + m);
            if (!read_number(cell, &answered_words(file, m)[i]))
                return answered_refuse(
                    file, i, err, "expected a number, the confidence, in column %" PRIu32 ", as above, found \"%.*s\"",
                    file->first_number + m + 1, excerpt(cell), cell.at);
        }
    return true;
}
