/*
 * Answers Label Studio: see label_studio.h.
 *
 * Label Studio tells of every annotation, but learning takes its time: it begins at once when somebody presses the
 * button, and otherwise when a tenth more has been annotated than what the model has learned from. What comes while
 * it learns is learned next. One thread learns, one project after the other, with the lowest priority, which Linux
 * keeps by thread. It fetches the annotations, since events carry one at most, from the address that the server was
 * started with and from no other: the host name that a request brings is not looked at. The token is that of the
 * environment; without one, the one that Label Studio sent with /setup, which is of no use but at that address.
 *
 * What was learned is kept beside the store or the first model, if there is one, and found there when the project is
 * first heard of again.
 */
#define _GNU_SOURCE
#include "serve/label_studio.h"

#include "base/json_read.h"
#include "base/watch.h"
#include "serve/annotated_training.h"
#include "serve/label_studio_client.h"
#include "serve/server.h"
#include "serve/task_predictions.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_PROJECTS = 1000, MOST_MODELS = 64, NAME = 128, VERSION = 256, TOKEN = 2048 };

/* What is known about a project of Label Studio. */
struct project {
    uint32_t id;
    char model[NAME];     /* that its extra parameters name; "": none */
    uint32_t predictions; /* a task */
    char *config;         /* the latest configuration */
    char token[TOKEN];    /* that came with /setup; "": none */
    uint64_t events;      /* annotations that were made or changed since learning began */
    uint64_t annotations; /* in the project, by the latest event */
    bool wanted, learning;
    uint64_t learned;         /* how many times */
    uint64_t tasks, left_out; /* that were learned from the last time, or could not be read */
    char problem[500];        /* why learning failed, or tasks were left out; "": all is well */
};

struct label_studio {
    struct server *server;
    struct project **project; /* [count] */
    size_t count, capacity;
    pthread_mutex_t mutex; /* of all that is here */
    pthread_cond_t wake;
    pthread_t thread;
    bool started, stopping;
    struct vouch_watch watch; /* stops learning */
};

/* ---- Projects ---- */

static void project_free(struct project *project)
{
    free(project->config);
    free(project);
}

/* The names of models that are learned from a project. */
static void own_name(uint32_t project, bool tagger, char name[NAME])
{
    snprintf(name, NAME, "label-studio-%" PRIu32 "%s", project, tagger ? "-pos" : "");
}

/* Returns the file of a model that is learned from a project, to free(); NULL without a place, or without memory. */
static char *own_path(const struct label_studio *studio, const char *name)
{
    const struct serve_options *o = studio->server->options;
    const char *beside = o->store ? o->store : o->models.item[0];
    struct buffer path = {0};
    if (beside)
        buffer_print(&path, NULL, "%.*s%s.vouch", (int)(path_name(beside) - beside), beside, name);
    return path.bytes;
}

/* Serves what was learned from a project before the server was started. */
static void open_kept(struct label_studio *studio, uint32_t project)
{
    for (int tagger = 0; tagger < 2; tagger++) {
        struct vouch_error why = {0};
        char name[NAME];
        own_name(project, tagger, name);
        char *path = own_path(studio, name);
        if (path && access(path, F_OK) == 0 && !models_open(studio->server->models, path, &why))
            watch_say(studio->server->watch, VOUCH_EVENT_WARNING, "%s", why.message);
        free(path);
    }
}

/* With the mutex: returns the project, which is new if it was not known. NULL without memory, or if there are many. */
static struct project *find_project(struct label_studio *studio, uint32_t id, struct vouch_error *err)
{
    for (size_t i = 0; i < studio->count; i++)
        if (studio->project[i]->id == id)
            return studio->project[i];
    if (studio->count == MOST_PROJECTS) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d projects of Label Studio", MOST_PROJECTS);
        return NULL;
    }
    struct project *made = NULL;
    if (!RESERVE(studio->project, studio->capacity, studio->count + 1, err) ||
        !(made = new_array(1, sizeof *made, err)))
        return NULL;
    *made = (struct project){.id = id, .predictions = 1};
    studio->project[studio->count++] = made;
    open_kept(studio, id);
    return made;
}

