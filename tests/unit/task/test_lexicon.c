/* Tests lexicons: what is read and refused, how words and phrases are looked up, and what templates see of it. */
#include "base/random.h"
#include "task/tag_features.h"

#include "folder.h"
#include "must.h"
#include "test.h"

static const char *const places = "# source: a map\n# other: nothing\n# licence: CC0\n"
                                  "Paris\tcity\t0101\n"
                                  "paris\tshow\t11\n"
                                  "New York\tcity\t01001\n"
                                  "new york times\tpaper\t\n"
                                  "york\tname\t1\n"
                                  "# 1\tmark\t1\n"
                                  "00-0\tscore\t0\n";

/* Reads one lexicon, called "places". */
static void read_lexicon(struct lexicons *lexicons, const char *text)
{
    char given[600];
    *lexicons = (struct lexicons){0};
    snprintf(given, sizeof given, "places=%s", folder_put("lexicon", text));
    const char *const list[] = {given};
    MUST(lexicons_read(lexicons, list, 1, &err));
}

/* Looks up words separated by bars: "Paris|in" gives "=city,0101 -" for the first and nothing for the second. */
static void expect_matches(const struct lexicon *lexicon, const char *words, const char *expected)
{
    struct text word[20] = {{0}}, rest = text_of(words);
    struct lexicon_match match[20];
    struct lexicon_work work = {0};
    char found[400] = "";
    uint32_t N = 0;
    while (rest.length)
        word[N++] = text_cut(&rest, '|');
    MUST(lexicon_match(lexicon, word, N, &work, match, &err));
    for (uint32_t n = 0; n < N; n++) {
        struct text row = dictionary_text(&lexicon->classes, match[n].row), class = text_cut(&row, '\t');
        size_t used = strlen(found);
        if (match[n].row)
            snprintf(found + used, sizeof found - used, "%s%c%.*s", n ? " " : "", (char)match[n].place,
                     (int)class.length, class.at);
        else
            snprintf(found + used, sizeof found - used, "%s-", n ? " " : "");
    }
    assert_string_equal(found, expected);
    lexicon_work_release(&work);
}

TEST_IN_FOLDER(words_and_phrases_are_looked_up)
{
    struct lexicons lexicons;
    read_lexicon(&lexicons, places);
    const struct lexicon *x = &lexicons.item[0];
    assert_int_equal(lexicon_entries(x), 7);
    assert_int_equal(x->columns, 2);
    assert_string_equal(x->source, "a map");
    assert_string_equal(x->licence, "CC0");
    expect_matches(x, "Paris", "=city");
    expect_matches(x, "paris|PARIS|Pari", "=show =show -");
    expect_matches(x, "in|New|York|now", "- Bcity Icity -");
    expect_matches(x, "new|york|now", "- =name -"); /* the phrase is there as New York alone */
    expect_matches(x, "NEW|YORK|TIMES", "Bpaper Ipaper Ipaper");
    expect_matches(x, "New|York|Times|York", "Bpaper Ipaper Ipaper =name");
    expect_matches(x, "New|York|New|York", "Bcity Icity Bcity Icity");
    expect_matches(x, "12-3|7-1|00-0", "=score - =score");
    expect_matches(x, "#|1|#", "Bmark Imark -");
    expect_matches(x, "York", "=name");
    assert_false(lexicon_has_bits(x, 0));
    assert_true(lexicon_has_bits(x, 1));
    lexicons_release(&lexicons);
}

/* The phrases and words that a lexicon should find: the plain way, by comparing every phrase with every place. */
static void match_plainly(const struct lexicon *x, const struct text *word, uint32_t N, struct lexicon_match *match)
{
    for (uint32_t n = 0, words; n < N; n += words) {
        uint32_t found = 0, most = 0;
        for (uint32_t id = 1; id <= lexicon_entries(x); id++) {
            struct text rest = dictionary_text(&x->entry, id);
            uint32_t length = 0;
            bool same = true;
            for (; same && rest.length; length++)
                same = n + length < N && text_equal(text_cut(&rest, ' '), word[n + length]);
            if (same && length > most) {
                most = length;
                found = x->row[id];
            }
        }
        words = most ? most : 1;
        for (uint32_t i = 0; i < words; i++)
            match[n + i] = (struct lexicon_match){found, words == 1 ? PLACE_ALONE : i ? PLACE_LATER : PLACE_FIRST};
    }
}

