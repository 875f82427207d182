/*
 * Learns and asks a first stage, and gives its answers to the sentences of a corpus as features: see corpus_context.h.
 *
 * The first stage is the first voice, of the same features. Its model is learned as that of the second, and costs as
 * much; the models of parts together cost one and a half times as much.
 */
#include "train/corpus_context.h"

#include "train/cross_fitting.h"

#include <string.h>

/* The first stage's answers to the sentences of a set. */
struct first_answers_of {
    struct corpus *corpus;
    const struct examples *examples;
    struct tag_set *set;
    uint32_t *label;        /* [words] */
    struct answering *work; /* [threads] */
    uint32_t threads;
};

static bool take_answer(void *context, uint32_t thread, uint32_t i, const struct model_layer *layer,
                        struct vouch_error *err)
{
    const struct first_answers_of *f = context;
    struct answering *work = &f->work[thread];
    struct example example;
    if (!examples_answer(f->examples, i, layer->voice[0].mean, work, &example, err))
        return false;
    if (example.parts.N)
        memcpy(f->label + tag_set_item(f->set, i)->word, work->choice, example.parts.N * sizeof *f->label);
    return true;
}

static struct first_answer answer_at(const struct first_answers_of *f, uint32_t place)
{
    const struct tag_item *item = &f->set->item[place];
    return (struct first_answer){.N = item->N,
                                 .document = item->document,
                                 .word = f->set->name + item->word * WORD_NAMES + 1, /* in lower case */
                                 .stride = WORD_NAMES,
                                 .label = f->label + item->word};
}

/* What extending a set needs. */
struct extension {
    const struct first_answers_of *answers;
    struct first_answer *around; /* [2 * sentences + 1] */
    struct context_work work;
};

static bool find_further(void *context, uint32_t place, struct further_rows *rows, struct vouch_error *err)
{
    struct extension *x = context;
    const struct label_context *c = &x->answers->corpus->context;
    uint32_t from = place > c->sentences ? place - c->sentences : 0, count = 0;
    for (uint32_t at = from; at < x->answers->set->count && at <= place + c->sentences; at++)
        x->around[count++] = answer_at(x->answers, at);
    return label_context_run(c, x->around, count, place - from, &x->work, rows, err);
}

/* Asks the models of `held` about their sentences, and gives all sentences of the set the features. */
static bool give_features(struct first_answers_of *f, const struct held_out *held, struct vouch_error *err)
{
    struct extension x = {.answers = f};
    f->label = new_array(f->set->words + 1, sizeof *f->label, err);
    f->work = new_array(f->threads, sizeof *f->work, err);
    x.around = new_array(2 * (size_t)f->corpus->context.sentences + 1, sizeof *x.around, err);
    bool ok = f->label && f->work && x.around &&
              cross_fit_answers(held, f->threads, &(struct answer_taker){f, take_answer}, err) &&
              tag_set_extend(f->set, find_further, &x, err);
    for (uint32_t t = 0; f->work && t < f->threads; t++)
        answering_release(&f->work[t]);
    context_work_release(&x.work);
    free(x.around);
    free(f->work);
    free(f->label);
    return ok;
}

/* Does so for the sentences to measure on, by a model that is there. */
static bool give_dev(struct corpus *corpus, const struct model_layer *first, uint32_t threads, struct vouch_error *err)
{
    struct held_out held = {0};
    struct first_answers_of f = {
        .corpus = corpus, .examples = &corpus->dataset.layer[0].dev, .set = &corpus->dev_tags, .threads = threads};
    bool ok =
        f.examples->count == 0 || (held_out_dev(&held, &corpus->dataset, first, err) && give_features(&f, &held, err));
    held_out_release(&held);
    return ok;
}

/* Adds the features to the vocabulary, which has all others. */
static bool begin_context(struct corpus *c, uint32_t sentences, struct vouch_error *err)
{
    if (c->tags.nameless)
        return fail(err, VOUCH_ERR_ARGUMENT, "--context: expected words, found ready-made attributes alone");
    if (!cross_fitting_fits(&c->dataset))
        return fail(err, VOUCH_ERR_ARGUMENT, "--context: expected at least %d sentences to learn from, found %u",
                    FITTING_PARTS * HELD_OUT_LEAST, c->tags.sentences);
    if (labels_count(&c->labels) > MAX_CONTEXT_LABELS)
        return fail(err, VOUCH_ERR_ARGUMENT, "--context: expected at most %d labels, found %u", MAX_CONTEXT_LABELS,
                    labels_count(&c->labels));
    if (!label_context_init(&c->context, sentences, &c->labels, err))
        return false;
    c->templates.context = label_context_features(&c->context);
    if (!vocabulary_add_context(&c->vocabulary, &c->templates, c->context.feature, err))
        return false;
    corpus_show(c);
    return true;
}

bool context_learn(struct corpus *corpus, uint32_t sentences, const struct learning *learning,
                   struct learned_voices *first, struct vouch_error *err)
{
    if (!begin_context(corpus, sentences, err))
        return false;
    struct dataset dataset = corpus->dataset;
    struct learning own = *learning;
    struct held_out held = {0};
    dataset.layer[0].name = FIRST_STAGE;
    own.dataset = &dataset;
    own.measure = own.best_pass = own.tune = false;
    own.voices = 1;
    if (!learn_voices(&own, first, err))
        return false;
    answer_counts_release(&first->layer[0].counts); /* which is for confidence, and the first stage has none */
    if (first->stopped)
        return fail(err, VOUCH_ERR_STOPPED, "interrupted before the second stage");
    struct first_answers_of f = {.corpus = corpus,
                                 .examples = &corpus->dataset.layer[0].examples,
                                 .set = &corpus->tags,
                                 .threads = own.work.threads};
    bool ok = cross_fit(&held, &own, "learning the first stage on parts", (struct side_jobs){0}, err) &&
              give_features(&f, &held, err) && give_dev(corpus, &first->layer[0], own.work.threads, err);
    held_out_release(&held);
    return ok;
}

bool context_answer(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    return !model->context.sentences || give_dev(corpus, &model->first, 1, err);
}
