/* Runs vouch eval FILE, vouch eval GOLD SYSTEM and vouch eval --answers FILE [GOLD], which measure answers that are in
 * files. */
#include "cli/answers_calibrated.h"
#include "cli/eval_output.h"
#include "cli/teller.h"

#include <string.h>

int answers_prepare(struct file_comparison *c, const struct command *command)
{
    const struct settings *s = c->settings;
    struct vouch_error err = {0};
    if (s->answers && s->arguments > 1)
        return misuse(command, "expected --answers FILE, and GOLD if it holds none, found %zu more files",
                      s->arguments);
    if (s->answers && s->arguments == 1 && s->columns)
        return misuse(command, "--columns names the columns of a file that holds gold, too: expected no file GOLD");
    if (s->arguments > 2)
        return misuse(command, "expected -m MODEL, one file of answers, or the files GOLD and SYSTEM, found %zu files",
                      s->arguments);
    if (s->arguments == 2 && strcmp(s->argument[0], "-") == 0 && strcmp(s->argument[1], "-") == 0)
        return misuse(command, "expected GOLD and SYSTEM, found standard input twice");
    return file_comparison_prepare(c, &err) ? EXIT_DONE : misused(command, &err);
}

bool answers_open(struct file_comparison *c, struct vouch_error *err)
{
    const struct settings *s = c->settings;
    if (s->answers)
        return s->arguments ? file_comparison_open(c, s->argument[0], s->answers, err)
                            : file_comparison_open_table(c, err);
    return file_comparison_open(c, s->arguments > 1 ? s->argument[0] : NULL,
                                s->arguments ? s->argument[s->arguments - 1] : NULL, err);
}

int eval_files(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct teller teller = {0};
    struct vouch_watch watch = teller_watch(&teller, settings);
    struct eval_output output = {.command = command, .settings = settings};
    struct file_comparison c = {.settings = settings,
                                .watch = &watch,
                                .e = {.look = settings->report ? eval_output_look : NULL, .context = &output}};
    int status = answers_prepare(&c, command);
    if (status != EXIT_DONE)
        return status;
    struct answer_calibration calibration = {0};
    bool ok = !settings->model || answer_calibration_read(&calibration, settings->model, &err);
    c.calibration = settings->model ? &calibration : NULL;
    ok = ok && eval_output_possible(settings, &err) && answers_open(&c, &err);
    if (ok && !c.gold && c.answers->alone)
        status = misuse(command, "%s holds one %s: expected the gold file, too: vouch eval GOLD %s", c.answers->path,
                        c.answers->trees ? "tree a sentence" : "label a word", c.answers->path);
    else {
        output.name = ok ? c.answers->path : NULL;
        output.table = ok && c.answers->options.foreign ? c.answers : NULL;
        if (!ok || !file_comparison_run(&c, &err) || !eval_output_write(&output, &c.e, &err))
            status = failed(command, &err);
    }
    file_comparison_release(&c);
    answer_calibration_release(&calibration);
    eval_words_release(&output.words);
    return status;
}
