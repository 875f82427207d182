/*
 * Makes a tiny corpus and a model learned from it, in three calls that can fail
 * one by one: tiny_read(), tiny_learn(), tiny_save().
 */
#ifndef VOUCH_TESTS_TINY_H
#define VOUCH_TESTS_TINY_H

#include "chain/chain.h"
#include "learn/learn.h"
#include "model/model.h"
#include "train/corpus.h"

#define TINY_CORPUS                                                                                                    \
    "Ada NNP B-PER\nLovelace NNP I-PER\nsaw VBD O\nParis NNP B-LOC\n. . O\n\n"                                         \
    "Paris NNP B-PER\nslept VBD O\n\n"                                                                                 \
    "# a comment, not a word\n"                                                                                        \
    "In IN O\nŁódź NNP B-LOC\n, , O\nAda NNP B-PER\nleft VBD O\nin IN O\n1843 CD O\n"

#define TINY_TEMPLATE                                                                                                  \
    "# features\n"                                                                                                     \
    "U0:%x[0,0]\nU1:%x[-1,0]/%lower[0,0]\nU2:%suffix2[0,0]\nU3:%brief[1,0]\nU4:%x[0,1]\nB\nB1:%x[0,1]\n"

struct tiny_voice {
    float *mean, *var; /* var NULL if the learner keeps none */
    const struct learner *learner;
};

static inline struct corpus_plan tiny_plan(void)
{
    return (struct corpus_plan){.task = task_named("ner"),
                                .template = TINY_TEMPLATE,
                                .template_name = "template",
                                .template_strict = true,
                                .cutoff = 1,
                                .inner = SCHEME_BIOES};
}

static inline struct learner_options tiny_parameters(void)
{
    return (struct learner_options){.C = 0.1, .phi = 1, .variance = 1, .rate = 0.2, .l2 = 0.5, .K = 3};
}

static inline bool tiny_read(struct corpus *corpus, const char *path, struct vouch_error *err)
{
    struct corpus_plan plan = tiny_plan();
    char *paths[] = {(char *)(uintptr_t)path};
    return corpus_read(corpus, &plan, paths, 1, NULL, err);
}

/* Learns for two passes; free with tiny_forget(). */
static inline bool tiny_learn(const struct corpus *corpus, const struct learner *learner, struct tiny_voice *kept,
                              struct vouch_error *err)
{
    struct examples examples = tag_set_examples(&corpus->tags, &corpus->vocabulary, &corpus->labels, &chain_structure);
    struct training_options options = {.learner = learner, .parameters = tiny_parameters(), .passes = 2, .seed = 1};
    uint32_t all[16];
    for (uint32_t i = 0; i < 16; i++)
        all[i] = i;
    struct voice voice;
    bool stopped;
    *kept = (struct tiny_voice){.learner = learner};
    if (!train_voice(&examples, (struct subset){all, corpus->tags.count}, &options, &voice, &stopped, err))
        return false;
    kept->mean = new_array(voice.size + SLACK, sizeof(float), err);
    if (kept->mean)
        voice_average(&voice, kept->mean);
    if (voice.var && kept->mean && (kept->var = new_array(voice.size + SLACK, sizeof(float), err)))
        memcpy(kept->var, voice.var, sizeof(float) * voice.size);
    bool ok = kept->mean && (kept->var || !voice.var);
    voice_release(&voice);
    return ok;
}

static inline void tiny_forget(struct tiny_voice *voice)
{
    free(voice->mean);
    free(voice->var);
    *voice = (struct tiny_voice){0};
}

/* Two trees, with a comment, a range and an empty node. */
#define TINY_TREES                                                                                                     \
    "# text = Ada slept\n1-2\tAda's\t_\t_\t_\t_\t_\t_\t_\t_\n1\tAda\tAda\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\t_\n"   \
    "2\tslept\tsleep\tVERB\tVBD\tTense=Past|Mood=Ind\t0\troot\t_\tA=b\n2.1\tz\t_\t_\t_\t_\t_\t_\t_\t_\n"               \
    "3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n1\tŁódź\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n"

/* Reads a treebank and learns its arcs, once through. */
static inline bool tiny_parse(const char *path, const struct learner *learner, struct vouch_error *err)
{
    struct corpus_plan plan = {
        .multi_root = MULTI_ROOT_KEEP, .arc_bits = 10, .relation_bits = 10, .reading = {.trees = true}};
    struct corpus corpus;
    char *paths[] = {(char *)(uintptr_t)path};
    bool ok = corpus_read(&corpus, &plan, paths, 1, NULL, err);
    struct dataset dataset = corpus.dataset;
    for (uint32_t l = 0; ok && l < dataset.layers; l++) {
        const struct examples *examples = &dataset.layer[l].examples;
        struct training_options options = {.learner = learner, .parameters = tiny_parameters(), .passes = 1, .seed = 1};
        uint32_t *all = new_array(examples->count, sizeof *all, err);
        struct voice voice = {0};
        bool stopped;
        for (uint32_t i = 0; all && i < examples->count; i++)
            all[i] = i;
        ok = all && train_voice(examples, (struct subset){all, examples->count}, &options, &voice, &stopped, err);
        voice_release(&voice);
        free(all);
    }
    corpus_release(&corpus);
    return ok;
}

static inline bool tiny_save(const struct corpus *corpus, const struct tiny_voice *voice, const char *path,
                             struct vouch_error *err)
{
    struct model_layer layer = {.name = "label",
                                .space = {.width = labels_count(&corpus->labels),
                                          .nodes = feature_index_count(&corpus->vocabulary.node),
                                          .edges = feature_index_count(&corpus->vocabulary.edge)},
                                .voice = {{.mean = voice->mean, .var = voice->var}},
                                .voices = 1};
    strncpy(layer.voice[0].name, voice->learner->name, sizeof layer.voice[0].name - 1);
    struct model_content content = {.header = json_object(),
                                    .task = "ner",
                                    .template = corpus->template,
                                    .labels = &corpus->labels,
                                    .vocabulary = &corpus->vocabulary,
                                    .layer = &layer,
                                    .layers = 1,
                                    .seen = &corpus->seen};
    bool ok = content.header || fail_memory(err);
    struct output *out = ok ? output_open(path, err) : NULL;
    ok = out && model_write(out, &content, err);
    if (ok)
        ok = output_commit(out, err);
    else
        output_discard(out);
    json_decref(content.header);
    return ok;
}

/* Labels the same sentence through the public interface; `labels` [5]. */
static inline bool tiny_label(const char *path, const char **labels, vouch_model **model, struct vouch_error *err)
{
    static const char *const cells[] = {"Ada", "NNP", "left", "VBD", "Łódź", "NNP", "in", "IN", "XIX", "CD"};
    *model = vouch_model_open(path, err);
    return *model && vouch_model_label(*model, cells, 5, 2, labels, NULL, err) == VOUCH_OK;
}

#endif
