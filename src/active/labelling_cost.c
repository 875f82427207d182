/* Computes how long labelling takes: see labelling_cost.h. */
#include "active/labelling_cost.h"

#include <math.h>
#include <stdlib.h>

/* Reads the next number of a list, which ends with `end`; moves `at` behind it. */
static bool take_number(const char **at, char end, double *number)
{
    char *behind;
    *number = strtod(*at, &behind);
    if (behind == *at || *behind != end || !isfinite(*number) || *number < 0)
        return false;
    *at = behind + 1;
    return true;
}

bool labelling_cost_parse(struct labelling_cost *cost, const char *text, struct vouch_error *err)
{
    const char *at = text;
    return (take_number(&at, ',', &cost->sentence) && take_number(&at, ',', &cost->word) &&
            take_number(&at, '\0', &cost->change)) ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "--cost: expected seconds for a sentence, a word and a change, such as 13,3.8,5.4, found '%.60s'",
                text);
}

double labelling_seconds(const struct labelling_cost *cost, const struct labelling *labelling)
{
    return cost->sentence * labelling->sentences + cost->word * labelling->words + cost->change * labelling->changes;
}
