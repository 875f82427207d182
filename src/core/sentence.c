/* Words: see sentence.h. */
#include "core/sentence.h"

#include "base/hash.h"

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

uint64_t sentence_words_digest(const struct sentence *s)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < s->N; i++) {
        uint32_t from = s->first[i] + s->tree, to = s->attributes ? s->first[i + 1] : from + 1;
        uint64_t word = 0;
        for (uint32_t c = from; c < to; c++)
            word = hash_mix(word, hash_bytes(s->cell[c].at, s->cell[c].length));
        digest = hash_mix(digest, word);
    }
    return digest;
}
