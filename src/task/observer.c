/*
 * Fills the rows of observed words through caches.
 *
 * A cell is hashed; if it was seen lately, the part of the row that it fills is copied from its column's cache. Else it
 * is looked at through every view of the column. Tuples of cells that several rules look at have caches too; rules by
 * themselves are looked up at once. The large tables are in memory, not in the caches: hashes and keys are made some
 * words ahead, and their slots are prefetched then.
 */
#include "task/observer.h"

#include "base/hash.h"

#include <stdio.h>

/*
 * Tuples that fewer than TUPLE_RULES share are not kept: most pairs of words are new, and then a look-up at once is
 * cheaper than one after a look into a cache. Keys are made AHEAD words before they are looked up, so that memory
 * arrives in time.
 */
enum { CELL_SLOTS = 1 << 14, TUPLE_SLOTS = 1 << 12, TUPLE_RULES = 3, AHEAD = 6 };

/* The string that a view makes of a cell. */
struct glance {
    struct view_buffer buffer;
    struct text text; /* at NULL: nothing */
    uint64_t hash;
    uint32_t string; /* its number; 0: nothing, or unknown */
};

/* The cells of one column. Its part of a row: names (of the first column), strings, features of rules. */
struct column {
    uint32_t first, width;         /* of that part; 0 wide: no rule looks at the column, and it has no arrays */
    uint32_t names, kept, singles; /* the lengths of its three parts */
    uint32_t views;
    uint32_t *view;        /* [views] numbers in templates->view; those that are kept come first */
    uint32_t *rule;        /* [singles] numbers in templates->node */
    uint32_t *sees;        /* [singles] the view of each rule, as a place in `view` */
    struct glance *glance; /* [views] of the cell at work */
    uint64_t *hash;        /* [CELL_SLOTS] of the cell that is known, 0: none */
    uint32_t *known;       /* [CELL_SLOTS][width] */
};

/* Cells that some rules look at together, counted from the row of the first one. */
struct tuple {
    uint32_t macros, rules;
    struct places at;    /* of the strings, counted from the row of the first cell */
    uint32_t first;      /* place of the features in the row of the first cell */
    int32_t least, most; /* rows of the first cell, counted from the words that the rules are applied to */
    uint32_t *rule;      /* [rules] numbers in templates->node */
    uint32_t *known;     /* [TUPLE_SLOTS][macros + rules] strings, then features */
};

uint64_t rule_key(const struct rule *rule, const struct places *places, const uint32_t *here)
{
    uint64_t key = rule->seed;
    for (uint32_t m = 0; m < rule->macros; m++) {
        uint32_t string = here[places->string[m]];
        if (!string)
            return 0;
        key = hash_mix(key, string);
    }
    return key;
}

/* Does what observer_number() does, for a string whose hash is known. */
static bool number_hashed(struct observer *o, struct text text, uint64_t hash, uint32_t *number,
                          struct vouch_error *err)
{
    if (!o->growing) {
        *number = dictionary_find_hashed(o->strings, text, hash);
        return true;
    }
    *number = dictionary_add(o->growing, text, err);
    return *number != 0;
}

bool observer_number(struct observer *o, struct text text, uint32_t *number, struct vouch_error *err)
{
    return number_hashed(o, text, hash_bytes(text.at, text.length), number, err);
}

/* ---- Cells ---- */

/* Returns the key of a rule that looks at this string alone. */
static uint64_t single_key(const struct observer *o, uint32_t rule, uint32_t string)
{
    return hash_mix(o->templates->node[rule].seed, string);
}

static uint32_t single_feature(const struct observer *o, uint32_t rule, uint32_t string)
{
    return string ? feature_index_find(o->index, single_key(o, rule, string)) : NO_FEATURE;
}

