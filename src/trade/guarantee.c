/*
 * Finds an operating point whose precision, or recall, on text from the same source is at least a target, with a given
 * probability.
 *
 * Precision is a ratio of two means over sentences: at a threshold it is at least P if the mean of
 *
 *     z = right - P (right + wrong)
 *
 * over sentences is at least 0, where a sentence keeps `right` entities that are right and `wrong` ones that are not.
 * For recall, `wrong` are gold entities that are missed. Sentences are independent, the entities in one need not be, so
 * every test is one of the mean of z (measure/intervals.h). At most `cap` errors of a sentence count: without such a
 * limit no bound on a mean holds. Where marks divide the files into documents, these take the place of sentences in all
 * of this: sentences of one document are about the same names, and are wrong together.
 *
 * Thresholds are tested one after the other, from the strictest on, each at the whole level, until one fails: then the
 * probability that any of those that pass is bad is at most the level (fixed sequence testing; Angelopoulos, Bates,
 * Candes, Jordan and Lei 2021, "Learn then test", and their variant that plans on a part of the data). The strictest
 * thresholds keep too little for any test to pass. Which method is used, which thresholds are tried, where the sequence
 * begins, the cap and the first bet are therefore planned on every fifth sentence, and tested on the others, so that a
 * choice never depends on what it is tested on. These come in random order, always the same one: the sentences of a
 * file are in the order of its documents, and bets would exploit an order that further text does not have.
 *
 * The sequence of a method goes towards precision, from the largest threshold to the unchanged answer, and on towards
 * recall; for recall it is the other way round.
 *
 * Cost: two curves of a hundred points for each method, then O(200 sentences) for a test of all thresholds. Memory is
 * some kilobytes for each sentence.
 */
#include "base/elementary.h"
#include "trade/trade.h"

#include "base/random.h"
#include "measure/intervals.h"

#include <math.h>

enum { PLANNED = 5, MORE_ERRORS = 2, STEPS_OF_BEST = 1000 };

/* One method's thresholds in order, and what each unit has there. */
struct sequence {
    struct trade_curve curve[DIRECTIONS];
    struct tag_counts *counts[DIRECTIONS]; /* [points][units] */
    uint32_t units, tested;                /* all, and those to test on: */
    const uint32_t *order;                 /* [tested] */
    size_t length;
};

static void sequence_release(struct sequence *s)
{
    for (enum direction d = 0; d < DIRECTIONS; d++) {
        free(s->curve[d].point);
        free(s->counts[d]);
    }
}

/* Fills in the thresholds of a sequence whose units are known. */
static bool sequence_make(struct sequence *s, const struct trade *t, uint32_t method, struct vouch_error *err)
{
    for (enum direction d = 0; d < DIRECTIONS; d++) {
        s->curve[d] = (struct trade_curve){.direction = d, .method = method};
        if (t->towards[d] && !(s->counts[d] = trade_count_units(t, &s->curve[d], PLANNED, err)))
            return false;
        s->length += s->curve[d].points;
    }
    return true;
}

/* Returns the place number i of the sequence: down one curve to its first point, then up the other. */
static size_t place_of(const struct sequence *s, const struct guarantee *asked, size_t i, enum direction *direction)
{
    size_t first = s->curve[asked->wanted].points;
    *direction = i < first ? asked->wanted : opposite(asked->wanted);
    return i < first ? first - 1 - i : i - first;
}

static const struct tag_counts *counts_at(const struct sequence *s, const struct guarantee *asked, size_t i)
{
    enum direction direction;
    size_t place = place_of(s, asked, i, &direction);
    return s->counts[direction] + place * s->units;
}

static uint64_t errors_of(struct tag_counts counts, enum direction which)
{
    return (which == TOWARDS_PRECISION ? counts.guessed : counts.gold) - counts.correct;
}

