/*
 * Annotated texts: the one form that every format of other tools is read into and written from.
 *
 *   text       UTF-8; made of the words, with a space between, where a format has words alone
 *   words      pieces of the text, in its order, that do not overlap
 *   sentences  runs of words; together they are all words
 *   spans      runs of words with a label; they may overlap, and lie inside of each other
 *   relations  from a span to a span
 *   tree       a head for every word, and a relation to it
 *   columns    other tags of words: lemma, upos, ...
 *
 * A document is one answer about one text. A text that several people annotated is several documents in a row, of the
 * same id. All texts are bytes in the corpus's arena; an empty text says that there is none.
 *
 * A reader makes a document so:
 *
 *     struct annotated *doc = texts_add(corpus, line, err);
 *
 * then, for a format with a text of its own, whose spans are given in characters,
 *
 *     doc->text = texts_keep(corpus, text)
 *     annotated_cut_words(doc)  or  annotated_add_word(doc, from, to), annotated_end_sentence(doc)
 *     annotated_add_piece(doc, from, to, label)     spans, by bytes of the text: see offsets.h
 *
 * or, for a format of words alone,
 *
 *     annotated_append_word(doc, gap, form)         adds to the text; annotated_end_sentence(doc)
 *     annotated_add_span(doc, from, to, label)      spans, by words
 *
 * and in the end annotated_settle(doc), which finds the words of pieces.
 */
#ifndef VOUCH_CONVERT_ANNOTATED_H
#define VOUCH_CONVERT_ANNOTATED_H

#include "base/buffer.h"
#include "base/memory.h"
#include "base/text.h"
#include "core/scheme.h"

#include <math.h>

#define NO_HEAD UINT32_MAX /* of a word: it is not known */

/* What was decided about a text. Where there is no answer, there are no spans and no tree. */
enum answer_state {
    ANSWER_GIVEN,     /* it is there; the format says no more */
    ANSWER_ACCEPTED,  /* an annotator said that it is right */
    ANSWER_REJECTED,  /* an annotator said that it is wrong */
    ANSWER_IGNORED,   /* an annotator skipped it */
    ANSWER_PREDICTED, /* a model made it: `annotator` is its name or version */
    ANSWER_NONE,      /* there is none yet */
    ANSWER_STATES
};

struct marked_word {
    uint32_t from, to; /* bytes of the text; not empty, and without white space at its ends */
};

struct marked_sentence {
    uint32_t from, to;    /* words; not empty */
    struct text id;       /* sent_id */
    struct text comments; /* lines in front of it in CoNLL files that say nothing of the above, each with its LF */
};

struct marked_span {
    uint32_t from, to;   /* words, not empty; known once the document is settled */
    uint32_t begin, end; /* bytes of the text: those of the words, once the document is settled */
    struct text label;
    struct text id;   /* as the file names it */
    double score;     /* NAN: none */
    uint64_t line;    /* where it was read; 0: that of the document */
    struct text note; /* an annotator's remark */
    uint32_t place;   /* working memory of annotated_settle() */
};

struct marked_relation {
    uint32_t from, to; /* spans */
    struct text label, id;
    double score; /* NAN: none */
};

/*
 * A line of CoNLL-U that is no word, a range or an empty node: in front of a word, or behind the sentence's last. They
 * are in the order of the file, have ten columns, and numbers that fit their place.
 */
struct marked_line {
    uint32_t word, sentence; /* from 0 */
    struct text line;
};

/* A tag for every word. Names: lemma, upos, xpos, feats, deps, misc, or what a file calls it. */
struct tag_column {
    struct text name;
    struct text *cell; /* [words]; an empty one says that the word has none */
    size_t filled, capacity;
};

struct annotated {
    struct annotated_texts *corpus;
    uint64_t line;    /* where it begins in its file, from 1 */
    const char *file; /* for messages */
    struct text id, text;

    struct marked_word *word;
    struct marked_sentence *sentence;
    struct marked_span *span;
    struct marked_relation *relation;
    struct tag_column *column;
    struct marked_line *other;
    uint32_t *head;      /* [words] 0: the root, else a word's number from 1, or NO_HEAD; NULL: there is no tree */
    struct text *deprel; /* [words] relation to the head; only if there is a tree */
    uint32_t words, sentences, spans, relations, columns, others, headed;
    size_t word_capacity, sentence_capacity, span_capacity, relation_capacity, column_capacity, other_capacity,
        head_capacity, deprel_capacity;

