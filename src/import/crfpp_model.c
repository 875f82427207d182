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
 * Here a feature is a rule and the strings that it saw; there it is the text. A text that can be read in several ways,
 * as U:a/b/c of U:%x[0,0]/%x[0,1], becomes a feature for each of them, with the same weights: nothing is lost. No cell
 * is empty. Time: features times rules, and the ways to read them, which are limited.
 */
#include "base/input.h"
#include "import/import.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { VERSION = 100, MOST_STEPS = 100000 };

struct crfpp {
    struct input *input;
    struct foreign *foreign;
    double factor;
    uint32_t weights, columns; /* of the head: maxid, xsize */
    uint32_t *id[2];           /* [nodes], [edges] first weight of each feature */
    size_t id_capacity[2], template_capacity;
};

static bool wrong(const struct crfpp *c, struct vouch_error *err, const char *expected)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected %s", input_name(c->input),
                (unsigned long long)input_number(c->input), expected);
}

/* Reads the next line, which must be there; what it should be is for messages. */
static bool next(const struct crfpp *c, struct text *line, const char *expected, struct vouch_error *err)
{
    int more = input_line(c->input, line, err);
    return more == 1 || (more == 0 && wrong(c, err, expected));
}

static bool parse_real(struct text text, double *number)
{
    char digits[64], *end;
    if (text.length == 0 || text.length >= sizeof digits)
        return false;
    memcpy(digits, text.at, text.length);
    digits[text.length] = '\0';
    *number = strtod(digits, &end);
    return *end == '\0' && isfinite(*number) && fabs(*number) <= FLT_MAX;
}

/* Reads a line of the head: `name`, a blank and a number. */
static bool head_line(const struct crfpp *c, const char *name, double *number, struct vouch_error *err)
{
    struct text line;
    size_t length = strlen(name);
    if (!next(c, &line, name, err))
        return false;
    if (line.length <= length || memcmp(line.at, name, length) != 0 || line.at[length] != ' ' ||
        !parse_real((struct text){line.at + length + 1, line.length - (uint32_t)length - 1}, number))
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
        return wrong(c, err, "version 100 of CRF++'s models");
    if (!head_line(c, "cost-factor:", &c->factor, err) || !head_line(c, "maxid:", &weights, err) ||
        !head_line(c, "xsize:", &columns, err))
        return false;
    if (!(c->factor > 0) || !(weights >= 1 && weights < UINT32_MAX) || !(columns >= 1 && columns <= MAX_COLUMN))
        return wrong(c, err, "a cost factor, a number of weights and of columns above 0");
    c->weights = (uint32_t)weights;
    c->columns = (uint32_t)columns;
    return next(c, &line, "a blank line", err) && (line.length == 0 || wrong(c, err, "a blank line"));
}

static bool read_labels(struct crfpp *c, struct vouch_error *err)
{
    struct text line;
    while (next(c, &line, "a label", err)) {
        uint32_t labels = labels_count(&c->foreign->labels);
        if (line.length == 0)
            return labels > 0 || wrong(c, err, "at least one label");
        if (labels == MAX_WIDTH)
            return wrong(c, err, "at most 65535 labels");
        if (!foreign_label(c->foreign, line, input_name(c->input), err))
            return false;
    }
    return false;
}

/* Reads the lines of templates into one text, and parses it. */
static bool read_templates(struct crfpp *c, struct vouch_error *err)
{
    struct foreign *foreign = c->foreign;
    size_t length = 0;
    struct text line;
    for (;;) {
        if (!next(c, &line, "a template", err) ||
            !RESERVE(foreign->own_template, c->template_capacity, length + line.length + 2, err))
            return false;
        if (line.length == 0)
            break;
        if (line.at[0] != 'U' && line.at[0] != 'B')
            return wrong(c, err, "a template that starts with U or B");
        memcpy(foreign->own_template + length, line.at, line.length);
        length += line.length;
        foreign->own_template[length++] = '\n';
    }
    foreign->own_template[length] = '\0';
    foreign->template = foreign->own_template;
    const struct templates *templates = &foreign->templates;
    if (!templates_parse(&foreign->templates, foreign->template, input_name(c->input), err))
        return false;
    for (uint32_t v = 0; v < templates->views; v++)
        if (templates->view[v].kind != VIEW_CELL)
            return wrong(c, err, "templates with macros %x alone");
    return templates->columns <= c->columns || wrong(c, err, "templates of as many columns as xsize tells");
}

/* Reading a key by one rule: what was found so far. */
struct reading {
    struct crfpp *c;
    struct text key;
    bool edge;
    uint32_t id; /* of the first weight */
    uint32_t record[1 + MAX_MACROS], length;
    uint32_t steps; /* tried so far, by all rules */
    uint32_t ways;  /* found so far */
};

