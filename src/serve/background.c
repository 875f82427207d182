/* Learning in the background: one thread, which goes on until nothing is left to learn. */
#include "serve/background.h"

#include "base/buffer.h"
#include "base/watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_TEXTS = 1000 };

/* The last text of somebody for a model. */
struct kept_text {
    char *name, *task, *by;
    char *path; /* of the model that was served under that name; NULL: none, or it had no file */
    struct buffer text;
    bool fresh; /* it was not learned from yet */
};

struct background {
    struct models *models;
    const struct vouch_watch *watch;
    pthread_mutex_t mutex; /* guards all below */
    struct kept_text *kept;
    size_t count, capacity;
    bool running, started; /* the thread; `started` is there to be joined */
    pthread_t thread;
    const char *learning; /* the name of the model that is being learned; NULL: none */
    atomic_bool stops;
};

struct background *background_open(struct models *models, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct background *b = new_array(1, sizeof *b, err);
    if (!b)
        return NULL;
    b->models = models;
    b->watch = watch;
    pthread_mutex_init(&b->mutex, NULL);
    return b;
}

static void release_text(struct kept_text *kept)
{
    free(kept->name);
    free(kept->task);
    free(kept->by);
    free(kept->path);
    free(kept->text.bytes);
}

void background_close(struct background *b)
{
    if (!b)
        return;
    atomic_store(&b->stops, true);
    if (b->started)
        pthread_join(b->thread, NULL);
    for (size_t i = 0; i < b->count; i++)
        release_text(&b->kept[i]);
    free(b->kept);
    pthread_mutex_destroy(&b->mutex);
    free(b);
}

/* ---- Learning ---- */

static int stops(void *context)
{
    struct background *b = context;
    return atomic_load(&b->stops);
}

/* Writes a file of its own, whose name is returned; to free(), and to be removed. */
static char *write_file(const struct buffer *text, struct vouch_error *err)
{
    const char *folder = getenv("TMPDIR");
    char *path = path_in(folder && *folder ? folder : "/tmp", err, "vouch-lesson-XXXXXX");
    const int file = path ? mkstemp(path) : -1;
    bool ok = file >= 0;
    for (size_t at = 0; ok && at < text->length;) {
        const ssize_t written = write(file, text->bytes + at, text->length - at);
        ok = written > 0;
        at += ok ? (size_t)written : 0;
    }
    if (file >= 0)
        ok = close(file) == 0 && ok;
    if (ok || !path)
        return path;
    fail(err, VOUCH_ERR_IO, "%s: cannot be written", path);
    if (file >= 0)
        unlink(path);
    free(path);
    return NULL;
}

static bool set(vouch_options *options, const char *name, const char *value, struct vouch_error *err)
{
    return vouch_options_set(options, name, value, err) == VOUCH_OK;
}

/* Learns from a file: a new model, or on from the one in `path`. */
static vouch_model *learn(struct background *b, const char *task, const char *path, const char *file,
                          struct vouch_error *err)
{
    const struct vouch_watch watch = {.size = sizeof watch, .context = b, .stop = stops};
    vouch_options *options = vouch_options_new("train", err);
    vouch_model *model = NULL;
    if (options && (path ? set(options, "from", path, err) : set(options, "task", task, err)) &&
        set(options, "format", "jsonl", err))
        model = vouch_train(options, &file, 1, &watch, err);
    vouch_options_free(options);
    if (model && err->status == VOUCH_ERR_STOPPED) {
        vouch_model_close(model);
        model = NULL;
    }
    return model;
}

/* Learns from a text and serves the model. */
static bool teach(struct background *b, const struct kept_text *lesson, struct vouch_error *err)
{
    char *file = write_file(&lesson->text, err);
    vouch_model *model = file ? learn(b, lesson->task, lesson->path, file, err) : NULL;
    const bool ok = model && models_put(b->models, lesson->name, model, NULL, err);
    if (file)
        unlink(file);
    free(file);
    return ok;
}

static char *copy_of(const char *text, struct vouch_error *err)
{
    return text ? new_string(text, strlen(text), err) : NULL;
}