TEST(phrases_are_found_as_plainly)
{
    static const char *const letters[] = {"a", "b", "c"};
    struct rng rng = rng_new(7, 0);
    struct lexicon_work work = {0};
    for (int round = 0; round < fewer(300); round++) {
        struct lexicons lexicons = {0};
        struct lexicon *x = lexicons_add(&lexicons, text_of("some"), &err);
        assert_non_null(x);
        x->columns = 1;
        for (int i = 0; i < 6; i++) {
            char entry[20] = "", class[8];
            uint32_t words = 1 + rng_below(&rng, 4);
            for (uint32_t w = 0; w < words; w++)
                snprintf(entry + strlen(entry), 8, "%s%s", w ? " " : "", letters[rng_below(&rng, 3)]);
            snprintf(class, sizeof class, "%d", i);
            if (!dictionary_find(&x->entry, text_of(entry)))
                MUST(lexicon_add(x, text_of(entry), text_of(class), &err));
        }
        MUST(lexicon_close(x, &err));
        struct text word[12];
        struct lexicon_match found[12], expected[12];
        for (int n = 0; n < 12; n++)
            word[n] = text_of(letters[rng_below(&rng, 3)]);
        MUST(lexicon_match(x, word, 12, &work, found, &err));
        match_plainly(x, word, 12, expected);
        for (int n = 0; n < 12; n++) {
            assert_int_equal(found[n].row, expected[n].row);
            if (found[n].row)
                assert_int_equal(found[n].place, expected[n].place);
        }
        lexicons_release(&lexicons);
    }
    lexicon_work_release(&work);
}

TEST_IN_FOLDER(the_order_of_lines_does_not_matter)
{
    struct lexicons one, other;
    read_lexicon(&one, "b\t1\nab\t2\na\t1\n");
    read_lexicon(&other, "a\t1\nb\t1\nab\t2\n");
    assert_int_equal(lexicons_digest(&one), lexicons_digest(&other));
    for (uint32_t id = 1; id <= 3; id++) {
        assert_true(text_equal(dictionary_text(&one.item[0].entry, id), dictionary_text(&other.item[0].entry, id)));
        assert_int_equal(one.item[0].row[id], other.item[0].row[id]);
    }
    lexicons_release(&other);
    read_lexicon(&other, "a\t1\nb\t1\nab\t3\n");
    assert_int_not_equal(lexicons_digest(&one), lexicons_digest(&other));
    lexicons_release(&one);
    lexicons_release(&other);
}

static void refuse(const char *name, const char *text, const char *message)
{
    struct lexicons lexicons = {0};
    char given[600];
    snprintf(given, sizeof given, "%s=%s", name, folder_put("bad", text));
    const char *const list[] = {given};
    err = (struct vouch_error){0};
    assert_false(lexicons_read(&lexicons, list, 1, &err));
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
    lexicons_release(&lexicons);
}

TEST_IN_FOLDER(what_is_no_lexicon_is_refused)
{
    refuse("x", "a\t1\n", "that is no view's, found 'x'");
    refuse("suffix3", "a\t1\n", "found 'suffix3'");
    refuse("1a", "a\t1\n", "found '1a'");
    refuse("a b", "a\t1\n", "found 'a b'");
    refuse("abcdefghijklmnopqrstuvwxyz", "a\t1\n", "of up to 24");
    refuse("good", "", "expected entries of a lexicon, found none");
    refuse("good", "# source: only\n", "expected entries of a lexicon, found none");
    refuse("good", "a 1\n", ":1: expected a word or phrase, a tab");
    refuse("good", "a\t1\nb\t1\t2\n", ":2: expected a phrase");
    refuse("good", "a\t1\n b\t1\n", ":2: expected a phrase");
    refuse("good", "a\t1\nb  c\t1\n", ":2: expected a phrase");
    refuse("good", "a\t1\nb\t2\na\t1\n", ":3: expected every entry once, found 'a' again");
    refuse("good", "a\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\t16\t17\n", "at most 16 columns");
    struct lexicons lexicons = {0};
    const char *const twice[] = {"same=/nowhere", "same=/nowhere"};
    assert_false(lexicons_read(&lexicons, (const char *const[]){"nofile"}, 1, &err));
    assert_non_null(strstr(err.message, "expected NAME=FILE"));
    assert_non_null(lexicons_add(&lexicons, text_of("same"), &err));
    assert_false(lexicons_read(&lexicons, twice, 1, &err));
    assert_non_null(strstr(err.message, "expected every name once"));
    lexicons_release(&lexicons);
}

/* Learns and looks up the features of words, and returns how many features word `n` has. */
static uint32_t features_of(const struct lexicons *lexicons, const char *rules, const char *words, uint32_t n)
{
    struct templates templates;
    struct vocabulary vocabulary = {0};
    struct text cell[20], rest = text_of(words);
    uint32_t first[21] = {0}, N = 0;
    while (rest.length) {
        cell[N++] = text_cut(&rest, '|');
        first[N] = N;
    }
    struct sentence sentence = {.N = N, .first = first, .cell = cell, .number = 1};
    struct parts grown, known;
    MUST(templates_parse(&templates, &(struct template_source){rules, "rules", lexicons}, &err));
    struct encoder *growing = encoder_new_growing(&templates, &vocabulary, &err);
    MUST(growing && encoder_run(growing, &sentence, &grown, &err));
    struct encoder *frozen = encoder_new(&templates, &vocabulary, &err);
    MUST(frozen && encoder_run(frozen, &sentence, &known, &err));
    assert_int_equal(known.node.start[N], grown.node.start[N]);
    for (uint32_t i = 0; i < grown.node.start[N]; i++)
        assert_int_equal(known.node.feature[i], grown.node.feature[i]);
    uint32_t count = grown.node.start[n + 1] - grown.node.start[n];
    encoder_free(growing);
    encoder_free(frozen);
    vocabulary_release(&vocabulary);
    templates_release(&templates);
    return count;
}

