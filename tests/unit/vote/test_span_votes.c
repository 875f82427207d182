/* Tests votes on spans against counting by hand: every span of every answer compared with every other. */
#include "vote/vote.h"

#include "base/random.h"

#include "must.h"
#include "test.h"

enum { VOTERS = 6, SPANS = 5, PLACES = 12 };

static struct span_list answer[VOTERS];
static struct found_span room[VOTERS][SPANS];

static void make_answers(struct rng *random, uint32_t voters)
{
    static const char *const labels[] = {"A", "B"};
    for (uint32_t k = 0; k < voters; k++) {
        answer[k] = (struct span_list){.span = room[k], .count = rng_below(random, SPANS + 1)};
        for (size_t i = 0; i < answer[k].count; i++) {
            uint32_t from = (uint32_t)rng_below(random, PLACES - 1);
            room[k][i] = (struct found_span){.from = from,
                                             .to = from + 1 + (uint32_t)rng_below(random, PLACES - from - 1),
                                             .label = text_of(labels[rng_below(random, 2)]),
                                             .words = text_of("w")};
            if (rng_below(random, 8) == 0)
                room[k][i].from = room[k][i].to = NO_PLACE;
        }
    }
}

static uint32_t voters_with(const struct found_span *span, uint32_t voters, bool other)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < voters; k++) {
        bool has = false;
        for (size_t i = 0; i < answer[k].count; i++) {
            const struct found_span *s = &room[k][i];
            bool same = s->from == span->from && s->to == span->to && text_equal(s->label, span->label);
            bool apart = s->from == NO_PLACE || span->from == NO_PLACE || s->to <= span->from || span->to <= s->from;
            has = has || (other ? !same && !apart : same);
        }
        count += has;
    }
    return count;
}

/* Whether a beats b. */
static bool beats(const struct span_candidate *a, const struct span_candidate *b)
{
    uint32_t long_a = a->span.to - a->span.from, long_b = b->span.to - b->span.from;
    if (a->votes != b->votes)
        return a->votes > b->votes;
    if (long_a != long_b)
        return long_a > long_b;
    if (a->span.from != b->span.from)
        return a->span.from < b->span.from;
    return a->span.label.at[0] < b->span.label.at[0];
}

TEST(votes_are_counted_and_the_best_spans_taken)
{
    struct span_votes votes = {0};
    struct rng random;
    random = rng_new(3, 0);
    for (int round = 0; round < fewer(20000); round++) {
        uint32_t voters = 1 + (uint32_t)rng_below(&random, VOTERS);
        make_answers(&random, voters);
        span_votes_clear(&votes);
        for (uint32_t k = 0; k < voters; k++)
            MUST(span_votes_add(&votes, &answer[k], &err));
        span_votes_settle(&votes);
        bool taken[VOTERS * SPANS] = {false}, gone[VOTERS * SPANS] = {false};
        for (size_t left = votes.count; left > 0;) { /* take the best that is left, drop what overlaps it */
            size_t best = votes.count;
            for (size_t i = 0; i < votes.count; i++)
                if (!gone[i] && (best == votes.count || beats(&votes.candidate[i], &votes.candidate[best])))
                    best = i;
            taken[best] = true;
            for (size_t i = 0; i < votes.count; i++) {
                const struct found_span *a = &votes.candidate[i].span, *b = &votes.candidate[best].span;
                bool apart = a->from == NO_PLACE || b->from == NO_PLACE || a->to <= b->from || b->to <= a->from;
                if (!gone[i] && (i == best || !apart)) {
                    gone[i] = true;
                    left--;
                }
            }
        }
        size_t seen = 0;
        for (size_t i = 0; i < votes.count; i++) {
            const struct span_candidate *c = &votes.candidate[i];
            assert_int_equal(c->votes, voters_with(&c->span, voters, false));
            assert_float_equal(c->span.score, (double)c->votes / voters, 0);
            assert_float_equal(c->span.others, (double)voters_with(&c->span, voters, true) / voters, 0);
            assert_int_equal(c->taken, taken[i]);
            seen += c->votes;
            assert_true(i == 0 || votes.candidate[i - 1].span.from <= c->span.from);
        }
        assert_true(seen <= votes.votes);
    }
    span_votes_release(&votes);
}