/* Reads the number of a project: 2, or "2.1795015048", in which the time follows when it was made. */
static bool project_number(const json_t *value, uint32_t *id, struct vouch_error *err)
{
    if (json_is_integer(value) && json_integer_value(value) > 0 && json_integer_value(value) < UINT32_MAX) {
        *id = (uint32_t)json_integer_value(value);
        return true;
    }
    struct text rest = text_of(json_is_string(value) ? json_string_value(value) : "");
    struct text first = text_cut(&rest, '.');
    return text_whole(first, id) || fail(err, VOUCH_ERR_FORMAT, "\"project\": expected its number");
}

/* ---- Which models answer ---- */

/* The models that answer a project, taken. */
struct chosen {
    const struct served_model *model, *tagger; /* NULL: none */
    char version[VERSION];
    bool own; /* it was learned from the project */
};

static void leave(struct models *models, struct chosen *chosen)
{
    models_leave(models, chosen->model);
    models_leave(models, chosen->tagger);
    *chosen = (struct chosen){0};
}

/* Returns the model of that name among those; NULL: there is none, or no name. */
static const struct served_model *named(const struct served_model *const *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (*name && strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

/* Whether a model was learned from a project: others are not answered by it. */
static bool is_learned(const struct served_model *model)
{
    return strncmp(model->name, "label-studio-", strlen("label-studio-")) == 0;
}

/* Returns the model that fits the configuration best: one that parses for trees, else that whose labels are offered. */
static const struct served_model *fitting(const struct served_model *const *all, size_t count,
                                          const struct label_config *config)
{
    const struct served_model *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        bool trees = vouch_model_parses(all[i]->model);
        if (is_learned(all[i]))
            continue;
        if (config->draws_relations && trees)
            return all[i];
        size_t offered = trees ? 0 : labels_offered(all[i]->model, &config->labels);
        if (offered > most) {
            best = all[i];
            most = offered;
        }
    }
    return best;
}

static const struct served_model *tagger_among(const struct served_model *const *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_learned(all[i]) && strcmp(vouch_model_task(all[i]->model), "pos") == 0 &&
            vouch_model_columns(all[i]->model) == 1)
            return all[i];
    return NULL;
}

/* Chooses the models of a project; the model is NULL if none fits. With the mutex. */
static void choose(struct label_studio *studio, const struct project *project, const struct label_config *config,
                   bool learned, struct chosen *to)
{
    struct models *models = studio->server->models;
    const struct served_model *all[MOST_MODELS];
    size_t count = models_take_all(models, all, MOST_MODELS);
    char name[NAME];
    *to = (struct chosen){0};
    own_name(project->id, false, name);
    const struct served_model *own = learned ? named(all, count, name) : NULL;
    to->own = own && !vouch_model_parses(own->model) == !config->draws_relations;
    to->model = to->own ? own : named(all, count, project->model);
    if (!to->model)
        to->model = fitting(all, count, config);
    if (to->model && vouch_model_parses(to->model->model)) {
        own_name(project->id, true, name);
        to->tagger = to->own ? named(all, count, name) : NULL;
        if (!to->tagger)
            to->tagger = tagger_among(all, count);
    }
    for (size_t i = 0; i < count; i++)
        if (all[i] != to->model && all[i] != to->tagger)
            models_leave(models, all[i]);
    if (to->model && to->tagger)
        snprintf(to->version, sizeof to->version, "%.100s-%s+%.80s-%s", to->model->name, to->model->version,
                 to->tagger->name, to->tagger->version);
    else if (to->model)
        snprintf(to->version, sizeof to->version, "%.200s-%s", to->model->name, to->model->version);
    else
        snprintf(to->version, sizeof to->version, "untrained");
}

static bool can_learn(const struct label_studio *studio)
{
    return studio->server->options->label_studio != NULL;
}

/* Refuses a project that no model fits, unless one can be learned. */
static bool must_fit(struct label_studio *studio, struct exchange *e, const struct chosen *chosen,
                     const struct label_config *config, struct vouch_error *err)
{
    if (chosen->model || can_learn(studio))
        return true;
    return refuse(e, 400, err, config->draws_relations ? "expected a model that parses, for <Relations>"
                                                       : "expected a model with a label that the configuration offers");
}

