/* Tests files that are labelled in part: what is open in each format, and what is refused. */
#include "reading.h"

FILE_FIXTURE(folder_make, folder_remove);

static struct reader_options partly(enum format format, bool trees, uint32_t column)
{
    return (struct reader_options){.format = format, .trees = trees, .column = column, .partial = true};
}

/* "label" or "head:label" for each word, "?" for what is open; then how many words are. */
static void describe(const struct sentence *s, char *to)
{
    for (uint32_t i = 0; s->labelled && i < s->N; i++) {
        strcat(to, i > 0 ? " " : "");
        if (s->tree && s->head[i] == OPEN_CHOICE)
            strcat(to, "?:");
        else if (s->tree)
            sprintf(to + strlen(to), "%u:", s->head[i]);
        append(to, s->gold[i].length ? s->gold[i] : text_of("?"));
    }
    if (s->N > 0)
        sprintf(to + strlen(to), "(%u)|", s->open);
}

#define ROW(id, head, relation) id "\tw\t_\t_\t_\t_\t" head "\t" relation "\t_\t_\n"

TEST(marks_are_open_in_columns)
{
    const char *text = "a ?\nb O\n\nc _\nd ?\n\n? B-X\n_ __\n";
    expect_sentences(text, partly(FORMAT_CONLL, false, 0), describe, "? O(1)|? ?(2)|B-X __(0)|");
    struct reader_options whole = {.format = FORMAT_CONLL};
    expect_sentences(text, whole, describe, "? O(0)|_ ?(0)|B-X __(0)|");
    expect_sentences("?\ta\n_\tb\nX\tc\n", partly(FORMAT_CRFSUITE, false, 0), describe, "? ? X(2)|");
}

TEST(null_is_open_in_json_lines)
{
    expect_sentences("{\"tokens\": [\"a\", \"b\", \"c\"], \"labels\": [null, \"?\", \"_\"]}\n",
                     partly(FORMAT_JSONL, false, 0), describe, "? ? _(1)|");
    expect_refusal("{\"tokens\": [\"a\"], \"labels\": [null]}\n", (struct reader_options){.format = FORMAT_JSONL},
                   ":1: label 1: expected a string that is not empty (null is an open one, for train --partial)");
    expect_refusal("{\"tokens\": [\"a\"], \"labels\": [1]}\n", partly(FORMAT_JSONL, false, 0),
                   ":1: label 1: expected a string that is not empty");
    expect_sentences("{\"tokens\": [\"a\", \"b\"], \"heads\": [null, 0], \"relations\": [null, \"r\"]}\n"
                     "{\"tokens\": [\"a\", \"b\"], \"heads\": [2, 0], \"relations\": [\"x\", null]}\n"
                     "{\"tokens\": [\"a\", \"b\"], \"heads\": [2, null]}\n",
                     partly(FORMAT_JSONL, true, 0), describe, "?:? 0:r(1)|2:x 0:?(0)|2:? ?:?(1)|");
    expect_refusal("{\"tokens\": [\"a\", \"b\"], \"heads\": [null, 0], \"relations\": [\"x\", \"r\"]}\n",
                   partly(FORMAT_JSONL, true, 0), ":1: relation 1: expected null where the head is null, found \"x\"");
}

TEST(nothing_is_a_value_of_most_columns_of_conllu)
{
    static const struct {
        uint32_t column;
        const char *expected;
    } table[] = {{4, "? ?(2)|"}, {8, "? ?(2)|"}, {2, "_ ?(1)|"}, {3, "_ ?(1)|"},
                 {5, "_ ?(1)|"}, {6, "_ ?(1)|"}, {9, "_ ?(1)|"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        expect_sentences("1\t_\t_\t_\t_\t_\t0\t_\t_\t_\n2\t?\t?\t?\t?\t?\t1\t?\t?\t_\n\n",
                         partly(FORMAT_CONLLU, false, table[i].column), describe, table[i].expected);
}

TEST(heads_are_open_with_their_relations_or_not_at_all)
{
    struct reader_options trees = partly(FORMAT_CONLLU, true, 0);
    expect_sentences(ROW("1", "_", "?") ROW("2", "0", "r") ROW("3", "?", "_") ROW("4", "2", "_") "\n", trees, describe,
                     "?:? 0:r ?:? 2:?(2)|");
    expect_sentences(ROW("1", "_", "_"), trees, describe, "?:?(1)|");
    expect_refusal(ROW("1", "_", "x") "\n", trees,
                   ":1: expected DEPREL to be open where HEAD is (\"?\" or \"_\"), found \"x\"");
    expect_refusal(ROW("1", "x", "_") "\n", trees, ":1: expected HEAD to be 0 or a word's number, found \"x\"");
}

TEST(decided_heads_must_be_part_of_a_tree)
{
    struct reader_options trees = partly(FORMAT_CONLLU, true, 0);
    expect_sentences(ROW("1", "2", "x") ROW("2", "3", "x") ROW("3", "_", "_") "\n", trees, describe,
                     "2:x 3:x ?:?(1)|"); /* the root may be open */
    expect_refusal(ROW("1", "2", "x") ROW("2", "1", "x") ROW("3", "_", "_") "\n", trees,
                   ":1: expected a tree, found a cycle of 2 words from word 1 back to itself");
    expect_refusal(ROW("1", "1", "x") ROW("2", "_", "_") "\n", trees,
                   ":1: expected the head of word 1 to be another word or 0, found itself");
    expect_refusal(ROW("1", "2", "x") ROW("2", "1", "x") "\n", trees,
                   ":1: expected a root among the 2 words (one whose head is 0), found none");
    expect_refusal(ROW("1", "3", "x") ROW("2", "_", "_") "\n", trees,
                   ":1: expected the head of word 1 to be a number from 0 to 2, found 3");
}