    enum answer_state state;
    struct text annotator;
    double score;     /* of the whole answer; NAN: none */
    struct text meta; /* a JSON object: what else the tool says of the text, kept as it is */

    bool spanned; /* spans were looked for, even if there are none */
};

/* What is not as it should be in files, and is changed by choice. */
enum edge_choice { EDGES_REFUSE, EDGES_CUT, EDGES_WIDEN };
enum overlap_choice { OVERLAPS_REFUSE, OVERLAPS_LONGEST, OVERLAPS_FIRST };

/* What reading and writing changed or left out; said aloud in the end. */
struct conversion_counts {
    uint64_t documents, sentences, words, spans, relations; /* that were read */
    uint64_t empty;                                         /* files without texts */
    uint64_t repeated;                                      /* texts that the document before has, too */
    uint64_t trimmed;                                       /* spans with white space at an edge */
    uint64_t cut, widened;                                  /* words cut at the edge of a span; spans made wider */
    uint64_t blank_words;                                   /* words of white space alone, left out */
    uint64_t other;                                         /* annotations of kinds that are not known here */
    uint64_t unaccepted;                                    /* documents that are left out as they are not accepted */
    uint64_t respelled;                                     /* labels and notes with what a format does not take */
    uint64_t joined;                                        /* borders of sentences that spans crossed */
    uint64_t overlapping;                                   /* spans that were dropped as they overlap another */
    uint64_t unsaid[64];                                    /* lost on writing: by enum kept (annotation_formats.h) */
};

struct annotated_texts {
    const char *file; /* at hand, for messages */
    struct annotated *document;
    size_t count, capacity;
    enum edge_choice edges;
    bool plain_labels; /* labels of the file at hand are of no scheme */
    struct conversion_counts counts;
    struct arena arena, scratch;
    struct buffer draft; /* the text of the document at hand, while words are appended */
    uint32_t *span_of;   /* of annotated_span_of_word() */
    size_t span_of_capacity;
    struct word_cuts *cuts; /* working memory of annotated_cut_words() */
};

void texts_init(struct annotated_texts *corpus);
void texts_release(struct annotated_texts *corpus);

/* Returns a new document, which is valid until the next is added; NULL without memory. */
struct annotated *texts_add(struct annotated_texts *corpus, uint64_t line, struct vouch_error *err);

/* Names a document after its file, without folders and the extension. */
bool annotated_name_after(struct annotated *doc, const char *file, const char *extension, struct vouch_error *err);

/* Releases the arrays of a document that is taken out of its corpus. */
void annotated_release(struct annotated *doc);

/* Copies bytes into the arena; at NULL with the error set without memory. A text of no bytes is never at NULL. */
struct text texts_keep(struct annotated_texts *corpus, struct text text, struct vouch_error *err);

