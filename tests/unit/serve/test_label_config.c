/* Tests what is read of Label Studio's configurations, and which label stands for what a model says. */
#include "serve/label_config.h"

#include "must.h"
#include "test.h"

static const char names[] = "<View><Choices name=\"c\" toName=\"t\"><Choice value=\"PER\"/></Choices>"
                            "<Labels name=\"n\" toName=\"image\"><Label value=\"Cat\"/></Labels>"
                            "<View style=\"x\"><Labels toName=\"t\" name=\"l\" model_score_threshold=\"0.25\">"
                            "<Label value=\"Person\" predicted_values=\"PER, human\"/><Label value=\"per\"/>"
                            "<Label value=\"Zo\xC3\xAB &amp; co\"/><Label value=\"\"/><Label/></Labels></View>"
                            "<Image name=\"image\" value=\"$i\"/><Text name=\"t\" value=\"$body\"/></View>";

static const char *find(const struct label_config *config, const char *name)
{
    return label_find(&config->labels, text_of(name));
}

TEST(the_first_labels_of_a_text_are_taken)
{
    struct label_config config;
    MUST(label_config_read(&config, names, &err));
    assert_string_equal(config.from_name, "l");
    assert_string_equal(config.to_name, "t");
    assert_string_equal(config.data, "body");
    assert_true(config.threshold == 0.25);
    assert_int_equal(config.labels.count, 3);
    assert_string_equal(config.labels.item[2].value, "Zo\xC3\xAB & co");
    assert_false(config.draws_relations);
    label_config_release(&config);
}

TEST(labels_are_found_by_predicted_values_then_by_spelling)
{
    struct label_config config;
    MUST(label_config_read(&config, names, &err));
    assert_string_equal(find(&config, "PER"), "Person");
    assert_string_equal(find(&config, "human"), "Person");
    assert_string_equal(find(&config, "per"), "per");
    assert_string_equal(find(&config, "Per"), "per");
    assert_string_equal(find(&config, "PERSON"), "Person");
    assert_string_equal(find(&config, "human:old"), "Person");
    assert_null(find(&config, "PERS"));
    assert_null(find(&config, "Cat"));
    assert_null(find(&config, ""));
    assert_null(find(&config, ":"));
    label_config_release(&config);
}

TEST(relations_make_it_a_project_of_trees)
{
    struct label_config config;
    MUST(label_config_read(&config,
                           "<View><Relations><Relation value=\"nsubj\"/><Relation value=\"nmod\"/></Relations>"
                           "<Labels name=\"upos\" toName=\"text\"><Label value=\"X\"/></Labels>"
                           "<Text name=\"text\" value=\"$text\"/></View>",
                           &err));
    assert_true(config.draws_relations);
    assert_int_equal(config.relations.count, 2);
    assert_string_equal(label_find(&config.relations, text_of("nmod:poss")), "nmod");
    label_config_release(&config);
}

static void must_refuse(const char *xml, const char *why)
{
    struct label_config config;
    err = (struct vouch_error){0};
    assert_false(label_config_read(&config, xml, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    if (!strstr(err.message, why))
        fail_msg("expected '%s', found '%s'", why, err.message);
    label_config_release(&config);
}

TEST(what_is_no_configuration_is_refused)
{
    must_refuse("", "label_config");
    must_refuse("<View>", "label_config");
    must_refuse("<View>&amp;&lt;</View>", "expected <Labels");
    must_refuse("<View>&unknown;</View>", "label_config");
    must_refuse("<Labels name=\"l\" toName=\"t\"><Label value=\"A\"/></Labels>", "expected <Labels");
    must_refuse("<View><Labels name=\"l\" toName=\"t\"><Label value=\"A\"/></Labels>"
                "<Text name=\"t\" value=\"$t\" valueType=\"url\"/></View>",
                "expected <Labels");
    must_refuse("<View><Labels name=\"l\" toName=\"t\"/><Text name=\"t\" value=\"$t\"/></View>", "expected a <Label");
    must_refuse("<View><Labels name=\"l\" toName=\"t\" model_score_threshold=\"x\"><Label value=\"A\"/></Labels>"
                "<Text name=\"t\" value=\"$t\"/></View>",
                "of 0 to 1");
    must_refuse("<!DOCTYPE v [<!ENTITY a \"b\">]><View/>", "entities are refused");
    must_refuse("<?xml version=\"1.0\" encoding=\"UTF-7\"?><!DOCTYPE v><View/>", "entities are refused");
    char *large = new_array((2 << 20) + 1, 1, &err);
    memset(large, ' ', 2 << 20);
    must_refuse(large, "at most 1048576 bytes");
    free(large);
}
