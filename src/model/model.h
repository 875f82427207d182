/*
 * A model: what training leaves and labelling needs.
 *
 * Opened from a file it is a set of views into the mapping; the pieces (labels,
 * templates) that are small enough are parsed. Read-only, shared by threads.
 */
#ifndef VOUCH_MODEL_MODEL_H
#define VOUCH_MODEL_MODEL_H

#include "core/examples.h"
#include "model/model_file.h"
#include "task/tag_features.h"
#include "task/tag_labels.h"

#include <jansson.h>

enum { MAX_VOICES = 8, MAX_LABELS = 65535 };

/* A learned voice, as stored. */
struct model_voice {
    char name[16];     /* of the learner */
    const float *mean; /* [space + SLACK] averaged */
    const float *var;  /* [space + SLACK], or NULL */
};

struct vouch_model {
    struct model_file file;
    json_t *header;    /* parsed */
    char *header_text; /* as stored, terminated */
    const char *task;  /* owned by the header */
    struct templates templates;
    struct vocabulary vocabulary;
    struct tag_labels labels;
    char **label_name; /* [Y] outer spellings, terminated, for the public interface */
    struct space space;
    struct model_voice voice[MAX_VOICES];
    uint32_t voices;
};

/*
 * What goes into a file. `header` must hold "task", "labels" (inner names),
 * "scheme" {inner, outer}, "template" and "voices" (names); see model_describe().
 */
struct model_content {
    json_t *header;
    const struct vocabulary *vocabulary;
    struct space space;
    const struct model_voice *voice; /* [voices] */
    uint32_t voices;
};

/* Adds to `header` what opening needs. */
bool model_describe(json_t *header, const char *task, const char *template, const struct tag_labels *labels,
                    const struct model_voice *voice, uint32_t voices, struct vouch_error *err);

/* Reads the labels that a header lists; `name` is for messages. Release `labels` in any case. */
bool model_labels(const json_t *header, const char *name, struct tag_labels *labels, struct vouch_error *err);

bool model_write(struct output *out, const struct model_content *content, struct vouch_error *err);

/* The structure that a model's task decodes. */
const struct structure *model_structure(const struct vouch_model *model);

/*
 * One thread's working memory over a model. label() gives the labels of a
 * sentence in the corpus's spelling; they stay valid as long as the model.
 */
struct tagger;
struct tagger *tagger_new(const struct vouch_model *model, struct vouch_error *err);
void tagger_free(struct tagger *tagger);
bool tagger_label(struct tagger *tagger, const struct sentence *sentence, struct text *label, struct vouch_error *err);

#endif