/* Applies all views of a column to a cell, and numbers the strings. */
static bool apply_views(struct observer *o, const struct column *column, struct text cell, struct vouch_error *err)
{
    for (uint32_t i = 0; i < column->views; i++) {
        struct glance *g = &column->glance[i];
        if (!view_apply(&o->templates->view[column->view[i]], cell, &g->buffer, &g->text, err))
            return false;
        g->hash = g->text.at ? hash_bytes(g->text.at, g->text.length) : 0;
        hash_table_prefetch(&o->strings->table, g->hash);
    }
    for (uint32_t i = 0; i < column->views; i++) {
        struct glance *g = &column->glance[i];
        g->string = 0;
        if (g->text.at && !number_hashed(o, g->text, g->hash, &g->string, err))
            return false;
    }
    return true;
}

/* Observes a cell that was not seen lately: to [width]. */
static bool observe_anew(struct observer *o, const struct column *column, struct text cell, uint32_t *to,
                         struct vouch_error *err)
{
    static const struct view in_lower_case = {.kind = VIEW_LOWER};
    const struct glance *glance = column->glance;
    if (!apply_views(o, column, cell, err))
        return false;
    for (uint32_t i = 0; i < column->singles; i++)
        hash_table_prefetch(&o->index->table, single_key(o, column->rule[i], glance[column->sees[i]].string));
    if (column->names) {
        struct text lower;
        if (!view_apply(&in_lower_case, cell, &o->buffer, &lower, err))
            return false;
        to[0] = (uint32_t)hash_bytes(cell.at, cell.length);
        to[1] = (uint32_t)hash_bytes(lower.at, lower.length);
    }
    to += column->names;
    for (uint32_t i = 0; i < column->kept; i++)
        to[i] = glance[i].string;
    to += column->kept;
    for (uint32_t i = 0; i < column->singles; i++)
        to[i] = single_feature(o, column->rule[i], glance[column->sees[i]].string);
    return true;
}

static size_t slot_of(uint64_t hash)
{
    return (hash >> 20) % CELL_SLOTS;
}

/* Returns what a look-up has found for a word. */
static const struct lexicon_match *match_of(const struct observer *o, uint32_t N, uint32_t n, uint32_t c)
{
    return &o->match[(size_t)(c - o->cells) * N + n];
}

static uint64_t cell_hash(const struct observer *o, const struct sentence *sentence, uint32_t n, uint32_t c)
{
    if (c >= o->cells) {
        const struct lexicon_match *match = match_of(o, sentence->N, n, c);
        return hash_mix(match->place, match->row);
    }
    struct text cell = sentence_cell(sentence, n, c);
    return hash_bytes(cell.at, cell.length);
}

/* Hashes the cells of a word, hash [columns], and prefetches what observe_cell() will read. */
static void hash_cells(const struct observer *o, const struct sentence *sentence, uint32_t n, uint64_t *hash)
{
    for (uint32_t c = 0; c < o->columns; c++) {
        const struct column *column = &o->column[c];
        if (!column->width)
            continue;
        hash[c] = cell_hash(o, sentence, n, c) | 1;
        __builtin_prefetch(&column->hash[slot_of(hash[c])]);
        __builtin_prefetch(column->known + slot_of(hash[c]) * column->width);
        __builtin_prefetch(column->known + slot_of(hash[c]) * column->width + column->width - 1);
    }
}

/* Finds what the views of a column look at: a cell of the sentence, or the place and the classes of its word. */
static bool find_cell(struct observer *o, const struct sentence *sentence, uint32_t n, uint32_t c, struct text *cell,
                      struct vouch_error *err)
{
    struct view_buffer *buffer = &o->class_buffer;
    if (c < o->cells) {
        *cell = sentence_cell(sentence, n, c);
        return true;
    }
    const struct lexicon_match *match = match_of(o, sentence->N, n, c);
    struct text classes = dictionary_text(&o->templates->lookup[c - o->cells].lexicon->classes, match->row);
    if (!RESERVE(buffer->bytes, buffer->capacity, (size_t)classes.length + 1, err))
        return false;
    buffer->bytes[0] = (char)match->place;
    memcpy(buffer->bytes + 1, classes.at, classes.length);
    *cell = (struct text){buffer->bytes, classes.length + 1};
    return true;
}

