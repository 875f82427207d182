/*
 * Measures precision against recall at every threshold.
 *
 * The effect of a threshold on one sentence does not depend on the others. So a curve is a sum of steps: each sentence
 * is changed and counted once for every threshold at which it changes again, and the differences are added up where
 * they happen.
 *
 * Thresholds lie between neighbouring numbers of what may change. All such places are tried while they are few; after
 * that, each threshold lets at least one in 500 more of the units change than the one before, which leaves some
 * thousands.
 *
 * Cost: O(N min(N, thresholds)) for a sentence of N words, for each method and direction; these are done in parallel.
 * Memory is 24 bytes for each word and method.
 */
#include "trade/trade.h"

#include "base/order.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>

enum { FINENESS = 500, MOST_DIGITS = 9, FEW_THRESHOLDS = 100 };

void trade_release(struct trade *t)
{
    for (uint32_t i = 0; t->curve && i < t->methods * DIRECTIONS; i++)
        free(t->curve[i].point);
    free(t->curve);
    free(t->first);
    free(t->document);
    free(t->label);
    free(t->gold_number);
    free(t->least);
    free(t->other);
    free(t->gold_text);
    measured_text_release(&t->text);
    trade_groups_release(t);
    dictionary_release(&t->gold);
    estimator_free(t->estimator);
    answer_file_close(t->answers);
    *t = (struct trade){0};
}

static bool make_room(struct trade *t, uint32_t N, struct vouch_error *err)
{
    size_t words = t->words + N;
    return RESERVE(t->first, t->first_capacity, (size_t)t->sentences + 2, err) &&
           RESERVE(t->document, t->document_capacity, (size_t)t->sentences + 1, err) &&
           RESERVE(t->label, t->label_capacity, words + 1, err) &&
           RESERVE(t->gold_number, t->gold_capacity, words + 1, err) &&
           RESERVE(t->least, t->least_capacity, words * t->methods + 1, err) &&
           RESERVE(t->other, t->other_capacity, words * t->methods + 1, err);
}

/* Notes one method's numbers for the words of the last sentence that are outside of chunks. */
static void note_outside(struct trade *t, uint32_t method, const struct method_confidence *by_method, uint32_t N)
{
    for (uint32_t i = 0; i < N; i++) {
        struct text type, gold = dictionary_text(&t->gold, t->gold_number[t->words + i]);
        if (scheme_split(t->label[t->words + i], &type) != 'O' || isnan(by_method->word[i]))
            continue;
        struct trade_outside *outside = &t->outside[method][scheme_split(gold, &type) == 'O'];
        outside->words++;
        outside->sum += by_method->word[i];
    }
}

