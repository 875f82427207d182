/*
 * Counts what a text calls its words: see text_window.h. Ranks send each other the slots of their counts, which are
 * whole numbers: their sums do not depend on the order.
 */
#include "answer/text_window.h"

#include "base/memory.h"

#include <string.h>

bool text_counts_add(struct text_counts *text, uint32_t l, const struct parts *parts, const uint32_t *choice,
                     struct vouch_error *err)
{
    struct counted_answer answer = {parts->names, parts->N, choice, l == 0 ? text->rules : NULL};
    text->layer[l].text = true;
    return answer_counts_add(&text->layer[l], &answer, err);
}

bool text_counts_add_all(struct text_counts *text, const struct text_counts *other, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t l = 0; ok && l < MAX_MODEL_LAYERS; l++)
        ok = answer_counts_add_all(&text->layer[l], &other->layer[l], err);
    return ok;
}

void text_counts_release(struct text_counts *text)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        answer_counts_release(&text->layer[l]);
    *text = (struct text_counts){0};
}

bool text_window_init(struct text_window *w, const struct span_rules *rules, uint32_t threads, struct vouch_error *err)
{
    *w = (struct text_window){.rules = rules, .threads = threads};
    w->sentence = new_array(WINDOW, sizeof *w->sentence, err);
    w->counted = new_array(threads, sizeof *w->counted, err);
    return w->sentence && w->counted;
}

void text_window_empty(struct text_window *w)
{
    w->count = 0;
    for (uint32_t i = 0; i < w->threads; i++) {
        text_counts_release(&w->counted[i]);
        w->counted[i].rules = w->rules;
    }
}

/* Makes a list of the slots of each layer, with their number in front of them. */
static uint64_t *list_slots(const struct text_counts *text, size_t *count, struct vouch_error *err)
{
    size_t room = 0;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        room += 1 + text->layer[l].count;
    uint64_t *list = new_array(room, sizeof *list, err), at, slot;
    *count = 0;
    for (uint32_t l = 0; list && l < MAX_MODEL_LAYERS; l++) {
        list[(*count)++] = text->layer[l].count;
        for (at = 0; answer_counts_next(&text->layer[l], &at, &slot);)
            list[(*count)++] = slot;
    }
    return list;
}

static bool add_listed(struct text_counts *text, const char *list, struct vouch_error *err)
{
    uint64_t count, slot;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++) {
        memcpy(&count, list, sizeof count);
        list += sizeof count;
        if (count && !answer_counts_expect(&text->layer[l], count, err))
            return false;
        for (; count > 0; count--, list += sizeof slot) {
            memcpy(&slot, list, sizeof slot);
            if (!answer_counts_add_slot(&text->layer[l], slot, err))
                return false;
        }
    }
    return true;
}

/* Puts the block before this one into the text; the last block of all ranks is the one before their next ones. */
static bool add_before(struct text_window *w, const struct ranks *ranks, const struct text_counts *own,
                       struct vouch_error *err)
{
    struct gathered all = {0};
    size_t count;
    uint64_t *list = list_slots(own, &count, err);
    bool ok = list && ranks_gather(ranks, list, count * sizeof *list, FOR_ALL, &all, err);
    ok = ok && (ranks_first(ranks) ? text_counts_add_all(&w->text, &w->last, err)
                                   : add_listed(&w->text, all.bytes + all.start[ranks->rank - 1], err));
    text_counts_release(&w->last);
    ok = ok && add_listed(&w->last, all.bytes + all.start[all.count - 1], err);
    gathered_release(&all);
    free(list);
    return ok;
}

bool text_window_settle(struct text_window *w, const struct ranks *ranks, struct vouch_error *err)
{
    struct text_counts own = {0};
    bool ok = true;
    text_counts_release(&w->text);
    for (uint32_t i = 0; ok && i < w->threads; i++)
        ok = text_counts_add_all(&own, &w->counted[i], err);
    ok = ok && (ranks ? add_before(w, ranks, &own, err) : text_counts_add_all(&w->text, &w->last, err)) &&
         text_counts_add_all(&w->text, &own, err);
    if (!ranks) {
        text_counts_release(&w->last);
        w->last = own;
    } else {
        text_counts_release(&own);
    }
    return ok;
}

void text_window_release(struct text_window *w)
{
    for (uint32_t i = 0; w->sentence && i < WINDOW; i++)
        sentence_release(&w->sentence[i]);
    sentence_release(&w->passed);
    for (uint32_t i = 0; w->counted && i < w->threads; i++)
        text_counts_release(&w->counted[i]);
    text_counts_release(&w->last);
    text_counts_release(&w->text);
    free(w->sentence);
    free(w->counted);
    *w = (struct text_window){0};
}
