/* Tests sentences that were learned from: sets of digests, digests of words, and what a model remembers. */
#include "core/sentence.h"
#include "text/reader.h"
#include "model/model.h"

#include "small_models.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

static struct vouch_error err;

/* Sets. */

TEST(a_set_holds_what_was_added_and_nothing_else)
{
    static const uint64_t added[] = {7, UINT64_MAX, 3, 7, 0, 12, 3, 7};
    struct digest_set set = {0};
    assert_false(digest_set_has(&set, 0));
    digest_set_close(&set);
    assert_int_equal(set.count, 0);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        assert_true(digest_set_add(&set, added[i], &err));
    digest_set_close(&set);
    assert_int_equal(set.count, 5);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        assert_true(digest_set_has(&set, added[i]));
    for (size_t i = 1; i < set.count; i++)
        assert_true(set.digest[i - 1] < set.digest[i]);
    assert_false(digest_set_has(&set, 1));
    assert_false(digest_set_has(&set, 13));
    assert_false(digest_set_has(&set, UINT64_MAX - 1));
    digest_set_release(&set);
}

TEST(two_sets_become_one)
{
    uint64_t old[] = {2, 4, 9};
    struct digest_set set = {0}, mapped = {.digest = old, .count = 3}, empty = {0};
    assert_true(digest_set_add(&set, 4, &err) && digest_set_add(&set, 5, &err));
    assert_true(digest_set_add_all(&set, &mapped, &err));
    assert_true(digest_set_add_all(&set, &empty, &err));
    digest_set_close(&set);
    assert_int_equal(set.count, 4);
    for (uint64_t digest = 0; digest < 12; digest++)
        assert_int_equal(digest_set_has(&set, digest), digest == 2 || digest == 4 || digest == 5 || digest == 9);
    digest_set_release(&set);
}

/* Digests of words. */

static uint64_t digest_by(const char *text, const struct reader_options *options)
{
    struct reader *reader = reader_open(folder_put("in", text), options, &err);
    struct sentence sentence = {0};
    assert_non_null(reader);
    assert_int_equal(reader_next(reader, &sentence, &err), READ_SENTENCE);
    uint64_t digest = sentence_words_digest(&sentence);
    sentence_release(&sentence);
    reader_close(reader);
    return digest;
}

static uint64_t digest_of(const char *text, enum format format, bool trees, int gold)
{
    struct reader_options options = {.format = format, .gold = gold, .trees = trees};
    return digest_by(text, &options);
}

static uint64_t columns_digest(const char *text)
{
    return digest_of(text, FORMAT_CONLL, false, GOLD_LAST);
}

TEST(words_are_the_same_in_every_format)
{
    uint64_t digest = columns_digest("Ada NNP B-PER\nslept VBD O\n");
    assert_int_equal(columns_digest("Ada O\nslept O\n"), digest);
    assert_int_equal(columns_digest("Ada\tX\tO\nslept\tY\tO\n"), digest);
    assert_int_equal(columns_digest("# a comment\n\nAda X\nslept Y\n"), digest);
    assert_int_equal(digest_of("Ada\nslept\n", FORMAT_CONLL, false, GOLD_NONE), digest);
    assert_int_equal(digest_of("Ada slept\n", FORMAT_PLAIN, false, GOLD_NONE), digest);
    assert_int_equal(
        digest_of("{\"tokens\": [\"Ada\", \"slept\"], \"labels\": [\"X\", \"Y\"]}\n", FORMAT_JSONL, false, GOLD_LAST),
        digest);
    assert_int_equal(digest_of("1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "2\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\t_\n",
                               FORMAT_CONLLU, true, GOLD_LAST),
                     digest);
}

/* The label may be the first column; without it, the options say where words are. */
TEST(words_may_be_in_the_second_column)
{
    const char *first = "B-PER Ada\nO slept\n";
    uint64_t digest = columns_digest("Ada O\nslept O\n");
    assert_int_equal(digest_of(first, FORMAT_CONLL, false, 1), digest);
    assert_int_equal(digest_of("O\tAda\tNNP\nO\tslept\tVBD\n", FORMAT_CONLL, false, 1), digest);
    assert_int_equal(digest_of("Ada B-PER NNP\nslept O VBD\n", FORMAT_CONLL, false, 2), digest);
    assert_true(digest_of(first, FORMAT_CONLL, false, GOLD_NONE) != digest);
    struct reader_options options = {.format = FORMAT_CONLL, .gold = GOLD_NONE, .form = 1};
    assert_int_equal(digest_by(first, &options), digest);
    assert_int_equal(digest_by("Ada\nslept\n", &options), digest); /* there is no second */
}

