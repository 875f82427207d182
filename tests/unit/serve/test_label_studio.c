/* Tests what the server remembers of Label Studio's projects; tests/label_studio/replay tests what it answers. */
#include "serve/label_studio.h"

#include "bare_server.h"
#include "folder.h"
#include "must.h"
#include "sample_file.h"
#include "test.h"

static const char setup[] =
    "{\"project\": \"7.17\", \"schema\": \"<View><Labels name='l' toName='t'><Label value='PER'/></Labels>"
    "<Text name='t' value='$text'/></View>\"}";

/* Learns a model of plain words. */
static vouch_model *learn(void)
{
    const char *file = put_sample("ner", SAMPLE_NER, 0, 20);
    static const char *const pair[][2] = {{"task", "ner"}, {"use", "1"}, {"passes", "1"}, {"no-calibrate", "true"}};
    vouch_options *options = vouch_options_new("train", &err);
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        MUST(vouch_options_set(options, pair[i][0], pair[i][1], &err) == VOUCH_OK);
    vouch_model *model = vouch_train(options, &file, 1, NULL, &err);
    MUST(model);
    vouch_options_free(options);
    return model;
}

static void must_answer(struct bare_server *b, unsigned status, const char *part)
{
    assert_int_equal(bare_ask(b, "POST", "/label-studio/setup", setup,
                              (const char *[]){"Content-Type", "application/json", NULL}),
                     status);
    const char *text = bare_text(b);
    if (!strstr(text, part))
        fail_msg("expected '%s', found '%s'", part, text);
}

TEST_IN_FOLDER(what_was_learned_before_is_found_beside_the_store)
{
    static struct bare_server b;
    vouch_model *model = learn();
    b = (struct bare_server){0};
    bare_init(&b);
    must_answer(&b, 503, "not answered here");
    b.options.store = folder_file("project.sqlite");
    b.server.studio = label_studio_open(&b.server, &err);
    MUST(b.server.studio);
    must_answer(&b, 400, "expected a model with a label");
    label_studio_close(b.server.studio);
    MUST(vouch_model_save(model, folder_file("label-studio-7.vouch"), &err) == VOUCH_OK);
    b.server.studio = label_studio_open(&b.server, &err);
    MUST(b.server.studio);
    must_answer(&b, 200, "{\"model_version\":\"label-studio-7-");
    label_studio_close(b.server.studio);
    bare_release(&b);
    vouch_model_close(model);
}
