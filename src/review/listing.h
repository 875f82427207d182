/*
 * A listing is the suspects of a review with their words: all that a list of them shows, in any format.
 */
#ifndef VOUCH_REVIEW_LISTING_H
#define VOUCH_REVIEW_LISTING_H

#include "base/buffer.h"
#include "train/learned_corpus.h"
#include "review/review.h"
#include "review/tree_change.h"

/* The input of a listing. */
struct listing_source {
    const struct settings *settings; /* whose arguments are the files */
    struct reader_options reading;   /* as they were read before */
    const struct learned_corpus *corpus;
    const struct held_out *held;
    bool dev; /* the sentences are those of the corpus's dev file */
    bool parses;
    const struct review *review;
    const struct suspect *suspect; /* [count] most suspect first */
    size_t count;
    uint32_t draws[MAX_LAYERS]; /* models that were drawn */
};

/* Bytes of the listing's text. */
struct piece {
    size_t at;
    uint32_t length;
};

/* A word, its label as the corpus spells it, and the proposed one; for trees, HEAD:RELATION or HEAD. */
struct listed_word {
    struct piece form, given, proposed;
    struct piece given_head, proposed_head; /* for trees: the forms of the heads; empty for the root */
    uint32_t number;                        /* in its sentence, from 1 */
};

struct listed {
    const struct suspect *suspect;
    const char *file;
    uint64_t line;              /* of its first word; in JSON lines, of the sentence */
    size_t first;               /* its words are listing->word[first] .. */
    uint32_t others;            /* words of the same tree that change with them, which follow there */
    struct piece before, after; /* what surrounds it in the sentence, shortened */
};

struct listing {
    const struct listing_source *source;
    struct tree_changes changes; /* of trees */
    struct listed *item;         /* [source->count] */
    struct listed_word *word;
    size_t words, word_capacity;
    struct buffer text;
};

/* Reads the files again for the words. The source must outlive the listing. Release in any case. */
bool listing_make(struct listing *listing, const struct listing_source *source, struct vouch_error *err);
void listing_release(struct listing *listing);

static inline struct text listing_text(const struct listing *listing, struct piece piece)
{
    return (struct text){listing->text.bytes + piece.at, piece.length};
}

static inline uint32_t listed_words(const struct listed *item)
{
    return item->suspect->to - item->suspect->from;
}

/* Returns the finding about the item's worst word. */
const struct finding *listed_worst(const struct listing *listing, const struct listed *item);

/* Writes a phrase into `phrase` that tells why the item is suspect; returns `phrase`. */
enum { WHY_ROOM = 320 };
const char *listed_why(const struct listing *listing, const struct listed *item, char phrase[WHY_ROOM]);

/*
 * One item, ready to be shown: texts of several words are separated by blanks. Its memory is used again for the next;
 * zero it before first use.
 */
enum row_part { ROW_TEXT, ROW_GIVEN, ROW_PROPOSED, ROW_PARTS };
enum row_measure { ROW_ERROR, ROW_CONFIDENCE, ROW_MARGIN, ROW_VOTES, ROW_LEARNED, ROW_MEASURES };

struct listed_row {
    const struct listed *item;
    size_t rank;                   /* from 1 */
    struct buffer part[ROW_PARTS]; /* the words, their labels, and the labels proposed */
    struct buffer context;         /* the sentence, with the item in brackets */
    struct buffer others;          /* the arcs that change with it, as in "7:0:root->3:obj" */
    double measure[ROW_MEASURES];  /* NAN, or infinite: not known */
    const char *layer;
    char why[WHY_ROOM];
};

bool listed_row_fill(struct listed_row *row, const struct listing *listing, size_t i, struct vouch_error *err);
void listed_row_release(struct listed_row *row);

#endif