bool trade_add(struct trade *t, const struct text *gold, uint32_t N, const struct vouch_answer *answer,
               struct vouch_error *err)
{
    if (!make_room(t, N, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        t->label[t->words + i] = answer->label[i];
        t->gold_number[t->words + i] = dictionary_add(&t->gold, gold[i], err);
        if (!t->gold_number[t->words + i])
            return false;
    }
    for (uint32_t m = 0; m < t->methods; m++) {
        const struct method_confidence *by_method = &answer->confidences->by_method[m];
        struct confidences alone = *answer->confidences;
        size_t at = t->words * t->methods + (size_t)m * N;
        alone.by_method = by_method;
        alone.methods = 1;
        confidence_to_stand(&alone, N, t->by_words, t->least + at);
        note_outside(t, m, by_method, N);
        for (uint32_t i = 0; i < N; i++)
            t->other[at + i] = by_method->other ? by_method->other[i] : text_of("");
    }
    t->first[t->sentences] = t->words;
    t->document[t->sentences] = t->text.documents.documents ? t->text.documents.documents - 1 : 0;
    t->words += N;
    t->first[++t->sentences] = t->words;
    return true;
}

/* Returns a sentence as one method sees it. */
static struct rated_labels sentence_of(const struct trade *t, uint32_t s, uint32_t method)
{
    size_t first = t->first[s], N = t->first[s + 1] - first, at = first * t->methods + method * N;
    return (struct rated_labels){
        .N = (uint32_t)N, .label = t->label + first, .least = t->least + at, .other = t->other + at};
}

/* One thread's work on a curve. */
struct tracing {
    const struct trade *trade;
    struct trade_curve *curve;
    uint32_t every;               /* thresholds lie between numbers of one unit in so many; all are found if 1 */
    struct tag_counts *each;      /* [points][units] what each unit has at each threshold; or NULL */
    struct operating_point point; /* the threshold at hand */
    struct changed_labels guess, gold;
    struct text *gold_label;
    uint32_t *step; /* points of the curve at which a sentence changes */
    struct tag_score score;
    size_t gold_capacity, step_capacity;
};

/* Returns the numbers of all words that may change, in order, *n of them. */
static double *numbers_of(const struct tracing *w, size_t *n, struct vouch_error *err)
{
    const struct trade *t = w->trade;
    double *number = new_array(t->words + 1, sizeof *number, err);
    *n = 0;
    for (uint32_t s = 0; number && s < t->sentences; s++) {
        struct rated_labels answer = sentence_of(t, s, w->curve->method);
        if (trade_unit_of(t, s) % w->every)
            continue;
        for (uint32_t i = 0; i < answer.N; i++)
            if (!isnan(answer.least[i]) && direction_changes(w->curve->direction, answer.label[i], answer.other[i]))
                number[(*n)++] = answer.least[i];
    }
    if (number)
        qsort(number, *n, sizeof *number, ascending_double);
    return number;
}

/* Returns a number of few digits in (low, high], where `high` may be infinite; NAN if nine digits are too few. */
static double between(double low, double high)
{
    double middle = isinf(high) ? low + fmax(1, fabs(low)) : low + (high - low) / 2;
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, middle);
        double candidate = strtod(text, NULL);
        if (candidate > low && candidate <= high)
            return candidate;
    }
    return NAN;
}

/* Returns a threshold that changes number[i] and all before it; NAN if none separates it from the next. */
static double threshold_after(const struct tracing *w, const double *number, size_t n, size_t i)
{
    if (i + 1 < n)
        return number[i + 1] > number[i] ? between(number[i], number[i + 1]) : NAN;
    if (w->curve->direction == TOWARDS_PRECISION)
        return NAN; /* no chunk would be left */
    return between(number[i], number[i] < 1 ? 1 : INFINITY);
}

/* Chooses the thresholds of a curve, the first of which changes nothing. */
static bool choose_thresholds(struct tracing *w, struct vouch_error *err)
{
    struct trade_curve *curve = w->curve;
    size_t n, done = 0, capacity = 0;
    double *number = numbers_of(w, &n, err);
    bool ok = number && RESERVE(curve->point, capacity, 1, err);
    if (ok)
        curve->point[curve->points++] = (struct trade_point){.threshold = n && number[0] < 0 ? floor(number[0]) : 0};
    for (size_t i = 0; ok && i < n; i++) {
        size_t step = 1 + (w->every > 1 ? n / FEW_THRESHOLDS : done / FINENESS);
        double threshold = i + 1 >= done + step || i + 1 == n ? threshold_after(w, number, n, i) : NAN;
        if (isnan(threshold))
            continue;
        done = i + 1;
        ok = RESERVE(curve->point, capacity, curve->points + 1, err);
        if (ok)
            curve->point[curve->points++] = (struct trade_point){.threshold = threshold};
    }
    free(number);
    return ok;
}

/* Returns the first point of the curve at which a word of this number has changed. */
static uint32_t place_of(const struct trade_curve *curve, double number)
{
    size_t low = 0, high = curve->points;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (curve->point[middle].threshold > number)
            high = middle;
        else
            low = middle + 1;
    }
    return (uint32_t)low;
}

