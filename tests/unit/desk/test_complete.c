/*
 * Tests the best tree with given heads against all trees: a desk learns from a few sentences, and its answer must have
 * the score of the best one-root tree, found by enumeration, that has the given arc.
 */
#include "desk/desk_room.h"
#include "model/model.h"
#include "task/arc_features.h"
#include "tree/tree.h"

#include "test.h"

#include <unistd.h>

static struct vouch_error err;

enum { SENTENCES = 6, WORDS = 4 };
static const char *const word[SENTENCES][WORDS] = {{"the", "dog", "barks", "."}, {"a", "cat", "sleeps", "!"},
                                                   {"dogs", "see", "the", "cat"}, {"cats", "see", "a", "dog"},
                                                   {"she", "barks", "and", "sleeps"}, {"the", "dog", "sleeps", "."}};
static const char *const tag[SENTENCES][WORDS] = {{"D", "N", "V", "P"}, {"D", "N", "V", "P"}, {"N", "V", "D", "N"},
                                                  {"N", "V", "D", "N"}, {"N", "V", "C", "V"}, {"D", "N", "V", "P"}};
static const uint32_t head[SENTENCES][WORDS] = {{2, 3, 0, 3}, {2, 3, 0, 3}, {2, 0, 4, 2},
                                                {2, 0, 4, 2}, {2, 0, 4, 2}, {2, 3, 0, 3}};

static void write_corpus(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int s = 0; s < SENTENCES; s++) {
        for (int w = 0; w < WORDS; w++)
            fprintf(file, "%d\t%s\t_\t%s\t_\t_\t%u\t%s\t_\t_\n", w + 1, word[s][w], tag[s][w], head[s][w],
                    head[s][w] ? "dep" : "root");
        fprintf(file, "\n");
    }
    fclose(file);
}

/* The scores of all arcs of a sentence. */
static void score_arcs(const struct vouch_model *model, const struct sentence *s, struct scores *scores)
{
    struct arc_word *observed = new_array((size_t)s->N + 1, sizeof *observed, &err);
    struct scratch scratch = {0};
    struct parts parts;
    arc_observe(s, observed);
    assert_true(arc_parts(observed, s->N, model->bits[0], &scratch, &parts, &err));
    const struct model_voice *voice = &model->layer[0].voice[0];
    assert_true(parts_score_steps(&parts, &model->layer[0].space, voice->mean, &voice->steps, scores, &err));
    scratch_release(&scratch);
    free(observed);
}

static double score_of(const struct scores *scores, const uint32_t *tree)
{
    double sum = 0;
    for (uint32_t m = 0; m < WORDS; m++)
        sum += scores->node[tree_group(WORDS, m, tree[m])];
    return sum;
}

/* The score of the best tree with that arc, by trying all. */
static double best_with(const struct scores *scores, uint32_t modifier, uint32_t of)
{
    double best = -INFINITY;
    uint32_t tree[WORDS], mark[WORDS + 1];
    for (uint32_t code = 0; code < 625; code++) {
        uint32_t rest = code;
        for (int m = 0; m < WORDS; m++, rest /= 5)
            tree[m] = rest % 5;
        if (tree[modifier] == of && tree_is_legal(tree, WORDS, mark))
            best = fmax(best, score_of(scores, tree));
    }
    return best;
}

static void try_sentence(struct desk *desk, const struct vouch_model *model, const struct sentence *s, int number)
{
    struct scores scores = {0};
    score_arcs(model, s, &scores);
    for (uint32_t m = 0; m < WORDS; m++)
        for (uint32_t h = 0; h <= WORDS; h++) {
            if (h == m + 1)
                continue;
            json_t *fixed = json_pack("{s:i, s:[n, n, n, n]}", "sentence", number, "heads");
            json_array_set_new(json_object_get(fixed, "heads"), m, json_integer(h));
            json_t *answer = desk_complete(desk, fixed, &err);
            assert_non_null(answer);
            uint32_t tree[WORDS], mark[WORDS + 1];
            for (uint32_t w = 0; w < WORDS; w++)
                tree[w] = (uint32_t)json_integer_value(json_array_get(json_object_get(answer, "heads"), w));
            assert_int_equal(tree[m], h);
            assert_true(tree_is_legal(tree, WORDS, mark));
            assert_true(fabs(score_of(&scores, tree) - best_with(&scores, m, h)) < 1e-4);
            json_decref(answer);
            json_decref(fixed);
        }
    scores_release(&scores);
}

TEST(the_tree_is_the_best_of_all_that_have_the_given_arc)
{
    char folder[] = "/tmp/vouch-desk-XXXXXX", corpus[64], command[80];
    assert_non_null(mkdtemp(folder));
    snprintf(corpus, sizeof corpus, "%s/trees.conllu", folder);
    write_corpus(corpus);
    char *files[] = {corpus};
    struct desk_options options = {.corpus = files, .corpora = 1, .threshold = 0.9, .work = {.seed = 1, .threads = 1}};
    struct learner *learner = learner_open(NULL, &err);
    assert_non_null(learner);
    struct desk *desk = desk_open(&options, learner, &err);
    if (!desk)
        fail_msg("%s", err.message);
    vouch_model *model = vouch_model_open(desk->model_path, &err);
    assert_non_null(model);
    struct reader *reader = reader_open(corpus, &(struct reader_options){.trees = true}, &err);
    struct sentence s = {0};
    for (int number = 1; number <= SENTENCES; number++) {
        assert_int_equal(reader_next(reader, &s, &err), READ_SENTENCE);
        try_sentence(desk, model, &s, number);
    }
    json_t *cycle = json_pack("{s:i, s:[i, i, n, n]}", "sentence", 1, "heads", 2, 1);
    assert_null(desk_complete(desk, cycle, &err));
    assert_true(strstr(err.message, "no cycle") != NULL);
    json_decref(cycle);
    sentence_release(&s);
    reader_close(reader);
    vouch_model_close(model);
    learner_close(learner);
    desk_close(desk);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}
