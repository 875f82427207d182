/*
 * Finds what is probably mislabelled in a corpus, by models learned from the corpus itself:
 *
 *     find_errors TASK NUMBER CORPUS...
 */
#include <stdio.h>
#include <vouch.h>

static int print(const vouch_suspects *suspects, struct vouch_error *err)
{
    struct vouch_suspect found = {.size = sizeof found};
    struct vouch_review_totals totals = {.size = sizeof totals};
    for (size_t i = 0; i < vouch_suspects_count(suspects); i++) {
        if (vouch_suspects_get(suspects, i, &found, err) != VOUCH_OK)
            return 0;
        printf("%s:%llu\t%s\t%s -> %s\t%.4g\t%s\n", found.file, (unsigned long long)found.line, found.text, found.given,
               found.proposed, found.error, found.why);
    }
    if (vouch_suspects_totals(suspects, &totals, err) != VOUCH_OK)
        return 0;
    printf("%llu of %llu; errors expected: %.0f among them, %.0f in all\n", (unsigned long long)totals.listed,
           (unsigned long long)totals.judged, totals.among, totals.all);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s TASK NUMBER CORPUS...\n", argv[0]);
        return 2;
    }
    struct vouch_error err = {0};
    const char *const *files = (const char *const *)(argv + 3);
    vouch_options *options = vouch_options_new("review", &err);
    vouch_suspects *suspects = NULL;
    if (options && vouch_options_set(options, "task", argv[1], &err) == VOUCH_OK &&
        vouch_options_set(options, "inspect", argv[2], &err) == VOUCH_OK)
        suspects = vouch_review(NULL, options, files, (size_t)argc - 3, NULL, &err);
    int ok = suspects && print(suspects, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    vouch_suspects_free(suspects);
    vouch_options_free(options);
    return ok ? 0 : 1;
}
