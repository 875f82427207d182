/*
 * The models that are served, and workers for them: see served_models.h. One mutex guards the list and what is lent
 * out.
 */
#include "serve/served_models.h"

#include "base/buffer.h"
#include "base/parallel.h"
#include "model/model.h"

#include <stdio.h>

/* A request that was prepared once, and workers that nobody uses at the moment. */
struct prepared {
    struct prepared *next;
    char *options;
    vouch_request *request;
    struct idle_worker {
        struct idle_worker *next;
        vouch_worker *worker;
    } *idle;
};

struct held_model {
    struct served_model served; /* first */
    char *name, *path;
    vouch_model *model;
    uint32_t holders; /* those that took it, and the list */
    struct prepared *prepared;
};

struct models {
    struct turns *turns;
    struct held_model **item; /* [count] */
    size_t count, capacity;
};

struct models *models_new(struct vouch_error *err)
{
    struct models *models = new_array(1, sizeof *models, err);
    if (models && (models->turns = turns_open(err)))
        return models;
    free(models);
    return NULL;
}

static void prepared_free(struct prepared *prepared)
{
    while (prepared) {
        struct prepared *next = prepared->next;
        while (prepared->idle) {
            struct idle_worker *idle = prepared->idle;
            prepared->idle = idle->next;
            vouch_worker_free(idle->worker);
            free(idle);
        }
        vouch_request_free(prepared->request);
        free(prepared->options);
        free(prepared);
        prepared = next;
    }
}

static void held_free(struct held_model *held)
{
    if (!held)
        return;
    prepared_free(held->prepared);
    vouch_model_close(held->model);
    free(held->name);
    free(held->path);
    free(held);
}

void models_free(struct models *models)
{
    if (!models)
        return;
    for (size_t i = 0; i < models->count; i++)
        held_free(models->item[i]);
    free(models->item);
    turns_close(models->turns);
    free(models);
}

/* Takes the model over, also on failure. */
static struct held_model *held_new(const char *name, vouch_model *model, const char *path, struct vouch_error *err)
{
    struct held_model *held = new_array(1, sizeof *held, err);
    if (!held) {
        vouch_model_close(model);
        return NULL;
    }
    held->model = model;
    held->name = new_string(name, strlen(name), err);
    held->path = path ? new_string(path, strlen(path), err) : NULL;
    held->holders = 1;
    held->served = (struct served_model){.model = model, .name = held->name, .path = held->path, .held = held};
    snprintf(held->served.version, sizeof held->served.version, "%016llx",
             (unsigned long long)model_file_digest(&model->file));
    if (held->name && (!path || held->path))
        return held;
    held_free(held);
    return NULL;
}

/* With the mutex: what is freed when the last holder has gone, else NULL. */
static struct held_model *let_go(struct held_model *held)
{
    return --held->holders == 0 ? held : NULL;
}

bool models_put(struct models *models, const char *name, vouch_model *model, const char *path, struct vouch_error *err)
{
    struct held_model *made = held_new(name, model, path, err), *old = NULL;
    if (!made)
        return false;
    turns_take(models->turns);
    size_t i = 0;
    while (i < models->count && strcmp(models->item[i]->name, name) != 0)
        i++;
    bool ok = RESERVE(models->item, models->capacity, i + 1, err);
    if (ok && i < models->count) {
        made->served.number = models->item[i]->served.number + 1;
        old = let_go(models->item[i]);
    }
    if (ok) {
        models->item[i] = made;
        models->count += i == models->count;
    }
    turns_leave(models->turns);
    held_free(ok ? old : made);
    return ok;
}

bool models_open(struct models *models, const char *path, struct vouch_error *err)
{
    char name[128];
    const char *file = path_name(path), *end = strstr(file, ".vouch");
    int length = end && end > file ? (int)(end - file) : (int)strlen(file);
    snprintf(name, sizeof name, "%.*s", length, file);
    vouch_model *model = vouch_model_open(path, err);
    return model && models_put(models, name, model, path, err);
}

bool models_reload(struct models *models, struct vouch_error *err)
{
    const struct served_model *all[64];
    size_t count = models_take_all(models, all, 64);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        vouch_model *model = all[i]->path ? vouch_model_open(all[i]->path, ok ? err : NULL) : NULL;
        if (all[i]->path)
            ok = model && models_put(models, all[i]->name, model, all[i]->path, ok ? err : NULL) && ok;
        models_leave(models, all[i]);
    }
    return ok;
}

static bool suits(const struct held_model *held, const char *name, enum model_kind kind)
{
    bool trees = vouch_model_parses(held->model);
    return name ? strcmp(held->name, name) == 0 : kind == ANY_MODEL || trees == (kind == TREES_MODEL);
}

