/*
 * Tests audits: as many are drawn as were asked for, each with the probability that is written beside it; bounds are
 * those of brute force; intervals hold as often as they promise, computed exactly for small strata and simulated for
 * large ones; what is missing widens them.
 */
#include "base/random.h"
#include "review/review.h"

#include "test.h"

#include <math.h>

static const double spans[] = {0, 0.5, 3, 40, 1e9};

TEST(plans_add_up)
{
    static const uint64_t items[] = {0, 1, 2, 3, 5, 8, 50, 51, 1000, 60000}, wanted[] = {1, 2, 3, 4, 7, 50, 999, 1000};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
            for (size_t e = 0; e < sizeof spans / sizeof *spans; e++) {
                struct audit a = audit_plan(items[i], spans[e], wanted[w]);
                const struct audit_stratum *top = &a.stratum[0], *rest = &a.stratum[1];
                assert_int_equal(a.items, items[i]);
                assert_int_equal(top->size + rest->size, items[i]);
                assert_int_equal(top->drawn + rest->drawn, wanted[w] < items[i] ? wanted[w] : items[i]);
                assert_true(top->drawn <= top->size && rest->drawn <= rest->size);
                assert_true(top->size == 0 || top->drawn > 0);
                assert_true(rest->size == 0 || rest->drawn > 0 || wanted[w] < 2);
            }
}

/* Every item is drawn as often as its inclusion probability says, and these sum to what is drawn. */
TEST(items_are_drawn_with_the_probability_that_is_known)
{
    enum { ITEMS = 40, TIMES = 20000 };
    static unsigned times[ITEMS];
    struct audit a = audit_plan(ITEMS, 4, 16);
    double sum = 0;
    for (uint64_t seed = 0; seed < TIMES; seed++) {
        unsigned char stratum[ITEMS];
        uint64_t drawn[AUDIT_STRATA] = {0};
        audit_draw(&a, seed, 0, stratum);
        for (int i = 0; i < ITEMS; i++) {
            times[i] += stratum[i] > 0;
            if (stratum[i] > 0) {
                assert_int_equal(stratum[i], (uint64_t)i < a.stratum[0].size ? 1 : 2);
                drawn[stratum[i] - 1]++;
            }
        }
        for (int s = 0; s < AUDIT_STRATA; s++)
            assert_int_equal(drawn[s], a.stratum[s].drawn);
    }
    for (uint64_t i = 0; i < ITEMS; i++) {
        const struct audit_stratum *s = &a.stratum[i >= a.stratum[0].size];
        double p = (double)s->drawn / (double)s->size, off = times[i] / (double)TIMES - p;
        sum += p;
        assert_true(fabs(off) < 5 * sqrt(p * (1 - p) / TIMES) + 1e-9);
    }
    assert_float_equal(sum, 16, 1e-9);
}

TEST(an_audit_of_what_is_left_is_drawn_anew)
{
    enum { ITEMS = 200 };
    unsigned char first[ITEMS], same[ITEMS], later[ITEMS];
    struct audit a = audit_plan(ITEMS, 10, 40);
    audit_draw(&a, 7, 0, first);
    audit_draw(&a, 7, 0, same);
    audit_draw(&a, 7, 40, later);
    assert_memory_equal(first, same, ITEMS);
    assert_memory_not_equal(first, later, ITEMS);
}

/* Pascal's triangle: exact in doubles for what is small. */
static double choose(int n, int k)
{
    if (k < 0 || k > n)
        return 0;
    double c = 1;
    for (int i = 1; i <= k; i++)
        c = c * (n - k + i) / i;
    return c;
}

static double probability(int size, int drawn, int found, int errors)
{
    return choose(errors, found) * choose(size - errors, drawn - found) / choose(size, drawn);
}

TEST(bounds_are_those_of_their_definition)
{
    static const double chance[] = {0.005, 0.02, 0.07, 0.3};
    for (int size = 1; size <= 14; size++)
        for (int drawn = 0; drawn <= size; drawn++)
            for (int found = 0; found <= drawn; found++)
                for (size_t c = 0; c < sizeof chance / sizeof *chance; c++) {
                    int most = -1, least = -1;
                    for (int t = 0; t <= size; t++) {
                        double up = 0, down = 0;
                        for (int k = 0; k <= drawn; k++) {
                            up += k >= found ? probability(size, drawn, k, t) : 0;
                            down += k <= found ? probability(size, drawn, k, t) : 0;
                        }
                        most = down > chance[c] ? t : most;
                        least = up > chance[c] && least < 0 ? t : least;
                    }
                    assert_int_equal(most_errors((uint64_t)size, (uint64_t)drawn, (uint64_t)found, chance[c]), most);
                    assert_int_equal(least_errors((uint64_t)size, (uint64_t)drawn, (uint64_t)found, chance[c]), least);
                }
}