/* ---- Requests ---- */

static bool health(struct exchange *e, struct vouch_error *err)
{
    return respond_json(e, 200, json_pack("{s:s, s:s}", "status", "UP", "model_class", "vouch"), err);
}

/* Returns the state of the protocol; NULL if it is not served. */
static struct label_studio *studio_of(struct exchange *e, struct vouch_error *err)
{
    if (!e->server->studio)
        refuse(e, 503, err, "Label Studio is not answered here");
    return e->server->studio;
}

/* A string of a body that must be there. */
static const char *must_have(const json_t *body, const char *key, struct vouch_error *err)
{
    const char *value = json_string_value(json_object_get(body, key));
    if (!value)
        fail(err, VOUCH_ERR_FORMAT, "expected \"%s\", a string", key);
    return value;
}

/* Keeps a token that may be sent in a header; any other is dropped. */
static void keep_token(struct project *project, const char *token)
{
    bool fits = token && token_is_plain(token) && strlen(token) < sizeof project->token;
    snprintf(project->token, sizeof project->token, "%s", fits ? token : "");
}

/* Reads the extra parameters: an object, or a text that is one; anything else is left alone, as others' are. */
static bool read_extra(struct project *project, const json_t *extra, struct vouch_error *err)
{
    json_t *own = json_is_string(extra) ? json_read_string(json_string_value(extra), 0, NULL) : NULL;
    const json_t *from = json_is_object(extra) ? extra : own;
    const json_t *count = json_object_get(from, "predictions");
    const char *model = json_string_value(json_object_get(from, "model"));
    bool ok = true;
    snprintf(project->model, sizeof project->model, "%s", model ? model : "");
    project->predictions = 1;
    if (count && (!json_is_integer(count) || json_integer_value(count) < 1 ||
                  json_integer_value(count) > MOST_PREDICTIONS))
        ok = fail(err, VOUCH_ERR_FORMAT, "extra_params: \"predictions\": expected 1 to %d", MOST_PREDICTIONS);
    else if (count)
        project->predictions = (uint32_t)json_integer_value(count);
    json_decref(own);
    return ok;
}

/* Whether a model of that name is there, if it is named. */
static bool is_served(struct models *models, const char *name, struct vouch_error *err)
{
    const struct served_model *model = *name ? models_take(models, name, ANY_MODEL, err) : NULL;
    models_leave(models, model);
    return !*name || model;
}

static bool keep_config(struct project *project, const char *xml, struct vouch_error *err)
{
    char *copy = new_string(xml, strlen(xml), err);
    if (!copy)
        return false;
    free(project->config);
    project->config = copy;
    return true;
}

/* With the mutex: notes what /setup says about a project, and finds the version of its model. */
static bool set_up(struct label_studio *studio, struct exchange *e, const json_t *body,
                   const struct label_config *config, char version[VERSION], struct vouch_error *err)
{
    uint32_t id;
    struct project *project = NULL;
    struct chosen chosen;
    if (!project_number(json_object_get(body, "project"), &id, err) || !(project = find_project(studio, id, err)) ||
        !keep_config(project, json_string_value(json_object_get(body, "schema")), err) ||
        !read_extra(project, json_object_get(body, "extra_params"), err) ||
        !is_served(studio->server->models, project->model, err))
        return false;
    keep_token(project, json_string_value(json_object_get(body, "access_token")));
    choose(studio, project, config, true, &chosen);
    bool ok = must_fit(studio, e, &chosen, config, err);
    snprintf(version, VERSION, "%s", chosen.version);
    leave(studio->server->models, &chosen);
    return ok;
}

