/*
 * Type systems of Apache UIMA: the layers of a project of INCEpTION, as typeSystemDescription describes them.
 *
 *     <typeDescription>
 *       <name>a.b.C</name>  <supertypeName>uima.tcas.Annotation</supertypeName>
 *       <features><featureDescription>  <name>value</name>  <rangeTypeName>uima.cas.String</rangeTypeName> ...
 *
 * A type has the features of the types above it, too. An element of XMI is of the type a.b.C if its name is C in the
 * namespace http:///a/b.ecore, and a type without a package is in http:///uima/noNamespace.ecore.
 */
#ifndef VOUCH_SERVE_CAS_TYPES_H
#define VOUCH_SERVE_CAS_TYPES_H

#include "base/buffer.h"
#include "serve/xml_read.h"

#define NO_TYPE UINT32_MAX

struct cas_types;

/* Reads a typeSystemDescription. NULL if it is none. */
struct cas_types *cas_types_read(const char *xml, size_t length, struct vouch_error *err);
void cas_types_free(struct cas_types *types); /* NULL is allowed */

/* Return a type by its name and by the element that has it; NO_TYPE if it is not described. O(log types). */
uint32_t cas_type_find(const struct cas_types *types, struct text name);
uint32_t cas_type_of(const struct cas_types *types, const struct xml_element *element, struct buffer *scratch,
                     struct vouch_error *err);
size_t cas_type_count(const struct cas_types *types);
const char *cas_type_name(const struct cas_types *types, uint32_t type);

/* Whether a type is another one or below it; both may be NO_TYPE, which is below nothing. */
bool cas_type_is(const struct cas_types *types, uint32_t type, uint32_t above);

/* Returns the range of a feature of a type; NULL if it has no such feature. */
const char *cas_feature_range(const struct cas_types *types, uint32_t type, const char *feature);

/* Whether values of a range are texts: uima.cas.String, or a type of chosen texts below it. */
bool cas_range_is_text(const struct cas_types *types, const char *range);

/* Writes the namespace of a type, and returns its name in it. NULL without memory. */
const char *cas_type_space(const struct cas_types *types, uint32_t type, struct buffer *space, struct vouch_error *err);

#endif
