/* Tests drawings of trees: exact text, well-formed SVG in which nothing lies over anything else. */
#include "base/random.h"
#include "report/arc_diagram.h"

#include "test.h"

#define MOST 200

/* A tree whose words, tags and relations are given as strings. */
struct given {
    struct text form[MOST], tag[MOST], relation[MOST];
    uint32_t head[MOST];
    struct arc_diagram tree;
};

static void give(struct given *given, uint32_t N)
{
    given->tree = (struct arc_diagram){
        .N = N, .form = given->form, .tag = given->tag, .head = given->head, .relation = given->relation};
}

static void set(struct given *given, uint32_t i, const char *form, const char *tag, uint32_t head, const char *relation)
{
    given->form[i] = text_of(form);
    given->tag[i] = text_of(tag);
    given->head[i] = head;
    given->relation[i] = text_of(relation);
}

/* Any tree: heads drawn among words that are in it already, in an order that is drawn too. */
static void grow(struct given *given, struct rng *rng, uint32_t N)
{
    uint32_t order[MOST];
    for (uint32_t i = 0; i < N; i++) {
        order[i] = i;
        set(given, i, "word", "TAG", 0, "relation");
    }
    rng_shuffle(rng, order, N);
    for (uint32_t i = 1; i < N; i++)
        given->head[order[i]] = order[rng_below(rng, i)] + 1;
    give(given, N);
}

static void assert_drawn(const struct arc_diagram *tree, const char *expected)
{
    struct buffer out = {0};
    struct vouch_error err = {0};
    if (!arc_diagram_text(tree, &out, &err))
        fail_msg("%s", err.message);
    assert_string_equal(out.bytes, expected);
    assert_int_equal(out.length, strlen(expected));
    free(out.bytes);
}

static void draw_svg(const struct arc_diagram *tree, struct buffer *out)
{
    struct vouch_error err = {0};
    out->length = 0;
    if (!arc_diagram_svg(tree, out, &err))
        fail_msg("%s", err.message);
    assert_int_equal(out->length, strlen(out->bytes));
}

static unsigned occurrences(const char *text, const char *string)
{
    unsigned count = 0;
    for (const char *at = strstr(text, string); at; at = strstr(at + 1, string))
        count++;
    return count;
}

/* Text. */

/* A doubtful arc has its number, an arc at the threshold or without a number has none. */
TEST(doubt_is_shown)
{
    struct given given;
    const double confidence[] = {0.75, 0.9, NAN, 0.001};
    struct buffer out = {0};
    set(&given, 0, "they", "PRON", 2, "nsubj");
    set(&given, 1, "sold", "VERB", 0, "root");
    set(&given, 2, "it", "PRON", 2, "obj");
    set(&given, 3, "off", "ADP", 2, "compound:prt");
    give(&given, 4);
    given.tree.confidence = confidence;
    given.tree.threshold = 0.9;
    assert_drawn(&given.tree, "    ╭► 1  they  PRON  nsubj         ← 2 sold  ? 0.75\n"
                              "●─┬─┼─ 2  sold  VERB  root\n"
                              "  │ ╰► 3  it    PRON  obj           ← 2 sold\n"
                              "  ╰►── 4  off   ADP   compound:prt  ← 2 sold  ? <0.01\n");
    draw_svg(&given.tree, &out);
    assert_int_equal(occurrences(out.bytes, "<g class=\"doubtful\">"), 2);
    assert_int_equal(occurrences(out.bytes, ">nsubj 0.75</text>"), 1);
    assert_int_equal(occurrences(out.bytes, ">compound:prt &#60;0.01</text>"), 1);
    given.tree.colour = true;
    out.length = 0;
    struct vouch_error err = {0};
    assert_true(arc_diagram_text(&given.tree, &out, &err));
    assert_int_equal(occurrences(out.bytes, "\033[33m"), 2);
    assert_int_equal(occurrences(out.bytes, "\033[0m\n"), 2);
    free(out.bytes);
}

