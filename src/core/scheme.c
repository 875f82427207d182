/*
 * Finds the chunks that labels spell, and writes them in another scheme.
 *
 * Chunks are read as conlleval reads them, whatever the scheme. A word inside a chunk starts one if it is B or S, or if
 * it cannot go on with the chunk of the word before: that word is outside, of another type, or ended by E or S. A chunk
 * ends before the next start, before O, and after E or S. Hence no sequence of labels is illegal, and each scheme is a
 * way of writing down the same starts and ends.
 *
 * The letters of BILOU (L, U) and BMES (M) are read as E, S and I. Every function takes time linear in its words.
 */
#include "core/scheme.h"

#include <strings.h>

const char *scheme_name(enum scheme scheme)
{
    static const char *const names[] = {
        [SCHEME_NONE] = "none", [SCHEME_IOB1] = "IOB1", [SCHEME_IOB2] = "IOB2", [SCHEME_BIOES] = "BIOES"};
    return names[scheme];
}

static char known_prefix(char letter)
{
    static const char letters[] = "BIESLUM", read_as[] = "BIESESI";
    const char *at = memchr(letters, letter, sizeof letters - 1);
    return at ? read_as[at - letters] : 0;
}

char scheme_split(struct text label, struct text *type)
{
    if (label.length == 1 && label.at[0] == 'O') {
        *type = (struct text){label.at + 1, 0};
        return 'O';
    }
    char prefix = label.length > 2 && label.at[1] == '-' ? known_prefix(label.at[0]) : 0;
    *type = prefix ? (struct text){label.at + 2, label.length - 2} : label;
    return prefix;
}

bool scheme_inside(struct text label)
{
    struct text type;
    char prefix = scheme_split(label, &type);
    return prefix != 0 && prefix != 'O';
}

/* A word's label taken apart. Before the first word, and for labels that are not chunk labels, it is outside. */
struct place {
    char prefix; /* B, I, E, S or O */
    bool plain;  /* not a chunk label */
    struct text type;
};

static const struct place outside = {.prefix = 'O', .type = {"", 0}};

static struct place place_of(struct text label)
{
    struct place place;
    place.prefix = scheme_split(label, &place.type);
    place.plain = !place.prefix;
    if (place.plain)
        place.prefix = 'O';
    return place;
}

/* Whether the words touch and are of one type: only B, E and S can then tell two chunks apart. */
static bool same_type(struct place before, struct place here)
{
    return before.prefix != 'O' && here.prefix != 'O' && text_equal(before.type, here.type);
}

static bool starts(struct place before, struct place here)
{
    if (here.prefix == 'O')
        return false;
    return here.prefix == 'B' || here.prefix == 'S' || before.prefix == 'E' || before.prefix == 'S' ||
           !same_type(before, here);
}

bool scheme_starts(struct text before, struct text here)
{
    return starts(place_of(before), place_of(here));
}

bool scheme_ends(struct text here, struct text after)
{
    struct place now = place_of(here), next = place_of(after);
    return now.prefix != 'O' && (next.prefix == 'O' || starts(now, next));
}

bool scheme_has_open(const struct text *label, uint32_t N)
{
    uint32_t i = 0;
    while (i < N && label[i].length > 0)
        i++;
    return i < N;
}

/* Counts the labels of a sentence some of whose labels are open. */
static void see_partial(struct scheme_watch *watch, const struct text *label, uint32_t N)
{
    for (uint32_t i = 0; i < N; i++) {
        if (label[i].length == 0)
            continue;
        struct place here = place_of(label[i]);
        watch->words++;
        watch->plain += here.plain;
        watch->single_or_end += here.prefix == 'S' || here.prefix == 'E';
        watch->i_after_open += here.prefix == 'I' && i > 0 && label[i - 1].length == 0;
    }
}

