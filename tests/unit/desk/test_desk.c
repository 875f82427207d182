/* Tests the opening of a desk: which model it may go on from, and which sentences are blind. */
#include "open_desk.h"

TEST_IN_FOLDER(the_desk_does_not_go_on_from_the_model_that_it_writes)
{
    struct open_desk d;
    char own[PATH_MAX + 20], copy[PATH_MAX], same[PATH_MAX];
    desk_begin(&d, "names.txt", DESK_NAMES);
    desk_end(&d);
    snprintf(own, sizeof own, "%s-desk.vouch", d.corpus);
    snprintf(copy, sizeof copy, "%s", folder_file("copy.vouch"));
    snprintf(same, sizeof same, "%s", folder_file("same.vouch"));
    assert_int_equal(symlink(own, same), 0);
    const char *const refused[] = {own, same};
    for (int i = 0; i < 2; i++) {
        d.options.model = refused[i];
        assert_false(desk_try(&d));
        assert_non_null(strstr(err.message, "the desk learns this file anew in every round"));
        desk_end(&d);
        err = (struct vouch_error){0};
    }
    size_t length = 0;
    unsigned char *bytes = folder_get_bytes(own, &length);
    folder_put_bytes("copy.vouch", bytes, length);
    free(bytes);
    d.options.model = copy;
    MUST(desk_try(&d));
    desk_end(&d);
}

TEST_IN_FOLDER(a_model_whose_file_is_gone_has_none)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", DESK_NAMES);
    assert_string_equal(path_name(desk_model_path(d.desk)), "names.txt-desk.vouch");
    MUST(remove(desk_model_path(d.desk)) == 0);
    assert_string_equal(desk_model_path(d.desk), "");
    desk_end(&d);
}

/* A sentence is shown with a suggestion before its label is acknowledged, and cannot measure any more. */
TEST_IN_FOLDER(what_was_acknowledged_is_not_blind_afterwards)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", DESK_NAMES);
    MUST(desk_takes(&d, "ada", "{'sentence': 2, 'kind': 'acknowledge', 'note': 'a name'}"));
    MUST(store_set(d.desk->store, "blind", "1", &err)); /* another model, or none, draws others */
    desk_again(&d);
    assert_true(d.desk->place[0].blind);
    assert_false(d.desk->place[1].blind);
    desk_end(&d);
}

TEST_IN_FOLDER(an_empty_corpus_is_refused_before_there_is_a_store)
{
    static const char *const empty[] = {"", "\n\n", "# a comment\n\n"};
    struct open_desk d = {0};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        snprintf(d.corpus, sizeof d.corpus, "%s", folder_put("names.txt", empty[i]));
        err = (struct vouch_error){0};
        assert_false(desk_try(&d));
        assert_non_null(strstr(err.message, "names.txt: expected a corpus to label, found no sentence"));
        assert_int_equal(folder_count(), 1); /* the corpus alone */
        desk_end(&d);
    }
    folder_put("names.txt", DESK_NAMES);
    err = (struct vouch_error){0};
    MUST(desk_try(&d));
    assert_string_equal(d.desk->task, "ner");
    desk_end(&d);
}
