/*
 * Makes a small real model: learned from a file and written. The one that most
 * tests share holds two voices, cw and crf, over the corpus below; it is built
 * once.
 */
#ifndef VOUCH_TESTS_USUAL_MODEL_H
#define VOUCH_TESTS_USUAL_MODEL_H

#include "base/hash.h"
#include "base/random.h"
#include "chain/chain.h"
#include "model/model.h"
#include "train/corpus.h"

#include "model_image.h"

#include <fcntl.h>
#include <pthread.h>

/* Some words need escaping in a dump; some are not ASCII. */
static const char corpus_text[] = "Ada NNP B-PER\nLovelace NNP I-PER\nlives VBZ O\nin IN O\nParis NNP B-LOC\n. . O\n\n"
                                  "the DT O\nold JJ O\nbridge NN O\nof IN O\nNew NNP B-LOC\nYork NNP I-LOC\n\n"
                                  "Émile NNP B-PER\nZola NNP I-PER\nsaw VBD O\nC:\\temp\\new NN O\n. . O\n\n"
                                  "\\t NN O\nmet VBD O\nAda NNP B-PER\nin IN O\nZürich NNP B-LOC\n\n"
                                  "Łódź NNP B-LOC\nsaw VBD O\nZola NNP B-PER\nAda NNP B-PER\n. . O\n\n"
                                  "lives VBZ O\nof IN O\nthe DT O\nold JJ O\n\\\\ NN O\n\n"
                                  "Paris NNP B-LOC\n\n";

static const char template_text[] = "U0:%x[0,0]\nU1:%x[-1,0]\nU2:%x[0,1]/%x[1,1]\nU3:%suffix2[0,0]\nB\n";

/* What to build. */
struct recipe {
    const char *corpus, *template;
    enum format format;
    uint32_t cutoff;
    enum scheme inner;
    const char *voices[3]; /* names of learners, then NULL */
    const char *first;     /* name of the learner of a first stage; NULL: there is none */
};

static const struct recipe usual = {corpus_text, template_text, FORMAT_CONLL, 1, SCHEME_BIOES, {"cw", "crf"}};

static void write_model(const struct corpus *corpus, const struct model_layer *layer, const struct model_layer *first,
                        const char *path)
{
    json_t *header = json_pack("{s:s, s:i, s:f, s:f, s:{s:[i, i]}}", "program", "test", "seed", 1, "third", 1.0 / 3,
                               "whole", 2.0, "nested", "list", 1, 2);
    assert_non_null(header);
    if (first->voices)
        assert_int_equal(json_object_set_new(header, "context", json_pack("{s:i}", "sentences", 2)), 0);
    struct model_content content = {.header = header,
                                    .task = "ner",
                                    .template = corpus->template,
                                    .labels = &corpus->labels,
                                    .vocabulary = &corpus->vocabulary,
                                    .layer = layer,
                                    .layers = 1,
                                    .first = first->voices ? first : NULL,
                                    .seen = &corpus->seen};
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    assert_true(model_write(out, &content, &err));
    assert_true(output_commit(out, &err));
    json_decref(header);
}

/* Builds a model and returns its path. */
static const char *build(const struct recipe *recipe, const char *name)
{
    char *paths[] = {strdup(folder_put("corpus", recipe->corpus))};
    const char *path = folder_file(name);
    struct corpus_plan plan = {.task = task_named("ner"),
                               .template = recipe->template,
                               .template_name = "template",
                               .template_strict = true,
                               .cutoff = recipe->cutoff,
                               .inner = recipe->inner,
                               .reading = {recipe->format, GOLD_LAST}};
    struct corpus corpus;
    if (!corpus_read(&corpus, &plan, paths, 1, NULL, &err))
        fail_msg("%s", err.message);
    struct examples examples = tag_set_examples(&corpus.tags, &corpus.vocabulary, &corpus.labels, &chain_structure);
    struct model_layer layer = {.name = "label", .space = examples.space};
    for (; recipe->voices[layer.voices]; layer.voices++)
        layer.voice[layer.voices] = learn_voice(&examples, recipe->voices[layer.voices], 10);
    struct model_layer first = {.name = "first", .space = examples.space, .voices = recipe->first != NULL};
    if (recipe->first)
        first.voice[0] = learn_voice(&examples, recipe->first, 3);
    write_model(&corpus, &layer, &first, path);
    free_voices(&layer);
    free_voices(&first);
    corpus_release(&corpus);
    free(paths[0]);
    return path;
}

FIXTURE(build_usual)
{
    return folder_make(state) == 0 ? take_image(build(&usual, "model")) : -1;
}

#endif
