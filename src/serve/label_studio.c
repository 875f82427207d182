/* Answers Label Studio: see label_studio.h. */
#include "serve/label_studio.h"

#include "base/json_read.h"
#include "serve/label_studio_client.h"
#include "serve/label_studio_projects.h"
#include "serve/task_predictions.h"

#include <stdio.h>

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

/* Refuses a project that no model fits, unless one can be learned. */
static bool must_fit(struct label_studio *studio, struct exchange *e, const struct chosen *chosen,
                     const struct label_config *config, struct vouch_error *err)
{
    if (chosen->model || studio_learns(studio))
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

/* With the mutex: notes what /setup says about a project, and finds the version of its model. */
static bool set_up(struct label_studio *studio, struct exchange *e, const json_t *body,
                   const struct label_config *config, char version[VERSION], struct vouch_error *err)
{
    uint32_t id;
    struct project *project = NULL;
    struct chosen chosen;
    if (!project_number(json_object_get(body, "project"), &id, err) || !(project = studio_project(studio, id, err)) ||
        !project_configure(project, json_string_value(json_object_get(body, "schema")), err) ||
        !read_extra(project, json_object_get(body, "extra_params"), err) ||
        !is_served(studio->server->models, project->model, err))
        return false;
    keep_token(project, json_string_value(json_object_get(body, "access_token")));
    project_choose(project, config, true, &chosen);
    bool ok = must_fit(studio, e, &chosen, config, err);
    snprintf(version, VERSION, "%s", chosen.version);
    chosen_leave(studio->server->models, &chosen);
    return ok;
}

static bool setup(struct exchange *e, struct vouch_error *err)
{
    struct label_studio *studio = studio_of(e, err);
    struct label_config config = {0};
    char version[VERSION] = "";
    json_t *body = studio ? exchange_json(e, JSON_OBJECT, err) : NULL;
    const char *schema = body ? body_string(body, "schema", err) : NULL;
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
    struct project found = {.studio = studio, .predictions = 1}, *known = NULL;
    const json_t *tasks = json_object_get(body, "tasks"), *number = json_object_get(body, "project");
    const json_t *context = json_object_get(json_object_get(body, "params"), "context");
    const char *xml = body_string(body, "label_config", err);
    if (!xml || (!json_is_array(tasks) && !fail(err, VOUCH_ERR_FORMAT, "expected \"tasks\", a list")))
        return false;
    bool ok = label_config_read(&config, xml, err) &&
              (!number || json_is_null(number) || project_number(number, &found.id, err));
    pthread_mutex_lock(&studio->mutex);
    if (ok && found.id)
        ok = (known = studio_project(studio, found.id, err)) != NULL;
    if (ok) {
        project_choose(known ? known : &found, &config, true, &chosen);
        found.predictions = known ? known->predictions : 1;
    }
    pthread_mutex_unlock(&studio->mutex);
    /* An editor that asks while somebody annotates takes one prediction alone. */
    bool one = context && !json_is_null(context);
    ok = ok && must_fit(studio, e, &chosen, &config, err) &&
         answer_tasks(studio, tasks, &config, &chosen, found.predictions, one, results, err);
    chosen_leave(studio->server->models, &chosen);
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

/* Answers with a list, which is given away, if all of it is there. */
static bool answer_list(struct exchange *e, const char *name, json_t *list, bool whole, struct vouch_error *err)
{
    if (whole)
        return respond_json(e, 200, json_pack("{s:o}", name, list), err);
    json_decref(list);
    return fail_memory(err);
}

static bool versions(struct exchange *e, struct vouch_error *err)
{
    const struct served_model *all[MOST_MODELS];
    size_t count = models_take_all(e->server->models, all);
    json_t *list = json_array();
    bool ok = list != NULL;
    for (size_t i = 0; i < count; i++) {
        ok = ok && json_array_append_new(list, json_sprintf("%s-%s", all[i]->name, all[i]->version)) == 0;
        models_leave(e->server->models, all[i]);
    }
    return answer_list(e, "versions", list, ok, err);
}

static json_t *project_json(const struct project *p)
{
    struct student_state state = learner_state(p->studio->server->learner, &p->student);
    const char *problem = state.trouble[0] ? state.trouble : p->why_left_out;
    return json_pack("{s:I, s:b, s:I, s:I, s:I, s:I, s:s?}", "id", (json_int_t)p->id, "learning",
                     state.state != LEARNING_IDLE, "learned", (json_int_t)state.rounds, "tasks", (json_int_t)p->tasks,
                     "left_out", (json_int_t)p->left_out, "events", (json_int_t)p->events, "problem",
                     problem[0] ? problem : NULL);
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
    return answer_list(e, "projects", list, ok, err);
}

/* ---- Events ---- */

/* With the mutex: notes an event of a project, which learns if it is time. */
static bool note_event(struct label_studio *studio, const json_t *of, bool button, bool *begins,
                       struct vouch_error *err)
{
    uint32_t id;
    const char *config = json_string_value(json_object_get(of, "label_config"));
    const json_t *count = json_object_get(of, "useful_annotation_number");
    struct project *project = NULL;
    if (!project_number(json_object_get(of, "id"), &id, err) || !(project = studio_project(studio, id, err)) ||
        (config && !project_configure(project, config, err)))
        return false;
    if (json_is_integer(count) && json_integer_value(count) > 0)
        project->annotations = (uint64_t)json_integer_value(count);
    *begins = project_note(project, button);
    return true;
}

static bool webhook(struct exchange *e, struct vouch_error *err)
{
    static const char *const learned_from[] = {"ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATION_DELETED",
                                               "ANNOTATIONS_CREATED", "ANNOTATIONS_DELETED", "START_TRAINING", NULL};
    struct label_studio *studio = studio_of(e, err);
    json_t *body = studio ? exchange_json(e, JSON_OBJECT, err) : NULL;
    const char *action = body ? body_string(body, "action", err) : NULL;
    bool begins = false, known = action && text_among(text_of(action), learned_from), ok = action != NULL;
    bool button = known && strcmp(action, "START_TRAINING") == 0;
    if (button && !studio_learns(studio))
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
