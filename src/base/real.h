/*
 * Reads numbers of text, all of it, with a full stop in every locale. They are the nearest doubles to what is written,
 * as far as its first 19 digits.
 */
#ifndef VOUCH_BASE_REAL_H
#define VOUCH_BASE_REAL_H

#include "base/text.h"

#include <stdbool.h>

/* Reads [+-]digits[.digits][e[+-]digits]; not "inf". What is too large for a double becomes infinite. */
bool parse_number(struct text text, double *number);

/* Reads the same, or a number of base 16 as printf("%a") writes it: [+-]0xdigits[.digits][p[+-]digits]. */
bool parse_real(struct text text, double *number);

#endif