static bool observe_cell(struct observer *o, struct column *column, struct text cell, uint64_t hash, uint32_t *row,
                         struct vouch_error *err)
{
    size_t slot = slot_of(hash);
    uint32_t *known = column->known + slot * column->width, *to = row + column->first;
    if (column->hash[slot] != hash) {
        column->hash[slot] = 0;
        if (!observe_anew(o, column, cell, known, err))
            return false;
        column->hash[slot] = hash;
    }
    for (uint32_t i = 0; i < column->width; i++)
        to[i] = known[i];
    return true;
}

/* ---- Tuples ---- */

/* Returns where the tuple whose first cell is in `row` would be known. */
static uint32_t *tuple_known(const struct tuple *tuple, const uint32_t *row)
{
    uint64_t hash = 0;
    for (uint32_t m = 0; m < tuple->macros; m++)
        hash = (hash ^ row[tuple->at.string[m]]) * UINT64_C(0x9E3779B97F4A7C15);
    return tuple->known + (hash >> 40) % TUPLE_SLOTS * (tuple->macros + tuple->rules);
}

/* Fills in the features of a tuple that is known; of another one, prefetches what look_up() will read. */
static bool recall_tuple(const struct observer *o, const struct tuple *tuple, uint32_t *row)
{
    const uint32_t *known = tuple_known(tuple, row);
    uint32_t macros = tuple->macros, other = 0;
    for (uint32_t m = 0; m < macros; m++)
        other |= known[m] ^ row[tuple->at.string[m]];
    for (uint32_t i = 0; i < tuple->rules; i++)
        row[tuple->first + i] = known[macros + i];
    for (uint32_t i = 0; other && i < tuple->rules; i++)
        hash_table_prefetch(&o->index->table, rule_key(&o->templates->node[tuple->rule[i]], &tuple->at, row));
    return !other;
}

static void look_up(const struct observer *o, const struct tuple *tuple, uint32_t *row)
{
    uint32_t *known = tuple_known(tuple, row), macros = tuple->macros;
    for (uint32_t m = 0; m < macros; m++)
        known[m] = row[tuple->at.string[m]];
    for (uint32_t i = 0; i < tuple->rules; i++) {
        uint64_t key = rule_key(&o->templates->node[tuple->rule[i]], &tuple->at, row);
        known[macros + i] = key ? feature_index_find(o->index, key) : NO_FEATURE;
        row[tuple->first + i] = known[macros + i];
    }
}

/* Observes a tuple wherever its rules look at it. Unknown ones are looked up at the end, when memory is there. */
static bool observe_tuple(struct observer *o, const struct tuple *tuple, uint32_t N, struct vouch_error *err)
{
    uint32_t *row = o->row + (o->templates->reach + tuple->least) * (ptrdiff_t)o->stride, missing = 0;
    uint32_t count = N + (uint32_t)(tuple->most - tuple->least);
    if (!RESERVE(o->missing, o->missing_capacity, count, err))
        return false;
    for (uint32_t n = 0; n < count; n++, row += o->stride) {
        o->missing[missing] = row;
        missing += !recall_tuple(o, tuple, row);
    }
    for (uint32_t i = 0; i < missing; i++)
        look_up(o, tuple, o->missing[i]);
    return true;
}

/* ---- Rules by themselves ---- */