TEST(one_word_is_a_root_alone)
{
    struct given given;
    set(&given, 0, "Hi", "UH", 0, "root");
    give(&given, 1);
    assert_drawn(&given.tree, "●─ 1  Hi  UH  root\n");
}

TEST(no_words_are_no_lines)
{
    struct given given;
    give(&given, 0);
    struct buffer out = {0};
    struct vouch_error err = {0};
    assert_true(arc_diagram_text(&given.tree, &out, &err));
    assert_int_equal(out.length, 0);
    free(out.bytes);
}

TEST(nested_arcs_stand_in_columns_with_arrows_at_the_dependents)
{
    struct given given;
    set(&given, 0, "The", "DT", 2, "det");
    set(&given, 1, "bank", "NN", 3, "nsubj");
    set(&given, 2, "cut", "VBD", 0, "root");
    set(&given, 3, "a", "DT", 5, "det");
    set(&given, 4, "loan", "NN", 3, "obj");
    set(&given, 5, ".", ".", 3, "punct");
    give(&given, 6);
    assert_drawn(&given.tree, "      ╭► 1  The   DT   det    ← 2 bank\n"
                              "    ╭►┴─ 2  bank  NN   nsubj  ← 3 cut\n"
                              "●─┬─┼─── 3  cut   VBD  root\n"
                              "  │ │ ╭► 4  a     DT   det    ← 5 loan\n"
                              "  │ ╰►┴─ 5  loan  NN   obj    ← 3 cut\n"
                              "  ╰►──── 6  .     .    punct  ← 3 cut\n");
}

TEST(a_line_that_an_arc_crosses_is_interrupted)
{
    struct given given;
    set(&given, 0, "debate", "NN", 2, "nsubj");
    set(&given, 1, "began", "VBD", 0, "root");
    set(&given, 2, "today", "NN", 2, "obl");
    set(&given, 3, "on", "IN", 5, "case");
    set(&given, 4, "prices", "NNS", 1, "nmod");
    give(&given, 5);
    assert_drawn(&given.tree, "  ╭─┬► 1  debate  NN   nsubj  ← 2 began\n"
                              "●─│─┼─ 2  began   VBD  root\n"
                              "  │ ╰► 3  today   NN   obl    ← 2 began\n"
                              "  │ ╭► 4  on      IN   case   ← 5 prices\n"
                              "  ╰►┴─ 5  prices  NNS  nmod   ← 1 debate\n");
}

TEST(two_arcs_that_cross_have_columns_of_their_own)
{
    struct given given;
    set(&given, 0, "a", "A", 3, "x");
    set(&given, 1, "b", "B", 4, "y");
    set(&given, 2, "c", "C", 0, "root");
    set(&given, 3, "d", "D", 3, "z");
    give(&given, 4);
    assert_drawn(&given.tree, "    ╭► 1  a  A  x     ← 3 c\n"
                              "  ╭►│─ 2  b  B  y     ← 4 d\n"
                              "●─│─┼─ 3  c  C  root\n"
                              "  ╰─┴► 4  d  D  z     ← 3 c\n");
}

TEST(tags_and_relations_may_be_missing)
{
    struct given given;
    set(&given, 0, "go", "", 0, "");
    set(&given, 1, "on", "", 1, "");
    give(&given, 2);
    given.tree.tag = given.tree.relation = NULL;
    assert_drawn(&given.tree, "●─┬─ 1  go  root\n"
                              "  ╰► 2  on  ← 1 go\n");
}

TEST(columns_stand_under_each_other_whatever_the_script)
{
    struct given given;
    set(&given, 0, "漢字", "N", 2, "nsubj");
    set(&given, 1, "読む", "V", 0, "root");
    set(&given, 2, "e\u0301t", "X", 2, "dep");
    set(&given, 3, "Łódź", "X", 2, "dep");
    give(&given, 4);
    assert_drawn(&given.tree, "    ╭► 1  漢字  N  nsubj  ← 2 読む\n"
                              "●─┬─┼─ 2  読む  V  root\n"
                              "  │ ╰► 3  e\u0301t    X  dep    ← 2 読む\n"
                              "  ╰►── 4  Łódź  X  dep    ← 2 読む\n");
}

