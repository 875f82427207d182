/*
 * Reads what was decided in earlier rounds of a review, from edited tables to the words of a corpus.
 *
 *     decided_read() -> the files are read with these corrections -> decided_place()
 */
#ifndef VOUCH_REVIEW_DECIDED_H
#define VOUCH_REVIEW_DECIDED_H

#include "review/amend.h"
#include "options/settings.h"
#include "train/learned_corpus.h"

enum decided_state { DECIDED_NOT, DECIDED_RIGHT, DECIDED_WRONG };

struct decided {
    struct corrections *file; /* [files] what was decided about each of the files */
    size_t files;
    uint64_t kept, changed; /* words that stay as given, and words that change */
    struct buffer refused;  /* if decisions contradict each other or leave no tree: a line for each */

    unsigned char *state;         /* [words] enum decided_state; NULL: nothing was decided */
    uint32_t *before[MAX_LAYERS]; /* [words] where a word was wrong: the choice that the file gives */
};

/*
 * Reads the tables of settings->decided, and finds their words in the files, which are settings->argument. Refuses
 * what does not fit, with file and line. Zero it first, and release it in any case.
 */
bool decided_read(struct decided *decided, const struct settings *settings, const struct reader_options *reading,
                  struct vouch_error *err);

/* Where the sentences are that are learned from or judged: in `corpus`, or in its dev file. */
struct decided_place {
    const struct settings *settings; /* whose arguments are the files */
    struct reader_options reading;   /* without corrections */
    const struct learned_corpus *corpus;
    bool dev;
};

/* Finds the words that were decided on in the corpus that was read with the corrections. */
bool decided_place(struct decided *decided, const struct decided_place *place, struct vouch_error *err);
void decided_release(struct decided *decided);

static inline enum decided_state decided_state(const struct decided *decided, size_t word)
{
    return decided && decided->state ? (enum decided_state)decided->state[word] : DECIDED_NOT;
}

#endif
