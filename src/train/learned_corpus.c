/* Reads a corpus of either kind: see learned_corpus.h. */
#include "train/learned_corpus.h"

#include "base/watch.h"
#include "answer/model_input.h"
#include "answer/seen_before.h"

#include <math.h>
#include <stdio.h>

enum { MANY_LABELS = 500 }; /* a corpus with more labels than that probably has words in the column of labels */

static void see_tags(struct learned_corpus *c)
{
    c->dataset = tag_dataset(&c->tags);
    c->labels = &c->tags.labels;
    c->vocabulary = &c->tags.vocabulary;
    c->template = c->tags.template;
    c->seen = &c->tags.seen;
    c->digest = c->tags.digest;
    c->dev_digest = c->tags.dev_digest;
    c->dev_seen = c->tags.dev_seen;
}

static void see_trees(struct learned_corpus *c)
{
    c->dataset = tree_dataset(&c->trees);
    c->labels = &c->trees.relations;
    c->seen = &c->trees.seen;
    c->digest = c->trees.digest;
    c->dev_digest = c->trees.dev_digest;
    c->dev_seen = c->trees.dev_seen;
}

static bool is_of_trees(const struct learned_corpus *corpus)
{
    return corpus->vocabulary == NULL;
}

bool learned_corpus_read(struct learned_corpus *c, const struct learning *learning, const struct labelled_files *files,
                         const struct vouch_watch *watch, struct vouch_error *err)
{
    bool ok;
    *c = (struct learned_corpus){0};
    if (learning->parses) {
        ok = tree_corpus_read(&c->trees, &learning->trees, files->path, files->paths, watch, err) &&
             (!files->dev || tree_corpus_read_dev(&c->trees, &learning->trees, files->dev, err));
        see_trees(c);
    } else {
        ok = tag_corpus_read(&c->tags, &learning->tags, files->path, files->paths, watch, err) &&
             (!files->dev || tag_corpus_read_dev(&c->tags, &learning->tags, files->dev, err));
        see_tags(c);
    }
    return ok;
}

bool learned_corpus_send(struct learned_corpus *c, const uint32_t *sentence, uint32_t count, struct vouch_error *err)
{
    bool ok = is_of_trees(c) ? arc_set_send(&c->trees.set, sentence, count, err)
                             : tag_set_send(&c->tags.set, sentence, count, err);
    if (is_of_trees(c)) /* its views show the guests from now on */
        see_trees(c);
    else
        see_tags(c);
    return ok;
}

/* Warns if the model knows no label at all: it is then not the model for these files. */
static void look_for_known_labels(const struct tag_set *dev, const struct vouch_watch *watch)
{
    for (uint64_t i = 0; i < dev->words; i++)
        if (dev->gold[i] != NO_LABEL)
            return;
    warn_of_unknown_labels(watch);
}

