/*
 * Chooses the sentences of a file that a model is least sure of, to be labelled next:
 *
 *     next MODEL POOL NUMBER [LABELLED...]
 */
#include <stdio.h>
#include <vouch.h>

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s MODEL POOL NUMBER [LABELLED...]\n", argv[0]);
        return 2;
    }
    struct vouch_error err = {0};
    const char *const *labelled = (const char *const *)(argv + 4);
    char *text = NULL;
    size_t chosen = 0;
    vouch_model *model = vouch_model_open(argv[1], &err);
    vouch_options *options = vouch_options_new("active", &err);

    /* "predict": the sentences come with the model's labels, which are quicker to correct than to give. */
    int ok =
        model && options && vouch_options_set(options, "number", argv[3], &err) == VOUCH_OK &&
        vouch_options_set(options, "predict", "true", &err) == VOUCH_OK &&
        vouch_choose_next(model, options, argv[2], labelled, (size_t)argc - 4, NULL, &chosen, &text, &err) == VOUCH_OK;
    if (ok) {
        fputs(text, stdout);
        fprintf(stderr, "chose %zu sentences\n", chosen);
    } else
        fprintf(stderr, "%s\n", err.message);
    vouch_free(text);
    vouch_options_free(options);
    vouch_model_close(model);
    return ok ? 0 : 1;
}
