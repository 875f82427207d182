/* Writes words and labels of a sentence as a table of decisions has them: see amend.h. */
#include "review/amend.h"

#include <inttypes.h>
#include <stdio.h>

bool amend_words(const struct sentence *sentence, uint32_t from, uint32_t to, struct buffer *into,
                 struct vouch_error *err)
{
    for (uint32_t i = from; i < to; i++) {
        size_t start = into->length + (i > from);
        if ((i > from && !buffer_put(into, ' ', err)) || !buffer_add(into, sentence_form(sentence, i), err))
            return false;
        for (size_t c = start; c < into->length; c++)
            if ((unsigned char)into->bytes[c] < ' ')
                into->bytes[c] = ' ';
    }
    return true;
}

bool amend_labels(const struct sentence *sentence, uint32_t from, uint32_t to, bool relations, struct buffer *into,
                  struct vouch_error *err)
{
    for (uint32_t i = from; i < to; i++) {
        char head[16] = "";
        if (sentence->tree)
            snprintf(head, sizeof head, "%" PRIu32 "%s", sentence->head[i], relations ? ":" : "");
        if ((i > from && !buffer_put(into, ' ', err)) || !buffer_add(into, text_of(head), err) ||
            ((!sentence->tree || relations) && !buffer_add(into, sentence->gold[i], err)))
            return false;
    }
    return true;
}
