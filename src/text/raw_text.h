/* Raw text as CoNLL-U or JSON lines: words and sentences by rule (word_breaks.h), and where they are in the text. */
#ifndef VOUCH_TEXT_RAW_TEXT_H
#define VOUCH_TEXT_RAW_TEXT_H

#include "base/output.h"
#include "text/word_breaks.h"

struct raw_options {
    bool presegmented; /* every line is one sentence */
    bool ranges;       /* TokenRange=FROM:TO in MISC: the code points of the word in the text, from 0 */
};

/*
 * Writes sentences with newdoc, newpar, sent_id and text as comments, and words whose columns are open but for ID, FORM
 * and MISC. There it says what is between words: SpaceAfter=No if nothing, and SpacesAfter or (before the first)
 * SpacesBefore if not one blank, as UDPipe has them: \s \t \r \n \p \\ for a blank, a tab, ends of lines, | and \.
 */
bool raw_text_write(struct output *out, struct text text, const struct raw_options *options, struct vouch_error *err);

/*
 * Writes JSON lines, a sentence each: {"tokens": [...], "start": [...], "end": [...]}, where a word begins and where it
 * has ended, in code points of the text, from 0.
 */
bool raw_text_write_json(struct output *out, struct text text, const struct raw_options *options,
                         struct vouch_error *err);

/* Writes a word's line; `misc` may be empty. */
void raw_word_write(struct output *out, size_t number, struct text form, struct text misc);

#endif
