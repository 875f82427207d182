/*
 * Computes elementary functions by additions, products, quotients and roots, which IEEE 754 rounds correctly, in an
 * order that the source gives: see elementary.h. The compiler is told not to fuse them (-ffp-contract=off).
 *
 * exp(x): n is 64 x / log 2, rounded, n = 64 q + j with j of 0 to 63, and r = x - n (log 2) / 64, at most 0.0055:
 *
 *     exp(x) = 2^q 2^(j/64) exp(r),      exp(r) - 1 = r + r^2 (1/2! + r/3! + ... + r^4/6!)
 *
 * 2^(j/64) is a sum of two doubles, from a table. What the series leaves out is 2^-65 of the result; its rounding, and
 * that of r, add 2^-8 ulp or so to the half that the last sum has. For one n every step is non-decreasing in x.
 *
 * log(x): x = 2^k m with m of 0.707 to 1.414, of which j tells one of 64 parts. With d near 1/m, of ten bits, from a
 * table, so that the high bits of m times d are exact, and r = m d - 1, at most 0.009 in size:
 *
 *     log(x) = k log 2 - log(d) + log(1 + r),      log(1 + r) = r - r^2/2 + r^3/3 - ... + r^9/9
 *
 * log 2 and -log(d) are sums of two numbers, of which the sum T of the first is exact, and T + r is taken with what
 * its rounding leaves out. Around 1 d is 1, and T is 0. What the series leaves out is 2^-66 of r. log(1 + x) takes
 * r = x if it is small; else u is 1 + x, rounded, and what that leaves out, e, adds e / u, which is e d (1 - r).
 *
 * asinh(a) = log1p(a + a^2 / (1 + sqrt(1 + a^2))), for large a log(2 a + 1 / (a + sqrt(1 + a^2))).
 *
 * lgamma(x) is Stirling's series from 10 on, which ends within 2^-54 (Abramowitz and Stegun 1964, 6.1.41), and below
 * that lgamma(x + i) - log(x (x + 1) ... (x + i - 1)):
 *
 *     (x - 1/2) log x - x + log(2 pi) / 2 + 1 / (12 x) - 1 / (360 x^3) + 1 / (1260 x^5) - ...
 *
 * sin and cos: k is x / (pi/2), rounded, r = x - k pi/2 is at most pi/4, and the Taylor series of r are used, up to
 * r^17 and r^18.
 *
 * Tables and constants were computed with 80 digits. Cost: exp 20 operations, log 30 and a quotient; the functions of
 * core/exp_log.h are quicker for many numbers at once.
 */
#include "base/elementary.h"

#include "base/float_bits.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define STEP_HIGH 0x1.62e42fefp-7            /* the first 33 bits of log 2 / 64, */
#define STEP_LOW 0x1.473de6af278edp-40       /* and the others */
#define STEPS_IN_ONE 0x1.71547652b82fep6     /* 64 / log 2 */
#define LOG2_HIGH 0x1.62e42fefp-1            /* of log 2, likewise */
#define LOG2_LOW 0x1.473de6af278edp-34
#define QUARTER_HIGH 0x1.921fb544p0          /* of pi / 2, likewise */
#define QUARTER_LOW 0x1.0b4611a626331p-34
#define QUARTERS_IN_ONE 0x1.45f306dc9c883p-1 /* 2 / pi */
#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1
#define ROUNDING 0x1.8p52                    /* added to a double, rounds it to an integer */
#define ONE UINT64_C(0x3ff0000000000000)     /* the bits of 1, */
#define LEAST (ONE - (UINT64_C(75) << 45))   /* and of the least m: 1 lies in the middle of a part */
enum { MANTISSA = 52, BIAS = 1023, STEPS = 64 };

