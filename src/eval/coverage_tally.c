/*
 * Counts how often sets of choices hold the right one: see evaluation.h.
 *
 * Sentences come one after the other, and so do documents. Whether marks divide the files into documents is known only
 * at the end, so both are counted: a unit's counts are kept open until something of the next unit comes, and then added
 * to the sums. That takes the memory of the labels alone.
 */
#include "eval/evaluation.h"

#include <math.h>

const char *const covered_unit_names[COVERED_UNITS] = {"sentences", "documents"};

const char *covered_name(enum covered what, bool trees)
{
    return trees && what == COVERED_WORDS ? "heads" : covered_names[what];
}

static const struct choice_sets *sets_of(const struct covered_sentence *s, enum covered what)
{
    const struct confidences *c = s->answer->confidences;
    return what == COVERED_WORDS ? &c->set : what == COVERED_CHUNKS ? &c->reading : &c->relation_set;
}

uint32_t covered_count(const struct covered_sentence *s, enum covered what)
{
    if (!sets_of(s, what)->first)
        return 0;
    return what == COVERED_CHUNKS ? s->answer->confidences->spans : s->N;
}

struct text covered_label(const struct covered_sentence *s, enum covered what, uint32_t i)
{
    struct text type;
    if (what == COVERED_CHUNKS)
        return gold_span(s->gold, s->N, s->answer->confidences->span[i], &type) ? type : text_of("O");
    return what == COVERED_WORDS && s->gold_head ? text_of("") : s->gold[i];
}

double covered_truth(const struct covered_sentence *s, enum covered what, uint32_t i, bool *answered)
{
    const struct choice_sets *sets = sets_of(s, what);
    bool heads = what == COVERED_WORDS && s->gold_head;
    struct text truth = covered_label(s, what, i);
    *answered = heads                    ? s->answer->head[i] == s->gold_head[i]
                : what == COVERED_CHUNKS ? text_equal(s->answer->confidences->span[i].type, truth)
                                         : text_equal(s->answer->label[i], truth);
    for (uint32_t k = sets->first[i]; k < sets->first[i + 1]; k++)
        if (heads ? sets->choice[k].head == s->gold_head[i] : text_equal(sets->choice[k].label, truth))
            return sets->choice[k].probability;
    return NAN;
}

/* Counting. */

static void close_unit(struct covered_share *s)
{
    if (s->of == 0)
        return;
    clustered_add(&s->closed, s->covered, s->of);
    s->shares += (double)s->covered / s->of;
    s->covered = s->of = 0;
}

/* A thing with a set. */
struct thing {
    uint32_t unit[COVERED_UNITS];
    uint32_t size; /* of the set, */
    bool covered;  /* which holds the right choice */
};

static void add_thing(struct covered_tally *t, const struct thing *thing)
{
    for (enum covered_unit u = 0; u < COVERED_UNITS; u++) {
        struct covered_share *s = &t->by[u];
        if (s->unit != thing->unit[u])
            close_unit(s);
        s->unit = thing->unit[u];
        s->covered += thing->covered;
        s->of++;
    }
    t->choices += thing->size;
    t->single += thing->size == 1;
}

/* Adds a thing to the counts of its right label, which may be new. */
static bool add_by_label(struct coverage_tally *t, enum covered what, struct text label, const struct thing *thing,
                         struct vouch_error *err)
{
    uint32_t number = dictionary_add(&t->labels, label, err);
    size_t before = t->capacity[what];
    if (!number || !RESERVE(t->by_label[what], t->capacity[what], number, err))
        return false;
    memset(t->by_label[what] + before, 0, (t->capacity[what] - before) * sizeof **t->by_label);
    add_thing(&t->by_label[what][number - 1], thing);
    return true;
}

static bool has_threshold(const json_t *by_label, struct text label)
{
    return json_object_getn(by_label, label.length ? label.at : "", label.length) != NULL;
}

