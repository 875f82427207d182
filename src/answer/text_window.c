/* Cuts a stream into stretches: see text_window.h. */
#include "answer/text_window.h"

#include "base/memory.h"

#include <string.h>

/* A stretch ends after so many sentences, or with the sentence that makes it so many words. */
enum { STRETCH = 500, STRETCH_WORDS = 50000 };

bool text_window_init(struct text_window *w, const struct span_rules *rules, uint32_t threads, struct vouch_error *err)
{
    *w = (struct text_window){.rules = rules, .threads = threads};
    w->sentence = new_array(STRETCH, sizeof *w->sentence, err);
    w->counted = new_array(threads, sizeof *w->counted, err);
    return w->sentence && w->counted;
}

void text_window_empty(struct text_window *w)
{
    w->count = 0;
    for (uint32_t i = 0; i < w->threads; i++) {
        text_lexicon_release(&w->counted[i]);
        w->counted[i].rules = w->rules;
    }
}

enum reading text_window_read(struct text_window *w, const struct sentence_source *source, bool keep,
                              struct vouch_error *err)
{
    size_t words = 0;
    for (uint32_t count = 0; count < STRETCH && words < STRETCH_WORDS; count++) {
        struct sentence *into = keep ? &w->sentence[count] : &w->passed;
        enum reading last = source->next(source->context, into, err);
        if (last != READ_SENTENCE)
            return last;
        words += into->N;
        w->count += keep;
    }
    return READ_SENTENCE;
}

void text_window_rewind(struct text_window *w)
{
    w->taken = w->returned = 0;
}

/* Swaps two sentences instead of moving one, so that the memory of the other is used again. */
static void swap_sentences(struct sentence *a, struct sentence *b)
{
    struct sentence held = *a;
    *a = *b;
    *b = held;
}

bool text_window_take(struct text_window *w, struct sentence *into)
{
    if (w->taken == w->count)
        return false;
    swap_sentences(&w->sentence[w->taken++], into);
    return true;
}

void text_window_return(struct text_window *w, struct sentence *sentence)
{
    swap_sentences(&w->sentence[w->returned++], sentence);
}

/* Makes a list of the slots of each layer, with their number in front of them. */
static uint64_t *list_slots(const struct text_lexicon *text, size_t *count, struct vouch_error *err)
{
    size_t room = 0;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        room += 1 + text->layer[l].count;
    uint64_t *list = new_array(room, sizeof *list, err), at, slot;
    *count = 0;
    for (uint32_t l = 0; list && l < MAX_MODEL_LAYERS; l++) {
        list[(*count)++] = text->layer[l].count;
        for (at = 0; lexicon_next(&text->layer[l], &at, &slot);)
            list[(*count)++] = slot;
    }
    return list;
}

static bool add_listed(struct text_lexicon *text, const char *list, struct vouch_error *err)
{
    uint64_t count, slot;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++) {
        memcpy(&count, list, sizeof count);
        list += sizeof count;
        if (count && !lexicon_expect(&text->layer[l], count, err))
            return false;
        for (; count > 0; count--, list += sizeof slot) {
            memcpy(&slot, list, sizeof slot);
            if (!lexicon_add_slot(&text->layer[l], slot, err))
                return false;
        }
    }
    return true;
}

/* Puts the stretch before this one into the text; the last stretch of all ranks is the one before their next ones. */
static bool add_before(struct text_window *w, const struct ranks *ranks, const struct text_lexicon *own,
                       struct vouch_error *err)
{
    struct gathered all = {0};
    size_t count;
    uint64_t *list = list_slots(own, &count, err);
    bool ok = list && ranks_gather(ranks, list, count * sizeof *list, FOR_ALL, &all, err);
    ok = ok && (ranks_first(ranks) ? text_lexicon_add_all(&w->text, &w->last, err)
                                   : add_listed(&w->text, all.bytes + all.start[ranks->rank - 1], err));
    text_lexicon_release(&w->last);
    ok = ok && add_listed(&w->last, all.bytes + all.start[all.count - 1], err);
    gathered_release(&all);
    free(list);
    return ok;
}

bool text_window_settle(struct text_window *w, const struct ranks *ranks, struct vouch_error *err)
{
    struct text_lexicon own = {0};
    bool ok = true;
    text_lexicon_release(&w->text);
    for (uint32_t i = 0; ok && i < w->threads; i++)
        ok = text_lexicon_add_all(&own, &w->counted[i], err);
    ok = ok && (ranks ? add_before(w, ranks, &own, err) : text_lexicon_add_all(&w->text, &w->last, err)) &&
         text_lexicon_add_all(&w->text, &own, err);
    if (!ranks) {
        text_lexicon_release(&w->last);
        w->last = own;
    } else {
        text_lexicon_release(&own);
    }
    return ok;
}

void text_window_release(struct text_window *w)
{
    for (uint32_t i = 0; w->sentence && i < STRETCH; i++)
        sentence_release(&w->sentence[i]);
    sentence_release(&w->passed);
    for (uint32_t i = 0; w->counted && i < w->threads; i++)
        text_lexicon_release(&w->counted[i]);
    text_lexicon_release(&w->last);
    text_lexicon_release(&w->text);
    free(w->sentence);
    free(w->counted);
    *w = (struct text_window){0};
}
