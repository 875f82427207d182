/*
 * Chooses an operating point with a threshold for each group of answers: for each type of entities, or for the
 * sentences whose first word has the same value in a column.
 *
 * Groups do not meet: a threshold for one type changes chunks of this type alone, and one for a column's value its
 * sentences alone. So a group is measured, and its threshold found, on a view of the answers in which everything of
 * other groups is outside of chunks, in gold as well; what holds for all answers then holds for a group. Units are all
 * sentences, or documents: one without the group adds nothing to a bet, and wins or loses nothing. All groups go by the
 * numbers of one method, that which would be planned for all answers together, since an answer is made by one.
 *
 * Each guarantee is a test of its own, at the whole level: the probability is for each group by itself. That all of G
 * groups hold at once has a probability of at least 1 - G (1 - guarantee).
 *
 * If a group cannot have the precision, all of its chunks become O, by a threshold above every number, so that every
 * group that has chunks left has the precision. If one cannot have the recall, that is an error.
 *
 * Cost: for each group a search as for all answers by one method.
 */
#include "trade/trade.h"

#include "model/records.h"

#include <math.h>
#include <stdlib.h>

void trade_groups_release(struct trade *t)
{
    free(t->group);
    free(t->group_of);
    dictionary_release(&t->group_name);
    json_decref(t->point_groups);
}

/* Returns the type of a label, or of the label that a word outside of chunks may get; empty if there is none. */
static struct text type_of(struct text label)
{
    struct text type = text_of("");
    char prefix = scheme_split(label, &type);
    return prefix && prefix != 'O' ? type : text_of("");
}

/* Collects the names of all groups that answers or gold have. */
static bool name_groups(struct trade *t, struct vouch_error *err)
{
    for (size_t i = 0; !t->column && i < t->words; i++) {
        struct text gold = dictionary_text(&t->gold, t->gold_number[i]);
        if ((scheme_inside(t->label[i]) && !dictionary_add(&t->group_name, type_of(t->label[i]), err)) ||
            (scheme_inside(gold) && !dictionary_add(&t->group_name, type_of(gold), err)))
            return false;
    }
    t->groups = t->group_name.table.count;
    return t->groups > 0 || fail(err, VOUCH_ERR_ARGUMENT, "expected entities of some type, found none");
}

/* Orders groups by their names. */
static int by_name(const void *left, const void *right)
{
    const struct trade_group *a = left, *b = right;
    size_t n = a->name.length < b->name.length ? a->name.length : b->name.length;
    int order = memcmp(a->name.at, b->name.at, n);
    return order ? order : (a->name.length > b->name.length) - (a->name.length < b->name.length);
}

/* Fills in the words of sentence s in a view of a group. */
static void view_sentence(const struct trade *t, uint32_t s, uint32_t method, const struct trade_group *group,
                          uint32_t outside, struct trade *view)
{
    size_t first = t->first[s], N = t->first[s + 1] - first, at = first * t->methods + method * N;
    bool here = !t->column || t->group_of[s] == group->number;
    for (size_t i = 0; i < N; i++) {
        struct text label = t->label[first + i], other = t->other[at + i];
        struct text gold = dictionary_text(&t->gold, t->gold_number[first + i]);
        bool own = here && (t->column || text_equal(type_of(label), group->name));
        bool joins = here && !scheme_inside(label) && (t->column || text_equal(type_of(other), group->name));
        bool gold_own = here && (t->column || text_equal(type_of(gold), group->name));
        view->label[first + i] = own ? label : text_of("O");
        view->gold_number[first + i] = gold_own ? t->gold_number[first + i] : outside;
        view->least[first + i] = t->least[at + i];
        view->other[first + i] = joins ? other : text_of("");
    }
}

/* Makes a view of the answers as one method sees a group. What it does not change is t's. */
static bool view_make(const struct trade *t, uint32_t method, const struct trade_group *group, uint32_t outside,
                      struct trade *view, struct vouch_error *err)
{
    *view = *t;
    view->methods = 1;
    view->name[0] = t->name[method];
    view->curve = NULL;
    view->label = new_array(t->words + 1, sizeof *view->label, err);
    view->gold_number = new_array(t->words + 1, sizeof *view->gold_number, err);
    view->least = new_array(t->words + 1, sizeof *view->least, err);
    view->other = new_array(t->words + 1, sizeof *view->other, err);
    if (!view->label || !view->gold_number || !view->least || !view->other)
        return false;
    for (uint32_t s = 0; s < t->sentences; s++)
        view_sentence(t, s, method, group, outside, view);
    return true;
}

static void view_release(struct trade *view)
{
    for (uint32_t i = 0; view->curve && i < DIRECTIONS; i++)
        free(view->curve[i].point);
    free(view->curve);
    free(view->label);
    free(view->gold_number);
    free(view->least);
    free(view->other);
}

/* Counts the chunks of a view as they are. */
static bool count_unchanged(const struct trade *view, struct tag_counts *counts, struct vouch_error *err)
{
    struct trade_point point = {.threshold = -INFINITY};
    struct trade_curve curve = {.direction = TOWARDS_PRECISION, .point = &point, .points = 1};
    struct tag_counts *each = trade_count_units(view, &curve, 1, err);
    free(each);
    *counts = point.counts;
    return each != NULL;
}

