/*
 * Who gets which sentence next.
 *
 * The k-th sentence that an annotator is given is blind where floor(k B + u) steps, B being the share of blind ones and
 * u a number of the annotator's own: evenly spread, whatever the model thinks. Blind ones come in the order of their
 * hashes, so that those that were decided on at any time are a random sample of all. In the same way, the share D is
 * taken from double sentences that somebody else has decided on. All others come by the order that was asked for.
 *
 * Sentences in sight of an annotator are held: nobody else gets them, unless they are double. The first stays until it
 * is decided on. Those behind it are chosen anew when there is a new ranking, or another order is asked for. Who
 * neither asks nor decides for HELD_FOR seconds is idle: others may then get what the idle one holds, who keeps the
 * rest. A seat is in memory alone: after a restart annotators may be given other sentences, and decisions about any are
 * taken.
 */
#include "desk/desk_room.h"

#include "base/hash.h"
#include "base/watch.h"

#include <math.h>
#include <stdio.h>

static double now(const struct desk *desk)
{
    return desk->options.clock ? desk->options.clock(desk->options.clock_context) : seconds_now();
}

struct seat *desk_seat(struct desk *desk, int64_t annotator, struct vouch_error *err)
{
    for (size_t i = 0; i < desk->seats; i++)
        if (desk->seat[i].annotator == annotator) {
            desk->seat[i].seen = now(desk);
            return &desk->seat[i];
        }
    if (!RESERVE(desk->seat, desk->seat_capacity, desk->seats + 1, err))
        return NULL;
    struct seat *seat = &desk->seat[desk->seats++];
    *seat = (struct seat){.annotator = annotator, .seen = now(desk)};
    for (size_t i = 0; i < desk->marks; i++)
        seat->asked += desk->mark[i].annotator == annotator && desk->mark[i].state != STATE_UNSEEN;
    return seat;
}

void seat_drop(struct seat *seat, uint32_t place)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < seat->count; i++)
        if (seat->held[i] != place)
            seat->held[kept++] = seat->held[i];
    seat->count = kept;
}

void seat_show(struct seat *seat, uint32_t place)
{
    seat_drop(seat, place);
    if (seat->count == MOST_HELD)
        seat->count--;
    memmove(seat->held + 1, seat->held, sizeof *seat->held * seat->count);
    seat->held[0] = place;
    seat->count++;
}

static bool holds(const struct seat *seat, uint32_t place)
{
    for (uint32_t i = 0; i < seat->count; i++)
        if (seat->held[i] == place)
            return true;
    return false;
}

bool held_by_others(const struct desk *desk, int64_t annotator, uint32_t place)
{
    for (size_t i = 0; i < desk->seats; i++)
        if (desk->seat[i].annotator != annotator && holds(&desk->seat[i], place) &&
            now(desk) - desk->seat[i].seen < HELD_FOR)
            return true;
    return false;
}

bool is_decided(enum sentence_state state)
{
    return state == STATE_UNCHANGED || state == STATE_CHANGED || state == STATE_FLAGGED;
}

enum sentence_state state_of(const struct desk *desk, uint32_t place, int64_t annotator, uint32_t *others)
{
    enum sentence_state own = STATE_UNSEEN;
    *others = 0;
    for (uint32_t m = desk->place[place].marks; m; m = desk->mark[m - 1].next)
        if (desk->mark[m - 1].annotator == annotator)
            own = desk->mark[m - 1].state;
        else
            *others += is_decided(desk->mark[m - 1].state);
    return own;
}

/* What is looked for: sentences that `seat` may be asked. */
struct search {
    const struct desk *desk;
    const struct seat *seat;
    bool skipped; /* those that were skipped, too */
};

static bool is_open(const struct search *s, uint32_t place)
{
    uint32_t others;
    enum sentence_state own = state_of(s->desk, place, s->seat->annotator, &others);
    bool twice = s->desk->place[place].twice;
    return (own == STATE_UNSEEN || (s->skipped && own == STATE_SKIPPED)) && others < (twice ? 2 : 1);
}

static bool may_hold(const struct search *s, uint32_t place)
{
    return is_open(s, place) && (s->desk->place[place].twice || !held_by_others(s->desk, s->seat->annotator, place));
}

static bool may_have(const struct search *s, uint32_t place)
{
    return !holds(s->seat, place) && may_hold(s, place);
}

static const uint32_t nothing = UINT32_MAX;

static uint32_t next_blind(const struct search *s)
{
    for (size_t i = 0; i < s->desk->blinds; i++)
        if (s->desk->place[s->desk->blind[i]].blind && may_have(s, s->desk->blind[i]))
            return s->desk->blind[i];
    return nothing;
}

static uint32_t next_shared(const struct search *s)
{
    for (uint32_t i = 0; i < s->desk->places; i++) {
        uint32_t others;
        state_of(s->desk, i, s->seat->annotator, &others);
        if (s->desk->place[i].twice && others == 1 && may_have(s, i))
            return i;
    }
    return nothing;
}

static uint32_t next_ranked(const struct search *s, enum queue_order order)
{
    const uint32_t *ranked = s->desk->ranking ? s->desk->ranking->order[order] : NULL;
    for (uint32_t i = 0; i < s->desk->places; i++) {
        uint32_t place = ranked ? ranked[i] : i;
        if (!s->desk->place[place].blind && may_have(s, place))
            return place;
    }
    return nothing;
}

/* Whether the k-th sentence is one of a share that is spread evenly. */
static bool is_due(uint64_t k, double share, uint64_t annotator, uint64_t stream)
{
    double u = (double)(hash_mix(hash_mix(annotator, stream), 7) >> 11) * 0x1p-53;
    return floor((double)k * share + u) > floor((double)(k - 1) * share + u);
}

