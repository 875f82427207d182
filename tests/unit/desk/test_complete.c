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

/* A desk that has learned from the corpus, in a folder of its own. */
struct opened {
    char folder[32], corpus[64];
    struct learner *learner;
    struct desk *desk;
};

static struct opened open_desk(void)
{
    struct opened o = {.folder = "/tmp/vouch-desk-XXXXXX"};
    assert_non_null(mkdtemp(o.folder));
    snprintf(o.corpus, sizeof o.corpus, "%s/trees.conllu", o.folder);
    write_corpus(o.corpus);
    char *files[] = {o.corpus};
    struct desk_options options = {.corpus = files, .corpora = 1, .threshold = 0.9, .work = {.seed = 1, .threads = 1}};
    assert_non_null(o.learner = learner_open(NULL, &err));
    if (!(o.desk = desk_open(&options, o.learner, &err)))
        fail_msg("%s", err.message);
    return o;
}

static void close_desk(struct opened *o)
{
    char command[80];
    learner_close(o->learner);
    desk_close(o->desk);
    snprintf(command, sizeof command, "rm -rf '%s'", o->folder);
    assert_int_equal(system(command), 0);
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

/* The alternatives of a word: the likeliest first, with probabilities that add up to 1 but for what is left out. */
static void check_alternatives(const json_t *answer, const char *name, uint32_t w, const char *of)
{
    const json_t *list = json_array_get(json_object_get(answer, name), w);
    double sum = 0, before = 1;
    assert_true(json_array_size(list) > 0);
    for (size_t i = 0; i < json_array_size(list); i++) {
        double p = json_number_value(json_object_get(json_array_get(list, i), "probability"));
        assert_non_null(json_object_get(json_array_get(list, i), of));
        assert_true(p > 0 && p <= before + 1e-9);
        sum += before = p;
    }
    assert_true(sum > 0.9 && sum < 1 + 1e-6);
}

static void check_confidence(const json_t *answer, uint32_t m, uint32_t h)
{
    const json_t *own = json_array_get(json_object_get(answer, "alternatives"), m);
    assert_int_equal(json_array_size(own), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(own, 0), "head")), h);
    for (uint32_t w = 0; w < WORDS; w++) {
        check_alternatives(answer, "alternatives", w, "head");
        check_alternatives(answer, "relation_alternatives", w, "label");
    }
}

TEST(an_item_has_tags_and_the_likeliest_heads_and_relations)
{
    struct opened o = open_desk();
    json_t *item = desk_sentence(o.desk, "ada", 1, &err);
    assert_non_null(item);
    for (uint32_t w = 0; w < WORDS; w++) {
        assert_string_equal(json_string_value(json_array_get(json_object_get(item, "tags"), w)), tag[0][w]);
        check_alternatives(json_object_get(item, "answer"), "alternatives", w, "head");
        check_alternatives(json_object_get(item, "answer"), "relation_alternatives", w, "label");
    }
    json_decref(item);
    close_desk(&o);
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
            check_confidence(answer, m, h);
            assert_true(tree_is_legal(tree, WORDS, mark));
            assert_true(fabs(score_of(&scores, tree) - best_with(&scores, m, h)) < 1e-4);
            json_decref(answer);
            json_decref(fixed);
        }
    scores_release(&scores);
}

TEST(the_tree_is_the_best_of_all_that_have_the_given_arc)
{
    struct opened o = open_desk();
    vouch_model *model = vouch_model_open(o.desk->model_path, &err);
    assert_non_null(model);
    struct reader *reader = reader_open(o.corpus, &(struct reader_options){.trees = true}, &err);
    struct sentence s = {0};
    for (int number = 1; number <= SENTENCES; number++) {
        assert_int_equal(reader_next(reader, &s, &err), READ_SENTENCE);
        try_sentence(o.desk, model, &s, number);
    }
    json_t *cycle = json_pack("{s:i, s:[i, i, n, n]}", "sentence", 1, "heads", 2, 1);
    assert_null(desk_complete(o.desk, cycle, &err));
    assert_true(strstr(err.message, "no cycle") != NULL);
    json_decref(cycle);
    sentence_release(&s);
    reader_close(reader);
    vouch_model_close(model);
    close_desk(&o);
}
