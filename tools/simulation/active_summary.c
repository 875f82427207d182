/* Summarises a simulation by learning curves: reach, means and areas. Linear in all points of all curves. */
#include "simulation/simulation.h"

#include "measure/intervals.h"

#include <math.h>

double curve_reach(const struct curve_step *step, size_t steps, double score)
{
    size_t i = 0;
    while (i < steps && !(step[i].score >= score))
        i++;
    if (i == steps)
        return NAN;
    if (i == 0)
        return step[0].cost;
    const struct curve_step *a = &step[i - 1], *b = &step[i];
    return a->cost + (b->cost - a->cost) * (score - a->score) / (b->score - a->score);
}

/* Returns the score on the line from a to b. */
static double score_at(const struct curve_step *a, const struct curve_step *b, double cost)
{
    return b->cost > a->cost ? a->score + (b->score - a->score) * (cost - a->cost) / (b->cost - a->cost) : b->score;
}

double curve_mean(const struct curve_step *step, size_t steps, double from, double to)
{
    if (steps < 2 || !(from < to) || step[0].cost > from || step[steps - 1].cost < to)
        return NAN;
    double area = 0;
    for (size_t i = 1; i < steps; i++) {
        const struct curve_step *a = &step[i - 1], *b = &step[i];
        double left = fmax(a->cost, from), right = fmin(b->cost, to);
        if (left < right)
            area += (right - left) * (score_at(a, b, left) + score_at(a, b, right)) / 2;
    }
    return area / (to - from);
}

/* A simulation while it is being summarised, and the memory for it. */
struct summing {
    const struct active_plan *plan;
    const struct active_outcome *outcome;
    struct active_summary *summary;
    uint32_t *repeat;        /* [repeats] the repeats that count */
    double *value;           /* [repeats] */
    double *area;            /* [ways][repeats] */
    struct curve_step *step; /* [2][points] */
};

static const struct active_curve *curve_of(const struct summing *s, uint32_t way, uint32_t k)
{
    return &s->outcome->curve[(size_t)way * s->plan->options.repeats + s->repeat[k]];
}

/* Finds the repeats in which all ways of choosing reached the end; if there is none, takes the first. */
static void find_repeats(struct summing *s)
{
    s->summary->repeats = 0;
    for (uint32_t r = 0; r < s->plan->options.repeats; r++) {
        bool complete = true;
        for (uint32_t w = 0; w < s->plan->strategies; w++)
            complete =
                complete && s->outcome->curve[(size_t)w * s->plan->options.repeats + r].points == s->outcome->points;
        if (complete)
            s->repeat[s->summary->repeats++] = r;
    }
    if (s->summary->repeats == 0)
        s->repeat[s->summary->repeats++] = 0;
}

static bool mean_curve(struct summing *s, uint32_t w, struct vouch_error *err)
{
    struct active_way *way = &s->summary->way[w];
    uint32_t repeats = s->summary->repeats;
    way->points = curve_of(s, w, 0)->points;
    way->mean = new_array(way->points, sizeof *way->mean, err);
    way->time = new_array(way->points, sizeof *way->time, err);
    way->interval = new_array(way->points, sizeof *way->interval, err);
    if (!way->mean || !way->time || !way->interval)
        return false;
    for (uint32_t p = 0; p < way->points; p++) {
        for (uint32_t k = 0; k < repeats; k++)
            s->value[k] = (double)curve_of(s, w, k)->point[p].words;
        way->mean[p].cost = sample_mean(s->value, repeats);
        for (uint32_t k = 0; k < repeats; k++)
            s->value[k] = curve_of(s, w, k)->point[p].seconds;
        way->time[p].cost = sample_mean(s->value, repeats);
        for (uint32_t k = 0; k < repeats; k++)
            s->value[k] = curve_of(s, w, k)->point[p].score;
        way->mean[p].score = way->time[p].score = sample_mean(s->value, repeats);
        way->interval[p] = sample_interval(s->value, repeats);
    }
    return true;
}

static void compare_with_random(struct active_summary *summary)
{
    const struct active_way *random = summary->random < summary->ways ? &summary->way[summary->random] : NULL;
    summary->target = random && random->points ? random->mean[random->points - 1].score : NAN;
    for (uint32_t w = 0; w < summary->ways; w++) {
        struct active_way *way = &summary->way[w];
        way->reach = isnan(summary->target) ? NAN : curve_reach(way->mean, way->points, summary->target);
        way->reach_seconds = isnan(summary->target) ? NAN : curve_reach(way->time, way->points, summary->target);
    }
    for (uint32_t w = 0; w < summary->ways; w++) {
        struct active_way *way = &summary->way[w];
        bool compared = random && w != summary->random;
        way->saved = compared ? 100 * (1 - way->reach / random->reach) : NAN;
        way->saved_seconds = compared ? 100 * (1 - way->reach_seconds / random->reach_seconds) : NAN;
    }
}

