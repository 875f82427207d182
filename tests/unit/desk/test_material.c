/* Tests learning from texts: the same text gives the same bytes; files with names stay, others are never seen. */
#include "desk/material.h"

#include "base/watch.h"
#include "model/model.h"

#include "folder.h"
#include "must.h"
#include "test.h"

#include <unistd.h>

static const char text[] = "Ada B-PER\nlives O\nin O\nParis B-LOC\n\nBob B-PER\nlives O\nin O\nRome B-LOC\n\n"
                           "Cleo B-PER\nsleeps O\n\nRome B-LOC\nsleeps O\n\n";

static vouch_model *learn(const char *more, const char *options, const char *base, const char *stem)
{
    struct material material = {.base = base};
    err = (struct vouch_error){0};
    MUST(buffer_add(&material.text, text_of(text), &err) && buffer_add(&material.more, text_of(more), &err) &&
         buffer_add(&material.options, text_of(options), &err));
    vouch_model *model = material_learn(&material, stem, NULL, &err);
    material_release(&material);
    return model;
}

static uint64_t digest_of(vouch_model *model)
{
    MUST(model && vouch_model_save(model, folder_file("model.vouch"), &err) == VOUCH_OK);
    uint64_t digest = model_file_digest(&model->file);
    vouch_model_close(model);
    return digest;
}

TEST_IN_FOLDER(the_same_text_gives_the_same_bytes)
{
    const char *options = "task=ner&no-calibrate&";
    uint64_t first = digest_of(learn("", options, NULL, NULL));
    assert_true(digest_of(learn("", options, NULL, NULL)) == first);
    assert_true(digest_of(learn("Ada O\nsleeps O\n\n", options, NULL, NULL)) != first);
    char *base = new_string(folder_file("base.vouch"), strlen(folder_file("base.vouch")), &err);
    vouch_model *model = learn("", options, NULL, NULL);
    MUST(vouch_model_save(model, base, &err) == VOUCH_OK);
    vouch_model_close(model);
    assert_true(digest_of(learn("", "no-calibrate", base, NULL)) != first);
    free(base);
}

TEST_IN_FOLDER(files_with_names_stay)
{
    char *stem = new_string(folder_file("one"), strlen(folder_file("one")), &err);
    vouch_model *model = learn("Ada _\nsleeps O\n\n", "task=ner&no-calibrate&partial=true", NULL, stem);
    MUST(model);
    vouch_model_close(model);
    assert_int_equal(access(folder_file("one.learn"), R_OK), 0);
    assert_int_equal(access(folder_file("one.learn2"), R_OK), 0);
    assert_int_equal(access(folder_file("one.calibrate"), R_OK), -1);
    free(stem);
}

TEST(what_cannot_be_learned_is_told)
{
    assert_null(learn("", "task=nothing", NULL, NULL));
    assert_true(strstr(err.message, "nothing") != NULL);
    assert_null(learn("Ada _ _ _\n\n", "task=ner", NULL, NULL));
    assert_null(learn("", "task=ner", "no/such/model.vouch", NULL));
    assert_null(learn("", "task=ner", NULL, "no/such/folder/file"));
}

static int stop(void *context)
{
    (void)context;
    return 1;
}

TEST(what_is_stopped_is_no_model)
{
    struct material material = {0};
    const struct vouch_watch watch = {.size = sizeof watch, .stop = stop};
    MUST(buffer_add(&material.text, text_of(text), &err) &&
         buffer_add(&material.options, text_of("task=ner&no-calibrate"), &err));
    assert_null(material_learn(&material, NULL, &watch, &err));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    material_release(&material);
}
