/* Projects of Label Studio: see label_studio_projects.h. */
#include "serve/label_studio_projects.h"

#include "serve/annotated_training.h"
#include "serve/kept_models.h"
#include "serve/label_studio_client.h"
#include "serve/task_predictions.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_PROJECTS = 1000 };

/* The name of a tagger that is learned from a project of trees, and of its file. */
static void name_tagger(const struct project *project, char name[NAME])
{
    snprintf(name, NAME, "%.100s-pos", project->name);
}

/* ---- Which models answer ---- */

void chosen_leave(struct models *models, struct chosen *chosen)
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

void project_choose(const struct project *project, const struct label_config *config, bool learned,
                    struct chosen *to)
{
    struct models *models = project->studio->server->models;
    const struct served_model *all[MOST_MODELS];
    size_t count = models_take_all(models, all);
    char tagger[NAME];
    *to = (struct chosen){0};
    const struct served_model *own = learned ? named(all, count, project->name) : NULL;
    to->own = own && !vouch_model_parses(own->model) == !config->draws_relations;
    to->model = to->own ? own : named(all, count, project->model);
    if (!to->model)
        to->model = fitting(all, count, config);
    if (to->model && vouch_model_parses(to->model->model)) {
        name_tagger(project, tagger);
        to->tagger = to->own ? named(all, count, tagger) : NULL;
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

/* ---- Learning ---- */

/* A project as it is when learning begins. */
struct annotated_project {
    const struct project *project;
    char *config;
    char token[TOKEN];
};

/* With the mutex. */
static bool begin_round(struct project *project, struct annotated_project *to, struct vouch_error *err)
{
    const char *token = getenv("VOUCH_LABEL_STUDIO_TOKEN"), *config = project->config ? project->config : "";
    project->events = 0;
    to->project = project;
    snprintf(to->token, sizeof to->token, "%s", token ? token : project->token);
    return (to->config = new_string(config, strlen(config), err)) != NULL;
}

/* Serves what was learned from a project; takes it over. */
static bool serve_learned(const struct project *project, struct annotated_models *learned, struct vouch_error *err)
{
    const struct server *server = project->studio->server;
    char tagger[NAME];
    name_tagger(project, tagger);
    if (learned->tagger && !kept_serve(server, tagger, tagger, learned->tagger, err)) {
        vouch_model_close(learned->model);
        return false;
    }
    return kept_serve(server, project->name, project->name, learned->model, err);
}

/* Fetches annotations, and learns on from the models that answer the project if nothing was learned from it. */
static bool learn(const struct annotated_project *of, struct annotated_models *learned, const struct vouch_watch *watch,
                  struct vouch_error *err)
{
    struct label_studio *studio = of->project->studio;
    struct label_config config = {0};
    struct buffer export = {0};
    struct chosen from = {0};
    struct label_studio_access access = {studio->server->options->label_studio, of->token, watch};
    bool ok = label_config_read(&config, of->config, err) &&
              label_studio_export(&access, of->project->id, &export, err);
    if (ok) {
        pthread_mutex_lock(&studio->mutex);
        project_choose(of->project, &config, false, &from);
        pthread_mutex_unlock(&studio->mutex);
    }
    struct annotated_training training = {
        .config = &config,
        .base = from.model && from.model->path ? from.model->model : NULL,
        .base_path = from.model ? from.model->path : NULL,
        .base_tagger_path = from.tagger ? from.tagger->path : NULL,
        .watch = watch,
    };
    ok = ok && annotated_train(&training, &export, learned, err) && serve_learned(of->project, learned, err);
    chosen_leave(studio->server->models, &from);
    free(export.bytes);
    label_config_release(&config);
    return ok;
}

static bool learn_round(void *context, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct project *project = context;
    struct annotated_project of = {0};
    struct annotated_models learned = {0};
    pthread_mutex_lock(&project->studio->mutex);
    bool ok = begin_round(project, &of, err);
    pthread_mutex_unlock(&project->studio->mutex);
    ok = ok && learn(&of, &learned, watch, err);
    pthread_mutex_lock(&project->studio->mutex);
    project->tasks = learned.tasks;
    project->left_out = learned.left_out;
    snprintf(project->why_left_out, sizeof project->why_left_out, "%s",
             learned.left_out > 0 ? learned.why.message : "");
    pthread_mutex_unlock(&project->studio->mutex);
    free(of.config);
    return ok;
}

/* ---- Projects ---- */

/* Serves what was learned from a project before the server was started. */
static void open_kept(const struct project *project)
{
    char tagger[NAME];
    name_tagger(project, tagger);
    kept_open(project->studio->server, project->name, project->name);
    kept_open(project->studio->server, tagger, tagger);
}

struct project *studio_project(struct label_studio *studio, uint32_t id, struct vouch_error *err)
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
    *made = (struct project){.studio = studio, .id = id, .predictions = 1};
    snprintf(made->name, sizeof made->name, "label-studio-%" PRIu32, id);
    made->student = (struct student){.name = made->name, .context = made, .round = learn_round};
    studio->project[studio->count++] = made;
    open_kept(made);
    return made;
}

bool project_configure(struct project *project, const char *xml, struct vouch_error *err)
{
    char *copy = new_string(xml, strlen(xml), err);
    if (!copy)
        return false;
    free(project->config);
    project->config = copy;
    return true;
}

bool project_note(struct project *project, bool button)
{
    project->events += !button;
    bool due = button || project->events * 10 >= project->annotations;
    bool begins = due && studio_learns(project->studio);
    if (begins)
        learner_ask(project->studio->server->learner, &project->student);
    return begins;
}

bool studio_learns(const struct label_studio *studio)
{
    return studio->server->options->label_studio != NULL;
}

struct label_studio *label_studio_open(struct server *server, struct vouch_error *err)
{
    const char *address = server->options->label_studio;
    struct label_studio *studio = !address || label_studio_address(address, err) ? new_array(1, sizeof *studio, err)
                                                                                 : NULL;
    if (!studio)
        return NULL;
    studio->server = server;
    pthread_mutex_init(&studio->mutex, NULL);
    return studio;
}

void label_studio_close(struct label_studio *studio)
{
    if (!studio)
        return;
    for (size_t i = 0; i < studio->count; i++) {
        free(studio->project[i]->config);
        free(studio->project[i]);
    }
    free(studio->project);
    pthread_mutex_destroy(&studio->mutex);
    free(studio);
}