/* Finds the points of the curve at which the sentence changes, ascending, each once, beginning with 0; *n of them. */
static bool find_steps(struct tracing *w, const struct rated_labels *answer, uint32_t *n, struct vouch_error *err)
{
    uint32_t found = 0;
    if (!RESERVE(w->step, w->step_capacity, (size_t)answer->N + 1, err))
        return false;
    w->step[found++] = 0;
    for (uint32_t i = 0; i < answer->N; i++) {
        if (isnan(answer->least[i]) || !direction_changes(w->curve->direction, answer->label[i], answer->other[i]))
            continue;
        uint32_t place = place_of(w->curve, answer->least[i]);
        if (place < w->curve->points)
            w->step[found++] = place;
    }
    qsort(w->step, found, sizeof *w->step, ascending_u32);
    *n = 0;
    for (uint32_t i = 0; i < found; i++)
        if (*n == 0 || w->step[*n - 1] != w->step[i])
            w->step[(*n)++] = w->step[i];
    return true;
}

/* Gets the gold labels of a sentence in w->gold_label, with types merged if they are to be. */
static bool settle_gold(struct tracing *w, uint32_t s, const struct text **gold, struct vouch_error *err)
{
    const struct trade *t = w->trade;
    size_t first = t->first[s], N = t->first[s + 1] - first;
    if (!RESERVE(w->gold_label, w->gold_capacity, N + 1, err))
        return false;
    for (size_t i = 0; i < N; i++)
        w->gold_label[i] = dictionary_text(&t->gold, t->gold_number[first + i]);
    *gold = w->gold_label;
    if (!t->merge_types)
        return true;
    struct operating_point merge = {.threshold = -INFINITY, .merge_types = true};
    struct rated_labels answer = sentence_of(t, s, 0);
    answer.label = w->gold_label;
    if (!operating_point_apply(&merge, t->scheme, &answer, &w->gold, err))
        return false;
    *gold = w->gold.label;
    return true;
}

/* Counts words in chunks; a word is right if its type is. */
static struct tag_counts count_words(const struct text *gold, const struct text *guess, uint32_t N)
{
    struct tag_counts counts = {0};
    for (uint32_t i = 0; i < N; i++) {
        struct text right, found;
        char prefix = scheme_split(gold[i], &right), other = scheme_split(guess[i], &found);
        bool in_gold = prefix && prefix != 'O', in_guess = other && other != 'O';
        counts.gold += in_gold;
        counts.guessed += in_guess;
        counts.correct += in_gold && in_guess && text_equal(right, found);
    }
    return counts;
}

static bool count(struct tracing *w, const struct text *gold, const struct text *guess, uint32_t N,
                  struct tag_counts *counts, struct vouch_error *err)
{
    if (w->trade->unit == TRADE_WORDS) {
        *counts = count_words(gold, guess, N);
        return true;
    }
    w->score.all = (struct tag_counts){0};
    bool ok = tag_score_add(&w->score, gold, guess, N, err);
    *counts = w->score.all;
    return ok;
}

static void add_counts(struct tag_counts *sum, struct tag_counts counts)
{
    sum->gold += counts.gold;
    sum->guessed += counts.guessed;
    sum->correct += counts.correct;
}

/* Adds a sentence's contribution at each point; differences wrap around in unsigned sums, which come out right. */
static bool trace_sentence(struct tracing *w, uint32_t s, struct vouch_error *err)
{
    struct rated_labels answer = sentence_of(w->trade, s, w->curve->method);
    struct tag_counts before = {0}, now;
    uint32_t steps, changed = 0;
    const struct text *gold;
    if (!settle_gold(w, s, &gold, err) || !find_steps(w, &answer, &steps, err))
        return false;
    for (uint32_t i = 0; i < steps; i++) {
        struct trade_point *point = &w->curve->point[w->step[i]];
        w->point.threshold = point->threshold;
        if (!operating_point_apply(&w->point, w->trade->scheme, &answer, &w->guess, err) ||
            !count(w, gold, w->guess.label, answer.N, &now, err))
            return false;
        point->counts.gold += now.gold - before.gold;
        point->counts.guessed += now.guessed - before.guessed;
        point->counts.correct += now.correct - before.correct;
        point->changed += w->guess.changed - (uint64_t)changed;
        before = now;
        changed = w->guess.changed;
        for (size_t p = w->step[i]; w->each && p < (i + 1 < steps ? w->step[i + 1] : w->curve->points); p++)
            add_counts(&w->each[p * trade_units(w->trade) + trade_unit_of(w->trade, s)], now);
    }
    return true;
}