static double gain(struct tag_counts counts, const struct guarantee *asked)
{
    return (1 - asked->target) * (double)counts.correct - asked->target * (double)errors_of(counts, asked->wanted);
}

/* Plans the bet at place i, on the units to plan by; *cap becomes the largest number of errors that will count. */
static struct bet plan(const struct sequence *s, const struct guarantee *asked, size_t i, uint32_t *cap)
{
    const struct tag_counts *counts = counts_at(s, asked, i);
    uint64_t most = 0;
    struct bet bet;
    for (uint32_t k = 0; k < s->units; k += PLANNED)
        most = errors_of(counts[k], asked->wanted) > most ? errors_of(counts[k], asked->wanted) : most;
    *cap = (uint32_t)most + MORE_ERRORS;
    bet_init(&bet, asked->target, *cap);
    for (uint32_t k = 0; k < s->units; k += PLANNED)
        bet_plan(&bet, gain(counts[k], asked));
    return bet;
}

static bool passes(const struct sequence *s, const struct guarantee *asked, size_t i, uint32_t *cap)
{
    const struct tag_counts *counts = counts_at(s, asked, i);
    struct bet bet = plan(s, asked, i, cap);
    double sum = 0;
    for (uint32_t k = 0; k < s->tested; k++) {
        double value = gain(counts[s->order[k]], asked);
        bet_take(&bet, value);
        sum += value;
    }
    return bet_won(&bet, asked->level) && sum >= 0; /* an early bet may have been won by luck */
}

/* Returns what is counted at a place, of every unit or of those to plan by. */
static struct tag_counts total_at(const struct sequence *s, const struct guarantee *asked, size_t i, uint32_t every)
{
    const struct tag_counts *counts = counts_at(s, asked, i);
    struct tag_counts total = {0};
    for (uint32_t k = 0; k < s->units; k += every) {
        total.gold += counts[k].gold;
        total.guessed += counts[k].guessed;
        total.correct += counts[k].correct;
    }
    return total;
}

static double other_at(const struct sequence *s, const struct guarantee *asked, size_t i, uint32_t every)
{
    return rate_of(tag_rates(total_at(s, asked, i, every)), opposite(asked->wanted));
}

/*
 * Returns the place to begin at: the first that is likely to pass with something to spare, else the likeliest. *hope
 * becomes the other figure at the last place that is likely to pass at all; below 0 if none is.
 */
static size_t begin_at(const struct sequence *s, const struct guarantee *asked, double *hope)
{
    double needed = -log_of(asked->level), most = -INFINITY;
    size_t likeliest = 0, begin = SIZE_MAX;
    *hope = -1;
    for (size_t i = 0; i < s->length; i++) {
        uint32_t cap;
        struct bet bet = plan(s, asked, i, &cap);
        double outlook = bet_outlook(&bet, s->tested);
        if (outlook > most) {
            most = outlook;
            likeliest = i;
        }
        if (outlook >= 2 * needed && begin == SIZE_MAX)
            begin = i;
        if (outlook >= needed)
            *hope = fmax(*hope, other_at(s, asked, i, PLANNED));
    }
    return begin == SIZE_MAX ? likeliest : begin;
}

/* Tests the sequence from `begin` on; *found becomes the best place among those that pass. */
static void walk(const struct sequence *s, const struct guarantee *asked, size_t begin, struct guaranteed *found)
{
    double best = -1;
    uint32_t cap;
    found->found = false;
    for (size_t i = begin; i < s->length && passes(s, asked, i, &cap); i++) {
        double other = other_at(s, asked, i, 1);
        if (other <= best)
            continue;
        best = other;
        size_t place = place_of(s, asked, i, &found->direction);
        found->found = true;
        found->cap = cap;
        found->method = s->curve[found->direction].method;
        found->threshold = s->curve[found->direction].point[place].threshold;
        found->counts = total_at(s, asked, i, 1);
    }
}