/* 2^(j/64), rounded, and what that left out. */
static const double power[STEPS][2] = {
    {0x1p0, 0}, {0x1.02c9a3e778061p0, -0x1.19083535b085dp-56},
    {0x1.059b0d3158574p0, 0x1.d73e2a475b465p-55}, {0x1.0874518759bc8p0, 0x1.186be4bb284ffp-57},
    {0x1.0b5586cf9890fp0, 0x1.8a62e4adc610bp-54}, {0x1.0e3ec32d3d1a2p0, 0x1.03a1727c57b53p-59},
    {0x1.11301d0125b51p0, -0x1.6c51039449b3ap-54}, {0x1.1429aaea92dep0, -0x1.32fbf9af1369ep-54},
    {0x1.172b83c7d517bp0, -0x1.19041b9d78a76p-55}, {0x1.1a35beb6fcb75p0, 0x1.e5b4c7b4968e4p-55},
    {0x1.1d4873168b9aap0, 0x1.e016e00a2643cp-54}, {0x1.2063b88628cd6p0, 0x1.dc775814a8495p-55},
    {0x1.2387a6e756238p0, 0x1.9b07eb6c70573p-54}, {0x1.26b4565e27cddp0, 0x1.2bd339940e9d9p-55},
    {0x1.29e9df51fdee1p0, 0x1.612e8afad1255p-55}, {0x1.2d285a6e4030bp0, 0x1.0024754db41d5p-54},
    {0x1.306fe0a31b715p0, 0x1.6f46ad23182e4p-55}, {0x1.33c08b26416ffp0, 0x1.32721843659a6p-54},
    {0x1.371a7373aa9cbp0, -0x1.63aeabf42eae2p-54}, {0x1.3a7db34e59ff7p0, -0x1.5e436d661f5e3p-56},
    {0x1.3dea64c123422p0, 0x1.ada0911f09ebcp-55}, {0x1.4160a21f72e2ap0, -0x1.ef3691c309278p-58},
    {0x1.44e086061892dp0, 0x1.89b7a04ef80dp-59}, {0x1.486a2b5c13cdp0, 0x1.3c1a3b69062fp-56},
    {0x1.4bfdad5362a27p0, 0x1.d4397afec42e2p-56}, {0x1.4f9b2769d2ca7p0, -0x1.4b309d25957e3p-54},
    {0x1.5342b569d4f82p0, -0x1.07abe1db13cadp-55}, {0x1.56f4736b527dap0, 0x1.9bb2c011d93adp-54},
    {0x1.5ab07dd485429p0, 0x1.6324c054647adp-54}, {0x1.5e76f15ad2148p0, 0x1.ba6f93080e65ep-54},
    {0x1.6247eb03a5585p0, -0x1.383c17e40b497p-54}, {0x1.6623882552225p0, -0x1.bb60987591c34p-54},
    {0x1.6a09e667f3bcdp0, -0x1.bdd3413b26456p-54}, {0x1.6dfb23c651a2fp0, -0x1.bbe3a683c88abp-57},
    {0x1.71f75e8ec5f74p0, -0x1.16e4786887a99p-55}, {0x1.75feb564267c9p0, -0x1.0245957316dd3p-54},
    {0x1.7a11473eb0187p0, -0x1.41577ee04992fp-55}, {0x1.7e2f336cf4e62p0, 0x1.05d02ba15797ep-56},
    {0x1.82589994cce13p0, -0x1.d4c1dd41532d8p-54}, {0x1.868d99b4492edp0, -0x1.fc6f89bd4f6bap-54},
    {0x1.8ace5422aa0dbp0, 0x1.6e9f156864b27p-54}, {0x1.8f1ae99157736p0, 0x1.5cc13a2e3976cp-55},
    {0x1.93737b0cdc5e5p0, -0x1.75fc781b57ebcp-57}, {0x1.97d829fde4e5p0, -0x1.d185b7c1b85d1p-54},
    {0x1.9c49182a3f09p0, 0x1.c7c46b071f2bep-56}, {0x1.a0c667b5de565p0, -0x1.359495d1cd533p-54},
    {0x1.a5503b23e255dp0, -0x1.d2f6edb8d41e1p-54}, {0x1.a9e6b5579fdbfp0, 0x1.0fac90ef7fd31p-54},
    {0x1.ae89f995ad3adp0, 0x1.7a1cd345dcc81p-54}, {0x1.b33a2b84f15fbp0, -0x1.2805e3084d708p-57},
    {0x1.b7f76f2fb5e47p0, -0x1.5584f7e54ac3bp-56}, {0x1.bcc1e904bc1d2p0, 0x1.23dd07a2d9e84p-55},
    {0x1.c199bdd85529cp0, 0x1.11065895048ddp-55}, {0x1.c67f12e57d14bp0, 0x1.2884dff483cadp-54},
    {0x1.cb720dcef9069p0, 0x1.503cbd1e949dbp-56}, {0x1.d072d4a07897cp0, -0x1.cbc3743797a9cp-54},
    {0x1.d5818dcfba487p0, 0x1.2ed02d75b3707p-55}, {0x1.da9e603db3285p0, 0x1.c2300696db532p-54},
    {0x1.dfc97337b9b5fp0, -0x1.1a5cd4f184b5cp-54}, {0x1.e502ee78b3ff6p0, 0x1.39e8980a9cc8fp-55},
    {0x1.ea4afa2a490dap0, -0x1.e9c23179c2893p-54}, {0x1.efa1bee615a27p0, 0x1.dc7f486a4b6bp-54},
    {0x1.f50765b6e454p0, 0x1.9d3e12dd8a18bp-54}, {0x1.fa7c1819e90d8p0, 0x1.74853f3a5931ep-55},
};