void scheme_see(struct scheme_watch *watch, const struct text *label, uint32_t N)
{
    struct place before = outside;
    if (scheme_has_open(label, N)) {
        see_partial(watch, label, N);
        return;
    }
    for (uint32_t i = 0; i < N; i++) {
        struct place here = place_of(label[i]);
        watch->plain += here.plain;
        watch->single_or_end += here.prefix == 'S' || here.prefix == 'E';
        watch->opens_with_i += here.prefix == 'I' && starts(before, here);
        watch->needless_b += here.prefix == 'B' && !same_type(before, here);
        before = here;
    }
    watch->words += N;
}

enum scheme scheme_decide(const struct scheme_watch *watch)
{
    if (watch->words == 0 || watch->plain > 0)
        return SCHEME_NONE;
    if (watch->single_or_end > 0)
        return SCHEME_BIOES;
    return watch->opens_with_i > 0 && watch->needless_b == 0 ? SCHEME_IOB1 : SCHEME_IOB2;
}

bool scheme_allows(enum scheme scheme, struct text before, struct text here)
{
    struct place left = place_of(before), right = place_of(here);
    bool same = same_type(left, right), open = left.prefix == 'B' || left.prefix == 'I';
    switch (scheme) {
    case SCHEME_IOB1:
        return right.prefix != 'B' || same;
    case SCHEME_IOB2:
        return right.prefix != 'I' || same;
    case SCHEME_BIOES:
        return open == (right.prefix == 'I' || right.prefix == 'E') && (!open || same);
    case SCHEME_NONE:
        break;
    }
    return true;
}

/* Whether a type of chunks has I- without B-: in IOB2 none of them could begin. */
static bool inside_alone(const struct text *label, uint32_t labels)
{
    for (uint32_t y = 0; y < labels; y++) {
        struct text type, other;
        bool begun = scheme_split(label[y], &type) != 'I';
        for (uint32_t z = 0; !begun && z < labels; z++)
            begun = scheme_split(label[z], &other) == 'B' && text_equal(type, other);
        if (!begun)
            return true;
    }
    return false;
}

enum scheme scheme_of_labels(const struct text *label, uint32_t labels)
{
    struct scheme_watch watch = {0};
    for (uint32_t y = 0; y < labels; y++)
        scheme_see(&watch, &label[y], 1);
    enum scheme scheme = scheme_decide(&watch);
    return scheme == SCHEME_IOB2 && inside_alone(label, labels) ? SCHEME_IOB1 : scheme;
}

bool scheme_named(const char *name, enum scheme *scheme)
{
    enum scheme s = SCHEME_NONE;
    while (s <= SCHEME_BIOES && strcasecmp(name, scheme_name(s)) != 0)
        s++;
    if (s <= SCHEME_BIOES)
        *scheme = s;
    return s <= SCHEME_BIOES;
}

static char spell(enum scheme to, bool start, bool end, bool touches_own_type)
{
    switch (to) {
    case SCHEME_IOB1:
        return start && touches_own_type ? 'B' : 'I';
    case SCHEME_BIOES:
        return start ? (end ? 'S' : 'B') : (end ? 'E' : 'I');
    default:
        return start ? 'B' : 'I';
    }
}

void scheme_convert(const struct text *label, uint32_t N, enum scheme to, char *prefix)
{
    struct place before = outside, here = N > 0 ? place_of(label[0]) : outside;
    for (uint32_t i = 0; i < N; i++) {
        struct place next = i + 1 < N ? place_of(label[i + 1]) : outside;
        bool end = next.prefix == 'O' || starts(here, next);
        prefix[i] = here.prefix == 'O' ? 'O' : spell(to, starts(before, here), end, same_type(before, here));
        before = here;
        here = next;
    }
}

/* ---- Span rules: two tables of Y * (Y + 1) truths and the types, made once for a model ---- */

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
    for (size_t here = 0; here < Y; here++)
        for (size_t other = 0; other <= Y; other++) {
            struct text neighbour = other < Y ? label[other] : text_of("O");
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
