/*
 * Label schemes tell how labels of words spell out chunks:
 *
 *   IOB2   B-X starts every chunk, I-X goes on, O is outside
 *   IOB1   I-X everywhere in a chunk; B-X only where a chunk touches one of its own type
 *   BIOES  as IOB2, with E-X for the last word and S-X for a chunk of one word
 *
 * Anything else (parts of speech, for instance) is SCHEME_NONE: every label stands for itself. IOB1 is learned as IOB2
 * and written back as IOB1; BIOES was measured and gains nothing.
 */
#ifndef VOUCH_CORE_SCHEME_H
#define VOUCH_CORE_SCHEME_H

#include "base/text.h"
#include "base/memory.h"

enum scheme { SCHEME_NONE, SCHEME_IOB1, SCHEME_IOB2, SCHEME_BIOES };

const char *scheme_name(enum scheme scheme);

/* Splits "B-PER" into prefix 'B' and type "PER"; "O" into 'O' and ""; anything else into prefix 0 and the label. */
char scheme_split(struct text label, struct text *type);

/* Whether a label puts its word inside of a chunk. */
bool scheme_inside(struct text label);

/*
 * Counts labels, sentence by sentence, to find which scheme they follow. A sentence with open labels, which are empty,
 * does not tell IOB1 from IOB2: whether I-X goes on with a chunk depends on the word before. It is in IOB2, by rule.
 */
struct scheme_watch {
    uint64_t words, plain, single_or_end; /* all; those that are no chunk labels; S- or E- */
    uint64_t opens_with_i, needless_b;    /* I-X where a chunk must start; B-X where IOB1 would write I-X */
    uint64_t i_after_open;                /* I-X where the word before is open */
};
bool scheme_has_open(const struct text *label, uint32_t N); /* whether a label is open */
void scheme_see(struct scheme_watch *watch, const struct text *label, uint32_t N);
enum scheme scheme_decide(const struct scheme_watch *watch);

/* Whether a chunk starts at `here`, and whether one ends at `here`, read the way conlleval does; outside is "O". */
bool scheme_starts(struct text before, struct text here);
bool scheme_ends(struct text here, struct text after);

/*
 * Whether the scheme lets label `here` follow `before`: no sequence is illegal to read, but each scheme writes only
 * some. Before the first word and after the last there is "O".
 */
bool scheme_allows(enum scheme scheme, struct text before, struct text here);

/*
 * Returns the scheme that these labels, all that there are, belong to; labels with B- and I- alone are taken for IOB2,
 * unless a type has I- without B-.
 */
enum scheme scheme_of_labels(const struct text *label, uint32_t labels);

/* Finds the scheme of that name, in any case; false if there is none. */
#define SCHEME_NAMES "IOB1, IOB2, BIOES or none"
bool scheme_named(const char *name, enum scheme *scheme);

/*
 * Rewrites the prefixes of one sentence from IOB1, IOB2 or BIOES (read the way conlleval reads them: a change of type,
 * or I- after O, starts a chunk) to `to`. Types stay where they are: prefix[i] receives B, I, O, E or S.
 */
void scheme_convert(const struct text *label, uint32_t N, enum scheme to, char *prefix /* [N] */);

/*
 * Span rules tell which choices of neighbouring words open and close a chunk,
 * so that chunks can be compared without the names of labels.
 */
/* Words from .. to - 1. */
struct extent {
    uint32_t from, to;
};

/* Index `labels` stands for the outside of the sentence. */
struct span_rules {
    uint32_t labels; /* Y */
    bool *opens;     /* [Y + 1][Y]: a chunk starts at a word labelled [left][here] */
    bool *closes;    /* [Y][Y + 1]: a chunk ends at a word labelled [here][right] */
    uint32_t *type;  /* [Y]: the same number for labels of one type of chunk; Y for those outside */
    bool respelled;  /* the corpus writes chunks in another scheme, IOB1 or IOB2, in which labels may look alike */
};

/*
 * Whether the corpus writes labels `a` and `b` alike for a word after one labelled `before`: both start a chunk of one
 * type there, or both continue it.
 */
static inline bool span_alike(const struct span_rules *rules, uint32_t before, uint32_t a, uint32_t b)
{
    const bool *opens = rules->opens + (size_t)before * rules->labels;
    return a == b || (rules->respelled && rules->type[a] == rules->type[b] && opens[a] == opens[b]);
}

bool span_rules_init(struct span_rules *rules, const struct text *label, uint32_t labels, struct vouch_error *err);
void span_rules_release(struct span_rules *rules);

/* Finds the next chunk that starts at or after word `from`; false if there is none. */
bool span_next(const struct span_rules *rules, const uint32_t *choice, uint32_t N, uint32_t from, struct extent *span);

/*
 * Whether `other` has the same chunk as `choice` there: the same words and the same type, however it is spelled.
 * Choices that are no label agree with none.
 */
bool span_agrees(const struct span_rules *rules, const uint32_t *choice, const uint32_t *other, uint32_t N,
                 struct extent span);

#endif
