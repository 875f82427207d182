/* The description of the interface, in OpenAPI 3.1. */
#ifndef VOUCH_SERVE_OPENAPI_H
#define VOUCH_SERVE_OPENAPI_H

#include "serve/http.h"

/* Returns the document for a server at that address; NULL without memory. Free with json_decref(). */
json_t *openapi_document(const char *origin, struct vouch_error *err);

/*
 * Returns what openapi.json says of routes: an object whose keys are "METHOD /path". For the document, and for the test
 * that every route is described and nothing else is. NULL without memory.
 */
json_t *openapi_described(struct vouch_error *err);

#endif
