/*
 * Shows a corpus to learning, measures on it, and tells what is in it: see corpus.h. A label is right if it is the
 * corpus's own in the corpus's own spelling, whatever scheme was learned in.
 */
#include "train/corpus.h"

#include "answer/model_input.h"
#include "base/buffer.h"
#include "base/watch.h"
#include "chain/chain.h"
#include "measure/tag_score.h"
#include "train/corpus_context.h"
#include "tree/tree.h"

#include <math.h>
#include <stdio.h>

enum { MANY_LABELS = 500 }; /* a corpus with more labels than that probably has words in the column of labels */

/* ---- Measuring ---- */

/* The state of answering sentences and counting what is right, with its working memory. */
struct scoring {
    const struct corpus *corpus;
    const struct tag_set *tags;
    struct tag_score score;
    struct answering answering;
    struct label_work work;
    struct text *gold, *guess;
    size_t gold_capacity, guess_capacity;
};

/* Counts what is right of the answer to sentence i. */
typedef bool (*count_right)(struct scoring *s, uint32_t i, const struct example *example, struct vouch_error *err);

/*
 * Does so where some labels are open. Labels are compared as they are learned: such sentences need not be in the
 * corpus's scheme. Open words count as outside of both gold and answer, so that chunks end there, and not as words.
 */
static bool count_decided(struct scoring *s, const struct example *example, struct vouch_error *err)
{
    uint32_t N = example->parts.N, decided = 0;
    bool chunks = s->score.unit == TAG_CHUNKS;
    for (uint32_t w = 0; w < N; w++) {
        bool open = example->gold[w] == OPEN_CHOICE;
        if (open && !chunks)
            continue;
        uint32_t to = chunks ? w : decided;
        s->gold[to] = open ? text_of("O") : labels_name(&s->corpus->labels, example->gold[w]);
        s->guess[to] = open ? text_of("O") : labels_name(&s->corpus->labels, s->answering.choice[w]);
        decided += !open;
    }
    if (!tag_score_add(&s->score, s->gold, s->guess, chunks ? N : decided, err))
        return false;
    s->score.words -= chunks ? N - decided : 0;
    s->score.right_words -= chunks ? N - decided : 0;
    return true;
}

static bool count_labels(struct scoring *s, uint32_t i, const struct example *example, struct vouch_error *err)
{
    uint32_t N = example->parts.N;
    if (!RESERVE(s->gold, s->gold_capacity, (size_t)N + 1, err) ||
        !RESERVE(s->guess, s->guess_capacity, (size_t)N + 1, err) ||
        !labels_write(&s->corpus->labels, s->answering.choice, N, &s->work, s->guess, err))
        return false;
    if (count_open(example->gold, N))
        return count_decided(s, example, err);
    for (uint32_t w = 0; w < N; w++)
        s->gold[w] = tag_set_gold(s->tags, i, w);
    return tag_score_add(&s->score, s->gold, s->guess, N, err);
}

static bool count_arcs(struct scoring *s, uint32_t i, const struct example *example, struct vouch_error *err)
{
    (void)i, (void)err;
    for (uint32_t w = 0; w < example->parts.N; w++)
        s->score.right_words += s->answering.choice[w] == example->gold[w];
    s->score.words += example->parts.N - count_open(example->gold, example->parts.N);
    return true;
}

/* Adds up what the ranks have counted; types are not told apart. */
static bool sum_score(const struct ranks *ranks, struct tag_score *score, struct vouch_error *err)
{
    struct tag_counts *all = &score->all;
    int64_t sum[] = {(int64_t)all->gold, (int64_t)all->guessed, (int64_t)all->correct, (int64_t)score->words,
                     (int64_t)score->right_words};
    if (!ranks_sum(ranks, sum, sizeof sum / sizeof *sum, err))
        return false;
    *all = (struct tag_counts){(uint64_t)sum[0], (uint64_t)sum[1], (uint64_t)sum[2]};
    score->words = (uint64_t)sum[3];
    score->right_words = (uint64_t)sum[4];
    return true;
}

