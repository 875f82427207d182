/*
 * Validates UTF-8 by table 3-7 of the Unicode standard, with a fast path for
 * ASCII; finds where to cut, and what may be shown.
 */
#include "base/text.h"

#include <utf8proc.h>

static bool continues(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Returns the bytes of the well-formed sequence at `s`, or 0. */
static size_t sequence(const unsigned char *s, size_t left)
{
    unsigned char c = s[0];
    if (c < 0x80)
        return 1;
    if (c >= 0xC2 && c <= 0xDF)
        return left >= 2 && continues(s[1]) ? 2 : 0;
    if (c >= 0xE0 && c <= 0xEF) {
        if (left < 3 || !continues(s[1]) || !continues(s[2]))
            return 0;
        if ((c == 0xE0 && s[1] < 0xA0) || (c == 0xED && s[1] > 0x9F))
            return 0;
        return 3;
    }
    if (c >= 0xF0 && c <= 0xF4) {
        if (left < 4 || !continues(s[1]) || !continues(s[2]) || !continues(s[3]))
            return 0;
        if ((c == 0xF0 && s[1] < 0x90) || (c == 0xF4 && s[1] > 0x8F))
            return 0;
        return 4;
    }
    return 0;
}

size_t utf8_check(const char *bytes, size_t length)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t i = 0;
    while (i < length) {
        uint64_t eight;
        if (length - i >= sizeof eight) {
            memcpy(&eight, s + i, sizeof eight);
            if (!(eight & UINT64_C(0x8080808080808080))) {
                i += sizeof eight;
                continue;
            }
        }
        size_t width = sequence(s + i, length - i);
        if (!width)
            return i;
        i += width;
    }
    return length;
}

/* Returns the code point of a well-formed sequence of `width` bytes. */
static uint32_t point_of(const unsigned char *s, size_t width)
{
    uint32_t point = width == 1 ? s[0] : s[0] & (0x7Fu >> width);
    for (size_t i = 1; i < width; i++)
        point = point << 6 | (s[i] & 0x3F);
    return point;
}

static bool steers(uint32_t point)
{
    bool control = point < 0x20 || (point >= 0x7F && point < 0xA0) || (point & 0xFFFE) == 0xFFFE;
    bool separates = point == 0x2028 || point == 0x2029;
    bool turns = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    return control || separates || turns;
}

struct text text_visible(struct text *rest)
{
    const unsigned char *s = (const unsigned char *)rest->at;
    size_t width = sequence(s, rest->length), step = width ? width : 1;
    struct text shown = {rest->at, (uint32_t)step};
    if (width == 0 || steers(point_of(s, width)))
        shown = text_of("\xEF\xBF\xBD");
    *rest = (struct text){rest->at + step, rest->length - (uint32_t)step};
    return shown;
}

int text_beginning(struct text text, uint32_t most)
{
    uint32_t length = text.length < most ? text.length : most;
    while (length < text.length && length > 0 && continues((unsigned char)text.at[length]))
        length--;
    return (int)length;
}

bool text_whole(struct text text, uint32_t *number)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || value > UINT32_MAX)
            return false;
        value = value * 10 + (uint64_t)(text.at[i] - '0');
    }
    *number = (uint32_t)value;
    return text.length > 0 && value < UINT32_MAX;
}

uint32_t text_lower(struct text text, char *out)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < text.length;) {
        unsigned char c = (unsigned char)text.at[i];
        uint32_t width = utf8_width(text.at[i]);
        if (c < 0x80) {
            out[to++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : (char)c;
        } else {
            utf8proc_int32_t point = 0;
            utf8proc_iterate((const utf8proc_uint8_t *)text.at + i, (utf8proc_ssize_t)(text.length - i), &point);
            to += (uint32_t)utf8proc_encode_char(utf8proc_tolower(point), (utf8proc_uint8_t *)out + to);
        }
        i += width;
    }
    return to;
}
