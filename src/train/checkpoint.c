/*
 * Keeps what training has learned so far: see checkpoint.h. The training loop sees two functions, that keep and recall
 * a voice (learn/learn.h); orders of sentences are drawn again. Voices depend on each other only as the tree of
 * held-out models does, so that any number of threads or ranks may have been at any of them. A file names all that
 * decides its voice by a digest; plan.json has the same in words, to say what differs. To write and sync every pass
 * over Spanish names made training 1.2 to 1.4 times as long: short passes are not all kept.
 */
#define _DEFAULT_SOURCE /* flock() */
#include "train/checkpoint.h"

#include "base/json_read.h"
#include "base/watch.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/buffer.h"
#include "base/parallel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN "plan.json"
#define MADE ".made" /* says that the program has made the folder */
#define VOICE_FILE ".voice"
#define PATIENCE 20

static bool fail_damaged(const char *path, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: the checkpoint is cut off or damaged", path);
}

/* ---- The folder ---- */

static bool is_voice_file(const char *name)
{
    size_t length = strlen(name), end = strlen(VOICE_FILE);
    return length > end && strcmp(name + length - end, VOICE_FILE) == 0;
}

/* Whether base/output.c named the file, which is being written, or was when a process was ended. */
static bool is_temporary(const char *name)
{
    return strncmp(name, ".vouch-", strlen(".vouch-")) == 0;
}

/* The kinds of files that are in the folder. */
struct contents {
    bool plan, made; /* there is a file of that name */
    bool others;     /* there are files that no checkpoint has without a plan */
    uint32_t voices;
};

/* Lists the folder, and with `remove` removes voices and what was left half written; those that stay are counted. */
static bool list_folder(const struct checkpoint *c, bool remove, struct contents *found, struct vouch_error *err)
{
    DIR *folder = opendir(c->folder);
    *found = (struct contents){0};
    if (!folder)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", c->folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *name = entry->d_name;
        bool voice = is_voice_file(name), temporary = is_temporary(name);
        if (remove && (voice || temporary) && unlinkat(dirfd(folder), name, 0) == 0)
            continue;
        found->plan = found->plan || strcmp(name, PLAN) == 0;
        found->made = found->made || strcmp(name, MADE) == 0;
        found->voices += voice;
        found->others = found->others ||
                        !(temporary || strcmp(name, MADE) == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0);
    }
    closedir(folder);
    return true;
}

static void remove_file(const struct checkpoint *c, const char *name)
{
    char *path = path_in(c->folder, NULL, "%s", name);
    if (path)
        unlink(path);
    free(path);
}

/* Removes the folder if it is the program's own. */
static void leave(struct checkpoint *c)
{
    if (!c->made)
        return;
    remove_file(c, MADE);
    rmdir(c->folder);
    c->made = false;
}

