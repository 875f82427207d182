/*
 * Spans of a text, as other programs write them in JSON, for one text after the other. A span is an object:
 *
 *   start, end                    Hugging Face, GLiNER, Presidio; char_interval {start_pos, end_pos}: langextract
 *   label, entity_group, entity, entity_type, extraction_class
 *   score, confidence
 *   text, extraction_text, word   looked for in the text if there are no offsets: the n-th span of these words is the
 *                                 n-th place where the text has them, or the last one; if there is none, the span is
 *                                 without a place
 *
 * Offsets count code points, as Python does; a "text" beside them must be what they cut out. Pieces of words under
 * "entity", B-PER and I-PER, are joined, and their scores averaged; O is no span.
 */
#ifndef VOUCH_ANSWERS_SPAN_LIST_H
#define VOUCH_ANSWERS_SPAN_LIST_H

#include "answers/answer_file.h"

#include <jansson.h>

#define NO_PLACE UINT32_MAX

struct found_span {
    uint32_t from, to; /* code points; NO_PLACE: its words are not in the text */
    struct text label; /* a type, without B- or I- */
    struct text words; /* what it cuts out, or what it says of itself; empty: not known */
    double score;      /* NAN: none was looked for */
    double others;     /* the share of votes for other spans that overlap; NAN: not known */
    uint32_t item, items; /* of the list, that it was made of */
};

/* The text at hand, and a list of its spans, whose strings are those of the JSON. Zero it before first use. */
struct span_list {
    const struct answer_file *file; /* where the line at hand is: for messages */
    struct text text;               /* at NULL: not known */
    uint32_t *byte;                 /* [points + 1] where its code points begin */
    uint32_t points;
    struct found_span *span; /* [count] */
    size_t count, byte_capacity, span_capacity;
};
void span_list_release(struct span_list *list);

/* Begins with a text; NULL: it is not known. */
bool span_list_text(struct span_list *list, const json_t *text, struct vouch_error *err);

/*
 * Reads the spans of an array, which messages call `name`; their scores, if `score` is not NULL, under this key or,
 * if it is empty, the usual ones.
 */
bool span_list_read(struct span_list *list, const json_t *array, const char *name, const struct text *score,
                    struct vouch_error *err);

/* Returns the array under the first of these keys, or under the one that is named; *key becomes it. NULL: none. */
const json_t *span_array(const json_t *line, struct text named, const char **key);

/* Whether two spans are the same: by their places, else by their words, and by their labels. */
bool same_span(const struct found_span *a, const struct found_span *b);

/* Whether they share a character. */
static inline bool spans_overlap(const struct found_span *a, const struct found_span *b)
{
    return a->from != NO_PLACE && b->from != NO_PLACE && a->from < b->to && b->from < a->to;
}

/* Bytes of a line of JSON that was read before. */

/* Returns the text of the value under a key of a line, an object; at NULL: there is none. */
struct text json_value_text(struct text line, const char *key);

/* Takes the next item of an array's text, from *at on, which is 0 at first; false after the last. */
bool json_next_item(struct text array, uint32_t *at, struct text *item);

#endif
