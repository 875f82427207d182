/* Tests the list as JSON: rows, sentences and groups fit each other; labels that a table cannot hold are refused. */
#include "review/review.h"

#include "folder.h"
#include "must.h"

enum { SENTENCES = 80, WRONG = 10 };

/* One name is labelled wrongly in every tenth sentence: always the same error but for the name. */
static void write_corpus(char *to)
{
    for (int i = 0; i < SENTENCES; i++)
        to += sprintf(to, "Mr O\nName%d B-PER\nleft O\nCity%d %s\n. O\n\n", i % 5, i % 4,
                      i % WRONG == 3 ? "B-PER" : "B-LOC");
}

static void review_file(struct review *review, struct review_options *options, char **path)
{
    options_init(&review_options, options);
    options->common.argument = path;
    options->common.arguments = 1;
    options->common.work.threads = 1;
    options->learner.task = "ner";
    options->level = REVIEW_CHUNKS;
    options->as = REVIEW_HTML;
    options->inspect = "20";
    *review = (struct review){.options = options};
    MUST(review_prepare(review, &err) && review_read(review, &err));
}

static json_int_t number(const json_t *all, const char *list, size_t row)
{
    return json_integer_value(json_array_get(json_object_get(all, list), row));
}

/* Rows are the same error if and only if the last word, the given and the proposed labels are the same. */
static void check_groups(const struct review *review, const json_t *all)
{
    const struct review_list *list = &review->list;
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < i; j++) {
            bool same = true;
            for (int s = ROW_TEXT; s <= ROW_PROPOSED; s++) /* all are single words here */
                same = same && text_equal(list_text(list, list->row[i].string[s]),
                                          list_text(list, list->row[j].string[s]));
            assert_int_equal(list->row[i].words, 1);
            assert_int_equal(same, number(all, "group", i) == number(all, "group", j));
        }
}

TEST_IN_FOLDER(rows_sentences_and_groups_fit)
{
    static char corpus[SENTENCES * 80];
    struct review_options options;
    struct review review;
    write_corpus(corpus);
    char *path[] = {strdup(folder_put("names.txt", corpus))};
    review_file(&review, &options, path);
    MUST(review_judge(&review, &err));
    json_t *all = review_json(&review, &err), *again = review_json(&review, &err);
    MUST(all && again);
    assert_true(json_equal(all, again));
    size_t rows = review.list.count;
    assert_int_equal(rows, 20);
    assert_int_equal(json_array_size(json_object_get(all, "group")), rows);
    assert_int_equal(json_array_size(json_object_get(all, "sentence")), rows);
    assert_string_equal(json_string_value(json_object_get(all, "level")), "chunk");
    assert_true(json_is_null(json_object_get(all, "errors")));
    assert_true(json_is_false(json_object_get(all, "audit")));
    assert_int_equal(json_array_size(json_object_get(all, "labels")), 3);
    for (size_t i = 0; i < rows; i++)
        assert_in_range(number(all, "sentence", i), 0, review.list.sentences - 1);
    check_groups(&review, all);
    assert_int_equal(number(all, "group", 0), 0);

    const char *name[] = {"other.txt"};
    MUST(review_rename_files(&review, name, &err));
    json_t *renamed = review_json(&review, &err);
    MUST(renamed);
    assert_non_null(strstr(json_string_value(json_object_get(renamed, "table")), "\n1\tother.txt\t"));
    assert_false(json_equal(json_object_get(all, "identity"), json_object_get(renamed, "identity")));
    assert_true(json_equal(json_object_get(all, "group"), json_object_get(renamed, "group")));
    json_decref(all);
    json_decref(again);
    json_decref(renamed);
    review_release(&review);
    free(path[0]);
}

TEST_IN_FOLDER(labels_with_a_blank_are_refused)
{
    static char corpus[SENTENCES * 80];
    struct review_options options;
    struct review review;
    struct text name;
    char *to = corpus;
    for (int i = 0; i < SENTENCES; i++)
        to += sprintf(to, "{\"tokens\": [\"a\", \"b\"], \"labels\": [\"O\", \"B-%s\"]}\n", i % 2 ? "BIG TOWN" : "X");
    char *path[] = {strdup(folder_put("names.jsonl", corpus))};
    review_file(&review, &options, path);
    assert_true(review_blank_label(&review, &name));
    assert_true(text_is(name, "B-BIG TOWN"));
    assert_false(review_check_labels(&review, &err));
    assert_non_null(strstr(err.message, "\"B-BIG TOWN\" has a blank in it"));
    review_release(&review);
    free(path[0]);
}
