/* Writes made-up corpora to the test's folder, and learns from them. */
#ifndef VOUCH_TESTS_SAMPLE_FILE_H
#define VOUCH_TESTS_SAMPLE_FILE_H

#include "sample/sample.h"
#include "vouch.h"

#include "folder.h"
#include "must.h"

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

/* Learns a calibrated model from a file, in two passes. */
static inline vouch_model *learn_quickly(const char *task, const char *file)
{
    vouch_options *options = vouch_options_new("train", &err);
    MUST(options && vouch_options_set(options, "task", task, &err) == VOUCH_OK &&
         vouch_options_set(options, "passes", "2", &err) == VOUCH_OK);
    if (strcmp(task, "dep") == 0)
        MUST(vouch_options_set(options, "bits", "12", &err) == VOUCH_OK);
    vouch_model *model = vouch_train(options, &file, 1, NULL, &err);
    MUST(model);
    vouch_options_free(options);
    return model;
}

#endif
