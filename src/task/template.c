/*
 * Parses templates, and leaves out lines whose columns the data do not have.
 *
 * A rule keeps its text without what is in brackets, the skeleton: rules with the same skeleton are of one shape and
 * share their features, as in CRF++, and keys of features are hashed from it. Views that several rules have are
 * numbered once. Time: linear in the text, times the rules for their shapes.
 */
#include "task/template.h"

#include "base/hash.h"

void templates_release(struct templates *templates)
{
    for (uint32_t i = 0; i < templates->nodes; i++)
        free(templates->node[i].skeleton);
    for (uint32_t i = 0; i < templates->edges; i++)
        free(templates->edge[i].skeleton);
    free(templates->node);
    free(templates->edge);
    free(templates->view);
    free(templates->lookup);
    *templates = (struct templates){0};
}

/* The place in the text, for messages, and the lexicons that it may name. */
struct place {
    const char *name;
    uint32_t line;
    const struct lexicons *lexicons;
    struct vouch_error *err;
};

static bool complain(const struct place *place, const char *what)
{
    return fail(place->err, VOUCH_ERR_FORMAT, "%s:%u: %s", place->name, place->line, what);
}

/* Reads a whole number from `least` to `most` at *s, up to `end`, and moves on. */
static bool parse_whole(const char **s, const char *end, int least, int most, int *number)
{
    bool minus = *s < end && **s == '-';
    const char *digits = *s + minus;
    int value = 0;
    for (*s = digits; *s < end && **s >= '0' && **s <= '9' && value <= most + 16; ++*s)
        value = value * 10 + (**s - '0');
    *number = minus ? -value : value;
    return *s > digits && *number >= least && *number <= most;
}

/* Reads "[row,column]" at `s`; returns what follows, or NULL. */
static const char *brackets(const char *s, const char *end, int32_t *row, uint32_t *column)
{
    int r, c;
    if (s == end || *s++ != '[' || !parse_whole(&s, end, -MAX_ROW, MAX_ROW, &r))
        return NULL;
    if (s == end || *s++ != ',' || !parse_whole(&s, end, 0, MAX_COLUMN, &c))
        return NULL;
    if (s == end || *s++ != ']')
        return NULL;
    *row = r;
    *column = (uint32_t)c;
    return s;
}

/* Numbers the pair of a lexicon and a column. */
static bool number_lookup(struct templates *templates, const struct lexicon *lexicon, uint32_t column, uint32_t *number,
                          struct vouch_error *err)
{
    for (*number = 0; *number < templates->lookups; ++*number)
        if (templates->lookup[*number].lexicon == lexicon && templates->lookup[*number].column == column)
            return true;
    if (!RESERVE(templates->lookup, templates->lookup_capacity, (size_t)templates->lookups + 1, err))
        return false;
    templates->lookup[templates->lookups++] = (struct lookup){lexicon, column};
    return true;
}

/* Reads the name of a view of classes, NAME.C:P; NULL if there is no such lexicon, or it has no such column. */
static const struct lexicon *class_view(const struct lexicons *lexicons, struct text name, struct view *view)
{
    enum { MOST_PREFIX = 1000 };
    const char *end = name.at + name.length, *colon = memchr(name.at, ':', name.length), *s;
    int column = 1, length = 0;
    if (colon && (s = colon + 1, !parse_whole(&s, end, 1, MOST_PREFIX, &length) || s != end))
        return NULL;
    end = colon ? colon : end;
    const char *point = memchr(name.at, '.', (size_t)(end - name.at));
    if (point && (s = point + 1, !parse_whole(&s, end, 1, MOST_CLASS_COLUMNS, &column) || s != end))
        return NULL;
    end = point ? point : end;
    uint32_t number = lexicons_find(lexicons, (struct text){name.at, (uint32_t)(end - name.at)});
    const struct lexicon *lexicon = lexicons && number < lexicons->count ? &lexicons->item[number] : NULL;
    view->kind = VIEW_CLASS;
    view->length = (uint32_t)length;
    view->class_column = (uint32_t)column - 1;
    return lexicon && view->class_column < lexicon->columns ? lexicon : NULL;
}

static bool number_view(struct templates *templates, const struct view *view, uint32_t *number, struct vouch_error *err)
{
    for (*number = 0; *number < templates->views; ++*number) {
        const struct view *known = &templates->view[*number];
        if (known->kind == view->kind && known->length == view->length && known->column == view->column &&
            known->lookup == view->lookup && known->class_column == view->class_column)
            return true;
    }
    if (!RESERVE(templates->view, templates->view_capacity, (size_t)templates->views + 1, err))
        return false;
    templates->view[templates->views++] = *view;
    return true;
}

