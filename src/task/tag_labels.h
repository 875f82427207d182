/*
 * Labels are what a tagger may answer, in two spellings.
 *
 * The model may learn in another chunk scheme than the corpus is written in (say BIOES for a corpus in IOB1). `inner`
 * is the scheme that is learned, `outer` that of the corpus and of what is written. IOB1 is learned as IOB2 unless
 * --learn-as says otherwise; BIOES was measured and gains nothing.
 */
#ifndef VOUCH_TASK_TAG_LABELS_H
#define VOUCH_TASK_TAG_LABELS_H

#include "core/transitions.h"
#include "task/dictionary.h"

struct tag_labels {
    struct dictionary names;   /* inner labels: choice y is the name with number y + 1 */
    struct dictionary written; /* outer labels, for labels_write() */
    enum scheme inner, outer;
};

static inline uint32_t labels_count(const struct tag_labels *labels)
{
    return labels->names.table.count;
}

static inline struct text labels_name(const struct tag_labels *labels, uint32_t label)
{
    return dictionary_text(&labels->names, label + 1);
}

/* Memory for the two functions below; only grows. */
struct label_work {
    char *prefix;
    char *name;
    struct text *text;
    size_t prefix_capacity, name_capacity, text_capacity;
};
void label_work_release(struct label_work *work);

/*
 * Turns gold labels of a sentence (outer) into choices, by their names in the scheme that is learned. New ones are
 * added to `growing`, which is the labels' names; if it is NULL, they become NO_LABEL. Open ones, which are empty, are
 * OPEN_CHOICE, and the others of their sentence are in IOB2, or in BIOES if the corpus is: in IOB1, and where the last
 * word of a chunk is learned, a label depends on its neighbours. Such labels fail.
 */
bool labels_choose(const struct tag_labels *labels, struct dictionary *growing, const struct text *gold, uint32_t N,
                   struct label_work *work, uint32_t *choice, struct vouch_error *err);

/* Makes a copy with the same numbers, to which labels may be added before labels_close(). Release in any case. */
bool labels_copy(struct tag_labels *copy, const struct tag_labels *labels, struct vouch_error *err);

/*
 * Returns the scheme to learn in for a corpus in `outer`, if `asked` is requested: SCHEME_NONE keeps the corpus's own,
 * and so does SCHEME_IOB2 for BIOES, which contains all that IOB2 tells.
 */
enum scheme labels_scheme(enum scheme outer, enum scheme asked);

/* Fixes the outer spellings of every label: to be called once when all labels are known. */
bool labels_close(struct tag_labels *labels, struct vouch_error *err);

/* Turns choices into outer labels, which stay valid as long as `labels`. */
bool labels_write(const struct tag_labels *labels, const uint32_t *choice, uint32_t N, struct label_work *work,
                  struct text *written, struct vouch_error *err);

/* Returns one label as the corpus would write it after a word whose choice is `before` (NO_LABEL: there is none). */
#define NO_LABEL UINT32_MAX
struct text labels_spelled(const struct tag_labels *labels, uint32_t before, uint32_t label);

/* Finds what opens and closes a chunk, if the labels that are learned spell chunks; else `rules` stays empty. */
bool labels_span_rules(const struct tag_labels *labels, struct span_rules *rules, struct vouch_error *err);

/*
 * Finds the transitions that the scheme that is learned allows between the labels. With `whole`, there are none if the
 * labels do not suffice to write every text in it, or if there are too many of them. Release in any case.
 */
bool labels_transitions(const struct tag_labels *labels, bool whole, struct transitions *transitions,
                        struct vouch_error *err);

/* Fails at the mark of an open label, "?", unless it is a label: answers are compared with whole sentences. */
bool labels_decided(const struct tag_labels *labels, const struct text *gold, uint32_t N, struct vouch_error *err);

/*
 * Rewrites gold labels of any scheme to that of the corpus that was learned from, so that they can be compared with
 * answers. Labels of an unknown type, and labels that are in that scheme already, stay as they are. Fails where
 * labels_decided() does.
 */
bool labels_respell(const struct tag_labels *labels, struct text *gold, uint32_t N, struct label_work *work,
                    struct vouch_error *err);

void labels_release(struct tag_labels *labels);

#endif
