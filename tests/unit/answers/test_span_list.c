/* Tests lists of spans: the places of words, and finding values in the bytes of a line. */
#include "answers/span_list.h"

#include "base/json_read.h"
#include "base/random.h"

#include "must.h"
#include "test.h"

static struct answer_file lines = {.path = "file", .line = 1};

/* Reads the spans of a line {"text": ..., "spans": [...]}; the line must be released by the caller. */
static bool read_line(struct span_list *list, json_t **line, const char *text)
{
    const struct text score = {0};
    *line = json_read_string(text, 0, NULL);
    assert_non_null(*line);
    list->file = &lines;
    err = (struct vouch_error){0};
    return span_list_text(list, json_object_get(*line, "text"), &err) &&
           span_list_read(list, json_object_get(*line, "spans"), "spans", &score, &err);
}

static void check_span(const struct found_span *s, uint32_t from, uint32_t to, const char *label, const char *words)
{
    assert_int_equal(s->from, from);
    assert_int_equal(s->to, to);
    assert_true(text_is(s->label, label));
    assert_true(text_is(s->words, words));
}

TEST(words_without_offsets_are_found_in_turn)
{
    struct span_list list = {0};
    json_t *line;
    MUST(read_line(&list, &line,
                   "{\"text\": \"\xC3\xA9t\xC3\xA9 Bo Bob Bo\", \"spans\": ["
                   "{\"text\": \"Bo\", \"label\": \"A\", \"score\": 1},"
                   "{\"word\": \"Bo\", \"label\": \"B\", \"score\": 1}, {\"extraction_text\": \"Bo\", \"label\": \"C\","
                   "\"score\": 1}, {\"text\": \"Bo\", \"label\": \"D\", \"score\": 1},"
                   "{\"text\": \"x\", \"label\": \"E\", \"score\": 1}]}"));
    assert_int_equal(list.count, 5);
    check_span(&list.span[0], 4, 6, "A", "Bo");
    check_span(&list.span[1], 7, 9, "B", "Bo");
    check_span(&list.span[2], 11, 13, "C", "Bo");
    check_span(&list.span[3], 11, 13, "D", "Bo"); /* a fourth one repeats the last */
    check_span(&list.span[4], NO_PLACE, NO_PLACE, "E", "x");
    json_decref(line);
    span_list_release(&list);
}

TEST(pieces_of_words_are_joined_only_where_they_touch)
{
    struct span_list list = {0};
    json_t *line;
    MUST(read_line(&list, &line,
                   "{\"text\": \"abcdefghij\", \"spans\": ["
                   "{\"entity\": \"B-X\", \"start\": 0, \"end\": 1, \"score\": 1},"
                   "{\"entity\": \"I-X\", \"start\": 1, \"end\": 2, \"score\": 0.5},"
                   "{\"entity\": \"I-Y\", \"start\": 2, \"end\": 3, \"score\": 0.5},"
                   "{\"entity\": \"B-Y\", \"start\": 3, \"end\": 4, \"score\": 0.5},"
                   "{\"entity\": \"I-Y\", \"start\": 6, \"end\": 7, \"score\": 0.5},"
                   "{\"entity\": \"O\", \"start\": 7, \"end\": 8, \"score\": 0.5},"
                   "{\"entity\": \"I-Y\", \"start\": 8, \"end\": 9, \"score\": 0.5},"
                   "{\"label\": \"I-Y\", \"start\": 9, \"end\": 10, \"score\": 0.5}]}"));
    assert_int_equal(list.count, 6);
    check_span(&list.span[0], 0, 2, "X", "ab");
    assert_float_equal(list.span[0].score, 0.75, 0);
    assert_int_equal(list.span[0].items, 2);
    check_span(&list.span[1], 2, 3, "Y", "c");
    check_span(&list.span[2], 3, 4, "Y", "d");
    check_span(&list.span[3], 6, 7, "Y", "g");
    check_span(&list.span[4], 8, 9, "Y", "i");
    check_span(&list.span[5], 9, 10, "I-Y", "j");
    json_decref(line);
    span_list_release(&list);
}

TEST(offsets_are_code_points)
{
    struct span_list list = {0};
    json_t *line;
    assert_false(read_line(&list, &line, "{\"text\": \"\\ud83d\\ude00a\", \"spans\": [{\"start\": 1, \"end\": 3, "
                                         "\"label\": \"X\", \"score\": 1}]}"));
    assert_non_null(strstr(err.message, "expected offsets up to 2"));
    json_decref(line);
    MUST(read_line(&list, &line, "{\"text\": \"\\ud83d\\ude00a\", \"spans\": [{\"start\": 1, \"end\": 2, \"label\": "
                                 "\"X\", \"score\": 1}]}"));
    check_span(&list.span[0], 1, 2, "X", "a");
    json_decref(line);
    span_list_release(&list);
}

/* Appends a random value; nested ones are not deep. */
static size_t random_value(char *to, struct rng *random, int depth)
{
    static const char *const plain[] = {"1", "-2.5e3", "true", "null", "\"\"", "\"a\\\"],{}\"", "\"\\\\\"", "\"[\""};
    uint32_t kind = rng_below(random, depth > 0 ? 4 : 2);
    size_t length = 0;
    if (kind < 2)
        return (size_t)sprintf(to, "%s", plain[rng_below(random, 8)]);
    uint32_t items = rng_below(random, 4);
    to[length++] = kind == 2 ? '[' : '{';
    for (uint32_t i = 0; i < items; i++) {
        length += (size_t)sprintf(to + length, i ? " , " : " ");
        if (kind == 3)
            length += (size_t)sprintf(to + length, "\"k%d\" :", (int)i);
        length += random_value(to + length, random, depth - 1);
    }
    to[length++] = kind == 2 ? ']' : '}';
    to[length] = '\0';
    return length;
}

TEST(values_in_the_bytes_of_a_line_are_those_that_are_parsed)
{
    static char line[1 << 16];
    struct rng random;
    random = rng_new(5, 0);
    for (int round = 0; round < fewer(20000); round++) {
        size_t length = (size_t)sprintf(line, " { \"a\": ");
        length += random_value(line + length, &random, 3);
        length += (size_t)sprintf(line + length, ",\"spans\" : [ ");
        uint32_t items = rng_below(&random, 4);
        for (uint32_t i = 0; i < items; i++) {
            length += (size_t)sprintf(line + length, i ? "," : "");
            length += random_value(line + length, &random, 2);
        }
        length += (size_t)sprintf(line + length, " ]  , \"z\":");
        length += random_value(line + length, &random, 1);
        length += (size_t)sprintf(line + length, "} ");
        json_t *parsed = json_read(line, length, 0, NULL);
        assert_non_null(parsed);
        const struct text all = {line, (uint32_t)length};
        struct text array = json_value_text(all, "spans"), item;
        json_t *found = json_read(array.at, array.length, 0, NULL);
        assert_true(json_equal(found, json_object_get(parsed, "spans")));
        uint32_t at = 0;
        for (uint32_t i = 0; i < items; i++) {
            assert_true(json_next_item(array, &at, &item));
            json_t *one = json_read(item.at, item.length, JSON_DECODE_ANY, NULL);
            assert_true(json_equal(one, json_array_get(found, i)));
            json_decref(one);
        }
        assert_false(json_next_item(array, &at, &item));
        assert_null(json_value_text(all, "none").at);
        json_decref(found);
        json_decref(parsed);
    }
}