static bool measure(const struct corpus *corpus, const struct test_set *test, const float *weights, enum tag_unit unit,
                    count_right count, struct layer_score *measured, struct vouch_error *err)
{
    const struct examples *examples = dataset_examples(&corpus->dataset, test->layer, test->dev);
    const struct own_sentences *own = &corpus->dataset.layer[0].examples.own;
    struct scoring s = {.corpus = corpus, .tags = test->dev ? &corpus->dev_tags : &corpus->tags};
    struct subset subset = test->dev ? (struct subset){NULL, examples->count} : test->subset;
    bool ok = true;
    tag_score_init(&s.score, unit);
    for (uint32_t k = 0; ok && k < subset.count; k++) {
        uint32_t i = subset.index ? subset.index[k] : k;
        struct example example;
        ok = !sentence_is_own(own, i) ||
             (examples_answer(examples, i, weights, &s.answering, &example, err) && count(&s, i, &example, err));
    }
    ok = ok && sum_score(own->ranks, &s.score, err);
    struct tag_rates rates = tag_rates(s.score.all);
    *measured = (struct layer_score){.precision = rates.precision,
                                     .recall = rates.recall,
                                     .f1 = rates.f1,
                                     .accuracy = tag_percent(s.score.right_words, s.score.words),
                                     .chunks = s.score.unit == TAG_CHUNKS};
    measured->figure = measured->chunks ? measured->f1 : measured->accuracy;
    tag_score_release(&s.score);
    answering_release(&s.answering);
    label_work_release(&s.work);
    free(s.gold);
    free(s.guess);
    return ok;
}

/* ---- The dataset of labels ---- */

static const struct tag_set *tags_of(const struct corpus *corpus, bool dev)
{
    return dev ? &corpus->dev_tags : &corpus->tags;
}

static bool measure_labels(const void *self, const struct test_set *test, const float *weights,
                           struct layer_score *measured, struct vouch_error *err)
{
    const struct corpus *corpus = self;
    return measure(corpus, test, weights, tag_unit_of(corpus->labels.outer), count_labels, measured, err);
}

/* Compares an answer with gold some of which is open, which need not be in the corpus's scheme. */
static void compare_decided(const struct corpus *corpus, const uint32_t *gold, const uint32_t *choice, uint32_t N,
                            bool *right)
{
    const struct span_rules *rules = &corpus->rules;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t before = n > 0 ? choice[n - 1] : rules->labels;
        right[n] = gold[n] == choice[n] ||
                   (gold[n] != OPEN_CHOICE && rules->labels && span_alike(rules, before, gold[n], choice[n]));
    }
}

static bool compare_labels(const void *self, const struct example_answer *answer, bool *right, struct vouch_error *err)
{
    const struct corpus *corpus = self;
    const struct tag_set *tags = tags_of(corpus, answer->dev);
    const struct tag_item *item = tag_set_item(tags, answer->number);
    uint32_t N = item->N;
    if (tags->partial && count_open(tags->gold + item->word, N)) {
        compare_decided(corpus, tags->gold + item->word, answer->choice, N, right);
        return true;
    }
    struct label_work work = {0};
    struct text *guess = new_array((size_t)N + 1, sizeof *guess, err);
    bool ok = guess && labels_write(&corpus->labels, answer->choice, N, &work, guess, err);
    for (uint32_t n = 0; ok && n < N; n++)
        right[n] = text_equal(guess[n], tag_set_gold(tags, answer->number, n));
    label_work_release(&work);
    free(guess);
    return ok;
}

static size_t labels_before(const void *self, bool dev, uint32_t i)
{
    const struct tag_set *tags = tags_of(self, dev);
    return i < tags->sentences ? tag_set_item(tags, i)->word : tags->words;
}

static uint32_t labels_of(const void *self, bool dev, uint32_t i)
{
    return tag_set_item(tags_of(self, dev), i)->N;
}

static uint32_t *label_features(const void *self, uint32_t *count, struct vouch_error *err)
{
    const struct corpus *c = self;
    *count = feature_index_count(&c->vocabulary.node) + feature_index_count(&c->vocabulary.edge);
    return tag_feature_names(&c->templates, &c->vocabulary, err);
}

static void show_labels(struct corpus *c)
{
    c->tags.transitions = c->dev_tags.transitions = &c->transitions;
    c->dataset =
        (struct dataset){.layers = 1,
                         .layer = {{"label", tag_set_examples(&c->tags, &c->vocabulary, &c->labels, &chain_structure),
                                    tag_set_examples(&c->dev_tags, &c->vocabulary, &c->labels, &chain_structure)}},
                         .self = c,
                         .words = c->tags.all_words,
                         .decided = c->tags.all_words - c->tags.open,
                         .rules = c->rules.labels ? &c->rules : NULL,
                         .measure = measure_labels,
                         .compare = compare_labels,
                         .words_before = labels_before,
                         .words_of = labels_of,
                         .feature_names = label_features};
}

/* ---- The dataset of trees ---- */

