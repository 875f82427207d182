/*
 * Label Studio's protocol of machine learning backends, under /label-studio:
 *
 *     GET  /health    whether it is up
 *     POST /setup     a project: its configuration, and the version of the model that answers it
 *     POST /predict   tasks in, predictions out (task_predictions.h)
 *     POST /webhook   something has happened: training begins in the background (annotated_training.h)
 *     GET  /versions  of all models
 *     GET  /projects  ours: what is known about projects
 *
 * A project is answered by the model that was learned from its own annotations, once there is one; else by the model
 * that its extra parameters name, {"model": "ner", "predictions": 3}; else by the model whose labels fit the project
 * best. A version is made of the digests of models, so that it changes when a model does: Label Studio does not ask
 * again about tasks that have a prediction of the version.
 */
#ifndef VOUCH_SERVE_LABEL_STUDIO_H
#define VOUCH_SERVE_LABEL_STUDIO_H

#include "serve/http.h"

/* The projects. All is shared by threads. */
struct label_studio;
struct label_studio *label_studio_open(struct server *server, struct vouch_error *err);
void label_studio_close(struct label_studio *studio); /* after the learner; NULL is allowed */

extern const struct route label_studio_routes[];

#endif