TEST(control_characters_never_reach_the_terminal)
{
    struct given given;
    set(&given, 0, "\x1B[31m\xC2\x9B", "\t", 0, "\xFF");
    give(&given, 1);
    assert_drawn(&given.tree, "●─ 1  \uFFFD[31m\uFFFD  \uFFFD  \uFFFD\n");
}

TEST(every_line_has_one_arrow_or_is_a_root)
{
    struct given given;
    struct rng rng = rng_new(1, 1);
    struct buffer out = {0};
    struct vouch_error err = {0};
    for (uint32_t N = 1; N <= MOST; N += 1 + N / 5) {
        grow(&given, &rng, N);
        out.length = 0;
        assert_true(arc_diagram_text(&given.tree, &out, &err));
        char *line = out.bytes;
        for (uint32_t i = 0; i < N; i++) {
            char *end = strchr(line, '\n');
            assert_non_null(end);
            *end = '\0';
            assert_int_equal(occurrences(line, "►"), given.head[i] != 0);
            assert_int_equal(occurrences(line, "●"), given.head[i] == 0);
            line = end + 1;
        }
        assert_int_equal(*line, '\0');
    }
    free(out.bytes);
}

/* SVG. */

/* Every tag that opens closes in turn, attributes are quoted, and & begins a number. */
static void assert_well_formed(const char *xml)
{
    const char *open[16];
    size_t length[16], depth = 0;
    for (const char *at = xml; *at; at++) {
        if (*at == '&') {
            assert_int_equal(at[1], '#');
            assert_int_equal(at[2 + strspn(at + 2, "0123456789")], ';');
        } else if (*at == '<' && at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_memory_equal(at + 2, open[depth], length[depth]);
            at += 2 + length[depth];
            assert_int_equal(*at, '>');
        } else if (*at == '<') {
            assert_true(depth < 16);
            open[depth] = at + 1;
            length[depth++] = strcspn(at + 1, " />");
            for (at += 1 + length[depth - 1]; *at == ' ';) {
                at += 1 + strcspn(at + 1, "=\"<>");
                assert_memory_equal(at, "=\"", 2);
                at += 2 + strcspn(at + 2, "\"<");
                assert_int_equal(*at, '"');
                at++;
            }
            depth -= *at == '/';
            at += *at == '/';
            assert_int_equal(*at, '>');
        } else {
            assert_true(*at != '>' || depth == 0);
        }
    }
    assert_int_equal(depth, 0);
}

TEST(the_svg_is_well_formed_and_shows_every_word_and_arc)
{
    struct given given;
    struct rng rng = rng_new(2, 1);
    struct buffer out = {0};
    for (uint32_t N = 1; N <= MOST; N += 1 + N / 5) {
        grow(&given, &rng, N);
        draw_svg(&given.tree, &out);
        assert_well_formed(out.bytes);
        assert_int_equal(occurrences(out.bytes, "<text class=\"word\""), N);
        assert_int_equal(occurrences(out.bytes, "<text class=\"tag\""), N);
        assert_int_equal(occurrences(out.bytes, "<text class=\"relation\""), N);
        assert_int_equal(occurrences(out.bytes, "<path class=\"arc\""), N);
        assert_int_equal(occurrences(out.bytes, "<path class=\"tip\""), N);
        assert_int_equal(occurrences(out.bytes, "<g class=\"root\">"), 1);
    }
    free(out.bytes);
}

