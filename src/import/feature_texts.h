/*
 * Finds the features that texts stand for. CRF++ and Wapiti keep a feature as the text that a line of the template
 * makes of a word, with cells in place of macros; here a feature is a rule and the strings that it saw.
 *
 * A text that can be read in several ways, as U:a/b/c of U:%x[0,0]/%x[0,1], becomes a feature for each of them, with
 * the same weights: nothing is lost. Time: texts times rules, and the ways to read them, which are limited.
 */
#ifndef VOUCH_IMPORT_FEATURE_TEXTS_H
#define VOUCH_IMPORT_FEATURE_TEXTS_H

#include "import/import.h"

/* The features that were read, and where the weights of each begin. Set the first two fields; zero the rest. */
struct feature_texts {
    struct foreign *foreign; /* templates and labels are known; the vocabulary is filled */
    /*
     * Writes what the other program calls the cell `distance` words before (negative) or after the sentence; NULL: as
     * vouch does, _B-1.
     */
    void (*outside)(int distance, char *name /* [OUTSIDE_NAME] */);

    uint64_t *place[2]; /* [nodes], [edges] */
    size_t capacity[2];
};

enum { OUTSIDE_NAME = 16 };

void feature_texts_release(struct feature_texts *texts);

/* The outcome of reading a text. */
enum text_reading { TEXT_READ, TEXT_UNKNOWN, TEXT_KNOWN_BEFORE, TEXT_TOO_AMBIGUOUS, TEXT_FAILED };

/* Returns what was expected instead of a text that was not read, for messages. */
const char *text_expected(enum text_reading state);

/*
 * Adds the features that a text can stand for: of pairs of labels if `edge`. It must begin with U or B, as the rules
 * do; its weights begin at `place`. TEXT_UNKNOWN: no rule makes such a text. Only TEXT_FAILED sets the error.
 */
enum text_reading feature_texts_add(struct feature_texts *texts, struct text text, bool edge, uint64_t place,
                                    struct vouch_error *err);

/* Fills the weights of all features from `weight`, in which places count: Y of a word's, Y * Y of a pair's. */
bool feature_texts_fill(const struct feature_texts *texts, const float *weight, struct vouch_error *err);

#endif
