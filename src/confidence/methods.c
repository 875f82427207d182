/* Lists the methods: see method.h. */
#include "confidence/method.h"

#include <string.h>

const struct method *const methods[] = {
    &delta_method,        &gamma_method,       &kb_method,    &wkb_method,         &kd_fix_method, &kd_pc_method,
    &kd_fix_delta_method, &kd_pc_delta_method, &votes_method, &votes_delta_method, &random_method, NULL,
};

const struct method *method_find(const char *name, size_t length)
{
    for (size_t i = 0; methods[i]; i++)
        if (strlen(methods[i]->name) == length && memcmp(methods[i]->name, name, length) == 0)
            return methods[i];
    return NULL;
}

double smallest(const double *confidence, uint32_t from, uint32_t to)
{
    double least = from < to ? confidence[from] : 1;
    for (uint32_t n = from; n < to; n++)
        least = confidence[n] < least ? confidence[n] : least;
    return least;
}