/* Chooses the thresholds of a curve that has none, and counts all sentences at each; *each becomes their counts. */
static bool trace(const struct trade *t, struct trade_curve *curve, uint32_t every, struct tag_counts **each,
                  struct vouch_error *err)
{
    struct tracing w = {.trade = t, .curve = curve, .every = every};
    w.point = (struct operating_point){.direction = curve->direction, .merge_types = t->merge_types};
    tag_score_init(&w.score, TAG_CHUNKS);
    bool ok = curve->points > 0 || choose_thresholds(&w, err);
    if (ok && each) {
        w.each = *each = new_array(curve->points * trade_units(t) + 1, sizeof **each, err);
        ok = w.each;
    }
    for (uint32_t s = 0; ok && s < t->sentences; s++)
        ok = trace_sentence(&w, s, err);
    for (size_t i = 1; ok && i < curve->points; i++) {
        struct trade_point *here = &curve->point[i];
        const struct trade_point *before = here - 1;
        here->counts.gold += before->counts.gold;
        here->counts.guessed += before->counts.guessed;
        here->counts.correct += before->counts.correct;
        here->changed += before->changed;
    }
    changed_labels_release(&w.guess);
    changed_labels_release(&w.gold);
    tag_score_release(&w.score);
    free(w.gold_label);
    free(w.step);
    return ok;
}

struct tag_counts *trade_count_units(const struct trade *t, struct trade_curve *curve, uint32_t every,
                                     struct vouch_error *err)
{
    struct tag_counts *each = NULL;
    if (trace(t, curve, every, &each, err))
        return each;
    free(each);
    return NULL;
}

static bool trace_curve(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct trade *t = context;
    (void)thread;
    return !t->towards[t->curve[job].direction] || trace(t, &t->curve[job], 1, NULL, err);
}

bool trade_measure(struct trade *t, uint32_t threads, struct vouch_error *err)
{
    uint32_t curves = t->methods * DIRECTIONS;
    t->curve = new_array(curves, sizeof *t->curve, err);
    for (uint32_t i = 0; t->curve && i < curves; i++)
        t->curve[i] = (struct trade_curve){.direction = (enum direction)(i % DIRECTIONS), .method = i / DIRECTIONS};
    return t->curve && parallel_run(threads, curves, trace_curve, t, err);
}

/* Whether a point has more of a figure than another, or as much and a better F1; NULL has least. */
static bool better(const struct trade_point *one, const struct trade_point *other, enum direction which)
{
    if (!one || !other)
        return one != NULL;
    struct tag_rates a = tag_rates(one->counts), b = tag_rates(other->counts);
    return rate_of(a, which) > rate_of(b, which) || (!(rate_of(a, which) < rate_of(b, which)) && a.f1 > b.f1);
}

const struct trade_point *trade_best(const struct trade_curve *curve, enum direction which, double f1, double cost)
{
    const struct trade_point *best = NULL;
    for (size_t i = 0; i < curve->points; i++) {
        struct tag_rates rates = tag_rates(curve->point[i].counts);
        if (rates.f1 >= f1 && rate_of(rates, opposite(which)) >= cost && better(&curve->point[i], best, which))
            best = &curve->point[i];
    }
    return best;
}

/* Returns the best trade_best() of all curves; *from is its curve. */
static const struct trade_point *best_of_all(const struct trade *t, enum direction which, double cost,
                                             const struct trade_curve **from)
{
    const struct trade_point *best = NULL;
    for (uint32_t i = 0; i < t->methods * DIRECTIONS; i++) {
        const struct trade_point *point = trade_best(&t->curve[i], which, 0, cost);
        if (better(point, best, which)) {
            best = point;
            *from = &t->curve[i];
        }
    }
    return best;
}

const struct trade_point *trade_find(const struct trade *t, enum direction wanted, double target,
                                     const struct trade_curve **from, const struct trade_point **reach)
{
    const struct trade_point *found = best_of_all(t, opposite(wanted), target, from);
    *reach = found ? found : best_of_all(t, wanted, 0, from);
    return found;
}
