/*
 * Tests evaluation, trading, choosing what to label next and reviewing through vouch.h: wrong arguments are refused
 * with the right status, a watch can stop each of them, and results whose pointer is NULL are left out. tests/examples
 * and tests/same_models check that results are those of the program.
 */
#include <stddef.h>
#include "vouch.h"

#include "base/error.h"
#include "model/confidence_model.h"
#include "train/corpus.h"

#include "folder.h"

#include "must.h"
#include "small_models.h"
#include "test.h"

static vouch_model *model;
static char test_path[4096];
static const char *file = test_path;

FIXTURE(set_up)
{
    static const char *const voices[] = {"cw", "crf", NULL};
    int status = folder_make(state);
    model = vouch_model_open(small_tagger("tagger", voices, NULL), &err);
    snprintf(test_path, sizeof test_path, "%s", folder_put("test", SMALL_TAGS));
    return model ? status : -1;
}

FIXTURE(tear_down)
{
    vouch_model_close(model);
    return folder_remove(state);
}

FILE_FIXTURE(set_up, tear_down);

static vouch_options *options_of(const char *command, const char *name, const char *value)
{
    vouch_options *options = vouch_options_new(command, &err);
    MUST(options && (!name || vouch_options_set(options, name, value, &err) == VOUCH_OK));
    return options;
}

static int stop(void *context)
{
    (void)context;
    return 1;
}

static const struct vouch_watch stopping = {.size = sizeof stopping, .stop = stop};