TEST(what_means_something_in_xml_is_escaped)
{
    struct given given;
    set(&given, 0, "<b>&\"'", "]]>", 0, "a<b");
    set(&given, 1, "\x01\xEF\xBF\xBF\xFF", "", 1, "&amp;");
    give(&given, 2);
    struct buffer out = {0};
    draw_svg(&given.tree, &out);
    assert_well_formed(out.bytes);
    assert_non_null(strstr(out.bytes, "<title>&#60;b&#62;&#38;&#34;&#39; \uFFFD\uFFFD\uFFFD</title>"));
    assert_non_null(strstr(out.bytes, ">&#60;b&#62;&#38;&#34;&#39;</text>"));
    assert_non_null(strstr(out.bytes, ">]]&#62;</text>"));
    assert_non_null(strstr(out.bytes, ">a&#60;b</text>"));
    assert_non_null(strstr(out.bytes, ">&#38;amp;</text>"));
    assert_null(strstr(out.bytes, "\x01"));
    free(out.bytes);
}

struct drawn {
    int left, right, top;
};

/* Returns the arcs of the picture, the root's apart. */
static uint32_t read_arcs(const char *svg, struct drawn *arc)
{
    uint32_t count = 0;
    static const char start[] = "<path class=\"arc\" d=\"";
    for (const char *at = strstr(svg, start); at; at = strstr(at + 1, start)) {
        int ignored;
        struct drawn *a = &arc[count];
        count += sscanf(at + strlen(start), "M%d %dV%dA%d %d 0 0 1 %d %dH%dA%d %d 0 0 1 %d", &a->left, &ignored,
                        &ignored, &ignored, &ignored, &ignored, &a->top, &ignored, &ignored, &ignored, &a->right) == 11;
    }
    return count;
}

TEST(no_two_arcs_share_a_leg_or_lie_over_each_other)
{
    struct given given;
    struct rng rng = rng_new(3, 1);
    struct buffer out = {0};
    struct drawn arc[MOST];
    for (uint32_t N = 1; N <= 100; N += 1 + N / 7) {
        grow(&given, &rng, N);
        draw_svg(&given.tree, &out);
        uint32_t arcs = read_arcs(out.bytes, arc);
        assert_int_equal(arcs, N - 1);
        for (uint32_t i = 0; i < arcs; i++) {
            assert_true(arc[i].left < arc[i].right);
            for (uint32_t k = 0; k < i; k++) {
                assert_int_not_equal(arc[i].left, arc[k].left);
                assert_int_not_equal(arc[i].left, arc[k].right);
                assert_int_not_equal(arc[i].right, arc[k].left);
                assert_int_not_equal(arc[i].right, arc[k].right);
                bool apart = arc[i].right < arc[k].left || arc[k].right < arc[i].left;
                assert_true(apart || arc[i].top != arc[k].top);
            }
        }
    }
    free(out.bytes);
}

TEST(an_arc_that_covers_words_not_below_its_head_has_a_colour_of_its_own)
{
    struct given given;
    static const uint32_t projective[] = {2, 0, 2, 5, 3}, crossing[] = {2, 0, 2, 5, 1};
    struct buffer out = {0};
    for (uint32_t i = 0; i < 5; i++)
        set(&given, i, "w", "T", projective[i], "r");
    give(&given, 5);
    draw_svg(&given.tree, &out);
    assert_int_equal(occurrences(out.bytes, "<g class=\"crossing\">"), 0);
    for (uint32_t i = 0; i < 5; i++)
        given.head[i] = crossing[i];
    draw_svg(&given.tree, &out);
    assert_int_equal(occurrences(out.bytes, "<g class=\"crossing\">"), 1);
    free(out.bytes);
}

static int svg_width(const struct arc_diagram *tree)
{
    struct buffer out = {0};
    draw_svg(tree, &out);
    int width = atoi(strstr(out.bytes, "width=\"") + strlen("width=\""));
    free(out.bytes);
    return width;
}

TEST(wide_characters_get_twice_the_room_and_accents_none)
{
    struct given given;
    set(&given, 0, "kkkkkkkkkkkk", "", 0, "");
    give(&given, 1);
    int twelve = svg_width(&given.tree);
    set(&given, 0, "漢漢漢漢漢漢", "", 0, "");
    assert_int_equal(svg_width(&given.tree), twelve);
    set(&given, 0, "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301eeeeee", "", 0, "");
    assert_int_equal(svg_width(&given.tree), twelve);
    set(&given, 0, "漢漢漢漢漢漢漢", "", 0, "");
    assert_true(svg_width(&given.tree) > twelve);
}

