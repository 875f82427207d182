/*
 * Amending writes a corpus again with some labels changed, and every other byte as it was.
 *
 * Every amendment tells what it expects to find, so that a file other than the one that it was made for is noticed
 * before anything is written.
 */
#ifndef VOUCH_REVIEW_AMEND_H
#define VOUCH_REVIEW_AMEND_H

#include "base/buffer.h"
#include "base/output.h"
#include "core/scheme.h"
#include "text/corrections.h"
#include "text/reader.h"

/* The change of one word or of several neighbours. */
struct amendment {
    uint64_t line;      /* of the first word; in JSON lines, of the sentence */
    uint32_t word;      /* its number in the sentence, from 1 */
    uint32_t words;     /* how many there are */
    struct text text;   /* their forms, as amend_words() writes them; at NULL: not checked */
    struct text given;  /* their labels as they are, as amend_labels() writes them */
    struct text wanted; /* and as they are to be, separated by blanks; of trees HEAD or HEAD:RELATION */
    struct text also;   /* in trees: other words that change with these, WORD:GIVEN->WANTED, separated by blanks */
    bool by_hand;       /* `wanted` was typed, perhaps wrongly: only labels of the corpus are accepted, and for all
                           words together also a single O or type, which is then spelled out */
    const char *source; /* the file that asks for it, for messages, */
    uint64_t number;    /* and the line there */
};

struct amendments {
    const struct amendment *list; /* [count], in any order */
    size_t count;
    bool new_labels; /* labels that the corpus does not have are accepted */
};

/* The result. */
struct amended {
    uint64_t changed; /* words that are not as they were */
    uint64_t faults; /* in sentences that followed the corpus's scheme and do not any more: see label_survey_faults() */
    enum scheme scheme;    /* that scheme */
    uint32_t refusals;     /* of sentences: amendments that contradict each other, or would leave no tree */
    struct buffer refused; /* a line for each */
};
void amended_release(struct amended *done);

/*
 * Reads `path`, which must not be a pipe, three times. Nothing is written if an amendment does not fit. Where several
 * were refused the error tells how many, and `done` which. Release that in any case.
 */
bool amend(struct output *out, const char *path, const struct reader_options *reading, const struct amendments *asked,
           struct amended *done, struct vouch_error *err);

/*
 * Finds, instead of writing the file anew, what would be changed in it, so that it can be read as if it were. The same
 * checks are made. Release `into` in any case.
 */
bool amend_find(const char *path, const struct reader_options *reading, const struct amendments *asked,
                struct corrections *into, struct amended *done, struct vouch_error *err);

/* Appends the forms of words from .. to - 1, separated by blanks, and with blanks for tabs and the like. */
bool amend_words(const struct sentence *sentence, uint32_t from, uint32_t to, struct buffer *into,
                 struct vouch_error *err);

/* Appends their labels as they are in the file, separated by blanks; of trees, heads and, if `relations`, relations. */
bool amend_labels(const struct sentence *sentence, uint32_t from, uint32_t to, bool relations, struct buffer *into,
                  struct vouch_error *err);

#endif
