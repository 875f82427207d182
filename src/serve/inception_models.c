/*
 * Models that are learned from what INCEpTION sends: see inception.h.
 *
 * The last text of every annotator is kept, and a model is learned from all of them: the one of that name goes on from
 * its file (train --from), each time anew, so that what was sent twice is not learned twice; where there is none, it is
 * a new one. Then it takes the place of the one that is served.
 *
 * Texts and models are kept as kept_models.h says, all texts in one file,
 *
 *     inception.vouch.json    {"models": [{"name": "ner", "task": "ner", "learned": true,
 *                                          "texts": [{"by": "...", "text": "..."}, ...]}, ...]}
 *
 * in which "learned" says whether the model was learned from all of its texts: if not, it is when the server starts.
 */
#include "serve/inception.h"

#include "base/json_read.h"
#include "base/output.h"
#include "base/watch.h"
#include "desk/learner.h"
#include "desk/material.h"
#include "serve/kept_models.h"

#include <ctype.h>
#include <pthread.h>
#include <unistd.h>

enum { MOST_TEXTS = 1000 };

struct taught_model {
    struct inception *inception;
    struct student student;
    char *name, *task;
    char *file; /* the name of its file */
    char *base; /* the file of the model that was served under that name; NULL: none, or it had no file */
    struct annotator_text {
        char *by;
        struct buffer text;
    } *text; /* [texts] */
    size_t texts, capacity;
    bool learned; /* from all of them */
};

struct inception {
    struct server *server;
    pthread_mutex_t mutex; /* of all below */
    struct taught_model **model;
    size_t count, capacity;
    size_t texts; /* of all models */
};

static char *copy_of(const char *text, struct vouch_error *err)
{
    return new_string(text, strlen(text), err);
}

/* ---- Keeping ---- */

static json_t *texts_json(const struct taught_model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < m->texts; i++) {
        json_t *text = json_stringn(buffer_text(&m->text[i].text).at, m->text[i].text.length);
        if (json_array_append_new(list, json_pack("{s:s, s:o}", "by", m->text[i].by, "text", text)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *all_json(const struct inception *in)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < in->count; i++) {
        const struct taught_model *m = in->model[i];
        if (json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:o}", "name", m->name, "task", m->task, "learned",
                                                  m->learned, "texts", texts_json(m))) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return json_pack("{s:o}", "models", list);
}

/* With the mutex: writes everything, if there is a place for it. That it cannot be written is told, no more. */
static void keep(const struct inception *in)
{
    struct vouch_error err = {0};
    char *path = kept_path(in->server, "inception", ".vouch.json");
    json_t *all = path ? all_json(in) : NULL;
    char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
    struct output *out = text ? output_open(path, &err) : NULL;
    if (out)
        output_write(out, text, strlen(text));
    if (path && !(text ? out && output_commit(out, &err) : fail_memory(&err)))
        watch_say(in->server->watch, VOUCH_EVENT_WARNING, "%s: %s", path, err.message);
    free(text);
    json_decref(all);
    free(path);
}

/* ---- Learning ---- */

/* With the mutex: what to learn from. */
static bool gather(struct taught_model *m, struct material *material, struct vouch_error *err)
{
    material->base = m->base;
    m->learned = true;
    for (size_t i = 0; i < m->texts; i++)
        if (!buffer_add_bytes(&material->text, buffer_text(&m->text[i].text).at, m->text[i].text.length, err))
            return false;
    return buffer_print(&material->options, err, "format=jsonl&%s", strcmp(m->task, "ner") != 0 ? "partial&" : "") &&
           (m->base || buffer_print(&material->options, err, "task=%s&", m->task));
}

static bool learn_round(void *context, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct taught_model *m = context;
    struct inception *in = m->inception;
    struct material material = {0};
    pthread_mutex_lock(&in->mutex);
    bool ok = gather(m, &material, err);
    pthread_mutex_unlock(&in->mutex);
    vouch_model *model = ok ? material_learn(&material, NULL, watch, err) : NULL;
    ok = model && kept_serve(in->server, m->name, m->file, model, err);
    pthread_mutex_lock(&in->mutex);
    m->learned = ok && m->learned; /* unless another text has come */
    if (ok)
        keep(in);
    pthread_mutex_unlock(&in->mutex);
    material_release(&material);
    return ok;
}

/* ---- Models and texts ---- */

static void taught_model_free(struct taught_model *m)
{
    for (size_t i = 0; i < m->texts; i++) {
        free(m->text[i].by);
        free(m->text[i].text.bytes);
    }
    free(m->text);
    free(m->name);
    free(m->task);
    free(m->file);
    free(m->base);
    free(m);
}

/* Returns the name of a model's file: characters that a name may have and a file should not are %XX. */
static char *file_of(const char *name, struct vouch_error *err)
{
    struct buffer file = {0};
    bool ok = buffer_print(&file, err, "inception-");
    for (; ok && *name; name++)
        ok = isalnum((unsigned char)*name) || strchr("-_.", *name)
                 ? buffer_put(&file, *name, err)
                 : buffer_print(&file, err, "%%%02X", (unsigned char)*name);
    if (ok)
        return file.bytes;
    free(file.bytes);
    return NULL;
}

/* With the mutex. NULL: there is none. */
static struct taught_model *find(const struct inception *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++)
        if (strcmp(in->model[i]->name, name) == 0)
            return in->model[i];
    return NULL;
}

