/*
 * Fitting documents to a format: what it cannot say is taken out of them, and counted, before they are written.
 *
 * This is the contract of every format: what its writer is given, once fitted, its reader reads again, all of it. Hence
 * writers neither change nor count anything. Three things know what a format cannot say, and nothing else does: its row
 * (`kept` and `states`, of whole kinds), its fit() (of names, labels and values that it has no spelling for), and
 * texts_fit(), which applies both.
 */
#ifndef VOUCH_CONVERT_FITTING_H
#define VOUCH_CONVERT_FITTING_H

#include "convert/annotation_formats.h"

/* Names that a format takes: a prefix and a whole number; or any that are not empty and do not begin as others do. */
struct naming {
    const char *prefix; /* of names that are made */
    bool any;
    const char *others; /* what those of other things begin with; NULL: nothing */
};

/*
 * Gives every span, or relation, a name of its own: the one that it has, if the format takes it and none before has it,
 * else a new one. `shared`: a span may have the name of the one before it, at the same place with the same score and
 * note, unless a relation has an end there.
 */
bool fit_span_names(struct annotated *doc, const struct naming *naming, bool shared, struct vouch_error *err);
bool fit_relation_names(struct annotated *doc, const struct naming *naming, struct vouch_error *err);

/* Drops the columns of these names, a list ended by NULL, and counts them. */
void fit_columns(struct annotated *doc, const char *const *names, enum kept kind);

/* Drops the head and the relation of every word of a sentence, and counts a tree. */
void fit_heads(struct annotated *doc, uint32_t sentence);

/*
 * What is in front of each word, and behind the last [words + 1]: to be changed, and set. Setting makes the text anew
 * if anything was changed, and counts that.
 */
struct text *fit_gaps(struct annotated *doc, struct vouch_error *err);
bool fit_set_gaps(struct annotated *doc, const struct text *gap, struct vouch_error *err);

/* Replaces bytes of a text by what `change` returns for each; true if any was changed. Fails without memory. */
bool fit_bytes(struct annotated *doc, struct text *text, char (*change)(char), bool *changed, struct vouch_error *err);

/* The names of columns that a file has. */
struct column_list {
    struct text *name; /* [count] */
    size_t count, capacity;
};

/* Returns where a name is; the count if it is not there. */
size_t column_list_find(const struct column_list *list, struct text name);

/* Adds a name that is not there yet; `numbered`: 2, 3, ... are in their order, in front of the others. */
bool column_list_add(struct column_list *list, struct text name, bool numbered, struct vouch_error *err);

/*
 * Whether the column "label" of a corpus without spans can be written as labels: no reader must take them for those of
 * spans.
 */
bool fit_plain_labels(const struct annotated_texts *corpus);

#endif