static bool setup(struct exchange *e, struct vouch_error *err)
{
    struct label_studio *studio = studio_of(e, err);
    struct label_config config = {0};
    char version[VERSION] = "";
    json_t *body = studio ? exchange_json(e, JSON_OBJECT, err) : NULL;
    const char *schema = body ? must_have(body, "schema", err) : NULL;
    bool ok = schema && label_config_read(&config, schema, err);
    if (ok) {
        pthread_mutex_lock(&studio->mutex);
        ok = set_up(studio, e, body, &config, version, err);
        pthread_mutex_unlock(&studio->mutex);
    }
    label_config_release(&config);
    json_decref(body);
    return ok && respond_json(e, 200, json_pack("{s:s}", "model_version", version), err);
}

/* Returns what a task gets: a prediction, or several as a list; an empty list if it has no text. NULL on failure. */
static json_t *answer_task(struct task_predictor *predictor, const json_t *task, bool one, struct vouch_error *err)
{
    const json_t *text = json_object_get(json_object_get(task, "data"), predictor->config->data);
    if (!json_is_string(text))
        return json_array();
    if (json_string_length(text) > UINT32_MAX / 2) {
        fail(err, VOUCH_ERR_FORMAT, "expected a shorter text");
        return NULL;
    }
    json_t *list = task_predictions(
        predictor, (struct text){json_string_value(text), (uint32_t)json_string_length(text)}, err);
    if (!list || (!one && predictor->best > 1))
        return list;
    json_t *best = json_incref(json_array_get(list, json_array_size(list) - 1));
    json_decref(list);
    return best;
}

/* Answers all tasks; without a model, with no prediction each. */
static bool answer_tasks(struct label_studio *studio, const json_t *tasks, const struct label_config *config,
                         const struct chosen *chosen, uint32_t predictions, bool one, json_t *results,
                         struct vouch_error *err)
{
    struct task_predictor predictor = {.models = studio->server->models, .config = config, .model = chosen->model,
                                       .tagger = chosen->tagger, .version = chosen->version, .best = predictions};
    bool ok = !chosen->model || task_predictor_init(&predictor, err);
    for (size_t i = 0; ok && i < json_array_size(tasks); i++) {
        json_t *made = chosen->model ? answer_task(&predictor, json_array_get(tasks, i), one, err) : json_array();
        ok = (made && json_array_append_new(results, made) == 0) || (!err->status && fail_memory(err));
    }
    task_predictor_release(&predictor);
    return ok;
}

static bool predict_body(struct exchange *e, const json_t *body, json_t *results, struct vouch_error *err)
{
    struct label_studio *studio = e->server->studio;
    struct label_config config = {0};
    struct chosen chosen = {0};
    struct project found = {.predictions = 1}, *known = NULL;
    const json_t *tasks = json_object_get(body, "tasks"), *number = json_object_get(body, "project");
    const json_t *context = json_object_get(json_object_get(body, "params"), "context");
    const char *xml = must_have(body, "label_config", err);
    if (!xml || (!json_is_array(tasks) && !fail(err, VOUCH_ERR_FORMAT, "expected \"tasks\", a list")))
        return false;
    bool ok = label_config_read(&config, xml, err) &&
              (!number || json_is_null(number) || project_number(number, &found.id, err));
    pthread_mutex_lock(&studio->mutex);
    if (ok && found.id)
        ok = (known = find_project(studio, found.id, err)) != NULL;
    if (ok) {
        choose(studio, known ? known : &found, &config, true, &chosen);
        found.predictions = known ? known->predictions : 1;
    }
    pthread_mutex_unlock(&studio->mutex);
    /* An editor that asks while somebody annotates takes one prediction alone. */
    bool one = context && !json_is_null(context);
    ok = ok && must_fit(studio, e, &chosen, &config, err) &&
         answer_tasks(studio, tasks, &config, &chosen, found.predictions, one, results, err);
    leave(studio->server->models, &chosen);
    label_config_release(&config);
    return ok;
}

static bool predict(struct exchange *e, struct vouch_error *err)
{
    json_t *body = studio_of(e, err) ? exchange_json(e, JSON_OBJECT, err) : NULL, *results = json_array();
    bool ok = body && (results || fail_memory(err)) && predict_body(e, body, results, err);
    json_decref(body);
    if (ok)
        return respond_json(e, 200, json_pack("{s:o}", "results", results), err);
    json_decref(results);
    return false;
}