/* Returns where the word with this text is drawn. */
static int place_of(const struct arc_diagram *tree, const char *form)
{
    struct buffer out = {0};
    draw_svg(tree, &out);
    const char *word = strstr(strstr(out.bytes, "</style>"), form);
    assert_non_null(word);
    while (strncmp(word, "x=\"", 3) != 0)
        word--;
    int place = atoi(word + 3);
    free(out.bytes);
    return place;
}

/* Punctuation and digits have no direction: the first letter decides. Nothing else of the layout changes. */
TEST(words_from_right_to_left_begin_at_the_right)
{
    struct given given;
    set(&given, 0, "«1»", "", 2, "punct");
    set(&given, 1, "word", "", 0, "root");
    set(&given, 2, "last", "", 2, "obj");
    give(&given, 3);
    int width = svg_width(&given.tree), first = place_of(&given.tree, "«1»");
    assert_true(first < place_of(&given.tree, "last"));
    set(&given, 1, "كتاب", "", 0, "root");
    assert_int_equal(svg_width(&given.tree), width);
    assert_int_equal(place_of(&given.tree, "«1»"), width - first);
    assert_true(place_of(&given.tree, "«1»") > place_of(&given.tree, "last"));
}

/* Both. */

TEST(a_head_outside_the_sentence_is_refused_and_nothing_is_written)
{
    static const uint32_t wrong[] = {3, 2, UINT32_MAX}; /* no such word, itself, no such word */
    struct given given;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        set(&given, 0, "a", "A", 0, "root");
        set(&given, 1, "b", "B", wrong[k], "x");
        give(&given, 2);
        struct buffer out = {0};
        struct vouch_error err = {0};
        assert_false(arc_diagram_text(&given.tree, &out, &err));
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
        assert_non_null(strstr(err.message, "word 2"));
        assert_false(arc_diagram_svg(&given.tree, &out, &err));
        assert_int_equal(out.length, 0);
        free(out.bytes);
    }
}

TEST(arcs_that_are_no_tree_are_drawn_all_the_same)
{
    struct given given;
    set(&given, 0, "a", "A", 2, "x");
    set(&given, 1, "b", "B", 1, "y");
    set(&given, 2, "c", "C", 0, "root");
    set(&given, 3, "d", "D", 0, "root");
    give(&given, 4);
    struct buffer out = {0};
    draw_svg(&given.tree, &out);
    assert_well_formed(out.bytes);
    assert_int_equal(occurrences(out.bytes, "<g class=\"root\">"), 2);
    free(out.bytes);
    assert_drawn(&given.tree, "  ╭─┬► 1  a  A  x     ← 2 b\n"
                              "  ╰►┴─ 2  b  B  y     ← 1 a\n"
                              "●───── 3  c  C  root\n"
                              "●───── 4  d  D  root\n");
}

TEST(the_same_tree_gives_the_same_bytes_after_what_is_there)
{
    struct given given;
    struct rng rng = rng_new(4, 1);
    struct vouch_error err = {0};
    grow(&given, &rng, 40);
    struct buffer out = {0};
    assert_true(arc_diagram_svg(&given.tree, &out, &err));
    size_t svg = out.length;
    assert_true(arc_diagram_text(&given.tree, &out, &err));
    size_t both = out.length;
    assert_true(arc_diagram_svg(&given.tree, &out, &err) && arc_diagram_text(&given.tree, &out, &err));
    assert_int_equal(out.length, 2 * both);
    assert_memory_equal(out.bytes, out.bytes + both, both);
    assert_memory_equal(out.bytes, "<svg ", 5);
    assert_int_not_equal(out.bytes[svg], '<');
    free(out.bytes);
}