/* Keeps other processes out. Where folders cannot be locked, it is up to the user. */
static bool lock_folder(struct checkpoint *c, struct vouch_error *err)
{
    c->lock = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->lock < 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", c->folder, strerror(errno));
    return flock(c->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
           fail(err, VOUCH_ERR_IO, "%s: another process keeps its checkpoints there", c->folder);
}

/*
 * Makes or opens the folder, as the first rank does for all. A plan without voices is what a process has left that was
 * ended too soon: there is nothing to go on with, or to lose, and another plan may take its place.
 */
static bool enter(struct checkpoint *c, bool resume, struct vouch_error *err)
{
    struct contents found;
    c->made = mkdir(c->folder, 0777) == 0;
    if (!c->made && errno != EEXIST)
        return fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", c->folder, strerror(errno));
    if (!lock_folder(c, err) || !list_folder(c, false, &found, err))
        return false;
    if (c->made) { /* a later process will know by this file, however this one ends */
        int file = openat(c->lock, MADE, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0)
            close(file);
    }
    c->made = c->made || found.made;
    c->written = found.plan;
    c->goes_on = found.plan && found.voices > 0;
    if (c->goes_on && !resume)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: holds checkpoints: expected --resume or an empty folder", c->folder);
    return found.plan || !found.others ||
           fail(err, VOUCH_ERR_ARGUMENT, "%s: expected %san empty folder, found other files", c->folder,
                resume ? "checkpoints or " : "");
}

struct checkpoint *checkpoint_open(const char *folder, bool resume, const struct ranks *ranks, struct vouch_error *err)
{
    struct checkpoint *c = new_array(1, sizeof *c, err);
    if (!c)
        return NULL;
    c->lock = -1;
    c->ranks = ranks;
    c->folder = new_string(folder, strlen(folder), err);
    c->turns = turns_open(err);
    bool ok = c->folder && c->turns && (!ranks_first(ranks) || enter(c, resume, err));
    int64_t found = c->goes_on;
    ok = ok && ranks_sum(ranks, &found, 1, err);
    c->goes_on = found > 0;
    if (ok)
        return c;
    checkpoint_close(c);
    return NULL;
}

void checkpoint_close(struct checkpoint *c)
{
    if (!c)
        return;
    if (!c->written)
        leave(c); /* nothing came of it */
    if (c->lock >= 0)
        close(c->lock);
    turns_close(c->turns);
    free(c->folder);
    free(c);
}

void checkpoint_remove(struct checkpoint *c)
{
    struct contents left;
    struct vouch_error ignored;
    /* The plan is the last: what is left, after a crash or because it cannot be removed, is still a checkpoint. */
    if (!ranks_first(c->ranks) || !list_folder(c, true, &left, &ignored) || left.voices > 0)
        return;
    remove_file(c, PLAN);
    c->written = false;
    leave(c);
}

/* ---- Writes that fail ---- */

/* Whether files are still written. */
static bool writes(const struct checkpoint *c)
{
    if (!c || !ranks_first(c->ranks))
        return false;
    turns_take(c->turns);
    bool can = c->failure.status == VOUCH_OK;
    turns_leave(c->turns);
    return can;
}

/* Notes why a file could not be written, and returns true: learning can do without. False if memory is missing. */
static bool forgive(struct checkpoint *c, struct vouch_error *err)
{
    if (err->status != VOUCH_ERR_IO)
        return false;
    turns_take(c->turns);
    if (c->failure.status == VOUCH_OK)
        c->failure = *err;
    turns_leave(c->turns);
    *err = (struct vouch_error){0};
    return true;
}

void checkpoint_warn(struct checkpoint *c, const struct vouch_watch *watch)
{
    if (!c)
        return;
    turns_take(c->turns);
    bool now = c->failure.status != VOUCH_OK && !c->warned;
    c->warned = c->warned || now;
    turns_leave(c->turns);
    if (now)
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %s; learning goes on without further checkpoints",
                  c->failure.message);
}

/* ---- The plan ---- */

/* Finds the digest of a plan. False: there was no memory. */
static bool digest_of(const json_t *plan, uint64_t *digest)
{
    char *text = json_dumps(plan, JSON_COMPACT | JSON_SORT_KEYS);
    if (text)
        *digest = hash_bytes(text, strlen(text));
    free(text);
    return text != NULL;
}

static bool write_plan(struct checkpoint *c, json_t *plan, struct vouch_error *err)
{
    char checksum[24], *path = path_in(c->folder, err, PLAN);
    snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)c->digest);
    json_t *all = json_pack("{s:s, s:O}", "checksum", checksum, "plan", plan);
    char *text = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
    bool ok = path && (text || fail_memory(err));
    struct output *out = ok ? output_open(path, err) : NULL;
    if (out)
        output_printf(out, "%s\n", text);
    ok = out && output_commit(out, err);
    c->written = c->written || ok;
    free(text);
    free(path);
    json_decref(all);
    return ok || forgive(c, err);
}

static const char *value_in(const json_t *plan, const char *key)
{
    const char *value = json_string_value(json_object_get(plan, key));
    return value ? value : "none";
}

/* Fails if the two plans differ, and says in what. */
static bool same_plan(const struct checkpoint *c, json_t *plan, json_t *known, struct vouch_error *err)
{
    json_t *both[2] = {plan, known};
    for (int i = 0; i < 2; i++)
        for (void *at = json_object_iter(both[i]); at; at = json_object_iter_next(both[i], at)) {
            const char *key = json_object_iter_key(at);
            const char *now = value_in(plan, key), *then = value_in(known, key);
            if (strcmp(now, then) != 0)
                return fail(err, VOUCH_ERR_ARGUMENT,
                            "%s: expected checkpoints with %s %.150s, found %.150s; remove the folder to begin anew",
                            c->folder, key, now, then);
        }
    return true;
}