static bool versions(struct exchange *e, struct vouch_error *err)
{
    const struct served_model *all[MOST_MODELS];
    size_t count = models_take_all(e->server->models, all, MOST_MODELS);
    json_t *list = json_array();
    bool ok = list != NULL;
    for (size_t i = 0; i < count; i++) {
        ok = ok && json_array_append_new(list, json_sprintf("%s-%s", all[i]->name, all[i]->version)) == 0;
        models_leave(e->server->models, all[i]);
    }
    return ok ? respond_json(e, 200, json_pack("{s:o}", "versions", list), err) : fail_memory(err);
}

static json_t *project_json(const struct project *p)
{
    return json_pack("{s:I, s:b, s:I, s:I, s:I, s:I, s:s?}", "id", (json_int_t)p->id, "learning",
                     p->learning || p->wanted, "learned", (json_int_t)p->learned, "tasks", (json_int_t)p->tasks,
                     "left_out", (json_int_t)p->left_out, "events", (json_int_t)p->events, "problem",
                     p->problem[0] ? p->problem : NULL);
}

static bool list_projects(struct exchange *e, struct vouch_error *err)
{
    struct label_studio *studio = studio_of(e, err);
    if (!studio)
        return false;
    json_t *list = json_array();
    bool ok = list != NULL;
    pthread_mutex_lock(&studio->mutex);
    for (size_t i = 0; ok && i < studio->count; i++)
        ok = json_array_append_new(list, project_json(studio->project[i])) == 0;
    pthread_mutex_unlock(&studio->mutex);
    return ok ? respond_json(e, 200, json_pack("{s:o}", "projects", list), err) : fail_memory(err);
}

/* ---- Events ---- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

/* Whether a tenth more has been annotated than was learned from. */
static bool is_due(const struct project *project)
{
    return project->events * 10 >= project->annotations;
}

/* With the mutex: notes an event of a project, and wakes the thread if it is to learn. */
static bool note_event(struct label_studio *studio, const json_t *of, bool button, bool *begins,
                       struct vouch_error *err)
{
    uint32_t id;
    const char *config = json_string_value(json_object_get(of, "label_config"));
    const json_t *count = json_object_get(of, "useful_annotation_number");
    struct project *project = NULL;
    if (!project_number(json_object_get(of, "id"), &id, err) || !(project = find_project(studio, id, err)) ||
        (config && !keep_config(project, config, err)))
        return false;
    project->events += !button;
    project->annotations = json_is_integer(count) && json_integer_value(count) > 0
                               ? (uint64_t)json_integer_value(count)
                               : project->annotations;
    *begins = can_learn(studio) && (button || is_due(project));
    if (*begins) {
        project->wanted = true;
        pthread_cond_signal(&studio->wake);
    }
    return true;
}

static bool webhook(struct exchange *e, struct vouch_error *err)
{
    static const char *const learned_from[] = {"ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATION_DELETED",
                                               "ANNOTATIONS_CREATED", "ANNOTATIONS_DELETED", "START_TRAINING", NULL};
    struct label_studio *studio = studio_of(e, err);
    json_t *body = studio ? exchange_json(e, JSON_OBJECT, err) : NULL;
    const char *action = body ? must_have(body, "action", err) : NULL;
    bool begins = false, known = action && is_one_of(action, learned_from), ok = action != NULL;
    bool button = known && strcmp(action, "START_TRAINING") == 0;
    if (button && !can_learn(studio))
        ok = refuse(e, 409, err, "expected the server to be started with --label-studio URL: it cannot learn without");
    if (ok && known) {
        pthread_mutex_lock(&studio->mutex);
        ok = note_event(studio, json_object_get(body, "project"), button, &begins, err);
        pthread_mutex_unlock(&studio->mutex);
    }
    json_decref(body);
    if (!ok)
        return false;
    return known ? respond_json(e, 201, json_pack("{s:s, s:{s:b}}", "status", "ok", "result", "learning", begins), err)
                 : respond_json(e, 200, json_pack("{s:s}", "status", "Unknown event"), err);
}

