/*
 * Running the steps of a study: see study.h.
 *
 * Steps whose needs are done are ready. Of these the one is begun first that has
 * most behind it: itself, and the longest chain of steps that wait for it, so that
 * no long chain is left to run alone in the end. Each is a child process with
 * one thread, or with all of them if nothing else could be run beside it. What a
 * child prints and says goes to temporary files without a name.
 *
 * Children are asked about every few milliseconds rather than waited for: the
 * caller wants to tell the time, and a signal that comes between two questions
 * must not be missed.
 */
#define _GNU_SOURCE /* wait4(), posix_spawn_file_actions_addchdir_np() */
#include "study/step_records.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_PROCESSES = 256, SHORTEST_REST = 1, LONGEST_REST = 50 /* milliseconds */ };

struct child {
    pid_t pid; /* 0: this place is free */
    size_t step;
    FILE *out, *err;
    double started;
};

/* One run of study_run(). */
struct work {
    const struct study *study;
    struct study_run *run;
    struct progress_of_step *of; /* [steps] */
    bool *settled, *begun;       /* [steps] settled: its needs are done, its command line is known */
    double *behind;              /* [steps] cost of the step and of the longest chain of those that need it */
    struct child child[MOST_PROCESSES];
    uint32_t children;
    double done_cost;    /* of steps that were run */
    double done_seconds; /* that they took */
    struct vouch_error *err;
};

static bool is_wanted(const struct work *w, size_t step)
{
    return (w->study->step[step].wanted_by & w->run->wanted) != 0;
}

static bool is_ready(const struct work *w, size_t step)
{
    return w->settled[step] && !w->begun[step] && !w->of[step].record;
}

/* Settles all wanted steps that can be: those that are kept are done. */
static bool settle(struct work *w)
{
    for (size_t i = 0; i < w->study->steps; i++) {
        const struct step *s = &w->study->step[i];
        bool possible = is_wanted(w, i) && !w->settled[i];
        for (size_t n = 0; n < s->needs; n++)
            possible = possible && w->of[s->need[n]].record;
        if (!possible)
            continue;
        if (!step_settle(w->study, w->run->out, i, w->of, w->err))
            return false;
        w->settled[i] = true;
        w->run->kept += w->of[i].record != NULL;
    }
    return true;
}

/* News. */

/* Seconds that are left, by what the steps cost that were run, and how long they took. */
static double seconds_left(const struct work *w)
{
    double cost = 0, running = 0, now = seconds_now();
    if (w->done_cost <= 0)
        return NAN;
    double rate = w->done_seconds / w->done_cost;
    for (size_t i = 0; i < w->study->steps; i++)
        if (is_wanted(w, i) && !w->of[i].record)
            cost += w->study->step[i].cost * rate;
    for (size_t i = 0; i < MOST_PROCESSES; i++)
        if (w->child[i].pid)
            running += fmin(now - w->child[i].started, w->study->step[w->child[i].step].cost * rate);
    return fmax(cost - running, 0) / w->run->threads;
}

static void tell(const struct work *w, const char *name, bool finished, double seconds)
{
    struct study_news news = {.name = name, .finished = finished, .seconds = seconds, .left = seconds_left(w)};
    for (size_t i = 0; i < w->study->steps; i++)
        news.steps += is_wanted(w, i);
    news.steps -= w->run->kept;
    news.done = w->run->run;
    if (w->run->tell)
        w->run->tell(w->run->context, &news);
}

/* Beginning. */

static void find_chains(struct work *w)
{
    for (size_t i = w->study->steps; i-- > 0;) {
        const struct step *s = &w->study->step[i];
        w->behind[i] += s->cost;
        for (size_t n = 0; is_wanted(w, i) && n < s->needs; n++)
            w->behind[s->need[n]] = fmax(w->behind[s->need[n]], w->behind[i]);
    }
}

/* The step to begin first; `ready` counts all that are. */
static size_t most_urgent(const struct work *w, size_t *ready)
{
    size_t first = w->study->steps;
    *ready = 0;
    for (size_t i = 0; i < w->study->steps; i++)
        if (is_ready(w, i)) {
            ++*ready;
            if (first == w->study->steps || w->behind[i] > w->behind[first])
                first = i;
        }
    return first;
}

