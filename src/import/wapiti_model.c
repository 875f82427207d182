/*
 * Reads the models of Wapiti 1.2 to 1.5: linear-chain CRFs over patterns. All of it is lines of text:
 *
 *     #mdl#TYPE#ACTIVE              TYPE 2 is a CRF; older files have no TYPE
 *     #rdr#PATTERNS/COLUMN/SINGLE   older files have no SINGLE, which is 1 for words without patterns
 *     LENGTH:PATTERN,               one for each pattern; LENGTH counts bytes
 *     #qrk#LABELS
 *     LENGTH:LABEL,
 *     #qrk#OBSERVATIONS
 *     LENGTH:OBSERVATION,           a feature: a pattern with cells in place of commands
 *     NUMBER=WEIGHT                 ACTIVE of them, in base 16; the others are 0
 *
 * Weights are numbered observation by observation: Y weights of one that begins with u, Y * Y by left and right label
 * of one that begins with b, and both, one after the other, of one that begins with *. As in model.c, reader.c and
 * quark.c of Wapiti 1.5.0 (Lavergne, Cappe, Yvon 2010).
 *
 * Patterns become lines of a template: u:... is U:..., b:... is B:..., and *:... is both U*:... and B*:..., so that
 * their features stay apart. Commands may be %x and %X (A to Z in lower case). Cells outside of a sentence are called
 * _x-1, ..., _x-4, _x-#, and _x+1, ... there; a word that is spelled so is taken for one inside and one outside. What
 * else Wapiti has is refused: %t and %m, which match expressions, places counted from the ends of a sentence (@), data
 * without patterns, and models of the types maxent and memm. Time: observations times patterns.
 */
#include "base/input.h"
#include "import/import.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { TYPE_MAXENT, TYPE_MEMM, TYPE_CRF, NAMED_OUTSIDE = 4 };

struct wapiti {
    struct input *input;
    struct foreign *foreign;
    struct feature_texts texts;
    uint32_t active, patterns, observations;
    uint64_t weights;
    char *text; /* of the observation at hand, with the letter of its line in the template */
    size_t text_capacity;
};

/* Reads the next line, which must be there and end; what it should be is for messages. */
static bool next(const struct wapiti *w, struct text *line, const char *expected, struct vouch_error *err)
{
    int more = input_line(w->input, line, err);
    return (more == 1 && input_line_end(w->input).length > 0) || (more >= 0 && input_wrong(w->input, err, expected));
}

/* Reads "#name#", then up to `most` whole numbers with '#' or '/' between them; returns how many, or 0. */
static uint32_t read_counts(struct text line, const char *name, uint32_t *number, uint32_t most)
{
    uint32_t at = (uint32_t)strlen(name), count = 0;
    if (!text_starts(line, name))
        return 0;
    while (count < most && at <= line.length) {
        uint32_t end = at;
        while (end < line.length && line.at[end] != '#' && line.at[end] != '/')
            end++;
        if (!text_whole((struct text){line.at + at, end - at}, &number[count++]))
            return 0;
        at = end + 1;
    }
    return at > line.length ? count : 0;
}

/* Reads LENGTH:TEXT, */
static bool read_string(const struct wapiti *w, struct text *text, const char *expected, struct vouch_error *err)
{
    struct text line;
    uint32_t length;
    if (!next(w, &line, expected, err))
        return false;
    if (!text_whole(text_cut(&line, ':'), &length) || line.length == 0 || length != line.length - 1 ||
        line.at[length] != ',')
        return input_wrong(w->input, err, expected);
    *text = (struct text){line.at, length};
    return true;
}

