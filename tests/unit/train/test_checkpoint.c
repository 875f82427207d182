/*
 * Tests checkpoints: a voice that is kept and found again goes on to the same bits, whoever learned it and wherever it
 * was broken off; files that are damaged, or of something else, are refused.
 */
#include "folder.h"
#include "train/checkpoint.h"

#include "base/hash.h"

#include "random_corpus.h"

#include <sys/stat.h>

enum { PASSES = 5 };

FIXTURE(make_all)
{
    return draw_corpus(state) == 0 ? folder_make(state) : -1;
}

FILE_FIXTURE(make_all, folder_remove);

static json_t *plan_of(const char *passes)
{
    return json_pack("{s:s, s:s}", "vouch", "1", "--passes", passes);
}

/* Opens the folder "c", and begins or goes on. */
static struct checkpoint *opened(bool resume)
{
    json_t *plan = plan_of("5");
    struct checkpoint *checkpoint = checkpoint_open(folder_file("c"), resume, NULL, &err);
    MUST(checkpoint && checkpoint_begin(checkpoint, plan, &err));
    json_decref(plan);
    return checkpoint;
}

/* Does so, with a voice in it. */
static struct checkpoint *opened_with_voice(bool resume)
{
    struct checkpoint *checkpoint = opened(resume);
    folder_put("c/some.voice", "a voice");
    return checkpoint;
}

/* Removes the folder "c" with all that is in it. */
static void clear(void)
{
    struct checkpoint *checkpoint = opened(true);
    checkpoint_remove(checkpoint);
    checkpoint_close(checkpoint);
    assert_int_not_equal(access(folder_file("c"), F_OK), 0);
}

/* ---- Learning with and without a break ---- */

struct learned {
    struct checkpoint_voice kept;
    uint32_t passes, stop_after; /* the power is cut after this pass was kept */
};

static bool keep(void *self, struct voice *voice, uint32_t pass, struct vouch_error *error)
{
    struct learned *learned = self;
    struct voice_state state = {
        .voice = voice, .last = pass == learned->passes, .pass = pass, .note = json_pack("{s:i}", "n", (int)pass)};
    bool ok = voice_state_keep(&learned->kept, &state, error);
    json_decref(state.note);
    if (ok && pass == learned->stop_after) {
        error->status = VOUCH_ERR_IO;
        return false;
    }
    return ok;
}

static bool recall(void *self, struct voice *voice, uint32_t *pass, struct vouch_error *error)
{
    const struct learned *learned = self;
    struct voice_state state = {.voice = voice};
    bool ok = voice_state_recall(&learned->kept, &state, error);
    *pass = state.pass;
    if (ok && state.note)
        assert_int_equal(json_integer_value(json_object_get(state.note, "n")), state.pass);
    json_decref(state.note);
    return ok;
}

static struct training_options options_of(const struct learner *learner, uint32_t shards, uint32_t threads)
{
    return (struct training_options){
        .learner = learner,
        .parameters = {.C = 1, .phi = 1, .variance = 0.5, .rate = 0.25, .l2 = 0.05, .K = 2},
        .passes = PASSES,
        .seed = 3,
        .shards = shards,
        .threads = threads};
}

/* Learns in the folder "c", up to the pass, or to the end. */
static bool learn(struct training_options options, uint32_t stop_after, struct voice *voice)
{
    struct subset subset = {NULL, COUNT};
    struct checkpoint *checkpoint = opened(true);
    struct learned learned = {checkpoint_voice(checkpoint, "model-label", &options, subset, &examples.space),
                              options.passes, stop_after};
    struct voice_checkpoint hook = {&learned, recall, keep};
    learned.kept.patience = 0; /* every pass is kept */
    bool stopped;
    options.checkpoint = &hook;
    MUST(voice_start(&examples, &options, voice, &err));
    bool ok = train_on(&examples, subset, &options, voice, &stopped, &err);
    checkpoint_close(checkpoint);
    return ok;
}

static void assert_same(const struct voice *a, const struct voice *b)
{
    float *of_a = malloc(sizeof *of_a * (a->size + SLACK)), *of_b = malloc(sizeof *of_b * (b->size + SLACK));
    assert_int_equal(a->steps, b->steps);
    assert_memory_equal(a->mean, b->mean, sizeof *a->mean * a->size);
    assert_memory_equal(a->late, b->late, sizeof *a->late * a->size);
    if (a->var)
        assert_memory_equal(a->var, b->var, sizeof *a->var * a->size);
    voice_average(a, of_a);
    voice_average(b, of_b);
    assert_memory_equal(of_a, of_b, sizeof *of_a * (a->size + SLACK));
    free(of_a);
    free(of_b);
}

