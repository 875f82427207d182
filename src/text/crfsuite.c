/*
 * Reads and writes CRFsuite attributes: LABEL<TAB>attribute[:value]<TAB>...,
 * one word on each line, a blank line after each sequence.
 *
 * The value is what follows the last colon that is not escaped; "\:" and "\\"
 * stand for a colon and a backslash. Cells are the attributes, not the label.
 * Empty fields (a tab at the end of the line, for instance) are skipped. A
 * sequence is labelled if every word has a label.
 */
#include "base/text.h"
#include "text/formats.h"

#include <math.h>

static bool is_escape(struct text field, uint32_t i)
{
    return field.at[i] == '\\' && i + 1 < field.length && (field.at[i + 1] == ':' || field.at[i + 1] == '\\');
}

/* Returns the place of the last colon that is not escaped, or the field's length. */
static uint32_t find_colon(struct text field, bool *escapes)
{
    uint32_t colon = field.length;
    *escapes = false;
    for (uint32_t i = 0; i < field.length; i++) {
        if (is_escape(field, i)) {
            *escapes = true;
            i++;
        } else if (field.at[i] == ':') {
            colon = i;
        }
    }
    return colon;
}

/* Returns the field without its escapes, copied behind the line if there are any. */
static struct text unescape(struct reader *reader, struct sentence *into, struct text field)
{
    char *from = into->bytes + reader->used, *at = from;
    for (uint32_t i = 0; i < field.length; i++) {
        i += is_escape(field, i);
        *at++ = field.at[i];
    }
    reader->used += (size_t)(at - from);
    return (struct text){from, (uint32_t)(at - from)};
}

static bool add_attribute(struct reader *reader, struct sentence *into, struct text field, uint32_t at,
                          struct vouch_error *err)
{
    bool escapes;
    uint32_t colon = find_colon(field, &escapes);
    struct text name = {field.at, colon};
    double value = 1;
    if (colon < field.length) {
        struct text number = {field.at + colon + 1, field.length - colon - 1};
        if (!parse_number(number, &value) || !isfinite((float)value))
            return fail_line(reader, err, "attribute \"%.*s\": expected a finite number after ':', found \"%.*s\"",
                             excerpt(name), name.at, excerpt(number), number.at);
        if (name.length == 0)
            return fail_line(reader, err, "expected an attribute before \"%.*s\"", excerpt(field), field.at);
    }
    into->cell[at] = escapes ? unescape(reader, into, name) : name;
    into->value[at] = (float)value;
    into->weighted = into->weighted || into->value[at] != 1;
    return true;
}

static bool add_word(struct reader *reader, struct sentence *into, struct text line, struct vouch_error *err)
{
    uint32_t from = into->first[into->N], cells = 0, most = 0; /* tabs */
    for (uint32_t i = 0; i < line.length; i++)
        most += line.at[i] == '\t';
    /* Room for the line, and for its fields without escapes. */
    if (!sentence_room(reader, into, 2 * (size_t)line.length + reader->ending.length, most, err) ||
        !RESERVE(into->value, into->value_capacity, from + (size_t)most, err))
        return false;
    struct text rest = into->line[into->N] = sentence_keep_line(reader, into, line);
    struct text label = text_cut(&rest, '\t');
    if (label.length > 0 && memchr(label.at, '\\', label.length))
        label = unescape(reader, into, label);
    into->labelled = into->labelled && label.length > 0;
    into->gold[into->N] = sentence_gold(reader, into, label);
    while (rest.length > 0) {
        struct text field = text_cut(&rest, '\t');
        if (field.length == 0)
            continue;
        if (!add_attribute(reader, into, field, from + cells, err))
            return false;
        cells++;
    }
    sentence_word(reader, into, cells);
    return true;
}

static enum reading crfsuite_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    if (!sentence_begin(reader, into, err))
        return READ_FAILED;
    into->labelled = reader->gold != GOLD_NONE;
    into->attributes = true;
    struct text line;
    int got;
    while ((got = next_line(reader, &line, err)) == 1) {
        bool blank = all_blank(line);
        if (!(blank ? sentence_blank : add_word)(reader, into, line, err))
            return READ_FAILED;
        if (blank && into->N > 0)
            return READ_SENTENCE;
    }
    return got < 0 ? READ_FAILED : sentence_last(into);
}

/* Writes a label; a colon and a number for each method, as CRFsuite writes marginals; then a colon and a flag. */
static void crfsuite_write_word(struct output *out, const struct writer_options *options,
                                const struct sentence *sentence, uint32_t word, struct text label,
                                const struct marks *marks)
{
    const struct confidences *confidences = marks->confidences;
    (void)options, (void)sentence;
    write_text(out, label);
    for (uint32_t m = 0; confidences && m < confidences->methods; m++) {
        output_write(out, ":", 1);
        write_number(out, number_at(confidences->by_method[m].word, word));
    }
    if (confidences && confidences->set.asked) {
        uint32_t count = choice_set_size(&confidences->set, word);
        output_write(out, count ? ":" : ":_", count ? 1 : 2);
        write_members(out, &confidences->set, word, count);
    }
    if (confidences && marks_flag(marks))
        output_write(out, marks->doubtful[word] ? ":?" : ":_", 2);
}

void crfsuite_write_line(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                         uint32_t word, struct text label, const struct marks *marks)
{
    struct text rest = sentence->line[word], old = text_cut(&rest, '\t');
    (void)options, (void)marks;
    for (uint32_t c = 0; c < label.length; c++) {
        output_write(out, "\\", label.at[c] == '\\');
        output_write(out, label.at + c, 1);
    }
    output_write(out, old.at + old.length, sentence->line[word].length - old.length);
}

const struct format_calls crfsuite_calls = {
    .name = "crfsuite", .next = crfsuite_next, .write_word = crfsuite_write_word};
