/* Runs vouch eval -m: a model answers the files, and the answers are compared with their gold. */
#include "cli/eval_output.h"
#include "cli/teller.h"

#include "options/reading_options.h"
#include "scores/score_files.h"

static void begin_file(void *context, const char *path)
{
    struct eval_output *output = context;
    output->words.file = output->settings->arguments > 1 ? path : NULL;
}

int eval_model(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct teller teller = {0};
    struct vouch_watch watch = teller_watch(&teller, settings);
    struct eval_output output = {.command = command, .settings = settings, .name = settings->model};
    struct evaluation e = {.look = settings->report ? eval_output_look : NULL, .context = &output};
    struct evaluation_plan plan = {.settings = settings, .watch = &watch, .begin = begin_file};
    struct reader_options reading;
    if (!reading_options(settings, &reading, &err))
        return misused(command, &err);
    vouch_model *model = eval_output_possible(settings, &err) ? vouch_model_open(settings->model, &err) : NULL;
    bool ok = model && score_files_bind(model, settings, &err) && evaluation_run(&e, model, &plan, &err) &&
              eval_output_write(&output, &e, &err);
    evaluation_release(&e);
    eval_words_release(&output.words);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(command, &err);
}