/* d of each part of the numbers around 1, and -log(d): a multiple of 2^-42, and the rest. */
static const double inverse[STEPS][3] = {
    {0x1.68p0, -0x1.5d1bdbf581p-2, 0x1.8d6bdc9c7c238p-44}, {0x1.64p0, -0x1.51aad872ep-2, 0x1.f4bd8db0a7cc1p-44},
    {0x1.608p0, -0x1.478cd5959bp-2, -0x1.ec89bf0c8d098p-45}, {0x1.5c8p0, -0x1.3bdd24eb15p-2, 0x1.257b4970e6ed9p-44},
    {0x1.59p0, -0x1.31871c9544p-2, -0x1.84fab94cecfd9p-46}, {0x1.558p0, -0x1.27161913f8p-2, -0x1.4f4f1f61564b4p-44},
    {0x1.52p0, -0x1.1c898c169ap-2, 0x1.81410e5c62affp-44}, {0x1.4e8p0, -0x1.11e0e2dadap-2, 0x1.a47f88fcce5bap-45},
    {0x1.4bp0, -0x1.071b85fcd6p-2, 0x1.bcb8ba3e01a11p-44}, {0x1.478p0, -0x1.f871b28956p-3, 0x1.f75fd6a526efep-44},
    {0x1.448p0, -0x1.e598ed5a88p-3, 0x1.d134bcf1e98a1p-47}, {0x1.418p0, -0x1.d293581b6cp-3, 0x1.83270128aaa5fp-44},
    {0x1.3ep0, -0x1.bc286742d8p-3, -0x1.9ac53f39d121cp-44}, {0x1.3bp0, -0x1.a8becfc882p-3, -0x1.e3185cf21b9cfp-44},
    {0x1.38p0, -0x1.9525a9cf46p-3, 0x1.297137d9f158fp-44}, {0x1.35p0, -0x1.815c0a1436p-3, 0x1.02a52f9201ce8p-44},
    {0x1.32p0, -0x1.6d60fe719ep-3, 0x1.bc6e557134767p-44}, {0x1.2f8p0, -0x1.5c94007598p-3, 0x1.a8d948cd23322p-44},
    {0x1.2c8p0, -0x1.483bccce6ep-3, -0x1.eea52723f6369p-46}, {0x1.2ap0, -0x1.371fc201e8p-3, -0x1.ee8779b2d8abcp-44},
    {0x1.27p0, -0x1.2266f190a6p-3, 0x1.4d20ab840e7f6p-45}, {0x1.248p0, -0x1.10f8e42254p-3, 0x1.93b3843396307p-45},
    {0x1.22p0, -0x1.fec9131dcp-4, 0x1.54555d1ae6607p-44}, {0x1.1f8p0, -0x1.db5270187cp-4, -0x1.9277856ae181fp-44},
    {0x1.1dp0, -0x1.b78c82bb1p-4, 0x1.25ef7bc3987e7p-44}, {0x1.1a8p0, -0x1.9375e55594p-4, -0x1.eddc37380c364p-44},
    {0x1.18p0, -0x1.6f0d28ae58p-4, 0x1.4b4641b664613p-44}, {0x1.158p0, -0x1.4a50d3aa1cp-4, 0x1.f7fe1308973e2p-45},
    {0x1.138p0, -0x1.2cb0283f5cp-4, -0x1.e1ee2ca657021p-44}, {0x1.11p0, -0x1.075983599p-4, 0x1.b8ecfe4b59987p-44},
    {0x1.0fp0, -0x1.d276b8adbp-5, -0x1.6a423c78a64bp-46}, {0x1.0c8p0, -0x1.868a83084p-5, 0x1.2623a134ac693p-46},
    {0x1.0a8p0, -0x1.494acc34d8p-5, -0x1.11c78a56fd247p-45}, {0x1.088p0, -0x1.0b94f7c198p-5, 0x1.e89896f022783p-45},
    {0x1.06p0, -0x1.7b91b07d6p-6, 0x1.3b955b602ace4p-44}, {0x1.04p0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1.02p0, -0x1.fe02a6b1p-8, -0x1.9e23f0dda40e4p-46}, {0x1p0, 0, 0},
    {0x1.f8p-1, 0x1.020565893p-6, 0x1.611d27c8e8417p-44}, {0x1.fp-1, 0x1.0415d89e78p-5, -0x1.dddc7f461c516p-44},
    {0x1.e9p-1, 0x1.788595a358p-5, -0x1.08b0d083b3a4cp-46}, {0x1.e2p-1, 0x1.eea31c0068p-5, 0x1.c3dd83606d891p-44},
    {0x1.dbp-1, 0x1.333d7f8184p-4, -0x1.692b6a81b8848p-49}, {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.cep-1, 0x1.a4e7640b1cp-4, -0x1.e42b6b94407c8p-47}, {0x1.c7p-1, 0x1.e3707ee304p-4, 0x1.0f684e6766abdp-45},
    {0x1.c1p-1, 0x1.0ce7ecdcccp-3, 0x1.4652dabff5447p-46}, {0x1.bbp-1, 0x1.28753bc11ap-3, 0x1.7494e359302e6p-44},
    {0x1.b5p-1, 0x1.4462b9dc9cp-3, -0x1.84858a711b062p-44}, {0x1.afp-1, 0x1.60b3100b0ap-3, -0x1.71456c988f814p-44},
    {0x1.aap-1, 0x1.7898d85444p-3, 0x1.8e67be3dbaf3fp-44}, {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.9fp-1, 0x1.ae2ca6f672p-3, 0x1.7a8d5ae54f55p-44}, {0x1.9ap-1, 0x1.c6ffbc6fp-3, 0x1.ee138d3a69d43p-44},
    {0x1.95p-1, 0x1.e020cc6236p-3, -0x1.52b00adb91424p-45}, {0x1.9p-1, 0x1.f991c6cb3cp-3, -0x1.90d04cd7cc834p-44},
    {0x1.8bp-1, 0x1.09aa572e6cp-2, 0x1.b50a1e1734342p-44}, {0x1.86p-1, 0x1.16b5ccbadp-2, -0x1.23299042d74bfp-44},
    {0x1.82p-1, 0x1.214456d0ecp-2, -0x1.caf0428b728a3p-44}, {0x1.7dp-1, 0x1.2e9e2bce12p-2, 0x1.4300c128d1dc2p-45},
    {0x1.79p-1, 0x1.396ce359bcp-2, -0x1.5839c5663663dp-47}, {0x1.74p-1, 0x1.4718dc271cp-2, 0x1.06c18fb4c14c5p-44},
    {0x1.7p-1, 0x1.522ae0738ap-2, 0x1.ebe708164c759p-45}, {0x1.6cp-1, 0x1.5d5bddf596p-2, -0x1.a0b2a08a465dcp-47},
};

