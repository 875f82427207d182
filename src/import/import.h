/*
 * Makes a vouch model of another program's linear-chain CRF, whose answers and marginals it keeps.
 *
 * A reader of a format fills a `foreign` model: labels, features of the project's own template language and weights in
 * the layout of core/parts.h. What is common to all formats is in imported.c: weights are rounded to 24 bits below the
 * largest one, so that writing keeps them (model/weight_code.h), and the header says where the model came from. The
 * probabilities of such a model are those of c = 1.
 *
 * A weight is off by at most 2^-25 of the power of two above the largest weight, as if all were floats of the largest
 * one's size; scores are sums of floats here and of doubles there.
 */
#ifndef VOUCH_IMPORT_IMPORT_H
#define VOUCH_IMPORT_IMPORT_H

#include "base/output.h"
#include "model/model.h"

/* A model as it was read. All zero at first. */
struct foreign {
    struct tag_labels labels; /* names only */
    const char *template;     /* static, or `own_template` */
    char *own_template;
    struct templates templates;
    struct vocabulary vocabulary;
    struct space space;
    float *mean; /* [space + SLACK] */
};

void foreign_release(struct foreign *foreign);

/* Parses `own_template`. Messages have the line of the template, counted from 1, behind `name`. */
bool foreign_templates(struct foreign *foreign, const char *name, struct vouch_error *err);

/* Makes room for weights, all 0, of features which the vocabulary has: of every label, and of every pair for edges. */
bool foreign_weights(struct foreign *foreign, struct vouch_error *err);

/* Adds a label, which must be new, UTF-8 and in one line, without tabs; `name` is for messages. */
bool foreign_label(struct foreign *foreign, struct text label, const char *name, struct vouch_error *err);

/* Reads a model file of CRFsuite: see crfsuite_model.c. */
bool crfsuite_model_read(struct foreign *foreign, const char *path, struct vouch_error *err);

/* Reads a text model of CRF++: see crfpp_model.c. */
bool crfpp_model_read(struct foreign *foreign, const char *path, struct vouch_error *err);

/* Reads a model of Wapiti: see wapiti_model.c. */
bool wapiti_model_read(struct foreign *foreign, const char *path, struct vouch_error *err);

/* The names of the programs whose models can be read, for messages. */
#define IMPORT_PROGRAMS "crfsuite, crfpp or wapiti"

/* Whether the models of a program of that name can be read. */
bool import_known(const char *program);

/* What a model is. */
struct foreign_kind {
    const char *program; /* that made it */
    const char *scheme;  /* of its labels; NULL: as they look */
};

/* Reads the model at `path` and writes it as a model file. */
bool import_write(const struct foreign_kind *kind, const char *path, struct output *out, struct vouch_error *err);

#endif