static void observe_lones(const struct observer *o, uint32_t N)
{
    uint32_t lones = o->lones, *row = o->row + (size_t)o->templates->reach * o->stride, *late = row;
    for (uint32_t n = 0; n < N + AHEAD; n++, row += o->stride) {
        uint64_t *key = o->key + n % (AHEAD + 1) * (size_t)lones;
        for (uint32_t i = 0; n < N && i < lones; i++) {
            key[i] = rule_key(&o->templates->node[o->lone[i]], &o->node[o->lone[i]], row);
            hash_table_prefetch(&o->index->table, key[i]);
        }
        if (n < AHEAD)
            continue;
        key = o->key + (n - AHEAD) % (AHEAD + 1) * (size_t)lones;
        for (uint32_t i = 0; i < lones; i++)
            late[o->first_lone + i] = key[i] ? feature_index_find(o->index, key[i]) : NO_FEATURE;
        late += o->stride;
    }
}

/* ---- All of it ---- */

/* Looks the words of a sentence up in the lexicons. */
static bool look_up_classes(struct observer *o, const struct sentence *sentence, struct vouch_error *err)
{
    const struct templates *t = o->templates;
    uint32_t N = sentence->N, lookups = o->columns - o->cells;
    if (!RESERVE(o->word, o->word_capacity, (size_t)N + 1, err) ||
        !RESERVE(o->match, o->match_capacity, (size_t)N * lookups + 1, err))
        return false;
    for (uint32_t i = 0; i < lookups; i++) {
        for (uint32_t n = 0; n < N; n++)
            o->word[n] = sentence_cell(sentence, n, t->lookup[i].column);
        if (!lexicon_match(t->lookup[i].lexicon, o->word, N, &o->work, o->match + (size_t)i * N, err))
            return false;
    }
    return true;
}

/* Fails if a word has too few cells. */
static bool cells_suffice(const struct observer *o, const struct sentence *sentence, struct vouch_error *err)
{
    uint32_t needed = o->templates->columns;
    for (uint32_t n = 0; n < sentence->N; n++)
        if (sentence_cells(sentence, n) < needed)
            return fail(err, VOUCH_ERR_FORMAT, "expected at least %u columns, found %u%s", needed,
                        sentence_cells(sentence, n),
                        sentence_cells(sentence, n) == 1
                            ? " (--use 1 of training learns from the words alone)"
                            : "");
    return true;
}

static bool observe_cells(struct observer *o, const struct sentence *sentence, struct vouch_error *err)
{
    uint32_t N = sentence->N;
    if (!cells_suffice(o, sentence, err) || !look_up_classes(o, sentence, err) ||
        !RESERVE(o->hash, o->hash_capacity, (size_t)N * o->columns + 1, err))
        return false;
    for (uint32_t n = 0; n < N; n++)
        hash_cells(o, sentence, n, o->hash + (size_t)n * o->columns);
    for (uint32_t n = 0; n < N; n++) {
        uint32_t *row = o->row + (o->templates->reach + (size_t)n) * o->stride;
        const uint64_t *hash = o->hash + (size_t)n * o->columns;
        for (uint32_t c = 0; c < o->columns; c++) {
            struct text cell;
            if (o->column[c].width && (!find_cell(o, sentence, n, c, &cell, err) ||
                                       !observe_cell(o, &o->column[c], cell, hash[c], row, err)))
                return false;
        }
    }
    return true;
}

bool observer_run(struct observer *o, const struct sentence *sentence, struct vouch_error *err)
{
    size_t N = sentence->N, stride = o->stride, reach = (size_t)o->templates->reach;
    if (!RESERVE(o->row, o->row_capacity, (N + 2 * reach) * stride + 1, err))
        return false;
    memcpy(o->row, o->outside, sizeof *o->row * reach * stride);
    memcpy(o->row + (reach + N) * stride, o->outside + (reach + 1) * stride, sizeof *o->row * reach * stride);
    if (!observe_cells(o, sentence, err))
        return false;
    for (uint32_t i = 0; N && i < o->tuples; i++)
        if (!observe_tuple(o, &o->tuple[i], sentence->N, err))
            return false;
    if (o->lones)
        observe_lones(o, sentence->N);
    return true;
}

/* ---- Preparing ---- */