TEST_IN_FOLDER(templates_see_classes)
{
    struct lexicons lexicons;
    read_lexicon(&lexicons, places);
    assert_int_equal(features_of(&lexicons, "U:%places[0,0]\n", "Paris|in", 0), 1);
    assert_int_equal(features_of(&lexicons, "U:%places[0,0]\n", "Paris|in", 1), 0);
    assert_int_equal(features_of(&lexicons, "U:%places.2[0,0]\n", "new|york|times", 0), 0); /* an empty class */
    assert_int_equal(features_of(&lexicons, "U:%places[-1,0]/%places.2:2[0,0]\n", "Paris|York", 1), 1);
    assert_int_equal(features_of(&lexicons, "U:%places[-1,0]\nU:%places[1,0]\n", "Paris|York", 0), 2);
    assert_int_equal(features_of(&lexicons, "U:%x[0,0]\nB:%places[0,0]\n", "Paris|York", 0), 1);
    lexicons_release(&lexicons);
}

/* Words that a view shows the same string have the same features. */
static bool same_features(const struct lexicons *lexicons, const char *rule, const char *words)
{
    struct templates templates;
    struct vocabulary vocabulary = {0};
    struct text cell[2], rest = text_of(words);
    uint32_t first[3] = {0, 1, 2};
    cell[0] = text_cut(&rest, '|');
    cell[1] = rest;
    struct sentence sentence = {.N = 2, .first = first, .cell = cell, .number = 1};
    struct parts parts;
    MUST(templates_parse(&templates, &(struct template_source){rule, "rules", lexicons}, &err));
    struct encoder *encoder = encoder_new_growing(&templates, &vocabulary, &err);
    MUST(encoder && encoder_run(encoder, &sentence, &parts, &err));
    assert_int_equal(parts.node.start[2], 2);
    bool same = parts.node.feature[0] == parts.node.feature[1];
    encoder_free(encoder);
    vocabulary_release(&vocabulary);
    templates_release(&templates);
    return same;
}

TEST_IN_FOLDER(views_tell_columns_beginnings_and_places_apart)
{
    struct lexicons lexicons;
    read_lexicon(&lexicons, "a\tx\t0101\nb\tx\t0111\nc\ty\t01\na b\tx\t0101\n");
    assert_true(same_features(&lexicons, "U:%places[0,0]\n", "b|a"));
    assert_false(same_features(&lexicons, "U:%places.2[0,0]\n", "b|a"));
    assert_true(same_features(&lexicons, "U:%places.2:2[0,0]\n", "b|a"));
    assert_true(same_features(&lexicons, "U:%places.2:2[0,0]\n", "b|c")); /* all of a class that is no longer */
    assert_false(same_features(&lexicons, "U:%places.2:3[0,0]\n", "b|c"));
    assert_false(same_features(&lexicons, "U:%places[0,0]\n", "a|b")); /* a phrase: B-x and I-x */
    lexicons_release(&lexicons);
}

TEST_IN_FOLDER(macros_that_no_lexicon_has_are_refused)
{
    static const char *const bad[] = {"U:%places.0[0,0]\n",  "U:%places.3[0,0]\n", "U:%places:0[0,0]\n",
                                      "U:%place[0,0]\n",     "U:%places.[0,0]\n",  "U:%places:x[0,0]\n",
                                      "U:%places.1.2[0,0]\n"};
    struct lexicons lexicons;
    struct templates templates;
    read_lexicon(&lexicons, places);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(templates_parse(&templates, &(struct template_source){bad[i], "bad", &lexicons}, &err));
    assert_non_null(strstr(err.message, "%NAME[row,column] of a lexicon"));
    assert_false(templates_parse(&templates, &(struct template_source){"U:%places[0,0]\n", "bad", NULL}, &err));
    lexicons_release(&lexicons);
}

TEST_IN_FOLDER(built_in_sets_show_all_columns)
{
    struct lexicons lexicons;
    struct templates templates;
    read_lexicon(&lexicons, places);
    char *text = template_with_lexicons("U:%x[0,0]\n", &lexicons, &err);
    assert_non_null(text);
    assert_non_null(strstr(text, "%places.1[-2,0]\n"));
    assert_non_null(strstr(text, "%places.2:20[0,0]\n"));
    MUST(templates_parse(&templates, &(struct template_source){text, "rules", &lexicons}, &err));
    assert_int_equal(templates.lookups, 1);
    templates_release(&templates);
    free(text);
    lexicons_release(&lexicons);
}
