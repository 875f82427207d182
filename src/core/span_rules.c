/*
 * Makes span rules: see span_rules.h. They are two tables of Y * (Y + 1) truths and the types, made once for a model.
 */
#include "core/span_rules.h"

#include "core/scheme.h"

/* Returns the first label of the type of label `here`, or Y if it is outside. */
static uint32_t type_of(const struct text *label, uint32_t labels, uint32_t here)
{
    struct text type, other;
    char prefix = scheme_split(label[here], &type);
    if (!prefix || prefix == 'O')
        return labels;
    for (uint32_t y = 0; y < here; y++) {
        char prior = scheme_split(label[y], &other);
        if (prior && prior != 'O' && text_equal(type, other))
            return y;
    }
    return here;
}

bool span_rules_init(struct span_rules *rules, const struct text *label, uint32_t labels, struct vouch_error *err)
{
    size_t Y = labels;
    *rules = (struct span_rules){.labels = labels};
    rules->opens = new_array((Y + 1) * Y, sizeof *rules->opens, err);
    rules->closes = new_array((Y + 1) * Y, sizeof *rules->closes, err);
    rules->type = new_array(Y, sizeof *rules->type, err);
    if (!rules->opens || !rules->closes || !rules->type)
        return false;
    for (uint32_t here = 0; here < labels; here++)
        rules->type[here] = type_of(label, labels, here);
    struct text outside = text_of("O");
    for (size_t here = 0; here < Y; here++)
        for (size_t other = 0; other <= Y; other++) {
            struct text neighbour = other < Y ? label[other] : outside;
            rules->opens[other * Y + here] = scheme_starts(neighbour, label[here]);
            rules->closes[here * (Y + 1) + other] = scheme_ends(label[here], neighbour);
        }
    return true;
}

void span_rules_release(struct span_rules *rules)
{
    free(rules->opens);
    free(rules->closes);
    free(rules->type);
    *rules = (struct span_rules){0};
}

static bool opens_at(const struct span_rules *rules, const uint32_t *choice, uint32_t n)
{
    size_t Y = rules->labels, left = n ? choice[n - 1] : Y;
    return rules->opens[(left < Y ? left : Y) * Y + choice[n]];
}

static bool closes_at(const struct span_rules *rules, const uint32_t *choice, uint32_t N, uint32_t n)
{
    size_t Y = rules->labels, right = n + 1 < N ? choice[n + 1] : Y;
    return rules->closes[choice[n] * (Y + 1) + (right < Y ? right : Y)];
}

bool span_next(const struct span_rules *rules, const uint32_t *choice, uint32_t N, uint32_t from, struct extent *span)
{
    while (from < N && !opens_at(rules, choice, from))
        from++;
    if (from == N)
        return false;
    *span = (struct extent){from, from + 1};
    while (span->to < N && !closes_at(rules, choice, N, span->to - 1))
        span->to++;
    return true;
}

bool span_agrees(const struct span_rules *rules, const uint32_t *choice, const uint32_t *other, uint32_t N,
                 struct extent span)
{
    for (uint32_t n = span.from; n < span.to; n++)
        if (other[n] >= rules->labels || closes_at(rules, other, N, n) != (n + 1 == span.to))
            return false;
    return opens_at(rules, other, span.from) && rules->type[other[span.from]] == rules->type[choice[span.from]];
}
