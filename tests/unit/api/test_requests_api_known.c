/*
 * Tests answers of which something is known, and the best whole answers, beside each other: short sentences have so few
 * answers that all of them are the best ones, with probabilities that sum to 1. The answer that agrees with what is
 * known is then the first of them that does, and marginals are sums over them.
 */
#include "vouch.h"

#include "sample_file.h"
#include "test.h"

#include <math.h>

enum { MOST = 1000, WORDS = 3 };

static const char *const word[WORDS] = {"Paris", "met", "Ada"};

/* A model with a worker by the method gamma, uncalibrated, and a sentence. */
struct asking {
    vouch_model *model;
    vouch_request *request;
    vouch_worker *worker;
    vouch_sentence *sentence;
};

static struct asking ask(const char *task, const char *method)
{
    bool trees = strcmp(task, "dep") == 0;
    const char *file = put_sample(task, trees ? SAMPLE_DEP : SAMPLE_NP, 0, trees ? 40 : 60);
    vouch_options *options = vouch_options_new(trees ? "parse" : "tag", &err);
    struct asking a = {.model = learn_quickly(task, file)};
    MUST(options && vouch_options_set(options, "alternatives", "9", &err) == VOUCH_OK);
    if (method)
        MUST(vouch_options_set(options, "confidence", method, &err) == VOUCH_OK &&
             vouch_options_set(options, "raw", "true", &err) == VOUCH_OK);
    MUST((a.request = vouch_request_new(a.model, options, &err)) && (a.worker = vouch_worker_new(a.request, &err)) &&
         (a.sentence = vouch_sentence_new(&err)));
    vouch_options_free(options);
    return a;
}

static void ask_no_more(struct asking *a)
{
    vouch_sentence_free(a->sentence);
    vouch_worker_free(a->worker);
    vouch_request_free(a->request);
    vouch_model_close(a->model);
}

/* Fills the sentence: every further column of a word is "_". */
static void fill(const struct asking *a)
{
    const char *cell[WORDS * 8];
    size_t columns = vouch_model_columns(a->model);
    for (size_t i = 0; i < WORDS * columns; i++)
        cell[i] = i % columns == 0 ? word[i / columns] : "_";
    MUST(vouch_sentence_set_cells(a->sentence, cell, WORDS, columns, &err) == VOUCH_OK);
}

static const vouch_best *best_of(const struct asking *a, size_t most)
{
    const vouch_best *best = vouch_worker_best(a->worker, a->sentence, most, &err);
    MUST(best);
    return best;
}

/* All answers to the sentence: labels by their numbers in the model, or heads. */
struct answers {
    size_t count, choice[MOST][WORDS];
    double probability[MOST];
};

static size_t number_of(const vouch_model *model, const char *label)
{
    size_t y = 0;
    while (strcmp(vouch_model_label_name(model, y), label) != 0)
        y++;
    return y;
}

static size_t choice_of(const struct asking *a, const vouch_best *best, size_t k, size_t i)
{
    return vouch_model_parses(a->model) ? vouch_best_head(best, k, i)
                                        : number_of(a->model, vouch_best_label(best, k, i));
}

static struct answers *all_answers(const struct asking *a)
{
    struct answers *all = malloc(sizeof *all);
    const vouch_best *best = best_of(a, MOST);
    double sum = 0;
    all->count = vouch_best_count(best);
    for (size_t k = 0; k < all->count; k++) {
        all->probability[k] = vouch_best_probability(best, k);
        sum += all->probability[k];
        for (size_t i = 0; i < WORDS; i++)
            all->choice[k][i] = choice_of(a, best, k, i);
    }
    assert_true(fabs(sum - 1) < 1e-5);
    return all;
}

/* Tells the sentence that word `i` has this choice, and nothing else. */
static void tell(const struct asking *a, size_t i, size_t choice)
{
    const char *label[WORDS] = {NULL};
    size_t head[WORDS] = {(size_t)-1, (size_t)-1, (size_t)-1};
    bool trees = vouch_model_parses(a->model);
    if (trees)
        head[i] = choice;
    else
        label[i] = vouch_model_label_name(a->model, choice);
    MUST(vouch_sentence_set_known(a->sentence, trees ? NULL : label, trees ? head : NULL, &err) == VOUCH_OK);
}

