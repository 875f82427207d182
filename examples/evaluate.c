/*
 * Measures a model on a labelled file: how often it is right, and how far its confidence can be trusted.
 *
 *     evaluate MODEL FILE
 */
#include <stdio.h>
#include <vouch.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL FILE\n", argv[0]);
        return 2;
    }
    struct vouch_error err = {0};
    struct vouch_evaluation found = {.size = sizeof found};
    const char *files[] = {argv[2]};
    vouch_model *model = vouch_model_open(argv[1], &err);
    vouch_options *options = vouch_options_new("eval", &err);

    /* Intervals are left out: they cost two hundred times the measuring. */
    int ok = model && options && vouch_options_set(options, "resamples", "0", &err) == VOUCH_OK &&
             vouch_evaluate(model, options, files, 1, NULL, &found, NULL, &err) == VOUCH_OK;
    if (ok) {
        printf("%llu sentences, %llu words, %.2f %% right\n", (unsigned long long)found.sentences,
               (unsigned long long)found.words, found.accuracy);
        if (found.f1 == found.f1) /* not NAN: the labels spell chunks */
            printf("precision %.2f, recall %.2f, F1 %.2f\n", found.precision, found.recall, found.f1);
        printf("confidence: average precision %.3f, area under risk-coverage %.4f, calibration error %.4f\n",
               found.average_precision, found.risk_coverage, found.calibration_error);
    } else
        fprintf(stderr, "%s\n", err.message);
    vouch_options_free(options);
    vouch_model_close(model);
    return ok ? 0 : 1;
}