/* Returns 2^q, for q of -1022 to 1023. */
static double two_to(int64_t q)
{
    return from_bits((uint64_t)(q + BIAS) << MANTISSA);
}

double exp_of(double x)
{
    if (!(x > -746))
        return x <= -746 ? 0 : x;
    if (x > 710)
        return INFINITY;
    double n = (x * STEPS_IN_ONE + ROUNDING) - ROUNDING;
    int64_t steps = (int64_t)n, j = steps & (STEPS - 1), q = (steps - j) / STEPS;
    double r = (x - n * STEP_HIGH) - n * STEP_LOW, square = r * r;
    double less = r + square * ((0.5 + r * (1 / 6.0)) + square * ((1 / 24.0 + r * (1 / 120.0)) + square * (1 / 720.0)));
    double result = power[j][0] + (power[j][1] + power[j][0] * less);
    if (q > -BIAS && q <= BIAS)
        return result * two_to(q);
    return result * two_to(q / 2) * two_to(q - q / 2); /* 2^q is no normal number, though the product may be one */
}

/* Returns high + low + log(1 + r), for a small r; high is 0 or larger than r, and low smaller by far. */
static double log_sum(double high, double low, double r)
{
    double z = r * r, z2 = z * z, sum = high + r, left = (high - sum) + r;
    double series = (-0.5 + r * (1 / 3.0)) + z * (-0.25 + r * 0.2) +
                    z2 * ((-1 / 6.0 + r * (1 / 7.0)) + z * (-0.125 + r * (1 / 9.0)));
    return sum + (left + (low + z * series));
}

