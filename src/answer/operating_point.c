/*
 * Applies operating points, and reads and writes them: see operating_point.h.
 *
 * Mejer and Crammer, section on trading precision for recall: t goes from 0 to 1; below it, a label becomes "no tag",
 * or "no tag" becomes the second best label. There it is done word by word. Here a chunk is kept or dropped as a whole,
 * since half a chunk is never right, unless `by_words` asks for the paper's way.
 *
 * A word that joins has a label of the scheme in which the model learned. The others are therefore read as IOB2 first,
 * in which B starts a chunk wherever it stands; then the result is spelled as the corpus spells it. O(N).
 */
#include "answer/operating_point.h"

#include "answer/doubt.h"
#include "model/records.h"

#include <math.h>

const char *const direction_names[DIRECTIONS] = {"precision", "recall"};
const char *const trade_unit_names[TRADE_UNITS] = {"entities", "words"};

void changed_labels_release(struct changed_labels *c)
{
    free(c->label);
    free(c->type);
    free(c->prefix);
    free(c->bytes);
    *c = (struct changed_labels){0};
}

void confidence_to_stand(const struct confidences *confidences, uint32_t N, bool by_words, double *least)
{
    struct confidences words = *confidences;
    if (by_words)
        words.spans = 0;
    least_confidence(&words, N, least);
}

bool direction_changes(enum direction direction, struct text label, struct text other)
{
    struct text type;
    char prefix = scheme_split(label, &type);
    return direction == TOWARDS_PRECISION ? prefix && prefix != 'O' : prefix == 'O' && scheme_split(other, &type);
}