/* The folders of all files that the step will write. */
static bool make_room(const struct work *w, const struct step *step)
{
    bool ok = true;
    for (size_t i = 0; ok && i <= step->makes.count; i++) {
        const char *name = i < step->makes.count ? step->makes.at[i] : step->log;
        char *path = name ? path_in(w->run->out, w->err, "%s", name) : NULL;
        ok = !name || (path && make_folders(path, w->err));
        free(path);
    }
    return ok;
}

/* The program's name, the arguments, and those options that only say how to run it; NULL at the end. */
static bool list_arguments(const struct work *w, size_t step, uint32_t threads, struct strings *list)
{
    const struct step *s = &w->study->step[step];
    const struct strings *argument = &w->of[step].argument;
    bool ok = strings_add(list, w->err, "%s", w->run->program);
    for (size_t i = 0; ok && i < argument->count; i++)
        ok = strings_add(list, w->err, "%s", argument->at[i]);
    if (s->takes_quiet)
        ok = ok && strings_add(list, w->err, "--quiet");
    if (s->takes_threads)
        ok = ok && strings_add(list, w->err, "--threads") && strings_add(list, w->err, "%u", threads);
    if (!ok || !RESERVE(list->at, list->capacity, list->count + 1, w->err))
        return false;
    list->at[list->count] = NULL;
    return true;
}

static bool spawn(struct work *w, struct child *child, char *const *argument)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return fail_memory(w->err);
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(child->out), 1);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(child->err), 2);
    if (!error)
        error = posix_spawn_file_actions_addchdir_np(&actions, w->run->out);
    if (!error)
        error = posix_spawn(&child->pid, w->run->program, &actions, NULL, argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        child->pid = 0;
    return !error || fail(w->err, VOUCH_ERR_IO, "%s: cannot run: %s", w->run->program, strerror(error));
}

static void close_files(struct child *child)
{
    if (child->out)
        fclose(child->out);
    if (child->err)
        fclose(child->err);
    *child = (struct child){0};
}

/* A file without a name, for one child alone; none of the first three, which are filled in anew in the child. */
static FILE *own_file(struct vouch_error *err)
{
    FILE *file = tmpfile();
    int number = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
    FILE *own = number >= 0 ? fdopen(number, "w+b") : NULL;
    if (!own)
        fail(err, VOUCH_ERR_IO, "cannot make a temporary file: %s", strerror(errno));
    if (!own && number >= 0)
        close(number);
    if (file)
        fclose(file);
    return own;
}

static struct child *free_place(struct work *w)
{
    struct child *child = w->child;
    while (child->pid)
        child++;
    return child;
}

/* Begins a step. Its record goes first: what it makes will not be what it says until the step is done. */
static bool begin(struct work *w, size_t step, uint32_t threads)
{
    struct strings argument = {0};
    struct child *child = free_place(w);
    *child = (struct child){.step = step, .started = seconds_now()};
    bool ok = list_arguments(w, step, threads, &argument) && (child->out = own_file(w->err)) &&
              (child->err = own_file(w->err)) && make_room(w, &w->study->step[step]) &&
              step_forget(w->study, w->run->out, step, w->err) && spawn(w, child, argument.at);
    strings_release(&argument);
    if (!ok) {
        close_files(child);
        return false;
    }
    w->begun[step] = true;
    w->children++;
    tell(w, w->study->step[step].name, false, 0);
    return true;
}

static bool begin_all_that_can_be(struct work *w)
{
    for (;;) {
        size_t ready, step = most_urgent(w, &ready);
        if (!ready || w->children >= w->run->threads || w->children >= MOST_PROCESSES)
            return true;
        bool alone = ready == 1 && w->children == 0;
        if (!begin(w, step, alone ? w->run->threads : 1))
            return false;
    }
}

/* Ending. */

/* The last words of a child, as one line: words[room]. */
static void last_words(FILE *said, char *words, size_t room)
{
    long length = fseek(said, 0, SEEK_END) == 0 ? ftell(said) : 0;
    long from = length > (long)room - 1 ? length - (long)room + 1 : 0;
    size_t got = fseek(said, from, SEEK_SET) == 0 ? fread(words, 1, room - 1, said) : 0;
    while (got > 0 && words[got - 1] == '\n')
        got--;
    words[got] = '\0';
    for (size_t i = 0; i < got; i++)
        if (words[i] == '\n')
            words[i] = ' ';
}

