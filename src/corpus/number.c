/*
 * Reads and writes numbers in files with a full stop, whatever the locale's sign, which strtod() and printf() would
 * follow. Reading takes up to 19 digits and a decimal exponent; writing gives six digits.
 */
#include "corpus/formats.h"

#include <stdio.h>

/* Reads decimal digits from *at on, folded into *digits until it is full; returns how many there were. */
static uint32_t read_digits(const char **at, const char *end, uint64_t *digits, uint32_t *dropped)
{
    const char *from = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
        if (*digits < UINT64_C(1000000000000000000))
            *digits = *digits * 10 + (uint64_t)(**at - '0');
        else
            (*dropped)++;
    }
    return (uint32_t)(*at - from);
}

bool parse_number(struct text text, double *number)
{
    const char *at = text.at, *end = text.at + text.length;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');

    uint64_t digits = 0;
    uint32_t dropped = 0, none = 0;
    uint32_t count = read_digits(&at, end, &digits, &dropped);
    int64_t exponent = dropped;
    if (at < end && *at == '.') {
        at++;
        dropped = 0;
        uint32_t decimals = read_digits(&at, end, &digits, &dropped);
        exponent -= decimals - dropped;
        count += decimals;
    }
    if (count == 0)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        bool down = at < end && *at == '-';
        at += at < end && (*at == '-' || *at == '+');
        uint64_t power = 0;
        if (read_digits(&at, end, &power, &none) == 0)
            return false;
        int64_t bounded = power < 100000000 ? (int64_t)power : 100000000;
        exponent += down ? -bounded : bounded;
    }
    /* A quotient of two exact numbers is the nearest one to what is written; a product with 0.01 may not be. */
    double value = exponent < 0 && exponent > -23 ? (double)digits / pow(10.0, (double)-exponent)
                                                  : (double)digits * pow(10.0, (double)exponent);
    if (digits == 0)
        value = 0;
    *number = negative ? -value : value;
    return at == end;
}

bool read_number(struct text text, double *number)
{
    bool infinite = text_is(text, "inf") || text_is(text, "-inf");
    if (infinite)
        *number = text.at[0] == '-' ? -INFINITY : INFINITY;
    else if (text_is(text, "_"))
        *number = NAN;
    else
        return parse_number(text, number);
    return true;
}

enum { DIGITS = 6 };

/*
 * Writes a number from 0.001 up to 10^6, as nearly all are, as "%.6g" does, but faster. A number half-way between two
 * of six digits may become either.
 */
static void write_common(struct output *out, double x)
{
    static const double tens[] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    static const double scale[] = {1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1};
    char text[16];
    int magnitude = 0; /* x is from tens[magnitude] up to the next */
    while (x >= tens[magnitude + 1])
        magnitude++;
    uint32_t digits = (uint32_t)lrint(x * scale[magnitude]);
    if (digits == 1000000) { /* rounded up */
        digits = 100000;
        magnitude++;
    }
    int before = magnitude - 2, length = 0; /* digits before the point, if any */
    if (before <= 0) {
        text[length++] = '0';
        text[length++] = '.';
        for (int i = before; i < 0; i++)
            text[length++] = '0';
    }
    for (uint32_t i = 0, unit = 100000; i < DIGITS; i++, unit /= 10) {
        if (before > 0 && i == (uint32_t)before)
            text[length++] = '.';
        text[length++] = (char)('0' + digits / unit % 10);
    }
    if (before < DIGITS) {
        while (text[length - 1] == '0')
            length--;
        length -= text[length - 1] == '.';
    }
    output_write(out, text, (size_t)length);
}

void write_number(struct output *out, double x)
{
    char text[32];
    if (x >= 1e-3 && x < 999999) {
        write_common(out, x);
        return;
    }
    if (isnan(x)) {
        output_write(out, "_", 1);
        return;
    }
    snprintf(text, sizeof text, "%.6g", x);
    if (isinf(x)) {
        output_write(out, text, strlen(text));
        return;
    }
    /* Puts a full stop in place of the locale's sign. */
    size_t whole = strspn(text, "-0123456789"), rest = whole + strcspn(text + whole, "0123456789e");
    output_printf(out, "%.*s%s%s", (int)whole, text, rest > whole ? "." : "", text + rest);
}