static bool is_met(const struct sequence *s, struct guarantee asked, int target)
{
    struct guaranteed found;
    double hope;
    asked.target = (double)target / STEPS_OF_BEST;
    walk(s, &asked, begin_at(s, &asked, &hope), &found);
    return found.found;
}

/* Returns about the largest target that is met, by steps of a hundredth down and then of a thousandth up. */
static double best_target(const struct sequence *s, const struct guarantee *asked)
{
    int target = (int)ceil(asked->target * STEPS_OF_BEST) - 1;
    while (target > 0 && !is_met(s, *asked, target))
        target -= STEPS_OF_BEST / 100;
    while (target > 0 && is_met(s, *asked, target + 1))
        target++;
    return fmax(0, (double)target / STEPS_OF_BEST);
}

/* Makes the sequence of the method to test, and finds where to begin. Only two sequences are in memory at a time. */
static bool plan_method(const struct trade *t, const struct guarantee *asked, struct sequence *best, size_t *begin,
                        struct vouch_error *err)
{
    struct sequence bare = *best;
    double most = -INFINITY, hope;
    for (uint32_t m = 0; m < t->methods; m++) {
        struct sequence s = bare;
        bool ok = sequence_make(&s, t, m, err);
        size_t here = ok ? begin_at(&s, asked, &hope) : 0;
        if (ok && hope > most) {
            sequence_release(best);
            *best = s;
            *begin = here;
            most = hope;
        } else
            sequence_release(&s);
        if (!ok)
            return false;
    }
    return true;
}

/* Returns the units to test on, in random order, *count of them. Free them with free(). */
static uint32_t *order_tested(uint32_t units, uint32_t *count, struct vouch_error *err)
{
    struct rng rng = rng_new(1, 0);
    uint32_t *order = new_array(units, sizeof *order, err);
    *count = 0;
    for (uint32_t i = 0; order && i < units; i++)
        if (i % PLANNED)
            order[(*count)++] = i;
    if (order)
        rng_shuffle(&rng, order, *count);
    return order;
}

/* Plans which method and thresholds to try, and tests them, unless only the method is asked for. */
static bool find(const struct trade *t, const struct guarantee *asked, bool tests, struct guaranteed *found,
                 struct vouch_error *err)
{
    uint32_t tested, *order = order_tested(trade_units(t), &tested, err);
    struct sequence sequence = {.units = trade_units(t), .tested = tested, .order = order};
    size_t begin = 0;
    bool ok = order && plan_method(t, asked, &sequence, &begin, err);
    *found = (struct guaranteed){.method = sequence.curve[0].method};
    if (ok && tests) {
        walk(&sequence, asked, begin, found);
        found->best = found->found ? asked->target : best_target(&sequence, asked);
    }
    sequence_release(&sequence);
    free(order);
    return ok;
}

bool guarantee_find(const struct trade *t, const struct guarantee *asked, struct guaranteed *found,
                    struct vouch_error *err)
{
    return find(t, asked, true, found, err);
}

bool guarantee_plan(const struct trade *t, const struct guarantee *asked, uint32_t *method, struct vouch_error *err)
{
    struct guaranteed found;
    bool ok = find(t, asked, false, &found, err);
    *method = found.method;
    return ok;
}

bool guarantee_interval(const struct trade *t, const struct guaranteed *at, enum direction which,
                        struct interval *interval, struct vouch_error *err)
{
    struct trade_point point = {.threshold = at->threshold};
    struct trade_curve curve = {.direction = at->direction, .method = at->method, .point = &point, .points = 1};
    struct tag_counts *counts = trade_count_units(t, &curve, 1, err);
    struct clustered sum = {0};
    for (uint32_t s = 0; counts && s < trade_units(t); s++)
        clustered_add(&sum, (double)counts[s].correct,
                      (double)(which == TOWARDS_PRECISION ? counts[s].guessed : counts[s].gold));
    *interval = clustered_interval(&sum);
    free(counts);
    return counts != NULL;
}