/* Puts labels together from their prefixes and types, terminated. */
static bool spell(struct changed_labels *c, uint32_t N, struct vouch_error *err)
{
    size_t room = 0, used = 0;
    for (uint32_t i = 0; i < N; i++)
        room += (size_t)c->type[i].length + 3;
    if (!RESERVE(c->bytes, c->bytes_capacity, room + 1, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        char *at = c->bytes + used;
        if (c->prefix[i] == 'O') {
            c->label[i] = text_of("O");
            continue;
        }
        at[0] = c->prefix[i];
        at[1] = '-';
        memcpy(at + 2, c->type[i].at, c->type[i].length);
        at[c->type[i].length + 2] = '\0';
        c->label[i] = (struct text){at, c->type[i].length + 2};
        used += c->label[i].length + 1;
    }
    return true;
}

/* Returns the place of a string among `count` names, or `count`. */
static uint32_t named(const json_t *string, const char *const *name, uint32_t count)
{
    const char *text = json_string_value(string);
    uint32_t i = 0;
    while (i < count && (!text || strcmp(text, name[i]) != 0))
        i++;
    return i;
}

/* Returns the number under `key` if it is finite; else NAN. */
static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* What a point does to a word. */
struct change_rule {
    enum direction direction;
    double threshold;
    bool all; /* whatever its confidence */
};

static enum direction direction_named(const json_t *string)
{
    return (enum direction)named(string, direction_names, DIRECTIONS);
}

/* Returns the rule of a group; a threshold of null changes everything. */
static struct change_rule group_rule(const struct operating_point *point, struct text group)
{
    const json_t *kept = json_object_getn(point->group, group.at ? group.at : "", group.length);
    if (!kept)
        return (struct change_rule){TOWARDS_PRECISION, -INFINITY, point->wanted == TOWARDS_PRECISION};
    const json_t *threshold = json_object_get(kept, "threshold");
    return (struct change_rule){direction_named(json_object_get(kept, "direction")),
                                json_number_value(threshold), json_is_null(threshold)};
}

/* Returns the rule for a word: that of its type, or of the type that it may get, if types are groups. */
static struct change_rule rule_of(const struct operating_point *point, const struct rated_labels *answer,
                                  struct text label, struct text other)
{
    struct text type = text_of("");
    if (!point->group)
        return (struct change_rule){point->direction, point->threshold, false};
    if (point->column)
        return group_rule(point, answer->group);
    scheme_split(scheme_split(label, &type) == 'O' ? other : label, &type);
    return group_rule(point, type);
}

static void change_words(const struct operating_point *point, const struct rated_labels *answer,
                         struct changed_labels *c)
{
    c->changed = 0;
    for (uint32_t i = 0; i < answer->N; i++) {
        struct text other = answer->other ? answer->other[i] : text_of("");
        struct change_rule rule = rule_of(point, answer, answer->label[i], other);
        scheme_split(answer->label[i], &c->type[i]);
        if (!(rule.all || is_doubtful(answer->least[i], rule.threshold)) ||
            !direction_changes(rule.direction, answer->label[i], other))
            continue;
        c->changed++;
        if (rule.direction == TOWARDS_PRECISION)
            c->prefix[i] = 'O';
        else
            c->prefix[i] = scheme_split(other, &c->type[i]);
    }
}

struct text column_group(const struct sentence *s, uint32_t column)
{
    return s->N > 0 && !s->attributes && column > 0 && column <= sentence_cells(s, 0) ? sentence_cell(s, 0, column - 1)
                                                                                      : text_of("");
}

bool operating_point_adds(const struct operating_point *point)
{
    const char *name;
    json_t *kept;
    json_object_foreach(point->group, name, kept)
    {
        if (direction_named(json_object_get(kept, "direction")) == TOWARDS_RECALL)
            return true;
    }
    return !point->group && point->direction == TOWARDS_RECALL;
}

bool operating_point_apply(const struct operating_point *point, enum scheme scheme, const struct rated_labels *answer,
                           struct changed_labels *c, struct vouch_error *err)
{
    uint32_t N = answer->N;
    if (!RESERVE(c->label, c->label_capacity, (size_t)N + 1, err) ||
        !RESERVE(c->type, c->type_capacity, (size_t)N + 1, err) ||
        !RESERVE(c->prefix, c->prefix_capacity, (size_t)N + 1, err))
        return false;
    scheme_convert(answer->label, N, SCHEME_IOB2, c->prefix);
    change_words(point, answer, c);
    if (!spell(c, N, err))
        return false;
    if (point->merge_types) {
        scheme_convert(c->label, N, SCHEME_IOB2, c->prefix);
        for (uint32_t i = 0; i < N; i++)
            c->type[i] = text_of(MERGED_TYPE);
        if (!spell(c, N, err))
            return false;
    }
    scheme_convert(c->label, N, scheme, c->prefix);
    return spell(c, N, err);
}

/* Returns the probability of the guarantee, and what it is for. */
static json_t *guarantee_json(const struct operating_point *p)
{
    if (p->group)
        return json_pack("{s:f, s:s}", "probability", p->guarantee, "for", "each group by itself");
    return json_pack("{s:f, s:i}", "probability", p->guarantee,
                     p->documents ? "errors_a_document" : "errors_a_sentence", (int)p->cap);
}

/* Adds what only some points have, and what all of them assume. */
static bool add_more(const struct operating_point *p, json_t *kept)
{
    return (!p->group ||
            (json_object_set_new(kept, "by", p->column ? json_integer(p->column) : json_string("type")) == 0 &&
             json_object_set(kept, "groups", p->group) == 0)) &&
           (!p->by_words || json_object_set_new(kept, "by_words", json_true()) == 0) &&
           (!isfinite(p->low + p->high) ||
            json_object_set_new(kept, "interval", json_pack("[ff]", p->low, p->high)) == 0) &&
           (!(p->guarantee > 0) || json_object_set_new(kept, "guarantee", guarantee_json(p)) == 0) &&
           (!p->documents || json_object_set_new(kept, "documents", json_integer(p->documents)) == 0) &&
           json_object_set_new(kept, "assumes", json_string(POINT_ASSUMES)) == 0;
}

json_t *operating_point_json(const struct operating_point *p)
{
    json_t *wanted = json_pack("{s:f}", direction_names[p->wanted], p->target);
    const char *direction = p->group ? NULL : direction_names[p->direction];
    json_t *threshold = p->group ? NULL : json_real(p->threshold);
    json_t *kept =
        json_pack("{s:s*, s:s, s:b, s:i, s:o*, s:b, s:s, s:f, s:f, s:f, s:o}", "direction", direction, "method",
                  p->method, "raw", p->raw, "draws", (int)p->draws, "threshold", threshold, "merge_types",
                  p->merge_types, "unit", trade_unit_names[p->unit], "precision", p->rates.precision, "recall",
                  p->rates.recall, "f1", p->rates.f1, "wanted", wanted);
    if (kept && (p->group || threshold) && add_more(p, kept))
        return kept;
    json_decref(kept);
    return NULL;
}

json_t *operating_point_record(const struct operating_point *point, char *const *path, size_t paths,
                               const char *command, struct vouch_error *err)
{
    json_t *record = operating_point_json(point);
    if (record && json_object_set_new(record, "files", header_files(path, paths)) == 0 &&
        json_object_set_new(record, "command", header_text(command)) == 0)
        return record;
    json_decref(record);
    fail_memory(err);
    return NULL;
}

json_t *operating_point_header(const struct vouch_model *model, json_t *record, struct vouch_error *err)
{
    json_t *header = json_copy(model->header);
    if (header && json_object_set(header, "operating_point", record) == 0)
        return header;
    json_decref(header);
    fail_memory(err);
    return NULL;
}

/* Checks the rules of all groups, which are looked up as they are needed; reads what names a group. */
static bool read_groups(const json_t *kept, struct operating_point *p)
{
    const json_t *by = json_object_get(kept, "by");
    json_int_t column = json_integer_value(by);
    const char *name;
    json_t *group;
    if (!json_is_object(p->group) || column < 0 || column > UINT32_MAX ||
        !(column > 0 || (json_is_string(by) && strcmp(json_string_value(by), "type") == 0)))
        return false;
    p->column = (uint32_t)column;
    json_object_foreach(p->group, name, group)
    {
        const json_t *threshold = json_object_get(group, "threshold");
        if (direction_named(json_object_get(group, "direction")) == DIRECTIONS ||
            !(json_is_null(threshold) || json_is_number(threshold)))
            return false;
    }
    return true;
}

/* Reads the fields that decide about answers, which must be there and make sense; the others are only reported. */
static bool read_rule(const json_t *kept, struct operating_point *p)
{
    const char *method = json_string_value(json_object_get(kept, "method"));
    json_int_t draws = json_integer_value(json_object_get(kept, "draws"));
    p->group = json_object_get(kept, "groups");
    p->direction = direction_named(json_object_get(kept, "direction"));
    if (!method || strlen(method) >= sizeof p->method || draws < 0 || draws > MAX_DRAWS ||
        !(p->group ? read_groups(kept, p) : p->direction < DIRECTIONS && isfinite(number(kept, "threshold"))))
        return false;
    memcpy(p->method, method, strlen(method) + 1);
    p->threshold = number(kept, "threshold");
    p->merge_types = json_is_true(json_object_get(kept, "merge_types"));
    p->by_words = json_is_true(json_object_get(kept, "by_words"));
    p->raw = json_is_true(json_object_get(kept, "raw"));
    p->draws = (uint32_t)draws;
    return true;
}

/* Reads the interval and the guarantee of the figures; older models have neither. */
static bool read_guarantee(const json_t *kept, struct operating_point *p)
{
    const json_t *interval = json_object_get(kept, "interval"), *guarantee = json_object_get(kept, "guarantee");
    json_int_t documents = json_integer_value(json_object_get(kept, "documents"));
    json_int_t cap =
        json_integer_value(json_object_get(guarantee, documents ? "errors_a_document" : "errors_a_sentence"));
    const json_t *low = json_array_get(interval, 0), *high = json_array_get(interval, 1);
    p->low = json_is_number(low) ? json_number_value(low) : NAN;
    p->high = json_is_number(high) ? json_number_value(high) : NAN;
    if (interval && !(json_array_size(interval) == 2 && p->low >= 0 && p->low <= p->high && p->high <= 100))
        return false;
    p->guarantee = guarantee ? number(guarantee, "probability") : 0;
    p->cap = (uint32_t)cap;
    p->documents = (uint32_t)documents;
    if (documents < 0 || documents > UINT32_MAX)
        return false;
    return !guarantee || (p->guarantee > 0 && p->guarantee < 1 && (p->group || cap > 0) && cap <= UINT32_MAX);
}

static bool read_findings(const json_t *kept, struct operating_point *p)
{
    const json_t *wanted = json_object_get(kept, "wanted");
    uint32_t unit = named(json_object_get(kept, "unit"), trade_unit_names, TRADE_UNITS);
    p->wanted = json_object_get(wanted, direction_names[TOWARDS_RECALL]) ? TOWARDS_RECALL : TOWARDS_PRECISION;
    p->target = number(wanted, direction_names[p->wanted]);
    p->rates = (struct tag_rates){number(kept, "precision"), number(kept, "recall"), number(kept, "f1")};
    p->unit = (enum trade_unit)unit;
    return read_guarantee(kept, p) && unit < TRADE_UNITS &&
           isfinite(p->target + p->rates.precision + p->rates.recall + p->rates.f1);
}

bool operating_point_read(const json_t *header, struct operating_point *point, bool *known, const char *name,
                          struct vouch_error *err)
{
    const json_t *kept = json_object_get(header, "operating_point");
    *point = (struct operating_point){0};
    *known = kept != NULL;
    if (!kept || (read_rule(kept, point) && read_findings(kept, point)))
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "%s: the operating point in the header makes no sense", name);
}
