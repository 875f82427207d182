/*
 * The list that `vouch review` writes: suspects with their words.
 */
#ifndef VOUCH_CLI_REVIEW_LIST_H
#define VOUCH_CLI_REVIEW_LIST_H

#include "base/buffer.h"
#include "train/learned_corpus.h"
#include "use/review.h"
#include "use/tree_change.h"

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

/* A word, its label as the corpus spells it, and the one proposed; of trees HEAD:RELATION or HEAD. */
struct listed_word {
    struct piece form, given, proposed;
    struct piece given_head, proposed_head; /* of trees: the words that are heads; empty for the root */
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

/* The finding about the worst of its words. */
const struct finding *listed_worst(const struct listing *listing, const struct listed *item);

/* Why it is suspect, in a phrase, terminated, in `phrase`; returns that. */
enum { WHY_ROOM = 200 };
const char *listed_why(const struct listing *listing, const struct listed *item, char phrase[WHY_ROOM]);

bool listing_write_tsv(const struct listing *listing, struct output *out, struct vouch_error *err);
bool listing_write_jsonl(const struct listing *listing, struct output *out, struct vouch_error *err);

/* What the page says: how many errors to expect, what to do next, and by which command. */
struct listing_talk {
    char expected[300], next[300], command[1200];
};
void listing_write_page(const struct listing *listing, const struct listing_talk *talk, struct output *out);

#endif
