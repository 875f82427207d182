/*
 * Writes CoNLL-U: the lines that were read, with HEAD and DEPREL, or the column of the labels, replaced. Confidence is
 * written to MISC and to comments; functions that read it there again are here as well.
 *
 * Attributes of MISC come after those that are there:
 *
 *     HeadConf=0.9731|RelConf=0.9412         by the first method
 *     HeadConf_Delta=2.5|RelConf_Delta=0.8   by every further one
 *     HeadAlt=3:0.91,5:0.06                  likeliest heads, 0 the root
 *     HeadSet=3,5                            a set of heads that holds the right one
 *     Doubt=Yes                              below the threshold
 *
 * For labels the names are those of their column:
 *
 *     UposConf=0.98|UposAlt=NOUN:0.98,VERB:0.01|UposSet=NOUN,VERB
 *     XposReadings=PER,O                     of the chunk that begins here
 *
 * In a label of UposAlt, UposSet and UposReadings, blanks, bars, commas and backslashes are written \s, \p, \c and \\.
 *
 * Comments come after those that are there:
 *
 *     # conf = 0.61                          of the whole sentence
 *     # conf_Delta = 0.5                     by every further method
 *     # conf_method = kd-fix (calibrated), delta (raw)
 *
 * A method's name in a key has the first letter of each of its parts in upper case and nothing but letters and digits:
 * kd-fix is KdFix. What was not computed is left out. Attributes and comments of these names that were there before are
 * dropped, so that a file can be parsed again.
 */
