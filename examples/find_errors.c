/*
 * Finds what is probably mislabelled in a corpus, by models learned from the corpus itself:
 *
 *     find_errors TASK NUMBER CORPUS [DECIDED]
 *
 * DECIDED is a table of decisions. If they are about what `vouch review --audit` drew, they tell how many errors there
 * are.
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
    printf("%llu of %llu\n", (unsigned long long)totals.listed, (unsigned long long)totals.judged);
    if (totals.audited > 0)
        printf("errors: %.0f to %.0f\n", totals.errors_least, totals.errors_most);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s TASK NUMBER CORPUS [DECIDED]\n", argv[0]);
        return 2;
    }
    struct vouch_error err = {0};
    const char *const *files = (const char *const *)(argv + 3);
    vouch_options *options = vouch_options_new("review", &err);
    vouch_suspects *suspects = NULL;
    if (options && vouch_options_set(options, "task", argv[1], &err) == VOUCH_OK &&
        vouch_options_set(options, "inspect", argv[2], &err) == VOUCH_OK &&
        (argc < 5 || vouch_options_set(options, "decided", argv[4], &err) == VOUCH_OK))
        suspects = vouch_review(NULL, options, files, 1, NULL, &err);
    int ok = suspects && print(suspects, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.message);
    vouch_suspects_free(suspects);
    vouch_options_free(options);
    return ok ? 0 : 1;
}