/* With the mutex: adds a model, which goes on from the one that is served under that name. */
static struct taught_model *add_model(struct inception *in, const char *name, const char *task, struct vouch_error *err)
{
    if (!RESERVE(in->model, in->capacity, in->count + 1, err))
        return NULL;
    struct taught_model *m = new_array(1, sizeof *m, err);
    if (!m)
        return NULL;
    const struct served_model *served = models_take(in->server->models, name, ANY_MODEL, NULL);
    const char *base = served ? served->path : NULL;
    m->inception = in;
    bool ok = (m->name = copy_of(name, err)) && (m->task = copy_of(task, err)) && (m->file = file_of(name, err)) &&
              (!base || (m->base = copy_of(base, err)));
    models_leave(in->server->models, served);
    m->student = (struct student){.name = m->name, .context = m, .round = learn_round};
    if (ok)
        return in->model[in->count++] = m;
    taught_model_free(m);
    return NULL;
}

/* With the mutex: puts a text in the place of the last one by the same annotator. */
static bool put_text(struct taught_model *m, const char *by, const char *text, size_t length, struct vouch_error *err)
{
    size_t i = 0;
    while (i < m->texts && strcmp(m->text[i].by, by) != 0)
        i++;
    if (i == m->texts) {
        if (m->inception->texts == MOST_TEXTS)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected texts of at most %d annotators and models", MOST_TEXTS);
        struct annotator_text made = {.by = copy_of(by, err)};
        if (!made.by || !RESERVE(m->text, m->capacity, m->texts + 1, err)) {
            free(made.by);
            return false;
        }
        m->text[m->texts++] = made;
        m->inception->texts++;
    }
    m->text[i].text.length = 0;
    return buffer_add_bytes(&m->text[i].text, text, length, err);
}

bool inception_teach(struct inception *in, const struct annotators_text *text, bool *busy, struct vouch_error *err)
{
    struct learner *learner = in->server->learner;
    pthread_mutex_lock(&in->mutex);
    struct taught_model *m = find(in, text->model);
    if (!m && text->length > 0)
        m = add_model(in, text->model, text->task, err);
    bool ok = m ? put_text(m, text->by, text->text, text->length, err) : text->length == 0;
    *busy = ok && text->length > 0 && learner_state(learner, &m->student).state != LEARNING_IDLE;
    if (ok && m) {
        m->learned = m->learned && text->length == 0;
        keep(in);
    }
    if (ok && text->length > 0)
        learner_ask(learner, &m->student);
    pthread_mutex_unlock(&in->mutex);
    return ok;
}

bool inception_learns(struct inception *in, const char *name)
{
    pthread_mutex_lock(&in->mutex);
    const struct taught_model *m = find(in, name);
    bool learns = m && learner_state(in->server->learner, &m->student).state != LEARNING_IDLE;
    pthread_mutex_unlock(&in->mutex);
    return learns;
}

/* ---- Opening and closing ---- */

/* With the mutex: takes over what was kept of a model. */
static bool restore_model(struct inception *in, const json_t *kept, struct vouch_error *err)
{
    const char *name = json_string_value(json_object_get(kept, "name"));
    const char *task = json_string_value(json_object_get(kept, "task"));
    const json_t *texts = json_object_get(kept, "texts"), *item;
    size_t i;
    if (!name || !task || !json_is_array(texts))
        return fail(err, VOUCH_ERR_FORMAT, "expected models with \"name\", \"task\" and \"texts\"");
    struct taught_model *m = add_model(in, name, task, err);
    bool ok = m != NULL;
    json_array_foreach (texts, i, item) {
        const char *by = json_string_value(json_object_get(item, "by"));
        const json_t *text = json_object_get(item, "text");
        if (ok && (!by || !json_is_string(text)))
            ok = fail(err, VOUCH_ERR_FORMAT, "expected texts with \"by\" and \"text\"");
        ok = ok && put_text(m, by, json_string_value(text), json_string_length(text), err);
    }
    if (!ok)
        return false;
    m->learned = kept_open(in->server, m->name, m->file) && json_is_true(json_object_get(kept, "learned"));
    return true;
}

/* Has those learned whose texts were not. */
static void learn_rest(struct inception *in)
{
    pthread_mutex_lock(&in->mutex);
    for (size_t i = 0; i < in->count; i++)
        if (!in->model[i]->learned)
            learner_ask(in->server->learner, &in->model[i]->student);
    pthread_mutex_unlock(&in->mutex);
}

/* Reads what was kept. */
static bool restore(struct inception *in, struct vouch_error *err)
{
    char *path = kept_path(in->server, "inception", ".vouch.json");
    json_error_t error;
    const json_t *models, *item;
    size_t i;
    if (!path || access(path, F_OK) != 0) {
        free(path);
        return true;
    }
    json_t *all = json_read_file(path, 0, &error);
    models = json_object_get(all, "models");
    bool ok = json_is_array(models) || fail(err, VOUCH_ERR_FORMAT, "expected an object with \"models\"");
    pthread_mutex_lock(&in->mutex);
    json_array_foreach (models, i, item)
        ok = ok && restore_model(in, item, err);
    pthread_mutex_unlock(&in->mutex);
    if (!ok)
        fail_within(err, "%s", path);
    json_decref(all);
    free(path);
    return ok;
}

struct inception *inception_open(struct server *server, struct vouch_error *err)
{
    struct inception *in = new_array(1, sizeof *in, err);
    if (!in)
        return NULL;
    in->server = server;
    pthread_mutex_init(&in->mutex, NULL);
    if (restore(in, err)) {
        learn_rest(in);
        return in;
    }
    inception_close(in);
    return NULL;
}

void inception_close(struct inception *in)
{
    if (!in)
        return;
    for (size_t i = 0; i < in->count; i++)
        taught_model_free(in->model[i]);
    free(in->model);
    pthread_mutex_destroy(&in->mutex);
    free(in);
}
