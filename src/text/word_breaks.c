/*
 * Cuts raw text into words and sentences by rule, in linear time.
 *
 * Segments are those of Unicode Standard Annex 29, "Word Boundaries", with no changes: rules WB1 to WB999 over the
 * property Word_Break, whose table the build makes of Unicode's files (word_break_ranges.cmake). A segment grows from
 * its first character as long as a rule joins what follows; two rules look one character further. So `can't`, `3.14`
 * and `example.com` are one word, `U.S.` is `U.S` and a full stop, `well-known` are three words, `...` are three full
 * stops, a family of emoji is one word, and of Chinese every character is one.
 *
 * A word is a segment without white space and controls at its ends (the narrow no-break space of French belongs to
 * segments). A segment without a visible character is none: byte order marks, joiners on their own.
 *
 * A sentence ends
 *   - at a blank line and at a paragraph separator, always;
 *   - after sentence-ending punctuation (Unicode's Sentence_Terminal, and the ellipsis), one sign or several, and the
 *     closing quotes and brackets that follow without a space;
 * but . ! ? and the ellipsis end none
 *   - if no white space follows, as in `Who?!x`; signs of other scripts need none, as in Chinese;
 *   - if white space and more such punctuation follows: `. . .` is ended by its last sign;
 * a full stop ends none
 *   - after an initial: a single upper-case letter, or letters with full stops between them, as in `J. Doe`, `e.g.`;
 *   - if the next letter is in lower case, as in `approx. five`; nor does an ellipsis, nor ! and ? with a closing
 *     quote, as in `"Why?" he asked`.
 * A quote that may also open (as " does, and the quotes that are turned around in German) closes only if white space
 * or the text's end follows, or another one that closes.
 *
 * The price of knowing no language: `Mr. Doe` is cut in two, `in the U.S. The` is not, and lines of a list are one
 * sentence unless a blank line is between them. docs/MEASUREMENTS.md says how often.
 */
#include "text/word_breaks.h"

#include <utf8proc.h>

#include "base/memory.h"

/* Values of Word_Break, by Unicode's own names, and two properties that a character has or has not. */
enum word_break {
    Other,
    ALetter,
    CR,
    Double_Quote,
    Extend,
    ExtendNumLet,
    Format,
    Hebrew_Letter,
    Katakana,
    LF,
    MidLetter,
    MidNum,
    MidNumLet,
    Newline,
    Numeric,
    Regional_Indicator,
    Single_Quote,
    WSegSpace,
    ZWJ,
    Extended_Pictographic,
    Sentence_Terminal
};

struct word_break_range {
    uint32_t first, last;
    uint8_t value;
};

#include "text/word_break_ranges.h"

