/*
 * Makes small models with several voices: a tagger and a parser, learned
 * quickly and written to the test's folder.
 */
#ifndef VOUCH_TESTS_SMALL_MODELS_H
#define VOUCH_TESTS_SMALL_MODELS_H

#include "learn/learn.h"
#include "model/model.h"
#include "train/corpus.h"

#include "folder.h"

#define SMALL_TAGS                                                                                                     \
    "Ada NNP B-PER\nLovelace NNP I-PER\nlives VBZ O\nin IN O\nParis NNP B-LOC\n. . O\n\n"                              \
    "the DT O\nold JJ O\nbridge NN O\nof IN O\nNew NNP B-LOC\nYork NNP I-LOC\n\n"                                      \
    "Zola NNP B-PER\nsaw VBD O\nthe DT O\nbridge NN O\n. . O\n\n"                                                      \
    "Paris NNP B-PER\nmet VBD O\nAda NNP B-PER\nin IN O\nYork NNP B-LOC\n\n"                                           \
    "Ada NNP B-LOC\n\n"

#define SMALL_TREES                                                                                                    \
    "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n"                           \
    "3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_\n4\tbridge\tbridge\tNOUN\tNN\t_\t2\tobj\t_\t_\n\n"                          \
    "1\tLeft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"                                                                  \
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tbridge\tbridge\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"                          \
    "3\tfell\tfall\tVERB\tVBD\t_\t0\troot\t_\t_\n4\tin\tin\tADP\tIN\t_\t5\tcase\t_\t_\n"                               \
    "5\tParis\tParis\tPROPN\tNNP\t_\t3\tobl\t_\t_\n\n"

#define SMALL_TEMPLATE "U0:%x[0,0]\nU1:%x[-1,0]\nU2:%x[0,1]/%x[1,1]\nU3:%suffix2[0,0]\nB\n"

/* A header's confidence for a tagger with two voices, cw and crf. */
#define SMALL_CONFIDENCE_MODEL                                                                                         \
    "{\"form\": 4, \"seed\": 2, \"layers\": {\"label\": {\"parameters\": {"                                            \
    "\"cw\": {\"K_best\": 3, \"K\": 4, \"s_fix\": 0.1, \"s_pc\": 1, \"c\": 1},"                                        \
    "\"crf\": {\"K_best\": 3, \"K\": 4, \"s_fix\": 0.1, \"s_pc\": 1, \"c\": 1}}, \"methods\": {"                       \
    "\"gamma@crf\": {\"words\": {\"kind\": \"isotonic\", \"margin\": false, \"limit\": 0, \"x\": [0.1, 0.9], "         \
    "\"y\": [0.2, 0.8]}, \"sentences\": {\"bias\": 1, \"weight\": [0, 1, 0, 0, 0, 0], "                                \
    "\"mean\": [0, 0, 0, 0, 0, 0], \"scale\": [1, 1, 1, 1, 1, 1]}, "                                                   \
    "\"evidence\": {\"words\": {\"count\": 10}}}}}}}"

static inline struct learner_options small_parameters(void)
{
    return (struct learner_options){.C = 1, .phi = 1, .variance = 1, .rate = 0.5, .l2 = 0.1, .K = 1};
}

static inline struct model_voice small_voice(const struct examples *examples, const char *name)
{
    struct training_options options = {
        .learner = learner_named(name), .parameters = small_parameters(), .passes = 5, .seed = 1};
    struct model_voice stored = {0};
    struct voice voice;
    bool stopped;
    if (!train_voice(examples, (struct subset){NULL, examples->count}, &options, &voice, &stopped, NULL))
        abort();
    if (!model_voice_keep(&stored, &voice, name, NULL))
        abort();
    voice_release(&voice);
    return stored;
}

/* Learns one voice for each name, up to a NULL, in every layer. */
static inline void small_layers(const struct dataset *dataset, const char *const *voices, struct model_layer *layer)
{
    for (uint32_t l = 0; l < dataset->layers; l++) {
        layer[l] = (struct model_layer){.space = dataset->layer[l].examples.space};
        snprintf(layer[l].name, sizeof layer[l].name, "%s", dataset->layer[l].name);
        for (; voices[layer[l].voices]; layer[l].voices++)
            layer[l].voice[layer[l].voices] = small_voice(&dataset->layer[l].examples, voices[layer[l].voices]);
    }
}

static inline void small_layers_free(struct model_layer *layer, uint32_t layers)
{
    for (uint32_t l = 0; l < layers; l++)
        for (uint32_t v = 0; v < layer[l].voices; v++)
            model_voice_release(&layer[l].voice[v]);
}

/* Writes a model with `confidence` (which may be NULL) in its header; takes that over. */
static inline void small_write(struct model_content *content, json_t *confidence, const char *path)
{
    struct output *out = output_open(path, NULL);
    content->header = json_pack("{s:s}", "program", "test");
    if (confidence)
        json_object_set_new(content->header, "confidence", confidence);
    if (!out || !model_write(out, content, NULL) || !output_commit(out, NULL))
        abort();
    json_decref(content->header);
}

static inline void small_tag_corpus(struct corpus *corpus, const char *text)
{
    char *paths[] = {strdup(folder_put("tags", text))};
    struct corpus_plan plan = {.task = task_named("ner"),
                               .template = SMALL_TEMPLATE,
                               .template_name = "template",
                               .template_strict = true,
                               .cutoff = 1,
                               .inner = SCHEME_IOB2,
                               .reading = {.format = FORMAT_CONLL, .gold = GOLD_LAST}};
    if (!corpus_read(corpus, &plan, paths, 1, NULL, NULL))
        abort();
    free(paths[0]);
}

static inline void small_tree_corpus(struct corpus *corpus, const char *text, uint32_t bits)
{
    char *paths[] = {strdup(folder_put("trees", text))};
    struct corpus_plan plan = {.arc_bits = bits, .relation_bits = bits, .reading = {.trees = true}};
    if (!corpus_read(corpus, &plan, paths, 1, NULL, NULL))
        abort();
    free(paths[0]);
}

static inline const char *small_tagger(const char *name, const char *const *voices, json_t *confidence)
{
    struct corpus corpus;
    struct model_layer layer[MAX_LAYERS];
    small_tag_corpus(&corpus, SMALL_TAGS);
    struct dataset dataset = corpus.dataset;
    small_layers(&dataset, voices, layer);
    struct model_content content = {.task = "ner",
                                    .template = corpus.template,
                                    .labels = &corpus.labels,
                                    .vocabulary = &corpus.vocabulary,
                                    .layer = layer,
                                    .layers = 1,
                                    .seen = &corpus.seen};
    const char *path = folder_file(name);
    small_write(&content, confidence, path);
    small_layers_free(layer, 1);
    corpus_release(&corpus);
    return path;
}

static inline const char *small_parser(const char *name, const char *const *voices, json_t *confidence)
{
    struct corpus corpus;
    struct model_layer layer[MAX_LAYERS];
    small_tree_corpus(&corpus, SMALL_TREES, 8);
    struct dataset dataset = corpus.dataset;
    small_layers(&dataset, voices, layer);
    struct model_content content = {
        .task = "dep", .labels = &corpus.labels, .layer = layer, .layers = dataset.layers, .seen = &corpus.seen};
    const char *path = folder_file(name);
    small_write(&content, confidence, path);
    small_layers_free(layer, dataset.layers);
    corpus_release(&corpus);
    return path;
}

#endif
