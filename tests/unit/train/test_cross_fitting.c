/* Tests cross-fitting: every sentence is answered once, by a model that has not learned from it. */
#include "train/cross_fitting.h"

#include "folder.h"
#include "small_models.h"

#include <math.h>

#include "must.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

enum { SENTENCES = 60, BITS = 10 };

/* Every sentence has a word of its own. */
static void write_tags(char *to)
{
    for (int i = 0; i < SENTENCES; i++)
        to += sprintf(to, "own%d NN %s\nof IN O\n\n", i, i % 4 ? "O" : "B-LOC");
}

struct stage {
    struct corpus corpus;
    struct learning learning;
};

static void set_up(struct stage *s, uint32_t threads)
{
    static char text[1 << 14];
    *s = (struct stage){0};
    write_tags(text);
    small_tag_corpus(&s->corpus, text);
    s->learning = (struct learning){.dataset = &s->corpus.dataset,
                                    .trial = {{{&log_likelihood, small_parameters()}}},
                                    .voices = 1,
                                    .passes = 5,
                                    .work = {.seed = 1, .threads = threads}};
}

/* Counts, for each sentence, how often it was taken, and whether its own word has a weight. */
struct seen {
    const struct examples *examples;
    uint32_t taken[SENTENCES], known[SENTENCES];
    float weight[SENTENCES]; /* the sum of the sizes of those of the second word, which all sentences have */
};

static bool take(void *context, uint32_t thread, uint32_t i, const struct model_layer *layer, struct vouch_error *error)
{
    struct seen *seen = context;
    struct scratch scratch = {0};
    struct example example;
    (void)thread;
    if (!seen->examples->get(seen->examples->self, i, &scratch, &example, error))
        return false;
    const struct rows *rows = &example.parts.node;
    for (uint32_t k = rows->start[0]; k < rows->start[2]; k++)
        for (uint32_t y = 0; y < layer->space.width; y++) {
            float weight = layer->voice[0].mean[space_node(&layer->space, rows->feature[k]) + y];
            bool own = k < rows->start[1];
            seen->known[i] += own && weight != 0;
            seen->weight[i] += own ? 0 : fabsf(weight);
        }
    seen->taken[i]++;
    scratch_release(&scratch);
    return true;
}

/* The only features of a sentence's first word that others have, too, look at its neighbour or at its tag. */
static uint32_t shared(const struct stage *s)
{
    struct model_layer layer[MAX_LAYERS];
    struct seen seen = {.examples = &s->corpus.dataset.layer[0].examples};
    small_layers(&s->corpus.dataset, (const char *const[]){"crf", NULL}, layer);
    MUST(take(&seen, 0, 0, &layer[0], &err));
    small_layers_free(layer, 1);
    return seen.known[0];
}

TEST(every_sentence_is_answered_once_by_a_model_that_has_not_learned_from_it)
{
    struct stage s;
    struct held_out held;
    set_up(&s, 1);
    struct seen seen = {.examples = &s.corpus.dataset.layer[0].examples};
    struct answer_taker taker = {&seen, take};
    uint32_t most = shared(&s); /* features of its first word that a model which learned from it has weights of */
    assert_true(cross_fitting_fits(&s.corpus.dataset));
    MUST(cross_fit(&held, &s.learning, "fitting", (struct side_jobs){0}, &err));
    assert_int_equal(held.parts, FITTING_PARTS);
    MUST(cross_fit_answers(&held, 1, &taker, &err));
    for (uint32_t i = 0; i < SENTENCES; i++) {
        assert_int_equal(seen.taken[i], 1);
        assert_true(seen.known[i] < most);
        assert_true(seen.weight[i] != 0);
    }
    held_out_release(&held);
    corpus_release(&s.corpus);
}

TEST(threads_change_nothing)
{
    struct seen seen[2] = {{0}};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct stage s;
        struct held_out held;
        struct seen *to = &seen[threads - 1];
        set_up(&s, threads);
        to->examples = &s.corpus.dataset.layer[0].examples;
        MUST(cross_fit(&held, &s.learning, "fitting", (struct side_jobs){0}, &err));
        MUST(cross_fit_answers(&held, threads, &(struct answer_taker){to, take}, &err));
        held_out_release(&held);
        corpus_release(&s.corpus);
    }
    assert_memory_equal(seen[0].weight, seen[1].weight, sizeof seen->weight);
    assert_memory_equal(seen[0].taken, seen[1].taken, sizeof seen->taken);
}

static bool refuse(void *context, uint32_t thread, uint32_t i, const struct model_layer *layer,
                   struct vouch_error *error)
{
    (void)thread, (void)layer;
    return i != *(uint32_t *)context || fail(error, VOUCH_ERR_FORMAT, "not this one");
}

TEST(the_model_itself_answers_the_sentences_to_measure_on_and_errors_are_told)
{
    struct stage s;
    struct held_out held;
    struct model_layer layer[MAX_LAYERS];
    uint32_t number = 1;
    set_up(&s, 1);
    MUST(corpus_read_dev(&s.corpus, &(struct corpus_plan){.reading = {.format = FORMAT_CONLL, .gold = GOLD_LAST}},
                         folder_put("dev", "own1 NN O\nof IN O\n\nnew NN O\nof IN O\n\n"), &err));
    small_layers(&s.corpus.dataset, (const char *const[]){"crf", NULL}, layer);
    MUST(held_out_dev(&held, &s.corpus.dataset, layer, &err));
    struct seen seen = {.examples = &s.corpus.dataset.layer[0].dev};
    MUST(cross_fit_answers(&held, 1, &(struct answer_taker){&seen, take}, &err));
    assert_int_equal(seen.taken[0] + seen.taken[1], 2);
    assert_true(seen.known[0] > seen.known[1]);
    assert_false(cross_fit_answers(&held, 2, &(struct answer_taker){&number, refuse}, &err));
    assert_string_equal(err.message, "not this one");
    held_out_release(&held);
    small_layers_free(layer, 1);
    corpus_release(&s.corpus);
}

TEST(few_sentences_are_not_cut)
{
    struct corpus corpus;
    struct held_out held;
    small_tag_corpus(&corpus, SMALL_TAGS);
    struct learning learning = {.dataset = &corpus.dataset, .voices = 1, .passes = 1, .work = {.threads = 1}};
    assert_false(cross_fitting_fits(&corpus.dataset));
    assert_false(cross_fit(&held, &learning, "fitting", (struct side_jobs){0}, &err));
    held_out_release(&held);
    corpus_release(&corpus);
}
