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

#include "base/buffer.h"
#include "base/output.h"
#include "model/model.h"

/* A model as it was read. All zero at first. */
struct foreign {
    struct tag_labels labels; /* names only */
    const char *template;     /* static, or that of `own_template` */
    struct buffer own_template;
    struct templates templates;
    struct vocabulary vocabulary;
    struct space space;
    float *mean; /* [space + SLACK] */
};

/* Parses `own_template`. Messages have the line of the template, counted from 1, behind `name`. */
bool foreign_templates(struct foreign *foreign, const char *name, struct vouch_error *err);

/* Makes room for weights, all 0, of features which the vocabulary has: of every label, and of every pair for edges. */
bool foreign_weights(struct foreign *foreign, struct vouch_error *err);

/* Adds a label, which must be new, UTF-8 and in one line, without tabs; `name` is for messages. */
bool foreign_label(struct foreign *foreign, struct text label, const char *name, struct vouch_error *err);

/*
 * Texts of features: CRF++ and Wapiti keep a feature as the text that a line of the template makes of a word, with
 * cells in place of macros; here a feature is a rule and the strings that it saw. A text that can be read in several
 * ways, as U:a/b/c of U:%x[0,0]/%x[0,1], becomes a feature for each of them, with the same weights: nothing is lost.
 */

/* The features that were read, and where the weights of each begin. Set the first two fields; zero the rest. */
struct feature_texts {
    struct foreign *foreign; /* templates and labels are known; the vocabulary is filled */
    /*
     * Writes what the other program calls the cell `distance` words before (negative) or after the sentence; NULL: as
     * vouch does, _B-1.
     */
    void (*outside)(int distance, char *name /* [OUTSIDE_NAME] */);

    uint64_t *place[2]; /* [nodes], [edges] */
    size_t capacity[2];
};

enum { OUTSIDE_NAME = 16 };

void feature_texts_release(struct feature_texts *texts);

/* The outcome of reading a text. */
enum text_reading { TEXT_READ, TEXT_UNKNOWN, TEXT_KNOWN_BEFORE, TEXT_TOO_AMBIGUOUS, TEXT_FAILED };

/* Returns what was expected instead of a text that was not read, for messages. */
const char *text_expected(enum text_reading state);

/*
 * Adds the features that a text can stand for: of pairs of labels if `edge`. It must begin with U or B, as the rules
 * do; its weights begin at `place`. TEXT_UNKNOWN: no rule makes such a text. Only TEXT_FAILED sets the error.
 */
enum text_reading feature_texts_add(struct feature_texts *texts, struct text text, bool edge, uint64_t place,
                                    struct vouch_error *err);

/* Fills the weights of all features from `weight`, in which places count: Y of a word's, Y * Y of a pair's. */
bool feature_texts_fill(const struct feature_texts *texts, const float *weight, struct vouch_error *err);

/* Reads a model file of CRFsuite: see crfsuite_model.c. */
bool crfsuite_model_read(struct foreign *foreign, const char *path, struct vouch_error *err);

/* Reads a text model of CRF++: see crfpp_model.c. */
bool crfpp_model_read(struct foreign *foreign, const char *path, struct vouch_error *err);

/* Reads a model of Wapiti: see wapiti_model.c. */
bool wapiti_model_read(struct foreign *foreign, const char *path, struct vouch_error *err);

/* The names of the programs whose models can be read, for messages. */
#define IMPORT_PROGRAMS "crfsuite, crfpp or wapiti"

/* The program that a model comes from, and the scheme of its labels. */
struct foreign_kind {
    const char *program; /* that made it */
    const char *scheme;  /* of its labels; NULL: as they look */
};

/* Reads the model at `path` and writes it as a model file. */
bool import_write(const struct foreign_kind *kind, const char *path, struct output *out, struct vouch_error *err);

#endif
