/*
 * Validates UTF-8 by table 3-7 of the Unicode standard, with a fast path for
 * ASCII; finds where to cut, and what may be shown.
 */
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- Numbers ---- */

/*
 * strtod() follows the locale in nothing but the sign between whole and decimals. So that sign is taken out, and the
 * exponent makes up for it: 12.5e3 is 125e2. Most numbers have few digits and are a quotient or product of two numbers
 * that a double holds exactly, which is the nearest double, too (Clinger 1990); the others are left to strtod().
 */

/* Returns digits * 10^exponent, rounded once. */
static double scale_by_tens(uint64_t digits, int64_t exponent)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits == 0)
        return 0;
    if (digits <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)digits / tens[-exponent] : (double)digits * tens[exponent];
    char text[48];
    snprintf(text, sizeof text, "%" PRIu64 "e%" PRId64, digits, exponent);
    return strtod(text, NULL);
}

static int digit_of(char c, uint32_t base)
{
    int value = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    return value < (int)base ? value : -1;
}

/* Reads digits from *at on, folded into *digits until it is full; returns how many there were. */
static uint32_t read_digits(const char **at, const char *end, uint32_t base, uint64_t *digits, uint32_t *dropped)
{
    const uint64_t full = base == 10 ? UINT64_C(1000000000000000000) : UINT64_C(1) << 60;
    const char *from = *at;
    for (int digit; *at < end && (digit = digit_of(**at, base)) >= 0; (*at)++) {
        if (*digits < full)
            *digits = *digits * base + (uint64_t)digit;
        else
            (*dropped)++;
    }
    return (uint32_t)(*at - from);
}

/*
 * Reads digits[.digits][e[+-]digits]: the number is *digits * 10^*exponent. Of base 16, where a digit is four bits, the
 * letter is p, and the exponent is one of 2, in decimal digits.
 */
static bool read_number(const char *at, const char *end, uint32_t base, uint64_t *digits, int64_t *exponent)
{
    const char mark = base == 10 ? 'e' : 'p';
    const int64_t each = base == 10 ? 1 : 4;
    uint32_t dropped = 0, none = 0;
    uint32_t count = read_digits(&at, end, base, digits, &dropped);
    *exponent = each * dropped;
    if (at < end && *at == '.') {
        at++;
        dropped = 0;
        uint32_t decimals = read_digits(&at, end, base, digits, &dropped);
        *exponent -= each * (decimals - dropped);
        count += decimals;
    }
    if (count > 0 && at < end && (*at | 0x20) == mark) {
        at++;
        bool down = at < end && *at == '-';
        at += at < end && (*at == '-' || *at == '+');
        uint64_t power = 0;
        if (read_digits(&at, end, 10, &power, &none) == 0)
            return false;
        int64_t bounded = power < 100000000 ? (int64_t)power : 100000000;
        *exponent += down ? -bounded : bounded;
    }
    return count > 0 && at == end;
}

bool parse_number(struct text text, double *number)
{
    uint32_t sign = text.length > 0 && (text.at[0] == '-' || text.at[0] == '+');
    uint64_t digits = 0;
    int64_t exponent;
    if (!read_number(text.at + sign, text.at + text.length, 10, &digits, &exponent))
        return false;
    double value = scale_by_tens(digits, exponent);
    *number = text.at[0] == '-' ? -value : value;
    return true;
}

bool parse_real(struct text text, double *number)
{
    uint32_t sign = text.length > 0 && (text.at[0] == '-' || text.at[0] == '+');
    if (text.length < sign + 3 || text.at[sign] != '0' || (text.at[sign + 1] != 'x' && text.at[sign + 1] != 'X'))
        return parse_number(text, number);
    uint64_t digits = 0;
    int64_t exponent;
    if (!read_number(text.at + sign + 2, text.at + text.length, 16, &digits, &exponent))
        return false;
    double value = ldexp((double)digits, exponent < -100000 ? -100000 : exponent > 100000 ? 100000 : (int)exponent);
    *number = text.at[0] == '-' ? -value : value;
    return true;
}

void spell_number(double number, char text[NUMBER_ROOM])
{
    double back = 0;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, NUMBER_ROOM, "%.*g", digits, number);
        /* The locale's sign between whole and decimals may be several bytes. */
        size_t whole = strspn(text, "-0123456789"), sign = strcspn(text + whole, "0123456789e");
        if (sign > 0 && text[whole + sign]) {
            text[whole] = '.';
            memmove(text + whole + 1, text + whole + sign, strlen(text + whole + sign) + 1);
        }
        if (!parse_number(text_of(text), &back) || back == number)
            return;
    }
}
