/*
 * A model is the result of training, and what labelling needs.
 *
 * An opened model has unfolded the sections of its file into arrays and tables (weight_code.h, vocabulary_code.h). It
 * never changes, and threads share it.
 *
 * What lies over the file, or is shared, is const; what was allocated has a pointer of its own beside it (own_mean
 * beside mean). -Wcast-qual holds it.
 */
#ifndef VOUCH_MODEL_MODEL_H
#define VOUCH_MODEL_MODEL_H

#include "core/sentence.h"
#include "core/examples.h"
#include "core/answer_counts.h"
#include "model/model_file.h"
#include "task/label_context.h"
#include "task/stacked_arcs.h"
#include "task/tag_features.h"
#include "task/tag_labels.h"

#include <jansson.h>

enum { MAX_VOICES = 8, MAX_MODEL_LAYERS = 2 };

#define FIRST_STAGE "first" /* the name of that layer: see struct vouch_model */

/* A learned voice, as stored. */
struct model_voice {
    char name[16];             /* of the learner */
    const float *mean;         /* [space + SLACK] averaged */
    const float *var;          /* [space + SLACK], or NULL */
    float *own_mean, *own_var; /* the same arrays */
    struct weight_steps steps; /* the mean; only its step, unless it was counted and fits */
    int16_t *own_steps;        /* the same array */
    uint32_t sets;             /* the number of sets of scores from elsewhere, in place of weights; 0: it has weights */
};

/*
 * Keeps a learned voice under its learner's name: averaged weights, and variances if any, rounded as in a file. Release
 * in any case.
 */
struct voice;
bool model_voice_keep(struct model_voice *kept, const struct voice *learned, const char *name, struct vouch_error *err);
/* Has the mean as multiples of its step, too, for fast sums, if they fit: for arcs. */
bool model_voice_count_steps(struct model_voice *voice, const struct space *space, struct vouch_error *err);
void model_voice_release(struct model_voice *voice);

/* The voices over one space of weights: "label"; or "arc" and "relation"; or "first", see struct vouch_model. */
struct model_layer {
    char name[16];
    struct space space;
    struct model_voice voice[MAX_VOICES];
    uint32_t voices;
    struct answer_counts counts; /* of what they learned from */
};

struct vouch_model {
    struct model_file file;
    json_t *header;    /* parsed */
    char *header_text; /* as stored, terminated */
    const char *task;  /* owned by the header */
    bool trees;        /* it parses; else it labels */
    struct model_layer layer[MAX_MODEL_LAYERS];
    uint32_t layers;

    /*
     * A first stage, whose answers are what the features of layer 0 look at; no voices: there is none. It never answers
     * by itself and has no confidence, so that what answers and judges sees the layers alone. It has one voice. A
     * tagger's has the features of layer 0, in the same numbers.
     */
    struct model_layer first;
    struct tag_labels labels;       /* the labels of words, or of arcs */
    char **label_name;              /* [...] outer spellings, terminated, for the public interface */
    struct transitions transitions; /* that labelings may have, if the header says that constraints hold */

    struct label_context context; /* how a tagger's first stage is looked at; of no sentences: it has none */
    struct lexicons lexicons;     /* of a tagger, which its templates name */
    struct templates templates;   /* of a tagger */
    struct vocabulary vocabulary;
    uint32_t bits[MAX_MODEL_LAYERS]; /* of a parser: features are hashed into 2^bits blocks */
    uint32_t first_bits;             /* those of its first stage */

    /*
     * Sentences that it learned from, by sentence_words_digest(), 8 bytes each: vouch active next never offers one of
     * them, and the user need not keep lists. A view, unchecked.
     */
    struct digest_set seen;
};

/* Whether what answers looks at answers of a first stage. */
static inline bool model_has_first(const struct vouch_model *model)
{
    return model->first.voices > 0;
}

/* Returns the first stage of a parser that has one. */
static inline struct first_stage model_first_stage(const struct vouch_model *model)
{
    return (struct first_stage){model->first_bits, &model->first.space, model->first.voice[0].mean,
                                &model->first.voice[0].steps};
}

/* Whether the model has no weights: its scores come from elsewhere. */
static inline bool model_lacks_weights(const struct vouch_model *model)
{
    return model->layer[0].voice[0].sets > 0;
}

/* Return where the weights of a feature begin, and how many there are: of words, or of pairs of labels. */
static inline size_t space_block_width(const struct space *space, bool edge)
{
    return edge ? (size_t)space->width * space->width : space->width;
}