/* Returns the value of the range that has the code point, or Other. */
static enum word_break find_range(const struct word_break_range *range, size_t ranges, uint32_t point)
{
    size_t low = 0, high = ranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (range[middle].last < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ranges && range[low].first <= point ? range[low].value : Other;
}
#define FIND_RANGE(table, point) find_range((table), sizeof(table) / sizeof *(table), (point))

static enum word_break word_break_of(uint32_t point)
{
    if ((point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z'))
        return ALetter;
    return point == ' ' ? WSegSpace : FIND_RANGE(word_break_ranges, point);
}

/* Returns the code point at `at` of well-formed text, and sets where the next one begins. */
static uint32_t point_at(struct text text, size_t at, size_t *next)
{
    const unsigned char *byte = (const unsigned char *)text.at + at;
    unsigned width = utf8_width(text.at[at]);
    *next = at + width;
    switch (width) {
    case 1: return byte[0];
    case 2: return (byte[0] & 0x1Fu) << 6 | (byte[1] & 0x3Fu);
    case 3: return (byte[0] & 0x0Fu) << 12 | (byte[1] & 0x3Fu) << 6 | (byte[2] & 0x3Fu);
    default:
        return (byte[0] & 0x07u) << 18 | (byte[1] & 0x3Fu) << 12 | (byte[2] & 0x3Fu) << 6 | (byte[3] & 0x3Fu);
    }
}

/* ---- Word boundaries ---- */

static bool is_letter(enum word_break value)
{
    return value == ALetter || value == Hebrew_Letter;
}

static bool is_ignored(enum word_break value)
{
    return value == Extend || value == Format || value == ZWJ;
}

static bool ends_line(enum word_break value)
{
    return value == CR || value == LF || value == Newline;
}

/* Whether two characters are joined whatever follows: WB5, WB8 to WB10, WB13 to WB13b. */
static bool joins(enum word_break left, enum word_break right)
{
    bool word = is_letter(left) || left == Numeric;
    if (word && (is_letter(right) || right == Numeric))
        return true;
    if (left == Katakana && right == Katakana)
        return true;
    if (right == ExtendNumLet)
        return word || left == Katakana || left == ExtendNumLet;
    return left == ExtendNumLet && (is_letter(right) || right == Numeric || right == Katakana);
}

/* Whether a character can be within a word that goes on behind it. */
static bool is_between(enum word_break value)
{
    return value == MidLetter || value == MidNum || value == MidNumLet || value == Single_Quote ||
           value == Double_Quote;
}

/* Whether two characters are joined by the one between them: WB6, WB7, WB7b, WB7c, WB11, WB12. */
static bool joins_across(enum word_break left, enum word_break between, enum word_break right)
{
    bool either = between == MidNumLet || between == Single_Quote;
    if (is_letter(left) && is_letter(right) && (between == MidLetter || either))
        return true;
    if (left == Hebrew_Letter && right == Hebrew_Letter && between == Double_Quote)
        return true;
    return left == Numeric && right == Numeric && (between == MidNum || either);
}

/* Returns the next value that counts from `at` on, and where the character after it begins; Other at the end. */
static enum word_break look_ahead(struct text text, size_t at, size_t *next)
{
    while (at < text.length) {
        enum word_break value = word_break_of(point_at(text, at, next));
        if (!is_ignored(value))
            return value;
        at = *next;
    }
    return Other;
}

size_t word_boundary(struct text text, size_t from)
{
    size_t at, next, after;
    enum word_break left = word_break_of(point_at(text, from, &at)), before = left, third;
    if (ends_line(left))
        return at + (left == CR && at < text.length && text.at[at] == '\n');
    for (bool paired = false; at < text.length; at = next) {
        uint32_t point = point_at(text, at, &next);
        enum word_break right = word_break_of(point);
        if (ends_line(right))
            return at;
        if (before == ZWJ && FIND_RANGE(pictographic_ranges, point) == Extended_Pictographic) { /* WB3c */
            left = right;
        } else if (before == WSegSpace && right == WSegSpace) { /* WB3d */
            left = right;
        } else if (is_ignored(right)) { /* WB4 */
            before = right;
            continue;
        } else if (left == Regional_Indicator && right == Regional_Indicator && !paired) { /* WB15, WB16 */
            paired = true;
        } else if (joins(left, right)) {
            left = right;
        } else if (is_between(right) && joins_across(left, right, third = look_ahead(text, next, &after))) {
            left = right = third;
            next = after;
        } else if (left == Hebrew_Letter && right == Single_Quote) { /* WB7a */
            left = right;
        } else {
            return at;
        }
        before = right;
    }
    return at;
}

/* ---- Words ---- */

/* Whether it is white space or a control. */
static bool is_space(uint32_t point)
{
    if (point < 0x80)
        return point <= ' ' || point == 0x7F;
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)point);
    return category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_CC;
}

static bool is_visible(uint32_t point)
{
    return (point > ' ' && point < 0x7F) ||
           (!is_space(point) && !utf8proc_get_property((utf8proc_int32_t)point)->ignorable);
}

/* Takes white space and controls off both ends of a segment; false if it has no visible character. */
static bool trim_segment(struct text text, struct word_cut *cut)
{
    size_t begin = cut->from, end = cut->from;
    bool begun = false, visible = false;
    for (size_t at = cut->from, next; at < cut->to; at = next) {
        uint32_t point = point_at(text, at, &next);
        if (is_space(point))
            continue;
        if (!begun)
            begin = at;
        begun = true;
        end = next;
        visible = visible || is_visible(point);
    }
    *cut = (struct word_cut){.from = begin, .to = end};
    return visible;
}

bool text_is_visible(struct text text)
{
    struct word_cut all = {.to = text.length};
    return trim_segment(text, &all);
}

static bool add_words(struct text text, struct word_cuts *cuts, struct vouch_error *err)
{
    for (size_t at = 0; at < text.length;) {
        struct word_cut cut = {.from = at, .to = word_boundary(text, at)};
        at = cut.to;
        if (!trim_segment(text, &cut))
            continue;
        if (!RESERVE(cuts->word, cuts->capacity, cuts->words + 1, err))
            return false;
        cuts->word[cuts->words++] = cut;
    }
    return true;
}

/* ---- Sentences ---- */

enum { ELLIPSIS = 0x2026, LINE_SEPARATOR = 0x2028, PARAGRAPH_SEPARATOR = 0x2029 };

/* A text and its words. */
struct cut_text {
    struct text text;
    const struct word_cuts *cuts;
};

static uint32_t first_point(const struct cut_text *cut, size_t word)
{
    size_t next;
    return point_at(cut->text, cut->cuts->word[word].from, &next);
}

static utf8proc_category_t first_category(const struct cut_text *cut, size_t word)
{
    return utf8proc_category((utf8proc_int32_t)first_point(cut, word));
}

static bool is_terminal(uint32_t point)
{
    if (point < 0x80)
        return point == '.' || point == '!' || point == '?';
    return point == ELLIPSIS || FIND_RANGE(sentence_terminal_ranges, point) == Sentence_Terminal;
}

/* Whether something is between the word and the next one, or it is the last one. */
static bool is_followed_by_space(const struct cut_text *cut, size_t word)
{
    const struct word_cuts *cuts = cut->cuts;
    return word + 1 == cuts->words || cuts->word[word].to < cuts->word[word + 1].from;
}

/* Whether there is a blank line between the word and the next one. */
static bool is_followed_by_blank_line(const struct cut_text *cut, size_t word)
{
    size_t at = cut->cuts->word[word].to, end = cut->cuts->word[word + 1].from, next;
    uint32_t before = 0;
    for (int lines = 0; at < end; at = next) {
        uint32_t point = point_at(cut->text, at, &next);
        lines += point == '\r' || (point == '\n' && before != '\r') || point == 0x85 || point == LINE_SEPARATOR;
        if (lines == 2 || point == PARAGRAPH_SEPARATOR)
            return true;
        before = point;
    }
    return false;
}

static bool may_open(const struct cut_text *cut, size_t word)
{
    uint32_t point = first_point(cut, word);
    return point == '"' || point == '\'' || first_category(cut, word) == UTF8PROC_CATEGORY_PI;
}

static bool may_close(const struct cut_text *cut, size_t word)
{
    utf8proc_category_t category = first_category(cut, word);
    return category == UTF8PROC_CATEGORY_PE || category == UTF8PROC_CATEGORY_PF || may_open(cut, word);
}

/* Returns the last word of the closing quotes and brackets that follow a word at once; the word itself if none do. */
static size_t last_closing(const struct cut_text *cut, size_t word)
{
    size_t last = word;
    while (!is_followed_by_space(cut, last) && may_close(cut, last + 1))
        last++;
    while (last > word && !is_followed_by_space(cut, last) && may_open(cut, last))
        last--;
    return last;
}

/* Whether a word that a full stop follows is an initial, or letters with full stops between them. */
static bool is_initial(const struct cut_text *cut, size_t word)
{
    size_t from = cut->cuts->word[word].from, at = cut->cuts->word[word].to, next;
    utf8proc_category_t category;
    do {
        while (at > from && (cut->text.at[--at] & 0xC0) == 0x80)
            continue;
        category = utf8proc_category((utf8proc_int32_t)point_at(cut->text, at, &next));
    } while (at > from && category == UTF8PROC_CATEGORY_MN);
    if (at > from)
        return cut->text.at[at - 1] == '.' && category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    return category == UTF8PROC_CATEGORY_LU;
}

/* Whether the first word with a letter or a digit, up to the next end or blank line, is in lower case. */
static bool goes_on_in_lower_case(const struct cut_text *cut, size_t word)
{
    bool ended = false;
    for (; word < cut->cuts->words && !ended && !is_terminal(first_point(cut, word)); word++) {
        utf8proc_category_t category = first_category(cut, word);
        if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO)
            return category == UTF8PROC_CATEGORY_LL;
        ended = cut->cuts->word[word].ends_sentence;
    }
    return false;
}