bool coverage_tally_add(struct coverage_tally *t, const struct covered_sentence *s, const struct set_thresholds *least,
                        struct vouch_error *err)
{
    struct thing thing = {.unit = {t->sentences++, t->documents.documents}};
    for (enum covered what = 0; what < COVERED; what++)
        for (uint32_t i = 0; i < covered_count(s, what); i++) {
            bool answered, heads = what == COVERED_WORDS && s->gold_head;
            struct text label = covered_label(s, what, i);
            thing.size = choice_set_size(sets_of(s, what), i);
            thing.covered = !isnan(covered_truth(s, what, i, &answered));
            add_thing(&t->all[what], &thing);
            if (least->by_label[what] && !has_threshold(least->by_label[what], label))
                add_thing(&t->others[what], &thing);
            if (!heads && !add_by_label(t, what, label, &thing, err))
                return false;
        }
    return true;
}

bool coverage_tally_close(struct coverage_tally *t, struct vouch_error *err)
{
    free(t->label);
    t->label = labels_by_name(&t->labels, err);
    return t->label != NULL;
}

void coverage_tally_release(struct coverage_tally *t)
{
    for (enum covered what = 0; what < COVERED; what++)
        free(t->by_label[what]);
    free(t->label);
    dictionary_release(&t->labels);
    *t = (struct coverage_tally){0};
}

/* Figures. */

const struct covered_tally *coverage_of_label(const struct coverage_tally *t, enum covered what, uint32_t k)
{
    uint32_t at = t->label[k].number - 1;
    return at < t->capacity[what] && t->by_label[what][at].choices > 0 ? &t->by_label[what][at] : NULL;
}

struct coverage_figures coverage_figures(const struct covered_tally *t, enum covered_unit unit)
{
    struct covered_share s = t->by[unit];
    close_unit(&s);
    struct interval interval = clustered_interval(&s.closed);
    return (struct coverage_figures){.units = s.closed.clusters,
                                     .count = s.closed.of,
                                     .mean = 100 * s.shares / s.closed.clusters,
                                     .share = 100 * clustered_share(&s.closed),
                                     .low = 100 * interval.low,
                                     .high = 100 * interval.high,
                                     .size = t->choices / s.closed.of,
                                     .single = 100 * t->single / s.closed.of};
}

/* Intervals go by documents if there are any. */
static json_t *figures_json(const struct covered_tally *t, bool documents)
{
    struct coverage_figures f = coverage_figures(t, BY_SENTENCES);
    struct coverage_figures by = coverage_figures(t, documents ? BY_DOCUMENTS : BY_SENTENCES);
    json_t *json = json_pack("{s:I, s:I, s:f, s:f, s:[ff], s:f, s:f}", "sentences", (json_int_t)f.units, "count",
                             (json_int_t)f.count, "mean_over_sentences", f.mean, "covered", f.share, "interval", by.low,
                             by.high, "mean_size", f.size, "of_one", f.single);
    if (documents) {
        json_object_set_new(json, "documents", json_integer((json_int_t)by.units));
        json_object_set_new(json, "mean_over_documents", json_real(by.mean));
    }
    return json;
}

json_t *coverage_tally_json(const struct coverage_tally *t, bool trees)
{
    bool documents = has_documents(&t->documents);
    json_t *json = json_object();
    for (enum covered what = 0; what < COVERED; what++) {
        json_t *one = t->all[what].choices > 0 ? figures_json(&t->all[what], documents) : NULL, *labels = json_object();
        for (uint32_t k = 0; k < t->labels.table.count; k++) {
            const struct covered_tally *of = coverage_of_label(t, what, k);
            struct text name = t->label[k].name;
            if (of)
                json_object_setn_new(labels, name.at, name.length, figures_json(of, documents));
        }
        if (json_object_size(labels) > 0)
            json_object_set(one, "by_label", labels);
        if (t->others[what].choices > 0)
            json_object_set_new(one, "others", figures_json(&t->others[what], documents));
        json_decref(labels);
        if (one)
            json_object_set_new(json, covered_name(what, trees), one);
    }
    return json;
}