static const struct arc_set *arcs_of(const struct corpus *corpus, bool dev)
{
    return dev ? &corpus->dev_arcs : &corpus->arcs;
}

static bool measure_arcs(const void *self, const struct test_set *test, const float *weights,
                         struct layer_score *measured, struct vouch_error *err)
{
    return measure(self, test, weights, TAG_LABELS, count_arcs, measured, err);
}

static bool compare_arcs(const void *self, const struct example_answer *answer, bool *right, struct vouch_error *err)
{
    const struct arc_set *arcs = arcs_of(self, answer->dev);
    const struct arc_item *item = arc_set_item(arcs, answer->number);
    const uint32_t *gold = (answer->layer ? arcs->relation : arcs->head) + item->first;
    (void)err;
    for (uint32_t n = 0; n < item->N; n++)
        right[n] = answer->choice[n] == gold[n];
    return true;
}

static size_t heads_before(const void *self, bool dev, uint32_t i)
{
    const struct arc_set *arcs = arcs_of(self, dev);
    return i < arcs->sentences ? arc_set_item(arcs, i)->first : arcs->words;
}

static uint32_t heads_of(const void *self, bool dev, uint32_t i)
{
    return arc_set_item(arcs_of(self, dev), i)->N;
}

static bool relations_for_heads(const void *self, bool dev, const uint32_t *head, struct examples *examples,
                                void **owned, struct vouch_error *err)
{
    const struct corpus *corpus = self;
    struct chosen_arcs *chosen = new_array(1, sizeof *chosen, err);
    *owned = chosen;
    if (!chosen)
        return false;
    *chosen = (struct chosen_arcs){.set = arcs_of(corpus, dev), .head = head};
    *examples = chosen_arcs_relations(chosen, labels_count(&corpus->labels), &chain_structure);
    return true;
}

static void show_trees(struct corpus *c)
{
    uint32_t labels = labels_count(&c->labels);
    c->dataset = (struct dataset){
        .trees = true,
        .layers = c->unlabelled ? 1 : 2,
        .layer = {{"arc", arc_set_arcs(&c->arcs, &tree_structure), arc_set_arcs(&c->dev_arcs, &tree_structure)},
                  {c->unlabelled ? NULL : "relation", arc_set_relations(&c->arcs, labels, &chain_structure),
                   arc_set_relations(&c->dev_arcs, labels, &chain_structure)}},
        .self = c,
        .words = c->arcs.all_words,
        .decided = c->arcs.all_words - c->arcs.open,
        .rules = c->rules.labels ? &c->rules : NULL,
        .measure = measure_arcs,
        .compare = compare_arcs,
        .words_before = heads_before,
        .words_of = heads_of,
        .relations_for_heads = relations_for_heads};
}

struct dataset corpus_first_stage(const struct corpus *corpus)
{
    struct dataset dataset = corpus->dataset;
    dataset.layers = 1;
    dataset.layer[0].name = FIRST_STAGE;
    dataset.relations_for_heads = NULL;
    return dataset;
}

void corpus_show(struct corpus *corpus)
{
    (corpus->dataset.trees ? show_trees : show_labels)(corpus);
}

struct noise *dataset_noise(const struct dataset *dataset, uint64_t seed, struct vouch_error *err)
{
    struct noise *noise = noise_new(seed, err);
    if (!noise || !dataset->feature_names)
        return noise;
    uint32_t count, *name = dataset->feature_names(dataset->self, &count, err);
    if (name) {
        noise_name_features(noise, name, count);
        return noise;
    }
    noise_free(noise);
    return NULL;
}

const struct dictionary *corpus_names(const struct corpus *corpus, bool dev)
{
    return corpus->dataset.layers > 1 ? &corpus->labels.names
           : dev                      ? &corpus->dev_tags.raw_names
                                      : &corpus->tags.raw_names;
}

/* ---- What is told of it ---- */

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

/* Warns if the model knows no label at all: it is then not the model for these files. */
static void warn_if_no_label_is_known(const struct tag_set *dev, const struct vouch_watch *watch)
{
    for (uint64_t i = 0; i < dev->words; i++)
        if (dev->gold[i] != NO_LABEL)
            return;
    warn_of_unknown_labels(watch);
}