static bool read_head(struct wapiti *w, struct vouch_error *err)
{
    struct text line;
    uint32_t number[3];
    if (!next(w, &line, "#mdl#, the first line of a model of Wapiti", err))
        return false;
    uint32_t count = read_counts(line, "#mdl#", number, 2);
    if (count == 0)
        return input_wrong(w->input, err, "#mdl#, the first line of a model of Wapiti");
    if (count == 2 && number[0] != TYPE_CRF)
        return fail(err, VOUCH_ERR_FORMAT, "%s:1: expected a model of the type crf, found %s", input_name(w->input),
                    number[0] == TYPE_MAXENT ? "maxent"
                    : number[0] == TYPE_MEMM ? "memm"
                                             : "one of an unknown type");
    w->active = number[count - 1];
    if (!next(w, &line, "#rdr# and numbers of patterns and columns", err))
        return false;
    count = read_counts(line, "#rdr#", number, 3);
    if (count < 2)
        return input_wrong(w->input, err, "#rdr# and numbers of patterns and columns");
    if (number[0] == 0 || (count == 3 && number[2] != 0))
        return input_wrong(w->input, err, "a model with patterns: one that was learned without them cannot be read");
    w->patterns = number[0];
    return true;
}

/*
 * Reads a whole number at *at, with blanks before it and a sign; moves *at behind it. Wapiti takes 010 for a number of
 * base 8: such numbers are refused.
 */
static bool read_whole(struct text pattern, uint32_t *at, int most, int *number)
{
    while (*at < pattern.length && pattern.at[*at] == ' ')
        ++*at;
    bool negative = *at < pattern.length && pattern.at[*at] == '-';
    *at += negative || (*at < pattern.length && pattern.at[*at] == '+');
    uint32_t from = *at;
    int value = 0;
    for (; *at < pattern.length && pattern.at[*at] >= '0' && pattern.at[*at] <= '9' && value <= most; ++*at)
        value = value * 10 + (pattern.at[*at] - '0');
    *number = negative ? -value : value;
    return *at > from && value <= most && (pattern.at[from] != '0' || value < 8);
}

/* Writes the command at *at, %x[row,column] or %X, as a macro, and moves *at behind it. */
static bool put_macro(struct wapiti *w, struct text pattern, uint32_t *at, struct vouch_error *err)
{
    const char *expected = "patterns with %x[row,column] and %X alone, rows from -16 to 16";
    char name = pattern.length - *at > 3 ? pattern.at[*at + 1] : '\0', macro[32];
    int row, column;
    if ((name != 'x' && name != 'X') || pattern.at[*at + 2] != '[')
        return input_wrong(w->input, err, expected);
    *at += 3;
    if (!read_whole(pattern, at, MAX_ROW, &row) || *at >= pattern.length || pattern.at[(*at)++] != ',' ||
        !read_whole(pattern, at, MAX_COLUMN, &column) || column < 0 || *at >= pattern.length ||
        pattern.at[(*at)++] != ']')
        return input_wrong(w->input, err, expected);
    int length = snprintf(macro, sizeof macro, "%%%c[%d,%d]", name, row, column);
    return buffer_add(&w->foreign->own_template, (struct text){macro, (uint32_t)length}, err);
}

/* Writes a pattern as a line of the template, which begins with `letter` instead of u or b, or in front of *. */
static bool put_line(struct wapiti *w, struct text pattern, char letter, struct vouch_error *err)
{
    struct buffer *template = &w->foreign->own_template;
    if (!buffer_put(template, letter, err))
        return false;
    for (uint32_t at = pattern.at[0] != '*'; at < pattern.length;)
        if (!(pattern.at[at] == '%' ? put_macro(w, pattern, &at, err) : buffer_put(template, pattern.at[at++], err)))
            return false;
    return buffer_put(template, '\n', err);
}

static bool read_patterns(struct wapiti *w, struct vouch_error *err)
{
    struct text pattern;
    for (uint32_t i = 0; i < w->patterns; i++) {
        if (!read_string(w, &pattern, "a pattern, with its length in front of it", err))
            return false;
        char kind = pattern.length ? pattern.at[0] : '\0';
        if (kind != 'u' && kind != 'b' && kind != '*')
            return input_wrong(w->input, err, "a pattern that starts with u, b or *");
        if ((kind != 'b' && !put_line(w, pattern, 'U', err)) || (kind != 'u' && !put_line(w, pattern, 'B', err)))
            return false;
    }
    return foreign_templates(w->foreign, input_name(w->input), err);
}