/* Against the normal approximation: 2 found + 1.476 deviations, where half of the stratum was drawn. */
TEST(bounds_of_samples_that_a_table_only_claims_come_soon)
{
    uint64_t size = 400000000, most = most_errors(size, size / 2, size / 4, 0.07);
    assert_in_range(most, size / 2 + 14700, size / 2 + 14820);
    assert_int_equal(least_errors(size, size / 2, size / 4, 0.07), size - most);
}

static struct audit audit_of(uint64_t top, uint64_t from_top, uint64_t rest, uint64_t from_rest)
{
    return (struct audit){.items = top + rest, .stratum = {{.size = top, .drawn = from_top}, {rest, from_rest, 0, 0}}};
}

/* Returns the count if so many of those drawn were found wrong, and all others right. */
static struct error_count found(struct audit a, uint64_t in_top, uint64_t in_rest)
{
    const uint64_t wrong[] = {in_top, in_rest};
    for (int s = 0; s < AUDIT_STRATA; s++) {
        a.stratum[s].wrong = wrong[s];
        a.stratum[s].right = a.stratum[s].drawn - wrong[s];
    }
    return audit_count(&a);
}

/* The probability that the interval holds and the mean of the estimate, over all samples that can be drawn. */
TEST(intervals_hold_wherever_the_errors_are)
{
    enum { TOP = 9, FROM_TOP = 4, REST = 24, FROM_REST = 7 };
    struct audit a = audit_of(TOP, FROM_TOP, REST, FROM_REST);
    for (int t = 0; t <= TOP; t++)
        for (int u = 0; u <= REST; u++) {
            double holds = 0, mean = 0;
            for (int k = 0; k <= FROM_TOP; k++)
                for (int l = 0; l <= FROM_REST; l++) {
                    double p = probability(TOP, FROM_TOP, k, t) * probability(REST, FROM_REST, l, u);
                    struct error_count c = found(a, (uint64_t)k, (uint64_t)l);
                    holds += c.least <= t + u && t + u <= c.most ? p : 0;
                    mean += p * c.count;
                    assert_true(c.least <= c.count && c.count <= c.most);
                }
            assert_true(holds >= 0.9);
            assert_float_equal(mean, t + u, 1e-9);
        }
}

/* Errors that are all where nothing is suspected, or all where it is, or both: drawn as the program draws. */
TEST(intervals_hold_in_large_corpora)
{
    enum { ITEMS = 4000, SEEDS = 400, WANTED = 50 };
    static const int errors[][2] = {{0, 0}, {60, 0}, {0, 200}, {60, 80}, {100, 600}, {0, 30}, {100, 3900}};
    static unsigned char stratum[ITEMS];
    struct audit a = audit_plan(ITEMS, 50, WANTED);
    assert_int_equal(a.stratum[0].size, 100);
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
        int holds = 0;
        double sum = 0, total = errors[e][0] + errors[e][1];
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            uint64_t wrong[2] = {0};
            audit_draw(&a, seed, e, stratum);
            for (int i = 0; i < ITEMS; i++)
                if (stratum[i] > 0)
                    wrong[stratum[i] - 1] += i < 100 ? i < errors[e][0] : i - 100 < errors[e][1];
            struct error_count c = found(a, wrong[0], wrong[1]);
            holds += c.least <= total && total <= c.most;
            sum += c.count;
        }
        assert_true(holds >= SEEDS * 9 / 10);
        assert_true(fabs(sum / SEEDS - total) <= 0.15 * total);
    }
}

TEST(nothing_found_and_all_found)
{
    struct audit a = audit_of(100, 12, 3900, 38);
    struct error_count none = found(a, 0, 0), all = found(a, 12, 38);
    assert_true(none.count == 0 && none.least == 0 && none.most > 200 && none.most < 400);
    assert_true(all.count == 4000 && all.most == 4000 && all.least > 3000 && all.least < 4000);
    assert_int_equal(none.items, 4000);
    assert_int_equal(none.drawn, 50);
    assert_int_equal(none.decided, 50);
}

