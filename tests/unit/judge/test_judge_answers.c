/*
 * Tests what is asked of a judge's answers through vouch.h: a threshold, labels in place of doubtful ones, sets, an
 * operating point; and the jobs on files for a judge that was saved, which read its scores from another file.
 */
#include "folder.h"
#include "must.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WORDS = 3, LABELS = 3, SENTENCES = 40 };
static const char *const names[LABELS] = {"O", "B-PER", "I-PER"};
static const float node[WORDS][LABELS] = {{0, 2, 0}, {0, 0, 0.5f}, {1, 0, 0}};

static vouch_judge *made(struct vouch_judge_options options)
{
    options.size = sizeof options;
    err = (struct vouch_error){0};
    return vouch_judge_new(names, LABELS, &options, &err);
}

static const vouch_answer *answer_of(vouch_judge_worker *worker)
{
    struct vouch_chain_scores scores = {
        .size = sizeof scores, .words = WORDS, .labels = LABELS, .sets = 1, .node = &node[0][0]};
    const vouch_answer *answer = vouch_judge_chain(worker, &scores, &err);
    MUST(answer);
    return answer;
}

/* Expects these labels, and whether they are doubtful. */
static void expect_answer(struct vouch_judge_options options, const char *const *labels, const int *doubtful)
{
    vouch_judge *judge = made(options);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    MUST(worker);
    const vouch_answer *answer = answer_of(worker);
    for (size_t i = 0; i < WORDS; i++) {
        assert_string_equal(vouch_answer_label(answer, i), labels[i]);
        assert_int_equal(vouch_answer_is_doubtful(answer, i), doubtful[i]);
    }
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

/* By hand: the softmax of the words is 0.787, 0.452 and 0.576; the first two are one chunk, as doubtful as a whole. */
TEST(a_threshold_marks_answers_below_it)
{
    const char *const labels[] = {"B-PER", "I-PER", "O"}, *const replaced[] = {"?", "?", "O"};
    expect_answer((struct vouch_judge_options){0}, labels, (int[]){0, 0, 0});
    expect_answer((struct vouch_judge_options){.threshold = 0.3}, labels, (int[]){0, 0, 0});
    expect_answer((struct vouch_judge_options){.threshold = 0.5}, labels, (int[]){1, 1, 0});
    expect_answer((struct vouch_judge_options){.threshold = 0.6}, labels, (int[]){1, 1, 1});
    expect_answer((struct vouch_judge_options){.threshold = 0.5, .replace = "?"}, replaced, (int[]){1, 1, 0});
}

TEST(what_a_judge_does_not_have_is_refused)
{
    const struct vouch_judge_options wrong[] = {{.threshold = 1.5},  {.threshold = -1},     {.threshold = (double)NAN},
                                                {.replace = "?"},    {.choices = 1},        {.operating_point = 1},
                                                {.methods = "none"}, {.methods = "unknown"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(made(wrong[i]));
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    }
}

/* Programs that know no threshold pass a shorter structure. */
TEST(the_options_of_an_earlier_version_are_enough)
{
    struct vouch_judge_options options = {.size = offsetof(struct vouch_judge_options, threshold), .threshold = 7};
    vouch_judge *judge = vouch_judge_new(names, LABELS, &options, &err);
    MUST(judge);
    vouch_judge_free(judge);
    options.size--;
    assert_null(vouch_judge_new(names, LABELS, &options, &err));
}

/* Writes SENTENCES with gold, of which every fourth one is another, and scores that prefer B-PER I-PER O. */
static void write_files(void)
{
    char words[SENTENCES * 40] = "", scores[SENTENCES * 80] = "";
    for (int i = 0; i < SENTENCES; i++) {
        strcat(words, i % 4 ? "a B-PER\nb I-PER\nc O\n\n" : "a O\nb O\nc O\n\n");
        snprintf(scores + strlen(scores), sizeof scores - strlen(scores),
                 "{\"scores\": [[0, %g, 0], [0, 0, %g], [2, 0, 0]]}\n", i % 4 ? 3.0 : 0.5, i % 4 ? 3.0 : 0.7);
    }
    folder_put("words", words);
    folder_put("scores", scores);
}

/* Returns the judge as a model, from its file. */
static vouch_model *saved(void)
{
    vouch_judge *judge = made((struct vouch_judge_options){0});
    MUST(judge);
    MUST(vouch_judge_save(judge, folder_file("judge"), &err) == VOUCH_OK);
    vouch_judge_free(judge);
    vouch_model *model = vouch_model_open(folder_file("judge"), &err);
    MUST(model);
    return model;
}

/* Returns options of a command, with the scores if `scores`. */
static vouch_options *options_of(const char *command, bool scores, const char *name, const char *value)
{
    vouch_options *options = vouch_options_new(command, &err);
    MUST(options);
    MUST(!scores || vouch_options_set(options, "scores", folder_file("scores"), &err) == VOUCH_OK);
    MUST(!name || vouch_options_set(options, name, value, &err) == VOUCH_OK);
    return options;
}

TEST_IN_FOLDER(jobs_on_files_read_the_scores)
{
    struct vouch_evaluation result = {.size = sizeof result};
    write_files();
    vouch_model *model = saved();
    const char *files[] = {folder_file("words")};
    for (int with = 0; with < 2; with++) {
        vouch_options *options = options_of("eval", with, "confidence", "gamma");
        enum vouch_status status = vouch_evaluate(model, options, files, 1, NULL, &result, NULL, &err);
        assert_int_equal(status, with ? VOUCH_OK : VOUCH_ERR_ARGUMENT);
        vouch_options_free(options);
    }
    assert_int_equal(result.words, SENTENCES * WORDS);
    assert_float_equal(result.accuracy, 100 * (1 - 2.0 / 3 / 4), 1e-9);
    assert_float_equal(result.precision, 75, 1e-9);

    vouch_options *options = options_of("review", true, "inspect", "5");
    vouch_suspects *suspects = vouch_review(model, options, files, 1, NULL, &err);
    MUST(suspects);
    assert_true(vouch_suspects_count(suspects) > 0);
    vouch_suspects_free(suspects);
    vouch_options_free(options);

    char *text = NULL;
    options = options_of("active", true, "confidence", "gamma");
    MUST(vouch_choose_next(model, options, files[0], NULL, 0, NULL, NULL, &text, &err) == VOUCH_OK);
    assert_non_null(strstr(text, "a"));
    vouch_free(text);
    vouch_options_free(options);

    options = options_of("tune", true, NULL, NULL);
    assert_null(vouch_tune(model, options, files, 1, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "coverage"));
    vouch_options_free(options);
    vouch_model_close(model);
}

TEST_IN_FOLDER(an_operating_point_that_was_chosen_changes_answers)
{
    write_files();
    vouch_model *model = saved(), *chosen = NULL;
    const char *files[] = {folder_file("words")};
    vouch_options *options = options_of("trade", true, "precision", "0.95");
    MUST(vouch_options_set(options, "confidence", "gamma", &err) == VOUCH_OK);
    MUST(vouch_trade(model, options, files, 1, NULL, &chosen, NULL, &err) == VOUCH_OK);
    MUST(vouch_model_save(chosen, folder_file("chosen"), &err) == VOUCH_OK);
    struct vouch_judge_options asked = {.size = sizeof asked, .operating_point = 1};
    vouch_judge *judge = vouch_judge_open(folder_file("chosen"), &asked, &err);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    MUST(worker);
    for (size_t i = 0; i < WORDS; i++) /* less sure than what is right in the file */
        assert_string_equal(vouch_answer_label(answer_of(worker), i), "O");
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
    vouch_options_free(options);
    vouch_model_close(chosen);
    vouch_model_close(model);
}
