/*
 * Tests what counts as text that a model knows: learned from, tuned on, or some of either; half of it is enough. And
 * which files have document marks.
 */
#include "answer/measured_text.h"

#include "model/records.h"

#include "must.h"
#include "test.h"

/* Makes sentence number i, of one word. */
static struct sentence make(uint32_t i, char *word, struct text *cell, uint32_t *first)
{
    first[0] = 0;
    first[1] = 1;
    *cell = (struct text){word, (uint32_t)sprintf(word, "w%u", i)};
    return (struct sentence){.N = 1, .first = first, .cell = cell, .place.sentences = 1};
}

static void take(struct measured_text *text, uint32_t i)
{
    char word[16];
    struct text cell;
    uint32_t first[2];
    struct sentence s = make(i, word, &cell, first);
    MUST(measured_text_take(text, &s, &err));
}

static uint64_t digest_of(uint32_t i)
{
    char word[16];
    struct text cell;
    uint32_t first[2];
    struct sentence s = make(i, word, &cell, first);
    return sentence_words_digest(&s);
}

/* Whether 20 sentences prove anything to a model that learned from some of them, and was tuned on others. */
static bool proves(uint32_t learned, uint32_t tuned, struct vouch_error *found)
{
    struct digest_set seen = {0}, fitted = {0};
    for (uint32_t i = 0; i < learned + tuned; i++)
        MUST(digest_set_add(i < learned ? &seen : &fitted, digest_of(i), &err));
    digest_set_close(&seen);
    digest_set_close(&fitted);
    json_t *header = json_pack("{s:{s:o}}", "confidence", "sentences", digests_json(&fitted));
    struct vouch_model model = {.header = header, .seen = seen};
    struct measured_text text;
    MUST(measured_text_init(&text, &model, &err));
    for (uint32_t i = 0; i < 20; i++)
        take(&text, i);
    MUST(measured_text_end(&text, &err));
    assert_true(text.sentences == 20 && text.learned == learned && text.tuned == tuned);
    bool ok = measured_text_proves(&text, found);
    measured_text_release(&text);
    json_decref(header);
    digest_set_release(&seen);
    digest_set_release(&fitted);
    return ok;
}

TEST(half_of_a_text_is_enough_to_know_it)
{
    for (uint32_t learned = 0; learned <= 20; learned++)
        for (uint32_t tuned = 0; learned + tuned <= 20; tuned++) {
            struct vouch_error found = {0};
            assert_int_equal(proves(learned, tuned, &found), learned + tuned < 10);
            if (learned + tuned >= 10) {
                assert_int_equal(strstr(found.message, "learned from") != NULL, learned > 0);
                assert_int_equal(strstr(found.message, "tuned on") != NULL, tuned > 0);
            }
        }
}

TEST(files_without_marks_are_noticed_beside_others)
{
    static const struct {
        const char *files; /* "m" is a mark, "s" a sentence, and a blank begins a file */
        const char *unmarked;
    } cases[] = {{"msms msms", NULL}, {"msms ss", "b"}, {"ss msms", "a"}, {"ss ss", NULL}, {"smsm smsm", NULL}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct measured_text text;
        uint32_t number = 0;
        MUST(measured_text_init(&text, NULL, &err));
        measured_text_begin(&text, "a");
        for (const char *at = cases[c].files; *at; at++) {
            struct sentence mark = {.N = 1, .boundary = true};
            if (*at == ' ')
                measured_text_begin(&text, "b");
            else if (*at == 's')
                take(&text, number++);
            else
                MUST(measured_text_take(&text, &mark, &err));
        }
        MUST(measured_text_end(&text, &err));
        bool said = has_documents(&text.documents) && text.unmarked_file;
        assert_int_equal(said, cases[c].unmarked != NULL);
        if (said)
            assert_string_equal(text.unmarked, cases[c].unmarked);
        measured_text_release(&text);
    }
}

/* Marks of one file do not make a document, which may repeat itself, of another. */
TEST(text_that_is_there_twice_is_noticed_behind_a_file_with_marks)
{
    for (uint32_t times = 1; times <= 2; times++) {
        struct measured_text text;
        struct sentence mark = {.N = 1, .boundary = true};
        struct vouch_error found = {0};
        MUST(measured_text_init(&text, NULL, &err));
        measured_text_begin(&text, "marked");
        for (uint32_t i = 0; i < 2; i++) {
            MUST(measured_text_take(&text, &mark, &err));
            take(&text, i);
        }
        measured_text_begin(&text, "unmarked");
        for (uint32_t i = 0; i < 10 * times; i++)
            take(&text, 10 + i % 10);
        MUST(measured_text_end(&text, &err));
        assert_int_equal(measured_text_proves(&text, &found), times == 1);
        assert_true(times == 1 || strncmp(found.message, "unmarked: 10 of 20 ", 19) == 0);
        measured_text_release(&text);
    }
}
