/*
 * What a client sends as names and values: parameters of the address, then those of a body that is a form, urlencoded
 * or multipart. Of a name that comes twice, the last value counts.
 */
#ifndef VOUCH_SERVE_FORM_H
#define VOUCH_SERVE_FORM_H

#include "serve/http.h"

struct form {
    struct form_field {
        struct text name, value; /* decoded; each with a zero after it */
    } *field;                    /* [fields] */
    size_t fields, capacity;
    char *bytes;
};

/* Reads them; a body of another type than a form is refused. Zero it before, release it after, also on failure. */
bool form_read(struct form *form, struct exchange *exchange, struct vouch_error *err);
void form_release(struct form *form);

/* Returns the value of that name; NULL if there is none. */
const struct text *form_value(const struct form *form, const char *name);

/* Reads a body of that type, `type` with its parameters; for tests and fuzzers as well. */
bool form_add_body(struct form *form, const char *type, const char *body, size_t length, struct vouch_error *err);

#endif
