/*
 * The models that are served, and workers for them: see served_models.h. One mutex guards the list and what is lent
 * out.
 *
 * A model keeps the requests that were prepared last, in the order of their use, and a worker for each thread that was
 * at work at a time, unless a long sentence has made it large. There may be any number of different requests, so that
 * one that was not used for long makes room.
 */
#include "serve/served_models.h"

#include "answer/request.h"
#include "api/asked.h"
#include "base/buffer.h"
#include "base/parallel.h"
#include "model/model.h"
#include "serve/exchange.h"

#include <stdio.h>

enum { MOST_PREPARED = 32, MOST_KEPT = 64 << 10 };

/* A request that was prepared once, and its idle workers. */
struct prepared {
    struct prepared *next;
    char *text; /* of the options */
    vouch_options *options;
    vouch_request *request;
    uint32_t lent; /* workers in use, or about to be */
    struct kept_worker {
        struct kept_worker *next;
        struct prepared *of;
        vouch_worker *worker;
        struct sentence sentence;
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
    struct turns *replacing;
    struct held_model **item; /* [count] */
    size_t count, capacity;
};

struct models *models_new(struct vouch_error *err)
{
    struct models *models = new_array(1, sizeof *models, err);
    if (models && (models->turns = turns_open(err)) && (models->replacing = turns_open(err)))
        return models;
    models_free(models);
    return NULL;
}

static void kept_free(struct kept_worker *kept)
{
    vouch_worker_free(kept->worker);
    sentence_release(&kept->sentence);
    free(kept);
}

static void prepared_free(struct prepared *prepared)
{
    while (prepared) {
        struct prepared *next = prepared->next;
        while (prepared->idle) {
            struct kept_worker *kept = prepared->idle;
            prepared->idle = kept->next;
            kept_free(kept);
        }
        vouch_request_free(prepared->request);
        vouch_options_free(prepared->options);
        free(prepared->text);
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
    turns_close(models->replacing);
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
    bool ok = i < MOST_MODELS ? RESERVE(models->item, models->capacity, i + 1, err)
                              : fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d models to serve", MOST_MODELS);
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

void models_name(const char *path, char *name, size_t room)
{
    const char *file = path_name(path), *end = strstr(file, ".vouch");
    snprintf(name, room, "%.*s", end && end > file ? (int)(end - file) : (int)strlen(file), file);
}

bool models_open(struct models *models, const char *path, struct vouch_error *err)
{
    char name[128];
    models_name(path, name, sizeof name);
    return models_open_as(models, name, path, err);
}

bool models_open_as(struct models *models, const char *name, const char *path, struct vouch_error *err)
{
    models_replace_begin(models);
    vouch_model *model = vouch_model_open(path, err);
    bool ok = model && models_put(models, name, model, path, err);
    models_replace_end(models);
    return ok;
}

void models_replace_begin(struct models *models)
{
    turns_take(models->replacing);
}

void models_replace_end(struct models *models)
{
    turns_leave(models->replacing);
}

bool models_reload(struct models *models, struct vouch_error *err)
{
    const struct served_model *all[MOST_MODELS];
    vouch_model *opened[MOST_MODELS] = {NULL};
    bool ok = true;
    models_replace_begin(models);
    size_t count = models_take_all(models, all);
    for (size_t i = 0; i < count; i++)
        if (all[i]->path && !(opened[i] = vouch_model_open(all[i]->path, ok ? err : NULL)))
            ok = false;
    for (size_t i = 0; i < count; i++) {
        bool same = opened[i] && model_file_digest(&opened[i]->file) == model_file_digest(&all[i]->model->file);
        if (same)
            vouch_model_close(opened[i]);
        else if (opened[i])
            ok = models_put(models, all[i]->name, opened[i], all[i]->path, ok ? err : NULL) && ok;
        models_leave(models, all[i]);
    }
    models_replace_end(models);
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

size_t models_take_all(struct models *models, const struct served_model *to[MOST_MODELS])
{
    turns_take(models->turns);
    size_t count = models->count;
    for (size_t i = 0; i < count; i++) {
        models->item[i]->holders++;
        to[i] = &models->item[i]->served;
    }
    turns_leave(models->turns);
    return count;
}

bool option_from_client(const struct option_table *table, vouch_options *options, const char *name, const char *value,
                        struct vouch_error *err)
{
    const struct option_spec *spec = option_named(table, name, err);
    if (!spec)
        return false;
    if (!option_is_for_clients(spec))
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s of vouch %s is not for requests", spec->name, table->command);
    if (!*value && spec->kind != OPTION_FLAG && (spec->kind != OPTION_TEXT || spec->choices))
        return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a value, found none", spec->name);
    bool bare = spec->kind == OPTION_FLAG && !*value;
    return vouch_options_set(options, name, bare ? "true" : value, err) == VOUCH_OK;
}

static bool set_option(const struct option_table *table, vouch_options *options, char *pair, struct vouch_error *err)
{
    char *value = pair + strcspn(pair, "=");
    if (*value)
        *value++ = '\0';
    percent_decode(pair);
    percent_decode(value);
    return option_from_client(table, options, pair, value, err);
}

/* Sets the options of `prepared`, and makes its request. */
static bool make_request(struct prepared *p, const struct held_model *held, struct vouch_error *err)
{
    const struct option_table *table = request_options(held->model);
    char *copy = new_string(p->text, strlen(p->text), err), *rest = copy;
    p->options = copy ? vouch_options_new(table->command, err) : NULL;
    bool ok = p->options != NULL;
    for (char *pair; ok && (pair = strtok_r(rest, "&", &rest));)
        ok = set_option(table, p->options, pair, err);
    free(copy);
    p->request = ok ? vouch_request_new(held->model, p->options, err) : NULL;
    return p->request != NULL;
}

/* With the mutex: finds what was prepared for the options, and puts it in front of all others. */
static struct prepared *find_prepared(struct held_model *held, const char *options)
{
    for (struct prepared **at = &held->prepared; *at; at = &(*at)->next)
        if (strcmp((*at)->text, options) == 0) {
            struct prepared *p = *at;
            *at = p->next;
            p->next = held->prepared;
            held->prepared = p;
            p->lent++;
            return p;
        }
    return NULL;
}

/* With the mutex: takes out what was used longest ago, if there is too much; it is to be freed. */
static struct prepared *take_oldest(struct held_model *held)
{
    struct prepared **oldest = NULL;
    uint32_t count = 0;
    for (struct prepared **at = &held->prepared; *at; at = &(*at)->next, count++)
        if ((*at)->lent == 0)
            oldest = at;
    if (count <= MOST_PREPARED || !oldest)
        return NULL;
    struct prepared *taken = *oldest;
    *oldest = taken->next;
    taken->next = NULL;
    return taken;
}

/* Makes what is asked for; one that another thread has made meanwhile is taken instead. */
static struct prepared *prepare(struct models *models, struct held_model *held, const char *options,
                                struct vouch_error *err)
{
    struct prepared *made = new_array(1, sizeof *made, err), *found, *old = NULL;
    if (!made || !(made->text = new_string(options, strlen(options), err)) || !make_request(made, held, err)) {
        prepared_free(made);
        return NULL;
    }
    turns_take(models->turns);
    found = find_prepared(held, options);
    if (!found) {
        made->lent = 1;
        made->next = held->prepared;
        held->prepared = made;
        old = take_oldest(held);
    }
    turns_leave(models->turns);
    prepared_free(old);
    if (found)
        prepared_free(made);
    return found ? found : made;
}

static struct kept_worker *kept_new(struct prepared *p, struct vouch_error *err)
{
    struct kept_worker *made = new_array(1, sizeof *made, err);
    if (!made)
        return NULL;
    made->of = p;
    if ((made->worker = vouch_worker_new(p->request, err)))
        return made;
    free(made);
    return NULL;
}

bool models_lend(struct models *models, const struct served_model *model, const char *options, struct lent_worker *to,
                 struct vouch_error *err)
{
    struct kept_worker *kept = NULL;
    turns_take(models->turns);
    struct prepared *p = find_prepared(model->held, options);
    if (p && (kept = p->idle))
        p->idle = kept->next;
    turns_leave(models->turns);
    *to = (struct lent_worker){0};
    if (!p && !(p = prepare(models, model->held, options, err)))
        return false;
    if (!kept && !(kept = kept_new(p, err))) {
        turns_take(models->turns);
        p->lent--;
        turns_leave(models->turns);
        return false;
    }
    *to = (struct lent_worker){kept->worker, p->request, p->options->values, &kept->sentence, kept};
    return true;
}

void models_return(struct models *models, struct lent_worker *lent)
{
    struct kept_worker *kept = lent->private;
    if (!kept)
        return;
    struct prepared *of = kept->of;
    bool heavy = kept->sentence.bytes_capacity > MOST_KEPT;
    if (heavy)
        kept_free(kept);
    turns_take(models->turns);
    of->lent--; /* from here on the request may be freed, and it must outlive its workers */
    if (!heavy) {
        kept->next = of->idle;
        of->idle = kept;
    }
    turns_leave(models->turns);
    *lent = (struct lent_worker){0};
}