/* Adds the feature that the reading has found. */
static bool add_reading(struct reading *r, struct vouch_error *err)
{
    struct foreign *foreign = r->c->foreign;
    struct feature_index *index = r->edge ? &foreign->vocabulary.edge : &foreign->vocabulary.node;
    uint32_t next_one = feature_index_count(index);
    uint64_t key;
    if (!tag_feature_key(&foreign->templates, r->edge, r->record, r->length, &key) ||
        !RESERVE(r->c->id[r->edge], r->c->id_capacity[r->edge], (size_t)next_one + 1, err))
        return false;
    uint32_t found = feature_index_add(index, key, r->record, r->length, err);
    if (found != NO_FEATURE && found != next_one)
        return wrong(r->c, err, "a feature that was not there before");
    if (found == NO_FEATURE)
        return false;
    r->c->id[r->edge][found] = r->id;
    r->ways++;
    return true;
}

/*
 * Reads the key from `at` on by what is left of a rule's skeleton: text up to a macro, a string for the macro, and so
 * on. Adds a feature for each way.
 */
static bool read_key(struct reading *r, uint32_t at, const char *skeleton, struct vouch_error *err)
{
    const char *macro = strstr(skeleton, "%x");
    size_t text = macro ? (size_t)(macro - skeleton) : strlen(skeleton);
    if (++r->steps > MOST_STEPS)
        return wrong(r->c, err, "a feature that can be read in fewer ways");
    if (text > r->key.length - at || memcmp(r->key.at + at, skeleton, text) != 0)
        return true;
    at += (uint32_t)text;
    if (!macro)
        return at < r->key.length || add_reading(r, err);
    const bool last = macro[2] == '\0';
    for (uint32_t end = last ? r->key.length : at + 1; end > at && end <= r->key.length; end++) {
        if (end < r->key.length && ((unsigned char)r->key.at[end] & 0xC0) == 0x80)
            continue; /* within a character */
        /* Strings are numbered only if the text behind them is the rule's. */
        const char *behind = strstr(macro + 2, "%x");
        size_t needed = behind ? (size_t)(behind - macro - 2) : strlen(macro + 2);
        if (needed > r->key.length - end || memcmp(r->key.at + end, macro + 2, needed) != 0 ||
            (!behind && end + needed != r->key.length))
            continue;
        uint32_t string =
            dictionary_add(&r->c->foreign->vocabulary.strings, (struct text){r->key.at + at, end - at}, err);
        if (!string)
            return false;
        r->record[r->length++] = string;
        bool ok = read_key(r, end, macro + 2, err);
        r->length--;
        if (!ok)
            return false;
    }
    return true;
}

static bool read_feature(struct crfpp *c, struct text line, struct vouch_error *err)
{
    const char *blank = memchr(line.at, ' ', line.length);
    uint32_t digits = blank ? (uint32_t)(blank - line.at) : line.length;
    struct reading r = {.c = c};
    if (!blank || !text_whole((struct text){line.at, digits}, &r.id) || line.length == digits + 1)
        return wrong(c, err, "a number, a blank and a feature");
    r.key = (struct text){blank + 1, line.length - digits - 1};
    r.edge = r.key.at[0] == 'B';
    const struct templates *templates = &c->foreign->templates;
    const struct rule *rule = r.edge ? templates->edge : templates->node;
    uint32_t rules = r.edge ? templates->edges : templates->nodes;
    uint64_t Y = labels_count(&c->foreign->labels);
    if (r.id + (r.edge ? Y * Y : Y) > c->weights)
        return wrong(c, err, "a number of a feature whose weights are among those that maxid counts");
    for (uint32_t i = 0; i < rules; i++) {
        if (rule[i].shape != i)
            continue;
        r.record[0] = i;
        r.length = 1;
        if (!read_key(&r, 0, rule[i].skeleton, err))
            return false;
    }
    return r.ways > 0 || wrong(c, err, "a feature that one of the templates makes");
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
        if (count == c->weights || !parse_real(line, &number) || fabs(number * c->factor) > FLT_MAX ||
            input_line_end(c->input).length == 0) {
            wrong(c, err, "as many weights as maxid tells, finite numbers");
            break;
        }
        if (!RESERVE(weight, capacity, (size_t)count + 1, err))
            break;
        weight[count++] = (float)(number * c->factor);
    }
    if (more == 0 && count == c->weights)
        return weight;
    if (more == 0)
        wrong(c, err, "as many weights as maxid tells: the file is cut off");
    free(weight);
    return NULL;
}

static bool place_weights(const struct crfpp *c, struct vouch_error *err)
{
    struct foreign *foreign = c->foreign;
    if (!foreign_weights(foreign, err))
        return false;
    const struct space *space = &foreign->space;
    float *weight = read_weights(c, err);
    for (uint32_t f = 0; weight && f < space->nodes; f++)
        memcpy(foreign->mean + space_node(space, f), weight + c->id[0][f], sizeof *weight * space->width);
    for (uint32_t f = 0; weight && f < space->edges; f++)
        memcpy(foreign->mean + space_edge(space, f), weight + c->id[1][f],
               sizeof *weight * space->width * space->width);
    bool ok = weight != NULL;
    free(weight);
    return ok;
}

bool crfpp_model_read(struct foreign *foreign, const char *path, struct vouch_error *err)
{
    struct crfpp c = {.input = input_open(path, err), .foreign = foreign};
    bool ok = c.input && read_head(&c, err) && read_labels(&c, err) && read_templates(&c, err) &&
              read_features(&c, err) && place_weights(&c, err);
    free(c.id[0]);
    free(c.id[1]);
    input_close(c.input);
    return ok;
}
