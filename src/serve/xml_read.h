/*
 * Reading XML that somebody else sent, and finding tags in it. The only file that sees libxml2.
 *
 * Elements are handed on one after the other. Nothing is fetched, and a document type is refused before the reading
 * begins: so there are no entities but the five of XML, and no bombs. An element has at most 1,000 attributes, as
 * libxml2 compares each with all others; and at most 256 elements are within each other, with at most ten megabytes in
 * an attribute, which are libxml2's own limits. The text is in UTF-8, whatever its declaration says: it was a string
 * in JSON.
 */
#ifndef VOUCH_SERVE_XML_READ_H
#define VOUCH_SERVE_XML_READ_H

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* A start tag, valid until the function that gets it returns. */
struct xml_element {
    struct text space, name; /* the namespace, empty if there is none, and the name in it */
    const unsigned char **attribute, **namespace; /* as libxml2 has them: use the functions below */
    int attributes, namespaces;
};

/* Finds an attribute that has no namespace, or one of a namespace. False if there is none. */
bool xml_attribute(const struct xml_element *element, const char *name, struct text *value);
bool xml_attribute_in(const struct xml_element *element, const char *space, const char *name, struct text *value);

/* Returns the prefix that the element declares for a namespace; NULL if it declares none. Terminated. */
const char *xml_prefix(const struct xml_element *element, const char *space);

/* Copies a text into an arena, terminated. */
static inline const char *xml_keep(struct arena *arena, struct text text, struct vouch_error *err)
{
    return arena_string(arena, text.at, text.length, err);
}

/* What gets the elements; each returns false, with the error set, to stop. Those that are NULL are not called. */
struct xml_reader {
    bool (*start)(void *context, const struct xml_element *element, struct vouch_error *err);
    bool (*text)(void *context, struct text text, struct vouch_error *err); /* in pieces */
    bool (*end)(void *context, struct vouch_error *err);
    void *context;
};

/* Reads all of it. `what` names it in messages. */
bool xml_read(const char *xml, size_t length, const char *what, const struct xml_reader *reader,
              struct vouch_error *err);

/* A tag in XML that has been read: bytes from `begin`, where '<' is, up to `end`, behind '>'. */
struct xml_tag {
    size_t begin, end;
    bool closes;     /* </name> */
    bool doctype;    /* <!DOCTYPE: in XML that has not been read */
    size_t quotes;   /* how many values it has, each within quotation marks */
};

/* Finds the next tag from *at, and goes behind it; comments, instructions and literal text are passed over. */
bool xml_next_tag(const char *xml, size_t length, size_t *at, struct xml_tag *tag);

#endif