static bool read_count(const struct wapiti *w, uint32_t *count, struct vouch_error *err)
{
    struct text line;
    const char *expected = "#qrk# and the number of strings that follow";
    return next(w, &line, expected, err) &&
           (read_counts(line, "#qrk#", count, 1) == 1 || input_wrong(w->input, err, expected));
}

static bool read_labels(struct wapiti *w, struct vouch_error *err)
{
    uint32_t count;
    struct text label;
    if (!read_count(w, &count, err))
        return false;
    if (count == 0 || count > MAX_WIDTH)
        return input_wrong(w->input, err, "1 to 65535 labels");
    for (uint32_t y = 0; y < count; y++)
        if (!read_string(w, &label, "a label, with its length in front of it", err) ||
            !foreign_label(w->foreign, label, input_name(w->input), err))
            return false;
    return true;
}

static void name_outside(int distance, char *name)
{
    char sign = distance < 0 ? '-' : '+';
    int away = distance < 0 ? -distance : distance;
    snprintf(name, OUTSIDE_NAME, "_x%c%c", sign, away > NAMED_OUTSIDE ? '#' : '0' + away);
}

/* Adds the observation as a feature of words or of pairs of labels, and counts its weights. */
static bool add_observation(struct wapiti *w, struct text observation, bool edge, struct vouch_error *err)
{
    uint64_t Y = labels_count(&w->foreign->labels);
    uint32_t skipped = observation.at[0] != '*'; /* the letter, which the template's replaces */
    if (!RESERVE(w->text, w->text_capacity, (size_t)observation.length + 1, err))
        return false;
    w->text[0] = edge ? 'B' : 'U';
    memcpy(w->text + 1, observation.at + skipped, observation.length - skipped);
    struct text text = {w->text, observation.length - skipped + 1};
    enum text_reading state = feature_texts_add(&w->texts, text, edge, w->weights, err);
    w->weights += edge ? Y * Y : Y;
    return state == TEXT_READ || (state != TEXT_FAILED && input_wrong(w->input, err, text_expected(state)));
}

static bool read_observations(struct wapiti *w, struct vouch_error *err)
{
    struct text observation;
    if (!read_count(w, &w->observations, err))
        return false;
    for (uint32_t i = 0; i < w->observations; i++) {
        if (!read_string(w, &observation, "an observation, with its length in front of it", err))
            return false;
        char kind = observation.length ? observation.at[0] : '\0';
        if (kind != 'u' && kind != 'b' && kind != '*')
            return input_wrong(w->input, err, "an observation that starts with u, b or *");
        if ((kind != 'b' && !add_observation(w, observation, false, err)) ||
            (kind != 'u' && !add_observation(w, observation, true, err)))
            return false;
    }
    return true;
}

static bool read_weights(const struct wapiti *w, struct vouch_error *err)
{
    const char *expected = "the number of a weight, = and the weight";
    struct text line;
    float *weight = new_array((size_t)w->weights + 1, sizeof *weight, err);
    bool ok = weight != NULL;
    for (uint32_t i = 0; ok && i < w->active; i++) {
        double number, value;
        ok = next(w, &line, "as many weights as the first line tells: the file is cut off", err) &&
             ((parse_number(text_cut(&line, '='), &number) && number >= 0 && number < (double)w->weights &&
               number == floor(number) && parse_real(line, &value) && !(fabs(value) > FLT_MAX)) ||
              input_wrong(w->input, err, expected));
        if (ok)
            weight[(size_t)number] = (float)value;
    }
    int more = ok ? input_line(w->input, &line, err) : 0;
    ok = ok && more >= 0 && (more == 0 || input_wrong(w->input, err, "no more weights than the first line tells")) &&
         feature_texts_fill(&w->texts, weight, err);
    free(weight);
    return ok;
}

bool wapiti_model_read(struct foreign *foreign, const char *path, struct vouch_error *err)
{
    struct wapiti w = {
        .input = input_open(path, err), .foreign = foreign, .texts = {.foreign = foreign, .outside = name_outside}};
    bool ok = w.input && read_head(&w, err) && read_patterns(&w, err) && read_labels(&w, err) &&
              read_observations(&w, err) && read_weights(&w, err);
    feature_texts_release(&w.texts);
    free(w.text);
    input_close(w.input);
    return ok;
}
