/* Answering labelled files: see answer_files.h. */
#include "use/answer_files.h"

#include "predict/model_input.h"

bool answer_files(const struct file_answering *how, char *const *path, size_t paths, const struct answer_sink *sink,
                  struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < (paths ? paths : 1); i++) {
        const char *name = paths ? path[i] : NULL;
        if (how->begin)
            how->begin(how->context, name);
        struct reader *reader = reader_open(name, &how->reading, err);
        ok = reader && model_input_gold_apart(how->model, reader, how->reading.gold, err) &&
             answer_stream(how->model, how->estimator, reader, how->threads, sink, err);
        reader_close(reader);
    }
    return ok;
}