static inline size_t space_block(const struct space *space, bool edge, uint32_t f)
{
    return edge ? space_edge(space, f) : space_node(space, f);
}

/* The content of a model file. */
struct model_content {
    json_t *header;       /* provenance; what opening needs is added */
    const char *task;     /* "ner", ..., or "dep" */
    const char *template; /* of a tagger, else NULL */
    const struct tag_labels *labels;
    const struct lexicons *lexicons;     /* that the template names; NULL: there are none */
    const struct vocabulary *vocabulary; /* of a tagger, else NULL */
    const struct vector_shape *vectors;  /* NULL, or of dimension 0: words have none */
    const struct model_layer *layer;     /* [layers], whose weights are rounded */
    uint32_t layers;
    const struct model_layer *first; /* a first stage, or NULL; its weights are rounded, too */
    const struct digest_set *seen;   /* closed; NULL: sentences are not kept */
};

/* Writes a model, without features and strings that it does not need: see model_write.c. */
bool model_write(struct output *out, const struct model_content *content, struct vouch_error *err);

/* Returns the name of a section of a layer, of a voice or (NO_VOICE) of all: "label.mean.0", "label.counts". */
#define NO_VOICE UINT32_MAX
struct section_name {
    char of[24];
};
struct section_name section_name(const char *layer, const char *what, uint32_t voice);

/* Writes an opened model with another header; everything else stays as it is, byte for byte. */
bool model_write_again(struct output *out, const struct vouch_model *model, json_t *header, struct vouch_error *err);

/* Reads the labels that a header lists; `name` is for messages. Release `labels` in any case. */
bool model_labels(const json_t *header, const char *name, struct tag_labels *labels, struct vouch_error *err);

/* Reads names and spaces of the layers that a header lists, and which arrays their voices have; see model_layers(). */
struct layer_list {
    struct model_layer layer[MAX_MODEL_LAYERS];
    bool variance[MAX_MODEL_LAYERS][MAX_VOICES];
    uint32_t layers;
    struct model_layer first; /* without voices: there is none */
    bool first_variance[MAX_VOICES];
};
bool model_layers(const json_t *header, const char *name, struct layer_list *list, struct vouch_error *err);

/* Fails if a header is that of a parser with other features than this program makes; `name` is for messages. */
bool model_arc_features(const json_t *header, const char *name, struct vouch_error *err);

/* Gives a model its layers, and the bits of a parser's; false if they are not those of its task and its labels. */
bool model_take_layers(struct vouch_model *model, const struct layer_list *list);

/* Reads what vectors the words have; `name` is for messages. */
bool model_vectors(const json_t *header, const char *name, struct vector_shape *shape, struct vouch_error *err);

/*
 * Reads what lexicons a header lists, without their entries: name, columns, source and licence, and how many entries
 * and rows of classes there are; `name` is for messages.
 */
struct lexicon_size {
    uint32_t entries, rows;
};
bool model_lexicons(const json_t *header, const char *name, struct lexicons *lexicons,
                    struct lexicon_size size[MOST_LEXICONS], struct vouch_error *err);

/* Reads how many sentences around a first stage is looked at, of labels that were read. Release in any case. */
bool model_context(const json_t *header, const char *name, const struct tag_labels *labels,
                   struct label_context *context, struct vouch_error *err);

/* Returns the text of a tagger's template. */
const char *model_template(const struct vouch_model *model);

/*
 * Makes a model without weights, for scores that come from elsewhere, of its header alone; `name` is for messages. It
 * has one layer, "label" or (task "dep") "arc", of one voice, which has "sets" of scores. Close it with
 * vouch_model_close().
 */
enum { MAX_SETS = 1024 };
vouch_model *model_of_scores(const char *header, const char *name, struct vouch_error *err);

/* Whether a header is that of such a model: its first voice has sets of scores. */
bool header_lacks_weights(const json_t *header);

/* Writes the file of such a model. */
bool model_write_scores(struct output *out, const json_t *header, struct vouch_error *err);

/* Writes a model as text: every string, feature and weight; floats in hexadecimal, so that nothing is lost. */
bool model_dump(const struct vouch_model *model, struct output *out, struct vouch_error *err);

/* Reads such a text from `path` (NULL: standard input) and writes the model that it describes, byte for byte. */
bool model_load(const char *path, struct output *out, struct vouch_error *err);

/* Returns the labels of a model that labels; NULL if it parses. */
static inline const struct tag_labels *model_word_labels(const struct vouch_model *model)
{
    return model->trees ? NULL : &model->labels;
}

#endif