TEST(learning_goes_on_to_the_same_bits)
{
    for (const struct learner *const *l = learners; *l; l++)
        for (uint32_t shards = 1; shards <= 4; shards += 3)
            for (uint32_t cut = 0; cut <= PASSES; cut++) {
                struct training_options options = options_of(*l, shards, 1);
                struct voice whole, before, after;
                bool stopped;
                MUST(train_voice(&examples, (struct subset){NULL, COUNT}, &options, &whole, &stopped, &err));
                assert_int_equal(learn(options, cut, &before), cut == 0);
                assert_true(learn(options_of(*l, shards, 3), 0, &after));
                assert_same(&whole, &after);
                voice_release(&whole);
                voice_release(&before);
                voice_release(&after);
                clear();
            }
}

/* Each pass alone, by another process. */
TEST(learning_is_broken_off_after_every_pass)
{
    struct training_options options = options_of(&log_likelihood, 4, 2);
    struct voice whole, voice;
    bool stopped;
    MUST(train_voice(&examples, (struct subset){NULL, COUNT}, &options, &whole, &stopped, &err));
    for (uint32_t pass = 1; pass <= PASSES; pass++) {
        assert_false(learn(options, pass, &voice));
        voice_release(&voice);
    }
    assert_true(learn(options, 0, &voice));
    assert_same(&whole, &voice);
    voice_release(&whole);
    voice_release(&voice);
    clear();
}

TEST(other_voices_are_refused)
{
    struct voice voice;
    struct training_options options = options_of(&log_likelihood, 1, 1), other[4];
    assert_false(learn(options, 2, &voice));
    voice_release(&voice);
    for (int i = 0; i < 4; i++)
        other[i] = options;
    other[0].parameters.rate = 0.5;
    other[1].seed = 4;
    other[2].shards = 2;
    other[3].learner = &perceptron;
    for (int i = 0; i < 4; i++) {
        assert_false(learn(other[i], 0, &voice));
        assert_non_null(strstr(err.message, "c/model-label.voice: expected a checkpoint of this training"));
        voice_release(&voice);
    }
    clear();
}

/* With all patience in the world, only the first pass is kept. */
TEST(what_is_learned_soon_is_not_kept)
{
    struct training_options options = options_of(&perceptron, 1, 1);
    struct checkpoint *checkpoint = opened(false);
    struct voice voice;
    struct checkpoint_voice place =
        checkpoint_voice(checkpoint, "model-label", &options, (struct subset){NULL, COUNT}, &examples.space);
    MUST(voice_start(&examples, &options, &voice, &err));
    place.patience = 1e9;
    for (uint32_t pass = 1; pass <= 3; pass++) {
        struct voice_state kept = {.voice = &voice, .pass = pass, .note = json_object()};
        MUST(voice_state_keep(&place, &kept, &err));
        json_decref(kept.note);
    }
    struct voice_state found = {.voice = &voice};
    MUST(voice_state_recall(&place, &found, &err));
    assert_int_equal(found.pass, 1);
    json_decref(found.note);
    voice_release(&voice);
    checkpoint_close(checkpoint);
    clear();
}

/* ---- The folder ---- */

TEST(the_folder_is_empty_or_resumed)
{
    struct checkpoint *first = opened_with_voice(false);
    assert_false(first->goes_on);
    assert_null(checkpoint_open(folder_file("c"), true, NULL, &err));
    assert_non_null(strstr(err.message, "another process"));
    checkpoint_close(first);

    assert_null(checkpoint_open(folder_file("c"), false, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "expected --resume or an empty folder"));

    struct checkpoint *again = opened(true);
    assert_true(again->goes_on);
    checkpoint_remove(again);
    checkpoint_close(again);
    assert_int_equal(folder_count(), 0);

    /* One that was there stays, and so does what others put there. */
    mkdir(folder_file("c"), 0777);
    first = opened(true);
    checkpoint_close(first);
    folder_put("c/notes.txt", "mine");
    again = opened(true);
    checkpoint_remove(again);
    checkpoint_close(again);
    assert_int_equal(access(folder_file("c/notes.txt"), F_OK), 0);
    assert_null(checkpoint_open(folder_file("c"), true, NULL, &err));
    assert_non_null(strstr(err.message, "found other files"));
    remove(folder_file("c/notes.txt"));
    rmdir(folder_file("c"));
}