bool corpus_read_for(struct corpus *c, const struct vouch_model *model, const struct score_files *scores,
                     struct reader_options *reading, char *const *path, size_t paths, const struct vouch_watch *watch,
                     struct vouch_error *err)
{
    char line[80];
    *c = (struct corpus){0};
    model_input_settle(model, reading);
    if (scores && paths > 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "--scores are of one file: expected one, found %zu", paths);
    bool ok = corpus_borrow(c, model, err);
    c->scores = scores;
    for (size_t i = 0; ok && i < paths; i++)
        ok = corpus_read_dev(c, &(struct corpus_plan){.reading = *reading}, path[i], err);
    if (!ok || !file_overlap_end(&c->overlap, err) || !context_answer(c, model, err))
        return false;
    warn_of_overlap(watch, &c->overlap);
    if (!model->trees)
        warn_if_no_label_is_known(&c->dev_tags, watch);
    uint32_t sentences = c->dataset.layer[0].dev.count;
    size_t words = c->dataset.words_before(c, true, sentences);
    snprintf(line, sizeof line, "read %u sentence%s, %zu word%s", sentences, s_if_many(sentences), words,
             s_if_many(words));
    tell_read(watch, sentences, line);
    return true;
}

/* Returns how many words are labelled, as part of a line; nothing if all are. */
static const char *labelled_part(const struct dataset *dataset, const char *what, char *room, size_t size)
{
    room[0] = 0;
    if (dataset->decided < dataset->words)
        snprintf(room, size, ", %llu of them with %s", (unsigned long long)dataset->decided, what);
    return room;
}

/* Tells of what is not learned from, or not as it may be meant, in a corpus that is labelled in part. */
static void tell_open(const struct corpus *c, const struct vouch_watch *watch)
{
    uint64_t odd = c->labels.outer == SCHEME_IOB1 ? c->tags.scheme.i_after_open : 0;
    if (c->undecided)
        watch_say(watch, VOUCH_EVENT_NOTE, "passed over %u sentence%s in which all is open", c->undecided,
                  s_if_many(c->undecided));
    if (odd)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: %llu label%s I-... after an open word: taken to go on with a chunk, as in IOB2, though the "
                  "corpus is in IOB1",
                  (unsigned long long)odd, s_if_many(odd));
}

/* Warns of a label that looks like an open one. */
static void warn_of_marks(const struct corpus *c, const struct vouch_watch *watch)
{
    bool named = c->format == FORMAT_CONLLU; /* "_" is a usual label in most of its columns */
    const char *mark = dictionary_find(&c->tags.raw_names, text_of("?"))             ? "?"
                       : !named && dictionary_find(&c->tags.raw_names, text_of("_")) ? "_"
                                                                                     : NULL;
    if (mark && !c->tags.partial)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: '%s' is learned as a label: if such words are not labelled yet, say --partial", mark);
}

static void tell_trees(const struct corpus *c, enum multi_root done, const struct vouch_watch *watch)
{
    static const char *const did[] = {[MULTI_ROOT_SKIP] = "skipped",
                                      [MULTI_ROOT_KEEP] = "kept",
                                      [MULTI_ROOT_ATTACH] = "attached to the first root the others of"};
    uint32_t relations = labels_count(&c->labels), sentences = c->arcs.sentences;
    char line[160], part[60];
    snprintf(line, sizeof line, "read %u tree%s, %llu word%s%s (%s); %u relation%s", sentences, s_if_many(sentences),
             (unsigned long long)c->arcs.all_words, s_if_many(c->arcs.all_words),
             labelled_part(&c->dataset, "heads", part, sizeof part), format_name(c->format), relations,
             s_if_many(relations));
    tell_read(watch, sentences, line);
    if (c->multi_root)
        watch_say(watch, VOUCH_EVENT_NOTE, "%s %u sentence%s with several roots%s", did[done], c->multi_root,
                  s_if_many(c->multi_root), done == MULTI_ROOT_SKIP ? " (--multi-root)" : "");
}

static void tell_labels(const struct corpus *c, const struct vouch_watch *watch)
{
    uint32_t labels = labels_count(&c->labels), sentences = c->tags.sentences;
    char learned_as[40] = "", line[240], part[60];
    if (c->labels.inner != c->labels.outer)
        snprintf(learned_as, sizeof learned_as, " (learned as %s)", scheme_name(c->labels.inner));
    snprintf(line, sizeof line, "read %u sentence%s, %llu word%s%s (%s); %u label%s, scheme %s%s; %u features",
             sentences, s_if_many(sentences), (unsigned long long)c->tags.all_words, s_if_many(c->tags.all_words),
             labelled_part(&c->dataset, "labels", part, sizeof part), format_name(c->format), labels, s_if_many(labels),
             scheme_name(c->labels.outer), learned_as, feature_index_count(&c->vocabulary.node));
    tell_read(watch, sentences, line);
    warn_of_marks(c, watch);
    if (labels > MANY_LABELS)
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %u different labels: is it the right column (--gold)?", labels);
    if (labels == 1)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: every word has the same label: is it the right task and column (--gold)?");
}