static bool blame(const struct work *w, const struct child *child, int status)
{
    const char *name = w->study->step[child->step].name;
    char words[400];
    last_words(child->err, words, sizeof words);
    if (WIFSIGNALED(status))
        return fail(w->err, VOUCH_ERR_ARGUMENT, "%s: ended by signal %d%s%s", name, WTERMSIG(status),
                    words[0] ? ": " : "", words);
    if (words[0])
        return fail(w->err, VOUCH_ERR_ARGUMENT, "%s: %s", name, words);
    return fail(w->err, VOUCH_ERR_ARGUMENT, "%s: ended with status %d", name, WEXITSTATUS(status));
}

/* One event of a training log, into the result. */
static void add_event(json_t *result, json_t *event)
{
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (kind && strcmp(kind, "tuned") == 0)
        json_object_set(result, "tuned", json_object_get(event, "result"));
    if (!kind || strcmp(kind, "pass") != 0)
        return;
    json_t *pass = json_copy(event);
    json_t *dev = json_object_get(event, "dev");
    json_object_del(pass, "event");
    json_object_del(pass, "dev");
    if (dev)
        json_object_update(pass, dev);
    json_array_append_new(json_object_get(result, "passes"), pass);
}

/* All lines of a log; one that is cut short is no event. */
static bool read_events(FILE *log, const char *path, json_t *result, struct vouch_error *err)
{
    json_error_t error;
    char *line = NULL;
    size_t room = 0, number = 0;
    bool ok = true;
    for (ssize_t length; ok && (length = getline(&line, &room, log)) >= 0;) {
        number++;
        if (strspn(line, " \t\r\n") == (size_t)length)
            continue;
        json_t *event = json_loadb(line, (size_t)length, 0, &error);
        ok = event || fail(err, VOUCH_ERR_FORMAT, "%s:%zu: expected an event as JSON: %s", path, number, error.text);
        if (event)
            add_event(result, event);
        json_decref(event);
    }
    if (ok && ferror(log))
        ok = fail(err, VOUCH_ERR_IO, "%s: cannot read", path);
    free(line);
    return ok;
}

/* {"passes": [...], "tuned": {...}}, of what a training log says. */
static json_t *read_log(const char *path, struct vouch_error *err)
{
    FILE *log = fopen(path, "rb");
    json_t *result = json_pack("{s:[]}", "passes");
    bool ok = result || fail_memory(err);
    if (!log)
        ok = fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    ok = ok && read_events(log, path, result, err);
    if (log)
        fclose(log);
    if (ok)
        return result;
    json_decref(result);
    return NULL;
}

static json_t *read_result(const struct work *w, const struct child *child)
{
    const struct step *step = &w->study->step[child->step];
    json_error_t error;
    json_t *result = NULL;
    if (step->log) {
        char *path = path_in(w->run->out, w->err, "%s", step->log);
        result = path ? read_log(path, w->err) : NULL;
        free(path);
    } else {
        rewind(child->out);
        result = json_loadf(child->out, 0, &error);
        if (!result)
            fail(w->err, VOUCH_ERR_FORMAT, "%s: expected JSON: line %d: %s", step->name, error.line, error.text);
    }
    return result;
}