static bool rules_see(const struct rule *rule, uint32_t rules, uint32_t view, bool alone)
{
    for (uint32_t r = 0; r < rules; r++)
        for (uint32_t m = 0; m < rule[r].macros; m++)
            if (rule[r].macro[m].view == view && (alone || rule[r].macros > 1))
                return true;
    return false;
}

/* Whether the strings of a view are looked at outside of observe_anew(). */
static bool is_kept(const struct observer *o, uint32_t view)
{
    const struct templates *t = o->templates;
    return rules_see(t->node, t->nodes, view, !o->index) || rules_see(t->edge, t->edges, view, true);
}

static uint32_t place_in(const uint32_t *list, uint32_t what)
{
    uint32_t i = 0;
    while (list[i] != what)
        i++;
    return i;
}

static bool is_single(const struct observer *o, const struct rule *rule)
{
    return o->index && rule->macros == 1;
}

/* Returns the column that a view looks at. */
static uint32_t column_of(const struct observer *o, const struct view *view)
{
    return view->kind == VIEW_CLASS ? o->cells + view->lookup : view->column;
}

static bool is_seen(const struct observer *o, uint32_t c)
{
    for (uint32_t v = 0; v < o->templates->views; v++)
        if (column_of(o, &o->templates->view[v]) == c)
            return true;
    return false;
}

static bool lay_out_column(struct observer *o, uint32_t c, struct vouch_error *err)
{
    const struct templates *t = o->templates;
    struct column *column = &o->column[c];
    *column = (struct column){.first = o->stride, .names = c == 0 ? WORD_NAMES : 0};
    if (!column->names && !is_seen(o, c))
        return true;
    if (!ARENA_ARRAY(column->view, t->views, &o->arena, err) || !ARENA_ARRAY(column->rule, t->nodes, &o->arena, err) ||
        !ARENA_ARRAY(column->sees, t->nodes, &o->arena, err) || !ARENA_ARRAY(column->glance, t->views, &o->arena, err))
        return false;
    memset(column->glance, 0, sizeof *column->glance * t->views);
    for (int kept = 1; kept >= 0; kept--)
        for (uint32_t v = 0; v < t->views; v++)
            if (column_of(o, &t->view[v]) == c && is_kept(o, v) == kept) {
                column->view[column->views++] = v;
                column->kept += (uint32_t)kept;
            }
    for (uint32_t r = 0; r < t->nodes; r++)
        if (is_single(o, &t->node[r]) && column_of(o, &t->view[t->node[r].macro[0].view]) == c) {
            column->sees[column->singles] = place_in(column->view, t->node[r].macro[0].view);
            column->rule[column->singles++] = r;
        }
    column->width = column->names + column->kept + column->singles;
    o->stride += column->width;
    if (!ARENA_ARRAY(column->hash, CELL_SLOTS, &o->arena, err) ||
        !ARENA_ARRAY(column->known, (size_t)CELL_SLOTS * column->width, &o->arena, err))
        return false;
    memset(column->hash, 0, sizeof *column->hash * CELL_SLOTS);
    return true;
}

/* Whether a rule looks at the cells of the tuple, wherever the first one is. */
static bool same_cells(const struct rule *a, const struct rule *b)
{
    bool same = a->macros == b->macros;
    for (uint32_t m = 0; same && m < a->macros; m++)
        same = a->macro[m].view == b->macro[m].view &&
               a->macro[m].row - a->macro[0].row == b->macro[m].row - b->macro[0].row;
    return same;
}

/* Whether the feature of a rule is observed with a tuple. */
static bool is_in_tuple(const struct observer *o, const struct rule *rule)
{
    uint32_t sharing = 0;
    for (uint32_t r = 0; r < o->templates->nodes; r++)
        sharing += same_cells(&o->templates->node[r], rule);
    return o->index && rule->macros > 1 && sharing >= TUPLE_RULES;
}

