/*
 * Models for tests that open, damage, dump and load them: learning their voices, and the bytes of the one that the
 * tests of a file share.
 */
#ifndef VOUCH_TESTS_MODEL_IMAGE_H
#define VOUCH_TESTS_MODEL_IMAGE_H

#include "learn/learn.h"
#include "model/model.h"

#include "folder.h"
#include "must.h"

static unsigned char *image; /* the bytes of the model */
static size_t image_size;

/* Learns one voice of all examples; its arrays are to be freed. */
static inline struct model_voice learn_voice(const struct examples *examples, const char *name, uint32_t passes)
{
    struct training_options options = {.learner = learner_named(name),
                                       .parameters = {.C = 1, .phi = 1, .variance = 1, .rate = 0.5, .l2 = 0.01, .K = 1},
                                       .passes = passes,
                                       .seed = 1};
    struct model_voice stored = {0};
    struct voice voice;
    bool stopped;
    uint32_t *subset = malloc(sizeof *subset * examples->count);
    for (uint32_t i = 0; i < examples->count; i++)
        subset[i] = i;
    if (!train_voice(examples, (struct subset){subset, examples->count}, &options, &voice, &stopped, &err))
        fail_msg("%s", err.message);
    float *mean = calloc(voice.size + SLACK, sizeof *mean);
    voice_average(&voice, mean);
    stored.mean = mean;
    if (voice.var) {
        float *var = calloc(voice.size + SLACK, sizeof *var);
        memcpy(var, voice.var, sizeof *var * voice.size);
        stored.var = var;
    }
    snprintf(stored.name, sizeof stored.name, "%s", name);
    voice_release(&voice);
    free(subset);
    return stored;
}

/* Frees the arrays of all voices that a layer has learned. */
static inline void free_voices(const struct model_layer *layer)
{
    for (uint32_t v = 0; v < layer->voices; v++) {
        free((float *)(uintptr_t)layer->voice[v].mean);
        free((float *)(uintptr_t)layer->voice[v].var);
    }
}

/* Takes the model at `path` for the one that the tests share. */
static inline int take_image(const char *path)
{
    image = folder_get_bytes(path, &image_size);
    return image ? 0 : -1;
}

FIXTURE(drop_image)
{
    free(image);
    return folder_remove(state);
}

static inline vouch_model *must_open(const char *path)
{
    err = (struct vouch_error){0};
    vouch_model *model = vouch_model_open(path, &err);
    if (!model)
        fail_msg("%s", err.message);
    return model;
}

static inline const char *dump_to(const char *from, const char *name)
{
    vouch_model *model = must_open(from);
    const char *path = folder_file(name);
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    if (!model_dump(model, out, &err))
        fail_msg("%s", err.message);
    assert_true(output_commit(out, &err));
    vouch_model_close(model);
    return path;
}

/* Loads a text; on failure nothing is written. */
static inline bool load_to(const char *text, const char *path)
{
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    err = (struct vouch_error){0};
    if (!model_load(text, out, &err)) {
        output_discard(out);
        return false;
    }
    return output_commit(out, &err);
}

/* The model in that file, dumped and loaded, has the same bytes. */
static inline void expect_round_trip(const char *path, const char *what)
{
    char *built = strdup(path), *loaded = strdup(folder_file("loaded"));
    char *text = strdup(dump_to(built, "dump"));
    size_t before = 0, after = 0;
    if (!load_to(text, loaded))
        fail_msg("%s: %s", what, err.message);
    unsigned char *a = folder_get_bytes(built, &before), *b = folder_get_bytes(loaded, &after);
    assert_true(a && b);
    if (before != after || memcmp(a, b, before) != 0)
        fail_msg("%s: what was loaded is not what was dumped", what);
    vouch_model *model = must_open(loaded);
    assert_int_equal(vouch_model_verify(model, &err), VOUCH_OK);
    vouch_model_close(model);
    free(a);
    free(b);
    free(built);
    free(loaded);
    free(text);
}

#endif