TEST(evaluation_has_figures_and_json)
{
    struct vouch_evaluation found = {.size = sizeof found};
    char *json = NULL;
    vouch_options *options = options_of("eval", "confidence", "gamma");
    assert_int_equal(vouch_evaluate(model, options, &file, 1, NULL, &found, &json, &err), VOUCH_OK);
    assert_true(found.sentences > 0 && found.words > found.sentences);
    assert_true(found.accuracy >= 0 && found.accuracy <= 100);
    assert_true(isnan(found.labelled_accuracy));
    assert_non_null(strstr(json, "\"accuracy\""));
    assert_non_null(strstr(json, "\"gamma\""));
    vouch_free(json);
    assert_true(found.calibration_error >= 0 && found.calibration_error <= 1);

    /* A caller that knows the first figures alone gets these, and nothing behind them is touched. */
    struct vouch_evaluation before = {.size = offsetof(struct vouch_evaluation, calibration_error_inside),
                                      .calibration_error_inside = 7};
    assert_int_equal(vouch_evaluate(model, options, &file, 1, NULL, &before, NULL, &err), VOUCH_OK);
    assert_true(before.calibration_error == found.calibration_error && before.calibration_error_inside == 7);
    before.size--;
    assert_int_equal(vouch_evaluate(model, options, &file, 1, NULL, &before, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_evaluate(model, options, &file, 1, NULL, NULL, NULL, &err), VOUCH_OK);
    vouch_options_free(options);

    options = options_of("eval", "confidence", "none");
    assert_int_equal(vouch_evaluate(model, options, &file, 1, NULL, &found, NULL, &err), VOUCH_OK);
    assert_true(isnan(found.average_precision) && isnan(found.calibration_error));
    assert_true(isnan(found.calibration_error_inside) && isnan(found.calibration_error_chunks));
    vouch_options_free(options);

    /* No options are the usual ones. */
    char *usual = NULL;
    options = options_of("eval", NULL, NULL);
    assert_int_equal(vouch_evaluate(model, options, &file, 1, NULL, NULL, &json, &err), VOUCH_OK);
    assert_int_equal(vouch_evaluate(model, NULL, &file, 1, NULL, NULL, &usual, &err), VOUCH_OK);
    assert_string_equal(usual, json);
    vouch_free(usual);
    vouch_free(json);
    vouch_options_free(options);
}

/* A forecast comes with an interval, or the reason why there is none. */
TEST(a_forecast_has_intervals_and_json)
{
    struct vouch_outlook outlook = {.size = sizeof outlook}, small = {.size = 4};
    char *json = NULL;
    const char *missing = folder_file("missing");
    vouch_options *options = options_of("forecast", NULL, NULL), *eval = options_of("eval", NULL, NULL);
    vouch_options *tune = options_of("tune", "grid", "quick");
    vouch_model *tuned = vouch_tune(model, tune, &file, 1, NULL, &err);
    MUST(tuned);
    assert_int_equal(vouch_forecast(tuned, options, &file, 1, NULL, &outlook, &json, &err), VOUCH_OK);
    assert_true(outlook.sentences > 0 && outlook.words > outlook.sentences);
    assert_true(outlook.accuracy.low <= outlook.accuracy.value && outlook.accuracy.value <= outlook.accuracy.high);
    assert_true(outlook.accuracy.low >= 0 && outlook.accuracy.high <= 100);
    assert_non_null(strstr(json, "\"likeness\""));
    vouch_free(json);
    assert_int_equal(vouch_forecast(tuned, eval, &file, 1, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_forecast(tuned, options, &file, 0, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_forecast(tuned, options, &file, 1, NULL, &small, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_forecast(tuned, options, &missing, 1, NULL, NULL, NULL, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_forecast(tuned, options, &file, 1, &stopping, NULL, &json, &err), VOUCH_ERR_STOPPED);
    assert_null(json);
    vouch_model_close(tuned);
    vouch_options_free(options);
    vouch_options_free(eval);
    vouch_options_free(tune);
}

/* Members come likeliest first, and the answer is one of them; so do readings. */
static void look_at_sets(const vouch_answer *answer)
{
    for (size_t word = 0; word < vouch_answer_words(answer); word++) {
        const char *label;
        double probability, before = 1, sum = 0;
        size_t head, size = vouch_answer_set(answer, word), same = 0;
        assert_true(size > 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(vouch_answer_set_member(answer, word, i, &label, &head, &probability), 1);
            same += strcmp(label, vouch_answer_label(answer, word)) == 0;
            assert_true(probability <= before && head == (size_t)-1);
            before = probability;
            sum += probability;
        }
        assert_true(same == 1 && sum <= 1 + 1e-9);
        assert_int_equal(vouch_answer_set_member(answer, word, size, &label, NULL, NULL), 0);
    }
    for (size_t span = 0; span < vouch_answer_spans(answer); span++) {
        const char *type, *own;
        size_t same = 0;
        assert_int_equal(vouch_answer_span(answer, span, NULL, NULL, &own), 1);
        for (size_t i = 0; i < vouch_answer_readings(answer, span); i++) {
            assert_int_equal(vouch_answer_reading(answer, span, i, &type, NULL), 1);
            same += strcmp(type, own) == 0;
            assert_true(strcmp(type, "PER") == 0 || strcmp(type, "LOC") == 0 || strcmp(type, "O") == 0);
        }
        assert_int_equal(same, 1);
    }
    assert_int_equal(vouch_answer_set(answer, vouch_answer_words(answer)), 0);
    assert_int_equal(vouch_answer_readings(answer, vouch_answer_spans(answer)), 0);
}

/* Sentences that the small models have not learned from: on those that they have, nothing can be guaranteed. */
static const char other_tags[] = "Zola NNP B-PER\nlives VBZ O\nin IN O\nParis NNP B-LOC\n\n"
                                 "Ada NNP B-PER\nsaw VBD O\nthe DT O\nold JJ O\nbridge NN O\n. . O\n\n"
                                 "the DT O\nbridge NN O\nof IN O\nParis NNP B-LOC\n\n"
                                 "Zola NNP B-PER\nmet VBD O\nAda NNP B-PER\nLovelace NNP I-PER\n\n";
static const char other_trees[] =
    "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tfell\tfall\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    "1\tParis\tParis\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n"
    "3\tAda\tAda\tPROPN\tNNP\t_\t2\tobj\t_\t_\n\n"
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tbridge\tbridge\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n"
    "3\tfell\tfall\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n"
    "3\tParis\tParis\tPROPN\tNNP\t_\t2\tobj\t_\t_\n\n";

TEST(sets_are_told)
{
    const char *other = folder_put("other", other_tags);
    vouch_options *tune = options_of("tune", "grid", "quick"), *cover = options_of("tune", "coverage", "0.5");
    vouch_options *tag = options_of("tag", "sets", "true");
    vouch_model *tuned = vouch_tune(model, tune, &file, 1, NULL, &err);
    MUST(tuned);
    assert_null(vouch_request_new(tuned, tag, &err));            /* nothing is known of sets */
    assert_null(vouch_tune(tuned, cover, &file, 1, NULL, &err)); /* its confidence was fitted on that file */
    vouch_model *covered = vouch_tune(tuned, cover, &other, 1, NULL, &err);
    vouch_request *request = covered ? vouch_request_new(covered, tag, &err) : NULL;
    vouch_worker *worker = request ? vouch_worker_new(request, &err) : NULL;
    vouch_reader *reader = vouch_reader_open(other, covered, tag, &err);
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(worker && reader && sentence);
    while (vouch_reader_next(reader, sentence, &err) == 1) {
        const vouch_answer *answer = vouch_worker_answer(worker, sentence, &err);
        MUST(answer);
        look_at_sets(answer);
    }
    struct vouch_evaluation found = {.size = sizeof found};
    vouch_options *eval = options_of("eval", NULL, NULL);
    char *json = NULL;
    assert_int_equal(vouch_evaluate(covered, eval, &other, 1, NULL, &found, &json, &err), VOUCH_OK);
    assert_non_null(strstr(json, "\"sets\""));
    vouch_free(json);
    vouch_options_free(eval);
    vouch_sentence_free(sentence);
    vouch_reader_close(reader);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_model_close(covered);
    vouch_model_close(tuned);
    vouch_options_free(tune);
    vouch_options_free(cover);
    vouch_options_free(tag);
}

/* Counts the relations in the sets of a tree's words, which hold the answer's, likeliest first. */
static size_t relations_in(const vouch_answer *answer)
{
    size_t sum = 0;
    for (size_t word = 0; word < vouch_answer_words(answer); word++) {
        size_t size = vouch_answer_relations(answer, word), same = 0;
        const char *relation;
        double probability, before = 1;
        for (size_t i = 0; i < size; i++, sum++) {
            assert_int_equal(vouch_answer_relation(answer, word, i, &relation, &probability), 1);
            same += strcmp(relation, vouch_answer_label(answer, word)) == 0;
            assert_true(probability <= before);
            before = probability;
        }
        assert_int_equal(same, 1);
        assert_int_equal(vouch_answer_relation(answer, word, size, NULL, NULL), 0);
    }
    assert_int_equal(vouch_answer_relations(answer, vouch_answer_words(answer)), 0);
    return sum;
}

TEST(sets_of_relations_are_told)
{
    static const char *const voices[] = {"crf", NULL};
    char path[2][4096];
    const char *trees[2] = {path[0], path[1]};
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%s",
                 i ? folder_put("second", other_trees) : folder_put("first", SMALL_TREES SMALL_TREES));
    vouch_model *parser = vouch_model_open(small_parser("parser", voices, NULL), &err);
    vouch_options *tune = options_of("tune", "grid", "quick"), *parse = options_of("parse", "sets", "true");
    vouch_options *cover = options_of("tune", "coverage", "0.5");
    vouch_model *tuned = parser ? vouch_tune(parser, tune, &trees[0], 1, NULL, &err) : NULL;
    MUST(tuned);
    for (int by = 0; by < 2; by++) {
        MUST(!by || vouch_options_set(cover, "by", "label", &err) == VOUCH_OK);
        vouch_model *covered = vouch_tune(tuned, cover, &trees[1], 1, NULL, &err);
        vouch_request *request = covered ? vouch_request_new(covered, parse, &err) : NULL;
        vouch_worker *worker = request ? vouch_worker_new(request, &err) : NULL;
        vouch_reader *reader = vouch_reader_open(trees[1], covered, parse, &err);
        vouch_sentence *sentence = vouch_sentence_new(&err);
        MUST(worker && reader && sentence);
        size_t words = 0, relations = 0;
        while (vouch_reader_next(reader, sentence, &err) == 1) {
            const vouch_answer *answer = vouch_worker_answer(worker, sentence, &err);
            MUST(answer);
            words += vouch_answer_words(answer);
            relations += relations_in(answer);
        }
        assert_true(words == 11 && relations >= words);
        vouch_sentence_free(sentence);
        vouch_reader_close(reader);
        vouch_worker_free(worker);
        vouch_request_free(request);
        vouch_model_close(covered);
    }
    vouch_model_close(tuned);
    vouch_model_close(parser);
    vouch_options_free(tune);
    vouch_options_free(parse);
    vouch_options_free(cover);
}

TEST(wrong_arguments_are_refused)
{
    struct vouch_evaluation small = {.size = 4};
    const char *missing = folder_file("missing");
    char *text = NULL;
    vouch_options *eval = options_of("eval", NULL, NULL), *trade = options_of("trade", "confidence", "gamma");
    vouch_options *active = options_of("active", "confidence", "gamma");
    assert_int_equal(vouch_evaluate(NULL, eval, &file, 1, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_evaluate(model, NULL, &missing, 1, NULL, NULL, NULL, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_evaluate(model, trade, &file, 1, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_evaluate(model, eval, &file, 0, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_evaluate(model, eval, &file, 1, NULL, &small, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_evaluate(model, eval, &missing, 1, NULL, NULL, NULL, &err), VOUCH_ERR_IO);
    assert_int_equal(vouch_trade(model, eval, &file, 1, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_trade(model, trade, &file, 0, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_choose_next(model, active, NULL, NULL, 0, NULL, NULL, &text, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_choose_next(model, active, file, NULL, 0, NULL, NULL, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_choose_next(model, active, missing, NULL, 0, NULL, NULL, &text, &err), VOUCH_ERR_IO);
    assert_null(text);
    vouch_options_free(eval);
    vouch_options_free(trade);
    vouch_options_free(active);
}

/* The ways to choose have the names of vouch active next. */
TEST(sentences_are_chosen_in_every_way)
{
    static const char *const ways[] = {"gamma/mean", "gamma/length", "gamma/entities", "gamma/density"};
    char *text = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        vouch_options *active = options_of("active", "confidence", ways[i]);
        assert_int_equal(vouch_choose_next(model, active, file, NULL, 0, NULL, NULL, &text, &err), VOUCH_OK);
        assert_non_null(text);
        free(text);
        vouch_options_free(active);
    }
    vouch_options *active = options_of("active", "confidence", "fluctuation");
    assert_int_equal(vouch_choose_next(model, active, file, NULL, 0, NULL, NULL, &text, &err), VOUCH_ERR_ARGUMENT);
    assert_null(text);
    vouch_options_free(active);
}

TEST(each_can_be_stopped)
{
    char *text = NULL;
    vouch_options *eval = options_of("eval", NULL, NULL), *trade = options_of("trade", "confidence", "gamma");
    vouch_options *active = options_of("active", "confidence", "gamma");
    assert_int_equal(vouch_evaluate(model, eval, &file, 1, &stopping, NULL, &text, &err), VOUCH_ERR_STOPPED);
    assert_null(text);
    assert_int_equal(vouch_trade(model, trade, &file, 1, &stopping, NULL, &text, &err), VOUCH_ERR_STOPPED);
    assert_null(text);
    assert_int_equal(vouch_choose_next(model, active, file, NULL, 0, &stopping, NULL, &text, &err), VOUCH_ERR_STOPPED);
    assert_null(text);
    vouch_options_free(eval);
    vouch_options_free(trade);
    vouch_options_free(active);
}

TEST(a_point_that_is_asked_for_is_kept_in_a_new_model)
{
    vouch_model *chosen = NULL;
    char *json = NULL;
    vouch_options *options = options_of("trade", "confidence", "gamma");
    assert_int_equal(vouch_trade(model, options, &file, 1, NULL, &chosen, &json, &err), VOUCH_OK);
    assert_null(chosen);
    assert_non_null(strstr(json, "\"curves\""));
    vouch_free(json);
    MUST(vouch_options_set(options, "precision", "0.1", &err) == VOUCH_OK);
    assert_int_equal(vouch_trade(model, options, &file, 1, NULL, &chosen, NULL, &err), VOUCH_OK);
    assert_non_null(strstr(vouch_model_header(chosen), "\"operating_point\""));
    assert_null(strstr(vouch_model_header(model), "\"operating_point\""));
    vouch_model_close(chosen);

    const char *latin = folder_put("caf\xE9", SMALL_TAGS); /* no UTF-8 */
    assert_int_equal(vouch_trade(model, options, &latin, 1, NULL, &chosen, &json, &err), VOUCH_OK);
    assert_non_null(strstr(vouch_model_header(chosen), "caf?\""));
    assert_non_null(strstr(json, "\"operating_point\""));
    vouch_free(json);
    vouch_model_close(chosen);
    vouch_options_free(options);
}

TEST(a_review_has_suspects_and_totals)
{
    struct vouch_suspect found = {.size = sizeof found};
    struct vouch_review_totals totals = {.size = sizeof totals};
    vouch_options *options = options_of("review", "inspect", "all");
    vouch_suspects *suspects = vouch_review(model, options, &file, 1, NULL, &err);
    MUST(suspects);
    size_t count = vouch_suspects_count(suspects);
    assert_int_equal(vouch_suspects_totals(suspects, &totals, &err), VOUCH_OK);
    assert_true(count > 0 && totals.listed == count && totals.judged == count);
    assert_true(totals.audited == 0 && totals.drawn == 0 && totals.decided == 0);
    assert_true(isnan(totals.errors) && isnan(totals.errors_least) && isnan(totals.errors_most));
    double before = 1;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(vouch_suspects_get(suspects, i, &found, &err), VOUCH_OK);
        assert_true(found.error > 0 && found.error <= before);
        assert_string_equal(found.file, file);
        assert_string_equal(found.layer, "label");
        assert_true(found.line > 0 && found.words == 1 && *found.text && *found.given && *found.proposed && *found.why);
        assert_string_equal(found.also, "");
        assert_true(isnan(found.learned)); /* a model that is there already was not watched */
        assert_string_equal(found.audit, "");
        before = found.error;
    }
    assert_int_equal(vouch_suspects_get(suspects, count, &found, &err), VOUCH_ERR_ARGUMENT);
    found.size = totals.size = 4;
    assert_int_equal(vouch_suspects_get(suspects, 0, &found, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_suspects_totals(suspects, &totals, &err), VOUCH_ERR_ARGUMENT);
    vouch_suspects_free(suspects);
    vouch_options_free(options);
}

/* Writes a table that confirms one suspect, by its place. */
static void confirm(const struct vouch_suspect *s, const char *path)
{
    FILE *table = fopen(path, "w");
    assert_non_null(table);
    fprintf(table, "file\tline\tword\twords\tgiven\tproposed\tdecision\n%s\t%llu\t%zu\t%zu\t%s\t%s\t-\n", s->file,
            (unsigned long long)s->line, (size_t)s->word + 1, (size_t)s->words, s->given, s->proposed);
    fclose(table);
}

TEST(what_was_decided_is_not_listed_again)
{
    vouch_options *options = options_of("review", "inspect", "all");
    struct vouch_suspect found = {.size = sizeof found};
    vouch_suspects *before = vouch_review(model, options, &file, 1, NULL, &err);
    MUST(before);
    size_t count = vouch_suspects_count(before);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(vouch_suspects_get(before, i, &found, &err), VOUCH_OK);
        char table[1000];
        snprintf(table, sizeof table, "%s.%zu.tsv", file, i);
        confirm(&found, table);
        assert_int_equal(vouch_options_set(options, "decided", table, &err), VOUCH_OK);
        vouch_suspects *after = vouch_review(model, options, &file, 1, NULL, &err);
        MUST(after);
        assert_int_equal(vouch_suspects_count(after), count - 1 - i);
        for (size_t k = 0; k < vouch_suspects_count(after); k++) {
            struct vouch_suspect other = {.size = sizeof other};
            assert_int_equal(vouch_suspects_get(after, k, &other, &err), VOUCH_OK);
            assert_false(other.line == found.line && other.word == found.word);
        }
        vouch_suspects_free(after);
    }
    vouch_suspects_free(before);
    vouch_options_free(options);
}

/* What was drawn is confirmed, but for one that is left open: no error is found, and there can be some. */
TEST(an_audit_counts_errors)
{
    vouch_options *options = options_of("review", "audit", "8");
    struct vouch_suspect found = {.size = sizeof found};
    struct vouch_review_totals totals = {.size = sizeof totals};
    vouch_suspects *drawn = vouch_review(model, options, &file, 1, NULL, &err);
    MUST(drawn);
    assert_int_equal(vouch_suspects_count(drawn), 8);
    char path[1000];
    snprintf(path, sizeof path, "%s.audit.tsv", file);
    FILE *table = fopen(path, "w");
    assert_non_null(table);
    fprintf(table, "file\tline\tword\twords\tgiven\tproposed\tdecision\taudit\n");
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(vouch_suspects_get(drawn, i, &found, &err), VOUCH_OK);
        assert_true(*found.audit);
        fprintf(table, "%s\t%llu\t%zu\t1\t%s\t%s\t%s\t%s\n", found.file, (unsigned long long)found.line,
                (size_t)found.word + 1, found.given, found.proposed, i < 7 ? "-" : "", found.audit);
    }
    fclose(table);
    assert_int_equal(vouch_suspects_totals(drawn, &totals, &err), VOUCH_OK);
    assert_int_equal(totals.audited, 0); /* nothing was decided yet */
    uint64_t judged = totals.judged;
    vouch_suspects_free(drawn);
    assert_int_equal(vouch_options_set(options, "decided", path, &err), VOUCH_OK);
    vouch_suspects *after = vouch_review(model, options, &file, 1, NULL, &err);
    MUST(after);
    assert_int_equal(vouch_suspects_totals(after, &totals, &err), VOUCH_OK);
    assert_true(totals.audited == judged && totals.drawn == 8 && totals.decided == 7);
    assert_true(isnan(totals.errors) && totals.errors_least == 0);
    assert_true(totals.errors_most > 1 && totals.errors_most <= (double)judged - 7);
    vouch_suspects_free(after);
    vouch_options_free(options);
}

/* Returns what vouch_review() makes of wrong arguments, or of a watch that stops it. */
static enum vouch_status refused(const vouch_model *by, const vouch_options *options, size_t files,
                                 const struct vouch_watch *watch)
{
    err = (struct vouch_error){0};
    assert_null(vouch_review(by, options, &file, files, watch, &err));
    return err.status;
}

TEST(a_review_refuses_wrong_arguments)
{
    vouch_options *eval = options_of("eval", NULL, NULL), *review = options_of("review", NULL, NULL);
    vouch_options *task = options_of("review", "task", "ner"), *inspect = options_of("review", "inspect", "some");
    assert_int_equal(refused(model, eval, 1, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(refused(NULL, NULL, 1, NULL), VOUCH_ERR_ARGUMENT); /* neither a model nor a task */
    assert_int_equal(refused(model, review, 0, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(refused(model, task, 1, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(refused(NULL, review, 1, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_options_set(review, "level", "page", &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(refused(model, inspect, 1, NULL), VOUCH_ERR_ARGUMENT);
    assert_int_equal(refused(model, review, 1, &stopping), VOUCH_ERR_STOPPED);
    vouch_suspects_free(NULL);
    vouch_options_free(eval);
    vouch_options_free(review);
    vouch_options_free(task);
    vouch_options_free(inspect);
}
