/*
 * Writes and reads confidence in CoNLL-U. Attributes of MISC come after those
 * that are there:
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
 * In a label of UposAlt, UposSet and UposReadings, blanks, bars, commas and backslashes are written \s,
 * \p, \c and \\.
 *
 * Comments come after those that are there:
 *
 *     # conf = 0.61                          of the whole sentence
 *     # conf_Delta = 0.5                     by every further method
 *     # conf_method = kd-fix (calibrated), delta (raw)
 *
 * A method's name in a key has the first letter of each of its parts in upper
 * case and nothing but letters and digits: kd-fix is KdFix. What was not
 * computed is left out. Attributes and comments of these names that were there
 * before are dropped, so that a file can be parsed again.
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

static void write_key(struct output *out, const char *name, const struct method_confidence *by_method, bool first)
{
    char room[CONLLU_KEY];
    write_text(out, conllu_key(name, by_method->method, first, room));
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

/* Cuts off and returns the text before `end`, and drops `end`; all that is left if it is not there. */
static struct text cut(struct text *rest, char end)
{
    const char *at = memchr(rest->at, end, rest->length);
    struct text piece = {rest->at, at ? (uint32_t)(at - rest->at) : rest->length};
    uint32_t used = piece.length + (at != NULL);
    *rest = (struct text){rest->at + used, rest->length - used};
    return piece;
}

