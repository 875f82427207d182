/* Runs a study: see study.h. It finds out what is to be run, lets Ninja run it, and gathers the records. */
#include "study/study.h"

#include "base/memory.h"
#include "base/buffer.h"

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

/* The state of the steps. */
struct state {
    bool *due;       /* [steps] was to be run when the run began */
    json_t **record; /* [steps] NULL: not done */
};

static bool state_init(struct state *state, const struct study *study, struct vouch_error *err)
{
    state->due = new_array(study->steps, sizeof *state->due, err);
    state->record = state->due ? new_array(study->steps, sizeof *state->record, err) : NULL;
    return state->record;
}

static void state_release(struct state *state, const struct study *study)
{
    for (size_t i = 0; state->record && i < study->steps; i++)
        json_decref(state->record[i]);
    free(state->record);
    free(state->due);
}

static bool is_wanted(const struct study_run *run, const struct step *step)
{
    return step->wanted_by & run->wanted;
}

/* Finds the end of a step's messages, as one line: words[room]. */
static void last_words(const char *out, const struct step *step, char *words, size_t room)
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
static bool look_back(const struct study *study, struct study_run *run, const struct state *state,
                      struct vouch_error *err)
{
    char words[400];
    for (size_t i = 0; i < study->steps; i++) {
        const struct step *step = &study->step[i];
        if (!is_wanted(run, step) || state->record[i]) {
            run->kept += is_wanted(run, step) && !state->due[i];
            run->run += is_wanted(run, step) && state->due[i];
            continue;
        }
        if (!state->due[i])
            return fail(err, VOUCH_ERR_FORMAT, "%s/steps/%s.json: is damaged: remove it", run->out, step->name);
        last_words(run->out, step, words, sizeof words);
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

static bool any_due(const struct study *study, const struct study_run *run, const struct state *state)
{
    for (size_t i = 0; i < study->steps; i++)
        if (state->due[i] && is_wanted(run, &study->step[i]))
            return true;
    return false;
}

/* Reads the records of the steps that are wanted now, and of earlier ones that still hold. */
static void read_records(const struct study *study, const struct study_run *run, struct state *state)
{
    for (size_t i = 0; i < study->steps; i++)
        if (is_wanted(run, &study->step[i]) || !state->due[i])
            state->record[i] = record_read(run->out, study->step[i].name);
}

static bool run_steps(const struct study *study, struct study_run *run, struct state *state, struct vouch_error *err)
{
    json_t *plan = study_plan_json(study);
    bool ok = (plan || fail_memory(err)) && study_write_json(run->out, "plan.json", plan, err) &&
              ninja_write(study, run->out, err) && ninja_find_due(study, run->out, state->due, err) &&
              (!any_due(study, run, state) || ninja_run(run, err));
    json_decref(plan);
    if (run->stop && run->stop())
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    return ok;
}

bool study_run(const struct study *study, struct study_run *run, struct vouch_error *err)
{
    struct state state = {0};
    run->run = run->kept = 0;
    bool ok = state_init(&state, study, err) && run_steps(study, run, &state, err);
    if (ok) {
        read_records(study, run, &state);
        ok = look_back(study, run, &state, err);
    }
    if (ok && run->left.count)
        qsort(run->left.at, run->left.count, sizeof *run->left.at, by_name);
    ok = ok && study_write_results(study, run, state.record, err);
    state_release(&state, study);
    return ok;
}

/* Makes the arguments of a step: the name of the command, the parameters that other steps chose, then its own. */
static bool complete_arguments(const struct study *study, const struct step *step, json_t *const *record,
                               struct strings *argument, struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < step->argument.count; i++) {
        ok = strings_add(argument, err, "%s", step->argument.at[i]);
        for (size_t t = 0; ok && i == 0 && t < step->tunings; t++)
            ok = record_add_chosen(record[step->tuned_by[t]], study->step[step->tuned_by[t]].name, argument, err);
    }
    return ok;
}

bool study_list(const struct study *study, const struct study_run *run, study_show *show, void *context,
                struct vouch_error *err)
{
    struct state state = {0};
    bool ok = state_init(&state, study, err) && ninja_find_due(study, run->out, state.due, err);
    for (size_t i = 0; ok && i < study->steps; i++) {
        const struct step *step = &study->step[i];
        struct strings argument = {0};
        bool known = true;
        if (!state.due[i])
            state.record[i] = record_read(run->out, step->name);
        for (size_t t = 0; t < step->tunings; t++)
            known = known && state.record[step->tuned_by[t]];
        if (!is_wanted(run, step))
            continue;
        ok = !known || complete_arguments(study, step, state.record, &argument, err);
        if (ok)
            show(context, step, known ? &argument : &step->argument, known, state.record[i] != NULL);
        strings_release(&argument);
    }
    state_release(&state, study);
    return ok;
}