/* Compares the answer, its confidence and the best answers with all that agree with what was told. */
static void must_be_conditional(const struct asking *a, const struct answers *all, size_t i, size_t choice)
{
    double sum = 0, own[WORDS] = {0};
    size_t first = all->count, agree = 0;
    for (size_t k = all->count; k-- > 0;)
        if (all->choice[k][i] == choice) {
            first = k;
            agree++;
        }
    for (size_t k = first; k < all->count; k++)
        if (all->choice[k][i] == choice) {
            sum += all->probability[k];
            for (size_t n = 0; n < WORDS; n++)
                own[n] += all->choice[k][n] == all->choice[first][n] ? all->probability[k] : 0;
        }
    const vouch_answer *answer = vouch_worker_answer(a->worker, a->sentence, &err);
    MUST(answer);
    for (size_t n = 0; n < WORDS; n++) {
        size_t found = vouch_model_parses(a->model) ? vouch_answer_head(answer, n)
                                                    : number_of(a->model, vouch_answer_label(answer, n));
        assert_int_equal(found, all->choice[first][n]);
        assert_true(fabs(vouch_answer_confidence(answer, 0, n) - own[n] / sum) < 1e-4);
    }
    assert_true(vouch_answer_confidence(answer, 0, i) == 1);
    assert_int_equal(vouch_answer_alternatives(answer, i), 1);
    const vouch_best *best = best_of(a, MOST);
    assert_int_equal(vouch_best_count(best), agree);
    for (size_t k = first, at = 0; k < all->count; k++)
        if (all->choice[k][i] == choice)
            assert_true(fabs(vouch_best_probability(best, at++) - all->probability[k] / sum) < 1e-4);
}

static void compare(const char *task)
{
    struct asking a = ask(task, "gamma");
    fill(&a);
    struct answers *all = all_answers(&a);
    size_t choices = vouch_model_parses(a.model) ? WORDS + 1 : vouch_model_label_count(a.model);
    for (size_t i = 0; i < WORDS; i++)
        for (size_t y = 0; y < choices; y++) {
            bool trees = vouch_model_parses(a.model);
            if (trees ? y == i + 1 : i == 0 && strcmp(vouch_model_label_name(a.model, y), "I-NP") == 0)
                continue; /* no head of its own; and no chunk goes on at the first word: I-X is B-X there */
            tell(&a, i, y);
            must_be_conditional(&a, all, i, y);
        }
    fill(&a); /* what was known is forgotten */
    assert_int_equal(vouch_best_count(best_of(&a, MOST)), all->count);
    free(all);
    ask_no_more(&a);
}

TEST_IN_FOLDER(labels_that_are_known_leave_the_answers_that_agree)
{
    compare("np");
}

TEST_IN_FOLDER(heads_that_are_known_leave_the_trees_that_agree)
{
    compare("dep");
}

TEST_IN_FOLDER(relations_may_be_known_without_heads)
{
    struct asking a = ask("dep", "gamma");
    fill(&a);
    for (size_t y = 0; y < vouch_model_label_count(a.model); y++) {
        const char *relation[WORDS] = {NULL, NULL, vouch_model_label_name(a.model, y)};
        MUST(vouch_sentence_set_known(a.sentence, relation, NULL, &err) == VOUCH_OK);
        const vouch_answer *answer = vouch_worker_answer(a.worker, a.sentence, &err);
        MUST(answer);
        assert_string_equal(vouch_answer_label(answer, 2), relation[2]);
        assert_true(vouch_answer_relation_confidence(answer, 0, 2) == 1);
        assert_string_equal(vouch_best_label(best_of(&a, 3), 2, 2), relation[2]);
    }
    ask_no_more(&a);
}

/* Answers of a batch keep the order, so the n-th has what is known of the n-th sentence. */
static int must_have(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    const char *const **expected = context;
    (void)sentence;
    assert_string_equal(vouch_answer_label(answer, 0), *(*expected)++);
    return 0;
}

