/*
 * The table of formats of annotated texts: what each is called, what it can say, and how it is read and written.
 *
 * A new format is a file with a `const struct annotation_format`, and a line in annotation_formats.c. The name is what
 * --from and --to take.
 */
#ifndef VOUCH_CONVERT_ANNOTATION_FORMATS_H
#define VOUCH_CONVERT_ANNOTATION_FORMATS_H

#include "base/output.h"
#include "convert/annotated.h"
#include "convert/offsets.h"
#include "core/scheme.h"

/* What a format may be able to say; what it cannot is counted when it is written, and said. */
enum kept {
    KEPT_TEXT,      /* the text as it is, with its white space */
    KEPT_WORDS,     /* words and sentences that are not those of the rule */
    KEPT_DOCUMENTS, /* where documents of several sentences begin */
    KEPT_IDS,       /* of documents */
    KEPT_SENTENCE_IDS,
    KEPT_COMMENTS, /* in front of sentences */
    KEPT_SPANS,
    KEPT_UNLABELLED, /* that spans were not looked for; not counted where it is lost: then there are none */
    KEPT_OVERLAPS, /* of spans */
    KEPT_SPAN_SCORES,
    KEPT_SPAN_IDS, /* names that tools give to spans are not counted where they are lost */
    KEPT_NOTES,    /* of spans */
    KEPT_RELATIONS,
    KEPT_RELATION_SCORES,
    KEPT_RELATION_IDS,
    KEPT_TREES,
    KEPT_OPEN_HEADS,   /* relations of words whose heads are not known */
    KEPT_COLUMNS,      /* of any name */
    KEPT_COLUMN_NAMES, /* other than 2, 3, ... in this order */
    KEPT_UD_COLUMNS,   /* lemma, upos, xpos, feats, deps, misc */
    KEPT_OTHER_LINES,  /* ranges and empty nodes */
    KEPT_STATES,       /* see `states` below */
    KEPT_ANNOTATORS,
    KEPT_SCORES, /* of whole answers */
    KEPT_META,
    KEPT_WORDLESS, /* documents without words */
    KEPT_KINDS
};
#define KEPT(kind) (UINT64_C(1) << KEPT_##kind)

/* The bytes of one file. */
struct annotated_source {
    const char *name;  /* for messages */
    const char *bytes; /* UTF-8 without NUL, terminated by one */
    size_t length;
    const char *companion; /* of a format of two files, the text; NULL: there is none */
    size_t companion_length;
};

/* How formats are read and written where there is a choice. */
struct format_choices {
    enum scheme scheme;    /* of labels that are written: IOB1, IOB2 or BIOES */
    enum offset_unit unit; /* that files of characters count, where the format does not say; see `given_unit` */
    bool given_unit;
    const char *names; /* Hugging Face: the names of ner_tags, in their order, separated by commas */
    const char *layer; /* what the tool calls spans: a key, a control, a layer; NULL: the usual name */
};

struct annotation_format {
    const char *name;      /* lower case */
    const char *extension; /* of its files, with the full stop */
    const char *companion; /* extension of the second file of each document, which has the text; NULL: there is none */
    const char *title;     /* for messages and help: "Label Studio JSON" */
    uint64_t kept;         /* KEPT(...) | ... */
    unsigned states;       /* bits 1 << ANSWER_...: documents of others are left out; given and accepted ones are not */
    bool to_learn_from;    /* programs learn from it whatever it says of states: these only if they are asked for */
    bool one_document;     /* a file has one document */
    bool by_sentence;      /* no span may cross the border of a sentence: sentences are joined there */
    /* Whether a file with these bytes at its beginning (64 KiB at most) is certainly one of this format. */
    bool (*recognise)(struct text beginning);
    bool (*read)(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err);
    /*
     * Takes out of a document the names, labels and values that the format has no spelling for, and counts them, when
     * the kinds that are not kept are gone: see fitting.h; or out of a corpus, which must be seen whole. NULL: there
     * are none.
     */
    bool (*fit)(struct annotated *doc, struct vouch_error *err);
    bool (*fit_corpus)(struct annotated_texts *corpus, struct vouch_error *err);
    /* Writes documents that are fitted, and the companion, if there is one. All that is written, `read` reads. */
    bool (*write)(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err);
};

/* All formats, in the order in which they are tried; the last is NULL. */
extern const struct annotation_format *const annotation_formats[];

/* Returns the format of that name, or NULL with an error that suggests another spelling. */
const struct annotation_format *annotation_format_named(const char *name, struct vouch_error *err);

/* What is lost of each kind: "score of a span", and in the plural "scores of spans". */
extern const char *const kept_names[KEPT_KINDS][2];

/* Takes the next line off the rest, without its end (LF or CR LF), and counts it; false after the last. */
bool cut_source_line(struct text *rest, struct text *line, uint64_t *number);

#endif