TEST(other_words_have_another_digest)
{
    static const char *const texts[] = {"Ada O\nslept O\n", "slept O\nAda O\n", "ada O\nslept O\n",     "Ada O\n",
                                        "Adas O\nlept O\n", "Ada O\nAda O\n",   "Ada O\nslept O\n. O\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(columns_digest(texts[i]) != columns_digest(texts[j]));
}

static uint64_t attributes_digest(const char *text)
{
    return digest_of(text, FORMAT_CRFSUITE, false, GOLD_LAST);
}

TEST(all_attributes_of_a_word_count)
{
    uint64_t digest = attributes_digest("X\tcap\tw=Ada\nY\tw=slept\n");
    assert_int_equal(attributes_digest("Y\tcap\tw=Ada\nY\tw=slept\n"), digest);
    assert_int_equal(attributes_digest("X\tcap:2\tw=Ada\nY\tw=slept\n"), digest);
    assert_true(attributes_digest("X\tcap\tw=Eva\nY\tw=slept\n") != digest);
    assert_true(attributes_digest("X\tcap\nY\tw=Ada\tw=slept\n") != digest);
    assert_true(attributes_digest("X\tcap\tw=Ada\tw=slept\nY\n") != digest);
}

/* Models. */

static const char *const one_voice[] = {"perceptron", NULL};

static vouch_model *must_open(const char *path)
{
    vouch_model *model = vouch_model_open(path, &err);
    if (!model)
        fail_msg("%s", err.message);
    return model;
}

TEST(a_tagger_remembers_its_sentences)
{
    vouch_model *model = must_open(small_tagger("m", one_voice, NULL));
    assert_int_equal(model->seen.count, 5);
    assert_true(digest_set_has(&model->seen, columns_digest("Ada X\n")));
    assert_true(digest_set_has(&model->seen, columns_digest("Zola X\nsaw X\nthe X\nbridge X\n. X\n")));
    assert_false(digest_set_has(&model->seen, columns_digest("Zola X\nsaw X\nthe X\nbridge X\n")));
    assert_int_equal(vouch_model_verify(model, &err), VOUCH_OK);
    vouch_model_close(model);
}

TEST(a_parser_remembers_what_it_did_not_skip)
{
    struct corpus corpus;
    small_tree_corpus(&corpus,
                      SMALL_TREES "1\tyes\t_\tINTJ\t_\t_\t0\troot\t_\t_\n2\tno\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n", 8);
    assert_int_equal(corpus.seen.count, 3);
    assert_true(digest_set_has(&corpus.seen, columns_digest("Left X\n")));
    assert_false(digest_set_has(&corpus.seen, columns_digest("yes X\nno X\n")));
    corpus_release(&corpus);
    vouch_model *model = must_open(small_parser("p", one_voice, NULL));
    assert_int_equal(model->seen.count, 3);
    assert_true(digest_set_has(&model->seen, columns_digest("Left X\n")));
    vouch_model_close(model);
}

/* Writes the model at `path` once more, with other digests and what else the header says of them. */
static const char *with_digests(const char *path, const char *name, const struct digest_set *seen)
{
    vouch_model *model = must_open(path);
    const char *to = folder_file(name);
    struct output *out = output_open(to, &err);
    json_t *header = json_copy(model->header);
    json_object_del(header, "seen");
    struct model_content content = {.header = header,
                                    .task = model->task,
                                    .template = json_string_value(json_object_get(model->header, "template")),
                                    .labels = &model->labels,
                                    .vocabulary = &model->vocabulary,
                                    .layer = model->layer,
                                    .layers = model->layers,
                                    .seen = seen};
    assert_true(out && model_write(out, &content, &err) && output_commit(out, &err));
    json_decref(header);
    vouch_model_close(model);
    return to;
}

TEST(a_model_need_not_remember_anything)
{
    vouch_model *model = must_open(with_digests(small_tagger("m", one_voice, NULL), "old", NULL));
    assert_int_equal(model->seen.count, 0);
    assert_null(json_object_get(model->header, "seen"));
    assert_false(digest_set_has(&model->seen, columns_digest("Ada X\n")));
    vouch_model_close(model);
}

TEST(digests_in_disorder_do_no_harm)
{
    uint64_t mixed[] = {9, 1, UINT64_MAX, 0, 4, 4};
    struct digest_set seen = {.digest = mixed, .count = 6};
    vouch_model *model = must_open(with_digests(small_tagger("m", one_voice, NULL), "mixed", &seen));
    assert_int_equal(model->seen.count, 6);
    for (uint64_t digest = 0; digest < 20; digest++)
        (void)digest_set_has(&model->seen, digest);
    const char *text = folder_file("text");
    struct output *out = output_open(text, &err);
    assert_true(out && model_dump(model, out, &err) && output_commit(out, &err));
    out = output_open(folder_file("never"), &err);
    assert_false(model_load(text, out, &err));
    assert_non_null(strstr(err.message, "larger than the one before"));
    output_discard(out);
    vouch_model_close(model);
}

/* The header says five: a section of another length, or none, is damage. */
TEST(a_count_that_is_not_true_is_refused)
{
    static const json_int_t lies[] = {-1, 4, 6, (json_int_t)1 << 61};
    small_tagger("m", one_voice, NULL);
    for (size_t i = 0; i < 2 * sizeof lies / sizeof *lies; i++) {
        vouch_model *model = must_open(folder_file("m"));
        json_t *header = json_copy(model->header);
        struct digest_set kept = model->seen;
        if (i % 2)
            model->seen = (struct digest_set){0};
        struct output *out = output_open(folder_file("lie"), &err);
        json_object_set_new(header, "seen", json_integer(lies[i / 2]));
        /* Without digests to write, what the header says stays; with them it is put right. */
        assert_true(out && model_write_again(out, model, header, &err) && output_commit(out, &err));
        model->seen = kept;
        json_decref(header);
        vouch_model_close(model);
        model = vouch_model_open(folder_file("lie"), &err);
        assert_int_equal(model != NULL, i % 2 == 0);
        vouch_model_close(model);
    }
}
