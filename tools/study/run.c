/* Runs a study: see study.h. It finds out what is to be run, lets Ninja run it, and gathers the records. */
#include "study/study.h"

#include "base/memory.h"
#include "base/buffer.h"
#include "report/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes all folders on a path. */
static bool make_folders(const char *path, struct vouch_error *err)
{
    char *copy = new_string(path, strlen(path), err);
    bool ok = copy != NULL;
    for (char *slash = copy; ok && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            ok = fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", copy, strerror(errno));
    }
    free(copy);
    return ok;
}

bool study_lock(const char *out, int *lock, struct vouch_error *err)
{
    char *folder = path_in(out, err, "%s", "");
    bool ok = folder && make_folders(folder, err);
    *lock = ok ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
    free(folder);
    if (ok && *lock < 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", out, strerror(errno));
    if (ok && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(*lock);
        ok = fail(err, VOUCH_ERR_IO, "%s: is being written by another run", out);
    }
    return ok;
}

static bool is_wanted(const struct study_run *run, const struct step *step)
{
    return step->wanted_by & run->wanted;
}

/* Finds the end of a step's messages, as one line: words[room]. */
static void last_messages(const char *out, const struct step *step, char *words, size_t room)
{
    char *path = path_in(out, NULL, "steps/%s.err", step->name);
    FILE *said = path ? fopen(path, "rb") : NULL;
    size_t got = 0;
    if (said) {
        if (fseek(said, -(long)(room - 1), SEEK_END) != 0)
            rewind(said);
        got = fread(words, 1, room - 1, said);
        fclose(said);
    }
    while (got > 0 && words[got - 1] == '\n')
        got--;
    words[got] = '\0';
    for (size_t i = 0; i < got; i++)
        if (words[i] == '\n')
            words[i] = ' ';
    free(path);
}

/*
 * Finds out what became of the steps that were to be run. One that is not done failed, or waits for one that did; as
 * steps come after those that they need, the first of them failed.
 */
static bool find_outcome(const struct study *study, struct study_run *run, struct vouch_error *err)
{
    char words[400];
    for (size_t i = 0; i < study->steps; i++) {
        const struct step *step = &study->step[i];
        if (!is_wanted(run, step))
            continue;
        if (step->record) {
            run->kept += !step->due;
            run->run += step->due;
            continue;
        }
        if (!step->due)
            return fail(err, VOUCH_ERR_FORMAT, "%s/steps/%s.json: is damaged: remove it", run->out, step->name);
        last_messages(run->out, step, words, sizeof words);
        const char *why = words[0] ? words : "ended without saying why";
        if (!step->optional)
            return fail(err, VOUCH_ERR_ARGUMENT, "%s: %s", step->name, why);
        if (!strings_add(&run->left, err, "%s: %s", step->name, why))
            return false;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool run_steps(struct study *study, struct study_run *run, struct vouch_error *err)
{
    json_t *plan = study_plan_json(study);
    bool any_due = false, ok = (plan || fail_memory(err)) && study_write_json(run->out, "plan.json", plan, err) &&
                               ninja_write(study, run->out, err) && ninja_find_due(study, run->out, err);
    for (size_t i = 0; ok && i < study->steps; i++)
        any_due = any_due || (study->step[i].due && is_wanted(run, &study->step[i]));
    ok = ok && (!any_due || ninja_run(run, err));
    json_decref(plan);
    if (run->stop && run->stop())
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    return ok;
}

/* Reads the record of a step, unless it is due and nobody has run it. */
static void read_record(struct step *step, const char *out, bool run)
{
    json_decref(step->record);
    step->record = run || !step->due ? record_read(out, step->name) : NULL;
}

bool study_run(struct study *study, struct study_run *run, struct vouch_error *err)
{
    run->run = run->kept = 0;
    bool ok = run_steps(study, run, err);
    for (size_t i = 0; ok && i < study->steps; i++)
        read_record(&study->step[i], run->out, is_wanted(run, &study->step[i]));
    ok = ok && find_outcome(study, run, err);
    if (ok && run->left.count)
        qsort(run->left.at, run->left.count, sizeof *run->left.at, by_name);
    return ok && study_write_results(study, run, err);
}

/* Writes one step: its name, which steps choose parameters for it, and the command. */
static void list_step(struct prose *says, const struct study *study, const struct step *step,
                      const struct strings *argument, bool known)
{
    prose_say(says, "# %s%s", step->name, step->record ? " (done)" : "");
    for (size_t i = 0; !known && i < step->tunings; i++)
        prose_say(says, "%s%s", i ? " and " : ", with what ", study->step[step->tuned_by[i]].name);
    prose_say(says, "%s\nvouch", known || !step->tunings ? "" : step->tunings > 1 ? " choose" : " chooses");
    for (size_t i = 0; i < argument->count; i++) {
        prose_say(says, " ");
        prose_say_argument(says, argument->at[i]);
    }
    prose_say(says, "\n");
}

char *study_list(struct study *study, const struct study_run *run, struct vouch_error *err)
{
    struct prose says = {0};
    bool ok = ninja_find_due(study, run->out, err);
    for (size_t i = 0; ok && i < study->steps; i++) {
        struct step *step = &study->step[i];
        struct strings argument = {0}; /* the name of the command, the parameters that other steps chose, its own */
        bool known = true;
        read_record(step, run->out, false);
        for (size_t t = 0; t < step->tunings; t++)
            known = known && study->step[step->tuned_by[t]].record;
        if (!is_wanted(run, step))
            continue;
        for (size_t a = 0; ok && a < step->argument.count; a++) {
            ok = strings_add(&argument, err, "%s", step->argument.at[a]);
            for (size_t t = 0; ok && known && a == 0 && t < step->tunings; t++) {
                const struct step *chose = &study->step[step->tuned_by[t]];
                ok = record_add_chosen(chose->record, chose->name, &argument, err);
            }
        }
        if (ok)
            list_step(&says, study, step, &argument, known);
        strings_release(&argument);
    }
    char *text = ok ? prose_take(&says, err) : NULL;
    prose_release(&says);
    return text;
}
