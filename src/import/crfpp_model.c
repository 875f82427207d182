/*
 * Reads the text models of CRF++ (crf_learn -t), whose template language is ours. Parts are separated by blank lines:
 *
 *     version: 100, cost-factor: X, maxid: M, xsize: COLUMNS     one a line
 *     labels                                                     one a line
 *     templates                                                  lines of U and B
 *     ID KEY                                                     a feature: the template's text, with cells in place
 *                                                                of macros
 *     M weights                                                  one a line; to be multiplied by X
 *
 * Feature ID has the weights ID .. ID + Y of a line U, and ID .. ID + Y * Y of a line B, by left and right label: the
 * layout of core/parts.h. As in feature_index.cpp of CRF++ 0.59 (Kudo 2005).
 *
 * Texts become features by feature_texts.c. Time: features times rules.
 */
#include "base/input.h"
#include "import/import.h"

#include <float.h>
#include <math.h>

enum { VERSION = 100 };

struct crfpp {
    struct input *input;
    struct foreign *foreign;
    double factor;
    uint32_t weights, columns; /* of the head: maxid, xsize */
    struct feature_texts texts;
};

/* Reads the next line, which must be there; what it should be is for messages. */
static bool next(const struct crfpp *c, struct text *line, const char *expected, struct vouch_error *err)
{
    int more = input_line(c->input, line, err);
    return more == 1 || (more == 0 && input_wrong(c->input, err, expected));
}

/* Reads a number that a float can hold. */
static bool parse_weight(struct text text, double *number)
{
    return parse_real(text, number) && fabs(*number) <= FLT_MAX;
}

/* Reads a line of the head: `name`, a blank and a number. */
static bool head_line(const struct crfpp *c, const char *name, double *number, struct vouch_error *err)
{
    struct text line;
    size_t length = strlen(name);
    if (!next(c, &line, name, err))
        return false;
    if (line.length <= length || memcmp(line.at, name, length) != 0 || line.at[length] != ' ' ||
        !parse_weight((struct text){line.at + length + 1, line.length - (uint32_t)length - 1}, number))
        return fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected '%s' and a number, as crf_learn -t writes it",
                    input_name(c->input), (unsigned long long)input_number(c->input), name);
    return true;
}

static bool read_head(struct crfpp *c, struct vouch_error *err)
{
    double version, weights, columns;
    struct text line;
    if (!head_line(c, "version:", &version, err))
        return false;
    if (version != VERSION)
        return input_wrong(c->input, err, "version 100 of CRF++'s models");
    if (!head_line(c, "cost-factor:", &c->factor, err) || !head_line(c, "maxid:", &weights, err) ||
        !head_line(c, "xsize:", &columns, err))
        return false;
    if (!(c->factor > 0) || !(weights >= 1 && weights < UINT32_MAX) || !(columns >= 1 && columns <= MAX_COLUMN))
        return input_wrong(c->input, err, "a cost factor, a number of weights and of columns above 0");
    c->weights = (uint32_t)weights;
    c->columns = (uint32_t)columns;
    return next(c, &line, "a blank line", err) && (line.length == 0 || input_wrong(c->input, err, "a blank line"));
}

static bool read_labels(struct crfpp *c, struct vouch_error *err)
{
    struct text line;
    while (next(c, &line, "a label", err)) {
        uint32_t labels = labels_count(&c->foreign->labels);
        if (line.length == 0)
            return labels > 0 || input_wrong(c->input, err, "at least one label");
        if (labels == MAX_WIDTH)
            return input_wrong(c->input, err, "at most 65535 labels");
        if (!foreign_label(c->foreign, line, input_name(c->input), err))
            return false;
    }
    return false;
}

/* Reads the lines of templates into one text, and parses it. */
static bool read_templates(struct crfpp *c, struct vouch_error *err)
{
    struct foreign *foreign = c->foreign;
    struct text line;
    for (;;) {
        if (!next(c, &line, "a template", err))
            return false;
        if (line.length == 0)
            break;
        if (line.at[0] != 'U' && line.at[0] != 'B')
            return input_wrong(c->input, err, "a template that starts with U or B");
        if (!buffer_add(&foreign->own_template, line, err) || !buffer_put(&foreign->own_template, '\n', err))
            return false;
    }
    const struct templates *templates = &foreign->templates;
    if (!foreign_templates(foreign, input_name(c->input), err))
        return false;
    for (uint32_t v = 0; v < templates->views; v++)
        if (templates->view[v].kind != VIEW_CELL)
            return input_wrong(c->input, err, "templates with macros %x alone");
    return templates->columns <= c->columns ||
           input_wrong(c->input, err, "templates of as many columns as xsize tells");
}

static bool read_feature(struct crfpp *c, struct text line, struct vouch_error *err)
{
    uint32_t id;
    if (!text_whole(text_cut(&line, ' '), &id) || line.length == 0)
        return input_wrong(c->input, err, "a number, a blank and a feature");
    bool edge = line.at[0] == 'B';
    uint64_t Y = labels_count(&c->foreign->labels);
    if (id + (edge ? Y * Y : Y) > c->weights)
        return input_wrong(c->input, err, "a number of a feature whose weights are among those that maxid counts");
    enum text_reading state = feature_texts_add(&c->texts, line, edge, id, err);
    return state == TEXT_READ || (state != TEXT_FAILED && input_wrong(c->input, err, text_expected(state)));
}

static bool read_features(struct crfpp *c, struct vouch_error *err)
{
    struct text line;
    while (next(c, &line, "a feature", err)) {
        if (line.length == 0)
            return true;
        if (!read_feature(c, line, err))
            return false;
    }
    return false;
}

/* Reads all weights, multiplied by the cost factor, and nothing behind them. Returns them [maxid], to free(). */
static float *read_weights(const struct crfpp *c, struct vouch_error *err)
{
    float *weight = NULL;
    size_t capacity = 0;
    uint32_t count = 0;
    struct text line;
    int more;
    while ((more = input_line(c->input, &line, err)) == 1) {
        double number;
        if (count == c->weights || !parse_weight(line, &number) || fabs(number * c->factor) > FLT_MAX ||
            input_line_end(c->input).length == 0) {
            input_wrong(c->input, err, "as many weights as maxid tells, finite numbers");
            break;
        }
        if (!RESERVE(weight, capacity, (size_t)count + 1, err))
            break;
        weight[count++] = (float)(number * c->factor);
    }
    if (more == 0 && count == c->weights)
        return weight;
    if (more == 0)
        input_wrong(c->input, err, "as many weights as maxid tells: the file is cut off");
    free(weight);
    return NULL;
}

bool crfpp_model_read(struct foreign *foreign, const char *path, struct vouch_error *err)
{
    struct crfpp c = {.input = input_open(path, err), .foreign = foreign, .texts = {.foreign = foreign}};
    bool ok =
        c.input && read_head(&c, err) && read_labels(&c, err) && read_templates(&c, err) && read_features(&c, err);
    float *weight = ok ? read_weights(&c, err) : NULL;
    ok = weight && feature_texts_fill(&c.texts, weight, err);
    free(weight);
    feature_texts_release(&c.texts);
    input_close(c.input);
    return ok;
}