/* What a process was writing when it was killed goes with the rest. */
TEST(an_abandoned_file_is_removed)
{
    checkpoint_close(opened(false));
    folder_put("c/.vouch-1-0.tmp", "half of it");
    clear();
}

/* A second rank that has found the pass `found_there`, counted from 1; 0: nothing. */
static uint64_t found_there;

static bool sum_of_one(void *self, int64_t *number, size_t count, struct vouch_error *error)
{
    (void)self, (void)number, (void)count, (void)error;
    return true;
}

static bool unite_with_other(void *self, uint64_t *bits, size_t count, struct vouch_error *error)
{
    (void)self, (void)error;
    assert_int_equal(count, 2);
    bits[0] |= found_there;
    bits[1] |= ~found_there;
    return true;
}

TEST(ranks_find_the_same)
{
    const struct ranks ranks = {.count = 2, .sum = sum_of_one, .unite = unite_with_other};
    struct training_options options = options_of(&perceptron, 2, 1);
    struct subset all = {NULL, COUNT};
    json_t *plan = plan_of("5");
    struct checkpoint *checkpoint = checkpoint_open(folder_file("c"), false, &ranks, &err);
    MUST(checkpoint && checkpoint_begin(checkpoint, plan, &err));
    struct checkpoint_voice missing = checkpoint_voice(checkpoint, "missing", &options, all, &examples.space);
    struct checkpoint_voice noted = checkpoint_voice(checkpoint, "noted", &options, all, &examples.space);
    struct voice_state found = {.pass = 2, .note = json_object()};
    MUST(voice_state_keep(&noted, &found, &err));
    json_decref(found.note);
    for (found_there = 0; found_there < 5; found_there++) {
        assert_int_equal(voice_state_recall(&missing, &found, &err), found_there == 0);
        assert_null(found.note);
        assert_int_equal(voice_state_recall(&noted, &found, &err), found_there == 3);
        assert_int_equal(found.note != NULL, found_there == 3);
        json_decref(found.note);
    }
    assert_non_null(strstr(err.message, "expected a folder that all ranks see"));
    checkpoint_close(checkpoint);
    json_decref(plan);
    clear();
}

/* A folder that was made for nothing is not left behind. */
TEST(a_folder_without_a_plan_is_removed)
{
    checkpoint_close(checkpoint_open(folder_file("c"), false, NULL, &err));
    assert_int_equal(folder_count(), 0);
}

/* A process that was killed before it had learned anything leaves nothing that the next one, with any plan, minds. */
TEST(a_plan_without_voices_is_replaced)
{
    json_t *other = plan_of("6");
    for (int resume = 0; resume < 2; resume++) {
        checkpoint_close(opened(false));
        struct checkpoint *again = checkpoint_open(folder_file("c"), resume, NULL, &err);
        assert_non_null(again);
        assert_false(again->goes_on);
        MUST(checkpoint_begin(again, other, &err));
        folder_put("c/some.voice", "a voice");
        checkpoint_close(again);
        again = checkpoint_open(folder_file("c"), true, NULL, &err);
        assert_true(again && again->goes_on);
        MUST(checkpoint_begin(again, other, &err)); /* it is the plan of now */
        checkpoint_remove(again);
        checkpoint_close(again);
        assert_int_equal(folder_count(), 0);
    }
    json_decref(other);
}

/* One that was killed earlier still has left an empty folder, which is the program's own all the same. */
TEST(an_empty_folder_that_was_left_is_removed_in_the_end)
{
    struct checkpoint *killed = checkpoint_open(folder_file("c"), false, NULL, &err);
    killed->made = false; /* it does not get to remove it */
    checkpoint_close(killed);
    assert_int_equal(access(folder_file("c"), F_OK), 0);
    struct checkpoint *again = opened(false);
    checkpoint_remove(again);
    checkpoint_close(again);
    assert_int_equal(folder_count(), 0);
}

/* What cannot be removed can still be gone on with, or removed later. */
TEST(the_plan_stays_with_the_voices)
{
    struct checkpoint *checkpoint = opened_with_voice(false);
    mkdir(folder_file("c/stuck.voice"), 0777);
    checkpoint_remove(checkpoint);
    checkpoint_close(checkpoint);
    assert_int_equal(access(folder_file("c/plan.json"), F_OK), 0);
    assert_int_not_equal(access(folder_file("c/some.voice"), F_OK), 0);
    rmdir(folder_file("c/stuck.voice"));
    clear();
}