static uint32_t choose(const struct search *s, enum queue_order order, uint64_t k)
{
    const struct desk_options *o = &s->desk->options;
    uint64_t who = hash_mix(o->work.seed, (uint64_t)s->seat->annotator);
    uint32_t place = nothing;
    if (is_due(k, o->blind, who, 1))
        place = next_blind(s);
    if (place == nothing && is_due(k, o->twice, who, 2))
        place = next_shared(s);
    if (place == nothing)
        place = next_ranked(s, order);
    return place == nothing ? next_blind(s) : place;
}

/* Drops what is not open any more, and what a new ranking or another order may replace. */
static void tidy(struct desk *desk, struct seat *seat, enum queue_order order)
{
    struct search s = {desk, seat, true};
    uint64_t ranking = desk->ranking ? desk->ranking->number : 0;
    uint32_t kept = 0;
    bool anew = seat->ranking != ranking || seat->order != order;
    for (uint32_t i = 0; i < seat->count; i++)
        if (may_hold(&s, seat->held[i]) && (kept == 0 || !anew))
            seat->held[kept++] = seat->held[i];
    seat->count = kept;
    seat->ranking = ranking;
    seat->order = order;
}

static void fill(struct desk *desk, struct seat *seat, uint32_t limit)
{
    struct search s = {desk, seat, false};
    while (seat->count < limit) {
        uint32_t place = choose(&s, seat->order, seat->asked + seat->count + 1);
        if (place == nothing && !s.skipped) {
            s.skipped = true;
            continue;
        }
        if (place == nothing)
            return;
        seat->held[seat->count++] = place;
    }
}

static bool parse_order(const char *name, enum queue_order *order, struct vouch_error *err)
{
    *order = ORDER_LEARNING;
    for (int o = 0; name && o < ORDERS; o++)
        if (strcmp(name, order_name[o]) == 0) {
            *order = (enum queue_order)o;
            return true;
        }
    return !name || fail(err, VOUCH_ERR_ARGUMENT,
                         "expected an order: learning, doubt, suspects, disagreement or document, found '%.60s'", name);
}

static uint64_t count_waiting(const struct desk *desk, const struct seat *seat)
{
    struct search s = {desk, seat, false};
    uint64_t open = 0;
    for (uint32_t i = 0; i < desk->places; i++)
        open += is_open(&s, i);
    return open;
}

static json_t *list_items(struct desk *desk, const struct seat *seat, uint32_t limit, struct vouch_error *err)
{
    json_t *items = json_array();
    for (uint32_t i = 0; items && i < seat->count && i < limit; i++) {
        struct item_request request = {seat->held[i], seat->annotator, seat->order, i + 1};
        json_t *item = item_json(desk, &request, err);
        if (!item || json_array_append_new(items, item) != 0) {
            json_decref(items);
            return NULL;
        }
    }
    return items;
}

json_t *desk_queue(struct desk *desk, const char *annotator, const char *order, uint32_t limit, struct vouch_error *err)
{
    enum queue_order by;
    int64_t who;
    struct seat *seat;
    json_t *items = NULL, *result = NULL;
    limit = limit < 1 ? 1 : limit > MOST_HELD ? MOST_HELD : limit;
    if (!parse_order(order, &by, err))
        return NULL;
    desk_enter(desk);
    if (desk_annotator(desk, annotator, &who, err) && (seat = desk_seat(desk, who, err))) {
        if (by == ORDER_DISAGREEMENT)
            items = disagreement_items(desk, who, limit, err);
        else {
            tidy(desk, seat, by);
            fill(desk, seat, limit);
            items = list_items(desk, seat, limit, err);
        }
        if (items)
            result = json_pack("{s:s, s:I, s:s?, s:I, s:o}", "order", order_name[by], "ranking",
                               (json_int_t)(desk->ranking ? desk->ranking->number : 0), "model",
                               desk->answerer ? desk->answerer->digest : NULL, "left",
                               (json_int_t)count_waiting(desk, seat), "items", items);
    }
    desk_leave(desk);
    if (!result && !err->status)
        fail_memory(err);
    return result;
}

/* ---- What comes next ---- */

/* The order that was asked for last. */
static enum queue_order order_in_use(const struct desk *desk)
{
    const struct seat *last = NULL;
    for (size_t i = 0; i < desk->seats; i++)
        if (!last || desk->seat[i].seen > last->seen)
            last = &desk->seat[i];
    return last ? last->order : ORDER_LEARNING;
}

static bool is_undecided(const struct desk *desk, uint32_t place)
{
    uint32_t decided;
    state_of(desk, place, 0, &decided);
    return decided == 0;
}

bool queue_ahead(const struct desk *desk, double **words, struct upcoming *next, struct vouch_error *err)
{
    const uint32_t *ranked = desk->ranking ? desk->ranking->order[order_in_use(desk)] : NULL;
    double all = 0;
    if (!(*words = new_array(desk->places + 1, sizeof **words, err)))
        return false;
    *next = (struct upcoming){.words = *words, .blind = desk->options.blind};
    for (uint32_t i = 0; i < desk->places; i++) {
        const struct place *p = &desk->place[ranked ? ranked[i] : i];
        bool open = is_undecided(desk, (uint32_t)(p - desk->place));
        all += p->words;
        next->blinds += p->blind && open;
        if (p->blind || p->given || !open)
            continue;
        (*words)[next->count + 1] = (*words)[next->count] + p->words;
        next->count++;
    }
    next->mean = desk->places ? all / (double)desk->places : 0;
    return true;
}