static bool compare_plan(struct checkpoint *c, json_t *plan, struct vouch_error *err)
{
    char checksum[24] = "", *path = path_in(c->folder, err, PLAN);
    uint64_t digest;
    if (!path)
        return false;
    json_error_t why;
    json_t *all = json_read_file(path, 0, &why), *known = json_object_get(all, "plan");
    if (json_is_object(known) && digest_of(known, &digest))
        snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)digest);
    bool ok = (*checksum && strcmp(checksum, value_in(all, "checksum")) == 0) ||
              (!all && json_lacked_memory(&why) ? fail_memory(err) : fail_damaged(path, err));
    ok = ok && same_plan(c, plan, known, err);
    json_decref(all);
    free(path);
    return ok;
}

bool checkpoint_begin(struct checkpoint *c, json_t *plan, struct vouch_error *err)
{
    if (!digest_of(plan, &c->digest))
        return fail_memory(err);
    if (c->goes_on)
        return compare_plan(c, plan, err);
    return !ranks_first(c->ranks) || write_plan(c, plan, err);
}

/* ---- Voices ---- */

static uint64_t mix_parameters(uint64_t digest, const struct learner_options *p)
{
    const double real[] = {p->C, p->phi, p->variance, p->rate, p->l2};
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        digest = hash_mix(digest, hash_bytes(&real[i], sizeof real[i]));
    return hash_mix(hash_mix(digest, (uint64_t)p->covariance), p->K);
}

struct checkpoint_voice checkpoint_voice(struct checkpoint *checkpoint, const char *name,
                                         const struct training_options *options, struct subset subset,
                                         const struct space *space)
{
    struct checkpoint_voice kept = {.checkpoint = checkpoint, .patience = PATIENCE};
    if (!checkpoint)
        return kept;
    snprintf(kept.name, sizeof kept.name, "%s", name);
    if (options->learner->keeps)
        kept.start = options->learner->keeps(&options->parameters);
    uint64_t digest = hash_mix(checkpoint->digest, hash_bytes(name, strlen(name)));
    digest = hash_mix(digest, hash_bytes(options->learner->name, strlen(options->learner->name)));
    digest = mix_parameters(digest, &options->parameters);
    const uint64_t number[] = {options->passes, options->seed, options->shards > 1 ? options->shards : 1,
                               space->width,    space->nodes,  space->edges,
                               subset.count};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        digest = hash_mix(digest, number[i]);
    if (subset.index)
        digest = hash_mix(digest, hash_bytes(subset.index, sizeof *subset.index * subset.count));
    kept.digest = digest;
    return kept;
}

static char *path_of(const struct checkpoint_voice *kept, struct vouch_error *err)
{
    return path_in(kept->checkpoint->folder, err, "%s" VOICE_FILE, kept->name);
}

/* Lists the arrays of a voice and, from the fifth on, of the best one. */
static void list_arrays(struct voice_record *record, const struct checkpoint_voice *kept,
                        const struct voice_state *state)
{
    struct voice *v = state->voice;
    struct voice_array *array = record->array;
    if (!v)
        return;
    array[0] = (struct voice_array){v->mean, v->size, 0};
    array[1] = (struct voice_array){v->late, v->size, 0};
    if (v->var)
        array[2] = (struct voice_array){v->var, v->size, kept->start.variance_start};
    if (v->square && !state->last)
        array[3] = (struct voice_array){v->square, v->size, kept->start.squares_start};
    if (!state->best || !state->best->own_mean)
        return;
    array[4] = (struct voice_array){state->best->own_mean, v->size, 0};
    if (state->best->own_var)
        array[5] = (struct voice_array){state->best->own_var, v->size, kept->start.variance_start};
}

