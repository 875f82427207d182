/* Tests words and sentences of raw text: Unicode's own cases, and the rules that are ours. */
#include "text/word_breaks.h"

#include "must.h"
#include "test.h"

/* ---- Word boundaries, as Unicode's file of cases has them ---- */

static size_t put_point(char *out, unsigned long point)
{
    if (point < 0x80)
        return out[0] = (char)point, 1;
    if (point < 0x800)
        return out[0] = (char)(0xC0 | point >> 6), out[1] = (char)(0x80 | (point & 0x3F)), 2;
    if (point < 0x10000)
        return out[0] = (char)(0xE0 | point >> 12), out[1] = (char)(0x80 | (point >> 6 & 0x3F)),
               out[2] = (char)(0x80 | (point & 0x3F)), 3;
    out[0] = (char)(0xF0 | point >> 18), out[1] = (char)(0x80 | (point >> 12 & 0x3F));
    return out[2] = (char)(0x80 | (point >> 6 & 0x3F)), out[3] = (char)(0x80 | (point & 0x3F)), 4;
}

/* A line such as "÷ 0061 × 0308 ÷ 0020 ÷ # comment", as a text and where it may be cut. */
struct break_case {
    char bytes[256];
    size_t length, cut[64], cuts;
};

static bool read_case(char *line, struct break_case *into)
{
    *into = (struct break_case){0};
    line[strcspn(line, "#")] = '\0';
    for (char *part = strtok(line, " \t\n"); part; part = strtok(NULL, " \t\n")) {
        if (strcmp(part, "÷") == 0)
            into->cut[into->cuts++] = into->length;
        else if (strcmp(part, "×") != 0)
            into->length += put_point(into->bytes + into->length, strtoul(part, NULL, 16));
    }
    return into->cuts > 1;
}

static void check_case(const struct break_case *one, int line)
{
    struct text text = {one->bytes, (uint32_t)one->length};
    size_t at = 0;
    for (size_t i = 1; i < one->cuts; i++) {
        at = word_boundary(text, at);
        if (at != one->cut[i])
            fail_msg("line %d: expected a boundary at byte %zu, found %zu", line, one->cut[i], at);
    }
    assert_int_equal(at, one->length);
}

TEST(boundaries_are_those_of_unicodes_own_cases)
{
    FILE *file = fopen(UNICODE "/auxiliary/WordBreakTest.txt", "r");
    if (!file)
        fail_msg("expected %s of Debian's package unicode-data", UNICODE "/auxiliary/WordBreakTest.txt");
    char line[4096];
    int cases = 0;
    struct break_case one;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (read_case(line, &one)) {
            check_case(&one, number);
            cases++;
        }
    }
    fclose(file);
    assert_true(cases > 1000);
}

/* ---- Words and sentences: expected as "word|word|| word|" where || ends a sentence ---- */

static void check_cuts(const char *text, const char *expected)
{
    static struct word_cuts cuts;
    char found[4096];
    size_t length = 0;
    MUST(cut_words(text_of(text), &cuts, &err));
    for (size_t i = 0; i < cuts.words; i++)
        length += (size_t)snprintf(found + length, sizeof found - length, "%.*s%s",
                                   (int)(cuts.word[i].to - cuts.word[i].from), text + cuts.word[i].from,
                                   cuts.word[i].ends_sentence ? "||" : "|");
    found[length] = '\0';
    assert_string_equal(found, expected);
    word_cuts_release(&cuts);
}

TEST(words_are_segments_without_white_space)
{
    check_cuts("", "");
    check_cuts(" \t\r\n\f ", "");
    check_cuts("Ada can't pay $3.14, can she?", "Ada|can't|pay|$|3.14|,|can|she|?||");
    check_cuts("a well-known e-mail@example.com", "a|well|-|known|e|-|mail|@|example.com||");
    check_cuts("snake_case 1,000 ab12", "snake_case|1,000|ab12||");
    check_cuts("\t tabs\tand\r\nlines\rhere ", "tabs|and|lines|here||");
}

TEST(no_break_spaces_are_no_part_of_a_words_ends)
{
    check_cuts("dix\xC2\xA0" "euros", "dix|euros||");
    check_cuts("Quoi\xE2\x80\xAF! \xC2\xAB\xE2\x80\xAFNon\xE2\x80\xAF\xC2\xBB", "Quoi|!||«|Non|»||");
    check_cuts("10\xE2\x80\xAF" "000", "10\xE2\x80\xAF" "000||"); /* a number's groups, by UAX 29 */
    check_cuts("\xE2\x80\xAF", "");
    check_cuts("a\xE3\x80\x80" "b", "a|b||");
}

TEST(marks_stay_with_their_letter_and_emoji_together)
{
    check_cuts("Zu\xCC\x88rich e\xCC\x81t\xCC\xA3\xCC\x81", "Zu\xCC\x88rich|e\xCC\x81t\xCC\xA3\xCC\x81||");
    check_cuts("a \xCC\x88", "a|\xCC\x88||"); /* a mark on a blank: the blank is no word's */
    check_cuts("\U0001F468\u200D\U0001F469\u200D\U0001F467 ok\U0001F44D\U0001F3FD",
               "\U0001F468\u200D\U0001F469\u200D\U0001F467|ok|\U0001F44D\U0001F3FD||");
    check_cuts("\U0001F1EB\U0001F1F7\U0001F1E9\U0001F1EA\U0001F1EA",
               "\U0001F1EB\U0001F1F7|\U0001F1E9\U0001F1EA|\U0001F1EA||");
}