static double cpu_seconds(const struct rusage *used)
{
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

static void forget(struct work *w, struct child *child)
{
    close_files(child);
    w->children--;
}

static bool is_stopped(const struct work *w)
{
    return w->run->stop && w->run->stop();
}

/* An optional step failed, and has said why: the others go on. */
static bool leave_out(struct work *w, struct child *child)
{
    forget(w, child);
    bool ok = strings_add(&w->run->left, w->err, "%s", w->err->message);
    if (ok)
        *w->err = (struct vouch_error){0};
    return ok;
}

static bool finish(struct work *w, struct child *child, int status, const struct rusage *used)
{
    double seconds = seconds_now() - child->started;
    size_t step = child->step;
    bool ok = (WIFEXITED(status) && WEXITSTATUS(status) == 0) || blame(w, child, status);
    if (!ok && w->study->step[step].optional && WIFEXITED(status) && !is_stopped(w))
        return leave_out(w, child);
    struct outcome_of_step outcome = {ok ? read_result(w, child) : NULL, seconds, cpu_seconds(used)};
    ok = outcome.result && step_record_write(w->study, w->run->out, step, w->of, &outcome, w->err);
    forget(w, child);
    if (!ok)
        return false;
    w->run->run++;
    w->done_cost += w->study->step[step].cost;
    w->done_seconds += seconds;
    tell(w, w->study->step[step].name, true, seconds);
    return settle(w);
}

/* Nobody can say how a child ended: where SIGCHLD is ignored, for one, nobody remembers it. */
static bool lose(struct work *w, struct child *child)
{
    fail(w->err, VOUCH_ERR_IO, "%s: cannot find out how it ended: %s", w->study->step[child->step].name,
         strerror(errno));
    forget(w, child);
    return false;
}

/* Looks once at every child; *any says whether one has ended. */
static bool look_around(struct work *w, bool *any)
{
    for (size_t i = 0; i < MOST_PROCESSES; i++) {
        struct child *child = &w->child[i];
        struct rusage used;
        int status;
        pid_t ended = child->pid ? wait4(child->pid, &status, WNOHANG, &used) : 0;
        if (ended == 0 || (ended < 0 && errno == EINTR))
            continue;
        *any = true;
        if (!(ended > 0 ? finish(w, child, status, &used) : lose(w, child)))
            return false;
    }
    return true;
}

static void rest(long milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

/* Stops what is still running, and forgets it. */
static void stop_children(struct work *w)
{
    for (size_t i = 0; i < MOST_PROCESSES; i++)
        if (w->child[i].pid)
            kill(w->child[i].pid, SIGTERM);
    for (size_t i = 0; i < MOST_PROCESSES; i++)
        if (w->child[i].pid) {
            while (waitpid(w->child[i].pid, NULL, 0) < 0 && errno == EINTR)
                ;
            close_files(&w->child[i]);
        }
    w->children = 0;
}

static bool run_all(struct work *w)
{
    long pause = SHORTEST_REST;
    if (!settle(w))
        return false;
    while (!is_stopped(w)) {
        bool any = false;
        if (!begin_all_that_can_be(w))
            return false;
        if (w->children == 0)
            return true;
        if (!look_around(w, &any))
            return false;
        pause = any ? SHORTEST_REST : pause * 2 < LONGEST_REST ? pause * 2 : LONGEST_REST;
        if (!any) {
            tell(w, NULL, false, 0);
            rest(pause);
        }
    }
    return false;
}

/* A Ctrl-C reaches the children, too: that they failed is no news then. */
static bool run_until_stopped(struct work *w)
{
    bool ok = run_all(w);
    return ok || (is_stopped(w) ? fail(w->err, VOUCH_ERR_STOPPED, "interrupted") : false);
}

static bool work_init(struct work *w, const struct study *study, struct study_run *run, struct vouch_error *err)
{
    *w = (struct work){.study = study, .run = run, .err = err};
    run->run = run->kept = 0;
    w->of = new_array(study->steps, sizeof *w->of, err);
    w->settled = new_array(study->steps, sizeof *w->settled, err);
    w->begun = new_array(study->steps, sizeof *w->begun, err);
    w->behind = new_array(study->steps, sizeof *w->behind, err);
    if (!w->of || !w->settled || !w->begun || !w->behind)
        return false;
    find_chains(w);
    return true;
}

static void work_release(struct work *w)
{
    for (size_t i = 0; w->of && i < w->study->steps; i++) {
        strings_release(&w->of[i].argument);
        json_decref(w->of[i].record);
    }
    free(w->of);
    free(w->settled);
    free(w->begun);
    free(w->behind);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool study_run(const struct study *study, struct study_run *run, struct vouch_error *err)
{
    struct work w;
    json_t *plan = study_plan_json(study);
    bool ok = work_init(&w, study, run, err) && (plan || fail_memory(err)) &&
              record_json(run->out, "plan.json", plan, err) && run_until_stopped(&w);
    stop_children(&w);
    json_decref(plan);
    if (ok) {
        if (run->left.count)
            qsort(run->left.at, run->left.count, sizeof *run->left.at, by_name); /* whoever was first to fail */
        run->wanted = (1u << EXPERIMENTS) - 1;                                   /* whatever was done on other days */
        size_t kept = run->kept;
        ok = settle(&w) && study_keep_results(study, run, w.of, err);
        run->kept = kept;
    }
    work_release(&w);
    return ok;
}

bool study_list(const struct study *study, const struct study_run *run, study_show *show, void *context,
                struct vouch_error *err)
{
    struct work w;
    struct study_run looking = *run;
    bool ok = work_init(&w, study, &looking, err) && settle(&w);
    for (size_t i = 0; ok && i < study->steps; i++)
        if (is_wanted(&w, i)) {
            const struct strings *argument = w.settled[i] ? &w.of[i].argument : &study->step[i].argument;
            show(context, &study->step[i], argument, w.settled[i], w.of[i].record != NULL);
        }
    work_release(&w);
    return ok;
}