bool voice_state_keep(struct checkpoint_voice *kept, const struct voice_state *state, struct vouch_error *err)
{
    double now = seconds_now();
    if (!writes(kept->checkpoint) || (kept->written > 0 && now - kept->written < kept->patience * kept->took))
        return true;
    struct voice_record record = {.digest = kept->digest, .pass = state->pass};
    if (state->voice) {
        record.steps = state->voice->steps;
        record.now = state->voice->now;
    }
    list_arrays(&record, kept, state);
    char *path = path_of(kept, err);
    record.note = json_dumps(state->note, JSON_COMPACT);
    bool ok = path && (record.note || fail_memory(err)) && voice_file_write(path, &record, err);
    free(record.note);
    free(path);
    if (!ok)
        return forgive(kept->checkpoint, err);
    kept->written = seconds_now();
    kept->took = kept->written - now;
    return true;
}

bool checkpoint_voice_exists(const struct checkpoint_voice *kept)
{
    char *path = kept->checkpoint ? path_of(kept, NULL) : NULL;
    bool exists = path && access(path, F_OK) == 0;
    free(path);
    return exists;
}

void checkpoint_voice_drop(const struct checkpoint_voice *kept)
{
    char *path = writes(kept->checkpoint) ? path_of(kept, NULL) : NULL;
    if (path)
        unlink(path);
    free(path);
}

/* Makes room for the best voice, with variances if the voice has any. */
static bool make_room(struct model_voice *best, const struct voice *voice, struct vouch_error *err)
{
    best->mean = best->own_mean = new_array(voice->size + SLACK, sizeof *best->own_mean, err);
    if (voice->var)
        best->var = best->own_var = new_array(voice->size + SLACK, sizeof *best->own_var, err);
    return best->own_mean && (best->own_var || !voice->var);
}

/* Reads the file, whose arrays are in the record then. */
static bool read_record(const char *path, struct voice_record *record, struct voice_state *state,
                        struct vouch_error *err)
{
    if (!voice_file_read(path, record, err))
        return false;
    json_error_t why;
    state->note = json_read_string(record->note, 0, &why);
    state->pass = record->pass;
    if (!state->note && json_lacked_memory(&why))
        return fail_memory(err);
    return state->note || fail_damaged(path, err);
}

static bool recall_from(const char *path, const struct checkpoint_voice *kept, struct voice_state *state,
                        struct vouch_error *err)
{
    struct voice_record record = {.digest = kept->digest};
    if (state->best && !make_room(state->best, state->voice, err))
        return false;
    list_arrays(&record, kept, &(struct voice_state){.voice = state->voice, .best = state->best});
    bool ok = read_record(path, &record, state, err);
    if (ok && state->voice) {
        state->voice->steps = record.steps;
        state->voice->now = record.now;
        ok = (record.array[0].count == state->voice->size && record.array[1].count == state->voice->size) ||
             fail(err, VOUCH_ERR_FORMAT, "%s: expected weights, found none", path);
    }
    if (state->best && (!ok || record.array[4].count == 0))
        model_voice_release(state->best);
    free(record.note);
    return ok;
}

/* Recalls what this rank finds; nothing if there is no file. */
static bool recall_own(const struct checkpoint_voice *kept, struct voice_state *state, struct vouch_error *err)
{
    if (!checkpoint_voice_exists(kept))
        return true;
    char *path = path_of(kept, err);
    bool ok = path && recall_from(path, kept, state, err);
    free(path);
    return ok;
}

/*
 * Fails if the ranks have found different passes: they do not see one and the same folder. A bit that is set on one
 * rank and not on another is set in both unions.
 */
static bool recalled_alike(const struct checkpoint *c, const struct voice_state *state, struct vouch_error *err)
{
    uint64_t found = state->note ? (uint64_t)state->pass + 1 : 0, bits[2] = {found, ~found};
    if (!c->ranks)
        return true;
    return ranks_unite(c->ranks, bits, 2, err) &&
           ((bits[0] & bits[1]) == 0 ||
            fail(err, VOUCH_ERR_IO, "%s: expected a folder that all ranks see, found different ones", c->folder));
}

bool voice_state_recall(const struct checkpoint_voice *kept, struct voice_state *state, struct vouch_error *err)
{
    state->pass = 0;
    state->note = NULL;
    if (!kept->checkpoint)
        return true;
    if (recall_own(kept, state, err) && recalled_alike(kept->checkpoint, state, err))
        return true;
    json_decref(state->note);
    state->note = NULL;
    return false;
}