/* Returns log(x + rest), for finite x > 0 and a rest below its last place. */
static double log_positive(double x, double rest)
{
    bool subnormal = x < 0x1p-1022;
    uint64_t shifted = bits_of(subnormal ? x * 0x1p54 : x) + (ONE - LEAST);
    uint64_t m = (shifted & ((UINT64_C(1) << MANTISSA) - 1)) + LEAST;
    int64_t exponent = (int64_t)(shifted >> MANTISSA) - BIAS;
    const double *part = inverse[shifted >> (MANTISSA - 6) & (STEPS - 1)];
    double first = from_bits(m & ~UINT64_C(0x3ff)), others = from_bits(m) - first;
    double r = (first * part[0] - 1) + others * part[0], more = rest * two_to(-exponent) * part[0];
    double k = (double)(exponent - (subnormal ? 54 : 0));
    return log_sum(k * LOG2_HIGH + part[1], k * LOG2_LOW + part[2] + (more - more * r), r);
}

double log_of(double x)
{
    if (x > 0 && x < INFINITY)
        return log_positive(x, 0);
    return x == 0 ? -INFINITY : x < 0 ? NAN : x;
}

double log1p_of(double x)
{
    if (x > -0x1p-8 && x < 0x1p-7)
        return x == 0 ? x : log_sum(0, 0, x);
    if (!(x > -1 && x < INFINITY))
        return x == -1 ? -INFINITY : x < -1 ? NAN : x;
    double u = 1 + x, rest = x < 1 ? x - (u - 1) : 1 - (u - x);
    return log_positive(u, rest);
}

double asinh_of(double x)
{
    double a = fabs(x), size;
    if (a < 2)
        size = log1p_of(a + a * a / (1 + sqrt(1 + a * a)));
    else if (a < 0x1p28)
        size = log_of(2 * a + 1 / (a + sqrt(1 + a * a)));
    else
        size = log_of(a) + (LOG2_HIGH + LOG2_LOW);
    return copysign(size, x);
}

/* Returns lgamma(x) for x >= 10. */
static double stirling(double x)
{
    double y = 1 / x, z = y * y, sum = 1 / 156.0;
    sum = sum * z - 691 / 360360.0;
    sum = sum * z + 1 / 1188.0;
    sum = sum * z - 1 / 1680.0;
    sum = sum * z + 1 / 1260.0;
    sum = sum * z - 1 / 360.0;
    sum = sum * z + 1 / 12.0;
    return (x - 0.5) * (log_of(x) - 1) + (HALF_LOG_2PI - 0.5 + sum * y);
}

double lgamma_of(double x)
{
    if (!(x > 0 && x < INFINITY))
        return x > 0 ? x : NAN;
    double product = 1;
    for (; x < 10; x++)
        product *= x;
    return product == 1 ? stirling(x) : stirling(x) - log_of(product);
}

/* Returns the sine of r, at most pi/4 in size. */
static double sine(double r)
{
    double z = r * r, sum = 1 / 355687428096000.0;
    sum = sum * z - 1 / 1307674368000.0;
    sum = sum * z + 1 / 6227020800.0;
    sum = sum * z - 1 / 39916800.0;
    sum = sum * z + 1 / 362880.0;
    sum = sum * z - 1 / 5040.0;
    sum = sum * z + 1 / 120.0;
    sum = sum * z - 1 / 6.0;
    return r + r * (z * sum);
}

/* Returns its cosine: 1 - z/2 is rounded, and what that left out is added to the rest of the series. */
static double cosine(double r)
{
    double z = r * r, half = 0.5 * z, near = 1 - half, sum = -1 / 6402373705728000.0;
    sum = sum * z + 1 / 20922789888000.0;
    sum = sum * z - 1 / 87178291200.0;
    sum = sum * z + 1 / 479001600.0;
    sum = sum * z - 1 / 3628800.0;
    sum = sum * z + 1 / 40320.0;
    sum = sum * z - 1 / 720.0;
    sum = sum * z + 1 / 24.0;
    return near + ((1 - near - half) + z * z * sum);
}

/* Returns the sine of x + quarters pi/2. */
static double turned(double x, int64_t quarters)
{
    if (!(fabs(x) <= 7))
        return NAN;
    double k = (x * QUARTERS_IN_ONE + ROUNDING) - ROUNDING, r = (x - k * QUARTER_HIGH) - k * QUARTER_LOW;
    switch (((int64_t)k + quarters) & 3) {
    case 0:
        return sine(r);
    case 1:
        return cosine(r);
    case 2:
        return -sine(r);
    default:
        return -cosine(r);
    }
}

double sin_of(double x)
{
    return turned(x, 0);
}

double cos_of(double x)
{
    return turned(x, 1);
}

double ten_to(int n)
{
    double ten = 10, result = 1;
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left > 0; left /= 2, ten *= ten)
        if (left & 1)
            result *= ten; /* exact as long as it is at most 10^22 */
    return n < 0 ? 1 / result : result;
}
