/*
 * Repeats audits of a list whose errors are known, to see how often their intervals hold:
 *
 *     bench_audits DECISIONS REPEATS <LIST
 *
 * LIST has a line for each item, most suspect first: the probability that it is wrong by `vouch review`, and 1 if it is
 * wrong in truth, else 0. Each audit is drawn with another seed, by the code of the program, and decided by the truth.
 * Prints how many intervals hold, half their mean width, the means of both ends and of the estimate, and the truth.
 */
#include "review/review.h"

#include <stdio.h>

struct item {
    double error;
    int wrong;
};

static struct error_count audit_once(const struct item *item, const struct audit *plan, uint64_t seed,
                                     unsigned char *stratum)
{
    struct audit audit = *plan;
    audit_draw(&audit, seed, 0, stratum);
    for (uint64_t i = 0; i < audit.items; i++)
        if (stratum[i]) {
            struct audit_stratum *of = &audit.stratum[stratum[i] - 1];
            (*(item[i].wrong ? &of->wrong : &of->right))++;
        }
    return audit_count(&audit);
}

int main(int argc, char **argv)
{
    struct item *item = NULL, next;
    size_t count = 0, capacity = 0;
    double expected = 0, wrong = 0, least = 0, most = 0, estimate = 0;
    struct vouch_error err;
    if (argc != 3)
        return 2;
    uint64_t decisions = strtoull(argv[1], NULL, 10), repeats = strtoull(argv[2], NULL, 10), holds = 0;
    while (scanf("%lf %d", &next.error, &next.wrong) == 2) {
        if (!RESERVE(item, capacity, count + 1, &err))
            return 1;
        item[count++] = next;
        expected += next.error;
        wrong += next.wrong;
    }
    unsigned char *stratum = new_array(count + 1, sizeof *stratum, &err);
    if (!stratum)
        return 1;
    struct audit plan = audit_plan(count, expected, decisions);
    for (uint64_t seed = 1; seed <= repeats; seed++) {
        struct error_count c = audit_once(item, &plan, seed, stratum);
        holds += c.least <= wrong && wrong <= c.most;
        least += c.least / (double)repeats;
        most += c.most / (double)repeats;
        estimate += c.count / (double)repeats;
    }
    printf("%llu %.1f %.1f %.1f %.1f %.0f\n", (unsigned long long)holds, (most - least) / 2, least, most, estimate,
           wrong);
    free(stratum);
    free(item);
    return 0;
}
