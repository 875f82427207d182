/* Answers labelled files: see answer_files.h. */
#include "answer/answer_files.h"

#include "base/watch.h"
#include "answer/model_input.h"

/* A sink that gives up when the watch asks for it. */
struct watched_sink {
    const struct answer_sink *sink;
    const struct vouch_watch *watch;
};

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    const struct watched_sink *w = context;
    if (watch_stops(w->watch))
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    return w->sink->take(w->sink->context, sentence, answer, err);
}

static bool stop(void *context)
{
    return watch_stops(((const struct watched_sink *)context)->watch);
}

bool answer_files(const struct file_answering *how, char *const *path, size_t paths, const struct answer_sink *sink,
                  struct vouch_error *err)
{
    struct watched_sink to = {sink, how->watch};
    struct answer_sink watched = {.take = take, .context = &to, .stop = stop};
    bool ok = !how->model->given || paths < 2 ||
              fail(err, VOUCH_ERR_ARGUMENT, "--scores are of one file: expected one, found %zu", paths);
    for (size_t i = 0; ok && i < (paths ? paths : 1); i++) {
        const char *name = paths ? path[i] : NULL;
        if (how->begin)
            how->begin(how->context, name);
        struct reader *reader = reader_open(name, &how->reading, err);
        ok = reader && model_input_gold_apart(how->model, reader, how->reading.gold, err) &&
             answer_stream(how->model, how->estimator, reader, how->threads, &watched, err);
        reader_close(reader);
    }
    return ok;
}
