/*
 * Kills a process that writes decisions, at random moments, and looks whether any that it acknowledged is lost:
 *
 *     store_kill FOLDER KILLS SEED
 *
 * The writer is a process of its own: it opens the store as a server does, and two annotators, threads that share the
 * store by a mutex, decide and undo as fast as they can. Each decision is acknowledged on a pipe once store_decide()
 * has returned. SIGKILL comes up to two milliseconds after some of them, up to 60, or in one round of four within the
 * first 30 milliseconds, so that it meets opening, the making of a new log, checkpoints and commits. Then the
 * acknowledgements of the round are compared with the store, which must be whole (integrity_check); in the end all are,
 * by store_check(), too.
 *
 * With KILLS below 0, so many power cuts instead: writes that were not synced to the disk are taken back, any of them
 * or all, as a machine may do that loses its power (unsynced.h).
 *
 * Prints one line; the status is 1 if anything was lost.
 */
#define _DEFAULT_SOURCE /* usleep */
#include "base/random.h"
#include "store/store.h"

#include "unsynced.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANNOTATORS = 2, SENTENCES = 50, LABELS = 4 };

static const char *const labels[LABELS] = {"B-PER", "I-PER", "O", "B-LOC"};

/* An acknowledgement; smaller than what a pipe writes as a whole. */
struct receipt {
    int64_t id, annotator, sentence;
    uint64_t number;
    uint32_t label[2];
};

struct writer {
    struct store *store;
    pthread_mutex_t mutex;
    int pipe;
    uint64_t round, seed;
    long power; /* decisions until the power is cut; 0: never */
};

static void give_up(const char *what, const struct vouch_error *err)
{
    fprintf(stderr, "store_kill: %s: %s\n", what, err->message);
    _exit(3);
}

/* Decides once; the key tells which decision it is. */
static void decide_once(struct writer *w, int64_t annotator, struct rng *random, uint64_t number)
{
    struct vouch_error err = {0};
    struct receipt receipt = {.annotator = annotator, .sentence = 1 + rng_below(random, SENTENCES), .number = number,
                              .label = {rng_below(random, LABELS), rng_below(random, LABELS)}};
    struct text label[2] = {text_of(labels[receipt.label[0]]), text_of(labels[receipt.label[1]])};
    char key[64];
    snprintf(key, sizeof key, "%llu-%llu", (unsigned long long)w->round, (unsigned long long)number);
    struct store_decision decision = {.annotator = annotator, .sentence = receipt.sentence, .kind = DECISION_EDIT,
                                      .key = key, .after = {.words = 2, .label = label}, .confidence = 0.5,
                                      .seconds = 1, .details = "{\"alternatives\": [0.5, 0.25]}"};
    pthread_mutex_lock(&w->mutex);
    bool ok = store_decide(w->store, &decision, &receipt.id, &err);
    if (!ok)
        give_up("deciding", &err);
    if (write(w->pipe, &receipt, sizeof receipt) != sizeof receipt)
        _exit(4);
    if (w->power && --w->power == 0)
        unsynced_cut(random);
    pthread_mutex_unlock(&w->mutex);
}

struct annotator {
    struct writer *writer;
    int64_t id;
};

static void *annotate(void *context)
{
    struct annotator *a = context;
    struct rng random = rng_new(a->writer->seed, a->writer->round * ANNOTATORS + (uint64_t)a->id);
    for (uint64_t number = (uint64_t)a->id;; number += ANNOTATORS)
        decide_once(a->writer, a->id, &random, number);
    return NULL;
}