/* With the mutex: fails with the names of those that there are. */
static void fail_unknown(const struct models *models, const char *name, enum model_kind kind, struct vouch_error *err)
{
    struct buffer names = {0};
    for (size_t i = 0; i < models->count; i++)
        buffer_print(&names, NULL, "%s%s", i ? ", " : "", models->item[i]->name);
    if (models->count == 0)
        fail(err, VOUCH_ERR_ARGUMENT, "no model is served");
    else if (name)
        fail(err, VOUCH_ERR_ARGUMENT, "there is no model '%.60s': expected one of %s", name, buffer_text(&names).at);
    else
        fail(err, VOUCH_ERR_ARGUMENT, "no model that %s is served: there are %s",
             kind == TREES_MODEL ? "parses" : "labels", buffer_text(&names).at);
    free(names.bytes);
}

const struct served_model *models_take(struct models *models, const char *name, enum model_kind kind,
                                       struct vouch_error *err)
{
    struct held_model *found = NULL;
    turns_take(models->turns);
    for (size_t i = 0; i < models->count && !found; i++)
        if (suits(models->item[i], name, kind))
            found = models->item[i];
    if (found)
        found->holders++;
    else
        fail_unknown(models, name, kind, err);
    turns_leave(models->turns);
    return found ? &found->served : NULL;
}

void models_leave(struct models *models, const struct served_model *model)
{
    struct held_model *old = NULL;
    if (!model)
        return;
    turns_take(models->turns);
    old = let_go(model->held);
    turns_leave(models->turns);
    held_free(old);
}

size_t models_take_all(struct models *models, const struct served_model **to, size_t room)
{
    turns_take(models->turns);
    size_t count = models->count < room ? models->count : room;
    for (size_t i = 0; i < count; i++) {
        models->item[i]->holders++;
        to[i] = &models->item[i]->served;
    }
    turns_leave(models->turns);
    return count;
}

static bool set_option(vouch_options *options, char *pair, struct vouch_error *err)
{
    char *value = strchr(pair, '=');
    if (value)
        *value++ = '\0';
    return vouch_options_set(options, pair, value ? value : "true", err) == VOUCH_OK;
}

static vouch_request *make_request(const struct held_model *held, const char *text, struct vouch_error *err)
{
    vouch_options *options = vouch_options_new(vouch_model_parses(held->model) ? "parse" : "tag", err);
    char *copy = options ? new_string(text, strlen(text), err) : NULL, *rest = copy;
    bool ok = copy != NULL;
    for (char *pair; ok && (pair = strtok_r(rest, "&", &rest));)
        ok = set_option(options, pair, err);
    vouch_request *request = ok ? vouch_request_new(held->model, options, err) : NULL;
    free(copy);
    vouch_options_free(options);
    return request;
}

/* With the mutex. */
static struct prepared *find_prepared(struct held_model *held, const char *options)
{
    struct prepared *p = held->prepared;
    while (p && strcmp(p->options, options) != 0)
        p = p->next;
    return p;
}

/* Makes what is asked for; one that another thread has made meanwhile is taken instead. */
static struct prepared *prepare(struct models *models, struct held_model *held, const char *options,
                                struct vouch_error *err)
{
    struct prepared *made = new_array(1, sizeof *made, err), *found;
    if (made) {
        made->options = new_string(options, strlen(options), err);
        made->request = made->options ? make_request(held, options, err) : NULL;
    }
    if (!made || !made->request) {
        prepared_free(made);
        return NULL;
    }
    turns_take(models->turns);
    found = find_prepared(held, options);
    if (!found) {
        made->next = held->prepared;
        held->prepared = made;
    }
    turns_leave(models->turns);
    if (found)
        prepared_free(made);
    return found ? found : made;
}

bool models_lend(struct models *models, const struct served_model *model, const char *options, struct lent_worker *to,
                 struct vouch_error *err)
{
    struct idle_worker *idle = NULL;
    turns_take(models->turns);
    struct prepared *p = find_prepared(model->held, options);
    if (p && (idle = p->idle))
        p->idle = idle->next;
    turns_leave(models->turns);
    *to = (struct lent_worker){0};
    if (!p && !(p = prepare(models, model->held, options, err)))
        return false;
    to->request = p->request;
    to->private = p;
    to->worker = idle ? idle->worker : vouch_worker_new(p->request, err);
    free(idle);
    return to->worker != NULL;
}

void models_return(struct models *models, struct lent_worker *lent)
{
    struct prepared *p = lent->private;
    struct idle_worker *idle = lent->worker ? new_array(1, sizeof *idle, NULL) : NULL;
    if (!idle) {
        vouch_worker_free(lent->worker);
        return;
    }
    idle->worker = lent->worker;
    turns_take(models->turns);
    idle->next = p->idle;
    p->idle = idle;
    turns_leave(models->turns);
    lent->worker = NULL;
}