/* Returns the ending of a plural, or nothing for one. */
static const char *s_if_many(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Tells the watch a line about `sentences` that were read. */
static void tell_read(const struct vouch_watch *watch, uint32_t sentences, const char *line)
{
    watch_tell(watch, (struct vouch_event){.kind = VOUCH_EVENT_READ,
                                           .what = "reading",
                                           .done = sentences,
                                           .of = sentences,
                                           .number = NAN,
                                           .text = line});
}

/* Reads files as a model that labels sees them. */
static bool borrow_tags(struct learned_corpus *c, const struct vouch_model *model, const struct reader_options *reading,
                        const struct labelled_files *files, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct tag_plan plan = {.reading = *reading};
    bool ok = tag_corpus_borrow(&c->tags, model, err);
    for (size_t i = 0; ok && i < files->paths; i++)
        ok = tag_corpus_read_dev(&c->tags, &plan, files->path[i], err);
    see_tags(c);
    if (ok)
        look_for_known_labels(&c->tags.dev, watch);
    return ok;
}

/* Reads files as a model that parses sees them. */
static bool borrow_trees(struct learned_corpus *c, const struct vouch_model *model,
                         const struct reader_options *reading, const struct labelled_files *files,
                         struct vouch_error *err)
{
    struct tree_plan plan = {.reading = *reading};
    bool ok = true;
    tree_corpus_borrow(&c->trees, model);
    for (size_t i = 0; ok && i < files->paths; i++)
        ok = tree_corpus_read_dev(&c->trees, &plan, files->path[i], err);
    see_trees(c);
    return ok;
}

bool learned_corpus_borrow(struct learned_corpus *c, const struct vouch_model *model, struct reader_options *reading,
                           const struct labelled_files *files, const struct vouch_watch *watch, struct vouch_error *err)
{
    char line[80];
    *c = (struct learned_corpus){0};
    model_input_settle(model, reading);
    if (model->given && files->paths > 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "--scores are of one file: expected one, found %zu", files->paths);
    if (!(model->trees ? borrow_trees(c, model, reading, files, err)
                       : borrow_tags(c, model, reading, files, watch, err)))
        return false;
    uint32_t sentences = c->dataset.layer[0].dev.count;
    size_t words = c->dataset.words_before(c->dataset.self, true, sentences);
    snprintf(line, sizeof line, "read %u sentence%s, %zu word%s", sentences, s_if_many(sentences), words,
             s_if_many(words));
    tell_read(watch, sentences, line);
    return true;
}

void learned_corpus_release(struct learned_corpus *corpus)
{
    tag_corpus_release(&corpus->tags);
    tree_corpus_release(&corpus->trees);
}

static const char *const multi_root_done[] = {[MULTI_ROOT_SKIP] = "skipped",
                                              [MULTI_ROOT_KEEP] = "kept",
                                              [MULTI_ROOT_ATTACH] = "attached to the first root the others of"};

static void tell_trees(const struct tree_corpus *t, enum multi_root done, const struct vouch_watch *watch)
{
    uint32_t relations = labels_count(&t->relations);
    char line[160];
    snprintf(line, sizeof line, "read %u tree%s, %llu word%s (%s); %u relation%s", t->set.sentences,
             s_if_many(t->set.sentences), (unsigned long long)t->set.all_words, s_if_many(t->set.all_words),
             format_name(t->format), relations, s_if_many(relations));
    tell_read(watch, t->set.sentences, line);
    if (t->multi_root)
        watch_say(watch, VOUCH_EVENT_NOTE, "%s %u sentence%s with several roots%s", multi_root_done[done],
                  t->multi_root, s_if_many(t->multi_root), done == MULTI_ROOT_SKIP ? " (--multi-root)" : "");
}

static void tell_tags(const struct tag_corpus *c, const struct vouch_watch *watch)
{
    uint32_t labels = labels_count(&c->labels);
    char learned_as[40] = "", line[200];
    if (c->labels.inner != c->labels.outer)
        snprintf(learned_as, sizeof learned_as, " (learned as %s)", scheme_name(c->labels.inner));
    snprintf(line, sizeof line, "read %u sentence%s, %llu word%s (%s); %u label%s, scheme %s%s; %u features",
             c->set.sentences, s_if_many(c->set.sentences), (unsigned long long)c->set.all_words,
             s_if_many(c->set.all_words), format_name(c->format), labels, s_if_many(labels),
             scheme_name(c->labels.outer), learned_as, feature_index_count(&c->vocabulary.node));
    tell_read(watch, c->set.sentences, line);
    if (labels > MANY_LABELS)
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %u different labels: is it the right column (--gold)?", labels);
    if (labels == 1)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: every word has the same label: is it the right task and column (--gold)?");
}

void learned_corpus_tell(const struct learned_corpus *corpus, const struct learning *learning,
                         const struct vouch_watch *watch)
{
    if (is_of_trees(corpus))
        tell_trees(&corpus->trees, learning->trees.multi_root, watch);
    else
        tell_tags(&corpus->tags, watch);
}

uint32_t learned_corpus_new_labels(const struct learned_corpus *corpus, const struct vouch_model *model)
{
    /* A parser without relations learns none, whatever the treebank has. */
    return corpus->trees.unlabelled ? 0 : labels_count(corpus->labels) - labels_count(&model->labels);
}

void learned_corpus_tell_new(const struct learned_corpus *corpus, const struct vouch_model *model, const char *name,
                             const struct vouch_watch *watch)
{
    uint32_t labels = learned_corpus_new_labels(corpus, model);
    if (is_of_trees(corpus))
        watch_say(watch, VOUCH_EVENT_NOTE, "going on from %s; new relations: %u", name, labels);
    else
        watch_say(watch, VOUCH_EVENT_NOTE, "going on from %s; new labels: %u, new features: %u", name, labels,
                  feature_index_count(&corpus->vocabulary->node) - model->layer[0].space.nodes);
}

bool learned_corpus_describe(const struct learned_corpus *corpus, const struct learning *learning, json_t *header)
{
    const struct reader_options *reading = &learning->tags.reading;
    bool of_column = !is_of_trees(corpus) && corpus->tags.format == FORMAT_CONLLU, ok = true;
    if (of_column)
        ok = json_object_set_new(header, "column", json_string(column_name(reading->column))) == 0;
    else if (reading->gold)
        ok = json_object_set_new(header, "gold", json_integer(reading->gold)) == 0;
    json_t *columns = is_of_trees(corpus) ? NULL : column_survey_json(&corpus->tags.survey);
    return ok && (!columns || json_object_set_new(header, "columns", columns) == 0);
}