/* Finds the tuple of a rule, or makes it; its features have their places when all rules are known. */
static bool join_tuple(struct observer *o, uint32_t r, struct vouch_error *err)
{
    const struct rule *rules = o->templates->node, *rule = &rules[r];
    uint32_t i = 0;
    while (i < o->tuples && !same_cells(&rules[o->tuple[i].rule[0]], rule))
        i++;
    struct tuple *tuple = &o->tuple[i];
    if (i == o->tuples) {
        o->tuples++;
        *tuple = (struct tuple){.macros = rule->macros, .least = rule->macro[0].row, .most = rule->macro[0].row};
        if (!ARENA_ARRAY(tuple->rule, o->templates->nodes, &o->arena, err))
            return false;
    }
    tuple->least = rule->macro[0].row < tuple->least ? rule->macro[0].row : tuple->least;
    tuple->most = rule->macro[0].row > tuple->most ? rule->macro[0].row : tuple->most;
    tuple->rule[tuple->rules++] = r;
    return true;
}

/* Returns the place of a view's string in the row of its word; NOWHERE if it is not kept. */
static int32_t place_of_view(const struct observer *o, uint32_t view)
{
    const struct column *column = &o->column[column_of(o, &o->templates->view[view])];
    uint32_t i = place_in(column->view, view);
    return i < column->kept ? (int32_t)(column->first + column->names + i) : NOWHERE;
}

static int32_t rows_away(const struct observer *o, int32_t rows)
{
    return rows * (int32_t)o->stride;
}

static bool close_tuple(struct observer *o, struct tuple *tuple, struct vouch_error *err)
{
    const struct rule *rule = &o->templates->node[tuple->rule[0]];
    size_t size = (size_t)TUPLE_SLOTS * (tuple->macros + tuple->rules);
    for (uint32_t m = 0; m < tuple->macros; m++)
        tuple->at.string[m] =
            rows_away(o, rule->macro[m].row - rule->macro[0].row) + place_of_view(o, rule->macro[m].view);
    if (!ARENA_ARRAY(tuple->known, size, &o->arena, err))
        return false;
    memset(tuple->known, 0xFF, sizeof *tuple->known * size); /* no string has this number */
    return true;
}

static bool lay_out_tuples(struct observer *o, struct vouch_error *err)
{
    const struct templates *t = o->templates;
    if (!ARENA_ARRAY(o->tuple, t->nodes, &o->arena, err) || !ARENA_ARRAY(o->lone, t->nodes, &o->arena, err))
        return false;
    for (uint32_t r = 0; o->index && r < t->nodes; r++)
        if (is_in_tuple(o, &t->node[r]) && !join_tuple(o, r, err))
            return false;
        else if (!is_in_tuple(o, &t->node[r]) && !is_single(o, &t->node[r]))
            o->lone[o->lones++] = r;
    for (uint32_t i = 0; i < o->tuples; i++) {
        o->tuple[i].first = o->stride;
        o->stride += o->tuple[i].rules;
    }
    o->first_lone = o->stride;
    o->stride += o->lones;
    for (uint32_t i = 0; i < o->tuples; i++)
        if (!close_tuple(o, &o->tuple[i], err))
            return false;
    return ARENA_ARRAY(o->key, (AHEAD + 1) * (size_t)o->lones, &o->arena, err);
}

/* Returns the place of the feature of a rule of the words. */
static int32_t place_of_feature(const struct observer *o, uint32_t r)
{
    const struct rule *rule = &o->templates->node[r];
    int32_t away = rule->macros ? rows_away(o, rule->macro[0].row) : 0;
    if (is_single(o, rule)) {
        const struct column *column = &o->column[column_of(o, &o->templates->view[rule->macro[0].view])];
        return away + (int32_t)(column->first + column->names + column->kept + place_in(column->rule, r));
    }
    if (!is_in_tuple(o, rule))
        return (int32_t)(o->first_lone + place_in(o->lone, r));
    const struct tuple *tuple = o->tuple;
    while (!same_cells(&o->templates->node[tuple->rule[0]], rule))
        tuple++;
    return away + (int32_t)(tuple->first + place_in(tuple->rule, r));
}

