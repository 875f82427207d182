/*
 * A document of INCEpTION: a CAS of Apache UIMA in XMI, with the type system that describes it.
 *
 * A CAS is a text (the sofa) and feature structures with numbers (xmi:id). Those that are annotations have a place in
 * the text, counted in units of UTF-16; here places are bytes of the text in UTF-8. The type of an element is its
 * namespace and name: {http:///a/b.ecore}C is a.b.C. A view lists the numbers that are in its index (`members`).
 *
 *     <xmi:XMI ...>
 *       <type:Token xmi:id="7" sofa="1" begin="0" end="3"/>
 *       <ner:NamedEntity xmi:id="9" sofa="1" begin="0" end="3" value="PER"/>
 *       <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Ada"/>
 *       <cas:View sofa="1" members="7 9"/>
 *     </xmi:XMI>
 *
 * It is read as a stream of elements, so that memory grows with what is kept. What is written is what was read, byte
 * for byte, with the suggestions put in before the view, and their numbers behind its members.
 *
 * What XML may not have is said in serve/xml_read.h. A document has one text of at most ten megabytes.
 */
#ifndef VOUCH_SERVE_XMI_H
#define VOUCH_SERVE_XMI_H

#include "base/buffer.h"
#include "convert/offsets.h"
#include "serve/cas_types.h"

/*
 * A layer and the feature of it that is asked for. A layer of relations joins two tokens: its type has the features
 * Governor and Dependent. Features beside the asked one that the type has are written, others are not.
 */
struct cas_layer {
    const struct cas_types *types;
    uint32_t type;
    const char *feature; /* as the caller gave it */
    bool relations;
    bool predicted, score, score_explanation, correction, correction_explanation;
};

/* Finds them. False if there is no such type or feature, or one that no label fits in. */
bool cas_layer_find(const struct cas_types *types, const char *layer, const char *feature, struct cas_layer *found,
                    struct vouch_error *err);

/* ---- Documents ---- */

#define NO_TOKEN UINT32_MAX

/* Words and sentences. Strings belong to the document; NULL: unknown. */
struct cas_token {
    size_t begin, end; /* bytes of the text */
    uint32_t id;       /* xmi:id */
    const char *pos, *coarse, *lemma, *features;
};

struct cas_sentence {
    size_t begin, end;
};

/* An annotation of the layer. */
struct cas_annotation {
    size_t begin, end;
    const char *label;            /* NULL: none was chosen yet */
    uint32_t governor, dependent; /* of relations: tokens; NO_TOKEN if it is none that is there */
};

struct cas {
    const char *text; /* the document's, in UTF-8, terminated */
    size_t length;
    struct cas_sentence *sentence; /* [sentences], in the order of the text, as all that follows */
    struct cas_token *token;       /* [tokens] */
    struct cas_annotation *annotation;
    size_t sentences, tokens, annotations;

    /* what writing needs */
    const char *xmi; /* the bytes that were read, which the caller keeps */
    size_t xmi_length;
    const struct cas_layer *layer;
    uint32_t sofa, next_id;
    struct offset_map units;     /* of UTF-16 */
    const char *prefix, *id_tag; /* of the layer's namespace, NULL if it has none yet; what xmi:id is called */
    uint32_t view;               /* the element that is the view, counted from 1; 0: there is none */
    struct arena strings;
};

/* Reads a document. Bytes and layer must stay as they are until the document is released. */
bool cas_read(struct cas *cas, const char *xmi, size_t length, const struct cas_layer *layer, struct vouch_error *err);
void cas_release(struct cas *cas);

/* Finds sentences, and words if there are none, by rule (text/word_breaks.h), in a document that lacks either. */
bool cas_cut(struct cas *cas, struct vouch_error *err);

/* Finds the words within bytes of the text, those of a sentence say: token *from up to *to - 1. */
void cas_words(const struct cas *cas, size_t begin, size_t end, size_t *from, size_t *to);

/* What is added to a document: an annotation of the layer that INCEpTION shows as a suggestion. */
struct cas_suggestion {
    size_t begin, end; /* bytes; of relations those of the dependent */
    const char *label;
    double score;                  /* NAN: none */
    const char *score_explanation; /* NULL: none; and so below */
    bool correction;               /* a warning about what is annotated there */
    const char *correction_explanation;
    uint32_t governor, dependent; /* of relations: tokens */
};

/* Writes the document with the suggestions, in their order. */
bool cas_write(const struct cas *cas, const struct cas_suggestion *suggestion, size_t count, struct buffer *out,
               struct vouch_error *err);

#endif
