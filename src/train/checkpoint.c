/*
 * Keeps what training has learned so far: see checkpoint.h. The training loop sees two functions, that keep and recall
 * a voice (learn/learn.h); orders of sentences are drawn again. Voices depend on each other only as the tree of
 * held-out models does, so that any number of threads or ranks may have been at any of them. A file names all that
 * decides its voice by a digest; plan.json has the same in words, to say what differs. To write and sync every pass
 * over Spanish names made training 1.2 to 1.4 times as long: short passes are not all kept.
 */
#define _DEFAULT_SOURCE /* flock() */
#include "train/checkpoint.h"

#include "base/watch.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/buffer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN "plan.json"
#define VOICE_FILE ".lesson"
#define PATIENCE 20

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

/* Looks for a plan, and whether there is anything else. */
static bool look_around(struct checkpoint *c, bool *empty, struct vouch_error *err)
{
    DIR *folder = opendir(c->folder);
    if (!folder)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", c->folder, strerror(errno));
    *empty = true;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *name = entry->d_name;
        c->goes_on = c->goes_on || strcmp(name, PLAN) == 0;
        *empty = *empty && (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || is_temporary(name));
    }
    closedir(folder);
    c->written = c->goes_on;
    return true;
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

/* Makes or opens the folder, as the first rank does for all. */
static bool enter(struct checkpoint *c, bool resume, struct vouch_error *err)
{
    bool empty = true;
    c->made = mkdir(c->folder, 0777) == 0;
    if (!c->made && errno != EEXIST)
        return fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", c->folder, strerror(errno));
    if (!lock_folder(c, err) || !look_around(c, &empty, err))
        return false;
    if (c->goes_on && !resume)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: holds checkpoints: expected --resume or an empty folder", c->folder);
    return c->goes_on || empty ||
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
    bool ok = c->folder && (!ranks_first(ranks) || enter(c, resume, err));
    int64_t found = c->goes_on;
    ok = ok && ranks_sum(ranks, &found, 1, err);
    c->goes_on = c->written = found > 0;
    if (ok)
        return c;
    checkpoint_close(c);
    return NULL;
}

void checkpoint_close(struct checkpoint *c)
{
    if (!c)
        return;
    if (c->made && !c->written)
        rmdir(c->folder); /* nothing came of it */
    if (c->lock >= 0)
        close(c->lock);
    free(c->folder);
    free(c);
}

static void remove_file(const struct checkpoint *c, const char *name)
{
    char *path = path_in(c->folder, NULL, "%s", name);
    if (path)
        unlink(path);
    free(path);
}

void checkpoint_remove(struct checkpoint *c)
{
    if (!ranks_first(c->ranks))
        return;
    DIR *folder = opendir(c->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_voice_file(entry->d_name) || is_temporary(entry->d_name))
            remove_file(c, entry->d_name);
    if (folder)
        closedir(folder);
    remove_file(c, PLAN); /* the last, so that what is left after a crash can still be gone on with */
    c->written = false;
    if (c->made)
        rmdir(c->folder);
    c->made = false;
}

/* ---- The plan ---- */

static json_t *sum_of(const json_t *plan)
{
    char *text = json_dumps(plan, JSON_COMPACT | JSON_SORT_KEYS), digest[24];
    if (!text)
        return NULL;
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)hash_bytes(text, strlen(text)));
    free(text);
    return json_string(digest);
}

static bool write_plan(struct checkpoint *c, const json_t *plan, struct vouch_error *err)
{
    char *path = path_in(c->folder, err, PLAN);
    json_t *copy = json_deep_copy(plan);
    json_t *all = json_pack("{s:b, s:o, s:o}", "made", c->made, "checksum", sum_of(plan), "plan", copy);
    char *text = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
    struct output *out = text && path ? output_open(path, err) : NULL;
    bool ok = text || fail_memory(err);
    if (out)
        output_printf(out, "%s\n", text);
    ok = out && output_commit(out, err) && ok;
    c->written = c->written || ok;
    free(text);
    free(path);
    json_decref(all);
    return ok;
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
    char *path = path_in(c->folder, err, PLAN);
    json_error_t why;
    if (!path)
        return false;
    json_t *all = json_load_file(path, 0, &why), *known = json_object_get(all, "plan");
    json_t *sum = json_is_object(known) ? sum_of(known) : NULL;
    bool ok = (sum && json_equal(sum, json_object_get(all, "checksum"))) ||
              fail(err, VOUCH_ERR_FORMAT, "%s: the checkpoint is cut off or damaged", path);
    ok = ok && same_plan(c, plan, known, err);
    if (ok)
        c->made = ranks_first(c->ranks) && json_is_true(json_object_get(all, "made"));
    json_decref(sum);
    json_decref(all);
    free(path);
    return ok;
}

