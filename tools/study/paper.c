/*
 * Holds the published numbers: see paper.h.
 *
 * A table is a list of rows of as many numbers as it has columns. A look-up searches all of them, which costs nothing
 * beside the measurement that it is compared with.
 */
#include "study/paper.h"

#include <math.h>
#include <stddef.h>
#include <strings.h>

enum { MOST_COLUMNS = 7 };

struct paper_row {
    const char *name; /* NULL: the last */
    double value[MOST_COLUMNS];
};

struct paper_table {
    unsigned number;
    const char *column[MOST_COLUMNS];
    const struct paper_row *row;
};

#define ROWS(...) ((const struct paper_row[]){__VA_ARGS__, {0}})

/* clang-format off */
static const struct paper_table tables[] = {
    {2, {"sentences", "words", "features"},
     ROWS({"NP chunking", {11000, 259000, 1.35e6}}, {"NER English", {17500, 250000, 1.76e6}},
           {"NER Spanish", {10200, 317600, 1.85e6}}, {"NER Dutch", {21000, 271500, 1.76e6}})},
    {3, {"sentences", "words", "features"},
     ROWS({"Arabic", {1500, 54300, 1.03e6}}, {"Bulgarian", {12800, 190200, 2.64e6}},
           {"Chinese", {56000, 337100, 4.92e6}}, {"Czech", {72700, 1249e3, 12.69e6}},
           {"Danish", {5200, 94300, 1.22e6}}, {"Dutch", {13300, 195000, 2.36e6}}, {"English", {39800, 950000, 7e6}},
           {"German", {39200, 699600, 6.99e6}}, {"Japanese", {17400, 151400, 0.85e6}},
           {"Portuguese", {9000, 206600, 2.5e6}}, {"Slovene", {1500, 28700, 0.55e6}},
           {"Spanish", {3300, 89300, 1.4e6}}, {"Swedish", {11000, 191400, 2.5e6}},
           {"Turkish", {5000, 57500, 1.1e6}})},
    {4, {"cw", "pa", "perceptron"},
     ROWS({"NP chunking", {0.947, 0.946, 0.944}}, {"NER English", {0.877, 0.870, 0.862}},
           {"NER Dutch", {0.787, 0.784, 0.761}}, {"NER Spanish", {0.774, 0.773, 0.756}})},
    {5, {"cw", "pa", "cw complete", "pa complete"},
     ROWS({"Arabic", {0.777, 0.772, 0.110, 0.123}}, {"Bulgarian", {0.899, 0.898, 0.410, 0.397}},
           {"Chinese", {0.901, 0.900, 0.739, 0.737}}, {"Czech", {0.845, 0.844, 0.340, 0.323}},
           {"Danish", {0.878, 0.871, 0.326, 0.304}}, {"Dutch", {0.830, 0.831, 0.282, 0.282}},
           {"English", {0.888, 0.889, 0.292, 0.287}}, {"German", {0.886, 0.888, 0.412, 0.409}},
           {"Japanese", {0.936, 0.940, 0.769, 0.779}}, {"Portuguese", {0.863, 0.863, 0.302, 0.302}},
           {"Slovene", {0.782, 0.777, 0.266, 0.256}}, {"Spanish", {0.820, 0.813, 0.189, 0.180}},
           {"Swedish", {0.865, 0.866, 0.404, 0.391}}, {"Turkish", {0.781, 0.776, 0.281, 0.276}},
           {"average", {0.854, 0.852, 0.366, 0.360}})},
    {6, {"kd-fix", "delta", "random"},
     ROWS({"1", {0.20, 0.17, 0.009}}, {"5", {0.70, 0.61, 0.05}}, {"10", {0.86, 0.79, 0.099}})},
    {7, {"kd-fix", "kd-pc", "delta", "wkb", "kb", "kd-fix+delta", "random"},
     ROWS({"Arabic", {0.621, 0.623, 0.565, 0.373, 0.366, 0.622, 0.223}},
           {"Bulgarian", {0.491, 0.466, 0.463, 0.257, 0.238, 0.494, 0.102}},
           {"Chinese", {0.465, 0.466, 0.452, 0.190, 0.150, 0.473, 0.102}},
           {"Czech", {0.539, 0.548, 0.506, 0.301, 0.290, 0.555, 0.152}},
           {"Danish", {0.502, 0.497, 0.460, 0.303, 0.280, 0.499, 0.124}},
           {"Dutch", {0.534, 0.536, 0.527, 0.370, 0.358, 0.544, 0.167}},
           {"English", {0.489, 0.459, 0.477, 0.291, 0.278, 0.496, 0.112}},
           {"German", {0.426, 0.418, 0.469, 0.254, 0.232, 0.472, 0.114}},
           {"Japanese", {0.512, 0.525, 0.535, 0.235, 0.151, 0.541, 0.064}},
           {"Portuguese", {0.586, 0.570, 0.559, 0.323, 0.311, 0.606, 0.143}},
           {"Slovene", {0.561, 0.573, 0.555, 0.345, 0.332, 0.581, 0.218}},
           {"Spanish", {0.637, 0.634, 0.592, 0.351, 0.342, 0.644, 0.184}},
           {"Swedish", {0.528, 0.533, 0.496, 0.289, 0.273, 0.527, 0.137}},
           {"Turkish", {0.603, 0.590, 0.589, 0.372, 0.342, 0.609, 0.221}},
           {"average", {0.535, 0.531, 0.518, 0.304, 0.282, 0.547, 0.147}})},
    {8, {"kd-fix", "kd-pc", "delta", "wkb", "kb", "kd-fix+delta", "random"},
     ROWS({"average precision", {0.535, 0.531, 0.518, 0.304, 0.282, 0.547, 0.147}},
           {"precision at 10", {0.729, 0.723, 0.644, 0.470, 0.441, 0.724, 0.145}},
           {"precision at 90", {0.270, 0.279, 0.351, 0.157, 0.151, 0.348, 0.147}},
           {"average precision pa", {0.539, NAN, 0.513, 0.305, 0.278, 0.548, 0.149}})},
    {9, {"kd-fix", "kd-pc", "gamma", "wkb", "random"},
     ROWS({"NER English", {0.036, 0.021, 0.053, 0.108, 0.548}}, {"NER Dutch", {0.049, 0.024, 0.046, 0.104, 0.559}},
           {"NER Spanish", {0.034, 0.030, 0.049, 0.046, 0.543}},
           {"NP Chunking", {0.022, 0.020, 0.019, 0.056, 0.557}}, {"average", {0.035, 0.024, 0.042, 0.078, 0.552}})},
    {10, {"kd-fix", "kd-pc", "wkb", "random"},
     ROWS({"Arabic", {0.076, 0.057, 0.175, 0.402}}, {"Bulgarian", {0.037, 0.223, 0.093, 0.492}},
           {"Chinese", {0.044, 0.024, 0.223, 0.497}}, {"Czech", {0.087, 0.024, 0.109, 0.451}},
           {"Danish", {0.119, 0.095, 0.068, 0.476}}, {"Dutch", {0.098, 0.105, 0.094, 0.441}},
           {"English", {0.041, 0.144, 0.059, 0.483}}, {"German", {0.090, 0.094, 0.102, 0.481}},
           {"Japanese", {0.064, 0.039, 0.122, 0.524}}, {"Portuguese", {0.099, 0.107, 0.085, 0.465}},
           {"Slovene", {0.156, 0.137, 0.151, 0.404}}, {"Spanish", {0.083, 0.028, 0.123, 0.429}},
           {"Swedish", {0.023, 0.031, 0.114, 0.465}}, {"Turkish", {0.105, 0.142, 0.127, 0.404}},
           {"average", {0.080, 0.089, 0.117, 0.458}})},
    {11, {"kd-fix", "kd-pc", "gamma", "wkb", "random"},
     ROWS({"sequences cw", {0.035, 0.024, 0.042, 0.078, 0.552}},
           {"sequences pa", {0.031, NAN, 0.039, 0.080, 0.543}}, {"trees cw", {0.080, 0.089, NAN, 0.117, 0.458}},
           {"trees pa", {0.068, NAN, NAN, 0.122, 0.456}})},
    {12, {"random", "kd-fix", "saved"},
     ROWS({"NER English", {38000, 25000, 0.34}}, {"NER Spanish", {80000, 60000, 0.25}},
           {"NER Dutch", {35000, 23000, 0.34}}, {"NP chunking", {62000, 43000, 0.3}})},
    {PAPER_TEXT, {"cw", "pa"},
     ROWS({"trees after one pass", {0.821, 0.812}})},
    {PAPER_TEXT, {"f1", "traded precision", "traded recall", "merged f1"},
     ROWS({"NER English", {0.83, 0.90, 0.77, 0.94}}, {"NER Spanish", {0.72, NAN, NAN, 0.93}},
           {"NER Dutch", {0.77, NAN, NAN, 0.94}})},
    {PAPER_TEXT, {"most precision kd-fix", "most precision gamma", "recall gained", "precision lost",
                  "merged traded recall", "merged traded precision", "most recall kd-fix"},
     ROWS({"NER English", {0.95, NAN, 0.02, 0.2, 0.97, 0.92, 0.98}},
           {"NER Spanish", {0.92, 0.87, 0.02, 0.2, NAN, NAN, NAN}},
           {"NER Dutch", {0.99, 0.95, 0.02, 0.2, NAN, NAN, NAN}})},
    {PAPER_TEXT, {"outside wrongly", "outside rightly"},
     ROWS({"NER English", {0.6, 0.99}}, {"NER Spanish", {0.4, 0.98}}, {"NER Dutch", {0.3, 0.92}})},
};
/* clang-format on */
enum { TABLES = sizeof tables / sizeof *tables };

double paper_number(unsigned table, const char *row, const char *column)
{
    double number = NAN;
    for (const struct paper_table *t = tables; isnan(number) && t < tables + TABLES; t++)
        for (const struct paper_row *r = t->row; t->number == table && r->name; r++)
            for (size_t j = 0; strcasecmp(r->name, row) == 0 && j < MOST_COLUMNS && t->column[j]; j++)
                if (strcasecmp(t->column[j], column) == 0)
                    number = r->value[j];
    return number;
}

const char *paper_row(unsigned table, size_t i)
{
    for (const struct paper_table *t = tables; t < tables + TABLES; t++)
        for (const struct paper_row *r = t->row; t->number == table && r->name; r++)
            if (i-- == 0)
                return r->name;
    return NULL;
}