TEST_IN_FOLDER(every_sentence_of_a_batch_knows_its_own)
{
    enum { COUNT = 3 };
    const char *const label[COUNT] = {"B-NP", "O", "B-NP"}, *const *next = label;
    struct asking a = ask("np", NULL);
    vouch_sentence *sentence[COUNT];
    for (size_t s = 0; s < COUNT; s++) {
        const char *known[WORDS] = {label[s], NULL, NULL}, *cell[] = {"a", "_", "b", "_", "c", "_"};
        MUST((sentence[s] = vouch_sentence_new(&err)) &&
             vouch_sentence_set_cells(sentence[s], cell, WORDS, 2, &err) == VOUCH_OK &&
             vouch_sentence_set_known(sentence[s], known, NULL, &err) == VOUCH_OK);
    }
    MUST(vouch_answer_batch(a.request, sentence, COUNT, must_have, &next, &err) == VOUCH_OK);
    assert_ptr_equal(next, label + COUNT);
    for (size_t s = 0; s < COUNT; s++)
        vouch_sentence_free(sentence[s]);
    ask_no_more(&a);
}

static void must_refuse(struct asking *a, const char *const *labels, const size_t *heads, const char *why)
{
    fill(a);
    bool told = vouch_sentence_set_known(a->sentence, labels, heads, &err) == VOUCH_OK;
    assert_true(!told || !vouch_worker_answer(a->worker, a->sentence, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    if (!strstr(err.message, why))
        fail_msg("expected '%s', found '%s'", why, err.message);
    MUST(vouch_sentence_set_known(a->sentence, NULL, NULL, &err) == VOUCH_OK);
    MUST(vouch_worker_answer(a->worker, a->sentence, &err));
}

TEST_IN_FOLDER(what_cannot_be_known_is_refused)
{
    enum { OPEN = -1 };
    struct asking tagger = ask("np", NULL), parser = ask("dep", NULL);
    const size_t none = (size_t)OPEN;
    must_refuse(&tagger, (const char *[]){NULL, "B-XX", NULL}, NULL,
                "word 2: expected a label that the model knows, found 'B-XX'");
    must_refuse(&tagger, (const char *[]){"", NULL, NULL}, NULL, "word 1: expected a label in UTF-8 that is not empty");
    must_refuse(&tagger, NULL, (const size_t[]){none, 1, none}, "the model does not parse");
    must_refuse(&parser, (const char *[]){"Xyzzy", NULL, NULL}, NULL,
                "word 1: expected a relation that the model knows, found 'Xyzzy'");
    must_refuse(&parser, NULL, (const size_t[]){none, 2, none}, "word 2: expected a head from 0 to 3");
    must_refuse(&parser, NULL, (const size_t[]){none, 4, none}, "word 2: expected a head from 0 to 3");
    must_refuse(&parser, NULL, (const size_t[]){2, 1, none}, "found a cycle");
    must_refuse(&parser, NULL, (const size_t[]){0, none, 0}, "expected one root, found 2 words");
    assert_int_equal(vouch_sentence_set_known(NULL, NULL, NULL, NULL), VOUCH_ERR_ARGUMENT);
    assert_null(vouch_worker_best(NULL, tagger.sentence, 1, &err));
    assert_null(vouch_worker_best(tagger.worker, NULL, 1, NULL));
    assert_null(vouch_worker_best(tagger.worker, tagger.sentence, 0, &err));
    assert_null(vouch_worker_best(tagger.worker, tagger.sentence, 1001, &err));
    assert_string_equal(err.message, "expected 1 to 1000 of the best answers, found 1001");
    const vouch_best *best = best_of(&tagger, 2);
    assert_null(vouch_best_label(best, 2, 0));
    assert_null(vouch_best_label(best, 0, WORDS));
    assert_true(vouch_best_head(best, 0, 0) == (size_t)-1);
    assert_true(isnan(vouch_best_probability(best, 2)));
    ask_no_more(&tagger);
    ask_no_more(&parser);
}
