/*
 * Reads confidences in files, and writes them with six digits and a full stop, whatever the locale's sign, which
 * printf() would follow.
 */
#include "base/real.h"
#include "text/formats.h"

#include <stdio.h>

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