const struct route label_studio_routes[] = {
    {"GET", "/label-studio", ROUTE_OPEN | ROUTE_FOREIGN, "Label Studio: whether the server is up", health},
    {"GET", "/label-studio/", ROUTE_OPEN | ROUTE_FOREIGN, "Label Studio: whether the server is up", health},
    {"GET", "/label-studio/health", ROUTE_OPEN | ROUTE_FOREIGN, "Label Studio: whether the server is up", health},
    {"POST", "/label-studio/setup", ROUTE_FOREIGN, "Label Studio: a project and the version of its model", setup},
    {"POST", "/label-studio/predict", ROUTE_FOREIGN | ROUTE_STREAM, "Label Studio: predictions for tasks", predict},
    {"POST", "/label-studio/webhook", ROUTE_FOREIGN, "Label Studio: something was annotated", webhook},
    {"GET", "/label-studio/versions", ROUTE_FOREIGN, "Label Studio: versions of models", versions},
    {"GET", "/label-studio/projects", 0, "what was learned from projects of Label Studio", list_projects},
    {0},
};

/* ---- Learning ---- */

/* What the thread learns with: a project as it was when learning began. */
struct project_lesson {
    uint32_t project;
    char *config;
    char token[TOKEN];
    struct chosen from; /* models that were given, to go on from */
};

static int must_stop(void *context)
{
    struct label_studio *studio = context;
    pthread_mutex_lock(&studio->mutex);
    bool stopping = studio->stopping;
    pthread_mutex_unlock(&studio->mutex);
    return stopping;
}

/* Waits for a project to learn from; false if the server stops. */
static bool next_lesson(struct label_studio *studio, struct project_lesson *lesson, struct vouch_error *err)
{
    struct project *found = NULL;
    *lesson = (struct project_lesson){0};
    pthread_mutex_lock(&studio->mutex);
    while (!studio->stopping && !found) {
        for (size_t i = 0; i < studio->count && !found; i++)
            if (studio->project[i]->wanted)
                found = studio->project[i];
        if (!found)
            pthread_cond_wait(&studio->wake, &studio->mutex);
    }
    bool going = !studio->stopping;
    if (going) {
        found->wanted = false;
        found->learning = true;
        found->events = 0;
        lesson->project = found->id;
        const char *token = getenv("VOUCH_LABEL_STUDIO_TOKEN");
        snprintf(lesson->token, sizeof lesson->token, "%s", token ? token : found->token);
        lesson->config = new_string(found->config ? found->config : "", found->config ? strlen(found->config) : 0, err);
    }
    pthread_mutex_unlock(&studio->mutex);
    return going;
}

/* Takes the models to go on from: those that answer the project if nothing was learned from it. */
static void take_base(struct label_studio *studio, const struct label_config *config, struct project_lesson *lesson)
{
    pthread_mutex_lock(&studio->mutex);
    for (size_t i = 0; i < studio->count; i++)
        if (studio->project[i]->id == lesson->project)
            choose(studio, studio->project[i], config, false, &lesson->from);
    pthread_mutex_unlock(&studio->mutex);
}

/* Serves a model that was learned, under that name; takes it over. It is kept if there is a place for it. */
static bool serve_own(struct label_studio *studio, const char *name, vouch_model *model, struct vouch_error *err)
{
    char *path = own_path(studio, name);
    struct vouch_error unsaved = {0};
    if (path && vouch_model_save(model, path, &unsaved) != VOUCH_OK) {
        watch_say(studio->server->watch, VOUCH_EVENT_WARNING, "%s", unsaved.message);
        free(path);
        path = NULL;
    }
    bool ok = models_put(studio->server->models, name, model, path, err);
    free(path);
    return ok;
}

/* Serves what was learned from a project. */
static bool serve_learned(struct label_studio *studio, uint32_t project, struct annotated_models *learned,
                          struct vouch_error *err)
{
    char name[NAME];
    own_name(project, true, name);
    if (learned->tagger && !serve_own(studio, name, learned->tagger, err)) {
        vouch_model_close(learned->model);
        return false;
    }
    own_name(project, false, name);
    return serve_own(studio, name, learned->model, err);
}