/* Reads the macro after the '%' at `*s`, advances `*s` past it. */
static bool parse_macro(struct templates *templates, struct rule *rule, const char **s, const char *end,
                        const struct place *place)
{
    const char *name = *s + 1, *open = memchr(name, '[', (size_t)(end - name));
    struct text called = {name, open ? (uint32_t)(open - name) : 0};
    struct view view = {.kind = VIEW_CELL};
    struct macro macro;
    const char *after = NULL;
    const struct lexicon *lexicon = NULL;
    if (open && (view_parse(called, &view) || (lexicon = class_view(place->lexicons, called, &view))))
        after = brackets(open, end, &macro.row, &view.column);
    if (!after)
        return complain(place, place->lexicons
                                   ? "expected a macro such as %x[row,column], or %NAME[row,column] of a lexicon, with "
                                     "rows from -16 to 16"
                                   : "expected a macro such as %x[row,column], with rows from -16 to 16");
    if (lexicon && !number_lookup(templates, lexicon, view.column, &view.lookup, place->err))
        return false;
    if (rule->macros == MAX_MACROS)
        return complain(place, "expected at most 12 macros in a line");
    if (!number_view(templates, &view, &macro.view, place->err))
        return false;
    rule->macro[rule->macros++] = macro;
    if (view.column + 1 > templates->columns)
        templates->columns = view.column + 1;
    int32_t reach = macro.row < 0 ? -macro.row : macro.row;
    if (reach > templates->reach)
        templates->reach = reach;
    *s = after;
    return true;
}

/* Parses the rule of one line: text, skeleton and macros. */
static bool parse_rule(struct templates *templates, struct text line, const struct place *place, struct rule *rule)
{
    *rule = (struct rule){0};
    rule->skeleton = new_array((size_t)line.length + 1, 1, place->err);
    if (!rule->skeleton)
        return false;
    const char *s = line.at, *end = line.at + line.length;
    size_t to = 0;
    while (s < end) {
        const char *from = s;
        if (*s != '%') {
            rule->skeleton[to++] = *s++;
            continue;
        }
        if (!parse_macro(templates, rule, &s, end, place))
            return false;
        while (from < s && *from != '[')
            rule->skeleton[to++] = *from++;
    }
    rule->seed = hash_bytes(rule->skeleton, to);
    return true;
}

static bool add_rule(struct templates *templates, struct text line, const struct place *place)
{
    bool edge = line.at[0] == 'B';
    struct rule **rules = edge ? &templates->edge : &templates->node;
    uint32_t *count = edge ? &templates->edges : &templates->nodes;
    size_t *capacity = edge ? &templates->edge_capacity : &templates->node_capacity;
    if (*count == MAX_RULES)
        return complain(place, "expected at most 4096 lines of a kind");
    if (!RESERVE(*rules, *capacity, (size_t)*count + 1, place->err))
        return false;
    struct rule *rule = &(*rules)[*count];
    if (!parse_rule(templates, line, place, rule)) {
        free(rule->skeleton);
        return false;
    }
    rule->shape = *count;
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp((*rules)[i].skeleton, rule->skeleton) == 0) {
            rule->shape = (*rules)[i].shape;
            break;
        }
    (*count)++;
    return true;
}

/* Takes the next line of *text without blanks at its end; false at the end. */
static bool next_line(const char **text, struct text *line)
{
    if (!**text)
        return false;
    const char *newline = strchr(*text, '\n');
    size_t length = newline ? (size_t)(newline - *text) : strlen(*text);
    const char *at = *text;
    *text += length + (newline != NULL);
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\t' || at[length - 1] == '\r'))
        length--;
    *line = (struct text){at, (uint32_t)length};
    return true;
}

bool templates_parse(struct templates *templates, const struct template_source *source, struct vouch_error *err)
{
    const char *text = source->text;
    *templates = (struct templates){0};
    struct place place = {.name = source->name, .line = 0, .lexicons = source->lexicons, .err = err};
    struct text line;
    bool ok = true;
    while (ok && next_line(&text, &line)) {
        place.line++;
        if (line.length == 0 || line.at[0] == '#')
            continue;
        if (text_is(line, "attributes"))
            templates->attributes = true;
        else if (line.at[0] == 'U' || line.at[0] == 'B')
            ok = add_rule(templates, line, &place);
        else
            ok = complain(&place, "expected a line starting with U (features of a word), B (of a label pair) or #");
    }
    if (ok && (templates->nodes > 0) == templates->attributes)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected at least one line starting with U, or else 'attributes'",
                  source->name);
    if (!ok)
        templates_release(templates);
    return ok;
}

/* Finds out whether the one-line template uses only columns that are there. */
static bool line_fits(struct text line, const struct place *place, uint32_t columns, int gold, bool *fits)
{
    struct templates one = {0};
    *fits = true;
    bool ok = add_rule(&one, line, place);
    for (uint32_t v = 0; ok && v < one.views; v++)
        if (one.view[v].column >= columns || (int)one.view[v].column == gold)
            *fits = false;
    templates_release(&one);
    return ok;
}

char *template_restrict(const struct template_source *source, uint32_t columns, int gold, bool strict,
                        struct vouch_error *err)
{
    const char *text = source->text, *name = source->name;
    char *kept = new_array(strlen(text) + 2, 1, err);
    size_t to = 0;
    struct text line;
    for (uint32_t number = 1; kept && next_line(&text, &line); number++) {
        bool fits = true, ruled = line.length && (line.at[0] == 'U' || line.at[0] == 'B');
        struct place place = {.name = name, .line = number, .lexicons = source->lexicons, .err = err};
        bool ok = !ruled || line_fits(line, &place, columns, gold, &fits);
        if (ok && !fits && strict)
            ok = fail(err, VOUCH_ERR_ARGUMENT,
                      "%s:%u: expected columns below %u other than the gold column, found '%.*s'", name, number,
                      columns, (int)line.length, line.at);
        if (!ok) {
            free(kept);
            return NULL;
        }
        if (!fits)
            continue;
        memcpy(kept + to, line.at, line.length);
        to += line.length;
        kept[to++] = '\n';
    }
    return kept;
}