#include "text/formats.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_letter_or_digit(char c)
{
    return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

struct text conllu_key(const char *name, const char *method, bool first, char *room)
{
    size_t length = strnlen(name, CONLLU_KEY - 1);
    bool begins = true;
    memcpy(room, name, length);
    if (!first)
        room[length++] = '_';
    for (const char *c = method; !first && *c && length < CONLLU_KEY; c++) {
        char upper = begins && is_lower(*c) ? (char)(*c - 'a' + 'A') : *c;
        begins = !is_letter_or_digit(*c);
        if (!begins)
            room[length++] = upper;
    }
    return (struct text){room, (uint32_t)length};
}

/* Whether `key` is `name`, or `name`, "_" and a method's name. */
static bool is_key(struct text key, const char *name)
{
    size_t length = strlen(name);
    if (!text_starts(key, name) || key.length == length)
        return text_is(key, name);
    char first = key.length > length + 1 ? key.at[length + 1] : '_';
    return key.at[length] == '_' && is_letter_or_digit(first) && !is_lower(first);
}

/* Splits a comment such as "# key = value" into key and value; false if it is no such comment. */
static bool split_comment(struct text line, struct text *key, struct text *value)
{
    if (line.length == 0 || !memchr(line.at, '=', line.length))
        return false;
    line.length -= line.at[line.length - 1] == '\r';
    *value = (struct text){line.at + 1, line.length - 1}; /* behind the # */
    *key = text_trim(text_cut(value, '='));
    *value = text_trim(*value);
    return true;
}

bool conllu_comment(struct text before, struct text key, struct text *value)
{
    struct text found;
    while (before.length > 0)
        if (split_comment(text_cut(&before, '\n'), &found, value) && text_equal(found, key))
            return true;
    return false;
}

bool conllu_attribute(struct text misc, struct text key, struct text *value)
{
    while (misc.length > 0) {
        *value = text_cut(&misc, '|');
        if (text_equal(text_cut(value, '='), key))
            return true;
    }
    return false;
}

/* Whether a comment is one that this file writes. */
static bool is_own_comment(struct text line)
{
    struct text key, value;
    return split_comment(line, &key, &value) && (is_key(key, "conf") || text_is(key, "conf_method") ||
                                                 text_is(key, "conf_min") || text_is(key, "conf_whole"));
}

static void write_comment(struct output *out, struct text key, double x, struct text newline)
{
    if (isnan(x))
        return;
    output_printf(out, "# %.*s = ", (int)key.length, key.at);
    write_number(out, x);
    write_text(out, newline);
}

/* Writes the comments before a sentence of at least one word, and those that confidence adds. */
static void write_comments(struct output *out, const struct sentence *sentence, const struct confidences *confidences)
{
    struct text before = sentence->before, newline = newline_of(sentence);
    while (before.length > 0) {
        struct text line = text_cut(&before, '\n');
        if (is_own_comment(line))
            continue;
        write_text(out, line);
        output_write(out, "\n", 1);
    }
    for (uint32_t m = 0; m < confidences->methods; m++) {
        const struct method_confidence *by_method = &confidences->by_method[m];
        char room[CONLLU_KEY];
        write_comment(out, conllu_key("conf", by_method->method, m == 0, room), by_method->sentence, newline);
    }
    if (confidences->methods > 0 && confidences->by_method->more) {
        write_comment(out, text_of("conf_min"), confidences->by_method->more->minimum, newline);
        write_comment(out, text_of("conf_whole"), confidences->by_method->more->whole, newline);
    }
    for (uint32_t m = 0; m < confidences->methods; m++)
        output_printf(out, "%s%s (%s)", m > 0 ? ", " : "# conf_method = ", confidences->by_method[m].method,
                      confidences->by_method[m].calibrated ? "calibrated" : "raw");
    if (confidences->methods > 0)
        write_text(out, newline);
}

/* Returns an attribute of the answers: "HeadConf" of heads, column 0, else "UposConf" or the like. */
static const char *attribute_of(uint32_t column, const char *what, char *room, size_t size)
{
    const char *name = column > 0 ? column_name(column) : "head";
    snprintf(room, size, "%c%s%s", name[0] - 'a' + 'A', name + 1, what);
    return room;
}

const char *conllu_conf(uint32_t column, char *room)
{
    return attribute_of(column, "Conf", room, CONLLU_CONF);
}

/* The names of the attributes: of the answer, of alternatives, of sets. The relation of an arc has RelConf, RelSet. */
struct keys {
    char answer[CONLLU_CONF], others[16], set[16], readings[24];
};

static struct keys keys_of(uint32_t column)
{
    struct keys keys;
    conllu_conf(column, keys.answer);
    attribute_of(column, "Alt", keys.others, sizeof keys.others);
    attribute_of(column, "Set", keys.set, sizeof keys.set);
    attribute_of(column, "Readings", keys.readings, sizeof keys.readings);
    return keys;
}

static bool is_own_attribute(struct text attribute, const struct keys *keys, bool arcs)
{
    struct text key = text_cut(&attribute, '=');
    return is_key(key, keys->answer) || (arcs && (is_key(key, "RelConf") || text_is(key, "RelSet"))) ||
           text_is(key, keys->others) || text_is(key, keys->set) || text_is(key, keys->readings) ||
           text_is(key, "Doubt");
}

/* Writes the bar between attributes. */
static void separate(struct output *out, bool *any)
{
    output_write(out, "|", *any);
    *any = true;
}

static void write_conf(struct output *out, const char *key, const struct confidences *confidences, uint32_t m, double x,
                       bool *any)
{
    char room[CONLLU_KEY];
    if (isnan(x))
        return;
    separate(out, any);
    write_text(out, conllu_key(key, confidences->by_method[m].method, m == 0, room));
    output_write(out, "=", 1);
    write_number(out, x);
}

/* Writes the key, or the comma between choices, and a head or a label with its separating signs escaped. */
static void write_choice(struct output *out, const char *key, const struct alternative *choice, bool first, bool arcs)
{
    static const char signs[] = " |,\\", letters[] = "spc\\";
    const struct text label = choice->label;
    output_printf(out, "%s%s", first ? key : ",", first ? "=" : "");
    if (arcs)
        output_printf(out, "%" PRIu32, choice->head);
    for (uint32_t i = 0; !arcs && i < label.length; i++) {
        const char *sign = label.at[i] ? strchr(signs, label.at[i]) : NULL;
        output_write(out, "\\", sign != NULL);
        output_write(out, sign ? &letters[sign - signs] : &label.at[i], 1);
    }
}

static void write_others(struct output *out, const char *key, const struct confidences *confidences, uint32_t word,
                         bool arcs, bool *any)
{
    uint32_t count = confidences->alternative && confidences->found ? confidences->found[word] : 0;
    if (count > 0)
        separate(out, any);
    for (uint32_t a = 0; a < count; a++) {
        const struct alternative *other = &confidences->alternative[(size_t)word * confidences->alternatives + a];
        write_choice(out, key, other, a == 0, arcs);
        output_write(out, ":", 1);
        write_number(out, other->probability);
    }
}

static void write_set(struct output *out, const char *key, const struct choice_sets *sets, uint32_t i, bool arcs,
                      bool *any)
{
    uint32_t count = i == UINT32_MAX ? 0 : choice_set_size(sets, i);
    if (count > 0)
        separate(out, any);
    for (uint32_t k = 0; k < count; k++)
        write_choice(out, key, &sets->choice[sets->first[i] + k], k == 0, arcs);
}

/* Writes the MISC of a word; `column` is the one that was answered, from 1; 0: HEAD and DEPREL. */
static void write_misc(struct output *out, struct text misc, const struct marks *marks, uint32_t word, uint32_t column)
{
    const struct confidences *confidences = marks->confidences;
    const struct keys keys = keys_of(column);
    bool any = false;
    if (text_is(misc, "_"))
        misc.length = 0;
    while (misc.length > 0) {
        struct text attribute = text_cut(&misc, '|');
        if (is_own_attribute(attribute, &keys, column == 0))
            continue;
        separate(out, &any);
        write_text(out, attribute);
    }
    for (uint32_t m = 0; m < confidences->methods; m++) {
        write_conf(out, keys.answer, confidences, m, number_at(confidences->by_method[m].word, word), &any);
        if (column == 0)
            write_conf(out, "RelConf", confidences, m, number_at(confidences->by_method[m].relation, word), &any);
    }
    write_others(out, keys.others, confidences, word, column == 0, &any);
    write_set(out, keys.set, &confidences->set, word, column == 0, &any);
    if (column == 0)
        write_set(out, "RelSet", &confidences->relation_set, word, false, &any);
    write_set(out, keys.readings, &confidences->reading, span_at(confidences, word), false, &any);
    if (marks_flag(marks) && marks->doubtful[word]) {
        separate(out, &any);
        output_printf(out, "Doubt=Yes");
    }
    output_write(out, "_", !any);
}

/* Every word's line is written as it was, with one cell replaced, or two neighbours: HEAD and DEPREL. */
bool conllu_write(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                  const uint32_t *head, const struct text *label, const struct marks *marks, struct vouch_error *err)
{
    uint32_t column = head ? 0 : options->column, origin = head ? COLUMN_ID : COLUMN_FORM; /* of the first cell */
    if (!head && (!sentence->leads || sentence->tree || column <= COLUMN_FORM || column >= TREE_COLUMNS))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "labels can be written to CoNLL-U only in place of a column that was read");
    write_front(out, options, sentence);
    if (marks->confidences && sentence->N > 0)
        write_comments(out, sentence, marks->confidences);
    else
        write_text(out, sentence->before);
    for (uint32_t i = 0; i < sentence->N; i++) {
        struct text line = sentence->line[i], misc = sentence_cell(sentence, i, COLUMN_MISC - origin);
        struct text from = sentence_cell(sentence, i, head ? COLUMN_HEAD : column - 1 - origin);
        struct text to = head ? sentence_cell(sentence, i, COLUMN_DEPREL) : from;
        const char *behind = to.at + to.length;
        write_text(out, sentence->lead[i]);
        output_write(out, line.at, (size_t)(from.at - line.at));
        if (head)
            output_printf(out, "%" PRIu32 "\t", head[i]);
        write_text(out, label ? label[i] : options->keeps_relations ? to : text_of("_"));
        output_write(out, behind, (size_t)(misc.at - behind));
        if (marks->confidences)
            write_misc(out, misc, marks, i, column);
        else
            write_text(out, misc);
        write_end(out, options, sentence, i);
    }
    write_text(out, sentence->lead[sentence->N]);
    write_behind(out, options, sentence);
    return true;
}