void corpus_tell(const struct corpus *corpus, const struct corpus_plan *plan, const struct vouch_watch *watch)
{
    if (corpus->dataset.trees)
        tell_trees(corpus, plan->multi_root, watch);
    else
        tell_labels(corpus, watch);
    tell_open(corpus, watch);
}

uint32_t corpus_new_labels(const struct corpus *corpus, const struct vouch_model *model)
{
    /* A parser without relations learns none, whatever the treebank has. */
    return corpus->unlabelled ? 0 : labels_count(&corpus->labels) - labels_count(&model->labels);
}

bool corpus_describe(const struct corpus *corpus, const struct reader_options *reading, json_t *header)
{
    bool trees = corpus->dataset.trees, ok = true;
    if (!trees && corpus->format == FORMAT_CONLLU)
        ok = json_object_set_new(header, "column", json_string(column_name(reading->column))) == 0;
    else if (reading->gold)
        ok = json_object_set_new(header, "gold", json_integer(reading->gold)) == 0;
    if (corpus->transitions.allowed)
        ok = ok && json_object_set_new(header, "constraints", json_true()) == 0;
    if (corpus->context.sentences)
        ok = ok && json_object_set_new(header, "context",
                                       json_pack("{s:i}", "sentences", (int)corpus->context.sentences)) == 0;
    json_t *columns = trees ? NULL : column_survey_json(&corpus->survey);
    return ok && (!columns || json_object_set_new(header, "columns", columns) == 0);
}

/* ---- Counting what words are called, for counts of answers (core/answer_counts.h) ---- */

bool count_words(const struct dataset *dataset, uint32_t layer, const uint32_t *subset, uint32_t count,
                 struct answer_counts *counts, struct vouch_error *err)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    struct scratch scratch = {0};
    bool ok = true;
    for (uint32_t k = 0; ok && k < count; k++) {
        struct example example;
        ok = examples->get(examples->self, subset ? subset[k] : k, &scratch, &example, err);
        struct counted_answer answer = {.names = example.parts.names,
                                        .N = example.parts.N,
                                        .choice = example.gold,
                                        .rules = layer == 0 ? dataset->rules : NULL};
        ok = ok && answer_counts_add(counts, &answer, err);
    }
    scratch_release(&scratch);
    return ok;
}

/* Counts, into empty counts, what this rank has of all examples. */
static bool count_own(const struct dataset *dataset, uint32_t layer, struct answer_counts *counts,
                      struct vouch_error *err)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    uint32_t *own = new_array(examples->count, sizeof *own, err), count = 0;
    for (uint32_t i = 0; own && i < examples->count; i++)
        if (sentence_is_own(&examples->own, i))
            own[count++] = i;
    bool ok = own && count_words(dataset, layer, own, count, counts, err);
    free(own);
    return ok;
}

bool count_all_words(const struct dataset *dataset, uint32_t layer, struct answer_counts *counts,
                     struct vouch_error *err)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    if (!examples->own.ranks)
        return count_words(dataset, layer, NULL, examples->count, counts, err);
    struct answer_counts own = {0};
    struct buffer slots = {0};
    struct gathered all = {0};
    bool ok = count_own(dataset, layer, &own, err);
    for (uint64_t at = 0, slot; ok && answer_counts_next(&own, &at, &slot);)
        ok = buffer_add_bytes(&slots, &slot, sizeof slot, err);
    ok = ok && ranks_gather(examples->own.ranks, slots.bytes, slots.length, FOR_FIRST, &all, err) &&
         (all.start[all.count] == 0 || answer_counts_expect(counts, all.start[all.count] / sizeof(uint64_t), err));
    for (uint64_t at = 0, slot; ok && at < all.start[all.count]; at += sizeof slot) {
        memcpy(&slot, all.bytes + at, sizeof slot);
        ok = answer_counts_add_slot(counts, slot, err);
    }
    answer_counts_release(&own);
    gathered_release(&all);
    free(slots.bytes);
    return ok;
}

json_t *layer_score_json(const struct layer_score *score)
{
    if (!score->chunks)
        return json_pack("{s:f}", "accuracy", score->accuracy);
    return json_pack("{s:f, s:f, s:f, s:f}", "precision", score->precision, "recall", score->recall, "f1", score->f1,
                     "accuracy", score->accuracy);
}
