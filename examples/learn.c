/*
 * Learns a model from labelled files, shows its progress, and writes the model:
 *
 *     learn TASK MODEL FILE...
 */
#include <stdio.h>
#include <vouch.h>

/* Prints lines that are worth keeping; all other events are progress. */
static void tell(void *context, const struct vouch_event *event)
{
    (void)context;
    if (event->text)
        fprintf(stderr, "%s\n", event->text);
}

/* Never stops. A real program would look at a flag here, which a signal or a button sets. */
static int stop(void *context)
{
    (void)context;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s TASK MODEL FILE...\n", argv[0]);
        return 2;
    }
    struct vouch_watch watch = {.size = sizeof watch, .tell = tell, .stop = stop};
    struct vouch_error err = {0};
    const char *const *files = (const char *const *)(argv + 3);
    vouch_options *options = vouch_options_new("train", &err);
    vouch_model *model = NULL;

    /* Options have the names that they have on the command line. */
    if (options && vouch_options_set(options, "task", argv[1], &err) == VOUCH_OK &&
        vouch_options_set(options, "algorithm", "cw+crf", &err) == VOUCH_OK &&
        vouch_options_set(options, "passes", "5", &err) == VOUCH_OK)
        model = vouch_train(options, files, (size_t)argc - 3, &watch, &err);
    vouch_options_free(options);

    int status = model && vouch_model_save(model, argv[2], &err) == VOUCH_OK ? 0 : 1;
    if (status == 0)
        printf("%s: %zu labels\n", argv[2], vouch_model_label_count(model));
    else
        fprintf(stderr, "%s\n", err.message);
    vouch_model_close(model);
    return status;
}
