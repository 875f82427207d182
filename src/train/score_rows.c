/* Stores score rows: see score_rows.h. Memory is 8 bytes for every number, and 13 more for each row. */
#include "train/score_rows.h"

#include <math.h>
#include <string.h>

/* Makes room for `n` rows in all. */
static bool make_room(struct score_rows *u, size_t n, struct vouch_error *err)
{
    return RESERVE(u->right, u->right_capacity, n + 1, err) && RESERVE(u->sentence, u->sentence_capacity, n + 1, err) &&
           RESERVE(u->extent, u->extent_capacity, n + 1, err) &&
           RESERVE(u->value, u->value_capacity, n * u->methods + 1, err) &&
           RESERVE(u->signal, u->signal_capacity, n * u->signals + 1, err) &&
           RESERVE(u->profile, u->profile_capacity, n * u->profile_width + 1, err) &&
           RESERVE(u->called, u->called_capacity, n * u->called_width + 1, err);
}

bool score_rows_add(struct score_rows *u, uint32_t sentence, bool right, double **value, double **signal,
                    struct vouch_error *err)
{
    if (!make_room(u, u->count + 1, err))
        return false;
    u->right[u->count] = right;
    u->sentence[u->count] = sentence;
    u->extent[u->count] = (struct extent){0, 0};
    *value = u->value + u->count * u->methods;
    *signal = u->signal + u->count * u->signals;
    u->count++;
    return true;
}

bool score_rows_join(struct score_rows *to, const struct score_rows *from, struct vouch_error *err)
{
    to->methods = from->methods;
    to->signals = from->signals;
    to->profile_width = from->profile_width;
    to->called_width = from->called_width;
    if (from->count == 0)
        return true;
    if (!make_room(to, to->count + from->count, err))
        return false;
    memcpy(to->right + to->count, from->right, sizeof *to->right * from->count);
    memcpy(to->sentence + to->count, from->sentence, sizeof *to->sentence * from->count);
    memcpy(to->extent + to->count, from->extent, sizeof *to->extent * from->count);
    memcpy(to->value + to->count * to->methods, from->value, sizeof *to->value * from->count * to->methods);
    memcpy(to->signal + to->count * to->signals, from->signal, sizeof *to->signal * from->count * to->signals);
    memcpy(to->profile + to->count * to->profile_width, from->profile,
           sizeof *to->profile * from->count * to->profile_width);
    memcpy(to->called + to->count * to->called_width, from->called,
           sizeof *to->called * from->count * to->called_width);
    to->count += from->count;
    return true;
}

struct judged *score_rows_column(const struct score_rows *u, const double *table, size_t width, size_t column,
                                 size_t *n, struct vouch_error *err)
{
    struct judged *judged = new_array(u->count + 1, sizeof *judged, err);
    *n = 0;
    for (size_t i = 0; judged && i < u->count; i++) {
        double number = table[i * width + column];
        if (!isnan(number))
            judged[(*n)++] = (struct judged){number, u->sentence[i], u->right[i]};
    }
    return judged;
}

void score_rows_release(struct score_rows *u)
{
    free(u->right);
    free(u->sentence);
    free(u->extent);
    free(u->value);
    free(u->signal);
    free(u->profile);
    free(u->called);
    *u = (struct score_rows){0};
}
