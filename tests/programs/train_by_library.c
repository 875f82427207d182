/*
 * Trains, tunes, evaluates, cross-validates, trades and reviews through vouch.h alone, for tests/same_models to compare
 * with what the program writes:
 *
 *     train_by_library train OUT NAME=VALUE ... -- FILE...
 *     train_by_library tune OUT MODEL NAME=VALUE ... -- FILE...
 *     train_by_library eval [MODEL.vouch] NAME=VALUE ... -- FILE...      (prints; without a model, of folds)
 *     train_by_library trade OUT MODEL NAME=VALUE ... -- FILE...         (prints, too)
 *     train_by_library review [MODEL.vouch] NAME=VALUE ... -- FILE...    (prints the program's table)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vouch.h>

static struct vouch_error err;

static void must(int condition)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", err.message);
    exit(1);
}

/* Sets options up to "--"; returns where the files begin. */
static char **set_options(vouch_options *options, char **argument)
{
    for (; *argument && strcmp(*argument, "--") != 0; argument++) {
        char *value = strchr(*argument, '=');
        *value = '\0';
        must(vouch_options_set(options, *argument, value + 1, &err) == VOUCH_OK);
    }
    return *argument ? argument + 1 : argument;
}

/* Checks that every event is complete. */
static void tell(void *context, const struct vouch_event *event)
{
    size_t *lines = context;
    if (event->size != sizeof *event || !event->what || !event->note || (event->of && event->done > event->of))
        abort();
    *lines += event->text != NULL;
}

static void print_number(double number)
{
    printf(isnan(number) ? "\t" : "\t%.4g", number);
}

/* Prints the table of vouch review. */
static void print_suspects(const vouch_suspects *suspects, int trees)
{
    struct vouch_suspect s = {.size = sizeof s};
    printf("rank\tfile\tline\tword\twords\ttext\tgiven\tproposed\tdecision\terror\tconfidence\tmargin\tvotes\t"
           "learned\tlayer\twhy\tcontext%s\n",
           trees ? "\talso" : "");
    for (size_t i = 0; i < vouch_suspects_count(suspects); i++) {
        must(vouch_suspects_get(suspects, i, &s, &err) == VOUCH_OK);
        printf("%zu\t%s\t%llu\t%zu\t%zu\t%s\t%s\t%s\t", i + 1, s.file, (unsigned long long)s.line, s.word + 1, s.words,
               s.text, s.given, s.proposed);
        print_number(s.error);
        print_number(s.confidence);
        print_number(s.margin);
        print_number(s.votes);
        print_number(s.learned);
        printf("\t%s\t%s\t%s", s.layer, s.why, s.context);
        printf(trees ? "\t%s\n" : "\n", s.also);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    size_t lines = 0;
    struct vouch_watch watch = {.size = sizeof watch, .context = &lines, .tell = tell};
    vouch_options *options = vouch_options_new(argv[1], &err);
    must(options != NULL);
    if (strcmp(argv[1], "eval") == 0) {
        vouch_model *model = strstr(argv[2], ".vouch") ? vouch_model_open(argv[2], &err) : NULL;
        const char *const *files = (const char *const *)set_options(options, argv + 2 + (model != NULL));
        size_t count = (size_t)((const char *const *)(argv + argc) - files);
        char *json;
        must((model ? vouch_evaluate(model, options, files, count, &watch, NULL, &json, &err)
                    : vouch_cross_validate(options, files, count, &watch, &json, &err)) == VOUCH_OK);
        puts(json);
        vouch_free(json);
        vouch_model_close(model);
    } else if (strcmp(argv[1], "trade") == 0) {
        vouch_model *model = vouch_model_open(argv[3], &err), *chosen = NULL;
        const char *const *files = (const char *const *)set_options(options, argv + 4);
        size_t count = (size_t)((const char *const *)(argv + argc) - files);
        char *json;
        must(vouch_trade(model, options, files, count, &watch, &chosen, &json, &err) == VOUCH_OK);
        puts(json);
        must(vouch_model_save(chosen, argv[2], &err) == VOUCH_OK);
        vouch_free(json);
        vouch_model_close(chosen);
        vouch_model_close(model);
    } else if (strcmp(argv[1], "review") == 0) {
        vouch_model *model = strstr(argv[2], ".vouch") ? vouch_model_open(argv[2], &err) : NULL;
        const char *const *files = (const char *const *)set_options(options, argv + 2 + (model != NULL));
        size_t count = (size_t)((const char *const *)(argv + argc) - files);
        vouch_suspects *suspects = vouch_review(model, options, files, count, &watch, &err);
        must(suspects != NULL && lines > 0);
        print_suspects(suspects, strstr(files[0], ".conllu") != NULL);
        vouch_suspects_free(suspects);
        vouch_model_close(model);
    } else {
        int tune = strcmp(argv[1], "tune") == 0;
        const char *const *files = (const char *const *)set_options(options, argv + 3 + tune);
        size_t count = (size_t)((const char *const *)(argv + argc) - files);
        vouch_model *old = tune ? vouch_model_open(argv[3], &err) : NULL;
        must(!tune || old != NULL);
        vouch_model *model = tune ? vouch_tune(old, options, files, count, &watch, &err)
                                  : vouch_train(options, files, count, &watch, &err);
        must(model != NULL && lines > 0);
        must(vouch_model_verify(model, &err) == VOUCH_OK);
        must(vouch_model_save(model, argv[2], &err) == VOUCH_OK);
        vouch_model_close(model);
        vouch_model_close(old);
    }
    vouch_options_free(options);
    return 0;
}