static struct places *place_rules(struct observer *o, const struct rule *rule, uint32_t rules, struct vouch_error *err)
{
    struct places *places = arena_array(&o->arena, rules, sizeof *places, err);
    for (uint32_t r = 0; places && r < rules; r++)
        for (uint32_t m = 0; m < rule[r].macros; m++) {
            int32_t place = place_of_view(o, rule[r].macro[m].view);
            places[r].string[m] = place == NOWHERE ? NOWHERE : rows_away(o, rule[r].macro[m].row) + place;
        }
    return places;
}

static bool place_all(struct observer *o, struct vouch_error *err)
{
    const struct templates *t = o->templates;
    o->node = place_rules(o, t->node, t->nodes, err);
    o->edge = place_rules(o, t->edge, t->edges, err);
    if (!o->node || !o->edge || !ARENA_ARRAY(o->feature, t->nodes, &o->arena, err))
        return false;
    for (uint32_t r = 0; o->index && r < t->nodes; r++)
        o->feature[r] = place_of_feature(o, r);
    return true;
}

/* Observes what lies before and after a sentence: every view of it shows the same string. */
static bool observe_outside(struct observer *o, struct vouch_error *err)
{
    int32_t reach = o->templates->reach;
    size_t size = (2 * (size_t)reach + 1) * o->stride;
    if (!ARENA_ARRAY(o->outside, size, &o->arena, err))
        return false;
    memset(o->outside, 0, sizeof *o->outside * size);
    for (int32_t k = -reach; k <= reach; k++) {
        uint32_t string, *row = o->outside + (size_t)(reach + k) * o->stride;
        char name[16];
        snprintf(name, sizeof name, "_B%+d", (int)k);
        if (k == 0)
            continue;
        if (!observer_number(o, text_of(name), &string, err))
            return false;
        for (uint32_t c = 0; c < o->columns; c++) {
            const struct column *column = &o->column[c];
            uint32_t *to = row + column->first + column->names;
            for (uint32_t i = 0; i < column->kept; i++)
                to[i] = string;
            for (uint32_t i = 0; i < column->singles; i++)
                to[column->kept + i] = single_feature(o, column->rule[i], string);
        }
    }
    return true;
}

bool observer_init(struct observer *o, const struct templates *templates, const struct dictionary *strings,
                   const struct feature_index *index, struct dictionary *growing, struct vouch_error *err)
{
    uint32_t cells = templates->attributes ? 0 : templates->columns ? templates->columns : 1; /* 1: names of words */
    uint32_t columns = cells + templates->lookups;
    *o = (struct observer){
        .templates = templates, .strings = strings, .index = growing ? NULL : index, .growing = growing};
    o->cells = cells;
    if (templates->attributes && templates->views)
        return fail(err, VOUCH_ERR_FORMAT, "attributes come without columns: expected B lines without macros");
    if (!ARENA_ARRAY(o->column, columns, &o->arena, err))
        return false;
    for (o->columns = 0; o->columns < columns;)
        if (!lay_out_column(o, o->columns++, err))
            return false;
    return lay_out_tuples(o, err) && place_all(o, err) && observe_outside(o, err) &&
           RESERVE(o->row, o->row_capacity, 1, err); /* rules without macros are applied to rows of attributes, too */
}

void observer_release(struct observer *o)
{
    for (uint32_t c = 0; c < o->columns; c++)
        for (uint32_t i = 0; i < o->column[c].views; i++)
            free(o->column[c].glance[i].buffer.bytes);
    free(o->row);
    free(o->hash);
    free(o->missing);
    free(o->word);
    free(o->match);
    free(o->buffer.bytes);
    free(o->class_buffer.bytes);
    lexicon_work_release(&o->work);
    arena_release(&o->arena);
    *o = (struct observer){0};
}