TEST(what_cannot_be_seen_is_no_word)
{
    check_cuts("\uFEFFone\u200Btwo \u200E \x01 \x7F", "one|two||");
    check_cuts("so\u00ADft", "so\u00ADft||"); /* but it stays within one */
    check_cuts("a\x01\xCC\x88", "a|\xCC\x88||");
}

TEST(scripts_without_spaces_are_cut_as_unicode_cuts_them)
{
    check_cuts("我爱你。你呢？", "我|爱|你|。||你|呢|？||");
    check_cuts("カタカナ", "カタカナ||");
    check_cuts("「好。」他说。", "「|好|。|」||他|说|。||");
}

TEST(sentences_end_after_their_punctuation)
{
    check_cuts("One. Two! Three?! Four", "One|.||Two|!||Three|?|!||Four||");
    check_cuts("\"Stop!\" He ran. (Fast.) Yes.", "\"|Stop|!|\"||He|ran|.||(|Fast|.|)||Yes|.||");
    check_cuts("“Yes.”“No.” Done", "“|Yes|.|”|“|No|.|”||Done||");
    check_cuts("„Ja.“ Gut. »Nein.« Gut.", "„|Ja|.|“||Gut|.||»|Nein|.|«||Gut|.||");
    check_cuts("यह है। वह है।", "यह|है|।||वह|है|।||");
    check_cuts("هل؟ نعم", "هل|؟||نعم||");
    check_cuts("And so… Then", "And|so|…||Then||");
}

TEST(a_full_stop_may_end_none)
{
    check_cuts("J. R. Doe, e.g. Ada", "J|.|R|.|Doe|,|e.g|.|Ada||");
    check_cuts("approx. five", "approx|.|five||");
    check_cuts("É. Zola", "É|.|Zola||");
    check_cuts("E\xCC\x81. Zola", "E\xCC\x81|.|Zola||");
    check_cuts("well... maybe. . . . Yes", "well|.|.|.|maybe|.|.|.|.||Yes||");
    check_cuts("\"Why?\" he asked.", "\"|Why|?|\"|he|asked|.||");
    check_cuts("why? because", "why|?||because||");
    check_cuts("a.b/?x=1 !x", "a.b|/|?|x|=|1|!|x||");
    check_cuts("Who? - he said. - Me", "Who|?||-|he|said|.||-|Me||");
}

TEST(blank_lines_end_sentences_and_lines_do_not)
{
    check_cuts("a\nb\n\nc", "a|b||c||");
    check_cuts("a\r\nb\r\n\r\nc", "a|b||c||");
    check_cuts("a\rb\r\rc", "a|b||c||");
    check_cuts("a\n \t\nb", "a||b||");
    check_cuts("a\u2028b\u2029c", "a|b||c||");
    check_cuts("approx.\n\nfive", "approx|.||five||");
    check_cuts("One. -\n\nfive", "One|.||-||five||");
}

TEST(invalid_text_is_refused_with_its_place)
{
    static const char *const bad[] = {"ab\xFF", "ab\xC0\x80", "ab\xED\xA0\x80", "ab\xE2\x80", "ab\xF4\x90\x80\x80"};
    struct word_cuts cuts = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(cut_words(text_of(bad[i]), &cuts, &err));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_non_null(strstr(err.message, "at byte 2 of the text"));
    }
    word_cuts_release(&cuts);
}

/* Whether every byte belongs to one word, or to no word and is white space here: the text has nothing invisible. */
static void check_cover(const char *text, size_t length, const struct word_cuts *cuts)
{
    size_t at = 0;
    for (size_t i = 0; i <= cuts->words; i++) {
        size_t stop = i < cuts->words ? cuts->word[i].from : length;
        assert_true(stop >= at);
        for (; at < stop; at++)
            assert_true(text[at] == ' ' || text[at] == '\n' || text[at] == '\r');
        if (i == cuts->words)
            return;
        assert_true(cuts->word[i].to > at);
        at = cuts->word[i].to;
    }
}

TEST(long_texts_of_any_characters_are_covered_and_linear)
{
    static const char *const piece[] = {
        "a", "é", ".", "…", "。", "\"", "”", " ", "\n", "\r\n", "\xCC\x88", "1", ",",
        "'", "א", "カ", "_", "\U0001F1EB", "\U0001F468", "(", ")", "?", "B", "b", "“",
    };
    enum { PIECES = sizeof piece / sizeof *piece, LENGTH = 1 << 20 };
    char *text = malloc(LENGTH + 8);
    struct word_cuts cuts = {0};
    uint64_t state = 1;
    /* Texts of few kinds of piece have long runs of these: no rule may look through such a run again and again. */
    for (int kinds = 1; kinds <= PIECES; kinds += 3) {
        size_t length = 0, most = (size_t)fewer(LENGTH);
        while (length < most) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const char *next = piece[(state >> 33) % (unsigned)kinds + (kinds < PIECES ? 2 : 0) * (kinds > 1)];
            memcpy(text + length, next, strlen(next));
            length += strlen(next);
        }
        MUST(cut_words((struct text){text, (uint32_t)length}, &cuts, &err));
        check_cover(text, length, &cuts);
        if (cuts.words > 0)
            assert_true(cuts.word[cuts.words - 1].ends_sentence);
    }
    word_cuts_release(&cuts);
    free(text);
}
