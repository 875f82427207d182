/*
 * Writes made-up corpora to the test's folder. Include folder.h and sample/sample.h before cmocka.h, and must.h.
 */
#ifndef VOUCH_TESTS_SAMPLE_FILE_H
#define VOUCH_TESTS_SAMPLE_FILE_H

/* Writes `count` sentences from number `first` on; returns the path of the file. */
static const char *put_sample(const char *name, enum sample_kind kind, uint64_t first, uint64_t count)
{
    struct sample_options options = {.seed = 1, .first = first, .kind = kind, .noise = 0.02};
    struct sample_sentence sentence = {0};
    struct buffer text = {0};
    for (uint64_t i = 0; i < count; i++)
        MUST(sample_sentence(&options, i, &sentence, &err) && sample_write(&sentence, kind, &text, &err));
    const char *path = folder_put_bytes(name, text.bytes, text.length);
    sample_release(&sentence);
    free(text.bytes);
    return path;
}

#endif
