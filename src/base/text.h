/*
 * A text is a view of bytes that are owned elsewhere. This file also has functions for UTF-8, and reads and writes
 * numbers, with a full stop in every locale: it reads all of a text, as the nearest double to its first 19 digits.
 */
#ifndef VOUCH_BASE_TEXT_H
#define VOUCH_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* `length` bytes at `at`, not terminated. */
struct text {
    const char *at;
    uint32_t length;
};

static inline struct text text_of(const char *string)
{
    return (struct text){string, (uint32_t)strlen(string)};
}

static inline bool text_equal(struct text a, struct text b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static inline bool text_is(struct text a, const char *string)
{
    return text_equal(a, text_of(string));
}

static inline bool text_starts(struct text a, const char *prefix)
{
    size_t length = strlen(prefix);
    return a.length >= length && memcmp(a.at, prefix, length) == 0;
}

/* Cuts off and returns the text before `end`, which is dropped; all that is left if it is not there. */
static inline struct text text_cut(struct text *rest, char end)
{
    const char *at = rest->length ? memchr(rest->at, end, rest->length) : NULL;
    struct text piece = {rest->at, at ? (uint32_t)(at - rest->at) : rest->length};
    uint32_t used = piece.length + (at != NULL);
    *rest = (struct text){rest->at + used, rest->length - used};
    return piece;
}

/* Whether a text is one of a list that NULL ends. */
static inline bool text_among(struct text text, const char *const *list)
{
    while (*list && !text_is(text, *list))
        list++;
    return *list != NULL;
}

/* Returns a text without blanks and tabs at its ends. */
static inline struct text text_trim(struct text text)
{
    while (text.length > 0 && (text.at[0] == ' ' || text.at[0] == '\t'))
        text = (struct text){text.at + 1, text.length - 1};
    while (text.length > 0 && (text.at[text.length - 1] == ' ' || text.at[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/*
 * Returns the offset of the first byte that is not part of well-formed UTF-8
 * (no overlong forms, no surrogates, nothing above U+10FFFF), or `length`.
 */
size_t utf8_check(const char *bytes, size_t length);

/* Returns what a noun gets behind a number: "s", or nothing after 1. */
static inline const char *s_if_many(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Returns the length of the beginning of a text: at most so many bytes of whole code points, for %.*s. */
int text_beginning(struct text text, uint32_t most);

/* Reads a whole number below 2^32 - 1, of digits alone; false if it is anything else. */
bool text_whole(struct text text, uint32_t *number);

/*
 * Writes a text in lower case, which may need more bytes than the original: `out` has room for four for each code
 * point. Returns how many bytes there are.
 */
uint32_t text_lower(struct text text, char *out);

/* Returns how much of a text to quote in a message. */
static inline int excerpt(struct text text)
{
    return text_beginning(text, 40);
}

/*
 * Takes the first character off `rest`, which is not empty, as it may be shown on a terminal: U+FFFD in place of
 * characters that would control it (control characters, C1 too; marks that turn the direction of writing; separators of
 * lines), and of a byte that is not part of well-formed UTF-8.
 */
struct text text_visible(struct text *rest);

/* Returns the bytes of the code point that starts with `lead`, in well-formed UTF-8. */
static inline unsigned utf8_width(char lead)
{
    unsigned char c = (unsigned char)lead;
    return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/* Reads [+-]digits[.digits][e[+-]digits]; not "inf". What is too large for a double becomes infinite. */
bool parse_number(struct text text, double *number);

/* Reads the same, or a number of base 16 as printf("%a") writes it: [+-]0xdigits[.digits][p[+-]digits]. */
bool parse_real(struct text text, double *number);

/*
 * Writes a number as printf("%g") does, but with a full stop in every locale, and with more than six digits if it takes
 * more to read the same number again.
 */
enum { NUMBER_ROOM = 32 };
void spell_number(double number, char text[NUMBER_ROOM]);

#endif
