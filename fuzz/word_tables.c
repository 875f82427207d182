/* Opens any bytes as a table of word vectors, and looks up every word that begins a line, in lower case, too. */
#include "fuzz.h"

#include "text/word_vectors.h"

#include <math.h>

static void look_up(struct word_vectors *table, struct text word)
{
    struct vouch_error err = {0};
    const float *vector;
    if (utf8_check(word.at, word.length) < word.length) /* as readers of corpora refuse it */
        return;
    if (!fuzz_told(word_vectors_find(table, word, &vector, &err), &err) || !vector)
        return;
    for (uint32_t d = 0; d < table->D; d++)
        if (!isfinite(vector[d]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct word_vectors *table = word_vectors_open(fuzz_file(bytes, length), "corpus", &err);
    bool ok = fuzz_told(table != NULL, &err) && !table->array;
    const char *at = (const char *)bytes, *end = at + length;
    while (ok && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        const char *blank = memchr(at, ' ', (size_t)(stop - at));
        look_up(table, (struct text){at, (uint32_t)((blank ? blank : stop) - at)});
        look_up(table, (struct text){at, (uint32_t)(stop - at)}); /* a word with blanks */
        at = newline ? newline + 1 : end;
    }
    word_vectors_close(table);
    return 0;
}
