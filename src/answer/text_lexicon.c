/* Counts what a text calls its words: see text_lexicon.h. */
#include "answer/text_lexicon.h"

bool text_lexicon_add(struct text_lexicon *text, uint32_t l, const struct parts *parts, const uint32_t *choice,
                      struct vouch_error *err)
{
    struct lexicon_answer answer = {parts->names, parts->N, choice, l == 0 ? text->rules : NULL};
    text->layer[l].text = true;
    return lexicon_add(&text->layer[l], &answer, err);
}

bool text_lexicon_add_all(struct text_lexicon *text, const struct text_lexicon *other, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t l = 0; ok && l < MAX_MODEL_LAYERS; l++)
        ok = lexicon_add_all(&text->layer[l], &other->layer[l], err);
    return ok;
}

void text_lexicon_release(struct text_lexicon *text)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        lexicon_release(&text->layer[l]);
    *text = (struct text_lexicon){0};
}