/* Finds the mean curve of the other repeats than k. */
static void leave_out(const struct summing *s, uint32_t w, uint32_t k, struct curve_step *step)
{
    uint32_t others = s->summary->repeats - 1;
    for (uint32_t p = 0; p < s->summary->way[w].points; p++) {
        step[p] = (struct curve_step){0, 0};
        for (uint32_t r = 0; r < s->summary->repeats; r++)
            if (r != k) {
                step[p].cost += (double)curve_of(s, w, r)->point[p].words / others;
                step[p].score += curve_of(s, w, r)->point[p].score / others;
            }
    }
}

/*
 * Finds how far the share that is saved may be off, by the jackknife: what is saved is found on mean curves, since
 * single ones are too rough to tell when they first reach a score.
 */
static void find_saved_intervals(struct summing *s)
{
    struct active_summary *summary = s->summary;
    uint32_t repeats = summary->repeats, random = summary->random;
    for (uint32_t w = 0; w < summary->ways; w++) {
        struct active_way *way = &summary->way[w];
        uint32_t points = way->points;
        way->saved_interval = NAN;
        if (repeats < 2 || random == summary->ways || w == random || points == 0)
            continue;
        struct curve_step *own = s->step, *other = s->step + points;
        for (uint32_t k = 0; k < repeats; k++) {
            leave_out(s, w, k, own);
            leave_out(s, random, k, other);
            double target = other[points - 1].score;
            s->value[k] = 100 * (1 - curve_reach(own, points, target) / curve_reach(other, points, target));
        }
        way->saved_interval = (repeats - 1) * sample_interval(s->value, repeats);
    }
}

/* Returns the number of words that all ways reached in repeat k. */
static double common_end(const struct summing *s, uint32_t k)
{
    double end = INFINITY;
    for (uint32_t w = 0; w < s->summary->ways; w++) {
        const struct active_curve *curve = curve_of(s, w, k);
        end = fmin(end, curve->points ? (double)curve->point[curve->points - 1].words : 0);
    }
    return end;
}

static void find_areas(struct summing *s)
{
    struct active_summary *summary = s->summary;
    uint32_t repeats = summary->repeats;
    for (uint32_t k = 0; k < repeats; k++) {
        double end = s->value[k] = common_end(s, k);
        for (uint32_t w = 0; w < summary->ways; w++) {
            const struct active_curve *curve = curve_of(s, w, k);
            for (uint32_t p = 0; p < curve->points; p++)
                s->step[p] = (struct curve_step){(double)curve->point[p].words, curve->point[p].score};
            s->area[(size_t)w * repeats + k] =
                curve_mean(s->step, curve->points, curve->points ? s->step[0].cost : 0, end);
        }
    }
    summary->area_to = sample_mean(s->value, repeats);
    for (uint32_t w = 0; w < summary->ways; w++) {
        struct active_way *way = &summary->way[w];
        const double *own = s->area + (size_t)w * repeats;
        struct t_test test = {.p = NAN};
        way->area = sample_mean(own, repeats);
        way->area_interval = sample_interval(own, repeats);
        if (summary->random < summary->ways && w != summary->random)
            paired_t_test(own, s->area + (size_t)summary->random * repeats, repeats, &test);
        way->p = test.p;
    }
}

bool active_summarise(struct active_summary *summary, const struct active_plan *plan,
                      const struct active_outcome *outcome, struct vouch_error *err)
{
    struct summing s = {.plan = plan, .outcome = outcome, .summary = summary};
    *summary = (struct active_summary){.ways = plan->strategies, .random = plan->strategies};
    for (uint32_t w = 0; w < plan->strategies && summary->random == plan->strategies; w++)
        if (query_strategy_is_random(&plan->strategy[w]))
            summary->random = w;
    summary->way = new_array(plan->strategies, sizeof *summary->way, err);
    s.repeat = new_array(plan->options.repeats, sizeof *s.repeat, err);
    s.value = new_array(plan->options.repeats, sizeof *s.value, err);
    s.area = new_array((size_t)plan->strategies * plan->options.repeats, sizeof *s.area, err);
    s.step = new_array(2 * (size_t)outcome->points, sizeof *s.step, err);
    bool ok = summary->way && s.repeat && s.value && s.area && s.step;
    if (ok)
        find_repeats(&s);
    for (uint32_t w = 0; ok && w < summary->ways; w++)
        ok = mean_curve(&s, w, err);
    if (ok) {
        compare_with_random(summary);
        find_saved_intervals(&s);
        find_areas(&s);
    }
    free(s.repeat);
    free(s.value);
    free(s.area);
    free(s.step);
    return ok;
}

void active_summary_release(struct active_summary *summary)
{
    for (uint32_t w = 0; summary->way && w < summary->ways; w++) {
        free(summary->way[w].mean);
        free(summary->way[w].time);
        free(summary->way[w].interval);
    }
    free(summary->way);
    *summary = (struct active_summary){0};
}