/* Fails with the file and line in front of the message; fail_document() with those of a document. */
bool fail_at(const char *file, uint64_t line, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define fail_document(doc, err, ...) fail_at((doc)->file, (doc)->line, err, __VA_ARGS__)

/* Finds words and sentences of the text by Unicode's rule (text/word_breaks.h). */
bool annotated_cut_words(struct annotated *doc, struct vouch_error *err);

/* The same for words alone; and for sentences, where words are there already. */
bool annotated_cut_words_alone(struct annotated *doc, struct vouch_error *err);
bool annotated_cut_sentences(struct annotated *doc, struct vouch_error *err);

/*
 * Adds a word of the text, behind those that are there. A blank one is left out, and counted; refused are one that
 * overlaps the last, and one with a tab or the end of a line inside.
 */
bool annotated_add_word(struct annotated *doc, uint32_t from, uint32_t to, struct vouch_error *err);

/* Whether it is empty, or white space of any kind that no column can hold; a no-break space alone can be held. */
bool is_blank_word(struct text form);

/* Adds a word, and its bytes to the text, behind the gap unless it is the first. */
bool annotated_append_word(struct annotated *doc, struct text gap, struct text form, struct vouch_error *err);

/* Ends the text that appended words make; annotated_settle() does so, too. */
bool annotated_keep_text(struct annotated *doc, struct vouch_error *err);

/* Finds the word of exactly these bytes; false if there is none. */
bool annotated_word_at(const struct annotated *doc, uint32_t begin, uint32_t end, uint32_t *word);

/* Ends a sentence behind the last word; nothing happens if it has no words. */
bool annotated_end_sentence(struct annotated *doc, struct vouch_error *err);

/* Ends a sentence in front of a word; nothing happens if it has no words. */
bool annotated_put_sentence(struct annotated *doc, uint32_t to, struct vouch_error *err);

/* Add a span, by bytes of the text or by words; NULL on failure. Score, id and the rest are to be set. */
struct marked_span *annotated_add_piece(struct annotated *doc, uint64_t begin, uint64_t end, struct text label,
                                        struct vouch_error *err);
struct marked_span *annotated_add_span(struct annotated *doc, uint32_t from, uint32_t to, struct text label,
                                       struct vouch_error *err);
struct marked_relation *annotated_add_relation(struct annotated *doc, uint32_t from, uint32_t to, struct text label,
                                               struct vouch_error *err);

/* Returns the column of that name, which is added if it is not there; NULL without memory. Words must be there. */
struct tag_column *annotated_column(struct annotated *doc, struct text name, struct vouch_error *err);

/* Returns the tag of a word in the column of that name; "_" if it has none. */
struct text annotated_cell(const struct annotated *doc, struct text name, uint32_t word);

/* Returns the column if it is there, else NULL. */
const struct tag_column *annotated_has_column(const struct annotated *doc, const char *name);

/* Removes the tree; the same, if nothing is known in it, and the columns in which no word has a tag. */
void annotated_drop_tree(struct annotated *doc);
void annotated_drop_empty(struct annotated *doc);

/* Makes room for a tree, or for more words of it: their heads are NO_HEAD, relations empty. Words must be there. */
bool annotated_begin_tree(struct annotated *doc, struct vouch_error *err);

/*
 * Completes a document: ends the last sentence, finds the words of spans that were added by bytes, and sees to it that
 * all is as said above (settle.c). Names, labels and tags are on one line, without tabs, and without white space at
 * their ends; "_" is no tag. Comments are not blank, scores finite, columns not empty. Spans are sorted, the first and
 * the longest in front. White space at their edges is cut off; an edge inside of a word is refused, or the word is cut
 * there, or the span made wider, as corpus->edges says.
 */
bool annotated_settle(struct annotated *doc, struct vouch_error *err);

/* Whether the text is words with a space between, and sentences with the end of a line, so that words say it all. */
bool annotated_is_plain(const struct annotated *doc);

/*
 * Whether words are those that annotated_cut_words() would find, and sentences those that annotated_cut_sentences()
 * would, so that they need not be written.
 */
bool annotated_ruled(const struct annotated *doc, bool *words, bool *sentences, struct vouch_error *err);

/*
 * Adds the spans that labels of N words spell, from word `first` on, read the way conlleval does; refuses labels that
 * are not of IOB1, IOB2 or BIOES.
 */
bool annotated_add_labels(struct annotated *doc, uint32_t first, const struct text *label, uint32_t N,
                          struct vouch_error *err);

/* Returns the span of each word [words + 1], NO_SPAN if it has none, of spans that do not overlap; NULL without memory.
 * Valid until the next call for the same corpus. */
#define NO_SPAN UINT32_MAX
const uint32_t *annotated_span_of_word(const struct annotated *doc, struct vouch_error *err);

/* Returns the letter that a scheme puts before the type of the span of a sentence's word: B, I, E, S; O without one. */
char annotated_prefix(const struct annotated *doc, const uint32_t *span_of, uint32_t sentence, uint32_t word,
                      enum scheme scheme);

/* Finds the span of that id; false if there is none. */
bool annotated_find_span(const struct annotated *doc, struct text id, uint32_t *span);

/* Returns a text without white space at its ends: blanks, tabs, ends of lines and pages. */
struct text white_trimmed(struct text text);

/* Whether a text can stand in a column: there is no tab, end of a line or white space at its ends. */
bool is_cell(struct text text);

/* Returns the first word that ends behind a byte; the number of words if there is none. */
uint32_t annotated_word_behind(const struct annotated *doc, uint32_t byte);

static inline struct text annotated_form(const struct annotated *doc, uint32_t word)
{
    return (struct text){doc->text.at + doc->word[word].from, doc->word[word].to - doc->word[word].from};
}

static inline struct text annotated_bytes(const struct annotated *doc, uint32_t begin, uint32_t end)
{
    return (struct text){doc->text.at + begin, end - begin};
}

#endif
