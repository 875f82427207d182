/*
 * Tests what is shown beside a sentence: one's own answers, the corpus's and the model's, and of blind sentences
 * nothing that a model thinks.
 */
#include "desk/desk_room.h"

#include "folder.h"
#include "must.h"

enum { SENTENCES = 60, LABELLED = 30 };

/* Names that are always names, and one that is not always one. */
static void write_corpus(void)
{
    static const char *const name[] = {"Ada", "Grace", "Linus", "Edsger"};
    FILE *file = fopen(folder_file("names.txt"), "w");
    assert_non_null(file);
    for (int s = 0; s < SENTENCES; s++) {
        bool open = s >= LABELLED;
        fprintf(file, "%s\t%s\nmet\t%s\nMay%s\t%s\nn%d\t%s\n\n", name[s % 4], open ? "_" : "B-PER", open ? "_" : "O",
                s % 3 ? "" : "s", open ? "_" : s % 2 ? "B-PER" : "O", s, open ? "_" : "O");
    }
    fclose(file);
}

static struct desk *open_desk(struct learner *learner, double blind)
{
    struct vouch_watch quiet = {.size = sizeof quiet};
    char path[PATH_MAX], *corpus[] = {path};
    snprintf(path, sizeof path, "%s", folder_file("names.txt"));
    struct desk_options options = {.corpus = corpus,
                                   .corpora = 1,
                                   .task = "ner",
                                   .blind = blind,
                                   .threshold = 0.9,
                                   .work = {.seed = 1, .threads = 1, .watch = &quiet}};
    struct desk *desk = desk_open(&options, learner, &err);
    if (!desk)
        fail_msg("%s", err.message);
    return desk;
}

static bool is_blind(const struct desk *desk, json_int_t sentence)
{
    uint32_t place;
    MUST(desk_find(desk, sentence, &place, &err));
    return desk->place[place].blind;
}

static const char *source_of(const json_t *neighbour)
{
    const char *source = json_string_value(json_object_get(neighbour, "source"));
    return source ? source : "";
}

TEST_IN_FOLDER(of_blind_sentences_nothing_is_told_that_a_model_thinks)
{
    write_corpus();
    struct learner *learner = learner_open(NULL, &err);
    struct desk *desk = open_desk(learner, 0.5);
    size_t beside_blind = 0, suggested = 0, near_blind = 0;
    for (int64_t id = 1; id <= SENTENCES; id++) {
        json_t *item = desk_sentence(desk, "ada", id, &err), *one;
        bool blind = json_is_true(json_object_get(item, "blind"));
        size_t i;
        assert_non_null(item);
        assert_true(!blind || (json_is_null(json_object_get(item, "answer")) && !json_object_get(item, "nearby")));
        for (int side = 0; side < 2; side++)
            json_array_foreach(json_object_get(item, side ? "after" : "before"), i, one) {
                bool other = is_blind(desk, json_integer_value(json_object_get(one, "sentence")));
                bool told = strcmp(source_of(one), "model") == 0;
                assert_false((blind && told) || (other && json_object_get(one, "answer")));
                beside_blind += other;
                suggested += told;
            }
        json_array_foreach(json_object_get(item, "nearby"), i, one) {
            assert_false(is_blind(desk, json_integer_value(json_object_get(one, "sentence"))));
            near_blind++;
        }
        json_decref(item);
    }
    assert_true(beside_blind > 0 && suggested > 0 && near_blind > 0);
    learner_close(learner);
    desk_close(desk);
}

/* Decides that the second word of a sentence is a name, and no other. */
static void decide(struct desk *desk, int64_t sentence)
{
    json_t *body = json_pack("{s:I, s:s, s:{s:[{s:i, s:i, s:s}]}}", "sentence", (json_int_t)sentence, "kind", "edit",
                             "answer", "spans", "from", 1, "to", 2, "type", "PER");
    json_t *result = desk_decide(desk, "ada", body, &err);
    if (!result)
        fail_msg("%s", err.message);
    json_decref(result);
    json_decref(body);
}

/* What `annotator` sees of the sentence after another one: whose labels, and the second of them. */
static void expect_after(struct desk *desk, const char *annotator, int64_t sentence, const char *source,
                         const char *second)
{
    json_t *item = desk_sentence(desk, annotator, sentence, &err);
    json_t *after = json_array_get(json_object_get(item, "after"), 0);
    json_t *labels = json_object_get(json_object_get(after, "answer"), "labels");
    assert_string_equal(source_of(after), source);
    assert_string_equal(json_string_value(json_array_get(labels, 1)), second);
    json_decref(item);
}

TEST_IN_FOLDER(neighbours_have_ones_own_labels_before_the_corpus_s_and_the_model_s)
{
    write_corpus();
    struct learner *learner = learner_open(NULL, &err);
    struct desk *desk = open_desk(learner, 0);
    expect_after(desk, "ada", 10, "corpus", "O");
    expect_after(desk, "ada", 40, "model", "O");
    decide(desk, 11);
    decide(desk, 41);
    expect_after(desk, "ada", 10, "yours", "B-PER");
    expect_after(desk, "ada", 40, "yours", "B-PER");
    expect_after(desk, "grace", 10, "corpus", "O");
    expect_after(desk, "grace", 40, "model", "O");
    learner_close(learner);
    desk_close(desk);
}
