/* Keeps models that were learned here: see kept_models.h. */
#include "serve/kept_models.h"

#include "base/buffer.h"
#include "base/watch.h"
#include "desk/desk.h"

#include <unistd.h>

char *kept_path(const struct server *server, const char *file, const char *ending)
{
    const struct serve_options *o = server->options;
    const char *beside = o->store          ? o->store
                         : server->desk    ? desk_store_path(server->desk)
                         : o->models.count ? o->models.item[0]
                                           : NULL;
    struct buffer path = {0};
    if (beside)
        buffer_print(&path, NULL, "%.*s%s%s", (int)(path_name(beside) - beside), beside, file, ending);
    return path.bytes;
}

bool kept_serve(const struct server *server, const char *name, const char *file, vouch_model *model,
                struct vouch_error *err)
{
    char *path = kept_path(server, file, ".vouch");
    struct vouch_error unsaved = {0};
    models_replace_begin(server->models);
    if (path && vouch_model_save(model, path, &unsaved) != VOUCH_OK) {
        watch_say(server->watch, VOUCH_EVENT_WARNING, "%s", unsaved.message);
        free(path);
        path = NULL;
    }
    bool ok = models_put(server->models, name, model, path, err);
    models_replace_end(server->models);
    free(path);
    return ok;
}

bool kept_open(const struct server *server, const char *name, const char *file)
{
    struct vouch_error why = {0};
    char *path = kept_path(server, file, ".vouch");
    bool there = path && access(path, F_OK) == 0;
    bool ok = there && models_open_as(server->models, name, path, &why);
    if (there && !ok)
        watch_say(server->watch, VOUCH_EVENT_WARNING, "%s", why.message);
    free(path);
    return ok;
}