/* Whether the sentence ends with the signs of the words from `first` to `last`, and what closes it up to `closing`. */
static bool ends_with(const struct cut_text *cut, size_t first, size_t last, size_t closing)
{
    bool stops_only = true;
    for (size_t word = first; word <= last; word++) {
        uint32_t point = first_point(cut, word);
        if (point >= 0x80 && point != ELLIPSIS)
            return true;
        stops_only = stops_only && (point == '.' || point == ELLIPSIS);
    }
    if (!is_followed_by_space(cut, closing) || is_terminal(first_point(cut, closing + 1)))
        return false;
    if (first == last && first_point(cut, first) == '.' && first > 0 && !is_followed_by_space(cut, first - 1) &&
        is_initial(cut, first - 1))
        return false;
    return !((stops_only || closing > last) && goes_on_in_lower_case(cut, closing + 1));
}

static void end_sentences(struct text text, struct word_cuts *cuts)
{
    const struct cut_text cut = {text, cuts};
    for (size_t word = 0; word + 1 < cuts->words; word++)
        cuts->word[word].ends_sentence = is_followed_by_blank_line(&cut, word);
    if (cuts->words > 0)
        cuts->word[cuts->words - 1].ends_sentence = true;
    for (size_t first = 0, last; first < cuts->words; first = last + 1) {
        last = first;
        if (!is_terminal(first_point(&cut, first)))
            continue;
        while (!is_followed_by_space(&cut, last) && is_terminal(first_point(&cut, last + 1)))
            last++;
        size_t closing = last_closing(&cut, last);
        if (!cuts->word[closing].ends_sentence)
            cuts->word[closing].ends_sentence = ends_with(&cut, first, last, closing);
        last = closing;
    }
}

bool cut_words(struct text text, struct word_cuts *cuts, struct vouch_error *err)
{
    cuts->words = 0;
    size_t whole = utf8_check(text.at, text.length);
    if (whole < text.length)
        return fail(err, VOUCH_ERR_FORMAT, "expected UTF-8, found byte 0x%02X at byte %zu of the text",
                    (unsigned char)text.at[whole], whole);
    if (!add_words(text, cuts, err))
        return false;
    end_sentences(text, cuts);
    return true;
}

void word_cuts_release(struct word_cuts *cuts)
{
    free(cuts->word);
    *cuts = (struct word_cuts){0};
}