static bool learn(struct label_studio *studio, struct project_lesson *lesson, struct annotated_models *learned,
                  struct vouch_error *err)
{
    struct label_config config = {0};
    struct buffer export = {0};
    struct label_studio_access access = {studio->server->options->label_studio, lesson->token, &studio->watch};
    bool ok = label_config_read(&config, lesson->config, err) &&
              label_studio_export(&access, lesson->project, &export, err);
    if (ok)
        take_base(studio, &config, lesson);
    const struct served_model *base = lesson->from.model, *tagger = lesson->from.tagger;
    struct annotated_training training = {
        .config = &config,
        .base = base && base->path ? base->model : NULL,
        .base_path = base ? base->path : NULL,
        .base_tagger = tagger && tagger->path ? tagger->model : NULL,
        .base_tagger_path = tagger ? tagger->path : NULL,
        .threads = 1,
        .watch = &studio->watch,
    };
    ok = ok && annotated_train(&training, &export, learned, err) &&
         serve_learned(studio, lesson->project, learned, err);
    leave(studio->server->models, &lesson->from);
    free(export.bytes);
    label_config_release(&config);
    return ok;
}

/* Notes how learning went. */
static void note_learned(struct label_studio *studio, uint32_t id, const struct annotated_models *learned, bool ok,
                         const struct vouch_error *err)
{
    pthread_mutex_lock(&studio->mutex);
    for (size_t i = 0; i < studio->count; i++) {
        struct project *project = studio->project[i];
        if (project->id != id)
            continue;
        project->learning = false;
        project->tasks = learned->tasks;
        project->left_out = learned->left_out;
        project->learned += ok;
        snprintf(project->problem, sizeof project->problem, "%s",
                 !ok ? err->message : learned->left_out > 0 ? learned->why.message : "");
    }
    bool stopping = studio->stopping;
    pthread_mutex_unlock(&studio->mutex);
    if (!ok && !stopping)
        watch_say(studio->server->watch, VOUCH_EVENT_WARNING, "project %" PRIu32 " of Label Studio: %s", id,
                  err->message);
}

static void *keep_learning(void *context)
{
    struct label_studio *studio = context;
    struct project_lesson lesson;
    struct vouch_error err = {0};
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
    while (next_lesson(studio, &lesson, &err)) {
        struct annotated_models learned = {0};
        bool ok = lesson.config && learn(studio, &lesson, &learned, &err);
        note_learned(studio, lesson.project, &learned, ok, &err);
        free(lesson.config);
        err = (struct vouch_error){0};
    }
    return NULL;
}

/* ---- Opening and closing ---- */

static bool start_learning(struct label_studio *studio, struct vouch_error *err)
{
    if (!label_studio_address(studio->server->options->label_studio, err))
        return false;
    studio->started = pthread_create(&studio->thread, NULL, keep_learning, studio) == 0;
    return studio->started || fail(err, VOUCH_ERR_MEMORY, "a thread cannot be started");
}

struct label_studio *label_studio_open(struct server *server, struct vouch_error *err)
{
    struct label_studio *studio = new_array(1, sizeof *studio, err);
    if (!studio)
        return NULL;
    studio->server = server;
    studio->watch = (struct vouch_watch){.size = sizeof studio->watch, .context = studio, .stop = must_stop};
    pthread_mutex_init(&studio->mutex, NULL);
    pthread_cond_init(&studio->wake, NULL);
    if (!can_learn(studio) || start_learning(studio, err))
        return studio;
    label_studio_close(studio);
    return NULL;
}

void label_studio_close(struct label_studio *studio)
{
    if (!studio)
        return;
    pthread_mutex_lock(&studio->mutex);
    studio->stopping = true;
    pthread_cond_signal(&studio->wake);
    pthread_mutex_unlock(&studio->mutex);
    if (studio->started)
        pthread_join(studio->thread, NULL);
    for (size_t i = 0; i < studio->count; i++)
        project_free(studio->project[i]);
    free(studio->project);
    pthread_mutex_destroy(&studio->mutex);
    pthread_cond_destroy(&studio->wake);
    free(studio);
}