/* ---- Writes that fail ---- */

static int warnings;

static void count_warning(void *context, const struct vouch_event *event)
{
    (void)context;
    assert_int_equal(event->kind, VOUCH_EVENT_WARNING);
    assert_non_null(strstr(event->text, "c/model-label.voice: cannot"));
    assert_non_null(strstr(event->text, "learning goes on without further checkpoints"));
    warnings++;
}

TEST(learning_goes_on_if_a_file_cannot_be_written)
{
    const struct vouch_watch watch = {.size = sizeof watch, .tell = count_warning};
    struct training_options options = options_of(&log_likelihood, 1, 1);
    struct subset all = {NULL, COUNT};
    struct checkpoint *checkpoint = opened(false);
    struct checkpoint_voice blocked = checkpoint_voice(checkpoint, "model-label", &options, all, &examples.space);
    struct checkpoint_voice other = checkpoint_voice(checkpoint, "other", &options, all, &examples.space);
    struct voice_state state = {.pass = 1, .note = json_object()};
    warnings = 0;
    checkpoint_warn(NULL, &watch);
    checkpoint_warn(checkpoint, &watch);
    assert_int_equal(warnings, 0);
    mkdir(folder_file("c/model-label.voice"), 0777);
    for (int i = 0; i < 2; i++) {
        assert_true(voice_state_keep(&blocked, &state, &err));
        assert_int_equal(err.status, VOUCH_OK);
        assert_true(blocked.written == 0);
        assert_true(voice_state_keep(&other, &state, &err)); /* it could be written, but no more is */
        assert_false(checkpoint_voice_exists(&other));
        checkpoint_warn(checkpoint, &watch);
        assert_int_equal(warnings, 1);
    }
    json_decref(state.note);
    checkpoint_close(checkpoint);
    rmdir(folder_file("c/model-label.voice"));
    clear();
}

TEST(another_plan_is_refused)
{
    json_t *other = plan_of("6"), *more = plan_of("5");
    checkpoint_close(opened_with_voice(false));
    struct checkpoint *again = checkpoint_open(folder_file("c"), true, NULL, &err);
    assert_false(checkpoint_begin(again, other, &err));
    assert_non_null(strstr(err.message, "expected checkpoints with --passes 6, found 5"));
    json_object_set_new(more, "--tune", json_string("true"));
    assert_false(checkpoint_begin(again, more, &err));
    assert_non_null(strstr(err.message, "expected checkpoints with --tune true, found none"));
    checkpoint_close(again);
    json_decref(other);
    json_decref(more);
    clear();
}

/* Flips a bit of every byte of the plan in turn, and cuts it everywhere: it is refused, or says the same. */
TEST(a_damaged_plan_is_refused)
{
    checkpoint_close(opened_with_voice(false));
    char *text = folder_get(folder_file("c/plan.json"));
    size_t length = strlen(text), refused = 0;
    json_t *plan = plan_of("5");
    for (size_t i = 0; i < 2 * length; i++) {
        size_t cut = i < length ? length : i - length;
        char *damaged = strdup(text);
        if (i < length)
            damaged[i] ^= (char)(1 << i % 7);
        folder_put_bytes("c/plan.json", damaged, cut);
        free(damaged);
        struct checkpoint *again = checkpoint_open(folder_file("c"), true, NULL, &err);
        refused += !checkpoint_begin(again, plan, &err);
        checkpoint_close(again);
    }
    assert_true(refused > 2 * length - 40); /* blanks */
    folder_put("c/plan.json", text);
    free(text);
    json_decref(plan);
    clear();
}

/* ---- The file ---- */

enum { WEIGHTS = 75 };

/* Weights of which some are as at the start, one is a negative zero, and one is not a number. */
static void fill(float *weight, float start, uint64_t seed)
{
    struct rng rng = rng_new(seed, 1);
    for (uint32_t i = 0; i < WEIGHTS; i++)
        weight[i] = rng_below(&rng, 3) ? start : (float)rng_below(&rng, 1000) / 7;
    weight[33] = -0.0f;
    weight[WEIGHTS - 1] = NAN;
}

