/*
 * The configuration of a Label Studio project, as far as answers need it: which control draws regions on which text,
 * the labels that it offers, and those of relations.
 *
 *     <Relations><Relation value="nsubj"/></Relations>
 *     <Labels name="label" toName="text" model_score_threshold="0.3"><Label value="PER" predicted_values="person"/>
 *     <Text name="text" value="$text"/>
 *
 * Label Studio refuses all predictions of a request if one of their regions has another label or name than these.
 */
#ifndef VOUCH_SERVE_LABEL_CONFIG_H
#define VOUCH_SERVE_LABEL_CONFIG_H

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* A label that is offered, and what a model may call it, separated by commas. */
struct offered_label {
    const char *value, *predicted;
};

struct label_list {
    struct offered_label *item;
    size_t count, capacity;
};

struct label_config {
    const char *from_name, *to_name; /* of the first <Labels> for a <Text> */
    const char *data;                /* the key of the text in a task's data */
    struct label_list labels, relations;
    bool draws_relations; /* <Relations> is there: it is a project of trees */
    double threshold;     /* of scores of regions; 0: none */
    struct arena arena;   /* of the strings */
};

/* Reads a configuration, of at most 1 MB and without a document type. Release in any case. */
bool label_config_read(struct label_config *config, const char *xml, struct vouch_error *err);
void label_config_release(struct label_config *config);

/*
 * Returns the label that is offered for what a model calls `name`: the one that lists it among its predicted values,
 * that has this value, or has it but for capitals, or, of "nmod:poss", that for "nmod". NULL: there is none.
 */
const char *label_find(const struct label_list *list, struct text name);

#endif