/* With the mutex: copies all texts for the model of the first one that is fresh. False if there is none. */
static bool take_texts(struct background *b, struct kept_text *all, struct vouch_error *err)
{
    size_t first = 0;
    while (first < b->count && !b->kept[first].fresh)
        first++;
    if (first == b->count || atomic_load(&b->stops))
        return false;
    const struct kept_text *of = &b->kept[first];
    all->name = copy_of(of->name, err);
    all->task = copy_of(of->task, err);
    all->path = copy_of(of->path, err);
    bool ok = all->name && all->task && (!of->path || all->path);
    for (size_t i = 0; ok && i < b->count; i++)
        if (strcmp(b->kept[i].name, all->name) == 0) {
            b->kept[i].fresh = false;
            ok = buffer_add_bytes(&all->text, buffer_text(&b->kept[i].text).at, b->kept[i].text.length, err);
        }
    return ok;
}

/* Who starts the thread again holds the mutex and waits for its end: a thread that is not running never takes it. */
static void *run(void *context)
{
    struct background *b = context;
    for (;;) {
        struct vouch_error err = {0};
        struct kept_text all = {0};
        pthread_mutex_lock(&b->mutex);
        const bool more = take_texts(b, &all, &err);
        b->running = more;
        b->learning = more ? all.name : NULL;
        pthread_mutex_unlock(&b->mutex);
        if (!more) {
            release_text(&all);
            return NULL;
        }
        if (!teach(b, &all, &err) && !atomic_load(&b->stops))
            watch_say(b->watch, VOUCH_EVENT_WARNING, "%s was not learned: %s", all.name, err.message);
        pthread_mutex_lock(&b->mutex);
        b->learning = NULL;
        pthread_mutex_unlock(&b->mutex);
        release_text(&all);
    }
}

/* ---- Lessons ---- */

/* With the mutex: finds whose text it is, or makes room for it. */
static struct kept_text *find_text(struct background *b, const struct sent_lesson *lesson, struct vouch_error *err)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->kept[i].name, lesson->name) == 0 && strcmp(b->kept[i].by, lesson->by) == 0)
            return &b->kept[i];
    if (b->count == MOST_TEXTS) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected texts of at most %d annotators and models", MOST_TEXTS);
        return NULL;
    }
    const struct served_model *served = models_take(b->models, lesson->name, ANY_MODEL, NULL);
    const char *path = served ? served->path : NULL;
    for (size_t i = 0; !path && i < b->count; i++)
        if (strcmp(b->kept[i].name, lesson->name) == 0)
            path = b->kept[i].path;
    struct kept_text kept = {.name = copy_of(lesson->name, err),
                             .task = copy_of(lesson->task, err),
                             .by = copy_of(lesson->by, err),
                             .path = copy_of(path, err)};
    const bool whole = kept.name && kept.task && kept.by && (!path || kept.path);
    models_leave(b->models, served);
    if (whole && RESERVE(b->kept, b->capacity, b->count + 1, err)) {
        b->kept[b->count] = kept;
        return &b->kept[b->count++];
    }
    release_text(&kept);
    return NULL;
}

/* With the mutex: starts the thread if it is not running. */
static bool start(struct background *b, struct vouch_error *err)
{
    if (b->running)
        return true;
    if (b->started)
        pthread_join(b->thread, NULL);
    b->started = pthread_create(&b->thread, NULL, run, b) == 0;
    b->running = b->started;
    return b->started || fail(err, VOUCH_ERR_MEMORY, "no thread could be started");
}

enum lesson_state background_learn(struct background *b, const struct sent_lesson *lesson, struct vouch_error *err)
{
    pthread_mutex_lock(&b->mutex);
    const bool busy = b->running;
    struct kept_text *kept = find_text(b, lesson, err);
    bool ok = kept != NULL;
    if (ok) {
        kept->text.length = 0;
        ok = buffer_add_bytes(&kept->text, lesson->text, lesson->length, err);
        kept->fresh = ok && lesson->length > 0;
    }
    ok = ok && (!kept->fresh || start(b, err));
    pthread_mutex_unlock(&b->mutex);
    return !ok ? LESSON_FAILED : busy ? LESSON_KEPT : LESSON_BEGUN;
}

bool background_learns(struct background *b, const char *name)
{
    pthread_mutex_lock(&b->mutex);
    bool learns = b->learning && strcmp(b->learning, name) == 0;
    for (size_t i = 0; i < b->count; i++)
        learns = learns || (b->kept[i].fresh && strcmp(b->kept[i].name, name) == 0);
    pthread_mutex_unlock(&b->mutex);
    return learns;
}