static struct voice_record record_of(float weight[2][WEIGHTS], char *note)
{
    return (struct voice_record){.digest = 77,
                                 .steps = 1234567890123,
                                 .pass = 9,
                                 .now = 0.1f,
                                 .note = note,
                                 .array = {{weight[0], WEIGHTS, 0}, [3] = {weight[1], WEIGHTS, 0.25f}}};
}

static const char *write_file(float weight[2][WEIGHTS])
{
    char note[] = "{\"loss\": 0.125}";
    struct voice_record record = record_of(weight, note);
    fill(weight[0], 0, 1);
    fill(weight[1], 0.25f, 2);
    MUST(voice_file_write(folder_file("file"), &record, &err));
    return folder_file("file");
}

TEST(a_file_holds_every_bit)
{
    float weight[2][WEIGHTS], found[2][WEIGHTS], none[WEIGHTS];
    const char *path = write_file(weight);
    struct voice_record record = record_of(found, NULL);
    record.array[1] = (struct voice_array){none, WEIGHTS, 0}; /* the file does not have it */
    record.pass = 0;
    record.steps = 0;
    MUST(voice_file_read(path, &record, &err));
    assert_memory_equal(weight, found, sizeof weight);
    assert_int_equal(record.pass, 9);
    assert_int_equal(record.steps, 1234567890123);
    assert_true(record.now == 0.1f);
    assert_int_equal(record.array[1].count, 0);
    assert_string_equal(record.note, "{\"loss\": 0.125}");
    free(record.note);
}

/* Returns the bytes of a file, and one more, to free(). */
static unsigned char *bytes_of(const char *path, size_t *length)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    *length = (size_t)about.st_size;
    unsigned char *bytes = calloc(*length + 1, 1);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

TEST(a_damaged_file_is_refused)
{
    float weight[2][WEIGHTS], found[2][WEIGHTS];
    const char *path = write_file(weight);
    size_t length;
    unsigned char *bytes = bytes_of(path, &length);
    for (size_t i = 0; i < 2 * length + 1; i++) {
        struct voice_record record = record_of(found, NULL);
        size_t cut = i < length ? length : i - length;
        cut += cut == length && i == 2 * length; /* a byte too many */
        if (i < length)
            bytes[i] ^= (unsigned char)(1 << i % 8);
        folder_put_bytes("file", bytes, cut);
        if (i < length)
            bytes[i] ^= (unsigned char)(1 << i % 8);
        assert_false(voice_file_read(path, &record, &err));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_non_null(strstr(err.message, "file: the checkpoint is cut off or damaged"));
        free(record.note);
    }
    free(bytes);
}

/* With a checksum that is right, every wrong byte is refused or read as a weight, and nothing outside is touched. */
TEST(a_forged_file_does_no_harm)
{
    float weight[2][WEIGHTS];
    const char *path = write_file(weight);
    size_t length, refused = 0;
    unsigned char *bytes = bytes_of(path, &length);
    float(*found)[WEIGHTS] = malloc(sizeof weight);
    for (size_t i = 0; i < length - 8; i++) {
        struct voice_record record = record_of(found, NULL);
        bytes[i] ^= (unsigned char)(1 << i % 8);
        uint64_t sum = hash_bytes(bytes, length - 8);
        memcpy(bytes + length - 8, &sum, sizeof sum);
        folder_put_bytes("file", bytes, length);
        bytes[i] ^= (unsigned char)(1 << i % 8);
        refused += !voice_file_read(path, &record, &err);
        free(record.note);
    }
    assert_true(refused > 16 && refused < length);
    free(found);
    free(bytes);
}

/* A file may be whole, and of something else. */
TEST(a_file_of_something_else_is_refused)
{
    float weight[2][WEIGHTS], found[2][WEIGHTS + 1];
    const char *path = write_file(weight);
    struct voice_record other = {.digest = 78, .array = {{found[0], WEIGHTS, 0}, [3] = {found[1], WEIGHTS, 0}}};
    assert_false(voice_file_read(path, &other, &err));
    assert_non_null(strstr(err.message, "of this training"));
    free(other.note);
    other = (struct voice_record){.digest = 77, .array = {{found[0], WEIGHTS + 1, 0}, [3] = {found[1], WEIGHTS, 0}}};
    assert_false(voice_file_read(path, &other, &err));
    assert_non_null(strstr(err.message, "expected a checkpoint of 76 weights, found 75"));
    free(other.note);
    assert_false(voice_file_read(folder_file("missing"), &other, &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
}
