/*
 * Reads numbers of text: see real.h.
 *
 * strtod() follows the locale in nothing but the sign between whole and decimals. So that sign is taken out, and the
 * exponent makes up for it: 12.5e3 is 125e2. Most numbers have few digits and are a quotient or product of two numbers
 * that a double holds exactly, which is the nearest double, too (Clinger 1990); the others are left to strtod().
 */
#include "base/real.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    double value = scale_by_tens(digits, exponent);
    *number = negative ? -value : value;
    return at == end;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) % 16 : -1;
}

/* Reads hexadecimal digits from *at on, as read_digits() does; returns how many of them count. */
static uint32_t read_hex_digits(const char **at, const char *end, uint64_t *digits, uint32_t *dropped)
{
    const char *from = *at;
    for (; *at < end && hex_digit(**at) >= 0; (*at)++) {
        if (*digits >> 60 == 0)
            *digits = *digits << 4 | (uint64_t)hex_digit(**at);
        else
            (*dropped)++;
    }
    return (uint32_t)(*at - from);
}

/* Reads digits[.digits][p[+-]digits] of base 16; the exponent is one of 2, in decimal digits. */
static bool parse_hex(const char *at, const char *end, double *number)
{
    uint64_t digits = 0, power = 0;
    uint32_t dropped = 0, none = 0, count = read_hex_digits(&at, end, &digits, &dropped);
    int64_t exponent = 4 * (int64_t)dropped;
    if (at < end && *at == '.') {
        at++;
        dropped = 0;
        uint32_t decimals = read_hex_digits(&at, end, &digits, &dropped);
        exponent -= 4 * ((int64_t)decimals - dropped);
        count += decimals;
    }
    if (at < end && (*at == 'p' || *at == 'P')) {
        at++;
        bool down = at < end && *at == '-';
        at += at < end && (*at == '-' || *at == '+');
        if (read_digits(&at, end, &power, &none) == 0)
            return false;
        int64_t bounded = power < 100000 ? (int64_t)power : 100000;
        exponent += down ? -bounded : bounded;
    }
    int bounded = exponent < -100000 ? -100000 : exponent > 100000 ? 100000 : (int)exponent;
    *number = ldexp((double)digits, bounded);
    return count > 0 && at == end;
}

bool parse_real(struct text text, double *number)
{
    uint32_t sign = text.length > 0 && (text.at[0] == '-' || text.at[0] == '+');
    if (text.length < sign + 3 || text.at[sign] != '0' || (text.at[sign + 1] != 'x' && text.at[sign + 1] != 'X'))
        return parse_number(text, number);
    bool ok = parse_hex(text.at + sign + 2, text.at + text.length, number);
    if (text.at[0] == '-')
        *number = -*number;
    return ok;
}
