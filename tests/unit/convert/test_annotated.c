/* Tests how spans of characters find their words, and what is refused of an annotated text. */
#include "convert/annotated.h"

#include "must.h"

static struct annotated_texts texts;

/* Returns a document of this text, with words by rule and one span. */
static struct annotated *document(const char *text, enum edge_choice edges, uint32_t begin, uint32_t end)
{
    texts_init(&texts);
    texts.file = "file";
    texts.edges = edges;
    struct annotated *doc = texts_add(&texts, 3, &err);
    assert_non_null(doc);
    doc->text = texts_keep(&texts, text_of(text), &err);
    MUST(annotated_cut_words(doc, &err));
    assert_non_null(annotated_add_piece(doc, begin, end, text_of("X"), &err));
    return doc;
}

TEST(an_edge_inside_of_a_word_is_refused_with_its_place)
{
    struct annotated *doc = document("Ada Lovelace left.", EDGES_REFUSE, 0, 8);
    assert_false(annotated_settle(doc, &err));
    assert_non_null(strstr(err.message, "file:3: span 1, X: expected edges between words, found 'Ada Love'"));
    texts_release(&texts);
}

TEST(or_the_word_is_cut_there)
{
    struct annotated *doc = document("Ada Lovelace left.", EDGES_CUT, 0, 8);
    MUST(annotated_settle(doc, &err));
    assert_int_equal(doc->words, 5);
    assert_int_equal(doc->span[0].to, 2);
    assert_true(text_is(annotated_form(doc, 1), "Love"));
    assert_int_equal(doc->sentence[0].to, 5);
    assert_int_equal(texts.counts.cut, 1);
    texts_release(&texts);
}

TEST(or_the_span_is_made_wider)
{
    struct annotated *doc = document("Ada Lovelace left.", EDGES_WIDEN, 1, 8);
    MUST(annotated_settle(doc, &err));
    assert_int_equal(doc->words, 4);
    assert_int_equal(doc->span[0].begin, 0);
    assert_int_equal(doc->span[0].end, 12);
    assert_int_equal(texts.counts.widened, 1);
    texts_release(&texts);
}

TEST(white_space_at_the_edges_is_cut_off)
{
    struct annotated *doc = document("Ada Lovelace left.", EDGES_REFUSE, 3, 13);
    MUST(annotated_settle(doc, &err));
    assert_int_equal(doc->span[0].from, 1);
    assert_int_equal(doc->span[0].to, 2);
    assert_int_equal(doc->span[0].begin, 4);
    assert_int_equal(texts.counts.trimmed, 1);
    texts_release(&texts);
    doc = document("Ada  left", EDGES_WIDEN, 3, 5);
    assert_false(annotated_settle(doc, &err));
    assert_non_null(strstr(err.message, "expected words in it"));
    texts_release(&texts);
}

/* spaCy makes tokens of all white space between words: some are no-break spaces and blanks together. */
TEST(words_of_white_space_that_no_column_holds_are_left_out)
{
    static const char *const white[] = {" ",       "\t",       "\n ",       "\r\n",
                                        "\u00A0 ", " \u00A0", "\u2003\n", "\u00A0 \u00A0\t\u3000"};
    for (size_t i = 0; i < sizeof white / sizeof *white; i++) {
        char text[32];
        snprintf(text, sizeof text, "a%sb", white[i]);
        const uint32_t length = (uint32_t)strlen(text);
        struct annotated *doc = document(text, EDGES_REFUSE, 0, length);
        doc->words = 0;
        MUST(annotated_add_word(doc, 0, 1, &err));
        MUST(annotated_add_word(doc, 1, length - 1, &err));
        MUST(annotated_add_word(doc, length - 1, length, &err));
        MUST(annotated_end_sentence(doc, &err) && annotated_settle(doc, &err));
        assert_int_equal(doc->words, 2);
        assert_int_equal(texts.counts.blank_words, 1);
        assert_int_equal(doc->span[0].to, 2);
        texts_release(&texts);
    }
    struct annotated *doc = document("a\u00A0b", EDGES_REFUSE, 0, 4);
    doc->words = 0;
    MUST(annotated_add_word(doc, 1, 3, &err));
    assert_int_equal(doc->words, 1);
    texts_release(&texts);
    doc = document("a\u00A0 b c", EDGES_REFUSE, 0, 4);
    doc->words = 0;
    assert_false(annotated_add_word(doc, 3, 5, &err));
    assert_non_null(strstr(err.message, "without white space at its ends"));
    texts_release(&texts);
}

TEST(spans_are_sorted_and_relations_go_along)
{
    struct annotated *doc = document("a b c d", EDGES_REFUSE, 6, 7);
    assert_non_null(annotated_add_piece(doc, 0, 1, text_of("Y"), &err));
    assert_non_null(annotated_add_piece(doc, 0, 3, text_of("Z"), &err));
    assert_non_null(annotated_add_relation(doc, 0, 1, text_of("r"), &err));
    MUST(annotated_settle(doc, &err));
    assert_true(text_is(doc->span[0].label, "Z"));
    assert_true(text_is(doc->span[1].label, "Y"));
    assert_true(text_is(doc->span[2].label, "X"));
    assert_int_equal(doc->relation[0].from, 2);
    assert_int_equal(doc->relation[0].to, 1);
    texts_release(&texts);
}

TEST(cycles_and_heads_in_other_sentences_are_refused)
{
    for (int other = 0; other < 2; other++) {
        texts_init(&texts);
        struct annotated *doc = texts_add(&texts, 1, &err);
        const char *form[] = {"a", "b", "c"};
        for (int i = 0; i < 3; i++) {
            MUST(annotated_append_word(doc, text_of(" "), text_of(form[i]), &err));
            if (i == 1)
                MUST(annotated_end_sentence(doc, &err));
        }
        MUST(annotated_begin_tree(doc, &err));
        doc->head[0] = other ? 3 : 2;
        doc->head[1] = 1;
        assert_false(annotated_settle(doc, &err));
        assert_non_null(strstr(err.message, other ? "a head among the other words" : "a cycle of heads"));
        texts_release(&texts);
    }
}

TEST(labels_of_words_and_spans_of_words_are_the_same)
{
    static const struct {
        enum scheme scheme;
        const char *prefix;
    } schemes[] = {{SCHEME_IOB1, "IIBOI"}, {SCHEME_IOB2, "BIBOB"}, {SCHEME_BIOES, "BESOS"}};
    for (int k = 0; k < 3; k++) {
        char label[5][8];
        struct text labels[5];
        texts_init(&texts);
        struct annotated *doc = texts_add(&texts, 1, &err);
        for (int i = 0; i < 5; i++) {
            char c = schemes[k].prefix[i];
            snprintf(label[i], sizeof label[i], c == 'O' ? "%c" : "%c-X", c);
            labels[i] = text_of(label[i]);
            MUST(annotated_append_word(doc, text_of(" "), text_of("w"), &err));
        }
        MUST(annotated_add_labels(doc, 0, labels, 5, &err) && annotated_settle(doc, &err));
        assert_int_equal(doc->spans, 3);
        assert_int_equal(doc->span[0].to, 2);
        assert_int_equal(doc->span[2].from, 4);
        const uint32_t *span_of = annotated_span_of_word(doc, &err);
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(annotated_prefix(doc, span_of, 0, i, schemes[k].scheme), schemes[k].prefix[i]);
        texts_release(&texts);
    }
}
