/* Tests what is learned of a document: which sentences, and as what. */
#include "serve/inception.h"

#include "must.h"

#define TOKEN_AT(number, from, to) {.id = number, .begin = from, .end = to}

/* "Ada met Bo . It rained ." */
static const char text[] = "Ada met Bo . It rained .";
static struct cas_token token[] = {TOKEN_AT(1, 0, 3),   TOKEN_AT(2, 4, 7),   TOKEN_AT(3, 8, 10), TOKEN_AT(4, 11, 12),
                                   TOKEN_AT(5, 13, 15), TOKEN_AT(6, 16, 22), TOKEN_AT(7, 23, 24)};
static struct cas_sentence sentence[] = {{0, 12}, {13, 24}};

static void assert_lesson(struct recommender asked, struct cas_annotation *annotation, size_t count, size_t columns,
                          const char *expected)
{
    struct buffer out = {0};
    struct cas cas = {.text = text, .length = sizeof text - 1, .token = token, .tokens = 7, .sentence = sentence,
                      .sentences = 2, .annotation = annotation, .annotations = count};
    MUST(inception_add_lesson(&out, &asked, &cas, columns, &err));
    assert_string_equal(buffer_text(&out).at, expected);
    free(out.bytes);
}

TEST(spans_become_chunks)
{
    struct cas_annotation some[] = {{0, 7, "A B", 0, 0}, {0, 3, "C", 0, 0}, {8, 10, NULL, 0, 0}, {8, 10, "P", 0, 0},
                                    {9, 10, "inside of a word", 0, 0}};
    assert_lesson((struct recommender){.anchoring = ANCHOR_TOKENS}, some, 5, 1,
                  "{\"tokens\":[\"Ada\",\"met\",\"Bo\",\".\"],\"labels\":[\"B-A B\",\"I-A B\",\"B-P\",\"O\"]}\n");
    token[0].pos = "NNP";
    assert_lesson((struct recommender){.anchoring = ANCHOR_TOKENS}, some + 3, 1, 2,
                  "{\"tokens\":[[\"Ada\",\"NNP\"],[\"met\",\"_\"],[\"Bo\",\"_\"],[\".\",\"_\"]],"
                  "\"labels\":[\"O\",\"O\",\"B-P\",\"O\"]}\n");
    token[0].pos = NULL;
    assert_lesson((struct recommender){.anchoring = ANCHOR_TOKENS}, some, 0, 1, "");
}

TEST(parts_of_speech_may_be_open)
{
    struct cas_annotation some[] = {{0, 3, "N", 0, 0},   {4, 7, "V", 0, 0},   {8, 10, "N", 0, 0},
                                    {13, 15, "P", 0, 0}, {16, 22, "V", 0, 0}, {23, 24, ".", 0, 0}};
    assert_lesson((struct recommender){.dense = true}, some + 1, 5, 1,
                  "{\"tokens\":[\"Ada\",\"met\",\"Bo\",\".\"],\"labels\":[null,\"V\",\"N\",null]}\n"
                  "{\"tokens\":[\"It\",\"rained\",\".\"],\"labels\":[\"P\",\"V\",\".\"]}\n");
    assert_lesson((struct recommender){.dense = true}, some + 3, 3, 1, /* nobody has looked at the first sentence */
                  "{\"tokens\":[\"It\",\"rained\",\".\"],\"labels\":[\"P\",\"V\",\".\"]}\n");
}

TEST(heads_may_be_open)
{
#define NODE(form) "[\"" form "\",\"_\",\"_\",\"_\",\"_\"]"
    struct cas_annotation some[] = {{0, 3, "x", 1, 0},   {4, 7, "root", 1, 1}, {8, 10, "x", 4, 2}, {11, 12, "x", 1, 3},
                                    {13, 15, "s", 5, 4}, {16, 22, "root", 5, 5}, {23, 24, "p", 5, 6}};
    const struct recommender asked = {.layer = {.relations = true}};
    assert_lesson(asked, some, 7, 1, /* a head in another sentence is none */
                  "{\"tokens\":[" NODE("Ada") "," NODE("met") "," NODE("Bo") "," NODE(".") "],"
                  "\"heads\":[2,0,null,2],\"relations\":[\"x\",\"root\",null,\"x\"]}\n"
                  "{\"tokens\":[" NODE("It") "," NODE("rained") "," NODE(".") "],"
                  "\"heads\":[2,0,2],\"relations\":[\"s\",\"root\",\"p\"]}\n");
    assert_lesson(asked, some + 2, 1, 1, "");
}
