/* Cuts a stream into stretches: see text_window.h. */
#include "predict/text_window.h"

#include "base/memory.h"

/* A stretch ends after so many sentences, or with the sentence that makes it so many words. */
enum { STRETCH = 500, STRETCH_WORDS = 50000 };

bool text_window_init(struct text_window *w, const struct span_rules *rules, uint32_t threads, struct vouch_error *err)
{
    *w = (struct text_window){.rules = rules, .threads = threads};
    w->sentence = new_array(STRETCH, sizeof *w->sentence, err);
    w->counted = new_array(threads, sizeof *w->counted, err);
    return w->sentence && w->counted;
}

static void start_counting(struct text_window *w)
{
    for (uint32_t i = 0; i < w->threads; i++) {
        text_lexicon_release(&w->counted[i]);
        w->counted[i].rules = w->rules;
    }
}

enum reading text_window_fill(struct text_window *w, struct reader *reader, struct vouch_error *err)
{
    enum reading last = READ_SENTENCE;
    size_t words = 0;
    start_counting(w);
    for (w->count = 0; w->count < STRETCH && words < STRETCH_WORDS; w->count++) {
        last = reader_next(reader, &w->sentence[w->count], err);
        if (last != READ_SENTENCE)
            break;
        words += w->sentence[w->count].N;
    }
    return last;
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

bool text_window_settle(struct text_window *w, struct vouch_error *err)
{
    text_lexicon_release(&w->text);
    bool ok = text_lexicon_add_all(&w->text, &w->last, err);
    text_lexicon_release(&w->last);
    for (uint32_t i = 0; ok && i < w->threads; i++)
        ok = text_lexicon_add_all(&w->text, &w->counted[i], err) && text_lexicon_add_all(&w->last, &w->counted[i], err);
    return ok;
}

void text_window_release(struct text_window *w)
{
    for (uint32_t i = 0; w->sentence && i < STRETCH; i++)
        sentence_release(&w->sentence[i]);
    for (uint32_t i = 0; w->counted && i < w->threads; i++)
        text_lexicon_release(&w->counted[i]);
    text_lexicon_release(&w->last);
    text_lexicon_release(&w->text);
    free(w->sentence);
    free(w->counted);
    *w = (struct text_window){0};
}