bool checkpoint_begin(struct checkpoint *c, json_t *plan, struct vouch_error *err)
{
    char *text = json_dumps(plan, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        return fail_memory(err);
    c->digest = hash_bytes(text, strlen(text));
    free(text);
    if (c->goes_on)
        return compare_plan(c, plan, err);
    return !ranks_first(c->ranks) || write_plan(c, plan, err);
}

/* ---- Voices ---- */

static uint64_t mix_real(uint64_t digest, double number)
{
    return hash_mix(digest, hash_bytes(&number, sizeof number));
}

static uint64_t mix_parameters(uint64_t digest, const struct learner_options *p)
{
    const double real[] = {p->C, p->phi, p->variance, p->rate, p->l2};
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        digest = mix_real(digest, real[i]);
    return hash_mix(hash_mix(digest, (uint64_t)p->covariance), p->K);
}

struct checkpoint_voice checkpoint_voice(const struct checkpoint *checkpoint, const char *name,
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

static bool writes(const struct checkpoint_voice *kept)
{
    return kept->checkpoint && ranks_first(kept->checkpoint->ranks);
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
    if (!writes(kept) || (kept->written > 0 && now - kept->written < kept->patience * kept->took))
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
    kept->written = seconds_now();
    kept->took = kept->written - now;
    return ok;
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
    char *path = writes(kept) ? path_of(kept, NULL) : NULL;
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
    state->note = json_loads(record->note, 0, NULL);
    state->pass = record->pass;
    return state->note ? true : fail(err, VOUCH_ERR_FORMAT, "%s: the checkpoint is cut off or damaged", path);
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

/*
 * A voice's file: arrays of weights as they were after a pass, and a note about them.
 *
 *     0   magic "VOUCH\r\nC", format version, byte order mark
 *    16   digest of the voice, steps, pass, the step that is now, length of the note, number of arrays
 *    48   the note (JSON text)
 *         each array: number of weights, and what they are at the start; then for every 32 weights a mask of those that
 *         are something else, bit by bit, and these
 *         checksum of all of it
 *
 * It is written on the machine that reads it, or on one like it. Time: linear in the weights. Memory: none to write,
 * the file to read.
 */

#define ORDER_MARK UINT32_C(0x01020304)

enum { BLOCK = 32, BUFFER = 1 << 16 }; /* weights of a mask; bytes */

static const char magic[8] = {'V', 'O', 'U', 'C', 'H', '\r', '\n', 'C'};

struct preamble {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t digest, steps;
    uint32_t pass;
    float now;
    uint32_t note, arrays;
};

struct array_head {
    uint64_t count;
    float start;
    uint32_t zero;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Writing ---- */

/* An output whose bytes are summed up on their way. */
struct summed {
    struct output *out;
    XXH3_state_t sum;
    unsigned char buffer[BUFFER];
    size_t used;
};

static void flush(struct summed *to)
{
    XXH3_64bits_update(&to->sum, to->buffer, to->used);
    output_write(to->out, to->buffer, to->used);
    to->used = 0;
}

static void put(struct summed *to, const void *bytes, size_t count)
{
    for (size_t done = 0, n; done < count; done += n) {
        if (to->used == BUFFER)
            flush(to);
        n = least(count - done, BUFFER - to->used);
        memcpy(to->buffer + to->used, (const char *)bytes + done, n);
        to->used += n;
    }
}

/* Writes up to 32 weights: bits are compared, so that a negative zero is kept as well. */
static void put_block(struct summed *to, const float *weight, size_t n, float start)
{
    uint32_t bits[BLOCK], kept[BLOCK + 1] = {0}, usual;
    size_t count = 1;
    memcpy(bits, weight, sizeof *weight * n);
    memcpy(&usual, &start, sizeof usual);
    for (size_t i = 0; i < n; i++) {
        bool differs = bits[i] != usual;
        kept[0] |= (uint32_t)differs << i;
        kept[count] = bits[i];
        count += differs;
    }
    put(to, kept, sizeof *kept * count);
}

static void put_array(struct summed *to, const struct voice_array *array)
{
    struct array_head head = {.count = array->at ? array->count : 0, .start = array->start};
    put(to, &head, sizeof head);
    for (size_t i = 0; i < head.count; i += BLOCK)
        put_block(to, array->at + i, least(BLOCK, head.count - i), head.start);
}

bool voice_file_write(const char *path, const struct voice_record *record, struct vouch_error *err)
{
    struct preamble preamble = {.version = VOICE_FILE_VERSION,
                                .byte_order = ORDER_MARK,
                                .digest = record->digest,
                                .steps = record->steps,
                                .pass = record->pass,
                                .now = record->now,
                                .note = (uint32_t)strlen(record->note),
                                .arrays = VOICE_ARRAYS};
    struct summed *to = new_block(sizeof *to, err); /* at a multiple of 64, as the sum needs it */
    struct output *out = to ? output_open(path, err) : NULL;
    if (!out) {
        free(to);
        return false;
    }
    to->out = out;
    to->used = 0;
    XXH3_64bits_reset(&to->sum);
    memcpy(preamble.magic, magic, sizeof magic);
    put(to, &preamble, sizeof preamble);
    put(to, record->note, preamble.note);
    for (int a = 0; a < VOICE_ARRAYS; a++)
        put_array(to, &record->array[a]);
    flush(to);
    uint64_t sum = XXH3_64bits_digest(&to->sum);
    output_write(out, &sum, sizeof sum);
    free(to);
    return output_commit(out, err);
}

/* ---- Reading ---- */

/* A file in memory, and how far it was read. */
struct opened {
    const char *path;
    unsigned char *bytes; /* [size] */
    size_t size, at;      /* the size without the checksum */
};

static bool fail_damaged(const struct opened *file, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: the checkpoint is cut off or damaged", file->path);
}

static bool read_bytes(struct opened *file, int fd, struct vouch_error *err)
{
    for (size_t done = 0; done < file->size;) {
        ssize_t count = read(fd, file->bytes + done, file->size - done);
        if (count < 0 && errno != EINTR)
            return fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", file->path, strerror(errno));
        if (count == 0)
            return fail_damaged(file, err);
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Reads the file and looks at its checksum. */
static bool load(struct opened *file, struct vouch_error *err)
{
    struct stat about;
    uint64_t sum;
    int fd = open(file->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0) {
        fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", file->path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    file->size = S_ISREG(about.st_mode) ? (size_t)about.st_size : 0;
    bool ok = file->size >= sizeof(struct preamble) + sizeof sum || fail_damaged(file, err);
    file->bytes = ok ? new_block(file->size, err) : NULL;
    ok = file->bytes && read_bytes(file, fd, err);
    close(fd);
    if (!ok)
        return false;
    file->size -= sizeof sum;
    memcpy(&sum, file->bytes + file->size, sizeof sum);
    return sum == hash_bytes(file->bytes, file->size) || fail_damaged(file, err);
}

static bool take(struct opened *file, void *into, size_t count, struct vouch_error *err)
{
    if (count > file->size - file->at)
        return fail_damaged(file, err);
    memcpy(into, file->bytes + file->at, count);
    file->at += count;
    return true;
}

static bool take_block(struct opened *file, float *weight, size_t n, float start, struct vouch_error *err)
{
    uint32_t mask = 0;
    float kept[BLOCK];
    if (!take(file, &mask, sizeof mask, err))
        return false;
    if (n < BLOCK && mask >> n)
        return fail_damaged(file, err);
    if (!take(file, kept, sizeof *kept * (size_t)__builtin_popcount(mask), err))
        return false;
    const float *next = kept;
    for (size_t i = 0; i < n; i++)
        weight[i] = mask >> i & 1 ? *next++ : start;
    return true;
}

static bool take_array(struct opened *file, struct voice_array *array, struct vouch_error *err)
{
    struct array_head head;
    if (!take(file, &head, sizeof head, err))
        return false;
    if (head.count != 0 && head.count != array->count)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of %zu weights, found %llu", file->path,
                    array->count, (unsigned long long)head.count);
    array->count = head.count;
    array->start = head.start;
    for (size_t i = 0; i < array->count; i += BLOCK)
        if (!take_block(file, array->at + i, least(BLOCK, array->count - i), head.start, err))
            return false;
    return true;
}

static bool take_preamble(struct opened *file, struct voice_record *record, uint32_t *note, struct vouch_error *err)
{
    struct preamble p;
    if (!take(file, &p, sizeof p, err))
        return false;
    if (memcmp(p.magic, magic, sizeof magic) != 0 || p.byte_order != ORDER_MARK || p.arrays != VOICE_ARRAYS)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of this machine, found something else",
                    file->path);
    if (p.version != VOICE_FILE_VERSION)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of format %d, found %u", file->path,
                    VOICE_FILE_VERSION, p.version);
    if (p.digest != record->digest)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of this training, found one of another",
                    file->path);
    record->steps = p.steps;
    record->pass = p.pass;
    record->now = p.now;
    *note = p.note;
    return true;
}

static bool take_all(struct opened *file, struct voice_record *record, struct vouch_error *err)
{
    uint32_t note = 0;
    if (!take_preamble(file, record, &note, err))
        return false;
    if (note > file->size - file->at)
        return fail_damaged(file, err);
    record->note = new_array((size_t)note + 1, 1, err);
    bool ok = record->note && take(file, record->note, note, err);
    for (int a = 0; ok && a < VOICE_ARRAYS; a++)
        ok = take_array(file, &record->array[a], err);
    return ok && (file->at == file->size || fail_damaged(file, err));
}

bool voice_file_read(const char *path, struct voice_record *record, struct vouch_error *err)
{
    struct opened file = {.path = path};
    record->note = NULL;
    bool ok = load(&file, err) && take_all(&file, record, err);
    free(file.bytes);
    return ok;
}
