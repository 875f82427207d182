/* Words: see sentence.h. */
#include "core/sentence.h"

void sentence_release(struct sentence *sentence)
{
    free(sentence->first);
    free(sentence->cell);
    free(sentence->value);
    free(sentence->gold);
    free(sentence->line);
    free(sentence->lead);
    free(sentence->head);
    free(sentence->bytes);
    *sentence = (struct sentence){0};
}
