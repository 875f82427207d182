/*
 * The projects of Label Studio, and learning from them.
 *
 * Label Studio tells of every annotation, but learning takes its time: it begins at once when somebody presses the
 * button, and otherwise when a tenth more has been annotated than what the model has learned from. Every project is a
 * student of the server's learner. It fetches the annotations, since events carry one at most, from the address that
 * the server was started with and from no other: the host name that a request brings is not looked at. The token is
 * that of the environment; without one, the one that Label Studio sent with /setup, which is of no use but at that
 * address.
 *
 * What was learned is kept (kept_models.h), and found when the project is first heard of again.
 */
#ifndef VOUCH_SERVE_LABEL_STUDIO_PROJECTS_H
#define VOUCH_SERVE_LABEL_STUDIO_PROJECTS_H

#include "desk/learner.h"
#include "serve/label_config.h"
#include "serve/label_studio.h"
#include "serve/server.h"

#include <pthread.h>

enum { NAME = 128, VERSION = 256, TOKEN = 2048 };

struct project {
    struct label_studio *studio;
    struct student student;
    uint32_t id;
    char name[NAME];      /* of the model that is learned from it, and of its file */
    char model[NAME];     /* that its extra parameters name; "": none */
    uint32_t predictions; /* a task */
    char *config;         /* the latest configuration */
    char token[TOKEN];    /* that came with /setup; "": none */
    uint64_t events;      /* annotations that were made or changed since learning began */
    uint64_t annotations; /* in the project, by the latest event */
    uint64_t tasks, left_out; /* that were learned from the last time, or could not be read */
    char why_left_out[500];   /* the first of those; "": there are none */
};

struct label_studio {
    struct server *server;
    pthread_mutex_t mutex;    /* of the projects */
    struct project **project; /* [count] */
    size_t count, capacity;
};

/* Whether models can be learned: the server was told where Label Studio is. */
bool studio_learns(const struct label_studio *studio);

/* With the mutex: returns the project, which is new if it was not known. NULL without memory, or if there are many. */
struct project *studio_project(struct label_studio *studio, uint32_t id, struct vouch_error *err);

/* With the mutex: keeps the configuration. */
bool project_configure(struct project *project, const char *xml, struct vouch_error *err);

/* With the mutex: notes an event, or that the button was pressed. Returns whether learning begins. */
bool project_note(struct project *project, bool button);

/* The models that answer a project, taken. */
struct chosen {
    const struct served_model *model, *tagger; /* NULL: none */
    char version[VERSION];
    bool own; /* it was learned from the project */
};

/* With the mutex: chooses them, of those that were `learned` from it too; the model is NULL if none fits. */
void project_choose(const struct project *project, const struct label_config *config, bool learned,
                    struct chosen *to);
void chosen_leave(struct models *models, struct chosen *chosen);

#endif