TEST(who_decides_on_everything_knows_the_number)
{
    for (uint64_t items = 1; items <= 12; items++)
        for (uint64_t wrong = 0; wrong <= items; wrong++) {
            struct audit a = audit_plan(items, 2, items);
            uint64_t top = wrong < a.stratum[0].size ? wrong : a.stratum[0].size;
            struct error_count c = found(a, top, wrong - top);
            assert_true(c.count == (double)wrong && c.least == (double)wrong && c.most == (double)wrong);
        }
    struct error_count nothing = audit_count(&(struct audit){0});
    assert_true(nothing.items == 0 && nothing.least == 0 && nothing.most == 0);
}

/* Whatever the missing decisions would have been, the interval contains the one that they give. */
TEST(missing_decisions_widen)
{
    struct audit a = audit_of(30, 6, 300, 10), open = a;
    open.stratum[0].wrong = 2, open.stratum[0].right = 1;
    open.stratum[1].wrong = 1, open.stratum[1].right = 7;
    struct error_count c = audit_count(&open);
    assert_int_equal(c.decided, 11);
    assert_true(isnan(c.count)); /* what is missing may not be missing by chance */
    for (uint64_t k = 2; k <= 5; k++)
        for (uint64_t l = 1; l <= 3; l++) {
            struct error_count whole = found(a, k, l);
            assert_true(c.least <= whole.least && whole.most <= c.most);
        }
    struct audit half = {.items = 330, .stratum = {a.stratum[0]}}; /* all rows of the rest are missing */
    half.stratum[0].right = 6;
    c = audit_count(&half);
    assert_true(isnan(c.count) && c.least == 0 && c.most >= 300);
    assert_int_equal(c.unknown, 300);
}

TEST(places_are_written_and_read)
{
    struct audit a = audit_of(412, 12, 44819, 38), again = {0};
    struct audit_place place;
    char text[80];
    a.unit = AUDIT_CHUNKS;
    for (uint32_t s = 1; s <= AUDIT_STRATA; s++) {
        audit_write(&a, s, text, sizeof text);
        assert_true(audit_read(text_of(text), &place));
        assert_int_equal(place.stratum, s);
        assert_true(audit_note(&again, &place, s == 1));
    }
    assert_string_equal(text, "chunk 2:38/44819/45231");
    assert_int_equal(again.unit, AUDIT_CHUNKS);
    assert_true(audit_read(text_of("2:38/44819/45231"), &place)); /* as older tables have it */
    assert_int_equal(place.unit, AUDIT_ITEMS);
    assert_memory_equal(&again.items, &a.items, sizeof a.items);
    assert_int_equal(again.stratum[0].size, 412);
    assert_int_equal(again.stratum[0].wrong, 1);
    assert_int_equal(again.stratum[1].drawn, 38);
    assert_int_equal(again.stratum[1].right, 1);
    static const char *const bad[] = {"",        "1",         "1:2/3",      "0:2/3/4",  "3:2/3/4", "1:0/3/4",
                                      "1:4/3/4", "1:2/5/4",   "1:2/3/4/5",  "1:2/3/4x", "a:2/3/4", "1:-2/3/4",
                                      "1/2/3/4", "1:2/3/4 5", "1:99999999999/3/4", "tree 1:2/3/4", "word", " 1:2/3/4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(audit_read(text_of(bad[i]), &place));
}

TEST(rows_of_another_audit_are_noticed)
{
    struct audit a = {0};
    assert_true(audit_note(&a, &(struct audit_place){1, 2, 3, 9, AUDIT_ITEMS}, true));
    assert_true(audit_note(&a, &(struct audit_place){2, 2, 6, 9, AUDIT_ITEMS}, false));
    struct audit twice = a, sizes = a, items = a, sum = {0}, many = a, units = a;
    assert_false(audit_note(&units, &(struct audit_place){1, 2, 3, 9, AUDIT_WORDS}, true));
    assert_false(audit_note(&sizes, &(struct audit_place){1, 2, 4, 9, AUDIT_ITEMS}, true));
    assert_false(audit_note(&items, &(struct audit_place){1, 2, 3, 10, AUDIT_ITEMS}, true));
    assert_false(audit_note(&twice, &(struct audit_place){2, 3, 6, 9, AUDIT_ITEMS}, true));
    assert_true(audit_note(&many, &(struct audit_place){1, 2, 3, 9, AUDIT_ITEMS}, false));
    assert_false(audit_note(&many, &(struct audit_place){1, 2, 3, 9, AUDIT_ITEMS}, false)); /* more than were drawn */
    assert_true(audit_note(&sum, &(struct audit_place){1, 2, 5, 9, AUDIT_ITEMS}, true));
    assert_false(audit_note(&sum, &(struct audit_place){2, 2, 5, 9, AUDIT_ITEMS}, true));
}