/* What the process does that is killed. */
static void write_decisions(const char *path, int pipe, uint64_t round, uint64_t seed, long power)
{
    struct vouch_error err = {0};
    struct writer w = {.pipe = pipe, .round = round, .seed = seed, .power = power,
                       .mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[ANNOTATORS];
    struct annotator annotator[ANNOTATORS];
    if (power && !unsynced_watch())
        _exit(5);
    w.store = store_open(path, STORE_WRITE, &err);
    if (!w.store)
        give_up("opening", &err);
    for (int i = 0; i < ANNOTATORS; i++) {
        annotator[i] = (struct annotator){&w, i + 1};
        pthread_create(&thread[i], NULL, annotate, &annotator[i]);
    }
    for (int i = 0; i < ANNOTATORS; i++)
        pthread_join(thread[i], NULL);
}

/* What was acknowledged in all rounds, and what is in the store. */
struct tally {
    struct receipt *receipt;
    uint64_t *round;
    size_t receipts, capacity, rounds_capacity;
    size_t next;
    uint64_t found, lost, unknown;
    const char *why;
};

static bool look_at_decision(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct tally *t = context;
    (void)err;
    t->found++;
    while (t->next < t->receipts && t->receipt[t->next].id < d->id) { /* its decision is not there */
        t->lost++;
        t->next++;
    }
    if (t->next == t->receipts || t->receipt[t->next].id != d->id) {
        t->unknown++; /* written, but the acknowledgement did not get out */
        return true;
    }
    const struct receipt *r = &t->receipt[t->next];
    char key[64];
    snprintf(key, sizeof key, "%llu-%llu", (unsigned long long)t->round[t->next], (unsigned long long)r->number);
    bool same = strcmp(d->key, key) == 0 && d->annotator == r->annotator && d->sentence == r->sentence && d->stands &&
                d->after.words == 2 && text_is(d->after.label[0], labels[r->label[0]]) &&
                text_is(d->after.label[1], labels[r->label[1]]);
    t->lost += !same;
    t->next++;
    return true;
}

static bool note_problem(void *context, const char *problem, struct vouch_error *err)
{
    (void)context;
    return fail(err, VOUCH_ERR_FORMAT, "the store is not whole: %s", problem);
}

/* Compares the store, which opening checks, with acknowledgements from number `from` on; from 0 on, all of it. */
static bool look_at_store(const char *path, struct tally *t, size_t from, struct vouch_error *err)
{
    struct store *store = store_open(path, STORE_WRITE, err);
    struct decision_query since = {.after_id = from ? t->receipt[from - 1].id : 0};
    t->next = from;
    t->found = t->lost = t->unknown = 0;
    bool ok = store && store_decisions(store, &since, look_at_decision, t, err) &&
              (from > 0 || store_check(store, note_problem, NULL, err));
    t->lost += t->receipts - t->next;
    store_close(store);
    return ok;
}

/* Takes so many acknowledgements, or all that there are. */
static bool take_receipts(struct tally *t, int pipe, uint64_t round, size_t most, struct vouch_error *err)
{
    struct receipt receipt;
    ssize_t got = 0;
    while (most-- > 0 && (got = read(pipe, &receipt, sizeof receipt)) == sizeof receipt) {
        if (!RESERVE(t->receipt, t->capacity, t->receipts + 1, err) ||
            !RESERVE(t->round, t->rounds_capacity, t->receipts + 1, err))
            return false;
        t->round[t->receipts] = round;
        t->receipt[t->receipts++] = receipt;
    }
    return got == 0 || got == sizeof receipt ||
           fail(err, VOUCH_ERR_IO, "expected whole receipts, found a part of one");
}

/* Lets a writer run until it is killed, and adds what it acknowledged. */
static bool one_round(const char *path, uint64_t round, uint64_t seed, bool power, struct tally *t,
                      struct vouch_error *err)
{
    struct rng random = rng_new(seed, UINT64_C(1) << 40 | round);
    int ends[2], status;
    if (pipe(ends) != 0)
        return fail(err, VOUCH_ERR_IO, "pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        write_decisions(path, ends[1], round, seed, power ? 1 + (long)rng_below(&random, 60) : 0);
        _exit(1);
    }
    close(ends[1]);
    bool ok = true, early = rng_below(&random, 4) == 0;
    if (!power) {
        ok = early || take_receipts(t, ends[0], round, 1 + rng_below(&random, 60), err);
        usleep(rng_below(&random, early ? 30000 : 2000));
        kill(child, SIGKILL);
    }
    ok = ok && take_receipts(t, ends[0], round, SIZE_MAX, err);
    close(ends[0]);
    waitpid(child, &status, 0);
    bool as_asked = power ? WIFEXITED(status) && WEXITSTATUS(status) == UNSYNCED_STATUS : WIFSIGNALED(status);
    return ok && (as_asked || fail(err, VOUCH_ERR_IO, "the writer ended by itself, with status %d", status));
}

static bool make_store(const char *path, struct vouch_error *err)
{
    struct store *store = store_open(path, STORE_WRITE, err);
    struct buffer text = {0};
    static const struct reader_options usual;
    int64_t id;
    bool ok = store != NULL;
    for (int i = 0; ok && i < SENTENCES; i++)
        ok = buffer_print(&text, err, "word%d O\nend O\n\n", i);
    ok = ok && store_add_bytes(store, text.bytes, text.length, "corpus", &usual, &id, err) &&
         store_add_annotator(store, "a", NULL, &id, err) && store_add_annotator(store, "b", NULL, &id, err);
    free(text.bytes);
    store_close(store);
    return ok;
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    struct tally t = {0};
    if (argc != 4) {
        fprintf(stderr, "usage: store_kill FOLDER KILLS SEED\n");
        return 2;
    }
    long kills = strtol(argv[2], NULL, 10);
    uint64_t seed = strtoull(argv[3], NULL, 10);
    bool power = kills < 0, ok;
    char *path = path_in(argv[1], &err, "killed.sqlite");
    ok = path && make_store(path, &err);
    uint64_t round = 0;
    for (; ok && round < (uint64_t)labs(kills) && t.lost == 0; round++) {
        size_t before = t.receipts;
        ok = one_round(path, round, seed, power, &t, &err) && look_at_store(path, &t, before, &err);
    }
    ok = ok && t.lost == 0 && look_at_store(path, &t, 0, &err);
    if (!ok)
        fprintf(stderr, "store_kill: seed %llu, round %llu: %s\n", (unsigned long long)seed,
                (unsigned long long)round, err.message);
    printf("%llu %s: %zu decisions acknowledged, %llu lost; %llu written without an acknowledgement\n",
           (unsigned long long)round, power ? "power cuts" : "kills", t.receipts, (unsigned long long)t.lost,
           (unsigned long long)t.unknown);
    free(path);
    free(t.receipt);
    free(t.round);
    return ok && t.lost == 0 ? 0 : 1;
}
