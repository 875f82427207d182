/*
 * An operating point sets how sure an answer must be to be given, or to be left out.
 *
 * Towards precision, a chunk whose confidence is below the threshold becomes O, or each of its words whose confidence
 * is. Towards recall, a word outside of chunks whose confidence is below it becomes the likeliest other label. One
 * function does either to an answer, both for measuring its effect and for labelling.
 *
 * A point has one threshold for all answers, or one for each group of them: for each type of chunks, or for the
 * sentences whose first word has the same value in a column. Of a group that it does not know, nothing was proved: if
 * it is about precision, the group's chunks become O, and if it is about recall, they stay as they are.
 */
#ifndef VOUCH_ANSWER_OPERATING_POINT_H
#define VOUCH_ANSWER_OPERATING_POINT_H

#include "core/confidences.h"
#include "core/scheme.h"
#include "core/sentence.h"
#include "measure/tag_score.h"
#include "model/confidence_model.h"

/* A direction is called after what it raises. */
enum direction { TOWARDS_PRECISION, TOWARDS_RECALL, DIRECTIONS };
extern const char *const direction_names[DIRECTIONS]; /* "precision", "recall" */

static inline enum direction opposite(enum direction which)
{
    return which == TOWARDS_PRECISION ? TOWARDS_RECALL : TOWARDS_PRECISION;
}

/* The unit that precision and recall count: chunks, or the words in them. */
enum trade_unit { TRADE_ENTITIES, TRADE_WORDS, TRADE_UNITS };
extern const char *const trade_unit_names[TRADE_UNITS]; /* "entities", "words" */

#define MERGED_TYPE "entity" /* the type that merged types become */

struct operating_point {
    enum direction direction;
    double threshold;         /* what has less confidence is changed; -INFINITY: nothing */
    json_t *group;            /* borrowed: instead of these two, those of each group, by its name; or NULL */
    uint32_t column;          /* groups are the values of this column, from 1; 0: types of chunks */
    bool merge_types;         /* all types are one */
    bool by_words;            /* a word is changed by its own number; else a chunk is kept or dropped as a whole */
    char method[METHOD_NAME]; /* the method whose numbers decide, */
    bool raw;                 /* calibrated or not, */
    uint32_t draws;           /* and of how many draws; 0: as the model has it */

    enum trade_unit unit;   /* what was counted */
    struct tag_rates rates; /* and achieved, in percent, */
    enum direction wanted;  /* when this figure was to be */
    double target;          /* at least this, in percent */
    double low, high;       /* the interval of that figure, by sentences or documents, in percent; NAN: not known */
    double guarantee;       /* the probability that it is at least the target on text from the same source; 0: none */
    uint32_t cap;           /* at most so many errors of one sentence, or document, count in it */
    uint32_t documents;     /* by so many documents; 0: by sentences */
};

/* The text for which the figures of a point hold. */
#define POINT_ASSUMES                                                                                                  \
    "holds for text from the same source as the files it was chosen on; text of another kind may have less"

/* An answer, and its confidence. */
struct rated_labels {
    uint32_t N;
    const struct text *label; /* [N] in any scheme of chunks */
    const double *least;      /* [N] as confidence_to_stand() has it; NAN: not known, and never changed */
    const struct text *other; /* [N] see struct method_confidence; needed towards recall alone */
    struct text group;        /* the value of the point's column, if it has one */
};

/* Memory for changed labels; only grows. Zero it before first use. */
struct changed_labels {
    struct text *label; /* [N] the answer as changed, terminated strings: valid until the next one */
    uint32_t changed;   /* words that became O, or were O before */
    struct text *type;
    char *prefix, *bytes;
    size_t label_capacity, type_capacity, prefix_capacity, bytes_capacity;
};
void changed_labels_release(struct changed_labels *changed);

/*
 * Finds the number by which each word is kept or changed, from the first method: `least` [N], NAN where there is none.
 */
void confidence_to_stand(const struct confidences *confidences, uint32_t N, bool by_words, double *least);

/* Whether the direction may change a word with this label, if its confidence is below the threshold. */
bool direction_changes(enum direction direction, struct text label, struct text other);

/*
 * Changes an answer. Chunks are read as conlleval reads them, words that change are put among them, and the result is
 * written in `scheme`, in which it is legal. Touching chunks stay apart when their types are merged.
 */
bool operating_point_apply(const struct operating_point *point, enum scheme scheme, const struct rated_labels *answer,
                           struct changed_labels *changed, struct vouch_error *err);

/* Returns the value of a column, from 1, that the first word of a sentence has; empty if it has none. */
struct text column_group(const struct sentence *sentence, uint32_t column);

/* Whether the point may label words that are outside of chunks. */
bool operating_point_adds(const struct operating_point *point);

/* Returns the point as JSON; NULL if there is no memory. */
json_t *operating_point_json(const struct operating_point *point);

/*
 * Returns the same as a model's header keeps it, with the files on which it was chosen, and the command. Bytes of these
 * that are not UTF-8 become '?'. NULL with an error.
 */
json_t *operating_point_record(const struct operating_point *point, char *const *path, size_t paths,
                               const char *command, struct vouch_error *err);

/* Returns a copy of the model's header that keeps the record. NULL with an error. */
json_t *operating_point_header(const struct vouch_model *model, json_t *record, struct vouch_error *err);

/* Reads the point that a model's header keeps; *known is false if there is none. `name` is for messages. */
bool operating_point_read(const json_t *header, struct operating_point *point, bool *known, const char *name,
                          struct vouch_error *err);

#endif