/* Finds the point of a view that was asked for, measured or guaranteed; at->found is false if there is none. */
static bool find_point(struct trade *view, const struct guarantee *asked, struct guaranteed *at,
                       struct vouch_error *err)
{
    const struct trade_curve *curve;
    const struct trade_point *reach;
    if (view->options->guarantee > 0)
        return guarantee_find(view, asked, at, err);
    if (!trade_measure(view, view->options->common.work.threads, err))
        return false;
    bool found = trade_find(view, asked->wanted, 100 * asked->target, &curve, &reach) != NULL;
    *at = (struct guaranteed){.direction = curve->direction,
                              .threshold = reach->threshold,
                              .counts = reach->counts,
                              .found = found,
                              .best = rate_of(tag_rates(reach->counts), asked->wanted) / 100};
    return true;
}

/* Finds the threshold of a group, with its figures. */
static bool choose_for(const struct trade *t, uint32_t method, const struct guarantee *asked, uint32_t outside,
                       struct trade_group *group, struct vouch_error *err)
{
    struct trade view;
    struct guaranteed *at = &group->at;
    bool ok = view_make(t, method, group, outside, &view, err) && count_unchanged(&view, &group->unchanged, err) &&
              find_point(&view, asked, at, err);
    if (ok && !at->found) {
        at->direction = TOWARDS_PRECISION;
        at->threshold = INFINITY;
        at->counts = (struct tag_counts){.gold = group->unchanged.gold};
    }
    ok = ok && guarantee_interval(&view, at, asked->wanted, &group->interval, err);
    at->method = method;
    view_release(&view);
    if (ok && !at->found && asked->wanted == TOWARDS_RECALL)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "a recall of %.2f%% of %.*s cannot be %s: the most that can is about %.1f%%", 100 * asked->target,
                    (int)group->name.length, group->name.at, t->options->guarantee > 0 ? "guaranteed" : "had",
                    100 * at->best);
    return ok;
}

/* Chooses the method that all groups go by. */
static bool choose_method(const struct trade *t, const struct guarantee *asked, uint32_t *method,
                          struct vouch_error *err)
{
    const struct trade_curve *curve;
    const struct trade_point *reach;
    *method = 0;
    if (t->methods == 1)
        return true;
    if (t->options->guarantee > 0)
        return guarantee_plan(t, asked, method, err);
    trade_find(t, asked->wanted, 100 * asked->target, &curve, &reach);
    *method = curve->method;
    return true;
}

double trade_group_kept(const struct trade_group *g)
{
    return tag_percent(g->at.counts.guessed, g->unchanged.guessed);
}

static json_t *group_json(const struct trade_group *g, bool documents)
{
    struct tag_rates rates = tag_rates(g->at.counts);
    json_t *json = json_pack("{s:s, s:o, s:b, s:f, s:f, s:f, s:I, s:I, s:f}", "direction",
                             direction_names[g->at.direction], "threshold",
                             isfinite(g->at.threshold) ? json_real(g->at.threshold) : json_null(), "met", g->at.found,
                             "precision", rates.precision, "recall", rates.recall, "f1", rates.f1, "answers",
                             (json_int_t)g->at.counts.guessed, "unchanged", (json_int_t)g->unchanged.guessed, "kept",
                             trade_group_kept(g));
    if (!g->at.found)
        json_object_set_new(json, "most", json_real(100 * g->at.best));
    else
        json_object_set_new(json, "interval", json_pack("[ff]", 100 * g->interval.low, 100 * g->interval.high));
    if (g->at.cap > 0)
        json_object_set_new(json, documents ? "errors_a_document" : "errors_a_sentence",
                            json_integer((json_int_t)g->at.cap));
    return json;
}

/* Collects the groups as the header keeps them, and what all of them have together. */
static bool gather(struct trade *t, struct tag_counts *all, struct vouch_error *err)
{
    const struct trade_group *best = t->group;
    *all = (struct tag_counts){0};
    t->point_groups = json_object();
    for (uint32_t g = 0; g < t->groups; g++) {
        const struct trade_group *group = &t->group[g];
        if (!set_named(t->point_groups, group->name, group_json(group, has_documents(&t->text.documents)), err))
            return false;
        best = group->at.found || (!best->at.found && group->at.best > best->at.best) ? group : best;
        all->gold += group->at.counts.gold;
        all->guessed += group->at.counts.guessed;
        all->correct += group->at.counts.correct;
    }
    return best->at.found ||
           fail(err, VOUCH_ERR_ARGUMENT, "no group reaches what was asked for: the most is about %.1f%%, of %.*s",
                100 * best->at.best, (int)best->name.length, best->name.at);
}

bool trade_choose_groups(struct trade *t, const struct guarantee *asked, struct guaranteed *all,
                         struct vouch_error *err)
{
    uint32_t method, outside = dictionary_add(&t->gold, text_of("O"), err);
    if (!outside || !name_groups(t, err) || !choose_method(t, asked, &method, err))
        return false;
    t->group = new_array(t->groups, sizeof *t->group, err);
    for (uint32_t g = 0; t->group && g < t->groups; g++)
        t->group[g] = (struct trade_group){.name = dictionary_text(&t->group_name, g + 1), .number = g + 1};
    if (!t->group)
        return false;
    qsort(t->group, t->groups, sizeof *t->group, by_name);
    for (uint32_t g = 0; g < t->groups; g++)
        if (!choose_for(t, method, asked, outside, &t->group[g], err))
            return false;
    *all = (struct guaranteed){.method = method, .found = true, .best = asked->target};
    return gather(t, &all->counts, err);
}
