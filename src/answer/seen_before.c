/* Warns of files that were learned from: see seen_before.h. */
#include "answer/seen_before.h"

#include "base/watch.h"

#include <string.h>

void warn_of_training(const struct vouch_watch *watch, const struct vouch_model *model, char *const *path, size_t paths,
                      const char *then)
{
    const json_t *files = json_object_get(json_object_get(model->header, "training"), "files");
    for (size_t f = 0; f < json_array_size(files); f++)
        for (size_t i = 0; i < paths; i++) {
            const char *file = json_string_value(json_array_get(files, f));
            if (file && strcmp(file, path[i]) == 0)
                watch_say(watch, VOUCH_EVENT_WARNING, "warning: the model was trained on %s and %s", file, then);
        }
}

void warn_of_seen(const struct vouch_watch *watch, uint64_t seen, uint64_t sentences, const char *where,
                  const char *then)
{
    if (sentences && seen >= sentences - seen)
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %llu of %llu sentence%s%s%s %s learned from: %s",
                  (unsigned long long)seen, (unsigned long long)sentences, sentences == 1 ? "" : "s",
                  where ? " of " : "", where ? where : "", seen == 1 ? "was" : "were", then);
}

void warn_of_unknown_labels(const struct vouch_watch *watch)
{
    watch_say(watch, VOUCH_EVENT_WARNING,
              "warning: the model knows none of the gold labels: is it the right column (--gold)?");
}

bool refuse_fitted_on(const struct vouch_model *model, char *const *path, size_t paths, struct vouch_error *err)
{
    const json_t *files = json_object_get(json_object_get(model->header, "confidence"), "files");
    for (size_t k = 0; k < paths; k++)
        for (size_t i = 0; i < json_array_size(files); i++) {
            const char *file = json_string_value(json_array_get(files, i));
            if (file && strcmp(file, path[k]) == 0)
                return fail(err, VOUCH_ERR_ARGUMENT,
                            "%s: the model's confidence was tuned on this file: expected other sentences, whose "
                            "probabilities are not fitted to them",
                            file);
        }
    return true;
}