static struct text trim(struct text text)
{
    while (text.length > 0 && is_blank(text.at[0]))
        text = (struct text){text.at + 1, text.length - 1};
    while (text.length > 0 && is_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

/* Splits a comment such as "# key = value" into key and value; false if it is no such comment. */
static bool split_comment(struct text line, struct text *key, struct text *value)
{
    if (line.length == 0 || !memchr(line.at, '=', line.length))
        return false;
    line.length -= line.at[line.length - 1] == '\r';
    *value = (struct text){line.at + 1, line.length - 1}; /* behind the # */
    *key = trim(cut(value, '='));
    *value = trim(*value);
    return true;
}

bool conllu_comment(struct text before, struct text key, struct text *value)
{
    struct text found;
    while (before.length > 0) {
        if (split_comment(cut(&before, '\n'), &found, value) && text_equal(found, key))
            return true;
    }
    return false;
}

bool conllu_attribute(struct text misc, struct text key, struct text *value)
{
    while (misc.length > 0) {
        *value = cut(&misc, '|');
        if (text_equal(cut(value, '='), key))
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

static void write_comment(struct output *out, const char *key, double x, struct text newline)
{
    if (isnan(x))
        return;
    output_printf(out, "# %s = ", key);
    write_number(out, x);
    write_text(out, newline);
}

void conllu_write_comments(struct output *out, const struct sentence *sentence, const struct confidences *confidences)
{
    struct text before = sentence->before, newline = newline_of(sentence);
    while (before.length > 0) {
        struct text line = cut(&before, '\n');
        if (is_own_comment(line))
            continue;
        write_text(out, line);
        output_write(out, "\n", 1);
    }
    for (uint32_t m = 0; m < confidences->methods; m++) {
        if (isnan(confidences->by_method[m].sentence))
            continue;
        output_write(out, "# ", 2);
        write_key(out, "conf", &confidences->by_method[m], m == 0);
        output_write(out, " = ", 3);
        write_number(out, confidences->by_method[m].sentence);
        write_text(out, newline);
    }
    if (confidences->methods > 0 && confidences->by_method->more) {
        write_comment(out, "conf_min", confidences->by_method->more->minimum, newline);
        write_comment(out, "conf_whole", confidences->by_method->more->whole, newline);
    }
    for (uint32_t m = 0; m < confidences->methods; m++)
        output_printf(out, "%s%s (%s)", m > 0 ? ", " : "# conf_method = ", confidences->by_method[m].method,
                      confidences->by_method[m].calibrated ? "calibrated" : "raw");
    if (confidences->methods > 0)
        write_text(out, newline);
}

const char *conllu_conf(uint32_t column, char *room)
{
    const char *name = column > 0 ? column_name(column) : "head";
    snprintf(room, CONLLU_CONF, "%c%sConf", name[0] - 'a' + 'A', name + 1);
    return room;
}

/* The names of the attributes: of the answer, of the relation of an arc, of alternatives, of sets. */
struct keys {
    char answer[CONLLU_CONF], relation[16], others[16], set[16], readings[24];
};

/* Returns HeadConf, RelConf and HeadAlt for arcs; UposConf and UposAlt for the labels of that column. */
static struct keys keys_of(uint32_t column)
{
    struct keys keys = {.relation = "RelConf", .others = "HeadAlt", .set = "HeadSet", .readings = "HeadReadings"};
    const char *name = column_name(column);
    conllu_conf(column, keys.answer);
    if (column == 0)
        return keys;
    snprintf(keys.others, sizeof keys.others, "%c%sAlt", name[0] - 'a' + 'A', name + 1);
    snprintf(keys.set, sizeof keys.set, "%c%sSet", name[0] - 'a' + 'A', name + 1);
    snprintf(keys.readings, sizeof keys.readings, "%c%sReadings", name[0] - 'a' + 'A', name + 1);
    keys.relation[0] = '\0';
    return keys;
}

static bool is_own_attribute(struct text attribute, const struct keys *keys)
{
    struct text key = cut(&attribute, '=');
    return is_key(key, keys->answer) || (keys->relation[0] && is_key(key, keys->relation)) ||
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
    if (isnan(x))
        return;
    separate(out, any);
    write_key(out, key, &confidences->by_method[m], m == 0);
    output_write(out, "=", 1);
    write_number(out, x);
}

/* Writes a label with its separating signs escaped. */
static void write_escaped(struct output *out, struct text label)
{
    static const char signs[] = " |,\\", letters[] = "spc\\";
    for (uint32_t i = 0; i < label.length; i++) {
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
        output_printf(out, "%s%s", a > 0 ? "," : key, a > 0 ? "" : "=");
        if (arcs)
            output_printf(out, "%" PRIu32, other->head);
        else
            write_escaped(out, other->label);
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
    for (uint32_t k = 0; k < count; k++) {
        const struct alternative *one = &sets->choice[sets->first[i] + k];
        output_printf(out, "%s%s", k > 0 ? "," : key, k > 0 ? "" : "=");
        if (arcs)
            output_printf(out, "%" PRIu32, one->head);
        else
            write_escaped(out, one->label);
    }
}

void conllu_write_misc(struct output *out, struct text misc, const struct marks *marks, uint32_t word, uint32_t column)
{
    const struct confidences *confidences = marks->confidences;
    const struct keys keys = keys_of(column);
    bool any = false;
    if (text_is(misc, "_"))
        misc.length = 0;
    while (misc.length > 0) {
        struct text attribute = cut(&misc, '|');
        if (is_own_attribute(attribute, &keys))
            continue;
        separate(out, &any);
        write_text(out, attribute);
    }
    for (uint32_t m = 0; m < confidences->methods; m++) {
        write_conf(out, keys.answer, confidences, m, number_at(confidences->by_method[m].word, word), &any);
        if (column == 0)
            write_conf(out, keys.relation, confidences, m, number_at(confidences->by_method[m].relation, word), &any);
    }
    write_others(out, keys.others, confidences, word, column == 0, &any);
    write_set(out, keys.set, &confidences->set, word, column == 0, &any);
    write_set(out, keys.readings, &confidences->reading, span_at(confidences, word), false, &any);
    if (marks_flag(marks) && marks->doubtful[word]) {
        separate(out, &any);
        output_printf(out, "Doubt=Yes");
    }
    output_write(out, "_", !any);
}
